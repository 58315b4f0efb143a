"""Arguments of the vector environments: checked, and brought to one form."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

LONGEST_TIMEOUT = 1e8
"""Seconds, three years: what clocks can count."""


def check_env_fns(env_fns: Any) -> list[Any]:
    """The functions that make the environments, as a list.

    Raises:
        TypeError: for something that is no sequence of callables.
        ValueError: for none at all.
    """
    if isinstance(env_fns, (str, bytes, Mapping)) or not hasattr(env_fns, "__iter__"):
        raise TypeError(f"env_fns is {env_fns!r}: expected a list of functions that make one environment each")
    functions = list(env_fns)
    if not functions:
        raise ValueError("env_fns is empty: expected at least one function")
    for index, function in enumerate(functions):
        if not callable(function):
            raise TypeError(f"env_fns[{index}] is {function!r}: expected a function that makes an environment")
    return functions


def check_wait_num(wait_num: Any, num_envs: int) -> int:
    """How many environments a step waits for.

    Raises:
        TypeError: for something that is no integer.
        ValueError: outside ``1..num_envs``.
    """
    if wait_num is None:
        return num_envs
    number = _integer("wait_num", wait_num)
    if not 1 <= number <= num_envs:
        raise ValueError(f"wait_num is {number}: expected from 1 to {num_envs}, the number of environments")
    return number


def check_timeout(timeout: Any) -> float | None:
    """How many seconds a step waits.

    Raises:
        TypeError: for something that is no number.
        ValueError: unless it is positive.
    """
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float, np.integer, np.floating)):
        raise TypeError(f"timeout is {timeout!r}: expected a number of seconds, or None")
    if not timeout > 0:
        raise ValueError(f"timeout is {timeout}: expected more than 0 seconds, or None")
    return min(float(timeout), LONGEST_TIMEOUT)


def check_ids(id: Any, num_envs: int) -> list[int]:
    """Ids of environments as a list.

    Args:
        id: an integer, or a sequence of different ones.
        num_envs: how many environments there are.

    Raises:
        TypeError: for what is no integer; booleans are none.
        IndexError: outside ``0..num_envs``.
        ValueError: for ids that are repeated.
    """
    if isinstance(id, np.ndarray):
        id = id.tolist()
    given = list(id) if hasattr(id, "__iter__") and not isinstance(id, (str, bytes, Mapping)) else [id]
    ids = [_integer("id", each) for each in given]
    for env_id in ids:
        if not 0 <= env_id < num_envs:
            raise IndexError(f"id contains {env_id}: expected from 0 to {num_envs - 1}")
    if len(set(ids)) != len(ids):
        raise ValueError(f"id is {ids}: expected each environment once")
    return ids


def check_actions(action: Any, ids: Sequence[int]) -> None:
    """Refuses what is not one action for each id.

    Raises:
        TypeError: for what is no sequence.
        ValueError: for another length, and for ``None`` among the actions.
    """
    plain = isinstance(action, np.ndarray) and action.ndim > 0 and action.dtype != object
    if not plain and (isinstance(action, (str, bytes, Mapping)) or not _is_sequence(action)):
        raise TypeError(f"action is {action!r}: expected a sequence with one action for each id")
    if len(action) != len(ids):
        raise ValueError(f"action has {len(action)} entries: expected {len(ids)}, one for each id")
    for index, each in enumerate(() if plain else action):
        if each is None:
            raise ValueError(f"action[{index}] is None: expected an action")


def _is_sequence(action: Any) -> bool:
    return hasattr(action, "__getitem__") and hasattr(action, "__len__") and getattr(action, "ndim", 1) > 0


def check_seeds(seed: Any, ids: Sequence[int]) -> list[int | None]:
    """A seed for each environment.

    Args:
        seed: ``None``; an integer, where environment ``i`` gets ``seed + i``; or a sequence with an entry for each of
            ``ids``.
        ids: whose seeds.

    Raises:
        TypeError: for what is no integer.
        ValueError: for a sequence of another length.
    """
    if seed is None:
        return [None] * len(ids)
    if isinstance(seed, np.ndarray):
        seed = seed.tolist()
    if not hasattr(seed, "__iter__"):
        first = _integer("seed", seed)
        return [first + env_id for env_id in ids]
    if isinstance(seed, (str, bytes, Mapping)):
        raise TypeError(f"seed is {seed!r}: expected an integer, a sequence of them, or None")
    seeds = [None if each is None else _integer(f"seed[{index}]", each) for index, each in enumerate(seed)]
    if len(seeds) != len(ids):
        raise ValueError(f"seed has {len(seeds)} entries: expected {len(ids)}, one for each environment")
    return seeds


def check_method(call_method: Any) -> str:
    """A method's name.

    Raises:
        TypeError: for what is no string.
        ValueError: for a string that is no name, nor names joined by dots.
    """
    if not isinstance(call_method, str):
        raise TypeError(f"call_method is {call_method!r}: expected a method's name")
    if not all(part.isidentifier() for part in call_method.split(".")):
        raise ValueError(f"call_method={call_method!r}: expected a method's name, or names joined by dots")
    return call_method


def check_keywords(data: Any, ids: Sequence[int]) -> list[dict[str, Any]]:
    """A method's arguments for each environment.

    Raises:
        TypeError: for what is no sequence of dicts.
        ValueError: for a sequence of another length.
    """
    if data is None:
        return [{} for _ in ids]
    if isinstance(data, (str, bytes, Mapping)) or not hasattr(data, "__iter__"):
        raise TypeError(f"data is {data!r}: expected a sequence with a dict of arguments for each id")
    keywords = [{} if each is None else each for each in data]
    if len(keywords) != len(ids):
        raise ValueError(f"data has {len(keywords)} entries: expected {len(ids)}, one for each id")
    for index, each in enumerate(keywords):
        if not isinstance(each, Mapping) or not all(isinstance(name, str) for name in each):
            raise TypeError(f"data[{index}] is {each!r}: expected a dict of arguments by name, or None")
    return [dict(each) for each in keywords]


def check_flag(name: str, value: Any) -> bool:
    """Yes or no.

    Raises:
        TypeError: for what is neither a bool nor an integer.
    """
    if not isinstance(value, (bool, np.bool_, int, np.integer)):
        raise TypeError(f"{name} is {value!r}: expected a bool")
    return bool(value)


def check_name(key: Any) -> str:
    """An attribute's name.

    Raises:
        TypeError: for what is no string.
    """
    if not isinstance(key, str):
        raise TypeError(f"key is {key!r}: expected an attribute's name")
    return key


def accepted_keywords(function: Callable[..., Any], offered: Mapping[str, Any]) -> dict[str, Any]:
    """Those of ``offered`` that ``function`` names; ``no_warning`` also where it takes any keyword."""
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    named = {each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
    if any(each.kind == each.VAR_KEYWORD for each in parameters):
        named.add("no_warning")
    return {name: value for name, value in offered.items() if name in named}


def _integer(name: str, value: Any) -> int:
    if not isinstance(value, (bool, np.bool_)):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise TypeError(f"{name} is {value!r}: expected an integer")
