"""What the extension is told of Python environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from envpool_rs import _core
from envpool_rs._nested import folded
from envpool_rs._python_pool.action_batch import ActionBatch
from envpool_rs._python_pool.actions import ActionReader, ArrayActions, action_reader
from envpool_rs._python_pool.dialects import SMALLER
from envpool_rs._python_pool.given_actions import GivenActions
from envpool_rs._python_pool.overseer import Overseer
from envpool_rs._python_pool.results import EnvPoolResults, Results
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._workers.observation_layout import ObservationLayout
from envpool_rs._workers.serialization import dumps
from envpool_rs._workers.worker_envs import WorkerEnvs

_INT32 = np.iinfo(np.int32)


class _TakenApart:
    """Takes dicts of actions apart."""

    def __init__(self, reader: ActionReader, num_envs: int) -> None:
        self._reader = reader
        self._num_envs = num_envs

    def __call__(self, action: dict[Any, Any], env_id: Any) -> tuple[Any, Any]:
        batch = ActionBatch(action, env_id, self._reader, self._num_envs)
        return batch.action, batch.env_id


def outside_spec(envs: WorkerEnvs, spec: PythonEnvSpec) -> _core.OutsideSpec:
    """The specification of a pool for the extension.

    Args:
        envs: the environments, made and idle.
        spec: of the pool.
    """
    assert envs.made is not None  # they are made
    options, space = spec.options, envs.made.observation_spaces[0]
    layout = ObservationLayout.of(space)
    is_envpool = spec.dialect == "envpool"
    in_rows = layout.structure is not None
    wide = is_envpool and in_rows and _has_wide_integers(space)
    smaller = SMALLER if is_envpool and not wide else {}
    reader = action_reader(spec.action_space)
    overseer = Overseer(envs)
    results = EnvPoolResults if is_envpool else Results
    return _core.OutsideSpec(
        _core.Workers(envs.block, overseer, envs.host),
        dialect=spec.dialect,
        num_envs=options.num_envs,
        batch_size=options.batch_size,
        autoreset_mode=options.autoreset_mode,
        max_episode_steps=spec.counted_steps,
        record_episode_statistics=options.record_episode_statistics,
        seeds=options.first_seeds(),
        restart=options.restart,
        timeout=options.timeout,
        copy=options.copy,
        leaves=[(leaf.dtype.str, leaf.shape, smaller.get(leaf.dtype, leaf.dtype).str) for leaf in layout.leaves],
        structure=layout.structure,
        tells_always=not in_rows or wide,
        action=_in_arrays(reader),
        # EnvPool's interface checks actions; gymnasium's leaves that to the environments.
        rows_of_actions=(reader if is_envpool else GivenActions(reader, spec.action_space)).rows,
        take_apart=_TakenApart(reader, options.num_envs),
        dumps=dumps,
        tell=results(space, options.num_envs).tell,
        rebuilt=overseer.rebuilt,
        task=spec.task_id,
    )


def _in_arrays(reader: ActionReader) -> tuple[str, tuple[int, ...]] | None:
    """Dtype and shape of one environment's action, where actions are arrays."""
    return (reader.dtype.str, reader.shape) if isinstance(reader, ArrayActions) else None


def _has_wide_integers(space: Any) -> bool:
    """Whether an observation may hold integers that do not fit int32."""
    found: list[bool] = []
    folded(space, lambda leaf: found.append(_is_wide(leaf)))
    return any(found)


def _is_wide(space: Any) -> bool:
    if space.dtype != np.int64:
        return False
    if isinstance(space, spaces.Discrete):
        low, high = int(space.start), int(space.start + space.n) - 1
    elif isinstance(space, spaces.MultiDiscrete):
        low, high = int(np.min(space.start, initial=0)), int(np.max(space.start + space.nvec, initial=0))
    elif isinstance(space, spaces.Box):
        low, high = int(np.min(space.low, initial=0)), int(np.max(space.high, initial=0))
    else:
        return False
    return low < _INT32.min or high > _INT32.max
