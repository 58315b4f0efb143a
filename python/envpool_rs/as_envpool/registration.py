"""EnvPool's module ``envpool.registration``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from envpool_rs import registration
from envpool_rs._make.envpool_classes import family_of
from envpool_rs._spec.assets import CARTRIDGES
from envpool_rs._tasks.table import ENVPOOL_ALIASES, ForeignTask, tasks
from envpool_rs.registration import (
    EnvSpec,
    make,
    make_dm,
    make_gym,
    make_gymnasium,
    make_spec,
)

from . import python
from .python import GymnasiumEnvPool

__all__ = [
    "EnvRegistry",
    "EnvSpec",
    "GymnasiumEnvPool",
    "asset_base_path",
    "base_path",
    "list_all_envs",
    "make",
    "make_dm",
    "make_gym",
    "make_gymnasium",
    "make_spec",
    "package_base_path",
    "register",
    "registry",
]

package_base_path = str(Path(registration.__file__).parent)
"""Folder of the package envpool_rs."""

base_path = CARTRIDGES.installed() or package_base_path
"""Folder of EnvPool's files: Atari's cartridges if they are installed, this package's folder otherwise."""


def asset_base_path(package_name: str, local_asset_path: str) -> str:
    """Returns the folder of asset files: one for all packages, while EnvPool's function returns one for each."""
    return base_path


def register(
    task_id: str,
    import_path: str | None = None,
    spec_cls: str | None = None,
    dm_cls: str | None = None,
    gymnasium_cls: str | None = None,
    aliases: Sequence[str] = (),
    **kwargs: Any,
) -> None:
    """Registers a name, as :func:`envpool_rs.register` does, with the parameters in EnvPool's order."""
    registration.register(
        task_id, import_path, spec_cls, dm_cls, gymnasium_cls=gymnasium_cls, aliases=aliases, **kwargs
    )


def list_all_envs() -> list[str]:
    """Returns all task ids, including EnvPool's aliases."""
    return [*registration.list_all_envs(), *ENVPOOL_ALIASES]


class EnvRegistry:
    """EnvPool's registry object: its methods are the functions of this module."""

    make = staticmethod(make)
    make_dm = staticmethod(make_dm)
    make_gym = staticmethod(make_gym)
    make_gymnasium = staticmethod(make_gymnasium)
    make_spec = staticmethod(make_spec)
    register = staticmethod(register)
    list_all_envs = staticmethod(list_all_envs)

    @property
    def specs(self) -> dict[str, tuple[str, str, dict[str, Any]]]:
        """Module, specification class and options of each task, by the task's id."""
        return {task_id: _specification(task_id) for task_id in list_all_envs()}

    @property
    def envpools(self) -> dict[str, dict[str, tuple[str, str]]]:
        """Module and pool class of each interface, by the task's id."""
        return {task_id: _pools(task_id) for task_id in list_all_envs()}


def _specification(task_id: str) -> tuple[str, str, dict[str, Any]]:
    task = tasks[task_id]
    if isinstance(task, ForeignTask):
        return task.import_path, task.spec_cls, dict(task.options)
    spec = make_spec(task_id)
    family = family_of(spec)
    if family is None:
        return "envpool.python.protocol", "EnvSpec", {}
    anyway = dict(zip(spec._config_keys, spec._default_config_values, strict=True))
    own = {name: each for name, each in spec.config_dict().items() if name != "batch_size" and each != anyway[name]}
    return family.module, f"{family.name}EnvSpec", own


def _pools(task_id: str) -> dict[str, tuple[str, str]]:
    task = tasks[task_id]
    if isinstance(task, ForeignTask):
        return {interface: (task.import_path, cls) for interface, cls in task.classes.items() if cls is not None}
    family = family_of(make_spec(task_id))
    interfaces = {"dm": "DMEnvPool", "gymnasium": "GymnasiumEnvPool"}
    if family is None:
        return {interface: ("envpool.python.protocol", cls) for interface, cls in interfaces.items()}
    return {interface: (family.module, f"{family.name}{cls}") for interface, cls in interfaces.items()}


registry = EnvRegistry()


def __getattr__(name: str) -> object:
    # `DMEnvPool` and other names of dm_env's interface exist only if dm_env is installed.
    if name == "DMEnvPool":
        return python.DMEnvPool
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
