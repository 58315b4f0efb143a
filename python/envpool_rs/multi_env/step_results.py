"""Converts results of gym's and gymnasium's environments to gym's four values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
