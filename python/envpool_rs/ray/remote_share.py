"""An actor as the driver sees it: what it was asked and answered, and how its environments live on when it dies."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs.ray.actor_calls import ActorCalls
from envpool_rs.ray.operation import Answer, LocalIds, Operation, Past, SetState
from envpool_rs.ray.recovery import Recovery

Ids = npt.NDArray[np.int64]

MakeActor = Callable[[list[int] | None, Past | None, int], Any]
"""Starts an actor, with its environments as they are made first, or with other seeds, or with a past; is also told the
number of the first operation that it will be asked for."""


@dataclass(eq=False)
class RemoteCall:
    """An operation that an actor was asked for.

    Attributes:
        share: whose actor.
        number: of the operation, counted through the actor's life.
        operation: what was asked.
        ids: environments, counted through the whole pool.
        ref: what stands for the call, see `ActorCalls`.
        answer: once it has come.
        error: in the place of an answer: that the actor died and is not made anew, or what it raised.
    """

    share: RemoteShare
    number: int
    operation: Operation
    ids: Ids
    ref: Any
    answer: Answer | None = None
    error: BaseException | None = None

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to wait for."""
        return self.answer is not None or self.error is not None


class RemoteShare:
    """One actor with its environments.

    Answered operations are kept since the last snapshot: played again on top of it they bring new environments to
    exactly where the lost ones were.

    Attributes:
        index: number of the actor.
        env_ids: its environments, counted through the whole pool.
        first: the first of them.
        count: how many they are.
        outstanding: calls without an answer, in order.
        recovery: what becomes of the environments when it dies.
    """

    def __init__(
        self,
        index: int,
        env_ids: range,
        actors: list[Any],
        calls: ActorCalls,
        make_actor: MakeActor,
        recovery: Recovery,
        snapshot_interval: int,
    ) -> None:
        """Takes over an actor that has been started.

        Args:
            index: number of the actor.
            env_ids: its environments.
            actors: handles of all actors; gets that of a new one.
            calls: how they are called.
            make_actor: starts another.
            recovery: what becomes of the environments.
            snapshot_interval: operations from one snapshot to the next.
        """
        self.index, self.env_ids = index, env_ids
        self.first, self.count = env_ids.start, len(env_ids)
        self._actors, self._calls = actors, calls
        self._make_actor = make_actor
        self.recovery = recovery
        self._every: Ids = np.arange(self.first, self.first + self.count)
        self._interval = snapshot_interval
        self.outstanding: list[RemoteCall] = []
        self._log: list[tuple[float, Operation | SetState]] = []
        self._sent = 0
        # One thread may send while another finds the actor dead.
        self._lock = threading.Lock()
        self._states: list[bytes] | None = None

    @property
    def actor(self) -> Any:
        """Ray's handle."""
        return self._actors[self.index]

    @property
    def _resumes(self) -> bool:
        return self.recovery.policy == "resume"

    def send(self, operation: Operation) -> RemoteCall:
        """Asks for an operation, which tells of environments that have begun anew, if it is a step."""
        with self._lock:
            ids = self._every
            if operation.ids is not None:
                if operation.all_rows:
                    self._include_untold(operation, operation.ids)
                else:
                    ids = operation.ids.astype(np.int64) + self.first
            self._tell(operation, ids)
            self._sent += 1
            operation.snapshot = self._resumes and self._sent % self._interval == 0
            call = RemoteCall(self, self._sent, operation, ids, self._ask(self._sent, operation))
            self.outstanding.append(call)
        return call

    def _include_untold(self, operation: Operation, ids: LocalIds) -> None:
        """Resets environments that have begun anew along with others: they have nothing to show yet."""
        if not self.recovery.untold:
            return
        untold = np.array(sorted(self.recovery.untold), np.int32) - np.int32(self.first)
        more = np.setdiff1d(untold, ids)
        if operation.seeds is not None:
            operation.seeds = [*operation.seeds, *([None] * len(more))]
        operation.ids = np.concatenate([ids, more]).astype(np.int32)

    def _tell(self, operation: Operation, ids: Ids) -> None:
        """Has a step tell of its environments that have begun anew; a reset tells by itself."""
        untold = self.recovery.untold
        if untold:
            lost = np.isin(ids, list(untold))
            if not operation.is_reset and lost.any():
                operation.lost = lost
            untold.difference_update(ids.tolist())

    def _ask(self, number: int, operation: Operation) -> Any:
        return self._calls.call(self.index, "play", number, *operation.fields())

    def settle(self, call: RemoteCall, answer: Answer) -> None:
        """Takes an answer."""
        call.answer = answer
        self.outstanding.remove(call)
        self.recovery.answered()
        if answer.states is not None:
            self._states = answer.states
            self._log = [(number, operation) for number, operation in self._log if number > call.number]
        elif self._resumes:
            self._log.append((call.number, call.operation))

    def fail(self, call: RemoteCall, error: BaseException) -> None:
        """Takes what an operation raised in the place of an answer."""
        call.error = error
        self.outstanding.remove(call)

    def note_set_state(self, states: list[bytes], ids: LocalIds) -> None:
        """Notes that environments were put into other states: a new actor has to do the same.

        Args:
            states: a snapshot of each of ``ids``.
            ids: environments, counted within the actor.
        """
        self.recovery.untold.difference_update((ids + self.first).tolist())
        if self._resumes:
            # Behind everything that was asked before it, and before all that comes.
            self._log.append((self._sent + 0.5, SetState(states, ids)))

    def renew(self, error: BaseException, seeds: list[int]) -> None:
        """Starts a new actor in the place of one that died, and asks it for what the other one still owed.

        Args:
            error: Ray's.
            seeds: for new episodes: the last seed of each environment.
        """
        with self._lock:
            if not self.recovery.goes_on(error):
                for call in self.outstanding:
                    call.error = self.recovery.died
                self.outstanding = []
                return
            next_number = min((call.number for call in self.outstanding), default=self._sent + 1)
            operations = [operation for _, operation in sorted(self._log, key=lambda each: each[0])]
            past = Past(self._states, operations) if self._resumes else None
            anew = None if self._resumes else [self.recovery.next_seed(seed, 62) for seed in seeds]
            self._actors[self.index] = self._make_actor(anew, past, next_number)
            self._calls.join(self.index)
            for call in self.outstanding:
                self._tell(call.operation, call.ids)
                call.ref = self._ask(call.number, call.operation)
