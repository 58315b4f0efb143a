"""``Batch``: many simulations of one MuJoCo model, and the fields of MuJoCo's structs that a batch has."""

from __future__ import annotations

import copy
import difflib
import functools
import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from itertools import islice
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt
from mujoco.introspect.structs import STRUCTS

from envpool_rs import _core
from envpool_rs._arguments import array as as_array
from envpool_rs._arguments import bounded, choice, flag, integer, is_series, path, refuse_masked, shown, text, utf8
from envpool_rs._known_attributes import KnownAttributes

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
        expected = "it cannot differ between simulations; use set_models"
        raise ValueError(f"{name} is structural (a type, index or address): {expected}")
    if isinstance(template, np.ndarray) and template.ndim:
        raise ValueError(f"{name} is asset data, shared by all simulations, and cannot be expanded")
    raise ValueError(f"{name} is not an expandable MjModel field{hint(name, MODEL_FIELDS)}")


def is_output(name: str) -> ValueError:
    """Returns the error for a write to a read-only field, which calls of the batch compute."""
    return ValueError(
        f"{name} is computed by every call and cannot be written; write state fields (qpos, ctrl, ...) or expand model"
        " fields"
    )


MAX_INT = 2**31 - 1
"""Largest number of simulations and of steps."""

_MAX_THREADS = 4096
_MAX_PIXELS = 16384
_STATES = 1 << int(mujoco.mjtState.mjNSTATE)
_ACC = int(mujoco.mjtStage.mjSTAGE_ACC)
"""The last stage of MuJoCo's pipeline."""

_CALLBACKS = [
    (f"mjcb_{name}", getattr(mujoco, f"get_mjcb_{name}"))
    for name in ("passive", "control", "contactfilter", "sensor", "act_dyn", "act_gain", "act_bias")
    if hasattr(mujoco, f"get_mjcb_{name}")
]
"""Physics callbacks, which a batch would not call, with the functions that return them."""


def _read_model(model: Any) -> Any:
    """Returns an ``MjModel``: the argument itself, or a model that is compiled from a file or from XML text."""
    if isinstance(model, mujoco.MjModel):
        return model
    if isinstance(model, str) and "<" in model:
        return mujoco.MjModel.from_xml_string(utf8("model", model))
    expected = "an MjModel, a path or XML text"
    given = path("model", model, expected)
    if given is None:
        raise TypeError(f"model=None: expected {expected}")
    try:
        return mujoco.MjModel.from_binary_path(given) if given.endswith(".mjb") else mujoco.MjModel.from_xml_path(given)
    except ValueError as error:
        raise ValueError(f"model={given!r}: {error}") from None


def _model_bytes(model: Any) -> bytes:
    room = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, room)
    return room.tobytes()


def checked_ids(ids: Any, nsim: int) -> Any:
    """Returns ids of simulations as int32; ``None`` for all."""
    if ids is None:
        return None
    ids = as_array("ids", ids)
    if ids.dtype == bool:
        if ids.shape != (nsim,):
            raise ValueError(f"ids has shape {ids.shape}: a boolean mask must have shape ({nsim},)")
        return None if ids.all() else np.flatnonzero(ids).astype(np.int32)
    if ids.ndim != 1:
        raise ValueError(f"ids has shape {ids.shape}: ids must be one-dimensional")
    ids = _integers("ids", ids, ids.shape, 0, nsim) if ids.size else np.zeros(0, np.int32)
    for at in np.flatnonzero(ids[1:] <= ids[:-1])[:1]:
        raise ValueError(f"ids must be sorted and unique, got {ids[at]} before {ids[at + 1]}")
    return ids


def _integers(name: str, value: Any, shape: tuple[int, ...], least: int, end: int) -> Any:
    """Returns ``value``, integers from ``least`` to ``end - 1``, as an int32 array of the given shape."""
    array = as_array(name, value)
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name} must be integers, got {array.dtype}")
    wrong = array[(array < least) | (array >= end)]
    if wrong.size:
        raise ValueError(f"{name} must be in [{least}, {end}), got {wrong.flat[0]}")
    return _numbers(name, array, shape, np.int32)


def _numbers(name: str, value: Any, shape: tuple[int, ...] | None = None, dtype: Any = NUM) -> Any:
    """Returns ``value`` as an array, broadcast to the given shape and C-contiguous."""
    refuse_masked(name, value)
    try:
        array = np.asarray(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name}: expected numbers ({error})") from None
    try:
        return array if shape is None else np.ascontiguousarray(np.broadcast_to(array, shape))
    except ValueError:
        raise ValueError(f"{name} has shape {array.shape}: expected one that broadcasts to {shape}") from None


def _truth(name: str, value: Any) -> bool:
    try:
        return bool(value)
    except ValueError:
        raise ValueError(f"{name}={shown(value)}: expected a bool") from None


