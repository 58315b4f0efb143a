"""Validates and normalises the arguments of vector environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

from envpool_rs._arguments import entries, integer, is_series, optional_integer, optional_number, text

LONGEST_TIMEOUT = 1e8
"""Longest timeout in seconds (three years) that operating systems' clocks accept."""


def check_wait_num(wait_num: Any, num_envs: int) -> int:
    """Checks ``wait_num``; returns the number of environments that a step waits for.

    Raises:
        TypeError: if ``wait_num`` is not an integer.
        ValueError: outside ``1..num_envs``.
    """
    allowed = f"1 to {num_envs}, the number of environments"
    return optional_integer("wait_num", wait_num, 1, num_envs, allowed=allowed) or num_envs


def check_timeout(timeout: Any) -> float | None:
    """Checks ``timeout``; returns the number of seconds that a step waits.

    Raises:
        TypeError: if ``timeout`` is not numeric.
        ValueError: if ``timeout`` is not positive.
    """
    expected = "a number of seconds above 0, or None"
    seconds = optional_number("timeout", timeout, expected, lambda seconds: seconds > 0)
    return None if seconds is None else min(seconds, LONGEST_TIMEOUT)


def check_ids(id: Any, num_envs: int) -> list[int]:
    """Checks ids of environments, and returns them as a list.

    Args:
        id: an integer, or a sequence of different integers.
        num_envs: the number of environments.

    Raises:
        TypeError: if an id is not an integer (a boolean is not).
        IndexError: outside ``0..num_envs``.
        ValueError: for repeated ids.
    """
    if isinstance(id, np.ndarray):
        id = id.tolist()
    ids = [integer("id", each) for each in (islice(id, num_envs + 1) if is_series(id) else [id])]
    for env_id in ids:
        if not 0 <= env_id < num_envs:
            raise IndexError(f"id={env_id}: expected 0 to {num_envs - 1}")
    if len(set(ids)) != len(ids):
        raise ValueError(f"id={ids}: expected each environment once")
    return ids


def check_actions(action: Any, ids: Sequence[int]) -> None:
    """Checks that there is one action for each id.

    Raises:
        TypeError: if ``action`` is not a sequence.
        ValueError: for another length, and for ``None`` among the actions.
    """
    plain = isinstance(action, np.ndarray) and action.ndim > 0 and action.dtype != object
    if not plain and (isinstance(action, (str, bytes, Mapping)) or not _is_sequence(action)):
        raise TypeError(f"action={action!r}: expected a sequence with one action for each id")
    if len(action) != len(ids):
        raise ValueError(f"action has {len(action)} entries: expected {len(ids)}, one for each id")
    for index, each in enumerate(() if plain else action):
        if each is None:
            raise ValueError(f"action[{index}]=None: expected an action")


def _is_sequence(action: Any) -> bool:
    return hasattr(action, "__getitem__") and hasattr(action, "__len__") and getattr(action, "ndim", 1) > 0


def check_method(call_method: Any) -> str:
    """Returns a method's name.

    Raises:
        TypeError: if ``call_method`` is not a string.
        ValueError: for a string that is neither a name nor names joined by dots.
    """
    path = text("call_method", call_method, "a method's name")
    if not all(part.isidentifier() for part in path.split(".")):
        raise ValueError(f"call_method={path!r}: expected a method's name, or names joined by dots")
    return path


def check_keywords(data: Any, ids: Sequence[int]) -> list[dict[str, Any]]:
    """Checks and returns a method's keyword arguments for each environment.

    Raises:
        TypeError: if ``data`` is not a sequence of dicts.
        ValueError: for a sequence of another length.
    """
    if data is None:
        return [{} for _ in ids]
    if not is_series(data):
        raise TypeError(f"data={data!r}: expected a sequence with a dict of arguments for each id")
    listed = entries("data", data, len(ids), f"{len(ids)}, one for each id")
    keywords = [{} if each is None else each for each in listed]
    for index, each in enumerate(keywords):
        if not isinstance(each, Mapping) or not all(isinstance(name, str) for name in each):
            raise TypeError(f"data[{index}]={each!r}: expected a dict of arguments by name, or None")
    return [dict(each) for each in keywords]


def accepted_keywords(function: Callable[..., Any], offered: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the keywords of ``offered`` that ``function`` has as parameters.

    The result includes ``no_warning`` also if ``function`` takes any keyword.
    """
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    named = {each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
    if any(each.kind == each.VAR_KEYWORD for each in parameters):
        named.add("no_warning")
    return {name: value for name, value in offered.items() if name in named}
