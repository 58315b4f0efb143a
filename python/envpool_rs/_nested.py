"""Helpers for nested values (dicts and tuples of arrays) and nested spaces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from envpool_rs._core import SpaceDescriptor

# Space classes whose members have no fixed structure, whatever spaces they contain: leaves of a nested space.
SPACES_WITHOUT_PARTS = ("Graph", "OneOf", "Sequence")
Map: TypeAlias = Callable[[Any], Any]


def map_leaves(function: Callable[[Any], Any], value: Any) -> Any:
    """Applies ``function`` to every leaf of a nested value: all values except dicts and tuples."""
    if isinstance(value, dict):
        return {key: map_leaves(function, part) for key, part in value.items()}
    if isinstance(value, tuple):
        return tuple(map_leaves(function, part) for part in value)
    return function(value)


def leaves(value: Any) -> Iterator[Any]:
    """Yields the leaves of a nested value, depth first."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple):
        for part in value:
            yield from leaves(part)
    else:
        yield value


def zip_leaves(function: Callable[..., Any], *values: Any, path: str | None = None) -> Any:
    """Merges values of equal structure: at each path, calls ``function`` with the leaf of each value.

    Structures agree if all are dicts with equal keys or all are tuples of equal length. Where they differ, ``function``
    takes whole dicts and tuples. With ``path``, the name of the values, ``function`` takes the leaf's path as last
    argument: this name, and ``[key]`` for each level. The result has the first value's structure.
    """
    first = values[0]
    if isinstance(first, dict) and all(isinstance(each, dict) and each.keys() == first.keys() for each in values):
        return {key: _zip_at(function, values, key, path) for key in first}
    if isinstance(first, tuple) and all(isinstance(each, tuple) and len(each) == len(first) for each in values):
        return tuple(_zip_at(function, values, index, path) for index in range(len(first)))
    return function(*values) if path is None else function(*values, path)


def _zip_at(function: Callable[..., Any], values: tuple[Any, ...], key: Any, path: str | None) -> Any:
    return zip_leaves(function, *(each[key] for each in values), path=None if path is None else f"{path}[{key!r}]")


def parts_of_space(space: Any) -> dict[Any, Any] | tuple[Any, ...] | None:
    """Returns the subspaces of a dict or tuple space of gymnasium or legacy gym; ``None`` for all other spaces."""
    parts = None if type(space).__name__ in SPACES_WITHOUT_PARTS else getattr(space, "spaces", None)
    if isinstance(parts, Mapping):
        return dict(parts)
    return tuple(parts) if isinstance(parts, (list, tuple)) else None


def parts_of_descriptor(descriptor: SpaceDescriptor) -> dict[Any, Any] | tuple[Any, ...] | None:
    """Returns the subspaces of a dict or tuple space of the extension's description; ``None`` for all other spaces."""
    if descriptor[0] == "dict":
        return dict(descriptor[1])
    return tuple(descriptor[1]) if descriptor[0] == "tuple" else None


def fold_space(space: Any, leaf: Map, of_dict: Map = dict, of_tuple: Map = tuple, parts: Map = parts_of_space) -> Any:
    """Folds a nested space bottom-up: converts the leaves, then combines the results at each dict and tuple space.

    ``of_dict`` takes the results of a dict space's parts by key, ``of_tuple`` those of a tuple space's parts in order.
    ``parts`` returns the parts of a space, or ``None``.
    """
    inner = parts(space)
    if isinstance(inner, dict):
        return of_dict({key: fold_space(part, leaf, of_dict, of_tuple, parts) for key, part in inner.items()})
    if isinstance(inner, tuple):
        return of_tuple(tuple(fold_space(part, leaf, of_dict, of_tuple, parts) for part in inner))
    return leaf(space)


def rows_of_batch(space: Any, batch: Any, row: int | slice) -> Any:
    """Copies one row, or a slice of rows, of a batch of members of a space; the copy shares no memory with the batch.

    ``space`` is the space of one row. A tuple in ``batch`` is a tuple of batches only if this is a tuple space;
    otherwise it is a batch of objects, such as ``str`` for a text space.
    """
    parts = parts_of_space(space)
    if isinstance(parts, dict):
        return {key: rows_of_batch(parts[key], part, row) for key, part in batch.items()}
    if isinstance(parts, tuple):
        return tuple(rows_of_batch(inner, part, row) for inner, part in zip(parts, batch, strict=True))
    part = batch[row]
    # A row of shape () is a numpy scalar, but members of a box are arrays in gymnasium and legacy gym.
    return np.array(part) if hasattr(space, "low") else copied(part)


def copied(value: Any) -> Any:
    return value.copy() if isinstance(value, (np.ndarray, np.generic)) else deepcopy(value)


def leaves_of_descriptor(descriptor: SpaceDescriptor) -> list[SpaceDescriptor]:
    """Returns the boxes and discrete spaces inside a space in the Rust extension's description, depth first."""
    parts = parts_of_descriptor(descriptor)
    inner = parts.values() if isinstance(parts, dict) else parts
    return [descriptor] if inner is None else list(chain.from_iterable(map(leaves_of_descriptor, inner)))


def owned(value: Any) -> Any:
    """Returns a copy of a nested value whose dicts, lists, tuples and arrays are new; other objects are shared."""
    if isinstance(value, np.ndarray):
        array = value.copy()
        for index in np.ndindex(value.shape) if value.dtype == object else ():
            array[index] = owned(value[index])
        return array
    if type(value) in (list, tuple):
        return type(value)(owned(part) for part in value)
    if isinstance(value, dict):
        same = {} if type(value) is dict else copy(value)
        same.update({key: owned(part) for key, part in value.items()})
        return same
    return value


def object_array(values: Sequence[Any] | np.ndarray) -> np.ndarray:
    """Returns ``values`` unchanged in an array ``(n,)`` of dtype object, which is ``values`` itself if it is one."""
    if type(values) is np.ndarray and values.dtype.hasobject:
        return values
    array = np.empty(len(values), dtype=object)
    for index, value in enumerate(values):
        array[index] = value
    return array
