"""Which tasks need files of other packages, and where those are installed: found without importing them."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, TypeAlias

from envpool_rs import _core

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
    if isinstance(folder, (list, tuple)):
        return [_folder_named(f"{option}[{place}]", each, installed) for place, each in enumerate(folder)]
    return _folder_named(option, folder, installed)


def _folder_named(option: str, folder: Any, installed: Callable[[], str | None]) -> str | None:
    if folder is not None and not isinstance(folder, (str, os.PathLike)):
        raise TypeError(f"{option}={folder!r}: expected a path or None")
    return installed() if folder is None else os.fspath(folder)
