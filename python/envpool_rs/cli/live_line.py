"""A line that changes while something runs, where someone is watching."""

from __future__ import annotations

import shutil
import time
from types import TracebackType
from typing import TextIO

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
