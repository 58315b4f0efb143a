"""What only one thread at a time may do."""

from __future__ import annotations

import threading


class Turn:
    """A context that one thread at a time may enter: a second one is refused and does not wait."""

    __slots__ = ("_acquire", "_release")

    def __init__(self) -> None:
        lock = threading.Lock()
        self._acquire, self._release = lock.acquire, lock.release

    def __enter__(self) -> None:
        if not self._acquire(False):
            raise RuntimeError("this pool is in use by another thread")

    def __exit__(self, *_: object) -> None:
        self._release()
