"""Functions that make pools of Python environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from multiprocessing.context import BaseContext
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal

from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector import AutoresetMode

from envpool_rs._python_pool.options import (
    ENVPOOL_OPTIONS,
    NAMES,
    OPTIONS,
    EnvFn,
    GymnasiumEnvFactory,
    PoolOptions,
    VectorOptions,
    check_num_envs,
    checked_wrappers,
    common_agents,
    common_spaces,
    env_functions,
    gymnasium_spec,
    wrapped_functions,
)
from envpool_rs._python_pool.pool import PythonPool, PythonVectorEnv
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._spec.entry_points import MAKE_SHARED_MEMORY_VEC
from envpool_rs._spec.options import check_env_type, check_return_info
from envpool_rs._spec.spaces import check_time_steps
from envpool_rs._workers.hosted_envs import HostOptions
from envpool_rs._workers.worker_process import WorkerEnvs

if TYPE_CHECKING:
    from envpool_rs._core import Dialect


_FACADES = {
    "gymnasium": "envpool_rs._python_pool.pool:PythonGymnasiumEnvPool",
    "gym": "envpool_rs._python_pool.gym_facade:PythonGymEnvPool",
    "dm": "envpool_rs._python_pool.dm_facade:PythonDMEnvPool",
}
"""Classes of pools as module and name, imported on demand because gym and dm_env are optional."""


def make_python(
    env_fns: Sequence[EnvFn] | EnvFn | str | GymnasiumEnvSpec,
    env_type: Literal["gymnasium", "gym", "dm"] = "gymnasium",
    *,
    num_envs: int | None = None,
    batch_size: int = 0,
    num_workers: int | None = None,
    seed: int | Sequence[int] | None = 42,
    max_episode_steps: int | None = None,
    reward_threshold: float | None = None,
    autoreset_mode: str | AutoresetMode = "next_step",
    record_episode_statistics: bool = False,
    gym_reset_return_info: bool | None = None,
    caller_steps: bool = False,
    context: str | BaseContext | None = None,
    restart: bool = False,
    copy: bool = True,
    timeout: float | None = None,
    thread_affinity_offset: int = -1,
    **env_options: Any,
) -> Any:
    """Makes a pool of Python environments with one of EnvPool's interfaces, as :func:`envpool_rs.make` does for native
    tasks.

    The environments run in worker processes, several in each, and exchange observations, rewards, flags and actions
    through shared memory. They may be gymnasium's, legacy gym's or dm_env's.

    Args:
        env_fns: functions that make one environment each; one function, or an id of gymnasium's, for all.
        env_type: ``"gymnasium"``, ``"gym"`` (legacy) or ``"dm"``.
        num_envs: number of environments if one function or an id makes them (default 1).
        batch_size: rows of one result (0: all); a smaller number makes the pool asynchronous.
        num_workers: number of worker processes. ``None``: one per core; in asynchronous pools one per environment, so
            that a slow environment delays no other.
        seed: seeds of the first resets: an int gives environment ``i`` the seed ``seed + i``; a sequence has a seed for
            each environment; ``None`` sets none.
        max_episode_steps: steps after which an episode is truncated, in addition to the environment's own limit.
        reward_threshold: mean return that counts as solved; only stored in ``spec``.
        autoreset_mode: ``"next_step"``, ``"same_step"`` or ``"disabled"``.
        record_episode_statistics: whether return, length and time of ended episodes are reported in
            ``info["episode"]``.
        gym_reset_return_info: whether ``reset`` returns infos (``env_type="gym"`` only).
        caller_steps: whether the calling process also steps a share of the environments.
        context: ``"fork"``, ``"spawn"``, ``"forkserver"``, or a context of multiprocessing.
        restart: whether worker processes that died are restarted, instead of raising an error; their environments are
            reset, and ``info["restarted"]`` is set.
        copy: whether the caller owns observations; if false, they are views of memory that the next step overwrites.
        timeout: seconds after which ``step``, ``recv`` and ``reset`` raise a ``TimeoutError``.
        thread_affinity_offset: pins worker ``k`` to CPU ``offset + k``; -1 pins none.
        env_options: further arguments of ``gymnasium.make``; also EnvPool's ``num_threads``, which stands for
            ``num_workers``.

    Returns:
        A ``PythonGymnasiumEnvPool``, ``PythonGymEnvPool`` or ``PythonDMEnvPool``, with the interface of the native
        classes.

    Raises:
        ValueError: for a value that is not allowed, or environments whose spaces differ.
        TypeError: for an unknown option, or an option of the wrong type.
        ImportError: for ``"dm"`` if dm_env is not installed.
        Exception: an exception of one of ``env_fns``, naming the environment.
    """
    check_env_type(env_type)
    given = {
        "batch_size": batch_size,
        "num_workers": num_workers,
        "seed": seed,
        "max_episode_steps": max_episode_steps,
        "reward_threshold": reward_threshold,
        "autoreset_mode": autoreset_mode,
        "record_episode_statistics": record_episode_statistics,
        "caller_steps": caller_steps,
        "context": context,
        "restart": restart,
        "copy": copy,
        "timeout": timeout,
        "thread_affinity_offset": thread_affinity_offset,
    }
    own = {name: env_options.pop(name) for name in ENVPOOL_OPTIONS if name in env_options}
    functions = env_functions(env_fns, num_envs, env_options, max_episode_steps)
    options = PoolOptions.checked({**given, **own}, len(functions))
    return_info = check_return_info(gym_reset_return_info, env_type)
    if env_type == "dm":
        check_time_steps(options.autoreset_mode, options.record_episode_statistics)
    facade = resolve_name(_FACADES[env_type])
    described = {"env_options": env_options, "gym_reset_return_info": return_info}
    return _made(facade, functions, options, "envpool", described)


def make_shared_memory_vec(
    task_id: str | GymnasiumEnvSpec,
    num_envs: int = 1,
    *,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> PythonVectorEnv:
    """Makes a gymnasium vector environment of any id that ``gymnasium.make`` accepts, in worker processes.

    Args:
        task_id: an id of gymnasium's, or its specification.
        num_envs: number of environments.
        vector_kwargs: arguments of ``AsyncVectorEnv``, as for ``gymnasium.make_vec``, or any other option of the
            pool.
        wrappers: callables applied to each environment in order.
        options: the pool's options, as for :func:`make_python` (default ``seed=None``), and arguments of
            ``gymnasium.make``.

    Raises:
        ValueError: for a value that is not allowed.
        TypeError: for an option of the wrong type.
        gymnasium.error.Error: for an id that gymnasium does not know.
    """
    spec = gymnasium_spec(task_id)
    count = check_num_envs(num_envs)
    shown, own, rest = _vector_options({} if vector_kwargs is None else vector_kwargs, options)
    limit = {"max_episode_steps": own.pop("max_episode_steps")} if "max_episode_steps" in own else {}
    maker = GymnasiumEnvFactory(spec, {**rest, **limit}, checked_wrappers(wrappers))
    checked = shown.limit_workers(PoolOptions.checked({**own, **limit}, count))
    described = {
        "entry_point": spec.entry_point,
        "vector_entry_point": MAKE_SHARED_MEMORY_VEC,
        "env_options": {**rest, **limit},
        "kwargs": {
            "task_id": spec.id,
            **({"wrappers": wrappers} if wrappers else {}),
            **shown.given,
            **own,
            **rest,
            **limit,
        },
    }
    env: PythonVectorEnv = _made(PythonVectorEnv, [maker] * count, checked, "gymnasium", described, shown)
    return env


def make_functions_vec(
    env_fns: Sequence[EnvFn] | EnvFn,
    num_envs: int | None = None,
    *,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> PythonVectorEnv:
    """Makes a gymnasium vector environment of functions in worker processes, as ``gymnasium.vector.AsyncVectorEnv``
    does.

    Args:
        env_fns: functions that make one environment each, or one for all.
        num_envs: number of environments if one function makes them.
        vector_kwargs: arguments of ``AsyncVectorEnv``, or options of the pool; they may also be keyword arguments.
        wrappers: callables applied to each environment in order.
        options: as for :func:`make_python` (default ``seed=None``).

    Raises:
        ValueError: for a value that is not allowed, and for environments whose spaces differ.
        TypeError: for an unknown option, or an option of the wrong type.
    """
    shown, own, rest = _vector_options({} if vector_kwargs is None else vector_kwargs, options)
    functions = wrapped_functions(env_functions(env_fns, num_envs, rest), wrappers)
    checked = shown.limit_workers(PoolOptions.checked(own, len(functions)))
    env: PythonVectorEnv = _made(PythonVectorEnv, functions, checked, "gymnasium", {}, shown)
    return env


def _vector_options(
    vector_kwargs: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[VectorOptions, dict[str, Any], dict[str, Any]]:
    """Splits the given options into those of the vector interface, those of the pool, and all others."""
    if not isinstance(vector_kwargs, Mapping):
        raise TypeError(f"vector_kwargs={vector_kwargs!r}: expected a dict, or None")
    allowed = [*NAMES, *(name for name in OPTIONS if name not in ("num_envs", "max_episode_steps"))]
    for name in vector_kwargs:
        if name in options:
            raise ValueError(f"{name} is given twice: in vector_kwargs and as an argument")
        if name not in allowed:
            raise TypeError(f"vector_kwargs has the unknown key {name!r}: expected {', '.join(allowed)}")
    given = {**options, **vector_kwargs}
    shown = {name: given.pop(name) for name in NAMES if name in given}
    own = {name: given.pop(name) for name in (*OPTIONS, *ENVPOOL_OPTIONS) if name in given}
    return VectorOptions.checked(shown), own, given


def _made(
    facade: type[PythonPool],
    functions: list[EnvFn],
    options: PoolOptions,
    dialect: Dialect,
    described: dict[str, Any],
    shown: VectorOptions | None = None,
) -> Any:
    # gymnasium.make adds its own time limit to environments made by an id, so the pool adds none.
    counted = None if isinstance(functions[0], GymnasiumEnvFactory) else options.max_episode_steps
    envs = WorkerEnvs(
        functions,
        HostOptions(lenient=False, adapt=True, wrap=None),
        final_rows=options.autoreset_mode == "same_step",
        num_workers=options.num_workers,
        caller_share=options.caller_steps,
        context=options.context,
        daemon=shown is None or shown.daemon,
        pin_offset=options.thread_affinity_offset,
    )
    envs.make()
    try:
        observation, action = envs.observation_spaces, envs.action_spaces
        agents = common_agents([each.get("agent_spaces") for each in envs.descriptions])
        options.check_players(1 if agents is None else len(agents.agents))
        if agents is not None:
            observation = [agents.observation_space] * len(observation)
        batched = None
        if shown is None:
            spaces = common_spaces(observation, action)
        else:
            batched, *single = shown.spaces(observation, action)
            spaces = (single[0], single[1])
            if (agents is not None and agents.shared) or (options.is_async and isinstance(shown.observation_mode, str)):
                batched = None  # it has a row for each agent of the environments of one result
        description = envs.descriptions[0]
        spec = description.get("spec")
        name = spec.id if isinstance(spec, GymnasiumEnvSpec) else "python"
        options = _completed(options, spec, envs.num_workers)
        described = {
            **described,
            "env_spec": functions[0].spec if isinstance(functions[0], GymnasiumEnvFactory) else None,
            "counted_steps": counted,
            "batched_observation_space": batched,
            "agent_spaces": agents,
            "metadata": description.get("metadata"),
            "render_mode": description.get("render_mode"),
        }
        return facade(envs, PythonEnvSpec(name, dialect, options, spaces, described))
    except BaseException:
        envs.shut_down(0.0)
        raise


def _completed(options: PoolOptions, spec: Any, num_workers: int) -> PoolOptions:
    """Returns the options; options that were not given get the values in the environments' gymnasium specification."""
    own = {name: getattr(spec, name, None) for name in ("max_episode_steps", "reward_threshold")}
    missing: dict[str, Any] = {name: value for name, value in own.items() if getattr(options, name) is None}
    return replace(options, num_workers=num_workers, **missing)
