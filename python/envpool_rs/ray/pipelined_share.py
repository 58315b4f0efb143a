"""The environments of an actor that reads its next operation while it plays one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.env_share import EnvShare
from envpool_rs.ray.operation import Answer, LocalIds, Operation, Past

THREADS = 2
"""Operations of one actor under way at a time, where they come by Ray's calls."""


class PipelinedShare(EnvShare):
    """Plays operations in the order of their numbers: while the pool is busy with one, the next one is unpacked and
    queued, and the last one's answer is on its way. Between two of Ray's calls an actor with one thread loses half a
    millisecond and more.

    A connection of the driver's own brings them in their order. Ray's calls have threads of their own, and wait for
    their turns, of which an operation has two: to be queued and to be received. Whatever is more than a step takes both
    at once.
    """

    def __init__(self, spec: EnvSpec, past: Past | None = None, first_number: int = 1) -> None:
        """Makes the environments.

        Args:
            spec: what to make; a synchronous pool.
            past: as for `EnvShare`.
            first_number: of the first operation that will come.
        """
        self._turns = threading.Condition()
        self._to_queue = self._to_receive = first_number
        # Asking a pool for states takes the same turn as sending to it.
        self._sending = threading.RLock()
        super().__init__(spec, past)
        self._methods = {**self._methods, "play": self._play_in_turn}

    def _beginnings(self) -> dict[str, Any]:
        return {"play": self._begin}

    def _begin(self, number: int, *fields: Any) -> Callable[[], Answer] | None:
        """Queues a step; returns what waits for it. ``None`` for what is more than a step."""
        operation = Operation(*fields)
        if _is_more_than_a_step(operation):
            return None
        self._pool.send(operation.actions, operation.ids)
        return lambda: self._result(self._pool.recv)

    def get_state(self, ids: LocalIds | None) -> list[bytes]:
        """Snapshots of environments."""
        with self._sending:
            return super().get_state(ids)

    def set_state(self, states: Sequence[bytes], ids: LocalIds | None) -> None:
        """Restores snapshots."""
        with self._sending:
            super().set_state(states, ids)

    def _play_in_turn(self, number: int, *fields: Any) -> Answer:
        """Plays an operation after all that have smaller numbers."""
        operation = Operation(*fields)
        if _is_more_than_a_step(operation):
            with self._turn("_to_receive", number), self._turn("_to_queue", number), self._sending:
                return self.play(operation)
        with self._turn("_to_queue", number), self._sending:
            self._pool.send(operation.actions, operation.ids)
        with self._turn("_to_receive", number):
            return self._result(self._pool.recv)

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


def _is_more_than_a_step(operation: Operation) -> bool:
    return operation.is_reset or operation.snapshot or operation.lost is not None
