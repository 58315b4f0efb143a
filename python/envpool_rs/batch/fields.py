"""Names, shapes and dtypes of the fields of MuJoCo's structs that are available in a batch, and errors about them."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable
from typing import Any

import mujoco
import numpy as np
from mujoco.introspect.structs import STRUCTS

from envpool_rs import _core

NUM: Any = getattr(mujoco, "MJTNUM_DTYPE", np.float64)
"""Dtype of MuJoCo's numbers."""

_BITS = {
    **{name: name for name in ("time", "qpos", "qvel", "act", "history", "ctrl", "qfrc_applied", "xfrc_applied")},
    **{name: name for name in ("eq_active", "mocap_pos", "mocap_quat", "userdata", "plastic")},
    **{"qacc_warmstart": "warmstart", "plugin_state": "plugin"},
}
STATE_FIELDS: dict[str, int] = {
    field: int(getattr(mujoco.mjtState, f"mjSTATE_{bit.upper()}"))
    for field, bit in _BITS.items()
    if hasattr(mujoco.mjtState, f"mjSTATE_{bit.upper()}")
}
"""Fields of ``MjData`` that are parts of the state, with their bits of ``mjtState``."""

INTEGRATION = int(mujoco.mjtState.mjSTATE_INTEGRATION)
"""Bits of the state that a batch keeps for each simulation."""

_MEMBERS = {name: {field.name: field for field in STRUCTS[name].fields} for name in ("mjData", "mjModel", "mjOption")}
"""Fields of structs by name."""

_COUNTS = frozenset(("ncon", "ne", "nf", "nl", "nefc", "nJ", "nA", "nisland", "nidof")) & _MEMBERS["mjData"].keys()
"""Numbers of ``MjData`` that can be bound."""

_SHARED_PREFIXES = ("hfield_", "mesh_", "oct_", "skin_", "tex_", "bvh_child", "bvh_depth", "bvh_nodeid")
"""Prefixes of the names of assets, which all simulations share."""

STATISTICS = tuple(f"stat.{name}" for name in ("meaninertia", "meanmass", "meansize", "extent", "center"))
"""Numbers of ``MjModel.stat``, which ``mj_setConst`` computes."""


def _extents(struct: str) -> dict[str, tuple[Any, ...]]:
    """Returns the names of a struct's arrays, each with the sizes, or names of sizes, whose product is its length."""
    elements = ("mjtNum", "float", "int", "mjtByte", "mjtBool")
    return {
        name: tuple(field.array_extent)
        for name, field in _MEMBERS[struct].items()
        if getattr(field, "array_extent", None) is not None
        and getattr(getattr(field.type, "inner_type", None), "name", "") in elements
    }


def _data_fields() -> frozenset[str]:
    # Lengths of fixed arrays depend on sizes in `MjModel`.
    integers = ("int", "mjtSize")
    sizes = {name for name, field in _MEMBERS["mjModel"].items() if getattr(field.type, "name", "") in integers}
    names = list(_MEMBERS["mjData"])
    # `contact` and all later arrays of MjData are in MuJoCo's arena: a step may allocate them elsewhere, or not at all.
    fixed = set(names[: names.index("contact")])
    arrays = {
        name
        for name, extent in _extents("mjData").items()
        if name in fixed and all(str(size).isdigit() or size in sizes for size in extent)
    }
    inline = {"energy", "solver_fwdinv", "solver_niter", "solver_nnz"}
    return frozenset(STATE_FIELDS) | ((arrays | inline) & {*dir(mujoco.MjData)}) | _COUNTS


def _array_fields() -> frozenset[str]:
    arrays = {name for name in _extents("mjModel") if not name.startswith(_SHARED_PREFIXES)}
    options = {
        name
        for name, field in _MEMBERS["mjOption"].items()
        if getattr(getattr(field.type, "inner_type", field.type), "name", "") in ("mjtNum", "int")
    }
    options &= {*dir(mujoco.MjOption)}
    return frozenset(arrays & {*dir(mujoco.MjModel)}) | frozenset(f"opt.{name}" for name in options)


DATA_FIELDS = _data_fields()
"""Fields of ``MjData`` that ``bind`` accepts."""

ARRAY_FIELDS = _array_fields()
"""Arrays of ``MjModel`` except those of assets, and options."""

