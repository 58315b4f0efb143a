"""Makes pools of Python environments: validates their options, makes the environments, and compares their spaces."""

from __future__ import annotations

import difflib
import functools
import importlib
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.context import BaseContext
from pkgutil import resolve_name
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

import gymnasium
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.error import CustomSpaceError
from gymnasium.spaces.utils import is_space_dtype_shape_equiv
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_differing_spaces, batch_space, create_shared_memory

from envpool_rs._arguments import functions, is_series
from envpool_rs._errors import DifferentSpacesError
from envpool_rs._facades.tuning import AUTO, fastest, thread_counts
from envpool_rs._python_pool import pool
from envpool_rs._python_pool.batches import envpool_space
from envpool_rs._python_pool.pool import PythonVectorEnv
from envpool_rs._spec.entry_points import MAKE_SHARED_MEMORY_VEC
from envpool_rs._spec.options import ASYNC, POOL, check_env_type, check_return_info, checked_options, options_of
from envpool_rs._spec.spaces import check_time_steps
from envpool_rs._workers.hosted_envs import HostOptions
from envpool_rs._workers.worker_process import WorkerEnvs, available_cores

if TYPE_CHECKING:
    from envpool_rs._core import Dialect


EnvFn = Callable[[], Any]

VECTOR_OPTIONS = options_of(ASYNC, without=(POOL,))  # arguments of `AsyncVectorEnv` that are no options of the pool
# Classes of pools as module and name, imported on demand because gym and dm_env are optional.
_FACADES = {
    "gymnasium": "envpool_rs._python_pool.pool:PythonGymnasiumEnvPool",
    "gym": "envpool_rs._python_pool.gym_facade:PythonGymEnvPool",
    "dm": "envpool_rs._python_pool.dm_facade:PythonDMEnvPool",
}


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
    through shared memory. They may be gymnasium's, legacy gym's or dm_env's. Returns a ``PythonGymnasiumEnvPool``,
    ``PythonGymEnvPool`` or ``PythonDMEnvPool``, with the interface of the native classes.

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

    Raises:
        ValueError: for a value that is not allowed, or environments whose spaces differ.
        TypeError: for an unknown option, or an option of the wrong type.
        ImportError: for ``"dm"`` if dm_env is not installed.
        Exception: an exception of one of ``env_fns``, naming the environment.
    """
    given = {name: value for name, value in locals().items() if name in pool.OPTIONS and name != "num_envs"}
    check_env_type(env_type)
    given |= {name: env_options.pop(name) for name in pool.ENVPOOL_OPTIONS if name in env_options}
    env_spec = None
    if isinstance(env_fns, (str, GymnasiumEnvSpec)):
        try:
            env_spec = gymnasium_spec(env_fns)
        except gymnasium.error.Error as error:
            expected = "expected functions, or an id that gymnasium knows"
            raise ValueError(f"env_fns={env_fns!r}: {expected}: {error}") from error
        limit = {} if max_episode_steps is None else {"max_episode_steps": max_episode_steps}
        makers: list[EnvFn] = [functools.partial(gymnasium.make, env_spec, **{**env_options, **limit})]
        makers *= 1 if num_envs is None else pool.check_num_envs(num_envs)
    else:
        makers = env_functions(env_fns, num_envs, env_options)
    options = pool.checked_pool_options(given, len(makers))
    return_info = check_return_info(gym_reset_return_info, env_type)
    if env_type == "dm":
        check_time_steps(options["autoreset_mode"], options["record_episode_statistics"])
    facade = resolve_name(_FACADES[env_type])
    return _made(facade, makers, options, "envpool", env_spec, env_options, return_info=return_info)


def make_shared_memory_vec(
    task_id: str | GymnasiumEnvSpec,
    num_envs: int = 1,
    *,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> PythonVectorEnv:
    """Makes a gymnasium vector environment of any id that ``gymnasium.make`` accepts, in worker processes.

    ``task_id`` may also be a specification of gymnasium's. ``vector_kwargs`` are arguments of ``AsyncVectorEnv``, as
    for ``gymnasium.make_vec``, or any other option of the pool. ``wrappers`` are applied to each environment in order.
    ``options`` are the pool's, as for :func:`make_python` (default ``seed=None``), and arguments of ``gymnasium.make``.

    Raises ValueError for a value that is not allowed, TypeError for an option of the wrong type, and
    gymnasium.error.Error for an id that gymnasium does not know.
    """
    spec = gymnasium_spec(task_id)
    count = pool.check_num_envs(num_envs)
    vector, own, rest = _split_options(vector_kwargs, options)
    limit = {"max_episode_steps": own.pop("max_episode_steps")} if "max_episode_steps" in own else {}
    env_options = {**rest, **limit}
    makers = wrapped_functions([functools.partial(gymnasium.make, spec, **env_options)] * count, wrappers)
    wrapped = {"wrappers": wrappers} if wrappers else {}
    given = {name: value for name, value in {**options, **(vector_kwargs or {})}.items() if name in VECTOR_OPTIONS}
    fields: dict[str, Any] = {
        "entry_point": spec.entry_point,
        "vector_entry_point": MAKE_SHARED_MEMORY_VEC,
        "kwargs": {"task_id": spec.id, **wrapped, **given, **own, **env_options},
    }
    checked = pool.checked_pool_options({**own, **limit}, count)
    return _made(PythonVectorEnv, makers, checked, "gymnasium", spec, env_options, vector, **fields)  # type: ignore[no-any-return]


def make_functions_vec(
    env_fns: Sequence[EnvFn] | EnvFn,
    num_envs: int | None = None,
    *,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> PythonVectorEnv:
    """Makes a gymnasium vector environment of functions in worker processes, each of which makes one environment, or of
    one that makes all ``num_envs``; with the other arguments of :func:`make_shared_memory_vec`.
    """
    vector, own, rest = _split_options(vector_kwargs, options)
    makers = wrapped_functions(env_functions(env_fns, num_envs, rest), wrappers)
    own = pool.checked_pool_options(own, len(makers))
    return _made(PythonVectorEnv, makers, own, "gymnasium", vector=vector)  # type: ignore[no-any-return]


def _split_options(
    vector_kwargs: Mapping[str, Any] | None, options: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Splits options into those of the vector interface, checked, those of the pool, and all others."""
    vector_kwargs = {} if vector_kwargs is None else vector_kwargs
    if not isinstance(vector_kwargs, Mapping):
        raise TypeError(f"vector_kwargs={vector_kwargs!r}: expected a dict, or None")
    allowed = [*VECTOR_OPTIONS, *(name for name in pool.OPTIONS if name not in ("num_envs", "max_episode_steps"))]
    for name in vector_kwargs:
        if name in options:
            raise ValueError(f"{name} is given twice: in vector_kwargs and as an argument")
        if name not in allowed:
            raise TypeError(f"vector_kwargs has the unknown key {name!r}: expected {', '.join(allowed)}")
    given = {**options, **vector_kwargs}
    vector = checked_options(given, VECTOR_OPTIONS)
    own = {name: given[name] for name in (*pool.OPTIONS, *pool.ENVPOOL_OPTIONS) if name in given}
    return vector, own, {name: each for name, each in given.items() if name not in own and name not in vector}


