"""Where ViZDoom's engine, scenarios and games lie: not in this package, but in vizdoom's and in EnvPool's assets."""

from __future__ import annotations

import functools
import os
from typing import Any

from envpool_rs import _core
from envpool_rs._spec.installed import TaskBase, folder_in, folder_named, ids_of, tasks_with

VIZDOOM_DIR = "vizdoom_dir"
"""The option of all ViZDoom tasks that names the folder of Python's package."""

ASSETS_DIR = "assets_dir"
"""The option of EnvPool's ViZDoom tasks that names the folder of EnvPool's assets."""


def has_assets(task_id: TaskBase) -> bool:
    """Whether a task of the extension (all, if they are several) may take files from EnvPool's assets."""
    return all(each in tasks_with(ASSETS_DIR) for each in ids_of(task_id))


def take_assets(options: dict[str, Any]) -> None:
    """Replaces EnvPool's ``base_path`` by ``assets_dir``.

    Args:
        options: changed in place.

    Raises:
        ValueError: where both are given, and differ.
    """
    base_path, own = options.pop("base_path", None) or None, options.get(ASSETS_DIR)
    if base_path is not None and own is not None and os.fspath(base_path) != os.fspath(own):
        raise ValueError(f"base_path={base_path!r} and {ASSETS_DIR}={own!r} are both given: expected one of them")
    folder = own if base_path is None else base_path
    if folder is not None:
        options[ASSETS_DIR] = os.fspath(folder) if isinstance(folder, os.PathLike) else folder


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
