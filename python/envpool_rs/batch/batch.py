"""``Batch``: many simulations of one MuJoCo model."""

from __future__ import annotations

import copy
import functools
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from itertools import islice
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import array as as_array
from envpool_rs._arguments import choice, flag, integer, is_series, shown, text
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs.batch.arguments import (
    broadcast,
    check_callbacks,
    check_model,
    checked_ids,
    integers,
    model_bytes,
    numbers,
    read_model,
)
from envpool_rs.batch.fields import (
    ARRAY_FIELDS,
    DATA_FIELDS,
    INTEGRATION,
    MODEL_FIELDS,
    NUM,
    STATE_FIELDS,
    STATISTICS,
    USER,
    SimulationError,
    hint,
    is_output,
    model_template,
    not_bindable,
    not_expandable,
    similar_names,
    template_of,
)

# The extension's simulations


class Simulations:
    """The extension's simulations of one MuJoCo model. Arrays must have exactly the documented dtypes and shapes."""

    def __init__(self, core: _core.MujocoBatch, model: Any, data: Any, nsim: int) -> None:
        self._core = core
        self._model = model
        self._data = data
        self._nsim = nsim

    def rollout(self, ids: Any, nstep: int, control: Any, control_spec: int, records: Any) -> int:
        """Steps simulations with inputs for each step, and writes records after each step."""
        n = self._nsim if ids is None else len(ids)
        given = None
        if control is not None:
            size = self.state_size(control_spec, "control_spec")
            if control_spec & ~USER:
                raise ValueError(f"control_spec={control_spec}: expected bits within mjSTATE_USER")
            given = (self._numbers("control", control, (n, nstep, size), NUM), control_spec, size)
        taken = []
        for name, spec, array in records:
            if name is None:
                shape, dtype = (self.state_size(spec, "spec"),), np.dtype(NUM)
            else:
                template = template_of(self._data, name) if name in DATA_FIELDS else None
                if template is None:
                    raise not_bindable(self._data, name)
                shape, dtype = template.shape, template.dtype
            if not isinstance(array, np.ndarray):
                raise ValueError(f"record {name or spec}: expected an array")
            self._numbers(f"record {name or spec}", array, (n, nstep, *shape), dtype)
            taken.append((name, spec, int(np.prod(shape)) * dtype.itemsize, array))
        return self._core.rollout(ids, nstep, given, taken)

    def jac(self, ids: Any, body: Any, point: Any, jacp: Any, jacr: Any) -> int:
        """Computes Jacobians of points ``(n, 3)`` on bodies (int32 ``(n,)``), and writes them into ``(n, 3, nv)``
        arrays that are not ``None``.
        """
        self._check_ids(ids)
        n = self._nsim if ids is None else len(ids)
        self._typed("body", body, (n,), np.int32)
        self._typed("point", point, (n, 3), NUM)
        for name, array in (("jacp", jacp), ("jacr", jacr)):
            if array is not None:
                self._typed(name, array, (n, 3, self._model.nv), NUM)
        return self._core.jac(ids, body.tolist(), point, jacp, jacr)

    def state_size(self, spec: int, name: str) -> int:
        """Returns the number of values of the state components that bits of ``mjtState`` select."""
        if not 0 <= spec < 1 << int(mujoco.mjtState.mjNSTATE):
            raise ValueError(f"{name}={spec}: expected bits of mjtState")
        return int(mujoco.mj_stateSize(self._model, spec))

    @staticmethod
    def _check_ids(ids: Any) -> None:
        if ids is not None and not (isinstance(ids, np.ndarray) and ids.dtype == np.int32):
            raise TypeError("ids: expected an array of int32")

    def _typed(self, name: str, array: Any, shape: tuple[int, ...], dtype: Any) -> Any:
        """Raises a ``TypeError`` if an array has the wrong dtype or memory order, and a ``ValueError`` if it has the
        wrong shape.
        """
        if not isinstance(array, np.ndarray) or array.dtype != dtype or not array.flags.c_contiguous:
            raise TypeError(f"{name}: expected a C-contiguous array of {np.dtype(dtype)}")
        if array.shape != shape:
            raise ValueError(f"{name} must have shape {shape}, got {array.shape}")
        return array

    def _numbers(self, name: str, array: Any, shape: tuple[int, ...], dtype: Any) -> Any:
        """Raises a ``ValueError`` if an array of numbers has the wrong dtype, memory order or shape."""
        try:
            return self._typed(name, array, shape, dtype)
        except TypeError as error:
            raise ValueError(str(error)) from None


