"""Adds tasks: names that users register, and libraries of tasks (plugins), whose specifications it pickles."""

from __future__ import annotations

import functools
import os
import pickle
import re
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from envpool_rs import _core
from envpool_rs._arguments import bounded, shown, text
from envpool_rs._errors import UnknownTaskError
from envpool_rs._spec.assets import PACKAGE
from envpool_rs._spec.options import forget_tasks, ids_of
from envpool_rs._spec.other_names import from_envpool_names, pool_options, restoring_given_names
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.table import ForeignTask, NamedTask, add_to_gymnasium, find, requested, sources, tasks

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINTS = "envpool_rs.plugins"  # group of the entry points that name libraries of tasks
VARIABLE = "ENVPOOL_RS_PLUGINS"  # environment variable with paths of libraries, separated as in `PATH`


@dataclass(frozen=True)
class PluginLibrary:
    """A loaded library of tasks."""

    name: str
    version: str
    task_ids: tuple[str, ...]
    names: tuple[str, ...]  # by which users request the tasks: differ from ids whose definition was replaced
    load: Callable[[], object] = field(compare=False)  # is pickled, and loads the library in another process
    path: str | None = None  # of a file


libraries: dict[str, PluginLibrary] = {}  # all loaded libraries, by name
_read: set[object] = set()  # sources that were loaded: paths, and distributions with names of entry points
_loading: set[tuple[int, object]] = set()  # sources that are being loaded, each with the thread that loads it
_failures: dict[str, Exception] = {}  # errors of libraries that could not be loaded, by a description of their source


def load_plugin(path: str | os.PathLike[str]) -> list[str]:
    """Loads a library of tasks, which all functions of this package then find by name. Returns the ids of its tasks.

    ``path`` is that of a shared library (``.so``, ``.dylib``, ``.dll``) with the function of ``envpool_rs.h``, or of a
    Python file that defines tasks by ``numba.env``. Loading runs the library's code. Libraries are never unloaded.

    Raises:
        FileNotFoundError: if there is no such file.
        ValueError: for an invalid library; the message names the library, the task and the reason.
        RuntimeError: if the file has changed since this process loaded it.
        TypeError: if ``path`` is no path.
    """
    absolute = absolute_path(path)
    if absolute.endswith(".py"):
        return _run_module(absolute)
    name, version, ids = _core.load_plugin(absolute)
    add_library(
        PluginLibrary(name, version, tuple(ids), tuple(ids), functools.partial(load_plugin, absolute), absolute)
    )
    return list(ids)


_python_files: dict[str, list[str]] = {}  # names of the tasks that each Python file has defined


def _run_module(path: str) -> list[str]:
    """Imports a Python file as the module of its name, and returns the names of the tasks that it defines."""
    if path in _python_files:
        return list(_python_files[path])
    if not os.path.isfile(path):  # noqa: PTH113 as below
        raise FileNotFoundError(f"path={path!r}: there is no such file")
    from importlib.util import module_from_spec, spec_from_file_location

    name, before = os.path.splitext(os.path.basename(path))[0], dict(libraries)  # noqa: PTH119, PTH122
    spec = spec_from_file_location(name, path)
    if name in sys.modules or spec is None or spec.loader is None:
        raise ValueError(f"path={path!r}: expected a file whose name is not that of the loaded module {name!r}")
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
        added = [each for key, each in libraries.items() if before.get(key) is not each]
        if not added:
            raise ValueError(f"path={path!r}: expected a file that defines tasks, by envpool_rs.numba.env")
    except BaseException:
        del sys.modules[name]
        raise
    _python_files[path] = [task for each in added for task in each.names]
    return list(_python_files[path])


def absolute_path(path: Any) -> str:
    """Returns the absolute path of a library; raises a TypeError for a value that is no path."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path={path!r}: expected the path of a shared library")
    return os.path.abspath(os.fspath(path))  # noqa: PTH100 pathlib takes long to import


def get_include() -> str:
    """Returns the folder of ``envpool_rs.h``, the C interface of libraries of tasks."""
    folder = os.path.join(PACKAGE, "include")  # noqa: PTH118
    if os.path.isdir(folder):  # noqa: PTH112
        return folder
    # The package is used in place, in a clone of the repository.
    return os.path.abspath(os.path.join(PACKAGE, "..", "..", "src", "plugin", "include"))  # noqa: PTH100, PTH118


def add_library(library: PluginLibrary) -> None:
    """Adds the tasks of a library that the extension has loaded to the table of tasks and to gymnasium's registry."""
    libraries[library.name] = library
    forget_tasks()
    named = zip(library.names, library.task_ids, strict=True)
    added = {name: NamedTask(task_id) for name, task_id in named if name not in tasks or name != task_id}
    tasks.update(added)
    add_to_gymnasium(added)


