"""Where the images of Atari cartridges lie: not in this package, but in ale-py or in a folder of the user's."""

from __future__ import annotations

import os
from typing import Any

from envpool_rs import _core
from envpool_rs._spec.installed import TaskBase, base_path_of, folder_in, folder_named, ids_of, tasks_with
from envpool_rs._spec.option_values import is_same

ROM_DIR = "rom_dir"
"""The option of all Atari tasks that names the folder."""

ROMS_VARIABLE = "ALE_ROMS_DIR"
"""The environment variable by which ale-py is told of another folder."""


def needs_cartridge(task_id: TaskBase) -> bool:
    """Whether a task of the extension (all, if they are several) is played from a cartridge's image."""
    return all(each in tasks_with(ROM_DIR) for each in ids_of(task_id))


def installed_cartridges() -> str | None:
    """The folder that the environment variable ``ALE_ROMS_DIR`` names, or that of the installed ale-py, which is not
    imported; ``None`` where there is neither.
    """
    named = os.environ.get(ROMS_VARIABLE)
    if named:
        return named
    return folder_in("ale_py", "roms")


def with_cartridges(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """``options``, with the folder of the installed cartridges where the task needs one and the user named none."""
    if not needs_cartridge(task_id):
        return options
    return {**options, ROM_DIR: folder_named(ROM_DIR, options.get(ROM_DIR), installed_cartridges)}


def check_cartridges(spec: _core.Spec) -> None:
    """Refuses to play without cartridges.

    Raises:
        ImportError: where the task needs one, the user named no folder, and ale-py is not installed; naming the extra.
    """
    if spec.config.get(ROM_DIR, "") is None:
        raise ImportError(
            f"{spec.task_id} needs the cartridges that ale-py brings: pip install 'envpool_rs[atari]', "
            f"or name their folder by {ROM_DIR}"
        )


def take_base_path(options: dict[str, Any]) -> None:
    """Replaces EnvPool's ``base_path`` by ``rom_dir``, which may be EnvPool's folder too.

    Args:
        options: changed in place.

    Raises:
        TypeError: for a ``base_path`` that is none.
        ValueError: where both are given, and neither is the folder of the installed cartridges: that is what a
            configuration says in which the other was changed.
    """
    base_path, rom_dir = base_path_of(options), options.get(ROM_DIR)
    if base_path is not None and rom_dir is not None and not is_same(base_path, rom_dir):
        installed = installed_cartridges()
        if installed not in (base_path, rom_dir):
            raise ValueError(f"base_path={base_path!r} and {ROM_DIR}={rom_dir!r} are both given: expected one of them")
        base_path = rom_dir if base_path == installed else base_path
    if base_path is not None:
        options[ROM_DIR] = base_path
