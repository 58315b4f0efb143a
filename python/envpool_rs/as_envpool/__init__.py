"""EnvPool's package, backed by envpool_rs: ``install_as_envpool`` installs it as ``envpool``.

Modules have EnvPool's paths, because trainers import them by path. Modules that only re-export names are created from a
table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from types import ModuleType
from typing import Any

from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool
from envpool_rs._facades.pool import EnvPoolMixin as EnvPool
from envpool_rs._facades.pool import NativePool
from envpool_rs._make.envpool_classes import EnvPoolClass, EnvSpecClass, classes_of
from envpool_rs._spec.assets import CARTRIDGES
from envpool_rs._spec.envpool_config import PROCGEN_MODES, procgen_tasks
from envpool_rs._spec.options import task_limits
from envpool_rs._spec.other_names import METAWORLD_NAMES, metaworld_id
from envpool_rs._spec.spaces import ArraySpec
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.table import NamedTask, tasks, tasks_of_envpool_alone
from envpool_rs.minigrid import decode_mission

# Imports are relative, because this package is imported as `envpool`.
from . import python, registration
from .registration import list_all_envs, make, make_dm, make_gym, make_gymnasium, make_spec, register

__version__ = "1.2.5"
"""Release of EnvPool whose interface this package has; programs read it to find out which calls exist."""

__all__ = [
    "EnvPool",
    "EnvSpec",
    "GymnasiumEnvPool",
    "atari",
    "classic_control",
    "entry",
    "list_all_envs",
    "make",
    "make_dm",
    "make_gym",
    "make_gymnasium",
    "make_spec",
    "minigrid",
    "mujoco",
    "procgen",
    "python",
    "register",
    "registration",
    "toy_text",
]


def __getattr__(name: str) -> object:
    # `DMEnvPool` and other names of dm_env's interface exist only if dm_env is installed.
    if name == "DMEnvPool":
        return python.DMEnvPool
    raise AttributeError(f"module 'envpool' is envpool_rs here and has no {name!r}: there are {', '.join(__all__)}")


@cache
def _atari_games() -> list[str]:
    """Returns the names of all Atari games, as their ROM files are named."""
    named = [task for name in list_all_envs() if isinstance(task := tasks[name], NamedTask)]
    configs = [
        EnvSpec(task.base, task.base, "envpool", {}).config_dict() for task in named if task.base.endswith("-v5")
    ]
    return sorted({config["task"] for config in configs if "task" in config})


@cache
def _procgen_games() -> list[tuple[str, int | None, list[int]]]:
    """Returns the name, the time limit and the distribution modes of each Procgen game."""
    modes: dict[str, list[int]] = {}
    for game, mode in procgen_tasks():
        modes.setdefault(game, []).append(mode)
    return [(game, task_limits()[procgen_tasks()[game, own[0]]][0], own) for game, own in modes.items()]


def _public_task_name(task_name: str) -> str:
    return metaworld_id(task_name).partition("/")[2]


def _robotics_ids(prefix: str) -> list[str]:
    """Returns the ids that begin with a prefix, with those that only EnvPool has."""
    known = {*list_all_envs(), *tasks_of_envpool_alone()}
    return sorted(task_id for task_id in known if task_id.startswith(prefix))


_ROBOTICS = {"fetch": "Fetch", "hand": "Hand", "adroit": "AdroitHand", "point_maze": "PointMaze_", "kitchen": "Franka"}
"""Families of EnvPool's robotics tasks, each with the beginning of its ids."""

_METAWORLD = {
    "metaworld_public_task_name": _public_task_name,
    "metaworld_task_id": metaworld_id,
    "metaworld_v3_envs": METAWORLD_NAMES,
    "metaworld_v3_task_ids": [metaworld_id(name) for name in METAWORLD_NAMES],
}

_ATARI = classes_of("envpool.atari")
_MINIGRID = classes_of("envpool.minigrid")
for _class in ("MiniGridEnvSpec", "MiniGridDMEnvPool", "MiniGridGymnasiumEnvPool"):
    _MINIGRID[_class].decode_mission = staticmethod(decode_mission)