def _bits(name: str, value: Any) -> int:
    return integer(name, value, 0, _STATES - 1, allowed="bits of mjtState", kind="bits of mjtState")


_COMPUTED = {("actuator", "moment")}
"""Attributes of the package's views that are no slices of a field."""

_FIELDS: dict[tuple[str, str, bool], str] = {}
"""Field that holds an attribute, by kind, attribute and whether it is a model's."""


def is_structural(field: str, _part: Any) -> bool:
    """Returns whether a field of the model holds addresses, counts, ids or types."""
    return field in ARRAY_FIELDS and field not in MODEL_FIELDS


def _offset(whole: Any, part: Any) -> int | None:
    """Returns the index in the flat array ``whole`` at which ``part`` begins; ``None`` if it is no slice of it."""
    if not isinstance(whole, np.ndarray) or whole.dtype != part.dtype:
        return None
    offset = int(part.ctypes.data - whole.ctypes.data)
    return offset // whole.itemsize if 0 <= offset <= whole.nbytes - part.nbytes else None


def _read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


class Named:
    """An object of a batch's model, such as a joint. Its attributes are slices of fields, with a row for each
    simulation.

    Reading an attribute of ``MjData`` binds its field. An attribute of ``MjModel`` has the values of each simulation if
    its field is expanded. Otherwise it has the model's values and is read-only; an assignment expands the field.
    """

    id: int
    name: str

    def __init__(self, batch: Any, kind: str, key: int | str) -> None:
        of_model = getattr(batch.model, kind)(key)
        of_data = getattr(batch._template.data, kind)(key) if hasattr(mujoco.MjData, kind) else None
        vars(self).update(_batch=batch, _kind=kind, _views=(of_data, of_model), id=of_model.id, name=of_model.name)

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):  # `copy` reads such attributes before `_batch` is set
            raise AttributeError(f"{attribute} is not a field")
        return self._slice(attribute, is_written=False)

    def __setattr__(self, attribute: str, value: Any) -> None:
        """Writes ``value`` to the slice of every simulation."""
        if attribute in ("id", "name") or attribute.startswith("_"):
            raise AttributeError(f"{attribute} is read-only")
        self._slice(attribute, is_written=True)[...] = value

    def __repr__(self) -> str:
        return f"<{self._kind} {self.name!r} (id {self.id}) of {self._batch!r}>"

    def _slice(self, attribute: str, *, is_written: bool) -> Any:
        batch, kind = self._batch, self._kind
        is_model, owner, part, field = self._place(attribute)
        if not part.size:
            return _read_only(np.empty((batch.nsim, *part.shape), part.dtype))
        if not is_model:
            if is_written and field not in STATE_FIELDS:
                raise is_output(f"{kind} {attribute}")
            rows = batch.bind(field)
        elif batch.models is not None:
            if is_written:
                raise ValueError(f"{field} comes from the caller models (set_models): edit them, call set_models again")
            views = (getattr(batch._model_of(sim), kind)(self.id) for sim in range(batch.nsim))
            return _read_only(np.stack([getattr(each, attribute) for each in views]))
        elif field in batch._expanded or (is_written and not is_structural(field, None)):
            rows = batch.expand(field)
        elif is_written:
            raise ValueError(f"{field} is structural: it cannot differ between simulations")
        else:
            rows = None if is_structural(field, None) else batch.expanded(field)
        if rows is None:
            return np.broadcast_to(part, (batch.nsim, *part.shape))
        start = _offset(getattr(owner, field), part)
        return rows.reshape(batch.nsim, -1)[:, start : start + part.size].reshape(batch.nsim, *part.shape)

    def _place(self, attribute: str) -> tuple[bool, Any, Any, str]:
        """Returns whether an attribute is a model's, the struct with its field, its array, and the field's name."""
        is_in_no_field = is_computed = (self._kind, attribute) in _COMPUTED
        sources = ((False, self._batch._template.data, DATA_FIELDS), (True, self._batch.model, ARRAY_FIELDS))
        for (is_model, owner, names), view in zip(sources, self._views, strict=True):
            part = None if is_computed and not is_model else getattr(view, attribute, None)
            if isinstance(part, np.ndarray):
                key = (self._kind, attribute, is_model)
                if part.size and key not in _FIELDS:
                    fields = (name for name in names if _offset(getattr(owner, name, None), part) is not None)
                    if field := next(fields, ""):
                        _FIELDS[key] = field
                if not part.size or key in _FIELDS:
                    return is_model, owner, part, _FIELDS.get(key, "")
                is_in_no_field = True
        if is_in_no_field:
            raise AttributeError(f"{self._kind} {attribute} is not a slice of a field that the batch binds or expands")
        known = [name for view in self._views if view is not None for name in dir(view)]
        raise AttributeError(f"{attribute} is not a field of a {self._kind}{similar_names(attribute, known)}")


