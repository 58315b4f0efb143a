"""Finds files of other packages that tasks need, without importing the packages."""

from __future__ import annotations

import ast
import functools
import os
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np

from envpool_rs import _core
from envpool_rs._arguments import path, path_for_each
from envpool_rs._spec.option_values import is_same

PACKAGE = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120 pathlib takes long to import
"""Folder of the package envpool_rs, which configurations report as ``base_path`` of tasks without cartridges."""

TaskBase: TypeAlias = "str | tuple[tuple[str, dict[str, Any]], ...]"
"""Task of a pool: one of the extension, or several with the options preset for each."""


@functools.cache
def tasks_with(option: str) -> frozenset[str]:
    """Returns the ids of this release's tasks that have a given option."""
    return frozenset(_core.tasks_with_option(option))


@functools.cache
def task_limits() -> dict[str, tuple[int | None, float | None]]:
    """Returns ``max_episode_steps`` and ``reward_threshold`` of each task of this release."""
    return _core.task_limits()


def forget_tasks() -> None:
    """Clears the cached tables of tasks after a library of tasks was loaded."""
    tasks_with.cache_clear()
    task_limits().update(_core.task_limits())


def ids_of(task_id: TaskBase) -> list[str]:
    """Returns the ids of a pool's tasks."""
    return [task_id] if isinstance(task_id, str) else [each for each, _ in task_id]


def libraries_of(task_ids: list[str]) -> list[tuple[str, str]]:
    """Returns name and version of the loaded libraries that define the given tasks; tasks of this release belong to no
    library.
    """
    return [(name, version) for name, version, _, ids in _core.plugin_libraries() if not set(ids).isdisjoint(task_ids)]


def folder_in(package: str, *parts: str) -> str | None:
    """Returns a folder of an installed package; ``None`` if it does not exist."""
    found = find_spec(package)
    folders = [] if found is None else found.submodule_search_locations or []
    # `os.path` is used, because importing pathlib takes long.
    candidates = (os.path.join(folder, *parts) for folder in folders)  # noqa: PTH118
    return next((folder for folder in candidates if os.path.isdir(folder)), None)  # noqa: PTH112


def folder_named(option: str, folder: Any, installed: Callable[[], str | None]) -> Any:
    """Returns the folder that an option names, as a str; if the option is ``None``, searches the installed package for
    the folder.

    A list may hold a folder for each environment.

    Raises:
        TypeError: for anything but a path, ``None`` or a list of these.
    """
    named = path_for_each(option, folder)
    if isinstance(named, list):
        return [installed() if each is None else each for each in named]
    return installed() if named is None else named


def base_path_of(options: dict[str, Any]) -> Any:
    """Removes EnvPool's ``base_path`` from ``options`` and returns its value; an empty str counts as ``None``.

    Returns:
        A path as a str, a list with a path or ``None`` for each environment, or ``None``.

    Raises:
        TypeError: for anything else, including an empty list.
    """
    given = options.pop("base_path", None)
    named = path_for_each("base_path", given)
    if named == []:
        raise TypeError(f"base_path={given!r}: expected a path or None, or a list with one for each environment")
    return named or None


_PACKAGES = ("envpool", "envpool_assets", "envpool_rs")
"""Names of the folders that configurations of EnvPool and envpool_rs report as ``base_path``."""


def check_no_files(base_path: Any) -> None:
    """Rejects a ``base_path`` for a task that reads no files, unless it is the one that a configuration reports.

    Raises:
        TypeError: for a value that is neither a path nor ``None``.
        ValueError: for a folder of neither EnvPool nor this package.
    """
    folder = path("base_path", base_path)
    if folder and os.path.basename(os.path.normpath(folder)) not in _PACKAGES:  # noqa: PTH119 pathlib takes long to import
        raise ValueError(f"base_path={folder!r}: expected None (this task reads no files from there)")


ROM_DIR = "rom_dir"
"""Option of all Atari tasks that names the folder of cartridges."""

ROMS_VARIABLE = "ALE_ROMS_DIR"
"""Environment variable that sets ale-py's folder of cartridges."""


def needs_cartridge(task_id: TaskBase) -> bool:
    """Returns whether a task needs a cartridge's ROM image; for several tasks, whether all of them do."""
    return all(each in tasks_with(ROM_DIR) for each in ids_of(task_id))


