"""Finds and opens the shared library of the installed `mujoco` package."""

from __future__ import annotations

import errno
import functools
import hashlib
import os
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from importlib.util import find_spec
from pkgutil import extend_path
from typing import Any

import numpy as np

from envpool_rs import _core
from envpool_rs._spec.installed import (
    SUITE_DIR,
    TaskBase,
    check_dm_control,
    folder_in,
    folder_named,
    ids_of,
    tasks_with,
)
from envpool_rs._spec.mujoco_layout import check_layout, further_layout_of, layout_of
from envpool_rs._spec.option_values import MAX_DEPTH

_Product = tuple[list[float], list[float], float]
"""Two vectors and their dot product, as numpy computes it."""

XML_FILE = "xml_file"
"""Option of all robots that names the model's file."""

XML_DIR = "xml_dir"
"""Option of all MuJoCo tasks that names the folder of models."""

MAZE_OPTION = "position_noise_range"
"""Option of all mazes, whose models this package contains."""

METAWORLD_DIR = "metaworld_dir"
"""Option of all MetaWorld tasks that names the folder of models."""

METAWORLD_EXTRA = (
    "pip install 'envpool_rs[metaworld]', then pip install --no-deps metaworld (which requires the older mujoco 3.3.0)"
)

ROBOTICS_DIR = "robotics_dir"
"""Option of all tasks of Fetch, the hands and the kitchen that names the folder of Gymnasium-Robotics' models."""

ROBOTICS_EXTRA = "pip install 'envpool_rs[robotics]', which is gymnasium-robotics 1.4.2 with mujoco"

_MODEL_PACKAGES = (
    (METAWORLD_DIR, "metaworld", METAWORLD_EXTRA),
    (ROBOTICS_DIR, "gymnasium-robotics", ROBOTICS_EXTRA),
)
"""Options that name folders of models, the packages that bring these models, and how to install the packages."""

EXTRA = "pip install 'envpool_rs[mujoco]', which is mujoco 3.6 or later (tested: 3.6.0 and 4.0.0)"

_LIBRARIES = ("libmujoco.so", "libmujoco.", "mujoco.dll")
"""Prefixes of the library's file name on Linux, macOS and Windows."""


_VERIFIED_VERSIONS = {
    "3.5.0": "b4b1578306539a17",
    "3.6.0": "1aad0eedc8f2fcd2",
    "3.7.0": "9392a2828764e62b",
    "3.8.0": "b87b52d934465d32",
    "3.8.1": "21d64abde161fc9f",
    "3.9.0": "fea9dd7d764efe88",
    "3.10.0": "71e8f4e67c9af554",
    "3.11.0": "84bf353f508ca993",
    "3.12.0": "80279b3f0625915d",
    "3.13.0": "0c3dd75c5e03131b",
    "3.14.0": "2c3207e8387448fa",
    "3.15.0": "e5f163f1e7a368e1",
    "3.16.0": "b51d8c81b28e1fa8",
    "3.17.0": "c7ee2fb9debd956e",
    "4.0.0": "ac555efc2155ad58",
}
"""Versions of MuJoCo whose layout tables `check_layout` has verified, with the tables' digests."""


def needs_mujoco(task_id: TaskBase) -> bool:
    """Returns whether MuJoCo simulates a task, or any of several tasks."""
    return any(
        each in tasks_with(option)
        for each in ids_of(task_id)
        for option in (XML_DIR, MAZE_OPTION, METAWORLD_DIR, ROBOTICS_DIR)
    )


