"""EnvPool's list of Atari games."""

from envpool_rs._spec.installed import installed_cartridges
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.table import NamedTask, list_all_envs, tasks

__all__ = ["atari_game_list", "atari_rom_path"]  # noqa: F822 - the first is made when it is asked for


def _games() -> list[str]:
    """The games by the names of their cartridges."""
    named = [task for name in list_all_envs() if isinstance(task := tasks[name], NamedTask)]
    configs = [
        EnvSpec(task.base, task.base, "envpool", {}).config_dict() for task in named if task.base.endswith("-v5")
    ]
    return sorted({config["task"] for config in configs if "task" in config})


def __getattr__(name: str) -> object:
    # Not for all who import EnvPool: it asks every task for its game.
    if name == "atari_game_list":
        games = globals()[name] = _games()
        return games
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


atari_rom_path = installed_cartridges() or ""
"""The folder of the installed cartridges; empty where there are none."""
