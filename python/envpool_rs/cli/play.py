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
from collections.abc import Callable, Iterator
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

    Pressed = Callable[[float | None], str | None]  # see `_pressed`
    Add = Callable[[npt.NDArray[np.uint8]], Any]  # adds a frame `(height, width, 3)` to a video

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
    size = spec.pool.picture_size if options.out is not None else size_in_terminal(*spec.pool.picture_size)
    shown: dict[str, Any] = {"render_mode": "rgb_array", "render_width": size[0], "render_height": size[1]}
    if options.text:
        shown = {"render_mode": "ansi"}
    with contextlib.closing(make_vec(options.task, 1, seed=options.seed, **shown)) as env:
        if options.out is not None:
            with film(options.out, max(1, round(rate)), size) as add:
                env.reset()
                env.action_space.seed(options.seed)
                add(env.render()[0])
                for _ in range(options.steps):
                    env.step(env.action_space.sample())
                    add(env.render()[0])
            print(f"{options.out}: {options.steps + 1} pictures of {options.task}")
        else:
            with keyboard() if options.keys else contextlib.nullcontext() as pressed:
                _show(env, options, _actions(env, options, pressed, rate))
    return 0


def _actions(env: Any, options: argparse.Namespace, pressed: Pressed | None, rate: float) -> Iterator[Any]:
    """Yields actions of the keyboard until the user ends the program; without one, random ones, ``rate`` per second."""
    if pressed is None:
        env.action_space.seed(options.seed)
        due = time.monotonic()
        while True:
            due = max(due, time.monotonic() - 1) + 1 / rate
            time.sleep(max(0.0, due - time.monotonic()))
            yield env.action_space.sample()
    # Digits are numbers of actions in every task.
    keys = {str(digit): digit for digit in range(10)}
    keys |= FACTS["keys"].get(options.task.rpartition("/")[2].rpartition("-v")[0], {})
    space, batched, last = env.single_action_space, env.action_space, 0.0
    while (key := pressed(None if rate <= _MAX_TURN_BASED_RATE else 1 / rate)) != "q":
        last = keys.get(key or "idle", last)
        if isinstance(space, spaces.Discrete):
            yield np.full(batched.shape, min(int(last), int(space.n) - 1))
        elif isinstance(space, spaces.Box):
            yield np.clip(np.full(batched.shape, last, space.dtype), space.low, space.high)
        else:
            raise ValueError(f"--keys: {options.task} has actions of several parts, which no key stands for")


def _show(env: Any, options: argparse.Namespace, actions: Iterator[Any]) -> None:
    env.reset()
    total = 0.0
    print("\x1b[2J\x1b[?25l", end="")  # clears the terminal, and hides the cursor
    try:
        for step in range(options.steps + 1):
            shown = env.render()[0]
            text = shown if isinstance(shown, str) else half_blocks(shown) + "\n"
            line = f"{options.task}  step {step}  return {total:g}"
            print(f"\x1b[H{text.replace(chr(10), chr(27) + '[K' + chr(10))}{line}\x1b[K", end="", flush=True)
            action = next(actions, None) if step < options.steps else None
            if action is None:
                break
            _, rewards, terminated, truncated, _ = env.step(action)
            total = 0.0 if terminated[0] or truncated[0] else total + float(np.sum(rewards))
    finally:
        print("\x1b[0m\x1b[?25h")


# --- terminals --------------------------------------------------------------------------------------------------------


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


@contextlib.contextmanager
def keyboard() -> Iterator[Pressed]:
    """Context manager that lets the terminal report each key at once, and returns ``_pressed``.

    Raises an ``OSError`` if the input is no terminal, or if Python does not support terminals (Windows).
    """
    try:
        import termios
        import tty
    except ImportError as error:
        raise OSError("keys need a terminal that Python's termios knows, which there is not on Windows") from error
    if not sys.stdin.isatty():
        raise OSError("keys need a terminal: the input is none")
    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield _pressed
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def _pressed(seconds: float | None) -> str | None:
    """Returns the last key pressed within ``seconds``; ``None`` waits for the next key."""
    last = None
    while select.select([sys.stdin], [], [], seconds)[0]:
        data = os.read(sys.stdin.fileno(), 16)
        if not data:
            break
        last, seconds = key_of(data), 0
    return last


def key_of(data: bytes) -> str | None:
    """Returns the last key in a terminal's input: a letter, a digit, ``"up"``, ``"down"``, ``"left"``, ``"right"``."""
    return _ARROWS.get(data[-3:]) or data.decode(errors="ignore")[-1:] or None


# --- films: GIF by Pillow, other formats by ffmpeg --------------------------------------------------------------------

FORMATS = (".gif", ".mp4", ".webm")  # file name suffixes of videos


def film(path: Path, frames_per_second: int, size: tuple[int, int]) -> contextlib.AbstractContextManager[Add]:
    """Context manager that writes a video of this width and height to ``path``; returns a function that adds frames."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(f"{str(path)!r}: expected a name that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{str(path)!r}: there is no folder {str(path.absolute().parent)!r}")
    return _gif(path, frames_per_second) if suffix == ".gif" else _video(path, frames_per_second, size)


@contextlib.contextmanager
def _gif(path: Path, frames_per_second: int) -> Iterator[Add]:
    """Writes a GIF that repeats forever. All frames are in memory until the end, one byte per pixel."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("films in GIF need Pillow: pip install 'envpool_rs[film]'") from error
    frames: list[Any] = []
    try:
        yield lambda frame: frames.append(Image.fromarray(frame).quantize(colors=256))
    finally:
        if frames:
            frames[0].save(path, save_all=True, append_images=frames[1:], duration=1000 / frames_per_second, loop=0)


@contextlib.contextmanager
def _video(path: Path, frames_per_second: int, size: tuple[int, int]) -> Iterator[Add]:
    """Writes a video that ffmpeg encodes while frames are added."""
    try:
        import imageio_ffmpeg
    except ImportError:
        program = shutil.which("ffmpeg")
    else:
        program = imageio_ffmpeg.get_ffmpeg_exe()
    if program is None:
        raise ImportError("films other than GIF need ffmpeg: pip install 'envpool_rs[film]', or install the program")
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", f"{frames_per_second}", "-i", "-"]
    # Video players require an even width and height and this pixel format.
    made = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", str(path)]
    command = [program, "-y", "-loglevel", "error", *raw, *made]
    process: Any = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        with contextlib.suppress(BrokenPipeError):  # ffmpeg has ended, with an error
            yield lambda frame: process.stdin.write(frame.tobytes())
    finally:
        _, said = process.communicate()
        if process.returncode != 0:
            raise OSError(f"ffmpeg could not write {str(path)!r}: {said.decode(errors='replace').strip()}")
