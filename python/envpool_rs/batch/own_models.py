"""Methods of a batch that give each simulation its own values of model fields, or its own model."""

from __future__ import annotations

import copy
from collections.abc import Sized
from itertools import islice
from typing import Any

import mujoco
import numpy as np

from envpool_rs._arguments import is_series, shown, text
from envpool_rs.batch.base import BatchBase, typed_rows
from envpool_rs.batch.errors import not_expandable
from envpool_rs.batch.fields import (
    ARRAY_FIELDS,
    DATA_FIELDS,
    MODEL_FIELDS,
    STATISTICS,
    model_template,
    template_of,
)
from envpool_rs.batch.ids import checked_ids
from envpool_rs.batch.models import model_bytes


class OwnModels(BatchBase):
    """Base class of ``Batch`` with the methods for simulations whose models differ."""

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


def _write_field(model: Any, name: str, value: Any) -> None:
    """Writes a value into a field of an ``MjModel``, or of its ``opt`` or ``stat``."""
    of, _, field = name.partition(".")
    owner, name = (getattr(model, of), field) if field else (model, name)
    if isinstance(getattr(owner, name), np.ndarray):
        getattr(owner, name)[...] = value
    else:
        setattr(owner, name, value.item())
