"""Terminal output and input: a live status line, images of two pixels per character, and single keys."""

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
"""Minimum time between two updates of a live line, in seconds."""


class LiveLine:
    """Shows progress on a terminal in one line, redrawn at most ten times a second.

    Outputs that are no terminals (pipes, logs) get the permanent lines only.
    """

    def __init__(self, stream: TextIO) -> None:
        """Creates a line at the end of ``stream``.

        Args:
            stream: the output.
        """
        self._stream = stream
        self._live = stream.isatty()
        self._drawn = False
        self._next = 0.0

    def show(self, text: str) -> None:
        """Replaces the line by ``text``, cut to the terminal's width, unless the last update was too recent."""
        now = time.perf_counter()
        if self._live and now >= self._next:
            self._next = now + REDRAW
            width = shutil.get_terminal_size().columns - 1
            self._drawn = True  # set first, because an interrupt may follow at once
            self._stream.write(f"\r\x1b[2K{text[:width]}")
            self._stream.flush()

    def keep(self, text: str) -> None:
        """Writes a permanent line in place of the live line."""
        self.clear()
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Removes the live line."""
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
    """Returns the largest size, in pixels, of an image that fits the terminal; its height is even.

    Args:
        width: the image's own width.
        height: the image's own height.
    """
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
    """Keys pressed inside the context manager's block.

    Keys are letters, digits, and ``"up"``, ``"down"``, ``"left"``, ``"right"``.
    """

    def __init__(self) -> None:
        """Opens the terminal.

        Raises:
            OSError: if the input is no terminal, or if Python does not support terminals (Windows).
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
