"""Names, shapes and dtypes of the fields of MuJoCo's structs that are available in a batch, and errors about them."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import mujoco
import numpy as np
from mujoco.introspect.structs import STRUCTS

from envpool_rs import _core

NUM: Any = getattr(mujoco, "MJTNUM_DTYPE", np.float64)
"""Dtype of MuJoCo's numbers."""

STATE_FIELDS: dict[str, int] = {
    field: int(getattr(mujoco.mjtState, bit))
    for field, bit in {
        **{name: f"mjSTATE_{name.upper()}" for name in ("time", "qpos", "qvel", "act", "history", "ctrl")},
        **{name: f"mjSTATE_{name.upper()}" for name in ("qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos")},
        **{name: f"mjSTATE_{name.upper()}" for name in ("mocap_quat", "userdata", "plastic")},
        "qacc_warmstart": "mjSTATE_WARMSTART",
        "plugin_state": "mjSTATE_PLUGIN",
    }.items()
    if hasattr(mujoco.mjtState, bit)
}
"""Fields of ``MjData`` that are parts of the state, with their bits of ``mjtState``."""

INTEGRATION = int(mujoco.mjtState.mjSTATE_INTEGRATION)
"""Bits of the state that a batch keeps for each simulation."""

USER = int(mujoco.mjtState.mjSTATE_USER)
"""Bits of the state that are inputs of a step."""

COUNTS = frozenset(
    name
    for name in ("ncon", "ne", "nf", "nl", "nefc", "nJ", "nA", "nisland", "nidof")
    if any(field.name == name for field in STRUCTS["mjData"].fields)
)
"""Numbers of ``MjData`` that can be bound."""

_SHARED_PREFIXES = ("hfield_", "mesh_", "oct_", "skin_", "tex_", "bvh_child", "bvh_depth", "bvh_nodeid")
"""Prefixes of the names of assets, which all simulations share."""

_ELEMENTS = ("mjtNum", "float", "int", "mjtByte", "mjtBool")
"""C types of elements of arrays that can be bound or expanded."""

STATISTICS = tuple(f"stat.{name}" for name in ("meaninertia", "meanmass", "meansize", "extent", "center"))
"""Numbers of ``MjModel.stat``, which ``mj_setConst`` computes."""


def template_of(data: Any, name: str) -> Any:
    """Returns a field of an ``MjData`` as an array (an int as a 0-d int32 array); ``None`` for any other field or
    name.
    """
    value = getattr(data, name, None)
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return np.zeros((), np.int32)
    return None


def option_template(model: Any, name: str) -> Any:
    """Returns ``opt.<name>`` or ``stat.<name>`` of a model as an array, with the dtype of the struct's field."""
    of, _, field = name.partition(".")
    value = getattr(getattr(model, of), field, None)
    if value is None:
        return None
    array = np.asarray(value)
    return array.astype(NUM if array.dtype.kind == "f" else np.int32)


def model_template(model: Any, name: str) -> Any:
    """Returns a field of a model as an array; ``None`` if the model has no array of this name."""
    if "." in name:
        return option_template(model, name)
    value = getattr(model, name, None)
    return value if isinstance(value, np.ndarray) else None


def _pointers(struct: str) -> dict[str, tuple[Any, ...]]:
    """Returns the names of a struct's arrays, each with the names of the sizes whose product is the array's length."""
    found = {}
    for field in STRUCTS[struct].fields:
        extent = getattr(field, "array_extent", None)
        if extent is not None and getattr(getattr(field.type, "inner_type", None), "name", "") in _ELEMENTS:
            found[field.name] = tuple(extent)
    return found


def _sizes() -> frozenset[str]:
    """Returns the names of the sizes in ``MjModel``, on which the lengths of fixed arrays depend."""
    return frozenset(
        field.name for field in STRUCTS["mjModel"].fields if getattr(field.type, "name", "") in ("int", "mjtSize")
    )


def _data_fields() -> frozenset[str]:
    sizes, public = _sizes(), dir(mujoco.MjData)
    names = [field.name for field in STRUCTS["mjData"].fields]
    # `contact` and all later arrays of MjData are in MuJoCo's arena: a step may allocate them elsewhere, or not at all.
    fixed = frozenset(names[: names.index("contact")])
    arrays = {
        name
        for name, extent in _pointers("mjData").items()
        if name in fixed and all(isinstance(size, int) or str(size).isdigit() or size in sizes for size in extent)
    }
    inline = {"energy", "solver_fwdinv", "solver_niter", "solver_nnz"}
    return frozenset(STATE_FIELDS) | frozenset(name for name in arrays | inline if name in public) | COUNTS