# Named objects

_COMPUTED = {("actuator", "moment")}
"""Attributes of the package's views that are no slices of a field."""

_FIELDS: dict[tuple[str, str, bool], str] = {}
"""Field that holds an attribute, by kind, attribute and whether it is a model's."""


def is_structural(field: str, _part: Any) -> bool:
    """Returns whether a field of the model holds addresses, counts, ids or types."""
    return field in ARRAY_FIELDS and field not in MODEL_FIELDS


def _field_of(owner: Any, names: Iterable[str], part: Any) -> str | None:
    """Returns the field of ``owner`` whose memory contains an array."""
    for name in names:
        whole = getattr(owner, name, None)
        if isinstance(whole, np.ndarray) and whole.dtype == part.dtype and part.size:
            offset = part.ctypes.data - whole.ctypes.data
            if 0 <= offset <= whole.nbytes - part.nbytes:
                return name
    return None


class Named:
    """An object of a batch's model, such as a joint. Its attributes are slices of fields, with a row for each
    simulation.

    Reading an attribute of ``MjData`` binds its field. An attribute of ``MjModel`` has the values of each simulation if
    its field is expanded. Otherwise it has the model's values and is read-only; an assignment expands the field.
    """

    _batch: Any
    _kind: str
    _views: tuple[Any, Any]
    id: int
    name: str

    def __init__(self, batch: Any, kind: str, key: int | str, *, has_data: bool = True) -> None:
        of_model = getattr(batch.model, kind)(key)
        of_data = getattr(batch._data, kind)(key) if has_data else None
        for name, value in (("_batch", batch), ("_kind", kind), ("_views", (of_data, of_model))):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "id", of_model.id)
        object.__setattr__(self, "name", of_model.name)

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):  # `copy` reads such attributes before `_batch` is set
            raise AttributeError(f"{attribute} is not a field")
        return self._slice(attribute, is_written=False)

    def __setattr__(self, attribute: str, value: Any) -> None:
        """Writes ``value`` to the slice of every simulation."""
        if attribute in ("id", "name") or attribute.startswith("_"):
            raise AttributeError(f"{attribute} is read-only")
        self._slice(attribute, is_written=True)[...] = value

    def _slice(self, attribute: str, *, is_written: bool) -> Any:
        batch, kind = self._batch, self._kind
        is_in_no_field = is_computed = (kind, attribute) in _COMPUTED
        sources = ((False, batch._data, DATA_FIELDS), (True, batch.model, ARRAY_FIELDS))
        for (is_model, owner, names), view in zip(sources, self._views, strict=True):
            part = None if view is None or (is_computed and not is_model) else getattr(view, attribute, None)
            if not isinstance(part, np.ndarray):
                continue
            if not part.size:
                empty = np.empty((batch.nsim, *part.shape), part.dtype)
                empty.flags.writeable = False
                return empty
            key = (kind, attribute, is_model)
            field = _FIELDS.get(key) or _field_of(owner, names, part)
            if field is None:
                is_in_no_field = True
                continue
            _FIELDS[key] = field
            if is_model:
                return self._of_model(attribute, field, part, is_written=is_written)
            if is_written and field not in STATE_FIELDS:
                raise is_output(f"{kind} {attribute}")
            return self._cut(batch.bind(field), owner, field, part)
        if is_in_no_field:
            raise AttributeError(f"{kind} {attribute} is not a slice of a field that the batch binds or expands")
        known = [name for view in self._views if view is not None for name in dir(view)]
        raise AttributeError(f"{attribute} is not a field of a {kind}{similar_names(attribute, known)}")

    def _of_model(self, attribute: str, field: str, part: Any, *, is_written: bool) -> Any:
        batch = self._batch
        if batch.models is not None:
            if is_written:
                raise ValueError(f"{field} comes from the caller models (set_models): edit them, call set_models again")
            views = (getattr(batch._model_of(sim), self._kind)(self.id) for sim in range(batch.nsim))
            stacked = np.stack([getattr(view, attribute) for view in views])
            stacked.flags.writeable = False
            return stacked
        if field not in batch._expanded:
            if is_structural(field, part):
                if is_written:
                    raise ValueError(f"{field} is structural: it cannot differ between simulations")
                return np.broadcast_to(part, (batch.nsim, *part.shape))
            if not is_written:
                values = batch.expanded(field)
                if values is None:
                    return np.broadcast_to(part, (batch.nsim, *part.shape))
                return self._cut(values, batch.model, field, part)
        return self._cut(batch.expand(field), batch.model, field, part)

    def _cut(self, rows: Any, owner: Any, field: str, part: Any) -> Any:
        """Returns, from each row, the elements that ``part`` selects in the owner's field ``whole``."""
        whole = getattr(owner, field)
        start = (part.ctypes.data - whole.ctypes.data) // whole.itemsize
        flat = rows.reshape(self._batch.nsim, -1)
        return flat[:, start : start + part.size].reshape(self._batch.nsim, *part.shape)


