"""What a step gives: of one environment, and of many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from envpool_rs.vector.stacking import empty_observations, stack_observations, stack_rewards, unstack

TIME_LIMIT = "TimeLimit.truncated"
"""Where old gym says in ``info`` that a time limit, not the environment's rules, ended the episode."""

_FOUR, _FIVE = 4, 5


class StepResult(NamedTuple):
    """One environment's step.

    Attributes:
        observation: as the environment returned it.
        reward: a number, or a float64 array of one per agent.
        terminated: whether the rules ended the episode.
        truncated: whether something else did, such as a time limit.
        four_values: whether the environment returned old gym's ``(observation, reward, done, info)``.
        info: a dict that belongs to the caller.
    """

    observation: Any
    reward: Any
    terminated: bool
    truncated: bool
    four_values: bool
    info: dict[str, Any]


@dataclass
class StepBatch:
    """The steps of several environments, row after row.

    Attributes:
        observations: stacked.
        rewards: float64 ``(n,)`` or ``(n, agents)``.
        terminated: bool ``(n,)``.
        truncated: bool ``(n,)``.
        four_values: ``(n,)``, nonzero as `StepResult`'s.
        infos: dicts that belong to the caller, each with ``env_id``: a list, or an array of objects.
    """

    observations: Any
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    four_values: np.ndarray
    infos: Any

    def rows(self) -> list[StepResult]:
        """The same as single steps; observations are views."""
        flags = (self.terminated.tolist(), self.truncated.tolist(), self.four_values.astype(bool).tolist())
        rows = range(len(self.infos))
        observations = [unstack(self.observations, row) for row in rows]
        return [StepResult(*each) for each in zip(observations, self.rewards, *flags, self.infos, strict=True)]


def read_step(returned: Any) -> StepResult:
    """A step's result from what ``env.step`` returned.

    Args:
        returned: ``(observation, reward, terminated, truncated, info)`` or ``(observation, reward, done, info)``.

    Raises:
        TypeError: for no tuple, for an info that is no dict, for a reward that is no number.
        ValueError: for another number of values.
    """
    if not isinstance(returned, (tuple, list)):
        kind = type(returned).__name__
        raise TypeError(f"step returned a {kind}: expected a tuple of 5 values (4 in old gym)")
    if len(returned) not in (_FOUR, _FIVE):
        raise ValueError(f"step returned {len(returned)} values: expected 5 (4 in old gym)")
    observation, reward, ended, *truncated, info = returned
    info, reward = read_info(info), read_reward(reward)
    if truncated:
        return StepResult(observation, reward, bool(ended), bool(truncated[0]), False, info)
    done, by_time = bool(ended), bool(info.get(TIME_LIMIT, False))
    return StepResult(observation, reward, done and not by_time, done and by_time, True, info)


def read_info(info: Any) -> dict[str, Any]:
    """A copy of an info.

    Args:
        info: a dict.

    Raises:
        TypeError: for anything else.
    """
    if not isinstance(info, dict):
        raise TypeError(f"step returned info of type {type(info).__name__}: expected a dict")
    return dict(info)


def read_reward(reward: Any) -> Any:
    """A reward as a number or a float64 array.

    Args:
        reward: a number, an array or a list of numbers.

    Raises:
        TypeError: for anything else.
    """
    if hasattr(reward, "__float__") and not isinstance(reward, (np.ndarray, complex, np.complexfloating)):
        return float(reward)
    try:
        values = np.asarray(reward)
        if values.dtype.kind in "biuf":
            return values.astype(np.float64)
    except (TypeError, ValueError):
        pass
    raise TypeError(f"step returned reward {reward!r}: expected a number or an array of numbers")


def read_reset(returned: Any) -> tuple[Any, dict[str, Any]]:
    """Observation and info from what ``env.reset`` returned.

    Args:
        returned: ``(observation, info)`` with a dict as info, or old gym's bare observation.
    """
    if isinstance(returned, tuple) and len(returned) == 2 and isinstance(returned[1], dict):  # noqa: PLR2004
        return returned[0], dict(returned[1])
    return returned, {}


def batch_steps(ids: Sequence[int], results: Sequence[StepResult], spaces: Sequence[Any]) -> StepBatch:
    """Single steps as a batch, with ``env_id`` in their infos.

    Args:
        ids: whose steps.
        results: the steps, in the order of ``ids``.
        spaces: the observation space of each environment of the vector, ``None`` where none is declared.
    """
    observations, rewards, terminated, truncated, four_values, infos = (
        list(each) for each in zip(*results, strict=True)
    )
    for env_id, info in zip(ids, infos, strict=True):
        info["env_id"] = env_id
    return StepBatch(
        stack_observations(observations, spaces[ids[0]]),
        stack_rewards(rewards),
        np.array(terminated, dtype=bool),
        np.array(truncated, dtype=bool),
        np.array(four_values, dtype=bool),
        infos,
    )


def empty_batch(space: Any) -> StepBatch:
    """The steps of no environment.

    Args:
        space: the space of a single observation; ``None`` where none is declared.
    """
    terminated, truncated, four_values = np.empty((3, 0), dtype=bool)
    return StepBatch(empty_observations(space), np.empty(0), terminated, truncated, four_values, [])
