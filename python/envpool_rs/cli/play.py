"""``envpool-rs play``: shows a task in the terminal, records a video, or lets the user play by the keyboard."""

from __future__ import annotations

import argparse
import contextlib
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from gymnasium import spaces

from envpool_rs._make.make import make_spec, make_vec
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.cli.text import Commands, positive_float, positive_int

if TYPE_CHECKING:
    import numpy.typing as npt

_MAX_TURN_BASED_RATE = 4
"""Frame rate up to which an environment waits for a key before each step."""

_VIZDOOM = (
    *("VizdoomBasic", "VizdoomBasicAudio", "VizdoomBasicNotifications", "VizdoomDefendCenter", "VizdoomDefendLine"),
    *("VizdoomHealthGathering", "VizdoomHealthGatheringSupreme", "VizdoomPredictPosition"),
)
"""ViZDoom scenarios whose actions are left, right and a third one: attack or move forward."""

_KEYS: dict[str, dict[str, float]] = {
    "CartPole": {"left": 0, "right": 1},
    "MountainCar": {"left": 0, "down": 1, "right": 2},
    "MountainCarContinuous": {"left": -1, "down": 0, "right": 1},
    "Acrobot": {"left": 0, "down": 1, "right": 2},
    "Pendulum": {"left": 2, "down": 0, "right": -2},
    "FrozenLake": {"left": 0, "down": 1, "right": 2, "up": 3},
    "FrozenLake8x8": {"left": 0, "down": 1, "right": 2, "up": 3},
    "CliffWalking": {"up": 0, "right": 1, "down": 2, "left": 3},
    "CliffWalkingSlippery": {"up": 0, "right": 1, "down": 2, "left": 3},
    "Taxi": {"down": 0, "up": 1, "right": 2, "left": 3, "p": 4, "d": 5},
    "Blackjack": {"s": 0, "h": 1},
    "VizdoomTakeCover": {"left": 2, "right": 1, "down": 0},
    "VizdoomMyWayHome": {"left": 5, "right": 4, "up": 3, "down": 0},
    **{name: {"left": 3, "right": 2, "up": 1, "down": 0} for name in _VIZDOOM},
}
"""Action of each key, by the task's name without its version. Digits are action numbers in every task."""

_IDLE_ACTIONS = {
    **{"MountainCar": 1, "MountainCarContinuous": 0, "Acrobot": 1, "Pendulum": 0},
    **dict.fromkeys(["VizdoomTakeCover", "VizdoomMyWayHome", *_VIZDOOM], 0),
}
"""Actions while no key is pressed, for tasks that continue then; other tasks repeat the last key's action."""


