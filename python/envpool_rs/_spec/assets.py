"""Files of other packages that tasks need: cartridges, models, textures. They are found without importing packages."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from envpool_rs import _core
from envpool_rs._arguments import path, path_for_each
from envpool_rs._spec.families import FACTS
from envpool_rs._spec.mujoco_library import open_library
from envpool_rs._spec.myosuite_models import MAKERS
from envpool_rs._spec.options import MAX_DEPTH, TaskBase, all_have, is_same

PACKAGE = os.path.dirname(os.path.dirname(__file__))  # noqa: PTH120 pathlib takes long to import
"""Folder of the package envpool_rs, which configurations report as ``base_path`` of tasks without cartridges."""


@dataclass(frozen=True)
class Asset:
    """Folder of files that tasks read."""

    option: str  # names the folder; the tasks that have it need the files
    places: list[list[str]]  # installed packages with the folder's path in each; the first that exists is the default
    noun: str = ""  # the files, as messages name them
    owner: str = ""  # the package that brings them
    install: str = ""  # the remedy of missing files; without one, the files may be missing
    variable: str = ""  # environment variable that names the folder
    # Options that make the folder unnecessary if they are "given", or "absolute" paths.
    substitutes: Mapping[str, str] = field(default_factory=dict)
    needs_mujoco: bool = False  # whether the files are models of MuJoCo
    has_meshes: bool = False  # whose decoders the import of the package `mujoco` adds to old versions of the library
    takes_base_path: bool = False  # whether EnvPool's `base_path` names the folder

    def installed(self) -> str | None:
        named = os.environ.get(self.variable) if self.variable else None
        return named or next(filter(None, (folder_in(*place) for place in self.places)), None)

    def is_missing(self, config: Mapping[str, Any]) -> bool:
        """Returns whether the files of a configuration's task are necessary, and their folder is unknown."""
        if not self.install or config.get(self.option, "") is not None:
            return False
        for option, rule in self.substitutes.items():
            given = config.get(option)
            files = given if isinstance(given, (list, tuple)) else [given]
            are_absolute = all(isinstance(each, (str, os.PathLike)) and os.path.isabs(each) for each in files)  # noqa: PTH117
            if are_absolute if rule == "absolute" else given:
                return False
        return True


XML_FILE = "xml_file"  # option of all robots that names the model's file
MAZE_OPTION = "position_noise_range"  # option of all mazes, which MuJoCo simulates; this package has their models
ASSETS = tuple(Asset(**facts) for facts in FACTS["assets"])  # all folders of files that tasks read
_ASSET_OF = {asset.option: asset for asset in ASSETS}
CARTRIDGES, SUITE, METAWORLD, MYOSUITE = (
    _ASSET_OF[option] for option in ("rom_dir", "suite_dir", "metaworld_dir", "myosuite_dir")
)


def folder_in(package: str, *parts: str) -> str | None:
    """Returns a folder of an installed package; ``None`` if it does not exist."""
    found = find_spec(package)
    folders = [] if found is None else found.submodule_search_locations or []
    # `os.path` is used, because importing pathlib takes long.
    candidates = (os.path.join(folder, *parts) for folder in folders)  # noqa: PTH118
    return next((folder for folder in candidates if os.path.isdir(folder)), None)  # noqa: PTH112


