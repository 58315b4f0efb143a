"""Results of steps: of one environment, and of a batch of environments, whose observations are stacked."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from envpool_rs._nested import (
    SPACES_WITHOUT_PARTS,
    fold_space,
    map_leaves,
    object_array,
    owned,
    parts_of_space,
    zip_leaves,
)
from envpool_rs._workers import EnvFailure, Steps


def stack_observations(observations: Sequence[Any], space: Any = None) -> Any:
    """Stacks observations of single environments into a batch."""
    # Dicts and tuples of equal structure become dicts and tuples of batches, values of one shape an array `(n,
    # *shape)`, all others an array `(n,)` of objects. Without a space, the first observation determines the structure.
    first, parts = observations[0], parts_of_space(space)
    if isinstance(first, Mapping) and (space is None or isinstance(parts, dict)):
        if all(isinstance(each, Mapping) and each.keys() == first.keys() for each in observations):
            of_key = parts if isinstance(parts, dict) else {}
            return {key: stack_observations([each[key] for each in observations], of_key.get(key)) for key in first}
    elif isinstance(parts, tuple) or (space is None and type(first) is tuple):
        of_index = parts if isinstance(parts, tuple) else (None,) * len(first)
        kinds = (tuple,) if space is None else (tuple, list)
        if all(isinstance(each, kinds) and len(each) == len(of_index) for each in observations):
            columns = zip(*observations, strict=True)
            return tuple(stack_observations(column, part) for column, part in zip(columns, of_index, strict=True))
    is_stacked = type(space).__name__ not in SPACES_WITHOUT_PARTS
    if is_stacked and type(first).__module__.partition(".")[0] == "torch":
        torch = sys.modules["torch"]
        if all(isinstance(each, torch.Tensor) and each.shape == first.shape for each in observations):
            return torch.stack(list(observations))
    elif is_stacked:
        if all(type(each) in (int, float, bool) for each in observations):
            return np.asarray(observations, dtype=getattr(space, "dtype", None))
        try:
            if all(isinstance(each, (np.ndarray, np.generic, int, float, str, list, tuple)) for each in observations):
                return np.stack(observations)
        except ValueError:
            pass  # arrays of different shapes
    # Copies, because an environment may reuse its objects.
    return object_array([owned(each) for each in observations])


def unstack(observations: Any, row: int) -> Any:
    """Returns one row of stacked observations: the inverse of `stack_observations`."""
    return map_leaves(lambda part: part[row], observations)


TIME_LIMIT = "TimeLimit.truncated"
"""Old gym's ``info`` key for episodes ended by a time limit instead of the environment's rules."""

_FOUR, _FIVE = 4, 5


class StepResult(NamedTuple):
    """Result of one environment's step."""

    observation: Any
    reward: Any  # a number, or a float64 array with one number per agent
    terminated: bool
    truncated: bool
    four_values: bool  # whether the environment returned old gym's four values
    info: dict[str, Any]  # owned by the caller


class StepBatch(NamedTuple):
    """Results of several environments' steps, one row each."""

    observations: Any
    rewards: np.ndarray  # float64 `(n,)` or `(n, agents)`
    terminated: np.ndarray
    truncated: np.ndarray
    four_values: np.ndarray  # nonzero where the environment returned old gym's four values
    infos: Any  # a list or an array of dicts that the caller owns, each with `env_id`

    def rows(self) -> list[StepResult]:
        """Splits the batch into single steps; observations are views."""
        flags = (self.terminated.tolist(), self.truncated.tolist(), self.four_values.astype(bool).tolist())
        observations = [unstack(self.observations, row) for row in range(len(self.infos))]
        return [StepResult(*each) for each in zip(observations, self.rewards, *flags, self.infos, strict=True)]


Taken: TypeAlias = "StepBatch | list[StepResult | EnvFailure]"
"""Results of steps or resets: a batch if none failed and batching is fast, otherwise a list."""


def read_step(returned: Any) -> StepResult:
    """Converts the return value of ``env.step`` to a `StepResult`."""
    if not isinstance(returned, (tuple, list)):
        kind = type(returned).__name__
        raise TypeError(f"step returned a {kind}: expected a tuple of 5 values (4 in old gym)")
    if len(returned) not in (_FOUR, _FIVE):
        raise ValueError(f"step returned {len(returned)} values: expected 5 (4 in old gym)")
    observation, reward, ended, *truncated, info = returned
    reward, info = _reward_and_info(reward, info)
    if truncated:
        return StepResult(observation, reward, bool(ended), bool(truncated[0]), False, info)
    done, by_time = bool(ended), bool(info.get(TIME_LIMIT, False))
    return StepResult(observation, reward, done and not by_time, done and by_time, True, info)


