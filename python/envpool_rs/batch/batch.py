"""``Batch``: many simulations of one MuJoCo model."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np

from envpool_rs._arguments import integer
from envpool_rs.batch.base import MAX_INT
from envpool_rs.batch.computations import Computations
from envpool_rs.batch.fields import DATA_FIELDS, INTEGRATION, template_of
from envpool_rs.batch.ids import checked_ids, integers
from envpool_rs.batch.models import check_callbacks
from envpool_rs.batch.own_models import OwnModels

_ACC = int(mujoco.mjtStage.mjSTAGE_ACC)


class Batch(OwnModels, Computations):
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


def _stage(stage: Any) -> int:
    return integer("stage", int(stage) if isinstance(stage, mujoco.mjtStage) else stage, 0, _ACC)
