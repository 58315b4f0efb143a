"""Functions that make environments and specifications of tasks."""

from __future__ import annotations

import inspect
import os
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, overload

from envpool_rs._errors import RefusedOptionError
from envpool_rs._spec.installed import TaskBase
from envpool_rs._spec.option_values import restoring_given_names
from envpool_rs._spec.other_names import from_envpool_names
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.benchmarks import Benchmark
from envpool_rs._tasks.pool_options import check_env_type, check_return_info, pool_options
from envpool_rs._tasks.table import (
    ForeignTask,
    MixedTask,
    NamedTask,
    TaskId,
    find,
    joined_name,
    requested,
)

if TYPE_CHECKING:
    from envpool_rs._facades.dm_facade import DMEnvPool
    from envpool_rs._facades.gym_facade import GymEnvPool
    from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool

NativeTask: TypeAlias = "NamedTask | MixedTask | Benchmark"

EnvType = Literal["gym", "gymnasium", "dm"]

FACADES = {
    "gymnasium": "envpool_rs._facades.gymnasium_facade:GymnasiumEnvPool",
    "gym": "envpool_rs._facades.gym_facade:GymEnvPool",
    "dm": "envpool_rs._facades.dm_facade:DMEnvPool",
}
"""Classes of pools, as module and name: they are imported on demand, because gym and dm_env are optional."""


@overload
def make(task_id: TaskId, env_type: Literal["gymnasium"] = "gymnasium", **options: Any) -> GymnasiumEnvPool: ...
@overload
def make(task_id: TaskId, env_type: Literal["gym"], **options: Any) -> GymEnvPool: ...
@overload
def make(task_id: TaskId, env_type: Literal["dm"], **options: Any) -> DMEnvPool: ...
def make(task_id: TaskId, env_type: EnvType = "gymnasium", **options: Any) -> Any:
    """Makes a pool of environments with one of EnvPool's interfaces.

    Args:
        task_id: one of ``list_all_envs()``, or its gymnasium id (``"envpool_rs/CartPole-v1"``); a specification, whose
            options apply unless others are given; or a list of tasks whose spaces agree: the first
            ``num_envs / len(task_id)`` environments run the first task, the next as many run the second, and so on.
        env_type: ``"gymnasium"``, ``"gym"`` (legacy) or ``"dm"``.
        options: options of the pool and of the environments, listed below by ``help``. An environment's options and
            ``max_episode_steps`` may be lists or arrays of ``num_envs`` values, one for each environment. Many options
            may be distributions, from which a value is drawn for each episode: ``("uniform", low, high)``,
            ``("integers", low, high)``, ``("choice", value, ...)``.

    Returns:
        A :class:`GymnasiumEnvPool`, :class:`GymEnvPool` or :class:`DMEnvPool`.

    Raises:
        ValueError: for an unknown task, with suggestions, or a value that is not allowed.
        TypeError: for an unknown option, with suggestions, or one of the wrong kind.
        ImportError: for ``"dm"`` if dm_env is not installed.
    """
    check_env_type(env_type)
    task_id, options = _requested(task_id, options)
    task = find(task_id)
    if isinstance(task, ForeignTask):
        return task.env(env_type, options)
    cls = resolve_name(FACADES[env_type])
    with restoring_given_names(options):
        return cls(_envpool_spec(task_id, task, options, env_type))


def _lists_of_options() -> str:
    """Returns the lists of tasks and options at the end of `make`'s docstring, from a file that `make signatures`
    writes.
    """
    with open(os.path.join(os.path.dirname(__file__), "options.txt")) as lists:  # noqa: PTH118, PTH120, PTH123 see below
        return lists.read()


# `os.path` is used instead of pathlib, whose import takes long.
make.__doc__ = f"{inspect.cleandoc(make.__doc__ or '')}\n\n{_lists_of_options()}"


def _envpool_spec(task_id: TaskId, task: NativeTask, options: dict[str, Any], env_type: str) -> EnvSpec:
    try:
        with restoring_given_names(options):
            name, base, given = resolve(task_id, task, options)
            return_info = check_return_info(given.pop("gym_reset_return_info", None), env_type)
            if env_type == "gym":
                from envpool_rs._spec.installed_gym import GymEnvSpec

                return GymEnvSpec(name, base, "envpool", given, return_info)
            return EnvSpec(name, base, "envpool", given, return_info)
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise RefusedOptionError(str(error)) from None


def resolve(task_id: TaskId, task: NativeTask, options: dict[str, Any]) -> tuple[str, TaskBase, dict[str, Any]]:
    """Returns a task's name, the extension's task, and its options by this package's names."""
    if isinstance(task, Benchmark):
        task_id, options = task.checked(str(task_id), dict(options))
        found = find(task_id)
        assert isinstance(found, (NamedTask, MixedTask))  # tasks of the benchmark
        task = found
    base, own = from_envpool_names(task.base, options)
    # If the options select another task of the extension, that task's name replaces the given one.
    name = base if isinstance(base, str) and base != task.base else joined_name(task_id)
    return name, base, pool_options(base, task.with_presets(own))


def _requested(task_id: Any, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Returns the requested task, and the options, which replace those of a specification."""
    found, own = requested(task_id)
    return found, {**own, **options}


def make_gymnasium(task_id: TaskId, **options: Any) -> GymnasiumEnvPool:
    """``make(task_id, "gymnasium", **options)``."""
    return make(task_id, "gymnasium", **options)


def make_gym(task_id: TaskId, **options: Any) -> GymEnvPool:
    """``make(task_id, "gym", **options)``."""
    return make(task_id, "gym", **options)


def make_dm(task_id: TaskId, **options: Any) -> DMEnvPool:
    """``make(task_id, "dm", **options)``."""
    return make(task_id, "dm", **options)


def native_spec(task_id: str, env_type: str, options: dict[str, Any]) -> EnvSpec:
    """Returns the specification of a native pool with one of EnvPool's interfaces.

    Args:
        task_id: as for :func:`make`.
        env_type: ``"gymnasium"``, ``"gym"`` or ``"dm"``.
        options: as for :func:`make`.

    Raises:
        ValueError: for an unknown task, with suggestions, a task of another package, or a value that is not allowed.
        TypeError: for an unknown option, with suggestions, or an option of the wrong type.
    """
    task_id, options = _requested(task_id, options)
    task = find(task_id)
    if isinstance(task, ForeignTask):
        raise ValueError(
            f"task_id={task_id!r}: it was registered with classes of another package, not as a native task"
        )
    return _envpool_spec(task_id, task, options, env_type)


def make_spec(task_id: TaskId, **options: Any) -> EnvSpec:
    """Returns the spaces and configuration of a task, without making environments.

    Args:
        task_id: as for :func:`make`.
        options: as for :func:`make`.

    Raises:
        ValueError: for an unknown task, with suggestions, or a value that is not allowed.
        TypeError: for an unknown option, with suggestions, or an option of the wrong type.
    """
    task_id, options = _requested(task_id, options)
    task = find(task_id)
    if isinstance(task, ForeignTask):
        return task.spec(options)  # type: ignore[no-any-return]
    return _envpool_spec(task_id, task, options, "gymnasium")
