"""What environments of gym and of gymnasium return, as the four values of gym."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

TRUNCATED = "TimeLimit.truncated"
"""Key of infos: whether the episode was cut off, rather than ended by the environment's rules."""

GYM_VALUES, GYMNASIUM_VALUES = 4, 5


def four_values(result: Any) -> tuple[Any, Any, bool, Any]:
    """``(observation, reward, terminal, info)`` of what a ``step`` returned.

    gym's four values stay as they are. Of gymnasium's five, ``terminal`` is terminated or truncated, and the info of a
    terminal step says under ``"TimeLimit.truncated"`` whether it was truncated only.

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
    """The observation of what a ``reset`` returned: gym's observation, or gymnasium's ``(observation, info)``.

    Args:
        result: what ``reset`` returned.
        space: the environment's observation space; an observation that lies in it may be a pair itself.
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
