"""Checks of a batch's arguments: models, simulation ids, integers and arrays."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from envpool_rs._arguments import array as as_array
from envpool_rs._arguments import path, shown, utf8

# Models

_CALLBACKS = [
    (f"mjcb_{name}", getattr(mujoco, f"get_mjcb_{name}"))
    for name in ("passive", "control", "contactfilter", "sensor", "act_dyn", "act_gain", "act_bias")
    if hasattr(mujoco, f"get_mjcb_{name}")
]
"""Physics callbacks, with the functions that return them."""

_MODEL = "an MjModel, a path or XML text"
"""Allowed models, as error messages state them."""


def read_model(model: Any) -> Any:
    """Returns an ``MjModel``: the argument itself, or a model that is compiled from a file or from XML text."""
    if isinstance(model, mujoco.MjModel):
        return model
    if isinstance(model, str) and "<" in model:
        return mujoco.MjModel.from_xml_string(utf8("model", model))
    given = path("model", model, _MODEL)
    if given is None:
        raise TypeError(f"model=None: expected {_MODEL}")
    try:
        return mujoco.MjModel.from_binary_path(given) if given.endswith(".mjb") else mujoco.MjModel.from_xml_path(given)
    except ValueError as error:
        raise ValueError(f"model={given!r}: {error}") from None


def check_model(model: Any, persistent: bool) -> None:
    """Raises a ``ValueError`` for a model that needs a persistent batch, or that no batch can simulate."""
    flags = mujoco.mjtEnableBit
    if not persistent and hasattr(flags, "mjENBL_SLEEP") and model.opt.enableflags & int(flags.mjENBL_SLEEP):
        raise ValueError("model: sleep is enabled, which needs simulations of their own: pass persistent=True")
    if model.nplugin:
        raise ValueError("model: it has engine plugins, which this batch cannot load: use mujoco.batch")


def check_callbacks() -> None:
    """Raises a ``ValueError`` if a physics callback is installed, because a batch would not call the callback."""
    for name, get in _CALLBACKS:
        if get() is not None:
            raise ValueError(f"{name} is set, and this batch calls no callbacks: unset it, or use mujoco.batch")


def model_bytes(model: Any) -> bytes:
    """Returns the bytes of a compiled model (``mj_saveModel``)."""
    room = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, room)
    return room.tobytes()


# Ids, integers and arrays


def checked_ids(ids: Any, nsim: int) -> Any:
    """Returns ids of simulations as int32; ``None`` for all."""
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
    """Returns ``value``, integers from ``least`` to ``end - 1``, as an int32 array of the given shape."""
    array = as_array(name, value)
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name} must be integers, got {array.dtype}")
    wrong = array[(array < least) | (array >= end)]
    if wrong.size:
        raise ValueError(f"{name} must be in [{least}, {end}), got {wrong.flat[0]}")
    return np.ascontiguousarray(broadcast(name, array, shape), np.int32)


def broadcast(name: str, value: Any, shape: tuple[int, ...]) -> Any:
    """Returns ``value`` as an array, broadcast to ``shape``."""
    array = as_array(name, value)
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{name} has shape {array.shape}: expected one that broadcasts to {shape}") from None


def numbers(name: str, value: Any, dtype: Any) -> Any:
    """Returns ``value`` as an array of numbers of the given dtype."""
    try:
        return np.asarray(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name}: expected numbers ({error})") from None
