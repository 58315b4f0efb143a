"""Results of steps: gym's four values, and four lists for several environments."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

from envpool_rs._workers import Steps

TRUNCATED = "TimeLimit.truncated"
"""Key of infos: whether the episode was truncated, rather than ended by the environment's rules."""

GYM_VALUES, GYMNASIUM_VALUES = 4, 5


def four_values(result: Any) -> tuple[Any, Any, bool, Any]:
    """Converts a ``step``'s result to ``(observation, reward, terminal, info)``.

    gym's four values stay unchanged. For gymnasium's five, ``terminal`` is terminated or truncated, and the info of a
    terminal step has ``"TimeLimit.truncated"``: whether it was only truncated.

    Raises:
        ValueError: for anything else.
    """
    if isinstance(result, tuple):
        if len(result) == GYM_VALUES:
            return result
        if len(result) == GYMNASIUM_VALUES:
            observation, reward, terminated, truncated, info = result
            if terminated or truncated:
                return observation, reward, True, {**info, TRUNCATED: bool(truncated and not terminated)}
            return observation, reward, False, info
    raise ValueError(
        f"step returned {_described(result)}: expected (observation, reward, terminal, info) or "
        "(observation, reward, terminated, truncated, info)"
    )


def reset_observation(result: Any, space: Any) -> Any:
    """Returns the observation of a ``reset``'s result: gym's observation, or gymnasium's ``(observation, info)``.

    Args:
        result: the return value of ``reset``.
        space: the environment's observation space; an observation in it may itself be a pair.
    """
    pair = 2
    if not isinstance(result, tuple) or len(result) != pair or not isinstance(result[1], Mapping):
        return result
    # Only a space of tuples can contain a pair.
    if hasattr(space, "spaces") and space.contains(result):
        return result
    return result[0]


def _described(result: Any) -> str:
    return f"a tuple of {len(result)}" if isinstance(result, tuple) else f"an object of {type(result).__name__}"


FourLists = tuple[list[Any], list[Any], list[Any], list[Any]]
"""``(observations, rewards, terminals, infos)``, with an entry for each environment."""


class StepLists:
    """The result lists of a step, filled row by row, and the errors of environments that failed.

    Attributes:
        lists: ``(observations, rewards, terminals, infos)``; ``None`` for environments that were not stepped.
        errors: by position.
    """

    def __init__(self, length: int) -> None:
        self.lists: FourLists = ([None] * length, [None] * length, [None] * length, [None] * length)
        self.errors: dict[int, BaseException] = {}

    def put(self, position: int, values: tuple[Any, Any, Any, Any]) -> None:
        """Stores the four values of one environment."""
        for column, value in zip(self.lists, values, strict=True):
            column[position] = value

    def result(self) -> FourLists:
        """Returns the four lists.

        Raises:
            BaseException: the exception of the first environment that failed; its attribute ``results`` has the four
                lists, with ``None`` for environments that failed.
        """
        if self.errors:
            error = self.errors[min(self.errors)]
            # An exception class may allow no further attributes; raising the exception is more important.
            with contextlib.suppress(AttributeError):
                error.results = self.lists  # type: ignore[attr-defined]
            raise error
        return self.lists


ARRAY_ROW = 2
"""Minimum number of dimensions of a batch whose rows are arrays."""


def env_result(steps: Steps, row: int) -> tuple[Any, ...]:
    """Returns the result of ``step`` of this row's environment: four values, or five."""
    observation, reward = steps.observation(row), _reward(steps, row)
    terminated, truncated = bool(steps.terminated[row]), bool(steps.truncated[row])
    info = {} if steps.infos is None else steps.infos[row]
    if steps.has_four_values(row):
        return observation, reward, terminated or truncated, info
    return observation, reward, terminated, truncated, info


def four_lists(steps: Steps, space: Any) -> FourLists:
    """Converts all rows to ``(observations, rewards, terminals, infos)``, as ``four_values`` does.

    Args:
        steps: without failures.
        space: the environments' observation space.
    """
    terminals = (steps.terminated | steps.truncated).tolist()
    infos = [{} for _ in terminals] if steps.infos is None else list(steps.infos)
    if True in terminals:
        for row, terminal in enumerate(terminals):
            if terminal and not steps.has_four_values(row):
                infos[row] = {**infos[row], TRUNCATED: not bool(steps.terminated[row])}
    rewards = steps.rewards.tolist()
    for row, reward in steps.odd_rewards.items():
        rewards[row] = reward
    return _observations(steps, space), rewards, terminals, infos


def _observations(steps: Steps, space: Any) -> list[Any]:
    leaves = steps.leaves
    is_array = leaves is not None and len(leaves) == 1 and leaves[0].ndim >= ARRAY_ROW and not hasattr(space, "spaces")
    if leaves is not None and is_array and steps.in_rows:
        # The taker of a batch owns it: its rows need no further copy.
        return list(leaves[0])
    return [steps.observation(row) for row in range(len(steps.ids))]


def _reward(steps: Steps, row: int) -> Any:
    return steps.odd_rewards[row] if row in steps.odd_rewards else float(steps.rewards[row])
