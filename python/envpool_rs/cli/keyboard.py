"""Keys of a terminal, without waiting for the end of a line."""

from __future__ import annotations

import os
import select
import sys
from types import TracebackType
from typing import Any

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
