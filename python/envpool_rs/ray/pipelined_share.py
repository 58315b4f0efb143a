"""The environments of an actor that reads its next request while it plays one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.env_share import EnvShare

if TYPE_CHECKING:
    from envpool_rs._core import Layout

THREADS = 2
"""Requests of one actor under way at a time, where they come by Ray's calls."""


class PipelinedShare(EnvShare):
    """Plays requests in the order of their numbers: while the pool is busy with one, the next one is unpacked and
    queued, and the last one's answer is on its way. Between two of Ray's calls an actor with one thread loses half a
    millisecond and more.

    A connection of the driver's own brings them in their order. Ray's calls have threads of their own, and wait for
    their turns, of which a request has two: to be queued and to be received. Whatever is more than steps takes both at
    once.
    """

    def __init__(self, spec: EnvSpec, layout: Layout, first_number: int = 1) -> None:
        """Makes the environments; arguments as for `EnvShare`."""
        self._turns = threading.Condition()
        self._to_queue = self._to_receive = first_number
        super().__init__(spec, layout)
        # The connection begins steps in their order, and plays what is more than steps by itself.
        self._methods = {**self._methods, "play": self._play_in_turn}

    def _beginnings(self) -> dict[str, Any]:
        return {"play": self._begin}

    def _play_in_turn(self, number: int, request: bytes) -> bytes:
        """Plays a request after all that have smaller numbers."""
        with self._turn("_to_queue", number):
            finish = self._begin(number, request)
            if finish is None:
                with self._turn("_to_receive", number):
                    return self.play(number, request)
        with self._turn("_to_receive", number):
            return finish()

    @contextmanager
    def _turn(self, name: str, number: int) -> Iterator[None]:
        with self._turns:
            self._turns.wait_for(lambda: getattr(self, name) == number)
        try:
            yield
        finally:
            with self._turns:
                setattr(self, name, number + 1)
                self._turns.notify_all()
