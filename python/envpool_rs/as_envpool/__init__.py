"""EnvPool's package, backed by envpool_rs: ``install_as_envpool`` installs it as ``envpool``.

Modules have EnvPool's paths, because trainers import them by path. Modules that only re-export names are created below.
"""

from __future__ import annotations

import sys
from typing import Any

from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool
from envpool_rs._facades.pool import EnvPoolMixin as EnvPool
from envpool_rs._make.envpool_classes import classes_of
from envpool_rs._spec.envpool_config import PROCGEN_MODES, procgen_tasks
from envpool_rs._spec.installed import installed_cartridges, task_limits
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.table import NamedTask, tasks
from envpool_rs.minigrid import decode_mission

# Imports are relative, because this package is imported as `envpool`. All of EnvPool's modules must exist after `import
# envpool`.
from . import python, registration
from .module_of_names import module_of_names
from .mujoco_modules import add_mujoco_modules
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


def _games() -> list[str]:
    """Returns the names of all Atari games, as their ROM files are named."""
    named = [task for name in list_all_envs() if isinstance(task := tasks[name], NamedTask)]
    configs = [
        EnvSpec(task.base, task.base, "envpool", {}).config_dict() for task in named if task.base.endswith("-v5")
    ]
    return sorted({config["task"] for config in configs if "task" in config})


def _attribute_of_atari_registration(name: str) -> object:
    module = sys.modules[f"{__name__}.atari.registration"]
    # The list is computed on demand, because it needs the game of every task.
    if name == "atari_game_list":
        games = vars(module)[name] = _games()
        return games
    raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")


def _attribute_of_procgen_registration(name: str) -> object:
    module = sys.modules[f"{__name__}.procgen.registration"]
    if name != "procgen_game_config":
        raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
    # Computed on demand, as for Atari: the name, the time limit and the distribution modes of each game.
    modes: dict[str, list[int]] = {}
    for game, mode in procgen_tasks():
        modes.setdefault(game, []).append(mode)
    games = [(game, task_limits()[procgen_tasks()[game, own[0]]][0], own) for game, own in modes.items()]
    vars(module)[name] = games
    return games


def _add_family(name: str, doc: str, **names: Any) -> None:
    """Adds a task family's module with EnvPool's classes, and its submodule ``registration``, which is empty except for
    its docstring.
    """
    classes = classes_of(f"envpool.{name}")
    family = module_of_names(__name__, name, f"EnvPool's classes for {doc}.", __path__=[], **classes, **names)
    if name == "atari":
        folder = installed_cartridges() or ""
        held: dict[str, Any] = {"atari_rom_path": folder, "__getattr__": _attribute_of_atari_registration}
        compiled = {"_AtariEnvSpec": classes["AtariEnvSpec"], "_AtariEnvPool": classes["AtariGymnasiumEnvPool"]}
        module_of_names(family.__name__, "atari_envpool", "EnvPool's compiled module; ours have its calls.", **compiled)
    elif name == "procgen":
        held = {"register": register, "distribution": PROCGEN_MODES, "__getattr__": _attribute_of_procgen_registration}
    else:
        held = {"register": register}
    module_of_names(family.__name__, "registration", f"EnvPool's registration of {doc}.", **held)


_add_family("atari", "Atari")
_add_family("classic_control", "classic control")
_add_family("toy_text", "toy text")
_add_family("procgen", "Procgen")
_add_family("minigrid", "MiniGrid and BabyAI", decode_mission=decode_mission)
for _class in ("MiniGridEnvSpec", "MiniGridDMEnvPool", "MiniGridGymnasiumEnvPool"):
    getattr(sys.modules[f"{__name__}.minigrid"], _class).decode_mission = staticmethod(decode_mission)
add_mujoco_modules(__name__)
module_of_names(__name__, "entry", "Where EnvPool registers its tasks; here they are registered already.")