def library_of(task_id: str) -> PluginLibrary | None:
    """Returns the library of an extension task; ``None`` for a task of this release."""
    return next((library for library in list(libraries.values()) if task_id in library.task_ids), None)


def discover() -> list[str]:
    """Loads the libraries that `ENVPOOL_RS_PLUGINS` and entry points name; returns a sentence for each failure."""
    for path in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        _load_source(path, f"{path!r} of {VARIABLE}", lambda path=path: load_plugin(path))  # type: ignore[misc]
    for entry_point in _entry_points(tuple(sys.path)):
        distribution = "unknown" if entry_point.dist is None else entry_point.dist.name
        source = f"the entry point {entry_point.name} = {entry_point.value} of the distribution {distribution!r}"
        key = (distribution, entry_point.name)
        _load_source(key, source, lambda each=entry_point: _load_entry_point(each))  # type: ignore[misc]
    return [f"{source} cannot be loaded: {type(error).__name__}: {error}" for source, error in list(_failures.items())]


@functools.cache
def _entry_points(path: tuple[str, ...]) -> list[EntryPoint]:
    """Returns the plugin entry points of distributions on ``path``; a search takes tens of milliseconds."""
    from importlib import metadata  # imported here: the import takes as long as importing half of this package

    return list(metadata.entry_points(group=ENTRY_POINTS))


def _load_source(key: object, source: str, load: Callable[[], object]) -> None:
    """Loads a source, unless it was loaded before or this thread is loading it."""
    # If another thread is loading the source, loading it again waits for that thread: its names would be unknown.
    own = (threading.get_ident(), key)
    if key in _read or own in _loading:
        return
    _loading.add(own)
    try:
        load()
    except Exception as error:
        _failures[source] = error
        warnings.warn(f"{source} cannot be loaded: {type(error).__name__}: {error}", RuntimeWarning, stacklevel=2)
    finally:
        _loading.discard(own)
    _read.add(key)


def _load_entry_point(entry_point: EntryPoint) -> None:
    """Loads an entry point: a module that defines tasks; or a path, paths, or a function that returns these."""
    value = entry_point.load()
    value = value() if callable(value) else value
    for path in [value] if isinstance(value, (str, os.PathLike)) else value if isinstance(value, Iterable) else ():
        load_plugin(path)


sources.append(discover)


def id_in_library(name: str) -> str | None:
    """Returns the extension's id of a task that a library defines; ``None`` for other names."""
    task = tasks.get(name)
    return task.base if isinstance(task, NamedTask) and library_of(task.base) is not None else None


def spec_of_plugins(cls: type[EnvSpec], needed: list[tuple[str, str]], origin: tuple[Any, ...]) -> EnvSpec:
    """Recreates a specification from a pickle that names the libraries of its tasks."""
    name, base, *rest = origin
    if any(library not in libraries for library, _ in needed):
        discover()
    for library, version in needed:
        loaded = libraries.get(library)
        wanted = f"{', '.join(ids_of(base))} of a pickle needs the library {library!r}, version {version!r}"
        if loaded is None:
            remedy = "load it first, by envpool_rs.load_plugin(path) or by importing the module that defines the task"
            raise UnknownTaskError(f"{wanted}, which is not loaded: {remedy}")
        if loaded.version != version:
            raise UnknownTaskError(f"{wanted}: version {loaded.version!r} is loaded; expected the same version")

    def current(task_id: str) -> str:  # the id in this process of a task that the pickle names
        return id_in_library(REPLACED.sub("", task_id).removeprefix("/")) or task_id

    own = current(base) if isinstance(base, str) else tuple((current(each), given) for each, given in base)
    return cls(name, own, *rest)


# Prefix of ids of tasks whose definition was replaced; the rest is the name, after a slash or a folder.
REPLACED = re.compile(r"replaced-\d+-?(?=.*/)")


def replaced_id(name: str, number: int) -> str:
    """Returns the internal id of a task's ``number``-th definition, valid in this process only."""
    folder, slash, rest = name.rpartition("/")
    return f"replaced-{number}-{folder}/{rest}" if slash else f"replaced-{number}/{rest}"


@dataclass(frozen=True)
class PortableSpec:
    """Specification for a program's own worker process: unpickling it loads the libraries of its tasks first."""

    spec: EnvSpec
    libraries: list[PluginLibrary]

    def __reduce__(self) -> tuple[Any, ...]:
        import cloudpickle

        loaders = [(each.name, each.version, cloudpickle.dumps(each.load)) for each in self.libraries]
        return _spec_with_libraries, (loaders, pickle.dumps(self.spec))


