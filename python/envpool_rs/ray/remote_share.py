"""An actor as the driver sees it: what it was asked and answered, and how its environments live on when it dies."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from envpool_rs.ray.actor_calls import ActorCalls
from envpool_rs.ray.actor_died import ActorDied
from envpool_rs.ray.operation import Answer, LocalIds, Operation, Past, SetState

OnActorDeath = Literal["resume", "new_episode", "raise"]
Ids = npt.NDArray[np.int64]

MakeActor = Callable[[list[int] | None, Past | None, int], Any]
"""Starts an actor, with its environments as they are made first, or with other seeds, or with a past; is also told the
number of the first operation that it will be asked for."""

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
        died: the error that every further use meets, where it is not made anew.
    """

    def __init__(
        self,
        index: int,
        env_ids: range,
        actors: list[Any],
        calls: ActorCalls,
        make_actor: MakeActor,
        on_actor_death: OnActorDeath,
        snapshot_interval: int,
    ) -> None:
        """Takes over an actor that has been started.

        Args:
            index: number of the actor.
            env_ids: its environments.
            actors: handles of all actors; gets that of a new one.
            calls: how they are called.
            make_actor: starts another.
            on_actor_death: what becomes of the environments.
            snapshot_interval: operations from one snapshot to the next.
        """
        self.index, self.env_ids = index, env_ids
        self.first, self.count = env_ids.start, len(env_ids)
        self._actors, self._calls = actors, calls
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

    @property
    def actor(self) -> Any:
        """Ray's handle."""
        return self._actors[self.index]

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
        return self._calls.call(self.index, "play", number, *operation.fields())

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

    def renew(self, error: BaseException, seeds: list[int]) -> None:
        """Starts a new actor in the place of one that died, and asks it for what the other one still owed.

        Args:
            error: Ray's.
            seeds: for new episodes: the last seed of each environment.
        """
        self._deaths += 1
        self._deaths_in_a_row += 1
        if self._on_actor_death == "raise" or self._deaths_in_a_row >= DEATHS_IN_A_ROW:
            self._give_up(error)
            return
        with self._lock:
            next_number = min((call.number for call in self.outstanding), default=self._sent + 1)
            operations = [operation for _, operation in sorted(self._log, key=lambda each: each[0])]
            past = Past(self._states, operations) if self._resumes else None
            anew = None if self._resumes else [self._mixed(seed) for seed in seeds]
            self._actors[self.index] = self._make_actor(anew, past, next_number)
            self._calls.join(self.index)
            for call in self.outstanding:
                call.ref = self._ask(call.number, call.operation)

    def _mixed(self, seed: int) -> int:
        """Another seed for each restart, the same whenever the same happens."""
        state = np.random.SeedSequence([seed, self._deaths]).generate_state(1, np.uint64)
        return int(state[0]) >> 2

    def _give_up(self, error: BaseException) -> None:
        """Leaves the environments lost: every further use of them raises `ActorDied`."""
        if self._on_actor_death == "raise":
            advice = "make the pool anew, or make it with on_actor_death='resume'"
        else:
            advice = f"it died {self._deaths_in_a_row} times without an answer in between"
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
