"""Functions that read, check and serialise the MuJoCo models of batches."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from envpool_rs._arguments import path, utf8

_CALLBACKS = [
    (f"mjcb_{name}", getattr(mujoco, f"get_mjcb_{name}"))
    for name in ("passive", "control", "contactfilter", "sensor", "act_dyn", "act_gain", "act_bias")
    if hasattr(mujoco, f"get_mjcb_{name}")
]
"""Physics callbacks, with the functions that return them."""

_MODEL = "an MjModel, a path or XML text"
"""Allowed models, as error messages state them."""


def read_model(model: Any) -> Any:
    """Returns an ``MjModel``: the argument itself, or a model that is compiled from a file or from XML text.

    Raises:
        TypeError: for an argument that is neither an ``MjModel``, a path nor a string.
        ValueError: for a model that MuJoCo refuses, with its message, and for text that UTF-8 cannot hold.
    """
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
