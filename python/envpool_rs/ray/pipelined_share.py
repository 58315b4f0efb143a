"""The environments of an actor that reads its next operation while it plays one."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.env_share import EnvShare
from envpool_rs.ray.messages import packed, unpacked
from envpool_rs.ray.operation import Answer, LocalIds, Operation, SetState

THREADS = 2
"""Operations of one actor under way at a time."""


class PipelinedShare(EnvShare):
    """Plays operations in the order of their numbers, each in a thread of its own: while the pool is busy with one, the
    next one is unpacked and queued, and the last one's answer is on its way. Between two operations an actor with one
    thread loses half a millisecond and more.

    An operation has two turns: to be queued and to be received. Whatever is more than a step takes both at once.
    """

    def __init__(self, spec: EnvSpec, first_number: int = 1) -> None:
        """Makes the environments, unreset.

        Args:
            spec: what to make; a synchronous pool.
            first_number: of the first operation that will come.
        """
        super().__init__(spec)
        self._turns = threading.Condition()
        self._to_queue = self._to_receive = first_number
        # Asking a pool for states takes the same turn as sending to it.
        self._sending = threading.RLock()

    def restore(
        self, states: Sequence[bytes] | None, operations: Sequence[Operation | SetState], first_number: int
    ) -> None:
        """As `EnvShare.restore`; operations that have come already wait for it."""
        try:
            super().restore(states, operations, first_number)
        finally:
            with self._turns:
                self._to_queue = self._to_receive = first_number
                self._turns.notify_all()

    def get_state(self, ids: LocalIds | None) -> list[bytes]:
        """Snapshots of environments."""
        with self._sending:
            return super().get_state(ids)

    def set_state(self, states: Sequence[bytes], ids: LocalIds | None) -> None:
        """Restores snapshots."""
        with self._sending:
            super().set_state(states, ids)

    def play_message(self, message: Any) -> Any:
        """As `EnvShare.play_message`, for a message of operation and number."""
        number, operation = unpacked(message)
        return packed(self.play_in_turn(number, operation))

    def play_in_turn(self, number: int, operation: Operation) -> Answer:
        """Plays an operation after all that have smaller numbers.

        Args:
            number: of the operation, counted through the actor's life.
            operation: what to do.
        """
        if operation.is_reset or operation.snapshot or operation.lost is not None:
            with self._turn("_to_receive", number), self._turn("_to_queue", number), self._sending:
                return self.play(operation)
        with self._turn("_to_queue", number), self._sending:
            self._pool.send(operation.actions, operation.ids)
        with self._turn("_to_receive", number):
            return self._result(self._pool.recv, operation.ids)

    def _failure(self, message: str, ids: Any) -> Answer:
        with self._sending:
            return super()._failure(message, ids)

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
