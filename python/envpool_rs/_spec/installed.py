"""Which tasks need files of other packages, and where those are installed: found without importing them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeAlias

from envpool_rs import _core
from envpool_rs._arguments import path, path_for_each

PACKAGE = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120 pathlib takes long to import
"""This package's folder, which configurations report as ``base_path`` of tasks without cartridges."""

TaskBase: TypeAlias = "str | tuple[tuple[str, dict[str, Any]], ...]"
"""What a pool plays: a task of the extension, or several with the options preset for each."""


@functools.cache
def tasks_with(option: str) -> frozenset[str]:
    """The tasks of this release that have an option."""
    return frozenset(_core.tasks_with_option(option))


def ids_of(task_id: TaskBase) -> list[str]:
    """The tasks of which a pool plays one or several."""
    return [task_id] if isinstance(task_id, str) else [each for each, _ in task_id]


def folder_in(package: str, *parts: str) -> str | None:
    """A folder in an installed package; ``None`` where there is none."""
    found = find_spec(package)
    folders = [] if found is None else found.submodule_search_locations or []
    # pathlib is not worth its import here.
    candidates = (os.path.join(folder, *parts) for folder in folders)  # noqa: PTH118
    return next((folder for folder in candidates if os.path.isdir(folder)), None)  # noqa: PTH112


def folder_named(option: str, folder: Any, installed: Callable[[], str | None]) -> Any:
    """The folder that an option names, as text; ``None`` is the installed one, which is looked for only then.

    A list of folders is of one for each environment.

    Raises:
        TypeError: for what is neither a path nor ``None``, nor a list of such.
    """
    named = path_for_each(option, folder)
    if isinstance(named, list):
        return [installed() if each is None else each for each in named]
    return installed() if named is None else named


def base_path_of(options: dict[str, Any]) -> Any:
    """Removes EnvPool's ``base_path`` from ``options``; an empty text names no folder.

    Returns:
        A path as text, a list of such and ``None`` for each environment, or ``None``.

    Raises:
        TypeError: for anything else, an empty list among it.
    """
    given = options.pop("base_path", None)
    named = path_for_each("base_path", given)
    if named == []:
        raise TypeError(f"base_path={given!r}: expected a path or None, or a list with one for each environment")
    return named or None


_PACKAGES = ("envpool", "envpool_assets", "envpool_rs")
"""Names of the folders that configurations of EnvPool's and of this package report as ``base_path``."""


def check_no_files(base_path: Any) -> None:
    """Refuses a ``base_path`` for a task without files, except the one that a configuration reports.

    Raises:
        TypeError: for a value that is neither a path nor ``None``.
        ValueError: for a folder of neither EnvPool's nor this package.
    """
    folder = path("base_path", base_path)
    if folder and os.path.basename(os.path.normpath(folder)) not in _PACKAGES:  # noqa: PTH119 pathlib takes long to import
        raise ValueError(f"base_path={folder!r}: expected None (this task reads no files from there)")
