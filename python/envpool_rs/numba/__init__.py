"""Environments written in Python and compiled by Numba: ``@envpool_rs.numba.env(...)`` makes a task from a class of
functions.

Compiled tasks are stepped without the interpreter's lock, as fast as native ones, and work with all functions of this
package. numba is imported when the first task is defined: ``pip install 'envpool_rs[numba]'``.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from envpool_rs import _core
from envpool_rs._arguments import flag
from envpool_rs._known_attributes import KnownAttributes, all_attributes
from envpool_rs._tasks.plugin_checks import Finding, check_plugin
from envpool_rs._tasks.plugins import PluginLibrary, add_library, replaced_id
from envpool_rs._tasks.table import tasks
from envpool_rs.numba.definition import Definition, Info, Option
from envpool_rs.numba.python_env import PythonEnv

if TYPE_CHECKING:
    from envpool_rs.numba.compiler import CompiledTask

__all__ = ["Info", "NumbaEnv", "Option", "env"]

_defined: dict[str, NumbaEnv] = {}
"""Tasks that this process has defined, by name."""


class NumbaEnv(KnownAttributes):
    """Task made from a class of functions; the result of the decorator.

    The class's functions are attributes, not compiled: ``CartPole.step(state, 1)`` runs in Python.

    Attributes:
        task_id: the id.
        players: number of players.
        compilations: number of functions that this process compiled; 0 if the cache on disk had all functions.
    """

    task_id: str
    players: int
    compilations: int
    _key: str | None = None
    _number: int = 1

    def __init__(self, definition: Definition, compiled: CompiledTask, cls: type) -> None:
        self._definition = definition
        self._cls = cls
        self.task_id, self.players = definition.task_id, definition.players
        self.compilations = compiled.compilations
        self.__doc__ = cls.__doc__
        self.__name__, self.__qualname__, self.__module__ = cls.__name__, cls.__qualname__, cls.__module__
        with all_attributes(self):
            for name, function in definition.functions.items():
                setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_cls":  # `copy` reads attributes before `_cls` is set
            raise AttributeError(name)
        return getattr(self._cls, name)

    def python(self, **options: Any) -> PythonEnv:
        """Makes one environment whose functions run in Python: for debuggers, `print` and tracebacks. Options that are
        not given have their defaults. Raises a TypeError for an unknown option or a value of the wrong type, and a
        ValueError for a value out of bounds.
        """
        return PythonEnv(self._definition, options)

    def check(self, options: dict[str, Any] | None = None, steps: int = 1000) -> list[Finding]:
        """Checks the compiled task with some options, as :func:`envpool_rs.check_plugin` does."""
        return check_plugin([self.task_id], options, steps)

    def __repr__(self) -> str:
        return f"<task {self.task_id!r} of {self.__module__}.{self.__qualname__}>"


def env(
    task_id: str,
    *,
    observation: Any,
    action: Any,
    state: Any,
    options: Mapping[str, Any] | None = None,
    infos: Mapping[str, Any] | None = None,
    players: int = 1,
    max_episode_steps: int | None = None,
    reward_threshold: float | None = None,
    frame: tuple[int, int] | None = None,
    frames_per_second: int = 30,
    uniform: bool = True,
    boundscheck: bool = False,
    version: str | None = None,
    check: bool = False,
) -> Callable[[type], NumbaEnv]:
    """Returns a decorator that makes a task from a class of functions, which Numba compiles. The decorator's result has
    the functions as attributes, and the methods ``python()`` and ``check()``.

    The class has the functions ``reset(state, random, options)``, ``step(state, action, random, options)`` and
    ``observe(state, out, options)``, and may have ``inform(state, out, options)``, ``is_valid(state, options)`` and
    ``render(state, picture, options)``. A function may omit parameters that it does not need; parameters are matched by
    name. ``step`` returns ``(reward, terminated)`` or ``(reward, terminated, truncated)``; ``is_valid`` returns whether
    a state restored from a snapshot is valid for ``step``; the other functions fill in ``state``, ``out`` or
    ``picture``.

    Args:
        task_id: the id, such as ``"MyEnv-v0"``.
        observation: gymnasium's space of one player: a Box, Discrete, MultiDiscrete, MultiBinary, or a Dict of these,
            whose keys are attributes of ``out``.
        action: the action space of one player, of the same kinds; an int stands for ``Discrete``. Boxes are float32 or
            float64.
        state: all data that change during an episode: a dict whose keys are attributes of ``state`` and whose values
            are dtypes or ``(dtype, shape)``; or one ``(dtype, shape)`` for a state that is one array.
        options: names with defaults (bool, int or float), or :class:`Option`; attributes of ``options``.
        infos: names with dtypes, ``(dtype, shape)``, or :class:`Info`; attributes of ``out`` in ``inform``.
        players: number of players. With several players, actions, observations and rewards have a row per player.
        max_episode_steps: time limit, after which an episode is truncated.
        reward_threshold: mean return that counts as solved.
        frame: width and height of ``picture``, which is uint8 ``(height, width, 3)``.
        frames_per_second: frame rate of videos.
        uniform: whether all steps take about the same time, below a microsecond: many environments are then stepped in
            one call.
        boundscheck: whether compiled code checks indices; an index out of bounds is then reported as a failure of that
            environment.
        version: version that snapshots and pickles record, and that must be equal when they are loaded; by default a
            hash of the spaces, the state, the options and the players.
        check: whether to check the compiled task by :func:`envpool_rs.check_plugin` at once.

    Raises:
        ImportError: if numba is not installed; names the extra.
        TypeError: for an argument or a function of the wrong type, or a function that Numba cannot compile.
        ValueError: for a value that is not allowed, an id that exists, an index out of bounds, an observation that is
            not written completely, and with ``check`` for any finding.
    """
    arguments = dict(locals())
    del arguments["task_id"], arguments["check"]
    is_checked = flag("check", check)

    def decorate(cls: type) -> NumbaEnv:
        defined = _registered(cls, task_id, arguments)
        if is_checked:
            findings = defined.check()
            if findings:
                raise ValueError(f"check=True: {len(findings)} findings: " + "; ".join(map(str, findings)))
        return defined

    return decorate


@functools.cache
def import_numba() -> None:
    """Imports numba, and lets forks wait for compilations of other threads, so that a child never inherits a locked
    compiler: LLVM has locks of its own, which a child could not reset.
    """
    try:
        numba = import_module("numba")
    except ImportError as error:
        raise ImportError(f"envpool_rs.numba needs numba: pip install 'envpool_rs[numba]' ({error})") from error
    if numba.config.DISABLE_JIT:
        raise ImportError("envpool_rs.numba needs numba's compiler: expected NUMBA_DISABLE_JIT not to be set")
    llvm = import_module("llvmlite.binding.ffi").lib
    locks = [import_module("numba.core.compiler_lock").global_compiler_lock]
    locks += [llvm._lock] if hasattr(llvm, "_lock") else []

    def acquire() -> None:
        for lock in locks:
            lock.__enter__()

    def release() -> None:
        for lock in reversed(locks):
            with contextlib.suppress(RuntimeError):  # an interrupt (Ctrl-C) may have ended `acquire`
                lock.__exit__(None, None, None)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=acquire, after_in_parent=release, after_in_child=release)


def _registered(cls: type, task_id: str, arguments: Mapping[str, Any]) -> NumbaEnv:
    """Defines and registers a task; if an equal definition was registered before, returns that task.

    A class of the same name in the same module replaces its earlier definition, as in notebooks: new pools use the new
    definition, and existing pools keep the earlier one.
    """
    import_numba()
    from envpool_rs.numba import compiler

    definition = Definition(cls, task_id, arguments)
    key, earlier = compiler.key_of(definition), _defined.get(task_id)
    if earlier is not None and earlier._definition.origin == definition.origin:
        if key is not None and (earlier._key, earlier._definition.settings()) == (key, definition.settings()):
            return earlier
    elif task_id in tasks:
        owner = "" if earlier is None else f", defined by {earlier._definition.origin}"
        raise ValueError(f"id={task_id!r}: this task exists already{owner}; expected a new id")
    compiled = compiler.CompiledTask(definition, key)
    result = NumbaEnv(definition, compiled, cls)
    result._key, result._number = key, 1 if earlier is None else earlier._number + 1
    table_id = task_id if earlier is None else replaced_id(task_id, result._number)
    address, memory = compiler.library_of(definition, compiled.addresses, table_id)
    # The extension keeps references to the owners forever, because worker threads may run compiled functions until the
    # process ends.
    name, version, ids = _core.load_plugin_table(address, definition.origin, (definition, compiled, memory))
    _defined[task_id] = result
    load = functools.partial(_registered, cls, task_id, arguments)
    add_library(PluginLibrary(name, version, tuple(ids), (task_id,), load))
    return result
