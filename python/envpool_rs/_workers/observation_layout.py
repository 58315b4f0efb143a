"""Layout of observations in rows of shared memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from envpool_rs._nested import map_leaves
from envpool_rs._workers.serialization import loads

LeafTree: TypeAlias = "int | dict[Any, LeafTree] | tuple[LeafTree, ...]"

_LEAF_SPACES = ("Box", "Discrete", "MultiDiscrete", "MultiBinary")
_KNOWN_SPACES = (*_LEAF_SPACES, "Dict", "Tuple")
# Kinds of numpy dtypes that are stored by value.
_PLAIN_KINDS = "biufc"


class Leaf(NamedTuple):
    """One array of an observation.

    Attributes:
        key: path of the array in the observation: ``observation["camera"][1]``.
        dtype: the space's dtype, in this machine's byte order.
        shape: shape of one environment's array.
    """

    key: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class ObservationLayout:
    """The leaves of an observation in order, and their nesting.

    Attributes:
        leaves: in the space's order; empty if observations are sent as messages.
        structure: a leaf's index, a dict or a tuple of structures; None if observations are sent as messages.
    """

    leaves: tuple[Leaf, ...]
    structure: LeafTree | None

    @classmethod
    def of(cls, space: Any) -> ObservationLayout:
        """Returns the layout for a space of gymnasium or legacy gym.

        Box, Discrete, MultiDiscrete and MultiBinary, in Dict and Tuple to any depth, are stored in rows. If the space
        contains any other space (Text, Sequence, Graph, OneOf, a user's own), or if there is no space, observations are
        sent as messages.
        """
        leaves: list[Leaf] = []
        try:
            structure = _flatten_space(space, "observation", leaves)
        except _ByMessageError:
            return cls((), None)
        return cls(tuple(leaves), structure)

    @classmethod
    def of_pickled(cls, space: bytes | None) -> ObservationLayout:
        """Returns the layout for a pickled space; None means no space."""
        return cls.of(None if space is None else loads(space))

    @property
    def rows(self) -> list[tuple[str, tuple[int, ...]]]:
        """The dtype and shape of each leaf, as the block allocates them."""
        return [(leaf.dtype.str, leaf.shape) for leaf in self.leaves]


class _ByMessageError(Exception):
    pass


def _flatten_space(space: Any, key: str, leaves: list[Leaf]) -> LeafTree:
    kind = _kind(space)
    if kind == "Dict":
        return {name: _flatten_space(each, f"{key}[{_quoted(name)}]", leaves) for name, each in space.spaces.items()}
    if kind == "Tuple":
        return tuple(_flatten_space(each, f"{key}[{index}]", leaves) for index, each in enumerate(space.spaces))
    dtype = np.dtype(space.dtype) if kind in _LEAF_SPACES and space.dtype is not None else None
    if dtype is None or dtype.kind not in _PLAIN_KINDS or space.shape is None:
        raise _ByMessageError
    leaves.append(Leaf(key, dtype.newbyteorder("="), tuple(map(int, space.shape))))
    return len(leaves) - 1


def _quoted(name: Any) -> str:
    return f'"{name}"' if isinstance(name, str) else repr(name)


def _kind(space: Any) -> str:
    """Returns the name of a space's class in gymnasium or legacy gym, without importing these libraries; "" for other
    classes.
    """
    for each in type(space).__mro__:
        if each.__module__.partition(".")[0] in ("gymnasium", "gym") and each.__name__ in _KNOWN_SPACES:
            return each.__name__
    return ""


def nest_leaves(structure: LeafTree, leaves: Any) -> Any:
    """Nests a list of arrays as the space does: returns an array, or dicts and tuples of arrays."""
    if type(structure) is int:
        return leaves[structure]
    return map_leaves(lambda index: leaves[index], structure)


@dataclass(frozen=True)
class RowLayouts:
    """Layout of the shared block's rows, which the caller sends to every worker process.

    Attributes:
        layouts: the leaves (dtype, shape) of each environment.
        final_rows: whether there is a second set of rows for final observations.
        spaces: the pickled observation space of each environment, as the caller received it.
    """

    layouts: list[list[tuple[str, tuple[int, ...]]]]
    final_rows: bool
    spaces: list[bytes | None]
