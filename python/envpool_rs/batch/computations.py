"""Methods of a batch that compute rollouts, Jacobians and intersections of rays."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import mujoco
import numpy as np

from envpool_rs._arguments import array, integer, is_series, shown
from envpool_rs.batch.base import MAX_INT, BatchBase
from envpool_rs.batch.errors import not_bindable
from envpool_rs.batch.fields import DATA_FIELDS, NUM, template_of
from envpool_rs.batch.ids import broadcast, checked_ids, integers, numbers
from envpool_rs.batch.models import check_callbacks


class Computations(BatchBase):
    """Base class of ``Batch`` with the methods ``rollout``, ``jac`` and ``ray``, which return arrays."""

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
            given = array("geomgroup", geomgroup)
            groups = integers(
                "geomgroup", given.astype(np.int64) if given.dtype == bool else given, given.shape, 0, 256
            )
            groups = groups.ravel().tolist()
        distances, geoms = np.zeros((n, count), NUM), np.zeros((n, count), np.int32)
        normals = np.zeros(shape, NUM) if _truth("normal", normal) else None
        is_static = _truth("flg_static", flg_static)
        self._call(ids, self._core.ray, ids, count, lines, groups, is_static, excluded, distances, geoms, normals)
        return (distances, geoms) if normals is None else (distances, geoms, normals)


def _truth(name: str, value: Any) -> bool:
    try:
        return bool(value)
    except ValueError:
        raise ValueError(f"{name}={shown(value)}: expected a bool") from None


def _bits(name: str, value: Any) -> int:
    """Returns bits of ``mjtState`` as an int.

    Raises:
        TypeError: for a value that is no integer.
    """
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={shown(value)}: expected bits of mjtState") from None


def _is_like(array: Any, shape: tuple[int, ...], dtype: Any) -> bool:
    is_array = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype
    return is_array and array.flags.c_contiguous and array.flags.writeable