def with_assets(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    needed = [asset for asset in ASSETS if all_have(task_id, asset.option)]
    # A specification needs MuJoCo's library only if the user gave a model; the spaces of built-in robots are known
    # without it. dm_control's tasks take no model of the user's, so their library is opened with the pool.
    robots = [asset for asset in needed if asset.needs_mujoco and asset is not SUITE]
    if robots or all_have(task_id, MAZE_OPTION):
        try:
            open_library(with_package=XML_FILE in options or METAWORLD in robots)
        except ImportError:
            if XML_FILE in options:
                raise
    found = dict(options)
    for asset in needed:
        named = path_for_each(asset.option, options.get(asset.option))
        if isinstance(named, list):
            found[asset.option] = [asset.installed() if each is None else each for each in named]
        else:
            found[asset.option] = asset.installed() if named is None else named
    return found


def check_assets(spec: _core.Spec) -> None:
    """Raises ImportError, naming the package and how pip installs it, if files or the library of a task are missing."""
    needed = [asset for asset in ASSETS if asset.option in spec.config]
    if MAZE_OPTION in spec.config or any(asset.needs_mujoco for asset in needed):
        try:
            open_library(with_package=any(asset.has_meshes for asset in needed))
        except ImportError as error:
            raise ImportError(f"{spec.task_id}: {error}") from error
    for asset in needed:
        if asset.is_missing(spec.config):
            raise ImportError(f"{spec.task_id} needs the {asset.noun} that {asset.owner} brings: {asset.install}")
    if SUITE in needed or MYOSUITE in needed:
        _core.make_models_with(_made)


def with_absolute_models(options: dict[str, Any]) -> dict[str, Any]:
    """Returns ``options`` with absolute paths of models, which do not depend on the working directory."""
    changes: dict[str, Callable[[str], str]] = {
        asset.option: os.path.abspath for asset in ASSETS if asset.needs_mujoco and asset is not SUITE
    }
    changes[XML_FILE] = lambda path: os.path.abspath(path) if path.startswith(".") else path  # noqa: PTH100
    return {name: _map_texts(changes[name], value) if name in changes else value for name, value in options.items()}


def _map_texts(change: Callable[[str], str], value: Any, depth: int = MAX_DEPTH) -> Any:
    """Applies ``change`` to each str in ``value``, whose lists may contain themselves."""
    if depth == 0:
        return value
    if isinstance(value, (str, os.PathLike)):
        return change(os.fspath(value))
    if isinstance(value, (list, tuple)):
        return type(value)([_map_texts(change, each, depth - 1) for each in value])
    if isinstance(value, dict):
        return {key: _map_texts(change, each, depth - 1) for key, each in value.items()}
    return value


def _made(name: str) -> bytes:
    """Returns a model for which there is no file (XML of dm_control, MJB of MyoSuite), or a motion of MyoSuite."""
    kind, _, path = name.partition(" ")
    return MAKERS[kind](path) if kind in MAKERS else _text_of(name).encode()


def _text_of(name: str) -> str:
    """Returns the XML text of a model of dm_control, named by a module and its arguments, as in ``swimmer 6``."""
    domain, *texts = name.split()
    module = import_module(f"dm_control.suite.{domain}")
    arguments: list[Any] = [ast.literal_eval(text) for text in texts]
    if domain == "lqr":
        # The seed is arbitrary: each environment redraws the model's random values (the stiffness of springs).
        arguments.append(np.random.RandomState(0))
    make = getattr(module, "make_model", None) or module.get_model_and_assets
    made = make(*arguments)
    text = made[0] if isinstance(made, tuple) else made
    return text if isinstance(text, str) else text.decode()


_PACKAGES = ("envpool", "envpool_assets", "envpool_rs")  # names of folders that configurations report as `base_path`


def take_base_path(task_id: TaskBase, options: dict[str, Any]) -> None:
    """Replaces EnvPool's ``base_path`` in ``options`` by the option of the folder that it names.

    An empty str counts as ``None``, and so does the folder of this package, which contains no files of tasks. If
    ``base_path`` and the folder's option are given and one of them is the folder of the installed files, it comes from
    a configuration in which the user changed the other.
    """
    asset = next((asset for asset in ASSETS if asset.takes_base_path and all_have(task_id, asset.option)), None)
    given = options.pop("base_path", None)
    if asset is None:
        folder = path("base_path", given)
        if folder and os.path.basename(os.path.normpath(folder)) not in _PACKAGES:  # noqa: PTH119
            raise ValueError(f"base_path={folder!r}: expected None (this task reads no files from there)")
        return
    base_path, own = path_for_each("base_path", given), path_for_each(asset.option, options.get(asset.option))
    if base_path == []:
        raise TypeError(f"base_path={given!r}: expected a path or None, or a list with one for each environment")
    if not base_path or base_path == PACKAGE:
        return
    if own is not None and not is_same(base_path, own):
        installed = asset.installed()
        if installed not in (base_path, own):
            raise ValueError(f"base_path={base_path!r} and {asset.option}={own!r} are both given: expected one of them")
        base_path = own if base_path == installed else base_path
    options[asset.option] = base_path
