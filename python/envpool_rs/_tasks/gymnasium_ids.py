"""Registers tasks in gymnasium's registry."""

from __future__ import annotations

import numbers
from collections.abc import Mapping

from gymnasium.envs import registration as gymnasium_registration
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

from envpool_rs._spec.entry_points import MAKE_VEC, SINGLE_ENV
from envpool_rs._spec.spec import gymnasium_id
from envpool_rs._tasks.table import ENVPOOL_ALIASES, ForeignTask, NamedTask, limits, tasks


def register_with_gymnasium() -> None:
    """Registers all tasks with gymnasium as ``envpool_rs/<task id>``; runs when the package is imported."""
    add_to_gymnasium({name: task for name, task in tasks.items() if name not in ENVPOOL_ALIASES})


def add_to_gymnasium(named: Mapping[str, NamedTask | ForeignTask]) -> None:
    """Registers tasks with gymnasium, except tasks whose classes belong to other packages.

    Raises:
        gymnasium.error.Error: for a name that gymnasium rejects; then no task is registered.
    """
    specs = [_gymnasium_spec(name, task) for name, task in named.items() if isinstance(task, NamedTask)]
    # gymnasium's own `register` scans all ids for other versions of each, which is noticeable with hundreds of ids.
    gymnasium_registration.registry.update((spec.id, spec) for spec in specs)


def _gymnasium_spec(name: str, task: NamedTask) -> GymnasiumEnvSpec:
    max_episode_steps, reward_threshold = limits[task.base]
    limit = task.options.get("max_episode_steps", max_episode_steps)
    return GymnasiumEnvSpec(
        id=gymnasium_id(name),
        entry_point=SINGLE_ENV,
        vector_entry_point=MAKE_VEC,
        # gymnasium's specification has one time limit for all environments of a pool.
        max_episode_steps=limit if isinstance(limit, numbers.Integral) else None,  # type: ignore[arg-type]
        reward_threshold=task.options.get("reward_threshold", reward_threshold),
        kwargs={"task_id": name},
    )
