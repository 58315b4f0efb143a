"""An actor as the driver sees it: what it was asked and answered, and how its environments live on when it dies."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from envpool_rs.ray.actor_died import ActorDied
from envpool_rs.ray.messages import packed
from envpool_rs.ray.operation import Answer, LocalIds, Operation, SetState

OnActorDeath = Literal["resume", "new_episode", "raise"]
Ids = npt.NDArray[np.int64]

DEATHS_IN_A_ROW = 3
"""An actor that dies so many times without an answer in between is not started again."""


@dataclass(eq=False)
class RemoteCall:
    """An operation that an actor was asked for.

    Attributes:
        share: whose actor.
        number: of the operation, counted through the actor's life.
        operation: what was asked.
        ids: environments, counted through the whole pool.
        ref: Ray's reference to the answer.
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
        first: the first of its environments, counted through the whole pool.
        count: how many it has.
        actor: Ray's handle.
        outstanding: calls without an answer, in order.
        died: the error that every further use meets, where it is not made anew.
    """

    def __init__(
        self,
        index: int,
        first: int,
        count: int,
        make_actor: Callable[[list[int] | None, int], Any],
        on_actor_death: OnActorDeath,
        snapshot_interval: int,
    ) -> None:
        """Starts the actor.

        Args:
            index: number of the actor.
            first: the first of its environments.
            count: how many it has.
            make_actor: starts an actor with its environments as they are made first, or with other seeds; is also told
                the number of the first operation that it will be asked for.
            on_actor_death: what becomes of the environments.
            snapshot_interval: operations from one snapshot to the next.
        """
        self.index, self.first, self.count = index, first, count
        self._make_actor = make_actor
        self._on_actor_death = on_actor_death
        self._interval = snapshot_interval
        self.outstanding: list[RemoteCall] = []
        self.died: ActorDied | None = None
        self._log: list[tuple[float, Operation | SetState]] = []
        self._sent = 0
        # One thread may send while another finds the actor dead.
        self._lock = threading.Lock()
        self._states: list[bytes] | None = None
        self._deaths_in_a_row = 0
        self._deaths = 0
        self._restored: Any = None
        self.actor = make_actor(None, 1)

    @property
    def env_ids(self) -> range:
        """Its environments, counted through the whole pool."""
        return range(self.first, self.first + self.count)

    @property
    def _resumes(self) -> bool:
        return self._on_actor_death == "resume"

    def send(self, operation: Operation, ids: Ids) -> RemoteCall:
        """Asks for an operation.

        Args:
            operation: with ids counted within the actor.
            ids: the same, counted through the whole pool.
        """
        with self._lock:
            self._sent += 1
            operation.snapshot = self._resumes and self._sent % self._interval == 0
            call = RemoteCall(self, self._sent, operation, ids, self._ask(self._sent, operation))
            self.outstanding.append(call)
        return call

    def _ask(self, number: int, operation: Operation) -> Any:
        return self.actor.play_message.remote(packed((number, operation)))

    def settle(self, call: RemoteCall, answer: Answer) -> None:
        """Takes an answer."""
        call.answer = answer
        self.outstanding.remove(call)
        self._deaths_in_a_row = 0
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
        if self._resumes:
            # Behind everything that was asked before it, and before all that comes.
            self._log.append((self._sent + 0.5, SetState(states, ids)))

    @property
    def is_restoring(self) -> bool:
        """Whether a new actor has yet to say that it has brought the environments to where they had been."""
        return self._restored is not None

    def check_restored(self, ray: Any) -> None:
        """Waits for a new actor's environments.

        Raises:
            Exception: of the actor, where they could not be brought to where they had been.
        """
        if self._restored is not None:
            ray.get(self._restored)
            self._restored = None

    def renew(self, error: BaseException, seeds: list[int]) -> None:
        """Starts a new actor in the place of one that died, and asks it for what the other one still owed.

        Args:
            error: Ray's.
            seeds: for new episodes: the last seed of each environment.
        """
        self._deaths += 1
        self._deaths_in_a_row += 1
        self._restored = None
        if self._on_actor_death == "raise" or self._deaths_in_a_row >= DEATHS_IN_A_ROW:
            self.give_up(error, self._advice())
            return
        with self._lock:
            next_number = min((call.number for call in self.outstanding), default=self._sent + 1)
            if self._resumes:
                self.actor = self._make_actor(None, 0)
                operations = [operation for _, operation in sorted(self._log, key=lambda each: each[0])]
                self._restored = self.actor.restore.remote(self._states, operations, next_number)
            else:
                self.actor = self._make_actor([self._mixed(seed) for seed in seeds], next_number)
            for call in self.outstanding:
                call.ref = self._ask(call.number, call.operation)

    def _advice(self) -> str:
        if self._on_actor_death == "raise":
            return "make the pool anew, or make it with on_actor_death='resume'"
        return f"it died {self._deaths_in_a_row} times without an answer in between"

    def _mixed(self, seed: int) -> int:
        """Another seed for each restart, the same whenever the same happens."""
        state = np.random.SeedSequence([seed, self._deaths]).generate_state(1, np.uint64)
        return int(state[0]) >> 2

    def give_up(self, error: BaseException, advice: str) -> None:
        """Leaves the environments lost: every further use of them raises :class:`ActorDied`.

        Args:
            error: the cause.
            advice: what can be done.
        """
        self.died = ActorDied(self.index, self.env_ids, str(error), advice)
        self.died.__cause__ = error
        for call in self.outstanding:
            call.error = self.died
        self.outstanding = []

    def tell_of_loss(self, untold: npt.NDArray[np.bool_]) -> None:
        """Marks, in what the actor still owes, the steps of environments that begin anew.

        Args:
            untold: ``(num_envs,)`` of the whole pool: environments that have begun anew, and were not told of. Those
                that will be told by these answers are cleared.
        """
        for call in self.outstanding:
            mark_lost(call.operation, call.ids, untold)


def mark_lost(operation: Operation, ids: Ids, untold: npt.NDArray[np.bool_]) -> None:
    """Has an operation tell of the environments that have begun anew, where it is a step; a reset tells by itself.

    Args:
        operation: about to be sent.
        ids: its environments, counted through the whole pool.
        untold: ``(num_envs,)`` of the whole pool; cleared for ``ids``.
    """
    lost = untold[ids]
    if not operation.is_reset and lost.any():
        operation.lost = lost
    untold[ids] = False
