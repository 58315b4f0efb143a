"""Arrays of a task: leaves of its spaces, and infos."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces

from envpool_rs._arguments import alternatives, choice
from envpool_rs.numba.abi import AFTER, BOX, DISCRETE, DTYPES, MULTI_BINARY, MULTI_DISCRETE, Memory

_MAX_VALUES = 2**31 - 1


@dataclass(frozen=True)
class Leaf:
    """Description of one array of a space or info, for one environment (or one player).

    Attributes:
        name: path in a Dict, joined by dots; empty for a space that is one array.
        kind: constant of the C interface for the space's kind.
        dtype: element type.
        shape: shape of the array.
        low: lower bounds of a box: none, one bound for all elements, or one for each element.
        high: upper bounds; their number equals that of the lower bounds.
        n: numbers of values of a discrete space.
        start: smallest value of a discrete space.
        flags: constant of the C interface that says when an info is reported.
    """

    name: str
    kind: int
    dtype: str
    shape: tuple[int, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    n: tuple[int, ...] = ()
    start: int = 0
    flags: int = 0

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    def row(self, memory: Memory) -> dict[str, int | float]:
        """Returns the values of the fields of the `epr_array` that describes this array.

        Args:
            memory: owner of the arrays that the fields point to.
        """
        return {
            "name": memory.text(self.name),
            "kind": self.kind,
            "dtype": DTYPES[self.dtype],
            "flags": self.flags,
            "dims": len(self.shape),
            "shape": memory.array(self.shape, np.uint64),
            "bounds": len(self.low),
            "low": memory.array(self.low, np.float64),
            "high": memory.array(self.high, np.float64),
            "n": memory.array(self.n, np.int64),
            "start": self.start,
        }


def is_attribute(name: Any) -> bool:
    """Returns whether a name can be an attribute of a namedtuple, through which a task's functions access arrays."""
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")


def checked_dtype(name: str, dtype: Any) -> str:
    """Returns the name of an element type.

    Raises:
        TypeError: for a value that numpy does not accept as a dtype.
        ValueError: for a type that the C interface does not have.
    """
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"{name}: dtype={dtype!r}: expected {alternatives(list(DTYPES))}") from None
    if found.name not in DTYPES or not found.isnative:
        raise ValueError(f"{name}: dtype={found.name}: expected {alternatives(list(DTYPES))}")
    return str(found.name)


def checked_shape(name: str, shape: Any) -> tuple[int, ...]:
    """Returns a shape as a tuple; an integer is the length of one dimension.

    Raises:
        TypeError: for anything but integers.
        ValueError: for a size below 1.
    """
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else shape
    if not isinstance(sizes, (tuple, list)) or not all(_is_integer(size) for size in sizes):
        raise TypeError(f"{name}: shape={shape!r}: expected an int or a tuple of ints")
    if any(size < 1 for size in sizes):
        raise ValueError(f"{name}: shape={tuple(sizes)}: expected sizes of 1 or more")
    return tuple(int(size) for size in sizes)


