"""``BatchBase``: construction of a batch, arrays of its fields, and errors of failed simulations."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import choice, flag, integer, text
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs.batch.errors import SimulationError, hint, is_output, not_bindable
from envpool_rs.batch.fields import DATA_FIELDS, INTEGRATION, STATE_FIELDS, template_of
from envpool_rs.batch.models import check_callbacks, check_model, model_bytes, read_model
from envpool_rs.batch.named import Named
from envpool_rs.batch.simulations import Simulations

MAX_INT = 2**31 - 1
"""Largest number of simulations and of steps."""

_MAX_THREADS = 4096
"""Largest number of threads."""


class BatchBase(KnownAttributes):
    """Base class of ``Batch``: simulations of a MuJoCo model, and the arrays of their fields."""

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


def typed_rows(rows: Any, dtype: Any, shape: tuple[int, ...], size: int) -> Any:
    """Returns a field as ``(nsim, *shape)`` numbers, a view of rows of bytes: the first ``size`` bytes of a row are the
    field.
    """
    if not size:
        return np.zeros((len(rows), *shape), dtype)
    return rows[:, :size].view(dtype).reshape(len(rows), *shape)