def _spec_with_libraries(loaders: list[tuple[str, str, bytes]], spec: bytes) -> Any:
    """Loads the libraries that this process has not loaded, and unpickles a specification."""
    missing = [load for name, version, load in loaders if name not in libraries or libraries[name].version != version]
    for load in missing:
        pickle.loads(load)()
    return pickle.loads(spec)


def portable(spec: EnvSpec) -> Any:
    """Returns an object that a worker process unpickles to ``spec``, after loading the libraries of its tasks."""
    used = dict.fromkeys(filter(None, map(library_of, spec.task_id.split(", "))))
    return PortableSpec(spec, list(used)) if used else spec


def register(
    task_id: str,
    import_path: str | None = None,
    spec_cls: str | None = None,
    dm_cls: str | None = None,
    gym_cls: str | None = None,
    gymnasium_cls: str | None = None,
    *,
    base: str | None = None,
    library: str | os.PathLike[str] | None = None,
    aliases: Sequence[str] = (),
    **options: Any,
) -> None:
    """Registers a new task name, for a task with other default options or for classes of another package.

    ``register("LightPendulum-v1", base="Pendulum-v1", g=5.0)`` registers the name for all functions of this package and
    with gymnasium. With ``library``, the base is a task of a library, which is loaded first. The form with
    ``import_path`` is EnvPool's: the named classes are imported on first use, and called as
    ``cls(spec_cls(spec_cls.gen_config(**options)))``.

    Args:
        task_id: the new name.
        import_path: module of the classes (EnvPool's form).
        spec_cls: name of the specification's class.
        dm_cls: name of the class for ``env_type="dm"``; ``None`` for no class; and so the other two.
        gym_cls: by default ``gymnasium_cls``, as in EnvPool since 1.0.
        gymnasium_cls: name of the class for ``env_type="gymnasium"``.
        base: an existing task (the form with other defaults). With ``library``, one of the library's tasks; by default
            ``task_id``, or the library's only task.
        library: path of a library of tasks, as for :func:`load_plugin`.
        aliases: further names of the task.
        options: defaults for the options.

    Raises:
        ValueError: for a name that is taken, an unknown ``base``, or a mixture of both forms.
        TypeError: for an unknown option, and for names that are not str.
        gymnasium.error.Error: for a name that gymnasium rejects.
    """
    text("task_id", task_id)
    if isinstance(aliases, str) or not isinstance(aliases, Sequence):
        raise TypeError(f"aliases={shown(aliases)}: expected a list of str")
    names = [task_id, *(text(f"aliases[{index}]", each) for index, each in enumerate(bounded("aliases", aliases)))]
    _check_new(names if library is None else names[1:])
    if library is not None:
        was_known, ids = task_id in tasks, load_plugin(library)
        if task_id not in ids and was_known:
            _check_new([task_id])
        base = base or (task_id if task_id in ids else ids[0] if len(ids) == 1 else None)
        if base not in ids:
            raise ValueError(f"base={base!r}: expected a task of the library {os.fspath(library)!r}: {', '.join(ids)}")
    classes = {"dm": dm_cls, "gym": gym_cls or gymnasium_cls, "gymnasium": gymnasium_cls}
    if base is not None:
        foreign = [each for each in (import_path, spec_cls, *classes.values()) if each is not None]
        if foreign:
            given = f"base={base!r} and {foreign[0]!r} of another package"
            raise ValueError(f"{given} are both given: expected one of them")
        task: NamedTask | ForeignTask = _named_task(base, options)
    elif import_path is None or spec_cls is None:
        raise ValueError("register() needs either base, or import_path and spec_cls")
    else:
        task = ForeignTask(import_path, spec_cls, classes, options)
    named = dict.fromkeys(names, task)
    # gymnasium comes first: if it rejects a name, no name is registered.
    add_to_gymnasium(named)
    tasks.update(named)


def _check_new(names: Sequence[str]) -> None:
    taken = [name for name in names if name in tasks]
    if taken:
        raise ValueError(f"task_id={taken[0]!r} is registered already: expected a new name")


def _named_task(base: str, options: dict[str, Any]) -> NamedTask:
    base, given = requested(base)
    options, task = {**given, **options}, find(base)
    if not isinstance(task, NamedTask):
        raise ValueError(f"base={base!r}: expected a task of envpool_rs, not one registered with other classes")
    with restoring_given_names(options):
        of_extension, own = from_envpool_names(task.base, options)
        assert isinstance(of_extension, str)  # a single task, as `NamedTask` requires of its base
        preset = pool_options(of_extension, task.with_presets(own))
        EnvSpec(base, of_extension, "envpool", preset)  # checks the options at registration, not at the first use
    return NamedTask(of_extension, preset)
