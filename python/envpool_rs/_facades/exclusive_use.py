"""What only one thread at a time may do."""

from __future__ import annotations

import threading


class ExclusiveUse:
    """What one thread at a time may do: ``with use.taken():``.

    Args:
        what: the object concerned, for the message.
    """

    __slots__ = ("_lock", "_what")

    def __init__(self, what: str) -> None:
        self._lock = threading.Lock()
        self._what = what

    def taken(self) -> threading.Lock:
        """The lock to enter, which is given back at the end of the ``with`` even if Ctrl-C comes at its very begin.

        Raises:
            RuntimeError: where somebody has it; nobody waits.
        """
        if self._lock.locked():
            raise RuntimeError(f"{self._what} is in use by another thread")
        return self._lock
