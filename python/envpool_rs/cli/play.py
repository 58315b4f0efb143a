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
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from envpool_rs._make.make import make_spec, make_vec
from envpool_rs._spec.families import FACTS
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.cli.text import Commands, positive_float, positive_int

if TYPE_CHECKING:
    import numpy.typing as npt

_MAX_TURN_BASED_RATE = 4  # frame rate up to which an environment waits for a key before each step


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
    shown: dict[str, Any] = {"render_mode": "ansi"}
    if not options.text:
        size = spec.pool.picture_size
        width, height = size if options.out is not None else size_in_terminal(*size)
        shown = {"render_mode": "rgb_array", "render_width": width, "render_height": height}
    with contextlib.closing(make_vec(options.task, 1, seed=options.seed, **shown)) as env:
        if options.out is not None:
            _film(env, options, film(options.out, max(1, round(rate))))
        else:
            keyboard = Keyboard() if options.keys else None
            with _screen(), keyboard or contextlib.nullcontext():
                _show(env, options, _Player(env, keyboard, options.task, rate))
    return 0


def _film(env: Any, options: argparse.Namespace, to: GifFilm | FfmpegFilm) -> None:
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
        # Digits are numbers of actions in every task.
        self._keys = {str(digit): digit for digit in range(10)}
        self._keys |= FACTS["keys"].get(task.rpartition("/")[2].rpartition("-v")[0], {})
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
        self._last = self._keys.get(key or "idle", self._last)
        space, batched = self._env.single_action_space, self._env.action_space
        if isinstance(space, spaces.Discrete):
            return np.full(batched.shape, min(int(self._last), int(space.n) - 1))
        if isinstance(space, spaces.Box):
            return np.clip(np.full(batched.shape, self._last, space.dtype), space.low, space.high)
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


# --- terminals --------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _screen() -> Iterator[None]:
    """Context manager that clears the terminal, and hides the cursor until the block ends."""
    print("\x1b[2J\x1b[?25l", end="")
    try:
        yield
    finally:
        print("\x1b[0m\x1b[?25h")


_RESERVED_LINES = 2


def size_in_terminal(width: int, height: int) -> tuple[int, int]:
    """Returns the largest size, in pixels, of an image of this shape that fits the terminal; its height is even."""
    terminal = shutil.get_terminal_size()
    columns, lines = max(terminal.columns, 2), max(terminal.lines - _RESERVED_LINES, 1)
    scale = min(columns / width, 2 * lines / height, 1.0)
    return max(1, int(width * scale)), max(2, int(height * scale) // 2 * 2)


def half_blocks(picture: npt.NDArray[np.uint8]) -> str:
    """Converts an image ``(height, width, 3)`` of even height to lines of coloured characters."""
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

    def __enter__(self) -> Keyboard:
        self._before = self._termios.tcgetattr(sys.stdin)
        self._tty.setcbreak(sys.stdin)
        return self

    def __exit__(self, *_: object) -> None:
        self._termios.tcsetattr(sys.stdin, self._termios.TCSADRAIN, self._before)

    def pressed(self, seconds: float | None) -> str | None:
        """Returns the last key pressed within ``seconds``; ``None`` waits for the next key."""
        last = None
        while select.select([sys.stdin], [], [], seconds)[0]:
            data = os.read(sys.stdin.fileno(), 16)
            if not data:
                break
            last, seconds = key_of(data), 0
        return last


def key_of(data: bytes) -> str | None:
    """Returns the name of the last key in a terminal's input."""
    return _ARROWS.get(data[-3:]) or data.decode(errors="ignore")[-1:] or None


# --- films: GIF by Pillow, other formats by ffmpeg --------------------------------------------------------------------

FORMATS = (".gif", ".mp4", ".webm")  # file name suffixes of videos


def film(path: Path, frames_per_second: int) -> GifFilm | FfmpegFilm:
    """Opens a writer of ``path`` by its suffix, with ``add`` for frames ``(height, width, 3)`` and ``close``."""
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{str(path)!r}: expected a name that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{str(path)!r}: there is no folder {str(path.absolute().parent)!r}")
    return (GifFilm if path.suffix.lower() == ".gif" else FfmpegFilm)(path, frames_per_second)


class GifFilm:
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


class FfmpegFilm:
    """Writer of a video that ffmpeg encodes while frames are added."""

    def __init__(self, path: Path, frames_per_second: int) -> None:
        try:
            import imageio_ffmpeg
        except ImportError:
            program = shutil.which("ffmpeg")
        else:
            program = imageio_ffmpeg.get_ffmpeg_exe()
        if program is None:
            raise ImportError(
                "films other than GIF need ffmpeg: pip install 'envpool_rs[film]', or install the program"
            )
        self._program, self._path, self._rate = program, path, frames_per_second
        self._process: subprocess.Popen[bytes] | None = None

    def add(self, frame: npt.NDArray[np.uint8]) -> None:
        if self._process is None:
            height, width, _ = frame.shape
            raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(self._rate), "-i", "-"]
            # Video players require an even width and height and this pixel format.
            made = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", str(self._path)]
            command = [self._program, "-y", "-loglevel", "error", *raw, *made]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            if self._process.stdin is not None:
                self._process.stdin.write(frame.tobytes())
        except BrokenPipeError:
            self.close()

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        _, said = process.communicate()
        if process.returncode != 0:
            raise OSError(f"ffmpeg could not write {str(self._path)!r}: {said.decode(errors='replace').strip()}")