def _reward_and_info(reward: Any, info: Any) -> tuple[Any, dict[str, Any]]:
    """Returns a reward as a number or a float64 array, and a copy of an info."""
    if not isinstance(info, dict):
        raise TypeError(f"step returned info of type {type(info).__name__}: expected a dict")
    if hasattr(reward, "__float__") and not isinstance(reward, (np.ndarray, complex, np.complexfloating)):
        return float(reward), owned(dict(info))
    try:
        values = np.asarray(reward)
        if values.dtype.kind in "biuf":
            return values.astype(np.float64), owned(dict(info))
    except (TypeError, ValueError):
        pass
    raise TypeError(f"step returned reward {reward!r}: expected a number or an array of numbers")


def batch_steps(results: Sequence[StepResult], space: Any) -> StepBatch:
    """Stacks results of single steps into a batch; rewards are an array of objects if numbers of agents differ."""
    observations, rewards, *flags, infos = zip(*results, strict=True)
    columns = (np.array(column, dtype=bool) for column in flags)
    try:
        stacked_rewards = np.asarray(rewards, dtype=np.float64)
    except ValueError:
        stacked_rewards = object_array(rewards)
    return StepBatch._make((stack_observations(observations, space), stacked_rewards, *columns, list(infos)))


def read_replies(steps: Steps, ids: Sequence[int], *, is_reset: bool = False) -> Taken:
    """Returns the results of a worker group: a batch, unless a step failed or returned what does not fit its row."""
    given = steps.infos
    are_dicts = given is None or is_reset or all(isinstance(info, dict) for info in given)
    if steps.odd_rewards or not steps.in_rows or not are_dicts:
        return [_read_row(steps, row, env_id, is_reset) for row, env_id in enumerate(ids)]
    infos: list[dict[str, Any]]
    if is_reset:
        infos = [{} for _ in ids] if given is None else [dict(info) for info in given]
    elif given is None:
        infos = [{"env_id": env_id} for env_id in ids]
    else:
        infos = [{**info, "env_id": env_id} for info, env_id in zip(given, ids, strict=True)]
    four_values = np.zeros(len(ids), bool) if steps.four_values is None else steps.four_values
    return StepBatch(steps.observations(), steps.rewards, steps.terminated, steps.truncated, four_values, infos)


def _read_row(steps: Steps, row: int, env_id: int, is_reset: bool) -> StepResult | EnvFailure:
    if env_id in steps.failures:
        return steps.failures[env_id]
    info = {} if steps.infos is None else steps.infos[row]
    if is_reset:
        return StepResult(steps.observation(row), 0.0, False, False, False, dict(info))
    try:
        reward, info = _reward_and_info(steps.reward(row), info)
    except (TypeError, ValueError, OverflowError) as error:
        return EnvFailure.of(env_id, "step", error)
    flags = bool(steps.terminated[row]), bool(steps.truncated[row]), steps.has_four_values(row)
    return StepResult(steps.observation(row), reward, *flags, info)


def empty_observations(space: Any) -> Any:
    """Returns a batch without observations."""

    def no_rows(leaf: Any) -> np.ndarray:
        shape, dtype = getattr(leaf, "shape", None), getattr(leaf, "dtype", None)
        if shape is None or dtype is None or type(leaf).__name__ in SPACES_WITHOUT_PARTS:
            return np.empty(0, dtype=object)
        return np.empty((0, *shape), dtype=dtype)

    return fold_space(space, no_rows)


def merge_batches(batches: Sequence[StepBatch], order: Sequence[int] | None) -> StepBatch | None:
    """Returns the rows of all batches, copied in the given order; ``None`` if the shapes of observations or rewards
    differ.
    """

    def form(part: Any) -> Any:  # objects have nothing in common
        return (part.dtype, part.shape[1:]) if type(part) is np.ndarray else object()

    batch = batches[0]
    if len(batches) > 1:
        first, *others = ((map_leaves(form, each.observations), each.rewards.shape[1:]) for each in batches)
        if any(other != first for other in others):
            return None
        observations = zip_leaves(lambda *parts: np.concatenate(parts), *(each.observations for each in batches))
        columns = (np.concatenate(column) for column in zip(*(each[1:5] for each in batches), strict=True))
        batch = StepBatch._make((observations, *columns, [info for each in batches for info in each.infos]))
    if order is None and batch.rewards.flags.writeable:  # arrays from Ray are read-only
        return batch
    index = np.arange(len(batch.infos)) if order is None else np.asarray(order)
    observations = map_leaves(lambda part: part[index], batch.observations)
    infos = [batch.infos[row] for row in index.tolist()]
    return StepBatch._make((observations, *(column[index] for column in batch[1:5]), infos))