def _named(kind: str) -> Callable[[Batch, int | str], Named]:
    """Returns the method of a batch that returns a named object of a kind."""

    def named(self: Batch, key: int | str) -> Named:
        return Named(self, kind, key)

    named.__name__, named.__qualname__ = kind, f"Batch.{kind}"
    named.__doc__ = f"Returns the slices of fields of {'an' if kind[0] in 'ae' else 'a'} {kind}."
    return named


class Batch(KnownAttributes):
    """``nsim`` simulations of a copy of a model, on ``nthread`` threads, with the names of ``mujoco.batch.Batch``.

    A row of ``state`` is the complete state of one simulation. ``bind`` returns an array of a field with a row for each
    simulation. Fields of the state are views of ``state``: the next call uses values that are written into them. All
    other fields are read-only, and every call updates them. Results do not depend on the number of threads.

    Methods run for the ``n`` simulations ``ids``: increasing ids, a bool for each simulation, or ``None`` for all. They
    raise a ``SimulationError`` for simulations that fail, and a ``KeyboardInterrupt`` at Ctrl-C, after which each
    simulation has taken all steps of the call or none. ``stage`` is an ``mjtStage``.

    Args:
        model: an ``MjModel``, the path of a model file, or XML text.
        nsim: the number of simulations.
        nthread: the number of threads, including the calling thread if its stack is large enough; 0: one per CPU.
        persistent: whether each simulation keeps its own ``MjData``.
        physics: ``"native"`` for this package's stepper, which steps several simulations at once with MuJoCo's bits;
            ``"library"`` for MuJoCo's library; ``"auto"`` for the native stepper if it supports the model.
        unstable: ``"reset"`` lets MuJoCo reset simulations with invalid numbers, as ``mujoco.batch`` does; ``"raise"``
            raises a ``SimulationError`` for these simulations, which keep the state before the call.
        cpu_ids: numbers of CPUs on which the batch's threads run, in turns; ``None`` leaves the choice to the system.
            The calling thread stays where it is.

    Raises:
        ValueError: for ``physics="native"`` and a model that the native stepper does not support; the message has all
            reasons.
    """

    model: Any
    nsim: int
    """Number of simulations."""
    nthread: int
    """Number of threads, the caller's included."""
    nstate: int
    """Number of values of a row of ``state``."""
    persistent: bool
    """Whether each simulation keeps its own ``MjData``."""
    state: npt.NDArray[np.float64]
    warning: npt.NDArray[np.int32]
    status: npt.NDArray[np.int32]

    def __init__(
        self,
        model: Any,
        nsim: int,
        nthread: int = 0,
        persistent: bool = False,
        *,
        physics: str = "auto",
        unstable: str = "reset",
        cpu_ids: Sequence[int] | None = None,
    ) -> None:
        nsim = integer("nsim", nsim, 1, MAX_INT)
        nthread = integer("nthread", nthread, 0, _MAX_THREADS)
        persistent = flag("persistent", persistent)
        choice("physics", physics, ("auto", "library", "native"))
        choice("unstable", unstable, ("raise", "reset"))
        self.model, self.nsim, self.persistent = _read_model(model), nsim, persistent
        flags = mujoco.mjtEnableBit
        sleeps = hasattr(flags, "mjENBL_SLEEP") and self.model.opt.enableflags & int(flags.mjENBL_SLEEP)
        if sleeps and not persistent:
            raise ValueError("model: sleep is enabled, which needs simulations of their own: pass persistent=True")
        if self.model.nplugin:
            raise ValueError("model: it has engine plugins, which this batch cannot load: use mujoco.batch")
        self._selected(None)
        self._template = DataTemplate(self.model)
        cpus = [] if cpu_ids is None else _cpus(cpu_ids)
        options = persistent, physics, unstable == "raise", cpus
        core = _core.MujocoBatch(_model_bytes(self.model), nsim, nthread, *options, self._template.field)
        self._core = self._b = core  # `_b` is a name of mujoco.batch
        if physics == "native" and not core.is_native:
            raise ValueError(f"physics='native': expected 'auto' or 'library' for this model: {'; '.join(self.why)}")
        self._models: Any = None
        self._bound: dict[str, Any] = {}
        self._parts: dict[str, tuple[slice, tuple[int, ...]]] = {}
        self._copies: dict[str, tuple[Any, Any]] = {}
        self._are_copies_stale = False
        self._per_simulation: dict[str, Any] = {}
        self._expanded: dict[str, Any] = {}
        self._terrains: dict[int, _Terrain] = {}
        self.state, self.warning, self.status = core.arrays()
        self.status.flags.writeable = False
        self.nthread, self.nstate = core.nthread, self.state.shape[1]

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}={getattr(self.model, name)}" for name in ("nq", "nv", "nu"))
        physics = "native" if self._core.is_native else "library"
        return f"<Batch of {self.nsim} simulations: {sizes}, physics={physics!r}, {self.nthread} threads>"

    def __getattr__(self, name: str) -> Any:
        if name in DATA_FIELDS:
            return self.bind(name)
        end = "" if name.startswith("__") else hint(name, DATA_FIELDS)
        raise AttributeError(f"'Batch' object has no attribute {name!r}{end}")

    def __setattr__(self, name: str, value: Any) -> None:
        """Assigns values of all simulations to a field of the state: ``batch.qpos = values``."""
        if name in STATE_FIELDS:
            self.bind(name)[...] = value
        elif name in DATA_FIELDS:
            raise is_output(name)
        elif name in vars(self) and name[:1] != "_":
            raise AttributeError(f"{name} is read-only" + ("; write to batch.state[...]" if name == "state" else ""))
        else:
            super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        if name in vars(self) and name[:1] != "_":
            raise AttributeError(f"{name} is read-only")
        super().__delattr__(name)

    def _unknown_attribute(self, name: str) -> AttributeError:
        return AttributeError(f"'Batch' object has no attribute {name!r} to assign{hint(name, STATE_FIELDS)}")

    @property
    def physics(self) -> str:
        """``"native"`` or ``"library"``: the stepper of the next steps, for all that it supports."""
        return "native" if self._core.steps_natively() else "library"

    @property
    def why(self) -> list[str]:
        """All reasons why MuJoCo's library takes the steps; empty if the native stepper takes them."""
        return [*self._core.refusals, *self._core.obstacles()]

    @property
    def left_to_library(self) -> int:
        """Number of steps, summed over simulations, that MuJoCo's library has taken."""
        return int(self._core.library_steps())

    def error(self, sim: int) -> str:
        """Returns the error message of simulation ``sim`` in its last call, or an empty string if it did not fail."""
        return self._core.error(self._sim(sim))

    def _sim(self, sim: Any, error: type[Exception] = IndexError) -> int:
        if not 0 <= integer("sim", sim) < self.nsim:
            raise error(f"sim must be in [0, {self.nsim}), got {sim}")
        return operator.index(sim)

    def bind(self, name: str, dtype: Any = None) -> Any:
        """Returns the ``(nsim, ...)`` array of a field of ``MjData``, one of ``DATA_FIELDS``.

        Fields of the state have MuJoCo's number type, ``eq_active`` as well. With ``dtype=np.float32``, the result is a
        read-only copy with that dtype, which every call updates. Raises a ``ValueError`` for another name or dtype, and
        for a field of integers with ``np.float32``.
        """
        text("name", name)
        if dtype is not None:
            if not isinstance(dtype, (type, str, np.dtype)) or dtype not in (np.float32, "float32", np.dtype("f4")):
                raise ValueError(f"dtype={dtype!r}: expected np.float32, or None for the field's own dtype")
            if name not in self._copies:
                source = self.bind(name)
                if source.dtype.kind != "f":
                    raise ValueError(f"dtype={dtype!r}: expected None for {name}, which has the dtype {source.dtype}")
                self._copies[name] = source, source.astype(np.float32)
            return _read_only(self._copies[name][1][:])
        if name in STATE_FIELDS:
            return self._part(self.state, name)
        if name not in self._bound:
            template = self._template.field(name)
            self._bound[name] = _read_only(_typed(self._core.bind(name, template.nbytes), template))
        return self._bound[name]

    def _part(self, state: Any, name: str) -> Any:
        """Returns the columns of states that hold a field."""
        if name not in self._parts:
            bit = STATE_FIELDS[name]
            start = mujoco.mj_stateSize(self.model, INTEGRATION & (bit - 1))
            columns = slice(start, start + mujoco.mj_stateSize(self.model, bit))
            self._parts[name] = columns, self._template.field(name).shape
        columns, shape = self._parts[name]
        return state[:, columns].reshape(len(state), *shape)

    actuator = _named("actuator")
    body = _named("body")
    camera = _named("camera")
    equality = _named("equality")
    geom = _named("geom")
    joint = _named("joint")
    keyframe = _named("keyframe")
    light = _named("light")
    material = _named("material")
    numeric = _named("numeric")
    pair = _named("pair")
    sensor = _named("sensor")
    site = _named("site")
    tendon = _named("tendon")

    def _selected(self, ids: Any) -> tuple[Any, int]:
        """Returns the ids of a call's simulations, ``None`` for all, and their number. Refuses installed callbacks."""
        for name, get in _CALLBACKS:
            if get() is not None:
                raise ValueError(f"{name} is set, and this batch calls no callbacks: unset it, or use mujoco.batch")
        ids = checked_ids(ids, self.nsim)
        return ids, self.nsim if ids is None else len(ids)

    def _call(self, ids: Any, function: Callable[..., int], *arguments: Any) -> None:
        """Calls a function that returns the number of failed simulations, then updates the float32 copies, also if the
        call was interrupted. Raises a ``SimulationError`` if the call failed for some simulations.
        """
        # If the update was interrupted, too, the next call updates the copies of all simulations.
        updated, self._are_copies_stale = None if self._are_copies_stale else ids, True
        try:
            failed = function(*arguments)
        finally:
            for source, copy in self._copies.values():
                if updated is None:
                    np.copyto(copy, source, casting="same_kind")
                else:
                    copy[updated] = source[updated]
            self._are_copies_stale = False
        if failed:
            called = np.arange(self.nsim) if ids is None else ids
            wrong = called[self.status[called] != 0]
            raise SimulationError(wrong, self._core.error(int(wrong[0])), len(called))

    def step(self, ids: Any = None, nstep: int = 1, stage: int = 0) -> None:
        """Takes ``nstep`` steps (``mj_step``), then computes the stages up to ``stage`` at the new state.

        As after ``mj_step``, fields that are not part of the state have the values that were computed from the state
        before the last step.
        """
        ids, _ = self._selected(ids)
        self._call(ids, self._core.step, ids, integer("nstep", nstep, 0, MAX_INT), integer("stage", stage, 0, _ACC))

    def forward(self, ids: Any = None, stage: int = _ACC) -> None:
        """Computes the stages of ``mj_forward`` up to ``stage`` at the current states, by default all stages."""
        ids, _ = self._selected(ids)
        self._call(ids, self._core.forward, ids, integer("stage", stage, 0, _ACC))

    def reset(self, ids: Any = None, keyframe: Any = -1, stage: int = _ACC) -> None:
        """Resets simulations to the model's defaults (``keyframe=-1``), or to a keyframe, whose number is one for all
        or one for each simulation in ``ids``; then computes the stages up to ``stage``.
        """
        ids, n = self._selected(ids)
        models = self._models if isinstance(self._models, tuple) else (self._model_of(0),)
        keys = _integers("keyframe", keyframe, (n,), -1, max(each.nkey for each in models))
        if len(models) > 1:
            for sim, key in zip(range(n) if ids is None else ids, keys, strict=True):
                if key >= models[sim].nkey:
                    raise ValueError(f"keyframe must be in [-1, {models[sim].nkey}) for simulation {sim}, got {key}")
        numbers = None if (keys == -1).all() else keys.tolist()
        self._call(ids, self._core.reset, ids, numbers, integer("stage", stage, 0, _ACC))

    def get_data(self, sim: int, data: Any = None) -> Any:
        """Returns an ``MjData`` with simulation ``sim``'s state; if the batch is persistent, with all fields of the
        simulation. ``data`` is an ``MjData`` of the same sizes to write into.
        """
        sim = self._sim(sim, ValueError)
        if data is None:
            data = mujoco.MjData(self.model)
        elif self._template.misfit(data):
            raise ValueError("data: expected an MjData of the batch's model, or one of the same sizes")
        if self.persistent:
            self._call(np.array([sim], np.int32), self._core.copy_data, sim, data._address)
        else:
            mujoco.mj_setState(self.model, data, self.state[sim], INTEGRATION)
        return data

    def render(self, ids: Any = None, width: int = 480, height: int = 480, camera: int | str = -1) -> Any:
        """Returns pictures of simulations, ``(n, height, width, 3)`` uint8, by MuJoCo's renderer.

        ``camera`` is the id or name of a camera; -1 for the free camera. Raises a ``ValueError`` for an unknown camera,
        and a ``RuntimeError`` if there is no OpenGL.
        """
        ids, n = self._selected(ids)
        width, height = integer("width", width, 1, _MAX_PIXELS), integer("height", height, 1, _MAX_PIXELS)
        if isinstance(camera, str):
            number = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_CAMERA, camera)
            if number < 0:
                names = [self.model.camera(each).name for each in range(self.model.ncam)]
                raise ValueError(
                    f"camera={camera!r}: expected one of {', '.join(map(repr, names)) or 'no cameras: -1'}"
                )
        else:
            number = integer("camera", camera, -1, self.model.ncam - 1)
        sims = range(self.nsim) if ids is None else ids.tolist()
        differ = self._per_simulation or self._models is not None
        models = [_model_bytes(self.get_model(sim)) for sim in sims] if differ else []
        states = np.ascontiguousarray(self.state if ids is None else self.state[ids], np.float64)
        frames = self._core.render(states, models, number, width, height)
        return frames.reshape(n, height, width, 3)

    def hfield_height(self, geom: int | str, points: Any) -> Any:
        """Returns heights of a height field, ``(...)`` in the world's frame, at ``(..., 2)`` points; NaN outside of it.

        ``geom`` is the id or name of a height field of a static body, with the world's z axis. The surface has two
        triangles for each cell, as in MuJoCo. Raises a ``ValueError`` for another geom.
        """
        number = self.model.geom(geom).id
        if number not in self._terrains:
            self._terrains[number] = _Terrain(self.model, number)
        return self._terrains[number].height(_numbers("points", points))

    def rollout(
        self,
        nstep: int,
        control: Any = None,
        control_spec: int = int(mujoco.mjtState.mjSTATE_CTRL),
        record: Sequence[Any] = ("qpos",),
        ids: Any = None,
        out: dict[Any, Any] | None = None,
    ) -> dict[Any, Any]:
        """Takes ``nstep`` steps with inputs for each step, and records fields after each step.

        A simulation for which MuJoCo issues a warning takes no further steps, and its last record is repeated. Returns
        the ``(n, nstep, ...)`` array of each item of ``record``.

        Args:
            nstep: the number of steps.
            control: ``(n, nstep, size)`` inputs, or ``None`` to use the inputs in the state for all steps.
            control_spec: bits of ``mjtState`` that select the fields in ``control``, within ``mjSTATE_USER``.
            record: items to record: names of fields of ``MjData``, or bits of ``mjtState``.
            ids: the simulations.
            out: arrays for the records, by item of ``record``.
        """
        ids, n = self._selected(ids)
        nstep, spec = integer("nstep", nstep, 0, MAX_INT), _bits("control_spec", control_spec)
        if not is_series(record):
            raise TypeError(f"record={shown(record)}: expected a sequence of names of fields or bits of mjtState")
        if out is not None and not isinstance(out, Mapping):
            raise TypeError(f"out={out!r}: expected a dict of arrays by item of record, or None")
        if control is not None:
            if spec & ~int(mujoco.mjtState.mjSTATE_USER):
                raise ValueError(f"control_spec={spec}: expected bits within mjSTATE_USER")
            shape = (n, nstep, mujoco.mj_stateSize(self.model, spec))
            control = _numbers("control", control, shape)
        arrays, records = {}, []
        for item in bounded("record", record):
            name, bits = (item, 0) if isinstance(item, str) else (None, _bits("record", item))
            array = (out or {}).get(item)
            if array is None:
                of = self._template.field(name) if name else np.empty(mujoco.mj_stateSize(self.model, bits), NUM)
                array = np.empty((n, nstep, *of.shape), of.dtype)
            arrays[item] = array
            records.append((name, bits, array))
        self._call(ids, self._core.rollout, ids, nstep, control, spec, records)
        return arrays

    def jac(self, body: Any, point: Any, ids: Any = None) -> tuple[Any, Any]:
        """Returns translational and rotational Jacobians, ``(n, 3, nv)`` each, of points on bodies (``mj_jac``):
        ``(3,)`` or ``(n, 3)`` points in the world's frame, on the body with an id, or with an id for each simulation.
        """
        ids, n = self._selected(ids)
        bodies = _integers("body", body, (n,), 0, self.model.nbody)
        points = _numbers("point", point, (n, 3))
        jacp, jacr = (np.zeros((n, 3, self.model.nv), NUM) for _ in range(2))
        self._call(ids, self._core.jac, ids, bodies, points, jacp, jacr)
        return jacp, jacr

    def ray(
        self,
        pnt: Any,
        vec: Any,
        geomgroup: Any = None,
        flg_static: bool = True,
        bodyexclude: Any = -1,
        ids: Any = None,
        normal: bool = False,
    ) -> tuple[Any, ...]:
        """Intersects rays with each simulation's geoms (``mj_ray``). Returns ``(n, nray)`` distances and geom ids, -1
        for a miss, and the ``(n, nray, 3)`` normals if ``normal`` is true.

        Args:
            pnt: origins, broadcast to ``(n, nray, 3)``.
            vec: directions, broadcast to ``(n, nray, 3)``.
            geomgroup: a number for each geom group, 0 for a group that rays pass through; ``None``: rays hit all
                groups.
            flg_static: whether rays hit geoms of static bodies.
            bodyexclude: body whose geoms a ray passes through, -1 for no body, broadcast to ``(n, nray)``.
            ids: the simulations.
            normal: whether to return normals.
        """
        ids, n = self._selected(ids)
        lines = [np.atleast_2d(_numbers(name, value)) for name, value in (("pnt", pnt), ("vec", vec))]
        try:
            count = np.broadcast_shapes(*(line.shape[:-1] for line in lines))[-1]
        except ValueError:
            raise ValueError(f"pnt and vec have shapes {lines[0].shape} and {lines[1].shape}: expected rays") from None
        shape = (n, count, 3)
        lines = [_numbers(*each, shape) for each in zip(("pnt", "vec"), lines, strict=True)]
        excluded = _integers("bodyexclude", bodyexclude, (n, count), -1, self.model.nbody)
        groups = None
        if geomgroup is not None:
            given = as_array("geomgroup", geomgroup)
            given = given.astype(np.int64) if given.dtype == bool else given
            groups = _integers("geomgroup", given, given.shape, 0, 256).ravel().tolist()
        distances, geoms = np.zeros((n, count), NUM), np.zeros((n, count), np.int32)
        normals = np.zeros(shape, NUM) if _truth("normal", normal) else None
        is_static = _truth("flg_static", flg_static)
        self._call(ids, self._core.ray, ids, count, lines, groups, is_static, excluded, distances, geoms, normals)
        return (distances, geoms) if normals is None else (distances, geoms, normals)

    def expand(self, name: str) -> Any:
        """Returns a model field's values for each simulation, ``(nsim, ...)``, to be written.

        ``name`` is one of ``MODEL_FIELDS``: a field of ``MjModel``, or of ``MjOption`` as ``"opt.<name>"``. After a
        change of masses, sizes or positions, call ``set_const``. The native stepper has a value for each simulation of
        some fields, such as ``body_mass``, ``geom_friction`` and ``dof_damping``. If any other field is expanded,
        MuJoCo's library takes all steps, and ``why`` names the field.

        Raises a ``ValueError`` for other names, such as an index or a type, on which the safety of MuJoCo's memory
        accesses depends, and a ``mujoco.FatalError`` if ``set_models`` has set models.
        """
        model_field(self.model, text("name", name))
        if self._models is not None:
            raise mujoco.FatalError(f"expand({name!r}): simulations have caller models: edit them, or set_models(None)")
        self._expanded[name] = self._values(name)
        return self._expanded[name]

    def expanded(self, name: str) -> Any:
        """Returns the read-only values for each simulation of a field in ``MODEL_FIELDS``; ``None`` if the field is not
        expanded.
        """
        model_field(self.model, text("name", name))
        if name not in self._per_simulation:
            return None
        return _read_only(self._values(name).view())

    def _values(self, name: str) -> Any:
        """Expands a model field if necessary, and returns its values for each simulation."""
        if name not in self._per_simulation:
            template = array_of(self.model, name)
            rows = self._core.expand(name, template.nbytes) if template.nbytes else np.zeros((self.nsim, 0), np.uint8)
            self._per_simulation[name] = _typed(rows, template)
        values = self._per_simulation[name]
        if name == "bvh_aabb":
            # The bounding volumes of bodies come first, then those of meshes, which all simulations share.
            meshes = [start for start in self.model.mesh_bvhadr if start >= 0]
            values = values[:, : min(meshes, default=self.model.nbvhstatic)]
        return values

    def get_model(self, sim: int, model: Any = None) -> Any:
        """Returns simulation ``sim``'s model: a copy that has the simulation's values of expanded fields. ``model`` is
        an ``MjModel`` of the same sizes to write into; its assets are not changed.
        """
        sim = self._sim(sim)
        base = self._model_of(sim)
        if model is None:
            model = copy.copy(base)
        else:
            for name in (*ARRAY_FIELDS, *STATISTICS):
                template, value = array_of(model, name), array_of(base, name)
                if value is not None and (template is None or template.shape != value.shape):
                    raise ValueError(f"model: expected a model of the same sizes; {name} has another shape")
                if value is not None:
                    _write_field(model, name, value)
        for name, values in self._per_simulation.items():
            _write_field(model, name, values[sim])
        return model

    def set_models(self, models: Any) -> None:
        """Makes simulation ``i`` use ``models[i]``, a model with the sizes of the batch's model. MuJoCo's library then
        takes all steps.

        ``models`` are an ``MjModel`` for each simulation, one for all, or ``None`` for the batch's model. They are
        copied: set them again after a change. Raises a ``mujoco.FatalError`` if fields are expanded.
        """
        if models is None:
            self._core.set_models([], [])
            self._models = None
            return
        if self._per_simulation:
            names = ", ".join(self._per_simulation)
            raise mujoco.FatalError(f"set_models: fields have per-simulation values ({names}): make another batch")
        is_one = isinstance(models, mujoco.MjModel)
        if not is_one and not is_series(models):
            raise TypeError(f"models={shown(models)}: expected an MjModel, a sequence of them, or None")
        listed = [models] if is_one else list(islice(models, self.nsim + 1))
        for at, each in enumerate(listed):
            if not isinstance(each, mujoco.MjModel):
                raise TypeError(f"models[{at}]={shown(each)}: expected an MjModel")
            name = self._template.misfit(mujoco.MjData(each))
            if name is not None:
                raise ValueError(f"models[{at}]: expected the sizes of the batch's model; {name} has another shape")
        if not is_one and len(listed) != self.nsim:
            found = len(models) if isinstance(models, Sized) else len(listed)
            raise ValueError(f"models has {found} entries: expected {self.nsim}, a model per simulation")
        distinct = {id(each): each for each in listed}
        places = {key: place for place, key in enumerate(distinct)}
        indices = [0] * self.nsim if is_one else [places[id(each)] for each in listed]
        self._core.set_models([_model_bytes(each) for each in distinct.values()], indices)
        self._models = models if is_one else tuple(listed)

    @property
    def models(self) -> Any:
        """Models that ``set_models`` has set: one, or a tuple with one for each simulation; ``None`` for none."""
        return self._models

    def _model_of(self, sim: int) -> Any:
        return self._models[sim] if isinstance(self._models, tuple) else self._models or self.model

    def _constants(self) -> list[tuple[str, int]]:
        """Returns names and numbers of bytes of the fields that ``mj_setConst`` may change."""
        templates = ((name, array_of(self.model, name)) for name in (*ARRAY_FIELDS, *STATISTICS) if name[:4] != "opt.")
        return [(name, template.nbytes) for name, template in templates if template is not None]

    def set_const(self, ids: Any = None) -> None:
        """Computes the constants of each simulation's model from its values of expanded fields (``mj_setConst``).

        Raises a ``SimulationError`` for simulations for whose models MuJoCo cannot compute constants, and a
        ``mujoco.FatalError`` if ``set_models`` has set models.
        """
        if self._models is not None:
            raise mujoco.FatalError("set_const: simulations have caller models: call mj_setConst on them")
        ids, _ = self._selected(ids)
        failed, changed = self._core.set_const(ids, self._constants)
        for name in sorted({name for _, name, _ in changed}):
            self._values(name)
        self._core.set_expanded(changed)
        self._call(ids, lambda: failed)


