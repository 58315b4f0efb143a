"""Stacks the results of single environments."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from envpool_rs._nested import SPACES_WITHOUT_PARTS, fold_space, map_leaves, owned


def object_array(values: Sequence[Any] | np.ndarray) -> np.ndarray:
    """Returns an array ``(n,)`` of dtype object that holds ``values`` unchanged; if ``values`` is such an array,
    returns it.
    """
    if type(values) is np.ndarray and values.dtype.hasobject:
        return values
    array = np.empty(len(values), dtype=object)
    for index, value in enumerate(values):
        array[index] = value
    return array


def stack_observations(observations: Sequence[Any], space: Any = None) -> Any:
    """Stacks observations of single environments into a batch.

    Args:
        observations: one or more observations, in the order of environments.
        space: the space of each observation, of gymnasium or legacy gym; ``None`` if no space is declared: then the
            first observation determines the structure.

    Returns:
        A dict or tuple of batches for dicts and tuples (of equal keys, of equal length), an array ``(n, *shape)`` for
        values of one shape, an array ``(n,)`` of objects for all others.
    """
    parts = _parts_space(observations, space)
    if isinstance(parts, dict):
        return {key: stack_observations([each[key] for each in observations], part) for key, part in parts.items()}
    if isinstance(parts, tuple):
        return tuple(
            stack_observations([each[index] for each in observations], part) for index, part in enumerate(parts)
        )
    if type(space).__name__ in SPACES_WITHOUT_PARTS:
        return _objects(observations)
    return _stack_leaves(observations, space)


def _parts_space(observations: Sequence[Any], space: Any) -> Any:
    """Returns the subspaces of an observation's parts as a dict or tuple; `None` if the observation has no parts."""
    first = observations[0]
    declared: Any = getattr(space, "spaces", None)
    if isinstance(first, Mapping) and (space is None or isinstance(declared, Mapping)):
        same = all(isinstance(each, Mapping) and each.keys() == first.keys() for each in observations)
        return {key: (declared or {}).get(key) for key in first} if same else None
    if isinstance(declared, (tuple, list)) and type(space).__name__ not in SPACES_WITHOUT_PARTS:
        same = all(isinstance(each, (tuple, list)) and len(each) == len(declared) for each in observations)
        return tuple(declared) if same else None
    if type(first) is tuple and space is None:
        same = all(type(each) is tuple and len(each) == len(first) for each in observations)
        return (None,) * len(first) if same else None
    return None


def _objects(observations: Sequence[Any]) -> np.ndarray:
    """Returns copies of observations that do not stack, because an environment may reuse its objects."""
    return object_array([owned(each) for each in observations])


def _stack_leaves(observations: Sequence[Any], space: Any) -> Any:
    first = observations[0]
    if type(first).__module__.partition(".")[0] == "torch":
        return _stack_tensors(observations)
    if all(type(each) in (int, float, bool) for each in observations):
        return np.asarray(observations, dtype=getattr(space, "dtype", None))
    if not all(isinstance(each, (np.ndarray, np.generic, int, float, str, list, tuple)) for each in observations):
        return _objects(observations)
    try:
        return np.stack(observations)
    except ValueError:
        return _objects(observations)


def _stack_tensors(tensors: Sequence[Any]) -> Any:
    torch = sys.modules["torch"]
    same = all(isinstance(each, torch.Tensor) and each.shape == tensors[0].shape for each in tensors)
    return torch.stack(list(tensors)) if same else _objects(tensors)


def unstack(observations: Any, row: int) -> Any:
    """Returns one row of stacked observations: the inverse of `stack_observations`."""
    return map_leaves(lambda part: part[row], observations)


def stack_rewards(rewards: Sequence[Any]) -> np.ndarray:
    """Stacks rewards: returns float64 ``(n,)`` for numbers, ``(n, agents)`` for arrays of equal length, and an array of
    objects if lengths differ.

    Args:
        rewards: numbers or float64 arrays.
    """
    try:
        return np.asarray(rewards, dtype=np.float64)
    except ValueError:
        return object_array(rewards)


def empty_observations(space: Any) -> Any:
    """Returns a batch without observations.

    Args:
        space: the space of a single observation, of gymnasium or legacy gym; ``None`` if no space is declared.
    """
    return fold_space(space, _no_rows)


def _no_rows(space: Any) -> Any:
    shape, dtype = getattr(space, "shape", None), getattr(space, "dtype", None)
    if shape is None or dtype is None or type(space).__name__ in SPACES_WITHOUT_PARTS:
        return np.empty(0, dtype=object)
    return np.empty((0, *shape), dtype=dtype)
