"""Checks leaf by leaf whether an observation fits the space that its environment declares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from envpool_rs._workers.observation_layout import Leaf, LeafTree, ObservationLayout

Conform = Callable[[int, Any], "list[np.ndarray[Any, Any]] | None"]


class _MisfitError(Exception):
    """Raised for an observation that does not fit its space; without a message, the observation is sent to the caller
    unchanged.
    """


def conform_function(layouts: Mapping[int, ObservationLayout], *, lenient: bool) -> Conform:
    """Returns a function that splits an observation into arrays that fit its environment's leaves exactly.

    With ``lenient=False``, the function casts arrays if numpy's "same_kind" rule allows it. With ``lenient=True``, it
    returns None for an observation of other dtypes or another structure, which is then sent as an object.

    The function raises ValueError for an observation that does not fit. The message names the environment, the key and
    both shapes or dtypes.
    """
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