def gymnasium_spec(env_id: str | GymnasiumEnvSpec) -> GymnasiumEnvSpec:
    """Returns gymnasium's specification of an id, which may start with a module to import (``"module:Env-v0"``)."""
    if isinstance(env_id, GymnasiumEnvSpec):
        spec = env_id
    else:
        module, _, name = env_id.rpartition(":")
        if module:
            importlib.import_module(module)
        spec = gymnasium.spec(name)
    if spec.entry_point is None:
        expected = "expected an id that gymnasium.make takes"
        raise ValueError(f"{spec.id!r} has no entry point for single environments: {expected}")
    return spec


def env_functions(env_fns: Any, num_envs: Any, env_options: Mapping[str, Any]) -> list[EnvFn]:
    """Returns a factory of environments for each environment of a pool; ``env_options`` must be empty."""
    for name in env_options:
        near = difflib.get_close_matches(name, pool.OPTIONS, n=1)
        suggestion = f'; did you mean "{near[0]}"?' if near else " (only environments made by an id take their own)"
        raise TypeError(f'make_python has no option "{name}"{suggestion}')
    if callable(env_fns):
        return [env_fns] * (1 if num_envs is None else pool.check_num_envs(num_envs))
    makers = functions("env_fns", env_fns)
    if num_envs is not None and pool.check_num_envs(num_envs) != len(makers):
        raise ValueError(f"num_envs={num_envs}: expected None or the number of env_fns, {len(makers)}")
    pool.check_num_envs(len(makers))
    return makers


def _wrapped(function: EnvFn, wrappers: Sequence[Callable[[Any], Any]]) -> Any:
    return functools.reduce(lambda env, wrapper: wrapper(env), wrappers, function())


def wrapped_functions(makers: Sequence[EnvFn], wrappers: Any) -> list[EnvFn]:
    """Returns factories that wrap the environments made by other factories."""
    if wrappers is None or (is_series(wrappers) and hasattr(wrappers, "__len__") and not len(wrappers)):
        return list(makers)
    chosen = functions("wrappers", wrappers, "takes an environment")
    return [functools.partial(_wrapped, maker, chosen) for maker in makers]


