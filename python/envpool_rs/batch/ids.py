"""Checks of simulation ids, and of integers and arrays in arguments."""

from __future__ import annotations

from typing import Any

import numpy as np

from envpool_rs._arguments import array as as_array
from envpool_rs._arguments import shown


def checked_ids(ids: Any, nsim: int) -> Any:
    """Returns ids of simulations as int32; ``None`` for all.

    Args:
        ids: increasing integers, a bool for each simulation, or ``None``.
        nsim: the number of simulations.

    Raises:
        ValueError: for other values; the message has the first wrong value.
    """
    if ids is None:
        return None
    try:
        ids = np.asarray(ids)
    except ValueError:
        raise ValueError(f"ids={shown(ids)}: expected integers, or a bool for each simulation") from None
    if ids.dtype == bool:
        if ids.shape != (nsim,):
            raise ValueError(f"ids has shape {ids.shape}: a boolean mask must have shape ({nsim},)")
        return None if ids.all() else np.flatnonzero(ids).astype(np.int32)
    if ids.ndim != 1:
        raise ValueError(f"ids has shape {ids.shape}: ids must be one-dimensional")
    if ids.size == 0:
        return np.zeros(0, np.int32)
    if not np.issubdtype(ids.dtype, np.integer):
        raise ValueError(f"ids must be integers, got {ids.dtype}")
    # Neighbouring ids are compared, not subtracted, because differences of unsigned ids cannot be negative.
    is_unordered = ids[1:] <= ids[:-1]
    if is_unordered.any():
        at = int(np.flatnonzero(is_unordered)[0])
        raise ValueError(f"ids must be sorted and unique, got {ids[at]} before {ids[at + 1]}")
    if ids[0] < 0 or ids[-1] >= nsim:
        raise ValueError(f"ids must be in [0, {nsim}), got {ids[0] if ids[0] < 0 else ids[-1]}")
    return np.ascontiguousarray(ids, np.int32)


def integers(name: str, value: Any, shape: tuple[int, ...], least: int, end: int) -> Any:
    """Returns ``value``, integers from ``least`` to ``end - 1``, as an int32 array of the given shape.

    Raises:
        ValueError: for other values or shapes; the message has the first wrong value.
    """
    array = as_array(name, value)
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name} must be integers, got {array.dtype}")
    wrong = array[(array < least) | (array >= end)]
    if wrong.size:
        raise ValueError(f"{name} must be in [{least}, {end}), got {wrong.flat[0]}")
    return np.ascontiguousarray(broadcast(name, array, shape), np.int32)


def broadcast(name: str, value: Any, shape: tuple[int, ...]) -> Any:
    """Returns ``value`` as an array, broadcast to ``shape``.

    Raises:
        ValueError: if ``value`` cannot be broadcast to ``shape``.
    """
    array = as_array(name, value)
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{name} has shape {array.shape}: expected one that broadcasts to {shape}") from None


def numbers(name: str, value: Any, dtype: Any) -> Any:
    """Returns ``value`` as an array of numbers of the given dtype.

    Raises:
        ValueError: for a value that cannot be converted to such an array.
    """
    try:
        return np.asarray(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name}: expected numbers ({error})") from None