_MODULES: dict[str, tuple[str, Mapping[str, Any]]] = {
    "atari": ("EnvPool's classes for Atari.", _ATARI),
    "atari.atari_envpool": (
        "EnvPool's compiled module; ours have its calls.",
        {"_AtariEnvSpec": _ATARI["AtariEnvSpec"], "_AtariEnvPool": _ATARI["AtariGymnasiumEnvPool"]},
    ),
    "atari.registration": ("EnvPool's registration of Atari.", {"atari_rom_path": CARTRIDGES.installed() or ""}),
    "classic_control": ("EnvPool's classes for classic control.", classes_of("envpool.classic_control")),
    "classic_control.registration": ("EnvPool's registration of classic control.", {"register": register}),
    "toy_text": ("EnvPool's classes for toy text.", classes_of("envpool.toy_text")),
    "toy_text.registration": ("EnvPool's registration of toy text.", {"register": register}),
    "procgen": ("EnvPool's classes for Procgen.", classes_of("envpool.procgen")),
    "procgen.registration": (
        "EnvPool's registration of Procgen.",
        {"register": register, "distribution": PROCGEN_MODES},
    ),
    "minigrid": ("EnvPool's classes for MiniGrid and BabyAI.", {**_MINIGRID, "decode_mission": decode_mission}),
    "minigrid.registration": ("EnvPool's registration of MiniGrid and BabyAI.", {"register": register}),
    "mujoco": ("EnvPool's tasks on MuJoCo.", {}),
    "mujoco.metaworld": ("EnvPool's tasks of metaworld.", {}),
    "mujoco.metaworld.registration": ("EnvPool's registration of metaworld.", {"register": register, **_METAWORLD}),
    "mujoco.robotics": ("EnvPool's tasks of robotics.", {}),
    "mujoco.robotics.registration": ("EnvPool's registration of robotics.", {"register": register}),
    "entry": ("Where EnvPool registers its tasks; here they are registered already.", {}),
    "python.api": ("EnvPool's way of making Python classes of C++ environments.", {"py_env": python.py_env}),
    "python.env_spec": (
        "What specifications are instances of.",
        {"ArraySpec": ArraySpec, "EnvSpec": EnvSpec, "EnvSpecMeta": EnvSpecClass, "EnvSpecMixin": EnvSpec},
    ),
    "python.envpool": ("The class that every pool is an instance of.", {"EnvPoolMixin": EnvPool}),
    "python.glfw_context": (
        "EnvPool's preparation of OpenGL.",
        {"preload_windows_gl_dlls": python.preload_windows_gl_dlls},
    ),
    "python.gymnasium_envpool": (
        "What pools behind the interface for gymnasium are instances of.",
        {
            "EnvPoolMixin": EnvPool,
            "GymnasiumEnvPoolMeta": EnvPoolClass,
            "GymnasiumEnvPoolMixin": GymnasiumEnvPool,
        },
    ),
    "python.lax": ("What pools with functions for JAX are instances of.", {"XlaMixin": NativePool}),
    "python.protocol": (
        "The classes of pools and specifications, by EnvPool's names.",
        {
            "ArraySpec": ArraySpec,
            "EnvPool": EnvPool,
            "EnvSpec": EnvSpec,
            "GymnasiumEnvPool": GymnasiumEnvPool,
            "__getattr__": python.__getattr__,
        },
    ),
    "python.utils": (
        "EnvPool's check of the names of arrays and options.",
        {"check_key_duplication": python.check_key_duplication},
    ),
    "python.xla_template": ("EnvPool's way of making functions for JAX of a pool.", {"make_xla": python.make_xla}),
}
"""Docstring and contents of each module that only re-exports names, by its path below this package."""

_COMPUTED: dict[str, dict[str, Callable[[], Any]]] = {
    "atari.registration": {"atari_game_list": _atari_games},
    "procgen.registration": {"procgen_game_config": _procgen_games},
    "mujoco.robotics.registration": {
        f"gymnasium_robotics_{family}_envs": partial(_robotics_ids, prefix) for family, prefix in _ROBOTICS.items()
    },
}
"""Further names of modules, which are computed when they are read, because they need all tasks."""


def _add_module(path: str, doc: str, names: Mapping[str, Any]) -> None:
    """Creates a module that ``import envpool.path`` finds; names that begin with two underscores are not public."""
    parent, _, name = f"{__name__}.{path}".rpartition(".")
    module = ModuleType(f"{parent}.{name}", doc)
    public = sorted(each for each in names if not each.startswith("__"))
    vars(module).update({"__all__": public, "__package__": parent, **names})
    if any(each.startswith(f"{path}.") for each in _MODULES):
        vars(module)["__path__"] = []
    if path in _COMPUTED:
        vars(module)["__getattr__"] = partial(_computed, module.__name__, _COMPUTED[path])
    sys.modules[module.__name__] = module
    setattr(sys.modules[parent], name, module)


def _computed(module: str, names: dict[str, Callable[[], Any]], name: str) -> Any:
    if name not in names:
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    return names[name]()


for _path, (_doc, _names) in _MODULES.items():
    _add_module(_path, _doc, _names)
