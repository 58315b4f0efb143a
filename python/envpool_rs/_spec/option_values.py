"""Values of options: lists, tuples and arrays among them, which their owner may change later."""

from __future__ import annotations

from typing import Any

import numpy as np

_DEPTH = 4
"""Lists within lists that options have: for each environment a choice of maps, which are lists of rows."""


def own_copy(value: Any, depth: int = _DEPTH) -> Any:
    """A copy of a list, tuple or array, entries included; anything else as it is.

    What a list or tuple holds counts, not what its class says of it.
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    if depth == 0 or not isinstance(value, (list, tuple)):
        return value
    if isinstance(value, list):
        return [own_copy(entry, depth - 1) for entry in list.copy(value)]
    return tuple(own_copy(entry, depth - 1) for entry in tuple.__getitem__(value, slice(None)))


def is_same(one: Any, other: Any) -> bool:
    """Whether two values are equal, arrays among them."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and np.array_equal(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(value, other[key]) for key, value in one.items())
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


def one_for_each(values: list[Any]) -> Any:
    """Values of as many environments, as an option takes them: numbers as an array, since a list may be a value."""
    return np.array(values) if all(isinstance(value, (int, float)) for value in values) else values