def _array_fields() -> frozenset[str]:
    public, options = dir(mujoco.MjModel), dir(mujoco.MjOption)
    arrays = {name for name in _pointers("mjModel") if not name.startswith(_SHARED_PREFIXES)}
    members = {
        field.name
        for field in STRUCTS["mjOption"].fields
        if getattr(getattr(field.type, "inner_type", field.type), "name", "") in ("mjtNum", "int")
    }
    return frozenset(name for name in arrays if name in public) | frozenset(
        f"opt.{name}" for name in members if name in options
    )


DATA_FIELDS = _data_fields()
"""Fields of ``MjData`` that ``bind`` accepts."""

ARRAY_FIELDS = _array_fields()
"""Arrays of ``MjModel`` except those of assets, and options."""

MODEL_FIELDS = frozenset(_core.mujoco_expandable(list(ARRAY_FIELDS)))
"""Fields of ``MjModel`` that ``expand`` accepts."""


# Errors

_SHOWN = 5
"""Largest number of simulations that a message lists."""


class SimulationError(RuntimeError):
    """Raised if a call failed for some simulations. These keep the state before the call; the call has run for all
    others.

    Attributes:
        ids: the simulations that failed. ``Batch.error(i)`` has the message of each.
    """

    def __init__(self, ids: Any, message: str, ncall: int | None = None) -> None:
        self.ids = ids
        shown = ", ".join(str(each) for each in ids[:_SHOWN]) + (", ..." if len(ids) > _SHOWN else "")
        of = "" if ncall is None else f" of {ncall}"
        super().__init__(f"MuJoCo raised in {len(ids)}{of} simulations ({shown}); simulation {ids[0]}: {message}")


def similar_names(name: str, names: Iterable[str]) -> str:
    """Returns the end of an error message that suggests similar names: `` (did you mean 'qpos'?)``, or an empty
    string.
    """
    close = difflib.get_close_matches(name, list(names), n=3)
    return f" (did you mean {', '.join(map(repr, close))}?)" if close else ""


def hint(name: str, names: Iterable[str]) -> str:
    """Returns the end of an error message: which method accepts a field of this name, or which names are similar."""
    if name in MODEL_FIELDS and names is not MODEL_FIELDS:
        return f"; {name} is an MjModel field: use expand({name!r})"
    if f"opt.{name}" in MODEL_FIELDS:
        return f"; {name} is an MjOption field: use expand('opt.{name}')"
    return similar_names(name, names)


def not_bindable(data: Any, name: str) -> ValueError:
    """Returns the error for a name that ``bind`` does not accept."""
    if name in MODEL_FIELDS:
        return ValueError(f"{name} is an MjModel field: use expand({name!r})")
    template = template_of(data, name)
    if template is not None and not isinstance(getattr(data, name), np.ndarray):
        return ValueError(f"{name} is not one of the MjData scalars bind() accepts: {', '.join(sorted(COUNTS))}")
    if template is not None:
        return ValueError(f"{name} is in the arena, whose size changes from step to step, and cannot be bound")
    return ValueError(f"{name} is not an MjData array field{hint(name, DATA_FIELDS)}")


def not_expandable(model: Any, name: str) -> ValueError:
    """Returns the error for a name that ``expand`` does not accept."""
    if name in DATA_FIELDS:
        return ValueError(f"{name} is an MjData field: use bind({name!r})")
    if name in ARRAY_FIELDS:
        return ValueError(
            f"{name} is structural (a type, index or address): it cannot differ between simulations; use set_models"
        )
    if isinstance(getattr(model, name, None), np.ndarray):
        return ValueError(f"{name} is asset data, shared by all simulations, and cannot be expanded")
    return ValueError(f"{name} is not an expandable MjModel field{hint(name, MODEL_FIELDS)}")


def is_output(name: str) -> ValueError:
    """Returns the error for a write to a read-only field, which calls of the batch compute."""
    return ValueError(
        f"{name} is computed by every call and cannot be written; write state fields (qpos, ctrl, ...) or expand model"
        " fields"
    )
