"""Requests to Ray actors that host several environments, and the actors' replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from envpool_rs._nested import map_leaves
from envpool_rs._workers.recovery import with_restart
from envpool_rs.vector.executor import is_failure
from envpool_rs.vector.step_result import StepBatch, StepResult


@dataclass(eq=False)
class ActorRequest:
    """A request to an actor.

    Attributes:
        actor: number of the actor.
        ids: the environments.
        is_reset: whether it is a reset instead of a step.
        arguments: the request's arguments besides the ids.
        call: handle of the call to the actor, see `ActorCalls`; ``None`` if the call is made when its reply is taken.
        renewals: number of restarts of the actor at the time when the request was sent.
        answer: the reply, a `StepBatch` or a list; ``None`` until it was taken.
    """

    actor: int
    ids: list[int]
    is_reset: bool
    arguments: tuple[Any, ...]
    call: Any
    restarts: int
    reply: Any = None

    def reply_of(self, env_id: int) -> Any:
        """Returns the part of an actor's reply that belongs to one environment."""
        if isinstance(self.reply, StepBatch):
            self.reply = self.reply.rows()
        return self.reply[self.ids.index(env_id)]


def select_actions(actions: Any, positions: list[int]) -> Any:
    """Returns the actions at the given indices, as an array or a list."""
    if len(positions) == len(actions) and positions == list(range(len(actions))):
        return actions
    return actions[positions] if isinstance(actions, np.ndarray) else [actions[position] for position in positions]


def with_restart_flag(answer: Any) -> Any:
    """Adds ``restarted`` to the info in a reset's reply, after a loss of the actor; returns failures unchanged."""
    return answer if is_failure(answer) else (answer[0], with_restart(answer[1]))


def truncated_step(observation: Any, info: dict[str, Any]) -> StepResult:
    """Returns the result that replaces a lost step: the first observation of a new episode, with reward 0 and truncated
    set.
    """
    return StepResult(observation, 0.0, False, True, False, with_restart(info))


def writable_batch(batch: StepBatch) -> StepBatch:
    """Returns a batch with writable arrays: arrays from Ray are read-only."""
    if batch.rewards.flags.writeable:
        return batch
    return StepBatch(
        map_leaves(np.copy, batch.observations),
        batch.rewards.copy(),
        batch.terminated.copy(),
        batch.truncated.copy(),
        batch.four_values.copy(),
        batch.infos,
    )
