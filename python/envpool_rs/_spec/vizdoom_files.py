"""Where ViZDoom's engine, scenarios and games lie: not in this package, but in vizdoom's and in EnvPool's assets."""

from __future__ import annotations

import functools
from typing import Any

from envpool_rs import _core
from envpool_rs._arguments import path_for_each
from envpool_rs._spec.installed import PACKAGE, TaskBase, base_path_of, folder_in, folder_named, ids_of, tasks_with

VIZDOOM_DIR = "vizdoom_dir"
"""The option of all ViZDoom tasks that names the folder of Python's package."""

ASSETS_DIR = "assets_dir"
"""The option of EnvPool's ViZDoom tasks that names the folder of EnvPool's assets."""


def has_assets(task_id: TaskBase) -> bool:
    """Whether a task of the extension (all, if they are several) may take files from EnvPool's assets."""
    return all(each in tasks_with(ASSETS_DIR) for each in ids_of(task_id))


def take_assets(options: dict[str, Any]) -> None:
    """Replaces EnvPool's ``base_path`` by ``assets_dir``; this package's folder, which has no assets, counts as none.

    Args:
        options: changed in place.

    Raises:
        TypeError: for a ``base_path`` that is none.
        ValueError: where both are given, and differ.
    """
    base_path, own = base_path_of(options), path_for_each(ASSETS_DIR, options.get(ASSETS_DIR))
    if base_path == PACKAGE:
        base_path = None
    if base_path is not None and own is not None and base_path != own:
        raise ValueError(f"base_path={base_path!r} and {ASSETS_DIR}={own!r} are both given: expected one of them")
    if base_path is not None:
        options[ASSETS_DIR] = base_path


def with_games(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """``options``, with the folders of the installed packages where the task needs them and the user named none."""
    found = dict(options)
    for option, package in ((VIZDOOM_DIR, "vizdoom"), (ASSETS_DIR, "envpool_assets")):
        if all(each in tasks_with(option) for each in ids_of(task_id)):
            found[option] = folder_named(option, found.get(option), functools.partial(folder_in, package))
    return found


def check_games(spec: _core.Spec) -> None:
    """Refuses to play without the engine.

    Raises:
        ImportError: where the task needs it, the user named no folder, and vizdoom is not installed; naming the extra.
    """
    if spec.config.get(VIZDOOM_DIR, "") is None and not spec.config.get("vzd_path"):
        raise ImportError(
            f"{spec.task_id} needs the engine and the games that ViZDoom's package brings: "
            f"pip install 'envpool_rs[vizdoom]', or name their folder by {VIZDOOM_DIR}"
        )
