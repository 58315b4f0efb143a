"""Creates EnvPool's modules of tasks on MuJoCo: ``envpool.mujoco.metaworld`` and ``envpool.mujoco.robotics``."""

from __future__ import annotations

from typing import Any

from envpool_rs._spec.metaworld_names import TASK_NAMES, id_of
from envpool_rs._tasks.table import tasks_of_envpool_alone

from .module_of_names import module_of_names
from .registration import list_all_envs, register

_ROBOTICS = {"fetch": "Fetch", "hand": "Hand", "adroit": "AdroitHand", "point_maze": "PointMaze_", "kitchen": "Franka"}
"""Families of EnvPool's robotics tasks, each with the beginning of its ids."""


def _public_task_name(task_name: str) -> str:
    return id_of(task_name).partition("/")[2]


def _attribute_of_robotics(name: str) -> list[str]:
    """Returns a list of ids, such as ``gymnasium_robotics_hand_envs``, with those that only EnvPool has."""
    lists = {f"gymnasium_robotics_{family}_envs": prefix for family, prefix in _ROBOTICS.items()}
    if name not in lists:
        raise AttributeError(f"module 'envpool.mujoco.robotics.registration' has no attribute {name!r}")
    known = {*list_all_envs(), *tasks_of_envpool_alone()}
    return sorted(task_id for task_id in known if task_id.startswith(lists[name]))


def add_mujoco_modules(parent: str) -> None:
    """Adds the modules to EnvPool's package, whose name is ``parent``."""
    family = module_of_names(parent, "mujoco", "EnvPool's tasks on MuJoCo.", __path__=[]).__name__
    metaworld: dict[str, Any] = {
        "metaworld_public_task_name": _public_task_name,
        "metaworld_task_id": id_of,
        "metaworld_v3_envs": TASK_NAMES,
        "metaworld_v3_task_ids": [id_of(name) for name in TASK_NAMES],
    }
    robotics = {"__getattr__": _attribute_of_robotics}
    for name, names in {"metaworld": metaworld, "robotics": robotics}.items():
        module = module_of_names(family, name, f"EnvPool's tasks of {name}.", __path__=[]).__name__
        module_of_names(module, "registration", f"EnvPool's registration of {name}.", register=register, **names)