def _made(
    facade: type[pool.PythonPool],
    makers: Sequence[EnvFn],
    options: dict[str, Any],
    dialect: Dialect,
    env_spec: GymnasiumEnvSpec | None = None,
    env_options: Mapping[str, Any] = MappingProxyType({}),
    vector: Mapping[str, Any] | None = None,
    *,
    return_info: bool = True,
    **fields: Any,
) -> Any:
    """Makes a pool; ``vector`` are options of a vector environment, ``fields`` those of its specification."""
    if options["num_workers"] == AUTO:

        def trial(num_workers: int) -> Any:
            own = {**options, "num_workers": num_workers}
            return _made(resolve_name(_FACADES["gymnasium"]), makers, own, "envpool", env_spec, env_options)

        key = repr(([id(each) for each in makers], options))
        options["num_workers"] = fastest(key, trial, thread_counts(options["batch_size"]))
    most_players = options.pop("max_num_players")
    most, num_workers = None if vector is None else vector["max_concurrency"], options["num_workers"]
    if most is not None:  # each worker steps one environment at a time
        if num_workers is not None and options["batch_size"] == len(makers):
            expected = "expected one of them"
            raise ValueError(f"max_concurrency={most} and num_workers={num_workers} are both given: {expected}")
        options["num_workers"] = min(num_workers or len(available_cores()), most, len(makers))
    envs = WorkerEnvs(
        makers,
        HostOptions(lenient=False, adapt=True, wrap=None),
        final_rows=options["autoreset_mode"] == "same_step",
        num_workers=options["num_workers"],
        caller_share=options["caller_steps"],
        context=options["context"],
        daemon=vector is None or vector["daemon"],
        pin_offset=options["thread_affinity_offset"],
        keeps_queues=options["restart"],
    )
    envs.make()
    try:
        descriptions = envs.descriptions
        agents = _common("the agents and spaces ", [each.get("agent_spaces") for each in descriptions])
        players = 1 if agents is None else len(agents.agents)
        if most_players not in (None, players):
            raise ValueError(f"max_num_players={most_players}: expected {players}, the players of these environments")
        spaces = envs.observation_spaces if agents is None else [agents.observation_space] * envs.num_envs
        batched, observation, action = _common_spaces(spaces, envs.action_spaces, vector)
        is_async = options["batch_size"] < envs.num_envs
        own = descriptions[0]["spec"]
        limits = {
            name: getattr(own, name, None) if options[name] is None else options[name]
            for name in ("max_episode_steps", "reward_threshold")
        }
        task = SimpleNamespace(
            task_id=own.id if isinstance(own, GymnasiumEnvSpec) else "python",
            dialect=dialect,
            config={**options, "num_workers": envs.num_workers, **limits},
            # Spaces of one environment.
            observation_space=envpool_space(observation) if dialect == "envpool" else observation,
            action_space=action,
            agent_spaces=agents,  # agents of PettingZoo's environments
            players=players,
            shared_spaces=agents is not None and agents.shared,  # whether each player has a row in arrays
            metadata=descriptions[0]["metadata"],
            render_mode=descriptions[0]["render_mode"],
            # gymnasium.make adds its own time limit to environments made by an id, so the pool adds none.
            counted_steps=options["max_episode_steps"] if env_spec is None else None,
            env_spec=env_spec,
            env_options=env_options,
            return_info=return_info,
        )
        if task.shared_spaces or (is_async and vector is not None and isinstance(vector["observation_mode"], str)):
            batched = None  # it has a row for each agent of the environments of one result
        return facade(envs, pool.PythonEnvSpec(task, batched, **fields))
    except BaseException:
        envs.shut_down(0.0)
        raise


def _common(name: str, values: Sequence[Any], error: type[Exception] = ValueError, hint: str = "") -> Any:
    for index, each in enumerate(values):
        if each != values[0]:
            raise error(f"environment {index} has {name}{each}: expected that of environment 0, {values[0]}{hint}")
    return values[0]


def _common_spaces(
    observation: Sequence[Any], action: Sequence[Any], vector: Mapping[str, Any] | None
) -> tuple[Any, Any, Any]:
    """Returns the batched observation space, and the observation and action space of one environment."""
    for name, spaces in (("observation_space", observation), ("action_space", action)):
        for index, space in enumerate(spaces):
            if space is None:
                raise ValueError(f"environment {index} has no {name}: expected a space")
    if vector is None:
        return None, _common("observation_space=", observation), _common("action_space=", action)
    mode = vector["observation_mode"]
    is_same = mode == "same"
    batched, single = (None, observation[0]) if is_same or mode == "different" else mode
    for index, space in enumerate(observation):
        if is_same and space != single:
            raise DifferentSpacesError(
                "make_vec(..., observation_mode='same') however the sub-environments observation spaces are not "
                f"equivalent. environment {index} has observation_space={space}: expected that of environment 0, "
                f"{single}. If this is intentional, use `observation_mode='different'` instead."
            )
        if not is_same and not is_space_dtype_shape_equiv(space, single):
            raise DifferentSpacesError(
                f"make_vec(..., observation_mode='different' or custom space) however environment {index} has "
                f"observation_space={space}, whose shape and dtype are not those of {single}"
            )
    if batched is None:
        count = len(observation)
        batched = batch_space(single, count) if is_same else batch_differing_spaces(list(observation))
    if vector["shared_memory"]:
        try:
            create_shared_memory(single, n=1)
        except CustomSpaceError as error:
            raise ValueError(
                f"shared_memory=True: observations of {single} cannot lie in shared memory; leave it out, or give False"
            ) from error
    hint = ". In order to batch actions, the action spaces from all environments must be equal."
    return batched, single, _common("action_space=", action, DifferentSpacesError, hint)