def _is_integer(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


def leaves_of(name: str, space: Any, *, is_action: bool = False) -> tuple[Leaf, ...]:
    """Returns the arrays of a space, in the order of its keys.

    Args:
        name: the argument's name.
        space: gymnasium's Box, Discrete, MultiDiscrete, MultiBinary, or a Dict of these; an integer for ``Discrete``.
        is_action: whether it is an action space.

    Raises:
        TypeError: for anything else.
        ValueError: for a dtype, key or start that tasks cannot have.
    """
    if _is_integer(space):
        if not 1 <= space <= _MAX_VALUES:
            raise ValueError(f"{name}={space}: expected 1 to {_MAX_VALUES} actions, or a gymnasium space")
        space = spaces.Discrete(int(space))
    if isinstance(space, spaces.Dict):
        if not space.spaces:
            raise ValueError(f"{name}={space}: expected at least one key")
        return tuple(leaf for key, part in space.spaces.items() for leaf in _leaves_at(name, key, part, is_action))
    return (_leaf(name, "", space, is_action),)


def _leaves_at(name: str, key: Any, space: Any, is_action: bool) -> list[Leaf]:
    if not is_attribute(key):
        raise ValueError(f"{name}: key {key!r}: expected an identifier, which the functions use as an attribute")
    if isinstance(space, spaces.Dict):
        inner = [leaf for each, part in space.spaces.items() for leaf in _leaves_at(name, each, part, is_action)]
        return [_renamed(leaf, f"{key}.{leaf.name}") for leaf in inner]
    return [_leaf(f"{name}[{key!r}]", key, space, is_action)]


def _renamed(leaf: Leaf, name: str) -> Leaf:
    return Leaf(**{**leaf.__dict__, "name": name})


def _leaf(name: str, key: str, space: Any, is_action: bool) -> Leaf:
    if isinstance(space, spaces.Box):
        dtype = checked_dtype(name, space.dtype)
        if is_action and dtype not in ("float32", "float64"):
            raise ValueError(f"{name}: dtype={dtype}: expected a Box of float32 or float64, or a MultiDiscrete")
        shape = checked_shape(name, space.shape)
        return Leaf(key, BOX, dtype, shape, *_bounds(space))
    if isinstance(space, spaces.Discrete):
        return Leaf(key, DISCRETE, "int64", (), n=(int(space.n),), start=int(space.start))
    if isinstance(space, spaces.MultiDiscrete):
        if np.any(space.start):
            raise ValueError(f"{name}: start={space.start.tolist()}: expected a MultiDiscrete that starts at 0")
        counts = tuple(int(count) for count in np.ravel(space.nvec))
        return Leaf(key, MULTI_DISCRETE, "int64", checked_shape(name, space.shape), n=counts)
    if isinstance(space, spaces.MultiBinary):
        return Leaf(key, MULTI_BINARY, "int8", checked_shape(name, space.shape))
    raise TypeError(f"{name}={space!r}: expected a Box, Discrete, MultiDiscrete, MultiBinary, or a Dict of these")


def _bounds(space: spaces.Box) -> tuple[tuple[float, ...], tuple[float, ...]]:
    low, high = (np.ravel(bound).astype(np.float64) for bound in (space.low, space.high))
    if np.all(low == low[0]) and np.all(high == high[0]):
        return (float(low[0]),), (float(high[0]),)
    return tuple(low.tolist()), tuple(high.tolist())


@dataclass(frozen=True)
class Info:
    """Declaration of an info.

    Attributes:
        dtype: element type.
        shape: shape; ``()`` for a single number.
        when: calls after which the info is reported: ``"always"`` (resets and steps), ``"steps"`` (steps only) or
            ``"terminations"`` (steps that terminate an episode).
    """

    dtype: Any
    shape: Any = ()
    when: str = "always"


def infos_of(infos: Any) -> tuple[Leaf, ...]:
    """Returns the arrays of infos.

    Args:
        infos: name and `Info` of each; a dtype, or a dtype and a shape, stand for an `Info`.

    Raises:
        TypeError: for values of another type.
        ValueError: for a name, dtype or shape that infos cannot have.
    """
    if infos is None:
        return ()
    if not isinstance(infos, Mapping):
        raise TypeError(f"infos={infos!r}: expected a dict of names and dtypes")
    return tuple(_info(key, declared) for key, declared in infos.items())


def _info(key: Any, declared: Any) -> Leaf:
    if not is_attribute(key):
        raise ValueError(f"infos: key {key!r}: expected an identifier, which `inform` uses as an attribute")
    name = f"infos[{key!r}]"
    info = (
        declared if isinstance(declared, Info) else Info(*declared) if isinstance(declared, tuple) else Info(declared)
    )
    flags = AFTER[choice(f"{name}: when", info.when, tuple(AFTER))]
    return Leaf(key, BOX, checked_dtype(name, info.dtype), checked_shape(name, info.shape), flags=flags)