def with_models(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """Returns ``options`` with the folder of the models of the installed gymnasium, metaworld or gymnasium-robotics, if
    the task needs models and no folder is given.

    Also tries to open MuJoCo's library. A specification needs the library only if the user gave a model; the spaces of
    built-in robots are known without the library.

    Raises:
        ImportError: if the user gave a model and MuJoCo's library cannot be opened.
    """
    if not needs_mujoco(task_id):
        return options
    problem = _open_error()
    if any(each in tasks_with(METAWORLD_DIR) for each in ids_of(task_id)):
        # MetaWorld's models have meshes, whose decoders the import of the package adds to old versions of the library.
        problem = problem or _import_error()
    if XML_FILE in options:
        problem = problem or _import_error()
        if problem is not None:
            raise ImportError(problem)
    found = dict(options)
    folders = (
        (XML_DIR, _installed_models),
        (METAWORLD_DIR, _installed_metaworld),
        (ROBOTICS_DIR, _installed_robotics),
    )
    for option, installed in folders:
        if any(each in tasks_with(option) for each in ids_of(task_id)):
            found[option] = folder_named(option, found.get(option), installed)
    return found


def _installed_models() -> str | None:
    """Returns the folder of gymnasium's models, found without importing gymnasium."""
    return folder_in("gymnasium", "envs", "mujoco", "assets")


@functools.cache
def _installed_metaworld() -> str | None:
    """Returns the folder of MetaWorld's models, found without importing metaworld."""
    return folder_in("metaworld", "assets")


@functools.cache
def _installed_robotics() -> str | None:
    """Returns the folder of Gymnasium-Robotics' models, found without importing gymnasium_robotics."""
    return folder_in("gymnasium_robotics", "envs", "assets")


def check_mujoco(spec: _core.Spec) -> None:
    """Raises an error if a task needs MuJoCo and MuJoCo is missing.

    Raises:
        ImportError: if a task needs MuJoCo, which is not installed or of an unknown version; names the extra.
    """
    if any(option in spec.config for option in (XML_DIR, SUITE_DIR, MAZE_OPTION, METAWORLD_DIR, ROBOTICS_DIR)):
        has_meshes = any(option in spec.config for option in (SUITE_DIR, METAWORLD_DIR, ROBOTICS_DIR))
        problem = _open_error() or (_import_error() if has_meshes else None)
        if problem is not None:
            raise ImportError(f"{spec.task_id}: {problem}")
        for option, package, extra in _MODEL_PACKAGES:
            if option in spec.config and spec.config[option] is None and not _is_absolute(spec.config.get(XML_FILE)):
                raise ImportError(f"{spec.task_id} needs the models that {package} brings: {extra}")
        check_dm_control(spec)


def _is_absolute(xml_file: Any) -> bool:
    """Returns whether a model file, or each of the environments' files, is an absolute path, which needs no folder of
    models.
    """
    files = xml_file if isinstance(xml_file, (list, tuple)) else [xml_file]
    return all(isinstance(each, (str, os.PathLike)) and os.path.isabs(each) for each in files)  # noqa: PTH117


def with_absolute_model(options: dict[str, Any]) -> dict[str, Any]:
    """Returns ``options`` with paths of models made absolute, so that they do not depend on the working directory.

    The specification then still refers to the same file after ``os.chdir``.

    Args:
        options: options of any task; only :data:`XML_FILE`, if it begins with ``.``, and folders of models change.
    """
    absolute = {
        XML_FILE: lambda path: os.path.abspath(path) if path.startswith(".") else path,  # noqa: PTH100
        XML_DIR: os.path.abspath,
        METAWORLD_DIR: os.path.abspath,
        ROBOTICS_DIR: os.path.abspath,
    }
    return {name: _map_texts(absolute[name], value) if name in absolute else value for name, value in options.items()}


def _map_texts(change: Callable[[str], str], value: Any, depth: int = MAX_DEPTH) -> Any:
    """Applies ``change`` to each str in ``value``: a single str, a list with one for each environment, or a choice of
    several. Lists are at most ``depth`` deep; they may contain themselves.
    """
    if depth == 0:
        return value
    if isinstance(value, (str, os.PathLike)):
        return change(os.fspath(value))
    if isinstance(value, (list, tuple)):
        return type(value)([_map_texts(change, each, depth - 1) for each in value])
    if isinstance(value, dict):
        return {key: _map_texts(change, each, depth - 1) for key, each in value.items()}
    return value


def _open_error() -> str | None:
    """Opens MuJoCo's library; returns the error message on failure, ``None`` on success.

    A failure is not cached, because it may be temporary, such as a lack of file descriptors or memory.
    """
    try:
        _open()
    except (ImportError, AttributeError, KeyError, ValueError) as error:
        if find_spec("mujoco") is None:
            return f"this needs MuJoCo: {EXTRA}"
        return f"mujoco {_version()} cannot be used ({error}): {_remedy(error)}"
    return None


_EXHAUSTED_ERRNOS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""Error codes of exhausted system resources, which installing a package does not fix."""


def _remedy(error: Exception) -> str:
    """Returns the remedy to name in an import error's message."""
    is_scarce = any(os.strerror(number) in str(error) for number in _EXHAUSTED_ERRNOS)
    return "raise the limits of this process (ulimit -a), or close what it has open" if is_scarce else EXTRA


@functools.cache
def _open() -> None:
    """Opens MuJoCo's library.

    A library with a known struct layout is opened without importing its package, because the import takes longer than
    all other steps.

    Raises:
        ImportError, AttributeError, KeyError, ValueError: if the library cannot be used.
    """
    folders = _folders()
    library = path_of(folders)
    keeps_single = (0.1 * np.ones(1, np.float32)[0]).dtype == np.float32
    products, matrix_products = _products(), _matrix_products()
    _core.install_mujoco(library, _checked_layout(folders), products, matrix_products, keeps_single, list(_kernels()))


def _checked_layout(folders: list[str]) -> str:
    """Returns the layout table of MuJoCo's structs, after a check, with a line for the version of the library that it
    describes.

    Raises:
        ImportError, AttributeError, KeyError, ValueError: if the library cannot be used.
    """
    layout = "\n".join(layout_of(folders))
    digest = digest_of(layout)
    verified = [version for version, known in _VERIFIED_VERSIONS.items() if known == digest]
    if verified:
        major, minor, patch = map(int, verified[0].split("."))
        version = 1_000_000 * major + 1000 * minor + patch
    else:
        import mujoco

        check_layout(mujoco, layout)
        version = mujoco.mj_version()
    return "\n".join([layout, *further_layout_of(folders), f"mj_version {version}"])


def _version() -> str:
    try:
        return metadata.version("mujoco")
    except metadata.PackageNotFoundError:
        return "of an unknown version"


def _import_error() -> str | None:
    """Imports the package ``mujoco``. The import adds decoders of file formats to MuJoCo's library.

    Returns the error message if the import fails, otherwise ``None``.

    A failure is not cached: a signal may have interrupted the import.
    """
    try:
        import_module("mujoco")
    except ImportError as error:
        # An exception such as KeyboardInterrupt that interrupts a compiled module's initialisation becomes the cause of
        # an ImportError.
        cause: BaseException | None = error
        while cause is not None:
            if not isinstance(cause, Exception):
                raise cause from None
            cause = cause.__cause__
        return f"the mujoco package cannot be imported ({error}): {_remedy(error)}"
    return None


def open_library() -> None:
    """Opens MuJoCo's library, and imports the package ``mujoco``.

    Raises:
        ImportError: if MuJoCo is not installed, or of an unknown version; names the extra.
    """
    problem = _open_error() or _import_error()
    if problem is not None:
        raise ImportError(problem)


def describe_library() -> str:
    """Returns the path of MuJoCo's library, then a line for each field of its structs, in the format that
    `sim::mujoco::install_described` reads.

    Raises:
        ImportError: if MuJoCo is not installed, or of an unknown version; names the extra.
    """
    problem = _open_error()
    if problem is not None:
        raise ImportError(problem)
    folders = _folders()
    return "\n".join([path_of(folders), _checked_layout(folders)])


def _folders() -> list[str]:
    """Returns the folders with files of the package ``mujoco``; several distributions may have installed parts of
    it.
    """
    spec = find_spec("mujoco")
    return list(extend_path(list(spec.submodule_search_locations or ()), "mujoco")) if spec else []


def path_of(folders: list[str]) -> str:
    """Returns the path of MuJoCo's library in the folders of the package ``mujoco``.

    Raises:
        ImportError: if the folders contain no library.
    """
    for folder in folders:
        for start in _LIBRARIES:
            names = [name for name in os.listdir(folder) if name.startswith(start)]  # noqa: PTH208
            if names:
                return str(os.path.join(folder, min(names)))  # noqa: PTH118
    raise ImportError("there is no library in its folder")


def digest_of(layout: str) -> str:
    """Returns the digest that identifies a table of the fields of MuJoCo's structs."""
    return hashlib.sha256(layout.encode()).hexdigest()[:16]


def _products() -> list[_Product]:
    """Returns vectors and their dot products with themselves, from which the extension determines how numpy's BLAS
    rounds.
    """
    random = np.random.default_rng(0)
    vectors = [random.uniform(-1, 1, size) for size in (2, 3) for _ in range(64)]
    return [(vector.tolist(), vector.tolist(), float(vector.dot(vector))) for vector in vectors]


def _matrix_products() -> list[_Product]:
    """Returns rows, columns and elements of matrix products, which numpy's BLAS computes by other kernels than dot
    products.
    """
    random = np.random.default_rng(1)
    pairs = [random.uniform(-1, 1, (2, 3, 3)) for _ in range(16)]
    places = [(row, column) for row in range(3) for column in range(3)]
    return [
        (first[row].tolist(), second[:, column].tolist(), float(product[row, column]))
        for first, second in pairs
        for product in [first.dot(second)]
        for row, column in places
    ]


_PYOBJECT_HEAD_SIZE = 16
"""Size of a Python object's header in bytes, before its own fields."""

_NPY_DOUBLE = 12
"""numpy's type number of float64."""


def _kernels() -> Iterator[tuple[str, int, int]]:
    """Yields the name of each function, the address of numpy's float64 loop for it, and the address of the loop's data.

    Stops early if numpy's function objects do not have the memory layout that numpy's headers declare.
    """
    import ctypes

    for name in _core.numpy_kernels():
        function = getattr(np, name)
        start = id(function) + _PYOBJECT_HEAD_SIZE
        inputs, outputs, arguments, _ = (ctypes.c_int * 4).from_address(start)
        functions, data = (ctypes.c_void_p * 2).from_address(start + 16)
        count = ctypes.c_int.from_address(start + 32).value
        _, types = (ctypes.c_void_p * 2).from_address(start + 40)
        described = (function.nin, function.nout, function.nargs, function.ntypes)
        if (inputs, outputs, arguments, count) != described or not (functions and data and types):
            return
        kinds = ctypes.string_at(types, count * arguments)
        rows = (row for row in range(count) if set(kinds[row * arguments : (row + 1) * arguments]) == {_NPY_DOUBLE})
        row = next(rows, None)
        if row is None:
            return
        loops, datas = ((ctypes.c_void_p * count).from_address(place) for place in (functions, data))
        yield name, loops[row] or 0, datas[row] or 0