def add_to(commands: Commands) -> None:
    """Adds the command to the command line."""
    parser = commands.add_parser(
        "play",
        help="watch, film or play a task",
        description="Plays a task with random actions, or by the keyboard, and shows it in the terminal or in a film.",
    )
    parser.add_argument("task", metavar="TASK", help="a task's id, as in `list`")
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"make a film ({', '.join(FORMATS)}) instead")
    parser.add_argument("--keys", action="store_true", help="play by the keyboard: arrows, or digits; q ends")
    parser.add_argument("--text", action="store_true", help="show the environment's text instead of its picture")
    parser.add_argument("--steps", type=positive_int, default=500, help="steps to play (500)")
    parser.add_argument("--seed", type=int, default=0, help="of the environment and of the actions (0)")
    parser.add_argument("--fps", type=positive_float, default=None, help="pictures per second (the task's own)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Shows the task in the terminal, records a video, or lets the user play by the keyboard."""
    spec: Any = make_spec(options.task)
    if not isinstance(spec, EnvSpec) or spec.pool.picture_size is None:
        raise ValueError(f"{options.task}: draws no pictures")
    if options.out is not None and (options.text or options.keys):
        raise ValueError("--out makes a film of random play: expected neither --text nor --keys with it")
    rate = options.fps or spec.pool.render_fps
    with contextlib.closing(_make_env(options, spec)) as env:
        if options.out is not None:
            _film(env, options, film(options.out, max(1, round(rate))))
        else:
            keyboard = Keyboard() if options.keys else None
            with _screen(), keyboard or contextlib.nullcontext():
                _show(env, options, _Player(env, keyboard, options.task, rate))
    return 0


def _make_env(options: argparse.Namespace, spec: EnvSpec) -> Any:
    if options.text:
        return make_vec(options.task, 1, render_mode="ansi", seed=options.seed)
    size = spec.pool.picture_size or (1, 1)
    width, height = size if options.out is not None else size_in_terminal(*size)
    shown: dict[str, Any] = {"render_mode": "rgb_array", "render_width": width, "render_height": height}
    return make_vec(options.task, 1, seed=options.seed, **shown)


def _film(env: Any, options: argparse.Namespace, to: Film) -> None:
    env.reset()
    env.action_space.seed(options.seed)
    with contextlib.closing(to):
        to.add(env.render()[0])
        for _ in range(options.steps):
            env.step(env.action_space.sample())
            to.add(env.render()[0])
    print(f"{options.out}: {options.steps + 1} pictures of {options.task}")


class _Player:
    """Supplies actions from a keyboard, or at random without one, at ``rate`` steps per second."""

    def __init__(self, env: Any, keyboard: Keyboard | None, task: str, rate: float) -> None:
        self._env, self._keyboard, self._task, self._rate = env, keyboard, task, rate
        name = task.rpartition("/")[2].rpartition("-v")[0]
        self._keys = _KEYS.get(name, {})
        self._resting = _IDLE_ACTIONS.get(name)
        self._last = 0.0
        self._next = time.monotonic()

    def action(self) -> Any:
        """Returns the next action; ``None`` if the user ended the program."""
        if self._keyboard is None:
            self._next = max(self._next, time.monotonic() - 1) + 1 / self._rate
            time.sleep(max(0.0, self._next - time.monotonic()))
            return self._env.action_space.sample()
        key = self._keyboard.pressed(None if self._rate <= _MAX_TURN_BASED_RATE else 1 / self._rate)
        if key == "q":
            return None
        if key is None and self._resting is not None:
            self._last = self._resting
        elif key is not None and key in self._keys:
            self._last = self._keys[key]
        elif key is not None and key.isdecimal():
            self._last = float(key)
        return self._batched(self._last)

    def _batched(self, chosen: float) -> Any:
        space = self._env.single_action_space
        if isinstance(space, spaces.Discrete):
            return np.full(self._env.action_space.shape, min(int(chosen), int(space.n) - 1))
        if isinstance(space, spaces.Box):
            return np.clip(np.full(self._env.action_space.shape, chosen, space.dtype), space.low, space.high)
        raise ValueError(f"--keys: {self._task} has actions of several parts, which no key stands for")


def _show(env: Any, options: argparse.Namespace, player: _Player) -> None:
    env.reset()
    env.action_space.seed(options.seed)
    total = 0.0
    for step in range(options.steps + 1):
        shown = env.render()[0]
        text = shown if isinstance(shown, str) else half_blocks(shown) + "\n"
        line = f"{options.task}  step {step}  return {total:g}"
        print(f"\x1b[H{text.replace(chr(10), chr(27) + '[K' + chr(10))}{line}\x1b[K", end="", flush=True)
        action = player.action() if step < options.steps else None
        if action is None:
            break
        _, rewards, terminated, truncated, _ = env.step(action)
        total = 0.0 if terminated[0] or truncated[0] else total + float(np.sum(rewards))


@contextlib.contextmanager
def _screen() -> Iterator[None]:
    """Context manager that clears the terminal, and hides the cursor until the block ends."""
    print("\x1b[2J\x1b[?25l", end="")
    try:
        yield
    finally:
        print("\x1b[0m\x1b[?25h")


# Pictures and keys of a terminal

_RESERVED_LINES = 2


def size_in_terminal(width: int, height: int) -> tuple[int, int]:
    """Returns the largest size, in pixels, of an image of this shape that fits the terminal; its height is even."""
    terminal = shutil.get_terminal_size()
    columns, lines = max(terminal.columns, 2), max(terminal.lines - _RESERVED_LINES, 1)
    scale = min(columns / width, 2 * lines / height, 1.0)
    return max(1, int(width * scale)), max(2, int(height * scale) // 2 * 2)


def half_blocks(picture: npt.NDArray[np.uint8]) -> str:
    """Converts an image ``(height, width, 3)`` of even height to lines of coloured characters.

    Colour codes are written only where the colour changes.
    """
    lines = []
    for upper, lower in zip(picture[::2].tolist(), picture[1::2].tolist(), strict=True):
        line, before = [], None
        for colors in zip(upper, lower, strict=True):
            if colors != before:
                (r, g, b), (r2, g2, b2) = colors
                line.append(f"\x1b[38;2;{r};{g};{b};48;2;{r2};{g2};{b2}m")
                before = colors
            line.append("▀")
        lines.append("".join(line) + "\x1b[0m")
    return "\n".join(lines)


_ARROWS = {b"\x1b[A": "up", b"\x1b[B": "down", b"\x1b[C": "right", b"\x1b[D": "left"}


class Keyboard:
    """Keys pressed inside the context manager's block: letters, digits, ``"up"``, ``"down"``, ``"left"``, ``"right"``.

    Raises an ``OSError`` if the input is no terminal, or if Python does not support terminals (Windows).
    """

    def __init__(self) -> None:
        try:
            import termios
            import tty
        except ImportError as error:
            raise OSError("keys need a terminal that Python's termios knows, which there is not on Windows") from error
        if not sys.stdin.isatty():
            raise OSError("keys need a terminal: the input is none")
        self._termios: Any = termios
        self._tty: Any = tty
        self._before: Any = None

    def __enter__(self) -> Keyboard:
        self._before = self._termios.tcgetattr(sys.stdin)
        self._tty.setcbreak(sys.stdin)
        return self

    def __exit__(self, *_: object) -> None:
        self._termios.tcsetattr(sys.stdin, self._termios.TCSADRAIN, self._before)

    def pressed(self, seconds: float | None) -> str | None:
        """Returns the last key pressed within ``seconds``; for ``seconds=None``, waits for the next key without a
        limit.
        """
        last = None
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        while ready:
            data = os.read(sys.stdin.fileno(), 16)
            if not data:
                return last
            last = key_of(data)
            ready, _, _ = select.select([sys.stdin], [], [], 0)
        return last


def key_of(data: bytes) -> str | None:
    """Returns the name of the last key in a terminal's input."""
    return _ARROWS.get(data[-3:]) or data.decode(errors="ignore")[-1:] or None


# Films: GIF by Pillow, other formats by ffmpeg

FORMATS = (".gif", ".mp4", ".webm")
"""File name suffixes of videos."""


class Film(Protocol):
    """Protocol of video writers."""

    def add(self, frame: npt.NDArray[np.uint8]) -> None:
        """Adds a frame ``(height, width, 3)``, which has the size of the first frame."""

    def close(self) -> None:
        """Writes the remaining data of the video. Raises an ``OSError`` if ffmpeg failed, with its error output."""


def film(path: Path, frames_per_second: int) -> Film:
    """Opens a video writer for ``path``, selected by its suffix; an existing file is replaced.

    Raises a ``ValueError`` for another suffix, an ``ImportError`` if the required writer is not installed, and an
    ``OSError`` if the folder does not exist.
    """
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{str(path)!r}: expected a name that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{str(path)!r}: there is no folder {str(path.absolute().parent)!r}")
    if path.suffix.lower() == ".gif":
        return GifFilm(path, frames_per_second)
    return FfmpegFilm(path, frames_per_second)


class GifFilm(Film):
    """Writer of a GIF that repeats forever. It keeps all frames in memory until ``close``, one byte per pixel."""

    def __init__(self, path: Path, frames_per_second: int) -> None:
        try:
            from PIL import Image
        except ImportError as error:
            raise ImportError("films in GIF need Pillow: pip install 'envpool_rs[film]'") from error
        self._image: Any = Image
        self._path, self._milliseconds = path, 1000 / frames_per_second
        self._frames: list[Any] = []

    def add(self, frame: npt.NDArray[np.uint8]) -> None:
        self._frames.append(self._image.fromarray(frame).quantize(colors=256))

    def close(self) -> None:
        if self._frames:
            first, *rest = self._frames
            first.save(self._path, save_all=True, append_images=rest, duration=self._milliseconds, loop=0)
            self._frames = []


class FfmpegFilm(Film):
    """Writer of a video that ffmpeg encodes while frames are added."""

    def __init__(self, path: Path, frames_per_second: int) -> None:
        self._program = _ffmpeg()
        self._path, self._rate = path, frames_per_second
        self._process: subprocess.Popen[bytes] | None = None

    def add(self, frame: npt.NDArray[np.uint8]) -> None:
        if self._process is None:
            self._process = self._start(*frame.shape[:2])
        pipe = self._process.stdin
        try:
            if pipe is not None:
                pipe.write(frame.tobytes())
        except BrokenPipeError:
            self.close()

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        _, said = process.communicate()
        if process.returncode != 0:
            raise OSError(f"ffmpeg could not write {str(self._path)!r}: {said.decode(errors='replace').strip()}")

    def _start(self, height: int, width: int) -> subprocess.Popen[bytes]:
        raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(self._rate), "-i", "-"]
        # Video players require an even width and height and this pixel format.
        made = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", str(self._path)]
        command = [self._program, "-y", "-loglevel", "error", *raw, *made]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)


def _ffmpeg() -> str:
    try:
        import imageio_ffmpeg
    except ImportError:
        program = shutil.which("ffmpeg")
    else:
        program = imageio_ffmpeg.get_ffmpeg_exe()
    if program is None:
        raise ImportError("films other than GIF need ffmpeg: pip install 'envpool_rs[film]', or install the program")
    return program