def installed_cartridges() -> str | None:
    """Returns the folder of ROM files, ``ALE_ROMS_DIR`` or the installed ale-py's; ``None`` if there is neither.

    ale-py is not imported.
    """
    named = os.environ.get(ROMS_VARIABLE)
    if named:
        return named
    return folder_in("ale_py", "roms")


def with_cartridges(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """Returns ``options`` with the folder of installed cartridges, if the task needs a cartridge and no folder is
    given.
    """
    if not needs_cartridge(task_id):
        return options
    return {**options, ROM_DIR: folder_named(ROM_DIR, options.get(ROM_DIR), installed_cartridges)}


def _check_folder(spec: _core.Spec, option: str, files: str, package: str, requirement: str) -> None:
    """Raises ``ImportError``, naming the package and how pip installs it, if a task needs files and no folder with them
    was found.
    """
    if spec.config.get(option, "") is None:
        raise ImportError(
            f"{spec.task_id} needs the {files} that {package} brings: pip install {requirement}, "
            f"or name their folder by {option}"
        )


def check_cartridges(spec: _core.Spec) -> None:
    """Raises an error if a task's ROM file is missing.

    Raises:
        ImportError: if the task needs a ROM file, no folder was given, and ale-py is not installed; names the extra.
    """
    _check_folder(spec, ROM_DIR, "cartridges", "ale-py", "'envpool_rs[atari]'")


def take_base_path(options: dict[str, Any]) -> None:
    """Replaces EnvPool's option ``base_path`` by ``rom_dir``.

    Args:
        options: changed in place.

    Raises:
        TypeError: for a ``base_path`` that is no path.
        ValueError: if both are given, and neither is the folder of the installed cartridges. If one of them is that
            folder, it comes from a configuration in which the user changed the other.
    """
    base_path, rom_dir = base_path_of(options), options.get(ROM_DIR)
    if base_path is not None and rom_dir is not None and not is_same(base_path, rom_dir):
        installed = installed_cartridges()
        if installed not in (base_path, rom_dir):
            raise ValueError(f"base_path={base_path!r} and {ROM_DIR}={rom_dir!r} are both given: expected one of them")
        base_path = rom_dir if base_path == installed else base_path
    if base_path is not None:
        options[ROM_DIR] = base_path


SUITE_DIR = "suite_dir"
"""Option of all dm_control tasks that names the folder of models."""

EXTRA = "pip install 'envpool_rs[dm_control]', which is dm_control 1.0.38 or later with a mujoco that fits it"


def with_suite(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """Returns ``options`` with the folder of the installed dm_control's models, if the task needs models and no folder
    is given.
    """
    if not any(each in tasks_with(SUITE_DIR) for each in ids_of(task_id)):
        return options
    return {**options, SUITE_DIR: folder_named(SUITE_DIR, options.get(SUITE_DIR), _installed_suite)}


def check_dm_control(spec: _core.Spec) -> None:
    """Checks that dm_control is installed, and registers it with the extension as the generator of models without
    files.

    Raises:
        ImportError: if a task needs dm_control, which is not installed; names the extra.
    """
    if SUITE_DIR not in spec.config:
        return
    if spec.config[SUITE_DIR] is None:
        raise ImportError(f"{spec.task_id} needs the models that dm_control brings: {EXTRA}")
    _core.make_models_with(_text_of)


@functools.cache
def _installed_suite() -> str | None:
    """Returns the path of dm_control's folder ``suite``, found without importing dm_control."""
    return folder_in("dm_control", "suite")


def _text_of(name: str) -> str:
    """Returns the XML text of a model, given its name: for ``"swimmer 6"``, calls
    ``dm_control.suite.swimmer`` with 6.
    """
    domain, *texts = name.split()
    module = import_module(f"dm_control.suite.{domain}")
    arguments = [_number(text) for text in texts]
    if domain == "lqr":
        # The seed is arbitrary: each environment redraws the model's random values (the stiffness of springs).
        arguments.append(np.random.RandomState(0))
    make = getattr(module, "make_model", None) or module.get_model_and_assets
    made = make(*arguments)
    text = made[0] if isinstance(made, tuple) else made
    return text if isinstance(text, str) else text.decode()


def _number(text: str) -> Any:
    """Parses an argument in a model's name: a number, ``True``, ``False`` or ``None``."""
    return ast.literal_eval(text)


PROCGEN_DIR = "procgen_dir"
"""Option of all Procgen tasks that names the folder of pictures."""


def needs_pictures(task_id: TaskBase) -> bool:
    """Returns whether a task draws Procgen's pictures; for several tasks, whether all of them do."""
    return all(each in tasks_with(PROCGEN_DIR) for each in ids_of(task_id))


def installed_pictures() -> str | None:
    """Returns the folder of pictures of the installed procgen-mirror, otherwise of EnvPool's assets; ``None`` if there
    is neither.
    """
    return folder_in("procgen", "data", "assets") or folder_in("envpool_assets", "procgen", "assets")


def with_pictures(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """Returns ``options`` with the folder of installed pictures, if the task needs pictures and no folder is given."""
    if not needs_pictures(task_id):
        return options
    return {**options, PROCGEN_DIR: folder_named(PROCGEN_DIR, options.get(PROCGEN_DIR), installed_pictures)}


def check_pictures(spec: _core.Spec) -> None:
    """Raises an error if Procgen's pictures are missing.

    Raises:
        ImportError: if the task needs pictures, no folder was given, and procgen-mirror is not installed; names the
            command that installs it without gym and gym3, which need numpy below 2.
    """
    _check_folder(spec, PROCGEN_DIR, "pictures", "procgen-mirror", "--no-deps procgen-mirror")


VIZDOOM_DIR = "vizdoom_dir"
"""Option of all ViZDoom tasks that names the folder of the vizdoom package."""

ASSETS_DIR = "assets_dir"
"""Option of EnvPool's ViZDoom tasks that names the folder of EnvPool's assets."""

CRAFTER_DIR = "crafter_dir"
"""Option of Crafter's tasks that names the folder of the crafter package."""


def has_assets(task_id: TaskBase) -> bool:
    """Returns whether a task may read EnvPool's asset files; for several tasks, whether all of them may."""
    return all(each in tasks_with(ASSETS_DIR) for each in ids_of(task_id))


def take_assets(options: dict[str, Any], option: str = ASSETS_DIR) -> None:
    """Replaces EnvPool's ``base_path`` by the folder option ``option``.

    The folder of this package, which contains no assets, counts as ``None``.

    Args:
        options: changed in place.
        option: name of the option that selects the folder.

    Raises:
        TypeError: for a ``base_path`` that is no path.
        ValueError: if ``base_path`` and ``option`` are both given, and differ.
    """
    base_path, own = base_path_of(options), path_for_each(option, options.get(option))
    if base_path == PACKAGE:
        base_path = None
    if base_path is not None and own is not None and base_path != own:
        raise ValueError(f"base_path={base_path!r} and {option}={own!r} are both given: expected one of them")
    if base_path is not None:
        options[option] = base_path


def with_games(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """Returns ``options`` with the folders of installed packages that the task needs, unless the caller gave them."""
    found = dict(options)
    folders = ((VIZDOOM_DIR, "vizdoom"), (ASSETS_DIR, "envpool_assets"), (CRAFTER_DIR, "crafter"))
    for option, package in folders:
        if all(each in tasks_with(option) for each in ids_of(task_id)):
            found[option] = folder_named(option, found.get(option), functools.partial(folder_in, package))
    return found


def check_games(spec: _core.Spec) -> None:
    """Raises an error if the ViZDoom engine is missing.

    Raises:
        ImportError: if the task needs the engine, no folder was given, and vizdoom is not installed; names the extra.
    """
    if spec.config.get(VIZDOOM_DIR, "") is None and not spec.config.get("vzd_path"):
        raise ImportError(
            f"{spec.task_id} needs the engine and the games that ViZDoom's package brings: "
            f"pip install 'envpool_rs[vizdoom]', or name their folder by {VIZDOOM_DIR}"
        )


def check_textures(spec: _core.Spec) -> None:
    """Raises an error if Crafter's textures are missing.

    Raises:
        ImportError: if the task needs textures, no folder was given, and crafter is not installed; names the extra.
    """
    if spec.config.get(CRAFTER_DIR, "") is None:
        raise ImportError(
            f"{spec.task_id} needs the textures that the crafter package brings: "
            f"pip install 'envpool_rs[crafter]', or name their folder by {CRAFTER_DIR}"
        )
