"""Typed wrapper of the extension's simulations. It checks dtypes and shapes of arrays, and converts none of them."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from envpool_rs import _core
from envpool_rs.batch.errors import not_bindable
from envpool_rs.batch.fields import DATA_FIELDS, NUM, USER, template_of

_MAX_STEPS = 2**31 - 1
"""Largest number of steps of a call."""


class Simulations:
    """The extension's simulations of one MuJoCo model. Arrays must have exactly the documented dtypes and shapes."""

    def __init__(self, core: _core.MujocoBatch, model: Any, data: Any, nsim: int) -> None:
        self._core = core
        self._model = model
        self._data = data
        self._nsim = nsim

    def rollout(self, ids: Any, nstep: int, control: Any, control_spec: int, records: Any) -> int:
        """Steps simulations with inputs for each step, and writes records after each step.

        Args:
            ids: int32 ids, or ``None`` for all.
            nstep: the number of steps.
            control: ``(n, nstep, size)`` inputs, or ``None``.
            control_spec: bits of ``mjtState`` of the inputs.
            records: for each item, a field's name or ``None``, bits of ``mjtState``, and the array for the records.

        Returns:
            The number of simulations that failed.
        """
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

        Returns:
            The number of simulations that failed.
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
        """Returns the number of values of the state components that bits of ``mjtState`` select.

        Raises:
            ValueError: for bits that ``mjtState`` does not define.
        """
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