MODEL_FIELDS = frozenset(_core.mujoco_expandable(list(ARRAY_FIELDS)))
"""Fields of ``MjModel`` that ``expand`` accepts."""


def array_of(owner: Any, name: str) -> Any:
    """Returns a field of an ``MjData`` or ``MjModel``, such as ``opt.timestep``, as an array, a number as one without
    dimensions; ``None`` for any other field or name.
    """
    value = owner
    for part in name.split("."):
        value = getattr(value, part, None)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return np.array(value, NUM if isinstance(value, float) else np.int32)
    return value if isinstance(value, np.ndarray) else None


class DataTemplate:
    """Shapes and dtypes of the fields of a model's ``MjData``."""

    def __init__(self, model: Any) -> None:
        self._model = model

    @functools.cached_property
    def data(self) -> Any:
        return mujoco.MjData(self._model)

    def field(self, name: str) -> Any:
        """Returns an array with a field's shape and dtype; raises a ``ValueError`` for one that cannot be bound."""
        template = array_of(self.data, name)
        if name in DATA_FIELDS and template is not None:
            return template
        if name in MODEL_FIELDS:
            raise ValueError(f"{name} is an MjModel field: use expand({name!r})")
        if template is None:
            raise ValueError(f"{name} is not an MjData array field{hint(name, DATA_FIELDS)}")
        if template.ndim:
            raise ValueError(f"{name} is in the arena, whose size changes from step to step, and cannot be bound")
        raise ValueError(f"{name} is not one of the MjData scalars bind() accepts: {', '.join(sorted(_COUNTS))}")

    def misfit(self, data: Any) -> str | None:
        """Returns the name of a field whose shape differs in another ``MjData``, if there is one."""
        for name in DATA_FIELDS:
            own, other = array_of(self.data, name), array_of(data, name)
            if own is not None and (other is None or own.shape != other.shape):
                return name
        return None


# Errors


class SimulationError(RuntimeError):
    """Raised if a call failed for some simulations. These keep the state before the call; the call has run for all
    others.

    Attributes:
        ids: the simulations that failed. ``Batch.error(i)`` has the message of each.
    """

    def __init__(self, ids: Any, message: str, ncall: int | None = None) -> None:
        self.ids, most = ids, 5
        shown = ", ".join(str(each) for each in ids[:most]) + (", ..." if len(ids) > most else "")
        of = "" if ncall is None else f" of {ncall}"
        super().__init__(f"MuJoCo raised in {len(ids)}{of} simulations ({shown}); simulation {ids[0]}: {message}")


def similar_names(name: str, names: Iterable[str]) -> str:
    """Returns the end of an error message that suggests similar names, such as `` (did you mean 'qpos'?)``."""
    close = difflib.get_close_matches(name, list(names), n=3)
    return f" (did you mean {', '.join(map(repr, close))}?)" if close else ""


def hint(name: str, names: Iterable[str]) -> str:
    """Returns the end of an error message: which method accepts a field of this name, or which names are similar."""
    if name in MODEL_FIELDS and names is not MODEL_FIELDS:
        return f"; {name} is an MjModel field: use expand({name!r})"
    if f"opt.{name}" in MODEL_FIELDS:
        return f"; {name} is an MjOption field: use expand('opt.{name}')"
    return similar_names(name, names)


def model_field(model: Any, name: str) -> Any:
    """Returns an array with the shape and dtype of a field; raises a ``ValueError`` for one that cannot be expanded."""
    template = array_of(model, name)
    if name in MODEL_FIELDS and template is not None:
        return template
    if name in DATA_FIELDS:
        raise ValueError(f"{name} is an MjData field: use bind({name!r})")
    if name in ARRAY_FIELDS:
        raise ValueError(
            f"{name} is structural (a type, index or address): it cannot differ between simulations; use set_models"
        )
    if isinstance(template, np.ndarray) and template.ndim:
        raise ValueError(f"{name} is asset data, shared by all simulations, and cannot be expanded")
    raise ValueError(f"{name} is not an expandable MjModel field{hint(name, MODEL_FIELDS)}")


def is_output(name: str) -> ValueError:
    """Returns the error for a write to a read-only field, which calls of the batch compute."""
    return ValueError(
        f"{name} is computed by every call and cannot be written; write state fields (qpos, ctrl, ...) or expand model"
        " fields"
    )
