"""Calls of ``reset``, and their results: arguments that an environment requires, and observations that are pairs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from envpool_rs._nested import parts_of_space

_PAIR = 2


def reset_defaults(env: Any) -> dict[str, None]:
    """Returns gymnasium's arguments that an environment's ``reset`` requires, with the value ``None``."""
    try:
        parameters = inspect.signature(env.reset).parameters
    except (TypeError, ValueError):  # functions written in C, or without a Python signature
        return {}
    present = [each for each in ("seed", "options") if each in parameters]
    return dict.fromkeys(each for each in present if parameters[each].default is inspect.Parameter.empty)


def read_reset(result: Any, space: Any) -> tuple[Any, Mapping[str, Any]]:
    """Returns observation and info of a reset; the info of old gym's bare observation is an empty dict.

    Args:
        result: ``(observation, info)`` with a dict as info, or an observation.
        space: the observation space, which decides about a pair that may be either; ``None`` if none is declared.
    """
    if not isinstance(result, tuple) or len(result) != _PAIR or not isinstance(result[1], Mapping):
        return result, {}
    accepts = pair_test(space)
    return (result, {}) if accepts is not None and accepts(result) else result


def pair_test(space: Any) -> Callable[[tuple[Any, Any]], bool] | None:
    """Returns a function that returns whether a pair, of which the second part is a dict, is an observation; ``None``
    if no observation of the space is such a pair.
    """
    parts = parts_of_space(space)
    if not isinstance(parts, tuple) or len(parts) != _PAIR:
        return None
    inner = parts_of_space(parts[1])
    return partial(_is_observation, space, inner.keys()) if isinstance(inner, dict) else None


def _is_observation(space: Any, keys: Any, pair: tuple[Any, Any]) -> bool:
    if pair[1].keys() != keys:
        return False
    try:
        return not space.contains(pair[0])
    except Exception:  # some spaces raise errors for values of other types
        return True
