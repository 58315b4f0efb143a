"""Results of steps: of one environment, and of a batch of environments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from envpool_rs._nested import map_leaves, owned, zip_leaves
from envpool_rs.vector.stacking import empty_observations, stack_observations, stack_rewards, unstack

TIME_LIMIT = "TimeLimit.truncated"
"""Old gym's ``info`` key for episodes ended by a time limit instead of the environment's rules."""

_FOUR, _FIVE = 4, 5


class StepResult(NamedTuple):
    """Result of one environment's step.

    Attributes:
        observation: the observation as the environment returned it.
        reward: a number, or a float64 array with one number per agent.
        terminated: whether the rules ended the episode.
        truncated: whether the episode was cut off, as by a time limit.
        four_values: whether the environment returned old gym's ``(observation, reward, done, info)``.
        info: a dict that the caller owns.
    """

    observation: Any
    reward: Any
    terminated: bool
    truncated: bool
    four_values: bool
    info: dict[str, Any]


class StepBatch(NamedTuple):
    """Results of several environments' steps, one row each.

    Attributes:
        observations: the stacked observations of all environments of the batch.
        rewards: float64 ``(n,)`` or ``(n, agents)``.
        terminated: bool ``(n,)``.
        truncated: bool ``(n,)``.
        four_values: ``(n,)``, nonzero where the environment returned old gym's four values.
        infos: dicts that the caller owns, each with ``env_id``: a list, or an array of objects.
    """

    observations: Any
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    four_values: np.ndarray
    infos: Any

    def rows(self) -> list[StepResult]:
        """Splits the batch into single steps; observations are views."""
        flags = (self.terminated.tolist(), self.truncated.tolist(), self.four_values.astype(bool).tolist())
        rows = range(len(self.infos))
        observations = [unstack(self.observations, row) for row in rows]
        return [StepResult(*each) for each in zip(observations, self.rewards, *flags, self.infos, strict=True)]


def read_step(returned: Any) -> StepResult:
    """Converts the return value of ``env.step`` to a `StepResult`.

    Args:
        returned: ``(observation, reward, terminated, truncated, info)`` or ``(observation, reward, done, info)``.

    Raises:
        TypeError: if ``returned`` is not a tuple, the info is not a dict, or the reward is not numeric.
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
    """Returns a copy of an info.

    Args:
        info: a dict.

    Raises:
        TypeError: for anything else.
    """
    if not isinstance(info, dict):
        raise TypeError(f"step returned info of type {type(info).__name__}: expected a dict")
    copied: dict[str, Any] = owned(dict(info))
    return copied


def read_reward(reward: Any) -> Any:
    """Converts a reward to a number or a float64 array.

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


def batch_steps(ids: Sequence[int], results: Sequence[StepResult], spaces: Sequence[Any]) -> StepBatch:
    """Stacks results of single steps into a batch, and adds ``env_id`` to each info.

    Args:
        ids: the environments.
        results: the steps, in the order of ``ids``.
        spaces: the observation space of each environment of the vector; ``None`` if none is declared.
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
    """Returns a batch without rows.

    Args:
        space: the space of a single observation; ``None`` if none is declared.
    """
    terminated, truncated, four_values = np.empty((3, 0), dtype=bool)
    return StepBatch(empty_observations(space), np.empty(0), terminated, truncated, four_values, [])


def concatenate_batches(batches: Sequence[StepBatch]) -> StepBatch | None:
    """Returns the batches concatenated; ``None`` if the shapes of observations or rewards differ.

    Args:
        batches: batches of different environments.
    """
    if len(batches) == 1:
        return batches[0]
    try:
        observations = zip_leaves(_joined, *(batch.observations for batch in batches))
    except _MisfitError:
        return None
    if len({batch.rewards.shape[1:] for batch in batches}) > 1:
        return None
    rewards, terminated, truncated, four_values = (
        np.concatenate([getattr(batch, name) for batch in batches])
        for name in ("rewards", "terminated", "truncated", "four_values")
    )
    infos = [info for batch in batches for info in batch.infos]
    return StepBatch(observations, rewards, terminated, truncated, four_values, infos)


class _MisfitError(Exception):
    """Raised for observations whose batches cannot be concatenated, because their shapes differ."""


def _joined(*parts: Any) -> Any:
    first = parts[0]
    if any(type(part) is not np.ndarray or _kind(part) != _kind(first) for part in parts):
        raise _MisfitError
    return np.concatenate(parts)


def _kind(array: Any) -> tuple[Any, Any]:
    return array.dtype, array.shape[1:]


def reorder_rows(batch: StepBatch, order: Sequence[int]) -> StepBatch:
    """Returns the rows of a batch in another order."""
    index = np.asarray(order)
    return StepBatch(
        map_leaves(lambda part: part[index], batch.observations),
        batch.rewards[index],
        batch.terminated[index],
        batch.truncated[index],
        batch.four_values[index],
        [batch.infos[row] for row in order],
    )
