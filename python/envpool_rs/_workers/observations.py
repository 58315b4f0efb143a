"""Layout of observations in rows of shared memory, and checks whether observations fit it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    """One array of an observation."""

    key: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class ObservationLayout:
    """The leaves of an observation in order, and their nesting."""

    leaves: tuple[Leaf, ...]
    structure: LeafTree | None  # None if observations are sent as messages

    @classmethod
    def of(cls, space: Any) -> ObservationLayout:
        """Returns the layout for a space of gymnasium or legacy gym."""
        # Box, Discrete, MultiDiscrete and MultiBinary, in Dict and Tuple to any depth, are stored in rows. Observations
        # of any other space, or without a space, are sent as messages.
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
    """Layout of the shared block's rows, which the caller sends to every worker process."""

    layouts: list[list[tuple[str, tuple[int, ...]]]]  # dtype and shape of each leaf, by environment
    final_rows: bool  # whether there is a second set of rows, for final observations
    spaces: list[bytes | None]  # pickled, as the caller received them


Conform = Callable[[int, Any], "list[np.ndarray[Any, Any]] | None"]


class _MisfitError(Exception):
    """Raised for an observation that does not fit its space; without a message, the observation is sent to the caller
    unchanged.
    """


def conform_function(layouts: Mapping[int, ObservationLayout], *, lenient: bool) -> Conform:
    """Returns a function that splits an observation into arrays that fit its environment's leaves exactly."""
    # A strict function casts arrays if numpy's "same_kind" rule allows it. A lenient one returns None for an
    # observation of other dtypes or another structure, which is then sent as an object. Both raise ValueError for an
    # observation that does not fit, naming the environment, the key and both shapes or dtypes.
    fit = _fit_leniently if lenient else _fit_strictly

    def conform(env_id: int, observation: Any) -> list[np.ndarray[Any, Any]] | None:
        layout = layouts[env_id]
        arrays: list[np.ndarray[Any, Any]] = []
        try:
            if layout.structure is None:
                return None
            _collect(layout.structure, observation, "observation", layout.leaves, arrays, fit)
        except _MisfitError as misfit:
            if lenient and not misfit.args:
                return None
            raise ValueError(f"environment {env_id}: {misfit}, as observation_space declares") from misfit.__cause__
        return arrays

    return conform


def _collect(
    structure: LeafTree,
    observation: Any,
    key: str,
    leaves: Sequence[Leaf],
    arrays: list[np.ndarray[Any, Any]],
    fit: Callable[[Leaf, Any], np.ndarray[Any, Any]],
) -> None:
    if isinstance(structure, int):
        array = fit(leaves[structure], observation)
        in_order = array.flags.c_contiguous and array.flags.aligned
        arrays.append(array if in_order else array.copy())
        return
    lenient = fit is _fit_leniently
    if isinstance(structure, dict):
        _check_keys(structure, observation, key, lenient)
        for name, each in structure.items():
            quoted = f'"{name}"' if isinstance(name, str) else repr(name)
            _collect(each, observation[name], f"{key}[{quoted}]", leaves, arrays, fit)
        return
    _check_length(structure, observation, key, lenient)
    for index, each in enumerate(structure):
        _collect(each, observation[index], f"{key}[{index}]", leaves, arrays, fit)


def _check_keys(structure: dict[Any, LeafTree], observation: Any, key: str, lenient: bool) -> None:
    if isinstance(observation, Mapping) and observation.keys() == structure.keys():
        return
    if lenient:
        raise _MisfitError
    expected = f"expected a dict with the keys {', '.join(map(repr, structure))}"
    if not isinstance(observation, Mapping):
        raise _MisfitError(f"{key} is of type {type(observation).__name__}: {expected}")
    missing = [name for name in structure if name not in observation]
    extra = [name for name in observation if name not in structure]
    named = f"lacks {missing[0]!r}" if missing else f"has the extra key {extra[0]!r}"
    raise _MisfitError(f"{key} {named}: {expected}")


def _check_length(structure: tuple[LeafTree, ...], observation: Any, key: str, lenient: bool) -> None:
    if isinstance(observation, (tuple, list)) and len(observation) == len(structure):
        return
    if lenient:
        raise _MisfitError
    has = (
        f"of length {len(observation)}"
        if isinstance(observation, (tuple, list))
        else f"of type {type(observation).__name__}"
    )
    raise _MisfitError(f"{key} is {has}: expected a tuple of length {len(structure)}")


def _fit_leniently(leaf: Leaf, value: Any) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(value)
    except Exception:
        raise _MisfitError from None
    if array.shape == leaf.shape and array.dtype == leaf.dtype:
        return array
    if array.dtype != leaf.dtype or array.size == np.prod(leaf.shape):
        raise _MisfitError
    raise _MisfitError(_mismatch(leaf, array))


def _fit_strictly(leaf: Leaf, value: Any) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(value)
    except Exception as error:
        expected = f"expected shape {leaf.shape} and dtype {leaf.dtype}"
        raise _MisfitError(f"{leaf.key} of type {type(value).__name__} is no array ({error}): {expected}") from error
    if array.shape != leaf.shape:
        raise _MisfitError(_mismatch(leaf, array))
    if array.dtype == leaf.dtype:
        return array
    if np.can_cast(array.dtype, leaf.dtype, "same_kind"):
        return array.astype(leaf.dtype)
    # Checks the values of Python integers, because numpy converts them to int64 regardless of their value.
    if not isinstance(value, (np.ndarray, np.generic)) and array.dtype.kind == "i" and leaf.dtype.kind == "u":
        cast = array.astype(leaf.dtype)
        if np.array_equal(cast, array):
            return cast
    raise _MisfitError(_mismatch(leaf, array))


def _mismatch(leaf: Leaf, array: np.ndarray[Any, Any]) -> str:
    found = f"{leaf.key} has shape {array.shape} and dtype {array.dtype}"
    return f"{found}: expected shape {leaf.shape} and dtype {leaf.dtype}"
