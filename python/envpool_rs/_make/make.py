"""The functions that make environments of tasks, and their specifications."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from gymnasium import error as gymnasium_error
from gymnasium.envs import registration as gymnasium_registration
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

from envpool_rs._arguments import choice
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.named_tasks import ForeignTask, MixedTask, NamedTask
from envpool_rs._tasks.pool_options import check_env_type, check_return_info, pool_options
from envpool_rs._tasks.table import TaskId, find, joined_name, list_all_envs, native_ids, tasks
from envpool_rs._tasks.unknown_task import unknown_task

if TYPE_CHECKING:
    from envpool_rs._facades.dm_facade import DMEnvPool
    from envpool_rs._facades.gym_facade import GymEnvPool
    from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool
    from envpool_rs._facades.vector_env import VectorEnv
    from envpool_rs._python_pool.vector_env import PythonVectorEnv

EnvType = Literal["gym", "gymnasium", "dm"]


@overload
def make(task_id: TaskId, env_type: Literal["gymnasium"] = "gymnasium", **options: Any) -> GymnasiumEnvPool: ...
@overload
def make(task_id: TaskId, env_type: Literal["gym"], **options: Any) -> GymEnvPool: ...
@overload
def make(task_id: TaskId, env_type: Literal["dm"], **options: Any) -> DMEnvPool: ...
def make(task_id: TaskId, env_type: EnvType = "gymnasium", **options: Any) -> Any:
    """Makes a pool of environments behind one of EnvPool's interfaces.

    Args:
        task_id: one of ``list_all_envs()``; or a list of them whose spaces agree: the first ``num_envs / len(task_id)``
            environments play the first, as many the second, and so on.
        env_type: ``"gymnasium"``, ``"gym"`` (legacy) or ``"dm"``.
        options: ``num_envs`` (1), ``batch_size`` (0: ``num_envs``; smaller is asynchronous), ``num_threads`` (0: as
            many as pay), ``seed`` (42; an int, where environment ``i`` gets ``seed + i``, or a list of ``num_envs``
            ints), ``max_episode_steps``, ``reward_threshold``, ``thread_affinity_offset`` (-1), ``autoreset_mode``
            (``"next_step"``, ``"same_step"`` or ``"disabled"``), ``gym_reset_return_info`` (gym only), and the
            environment's own. These and ``max_episode_steps`` may be lists or arrays of ``num_envs`` values, one for
            each environment; many may be drawn for each episode: ``("uniform", low, high)``, ``("integers", low,
            high)``, ``("choice", value, ...)``.

    Returns:
        A :class:`GymnasiumEnvPool`, :class:`GymEnvPool` or :class:`DMEnvPool`.

    Raises:
        ValueError: for an unknown task, naming near ones, or a value that is not allowed.
        TypeError: for an unknown option, naming near ones, or one of the wrong kind.
        ImportError: for ``"dm"`` where dm_env is not installed.
    """
    check_env_type(env_type)
    task = find(task_id)
    if isinstance(task, ForeignTask):
        return task.env(env_type, options)
    cls = _facade(env_type)
    return cls(_envpool_spec(task_id, task, options, env_type))


def _facade(env_type: EnvType) -> Any:
    # Imported only when asked for: gym and dm_env are optional.
    if env_type == "gym":
        from envpool_rs._facades.gym_facade import GymEnvPool

        return GymEnvPool
    if env_type == "dm":
        from envpool_rs._facades.dm_facade import DMEnvPool

        return DMEnvPool
    from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool

    return GymnasiumEnvPool


def _envpool_spec(task_id: TaskId, task: NamedTask | MixedTask, options: dict[str, Any], env_type: str) -> EnvSpec:
    given = pool_options(task.base, task.with_presets(options))
    return_info = check_return_info(given.pop("gym_reset_return_info", None), env_type)
    if env_type == "gym":
        from envpool_rs._spec.gym_spec import GymEnvSpec

        return GymEnvSpec(joined_name(task_id), task.base, "envpool", given, return_info)
    return EnvSpec(joined_name(task_id), task.base, "envpool", given, return_info)


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
    """The specification of a native pool behind one of EnvPool's interfaces.

    Args:
        task_id: one of ``list_all_envs()``.
        env_type: ``"gymnasium"``, ``"gym"`` or ``"dm"``.
        options: as for :func:`make`.

    Raises:
        ValueError: for an unknown task, naming near ones, one that is another package's, or a value that is not
            allowed.
        TypeError: for an unknown option, naming near ones, or one of the wrong kind.
    """
    task = find(task_id)
    if isinstance(task, ForeignTask):
        raise ValueError(
            f"task_id={task_id!r}: it was registered with classes of another package, not as a native task"
        )
    return _envpool_spec(task_id, task, options, env_type)


def make_spec(task_id: TaskId, **options: Any) -> EnvSpec:
    """Spaces and configuration of a task, without making environments.

    Args:
        task_id: one of ``list_all_envs()``, or a list of them.
        options: as for :func:`make`.

    Raises:
        ValueError: for an unknown task, naming near ones, or a value that is not allowed.
        TypeError: for an unknown option, naming near ones, or one of the wrong kind.
    """
    task = find(task_id)
    if isinstance(task, ForeignTask):
        return task.spec(options)  # type: ignore[no-any-return]
    return _envpool_spec(task_id, task, options, "gymnasium")


def make_vec(
    task_id: str | Sequence[str] | GymnasiumEnvSpec,
    num_envs: int | None = None,
    vectorization_mode: Literal["native", "shared_memory"] | None = None,
    **options: Any,
) -> VectorEnv | PythonVectorEnv:
    """Makes a gymnasium vector environment: batched spaces, gymnasium's dtypes and infos.

    Args:
        task_id: one of ``list_all_envs()``, or the id under which gymnasium knows it (``"envpool_rs/CartPole-v1"``);
            any other id that ``gymnasium.make`` takes is played by Python environments in worker processes. A list of
            native tasks whose spaces agree makes a pool of all of them, as :func:`make` does.
        num_envs: number of environments; ``None`` for one, or one of each task.
        vectorization_mode: ``"native"`` or ``"shared_memory"`` (worker processes); ``None`` for native where the task
            is one of ``list_all_envs()``.
        options: ``seed`` (``None``: drawn from the operating system), ``max_episode_steps``, ``autoreset_mode``
            (``"next_step"``, ``"same_step"``, ``"disabled"`` or gymnasium's ``AutoresetMode``), ``batch_size``,
            ``record_episode_statistics``, and the environment's own. Native tasks: ``num_threads``; ``None`` is the
            default for the first two; values for each environment or drawn for each episode, as for :func:`make`.
            Worker processes: what :func:`make_python` takes besides, ``wrappers`` and ``vector_kwargs`` as
            ``gymnasium.make_vec`` takes them, and everything that ``gymnasium.make`` takes.

    Raises:
        ValueError: for an unknown task, naming near ones, or a value that is not allowed.
        TypeError: for an unknown option, naming near ones, or one of the wrong kind.
    """
    choice("vectorization_mode", vectorization_mode, (None, "native", "shared_memory"))
    native_id = native_ids(task_id)
    is_native = isinstance(native_id, list) or (isinstance(native_id, str) and native_id in tasks)
    if num_envs is None:
        num_envs = len(native_id) if isinstance(native_id, list) else 1
    if vectorization_mode == "native" or (vectorization_mode is None and is_native):
        return _make_native_vec(native_id, num_envs, options)
    return _make_shared_memory_vec(task_id, num_envs, options)


def _make_shared_memory_vec(task_id: Any, num_envs: int, options: dict[str, Any]) -> PythonVectorEnv:
    from envpool_rs._python_pool import make_shared_memory_vec
    from envpool_rs._python_pool.environments import gymnasium_spec

    if not isinstance(task_id, (str, GymnasiumEnvSpec)):
        raise unknown_task(task_id, list_all_envs())
    try:
        spec = gymnasium_spec(task_id)
    except gymnasium_error.Error as error:
        raise unknown_task(task_id, [*list_all_envs(), *gymnasium_registration.registry]) from error
    return make_shared_memory_vec(spec, num_envs, **options)


def _make_native_vec(task_id: Any, num_envs: int, options: dict[str, Any]) -> VectorEnv:
    from envpool_rs._facades.vector_env import VectorEnv

    return VectorEnv(native_vec_spec(task_id, num_envs, options))


def native_vec_spec(task_id: Any, num_envs: int, options: dict[str, Any]) -> EnvSpec:
    """The specification of a native gymnasium vector environment.

    Args:
        task_id: one of ``list_all_envs()``, or the id under which gymnasium knows it; or a list of such.
        num_envs: number of environments.
        options: as for :func:`make_vec`.

    Raises:
        ValueError: for an unknown task, naming near ones, or a value that is not allowed.
        TypeError: for an unknown option, naming near ones, or one of the wrong kind.
    """
    task_id = native_ids(task_id)
    task = find(task_id)
    if isinstance(task, ForeignTask):
        raise ValueError(f"task_id={task_id!r}: it was registered with EnvPool's classes, which make_vec cannot make")
    for name in ("wrappers", "vector_kwargs"):
        if name in options:
            raise TypeError(f"{name} is for Python environments: give vectorization_mode='shared_memory' with it")
    given = pool_options(task.base, task.with_presets({**options, "num_envs": num_envs}))
    for name in ("seed", "max_episode_steps"):
        if given.get(name, 0) is None:
            del given[name]
    # Consecutive environments take consecutive seeds, all of them below numpy's 2**63.
    seed = given.get("seed", secrets.randbits(62))
    spec = EnvSpec(joined_name(task_id), task.base, "gymnasium", {**given, "seed": seed})
    if "seed" not in given:
        # Whoever makes the environment again from its spec gets other seeds, as with gymnasium's own.
        del spec.kwargs["seed"]
    return spec
