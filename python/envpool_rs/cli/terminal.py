"""The terminal: a line that changes, pictures of two pixels a letter, and keys without waiting for a line's end."""

from __future__ import annotations

import os
import select
import shutil
import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


REDRAW = 0.1
"""Seconds between two states of the line."""


class LiveLine:
    """Shows progress on a terminal in one line, redrawn ten times a second at most. Elsewhere (pipes, logs) only the
    lines that are to stay are written.
    """

    def __init__(self, stream: TextIO) -> None:
        """A line at the end of what is written to ``stream``.

        Args:
            stream: where to write.
        """
        self._stream = stream
        self._live = stream.isatty()
        self._drawn = False
        self._next = 0.0

    def show(self, text: str) -> None:
        """Replaces the line by ``text``, cut to the terminal's width, unless it was replaced just now."""
        now = time.perf_counter()
        if self._live and now >= self._next:
            self._next = now + REDRAW
            width = shutil.get_terminal_size().columns - 1
            self._drawn = True  # before it is: an interrupt may come between the two
            self._stream.write(f"\r\x1b[2K{text[:width]}")
            self._stream.flush()

    def keep(self, text: str) -> None:
        """Writes a line that stays, in the place of the one that changes."""
        self.clear()
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Removes the line."""
        if self._drawn:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()
            self._drawn = False
        self._next = 0.0

    def __enter__(self) -> LiveLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()


_RESERVED_LINES = 2


def size_in_terminal(width: int, height: int) -> tuple[int, int]:
    """The largest size, in pixels, in which a picture fits the terminal; its height is even.

    Args:
        width: the picture's own.
        height: the picture's own.
    """
    terminal = shutil.get_terminal_size()
    columns, lines = max(terminal.columns, 2), max(terminal.lines - _RESERVED_LINES, 1)
    scale = min(columns / width, 2 * lines / height, 1.0)
    return max(1, int(width * scale)), max(2, int(height * scale) // 2 * 2)


def half_blocks(picture: npt.NDArray[np.uint8]) -> str:
    """A picture ``(height, width, 3)`` of even height as lines of coloured letters.

    Colours are written where they change only.
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
    """The keys pressed while it is entered, as a context manager.

    Keys are letters, digits, and ``"up"``, ``"down"``, ``"left"``, ``"right"``.
    """

    def __init__(self) -> None:
        """Looks for a terminal.

        Raises:
            OSError: where the input is none, or where Python does not know terminals (Windows).
        """
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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._termios.tcsetattr(sys.stdin, self._termios.TCSADRAIN, self._before)

    def pressed(self, seconds: float | None) -> str | None:
        """The last key pressed within ``seconds`` (``None``: the next one, however long it takes)."""
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
    """The last key of what a terminal sent."""
    return _ARROWS.get(data[-3:]) or data.decode(errors="ignore")[-1:] or None