class _Terrain:
    """Surface of a height field in the world's frame."""

    def __init__(self, model: Any, geom: int) -> None:
        field = int(model.geom_dataid[geom])
        data = mujoco.MjData(model)
        mujoco.mj_kinematics(model, data)
        axes = data.geom_xmat[geom].reshape(3, 3)
        is_static = model.body_weldid[model.geom_bodyid[geom]] == 0
        is_field = model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_HFIELD
        if not (is_field and is_static and axes[2, 2] > 1 - 1e-9):
            name = model.geom(geom).name or geom
            raise ValueError(f"geom={name!r}: expected a height field of a static body, with a vertical z axis")
        self._origin, self._axes = data.geom_xpos[geom].copy(), axes[:2, :2].copy()
        self._shape = rows, columns = int(model.hfield_nrow[field]), int(model.hfield_ncol[field])
        start, scale = model.hfield_adr[field], model.hfield_size[field, 2]
        self._half = model.hfield_size[field, :2].copy()
        self._heights = model.hfield_data[start : start + rows * columns].reshape(rows, columns) * NUM(scale)

    def height(self, points: Any) -> Any:
        if points.shape[-1:] != self._half.shape:
            raise ValueError(f"points has shape {points.shape}: expected (..., 2)")
        counts = np.array(self._shape[::-1]) - 1
        cells = ((points - self._origin[:2]) @ self._axes / self._half + 1) / 2 * counts
        inside = ((cells >= 0) & (cells <= counts)).all(axis=-1)
        corner = np.clip(np.nan_to_num(cells), 0, counts - 1).astype(np.int64)
        column, row = np.moveaxis(corner, -1, 0)
        x, y = np.moveaxis(cells - corner, -1, 0)
        near, far = self._heights[row, column], self._heights[row + 1, column + 1]
        # The diagonal of a cell connects its corners with the smallest and with the largest indices.
        right, above = self._heights[row, column + 1], self._heights[row + 1, column]
        surface = np.where(
            x >= y, near + x * (right - near) + y * (far - right), near + y * (above - near) + x * (far - above)
        )
        return np.where(inside, surface + self._origin[2], np.nan)


def _cpus(cpu_ids: Any) -> list[int]:
    if not is_series(cpu_ids) or not len(cpu_ids):
        raise TypeError(f"cpu_ids={shown(cpu_ids)}: expected a sequence of numbers of CPUs, or None")
    numbers = [integer(f"cpu_ids[{index}]", each, 0) for index, each in enumerate(bounded("cpu_ids", cpu_ids))]
    usable = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set(range(os.cpu_count() or 1))
    for number in numbers:
        if number not in usable:
            raise ValueError(f"cpu_ids={number}: expected CPUs that this process may use: {sorted(usable)}")
    return numbers


def _typed(rows: Any, template: Any) -> Any:
    """Returns a field as an array with a row for each simulation, a view of rows of bytes that begin with the field."""
    if not template.size:
        return np.zeros((len(rows), *template.shape), template.dtype)
    return rows[:, : template.nbytes].view(template.dtype).reshape(len(rows), *template.shape)


def _write_field(model: Any, name: str, value: Any) -> None:
    *of, name = name.split(".")
    owner = getattr(model, of[0]) if of else model
    if isinstance(getattr(owner, name), np.ndarray):
        getattr(owner, name)[...] = value
    else:
        setattr(owner, name, value.item())