# The batch

MAX_INT = 2**31 - 1
"""Largest number of simulations and of steps."""

_MAX_THREADS = 4096
"""Largest number of threads."""

_ACC = int(mujoco.mjtStage.mjSTAGE_ACC)
"""The last stage of MuJoCo's pipeline."""


class Batch(KnownAttributes):
    """``nsim`` simulations of a copy of a model, on ``nthread`` threads, with the names of ``mujoco.batch.Batch``.

    A row of ``state`` is the complete state of one simulation. ``bind`` returns an array of a field with a row for each
    simulation. Fields of the state are views of ``state``: the next call uses values that are written into them. All
    other fields are read-only, and every call updates them. Results do not depend on the number of threads.

    Args:
        model: an ``MjModel``, the path of a model file, or XML text.
        nsim: the number of simulations.
        nthread: the number of threads, including the calling thread if its stack is large enough; 0: one per CPU.
        persistent: whether each simulation keeps its own ``MjData``.
        physics: ``"native"`` for this package's stepper, which steps several simulations at once with MuJoCo's bits;
            ``"library"`` for MuJoCo's library; ``"auto"`` for the native stepper if it supports the model.
        unstable: ``"reset"`` lets MuJoCo reset simulations with invalid numbers, as ``mujoco.batch`` does; ``"raise"``
            raises a ``SimulationError`` for these simulations, which keep the state before the call.

    Raises:
        ValueError: for ``physics="native"`` and a model that the native stepper does not support; the message has all
            reasons.
    """

    model: Any
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
    ) -> None:
        nsim = integer("nsim", nsim, 1, MAX_INT)
        nthread = integer("nthread", nthread, 0, _MAX_THREADS)
        persistent = flag("persistent", persistent)
        choice("physics", physics, ("auto", "library", "native"))
        choice("unstable", unstable, ("raise", "reset"))
        model = read_model(model)
        check_model(model, persistent)
        check_callbacks()
        core = _core.MujocoBatch(model_bytes(model), nsim, nthread, persistent, physics, unstable == "raise")
        if physics == "native" and not core.is_native:
            reasons = [*core.refusals, *core.obstacles()]
            raise ValueError(f"physics='native': expected 'auto' or 'library' for this model: {'; '.join(reasons)}")
        self._core = core
        self._nsim = nsim
        self._persistent = persistent
        self._models: Any = None
        self._nkey: int = model.nkey
        self._bound: dict[str, Any] = {}
        self._copies: dict[str, tuple[Any, Any]] = {}
        self._are_copies_stale = False
        self._per_simulation: dict[str, Any] = {}
        self._expanded: dict[str, Any] = {}
        self.model = model
        self.state, self.warning, self.status = core.arrays()
        self.status.flags.writeable = False
        self._b = Simulations(core, model, self._data, nsim)

    @functools.cached_property
    def _data(self) -> Any:
        """``MjData`` of the model, for shapes and dtypes of fields."""
        return mujoco.MjData(self.model)

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

    def _unknown_attribute(self, name: str) -> AttributeError:
        return AttributeError(f"'Batch' object has no attribute {name!r} to assign{hint(name, STATE_FIELDS)}")

    @property
    def nsim(self) -> int:
        """Number of simulations."""
        return self._nsim

    @property
    def nthread(self) -> int:
        """Number of threads, the caller's included."""
        return int(self._core.nthread)

    @property
    def nstate(self) -> int:
        """Number of values of a row of ``state``."""
        return int(self.state.shape[1])

    @property
    def persistent(self) -> bool:
        """Whether each simulation keeps its own ``MjData``."""
        return self._persistent

    @property
    def physics(self) -> str:
        """``"native"`` or ``"library"``: the stepper that the next call of ``step`` uses for all steps that it
        supports.
        """
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

    def _sim(self, sim: Any) -> int:
        number = integer("sim", sim)
        if not 0 <= number < self.nsim:
            raise IndexError(f"sim must be in [0, {self.nsim}), got {number}")
        return number

    def bind(self, name: str, dtype: Any = None) -> Any:
        """Returns the ``(nsim, ...)`` array of a field of ``MjData``.

        Args:
            name: one of ``DATA_FIELDS``. Fields of the state have MuJoCo's number type, ``eq_active`` as well.
            dtype: ``np.float32`` for a read-only copy with that dtype, which every call updates; default: the field's
                dtype.

        Raises:
            ValueError: for a name that is not in ``DATA_FIELDS``, for another dtype, and for a field of integers with
                ``np.float32``.
        """
        text("name", name)
        if dtype is not None:
            return self._float32_copy(name, dtype)
        if name in STATE_FIELDS:
            bit = STATE_FIELDS[name]
            start = mujoco.mj_stateSize(self.model, INTEGRATION & (bit - 1))
            view = self.state[:, start : start + mujoco.mj_stateSize(self.model, bit)]
            return view[:, 0] if name == "time" else view.reshape(self.nsim, *getattr(self._data, name).shape)
        if name not in self._bound:
            template = template_of(self._data, name) if name in DATA_FIELDS else None
            if template is None:
                raise not_bindable(self._data, name)
            array = typed_rows(self._core.bind(name, template.nbytes), template.dtype, template.shape, template.nbytes)
            array.flags.writeable = False
            self._bound[name] = array
        return self._bound[name]

    def _float32_copy(self, name: str, dtype: Any) -> Any:
        """Returns the float32 copy of a field."""
        if not isinstance(dtype, (type, str, np.dtype)) or dtype not in (np.float32, "float32", np.dtype(np.float32)):
            raise ValueError(f"dtype={dtype!r}: expected np.float32, or None for the field's own dtype")
        if name not in self._copies:
            source = self.bind(name)
            if source.dtype.kind != "f":
                raise ValueError(f"dtype={dtype!r}: expected None for {name}, which has the dtype {source.dtype}")
            copy = source.astype(np.float32)
            self._copies[name] = source, copy
        view = self._copies[name][1][:]
        view.flags.writeable = False
        return view

    def actuator(self, key: int | str) -> Named:
        """Returns an actuator's slices of fields."""
        return Named(self, "actuator", key)

    def body(self, key: int | str) -> Named:
        """Returns a body's slices of fields."""
        return Named(self, "body", key)

    def camera(self, key: int | str) -> Named:
        """Returns a camera's slices of fields."""
        return Named(self, "camera", key)

    def equality(self, key: int | str) -> Named:
        """Returns an equality constraint's slices of fields."""
        return Named(self, "equality", key, has_data=False)

    def geom(self, key: int | str) -> Named:
        """Returns a geom's slices of fields."""
        return Named(self, "geom", key)

    def joint(self, key: int | str) -> Named:
        """Returns a joint's slices of fields."""
        return Named(self, "joint", key)

    def keyframe(self, key: int | str) -> Named:
        """Returns a keyframe's slices of fields."""
        return Named(self, "keyframe", key, has_data=False)

    def light(self, key: int | str) -> Named:
        """Returns a light's slices of fields."""
        return Named(self, "light", key)

    def material(self, key: int | str) -> Named:
        """Returns a material's slices of fields."""
        return Named(self, "material", key, has_data=False)

    def numeric(self, key: int | str) -> Named:
        """Returns a numeric's slices of fields."""
        return Named(self, "numeric", key, has_data=False)

    def pair(self, key: int | str) -> Named:
        """Returns a contact pair's slices of fields."""
        return Named(self, "pair", key, has_data=False)

    def sensor(self, key: int | str) -> Named:
        """Returns a sensor's slices of fields."""
        return Named(self, "sensor", key)

    def site(self, key: int | str) -> Named:
        """Returns a site's slices of fields."""
        return Named(self, "site", key)

    def tendon(self, key: int | str) -> Named:
        """Returns a tendon's slices of fields."""
        return Named(self, "tendon", key)

    def _count(self, ids: Any) -> int:
        return self.nsim if ids is None else len(ids)

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

    # Steps

    def step(self, ids: Any = None, nstep: int = 1, stage: int = 0) -> None:
        """Takes ``nstep`` steps (``mj_step``), then computes the stages up to ``stage`` at the new state.

        As after ``mj_step``, fields that are not part of the state have the values that were computed from the state
        before the last step.

        Args:
            ids: increasing ids of the simulations, a bool for each simulation, or ``None`` for all.
            nstep: the number of steps.
            stage: ``mjtStage``.

        Raises:
            SimulationError: for simulations that fail.
            KeyboardInterrupt: at Ctrl-C; each simulation has then taken all ``nstep`` steps or none.
        """
        check_callbacks()
        ids = checked_ids(ids, self.nsim)
        self._call(ids, self._core.step, ids, integer("nstep", nstep, 0, MAX_INT), _stage(stage))

    def forward(self, ids: Any = None, stage: int = _ACC) -> None:
        """Computes the stages of ``mj_forward`` up to ``stage`` at the current states, by default all stages."""
        check_callbacks()
        ids = checked_ids(ids, self.nsim)
        self._call(ids, self._core.forward, ids, _stage(stage))

    def reset(self, ids: Any = None, keyframe: Any = -1, stage: int = _ACC) -> None:
        """Resets simulations to the model's defaults or to keyframes, then computes the stages up to ``stage``.

        Args:
            ids: the simulations.
            keyframe: number of a keyframe for all, or one number for each simulation in ``ids``; -1 for the model's
                defaults.
            stage: ``mjtStage``.
        """
        check_callbacks()
        ids = checked_ids(ids, self.nsim)
        keys = integers("keyframe", keyframe, (self._count(ids),), -1, self._nkey)
        for sim, key in zip(range(self.nsim) if ids is None else ids, keys, strict=True):
            if self._models is not None and key >= self._model_of(sim).nkey:
                raise ValueError(
                    f"keyframe must be in [-1, {self._model_of(sim).nkey}) for simulation {sim}, got {key}"
                )
        self._call(ids, self._core.reset, ids, None if (keys == -1).all() else keys.tolist(), _stage(stage))

    def get_data(self, sim: int, data: Any = None) -> Any:
        """Returns an ``MjData`` with simulation ``sim``'s state; if the batch is persistent, with all fields of the
        simulation.

        Args:
            sim: the simulation.
            data: an ``MjData`` of the same sizes to write into.
        """
        if not 0 <= integer("sim", sim) < self.nsim:
            raise ValueError(f"sim must be in [0, {self.nsim}), got {sim}")
        if data is None:
            data = mujoco.MjData(self.model)
        elif any(
            getattr(getattr(data, name, None), "shape", None) != template_of(self._data, name).shape
            for name in DATA_FIELDS - {"time"}
            if isinstance(getattr(self._data, name), np.ndarray)
        ):
            raise ValueError("data: expected an MjData of the batch's model, or one of the same sizes")
        if self.persistent:
            self._call(np.array([sim], np.int32), self._core.copy_data, sim, data._address)
        else:
            mujoco.mj_setState(self.model, data, self.state[sim], INTEGRATION)
        return data

    # Results of a call

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

        A simulation for which MuJoCo issues a warning takes no further steps, and its last record is repeated.

        Args:
            nstep: the number of steps.
            control: ``(n, nstep, size)`` inputs, or ``None`` to use the inputs in the state for all steps.
            control_spec: bits of ``mjtState`` that select the fields in ``control``, within ``mjSTATE_USER``.
            record: items to record: names of fields of ``MjData``, or bits of ``mjtState``.
            ids: the simulations.
            out: arrays for the records, by item of ``record``.

        Returns:
            The ``(n, nstep, ...)`` array of each item of ``record``.
        """
        check_callbacks()
        ids = checked_ids(ids, self.nsim)
        n, nstep, spec = self._count(ids), integer("nstep", nstep, 0, MAX_INT), _bits("control_spec", control_spec)
        if not is_series(record):
            raise TypeError(f"record={shown(record)}: expected a sequence of names of fields or bits of mjtState")
        if out is not None and not isinstance(out, Mapping):
            raise TypeError(f"out={out!r}: expected a dict of arrays by item of record, or None")
        if control is not None:
            shape = (n, nstep, self._b.state_size(spec, "control_spec"))
            control = np.ascontiguousarray(broadcast("control", numbers("control", control, NUM), shape))
        arrays, records = {}, []
        for item in record:
            if isinstance(item, str):
                template = template_of(self._data, item) if item in DATA_FIELDS else None
                if template is None:
                    raise not_bindable(self._data, item)
                shape, dtype = (n, nstep, *template.shape), template.dtype
            else:
                shape, dtype = (n, nstep, self._b.state_size(_bits("record", item), "record")), np.dtype(NUM)
            array = (out or {}).get(item)
            if array is None:
                array = np.empty(shape, dtype)
            elif not _is_like(array, shape, dtype):
                raise ValueError(f"out[{item!r}] must be a writable C-contiguous {dtype} array of shape {shape}")
            arrays[item] = array
            records.append((item, 0, array) if isinstance(item, str) else (None, _bits("record", item), array))
        self._call(ids, self._b.rollout, ids, nstep, control, spec, records)
        return arrays

    def jac(self, body: Any, point: Any, ids: Any = None) -> tuple[Any, Any]:
        """Returns translational and rotational Jacobians, ``(n, 3, nv)`` each, of points on bodies (``mj_jac``).

        Args:
            body: a body's id, or one id for each simulation in ``ids``.
            point: ``(3,)`` or ``(n, 3)`` points in the world's frame.
            ids: the simulations.
        """
        check_callbacks()
        ids = checked_ids(ids, self.nsim)
        n = self._count(ids)
        bodies = integers("body", body, (n,), 0, self.model.nbody)
        points = np.ascontiguousarray(broadcast("point", numbers("point", point, NUM), (n, 3)))
        jacp, jacr = (np.zeros((n, 3, self.model.nv), NUM) for _ in range(2))
        self._call(ids, self._b.jac, ids, bodies, points, jacp, jacr)
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
        """Intersects rays with each simulation's geoms (``mj_ray``).

        Args:
            pnt: origins, broadcast to ``(n, nray, 3)``.
            vec: directions, broadcast to ``(n, nray, 3)``.
            geomgroup: a number for each geom group, 0 for a group that rays pass through; ``None``: rays hit all
                groups.
            flg_static: whether rays hit geoms of static bodies.
            bodyexclude: body whose geoms a ray passes through, -1 for no body, broadcast to ``(n, nray)``.
            ids: the simulations.
            normal: whether to return normals.

        Returns:
            ``(n, nray)`` distances and geom ids, -1 for a miss, and the ``(n, nray, 3)`` normals if ``normal`` is true.
        """
        check_callbacks()
        ids = checked_ids(ids, self.nsim)
        n = self._count(ids)
        lines = [np.atleast_2d(numbers(name, value, NUM)) for name, value in (("pnt", pnt), ("vec", vec))]
        try:
            count = np.broadcast_shapes(*(line.shape[:-1] for line in lines))[-1]
        except ValueError:
            raise ValueError(f"pnt and vec have shapes {lines[0].shape} and {lines[1].shape}: expected rays") from None
        shape = (n, count, 3)
        lines = [np.ascontiguousarray(broadcast(*each, shape)) for each in zip(("pnt", "vec"), lines, strict=True)]
        excluded = integers("bodyexclude", bodyexclude, (n, count), -1, self.model.nbody)
        groups = None
        if geomgroup is not None:
            given = as_array("geomgroup", geomgroup)
            groups = integers(
                "geomgroup", given.astype(np.int64) if given.dtype == bool else given, given.shape, 0, 256
            )
            groups = groups.ravel().tolist()
        distances, geoms = np.zeros((n, count), NUM), np.zeros((n, count), np.int32)
        normals = np.zeros(shape, NUM) if _truth("normal", normal) else None
        is_static = _truth("flg_static", flg_static)
        self._call(ids, self._core.ray, ids, count, lines, groups, is_static, excluded, distances, geoms, normals)
        return (distances, geoms) if normals is None else (distances, geoms, normals)

    # Values of model fields for each simulation

    def expand(self, name: str) -> Any:
        """Returns a model field's values for each simulation, ``(nsim, ...)``, to be written.

        The native stepper has a value for each simulation of some fields, such as ``body_mass``, ``geom_friction`` and
        ``dof_damping``. If any other field is expanded, MuJoCo's library takes all steps, and ``why`` names the field.

        Args:
            name: one of ``MODEL_FIELDS``: a field of ``MjModel``, or of ``MjOption`` as ``"opt.<name>"``. After a
                change of masses, sizes or positions, call ``set_const``.

        Raises:
            ValueError: for a name that is not in ``MODEL_FIELDS``, such as an index or a type, on which the safety of
                MuJoCo's memory accesses depends.
            mujoco.FatalError: if ``set_models`` has set models.
        """
        if text("name", name) not in MODEL_FIELDS:
            raise not_expandable(self.model, name)
        if self._models is not None:
            raise mujoco.FatalError(f"expand({name!r}): simulations have caller models: edit them, or set_models(None)")
        self._expanded[name] = self._values(name)
        return self._expanded[name]

    def expanded(self, name: str) -> Any:
        """Returns a model field's read-only values for each simulation; ``None`` if the field is not expanded.

        Raises:
            ValueError: for a name that is not in ``MODEL_FIELDS``.
        """
        if text("name", name) not in MODEL_FIELDS:
            raise not_expandable(self.model, name)
        if name not in self._per_simulation:
            return None
        values = self._values(name).view()
        values.flags.writeable = False
        return values

    def _values(self, name: str) -> Any:
        """Expands a model field if necessary, and returns its values for each simulation."""
        template = model_template(self.model, name)
        if template is None:
            raise not_expandable(self.model, name)
        if name not in self._per_simulation:
            array = self._core.expand(name, template.nbytes) if template.nbytes else np.zeros((self.nsim, 0), np.uint8)
            self._per_simulation[name] = typed_rows(array, template.dtype, template.shape, template.nbytes)
        values = self._per_simulation[name]
        # `bvh_aabb` has the bounding volumes of bodies first, then those of meshes, which cannot differ between
        # simulations.
        return values[:, : self._body_volumes()] if name == "bvh_aabb" else values

    def _body_volumes(self) -> int:
        starts = [start for start in self.model.mesh_bvhadr if start >= 0]
        return int(min(starts, default=self.model.nbvhstatic))

    def get_model(self, sim: int, model: Any = None) -> Any:
        """Returns simulation ``sim``'s model: a copy that has the simulation's values of expanded fields.

        Args:
            sim: the simulation.
            model: an ``MjModel`` of the same sizes to write into; its assets are not changed.
        """
        sim = self._sim(sim)
        base = self._model_of(sim)
        if model is None:
            model = copy.copy(base)
        else:
            self._write_model(model, base)
        for name, values in self._per_simulation.items():
            _write_field(model, name, values[sim])
        return model

    @staticmethod
    def _write_model(model: Any, base: Any) -> None:
        for name in (*ARRAY_FIELDS, *STATISTICS):
            template, value = model_template(model, name), model_template(base, name)
            if value is None:
                continue
            if template is None or template.shape != value.shape:
                raise ValueError(f"model: expected a model of the same sizes; {name} has another shape")
            _write_field(model, name, value)

    def set_models(self, models: Any) -> None:
        """Makes simulation ``i`` use ``models[i]``, a model with the sizes of the batch's model. MuJoCo's library then
        takes all steps.

        Args:
            models: an ``MjModel`` for each simulation, one for all, or ``None`` for the batch's model. The models are
                copied: set them again after a change.

        Raises:
            mujoco.FatalError: if fields are expanded.
        """
        if models is None:
            self._core.set_models([], [])
            self.__dict__.update(_models=None, _nkey=self.model.nkey)
            return
        if self._per_simulation:
            names = ", ".join(self._per_simulation)
            raise mujoco.FatalError(f"set_models: fields have per-simulation values ({names}): make another batch")
        if not isinstance(models, mujoco.MjModel) and not is_series(models):
            raise TypeError(f"models={shown(models)}: expected an MjModel, a sequence of them, or None")
        listed = [models] if isinstance(models, mujoco.MjModel) else list(islice(models, self.nsim + 1))
        for at, each in enumerate(listed):
            if not isinstance(each, mujoco.MjModel):
                raise TypeError(f"models[{at}]={shown(each)}: expected an MjModel")
            self._check_sizes(at, each)
        if not isinstance(models, mujoco.MjModel) and len(listed) != self.nsim:
            found = len(models) if isinstance(models, Sized) else len(listed)
            raise ValueError(f"models has {found} entries: expected {self.nsim}, a model per simulation")
        own: dict[int, int] = {}
        indices = [own.setdefault(id(each), len(own)) for each in listed]
        distinct = [next(each for each in listed if id(each) == key) for key in own]
        self._core.set_models(
            [model_bytes(each) for each in distinct], indices if len(indices) > 1 else [0] * self.nsim
        )
        kept = models if isinstance(models, mujoco.MjModel) else tuple(listed)
        self.__dict__.update(_models=kept, _nkey=max(each.nkey for each in listed))

    def _check_sizes(self, at: int, model: Any) -> None:
        data = mujoco.MjData(model)
        for name in DATA_FIELDS:
            if (
                template_of(data, name) is not None
                and template_of(data, name).shape != template_of(self._data, name).shape
            ):
                raise ValueError(f"models[{at}]: expected the sizes of the batch's model; {name} has another shape")

    @property
    def models(self) -> Any:
        """Models that ``set_models`` has set: one, or a tuple with one for each simulation; ``None`` if there are
        none.
        """
        return self._models

    def _model_of(self, sim: int) -> Any:
        if self._models is None:
            return self.model
        return self._models[sim] if isinstance(self._models, tuple) else self._models

    def set_const(self, ids: Any = None) -> None:
        """Computes the constants of each simulation's model from its values of expanded fields (``mj_setConst``).

        Raises:
            SimulationError: for simulations for whose models MuJoCo cannot compute constants.
            mujoco.FatalError: if ``set_models`` has set models.
        """
        if self._models is not None:
            raise mujoco.FatalError("set_const: simulations have caller models: call mj_setConst on them")
        ids = checked_ids(ids, self.nsim)
        templates = {name: model_template(self.model, name) for name in (*ARRAY_FIELDS, *STATISTICS)}
        fields = [
            (name, template.nbytes)
            for name, template in templates.items()
            if template is not None and not name.startswith("opt.")
        ]
        failed, changed = self._core.set_const(ids, fields)
        for name in sorted({name for _, name, _ in changed}):
            self._values(name)
        self._core.set_expanded(changed)
        self._call(ids, lambda: failed)


def typed_rows(rows: Any, dtype: Any, shape: tuple[int, ...], size: int) -> Any:
    """Returns a field as ``(nsim, *shape)`` numbers, a view of rows of bytes: the first ``size`` bytes of a row are the
    field.
    """
    if not size:
        return np.zeros((len(rows), *shape), dtype)
    return rows[:, :size].view(dtype).reshape(len(rows), *shape)


def _write_field(model: Any, name: str, value: Any) -> None:
    """Writes a value into a field of an ``MjModel``, or of its ``opt`` or ``stat``."""
    of, _, field = name.partition(".")
    owner, name = (getattr(model, of), field) if field else (model, name)
    if isinstance(getattr(owner, name), np.ndarray):
        getattr(owner, name)[...] = value
    else:
        setattr(owner, name, value.item())


def _truth(name: str, value: Any) -> bool:
    try:
        return bool(value)
    except ValueError:
        raise ValueError(f"{name}={shown(value)}: expected a bool") from None


def _bits(name: str, value: Any) -> int:
    """Returns bits of ``mjtState`` as an int."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={shown(value)}: expected bits of mjtState") from None


def _is_like(array: Any, shape: tuple[int, ...], dtype: Any) -> bool:
    is_array = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype
    return is_array and array.flags.c_contiguous and array.flags.writeable


def _stage(stage: Any) -> int:
    return integer("stage", int(stage) if isinstance(stage, mujoco.mjtStage) else stage, 0, _ACC)
