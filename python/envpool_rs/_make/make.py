"""Functions that make environments and specifications of tasks: EnvPool's, and gymnasium's ``make_vec``."""

from __future__ import annotations

import inspect
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from pkgutil import resolve_name
from typing import Any, Literal, cast

from gymnasium import VectorizeMode
from gymnasium import error as gymnasium_error
from gymnasium.envs import registration
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector import AutoresetMode
from gymnasium.vector.sync_vector_env import SyncVectorEnv

from envpool_rs._arguments import bounded, choice, entries, flag, mapping
from envpool_rs._errors import RefusedOptionError, VectorArgumentError
from envpool_rs._facades.gymnasium_facade import VectorEnv  # here: locks of imports stay locked in a forked child
from envpool_rs._facades.tuning import AUTO, fastest, thread_counts
from envpool_rs._spec import options as option_rules
from envpool_rs._spec.entry_points import MAKE_SHARED_MEMORY_VEC
from envpool_rs._spec.envpool_config import Family, TaskClass, class_defaults, families, family_of, family_of_task
from envpool_rs._spec.envpool_config import options_of as options_of_task
from envpool_rs._spec.options import TaskBase
from envpool_rs._spec.other_names import from_envpool_names, pool_options, restoring_given_names
from envpool_rs._spec.spec import EnvSpec, GymEnvSpec, gymnasium_id
from envpool_rs._tasks import table
from envpool_rs._tasks.benchmarks import Benchmark

EnvType = Literal["gym", "gymnasium", "dm"]

# Classes of pools, as module and name: they are imported on demand, because gym and dm_env are optional.
FACADES = {
    "gymnasium": "envpool_rs._facades.gymnasium_facade:GymnasiumEnvPool",
    "gym": "envpool_rs._facades.gym_facade:GymEnvPool",
    "dm": "envpool_rs._facades.dm_facade:DMEnvPool",
}


def make(task_id: table.TaskId, env_type: EnvType = "gymnasium", **options: Any) -> Any:
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
    option_rules.check_env_type(env_type)
    task_id, task, options = _requested(task_id, options)
    if isinstance(task, table.ForeignTask):
        return task.env(env_type, options)
    cls = resolve_name(FACADES[env_type])
    with restoring_given_names(options):
        return cls(_envpool_spec(task_id, task, options, env_type))


# The lists of tasks and options are in a file that `make generate` writes; the import of pathlib takes long.
with open(os.path.join(os.path.dirname(__file__), "options.txt")) as _lists:  # noqa: PTH118, PTH120, PTH123
    next(_lists)  # names the program that writes the file
    make.__doc__ = "\n\n".join([inspect.cleandoc(make.__doc__ or ""), _lists.read()])


def _envpool_spec(task_id: table.TaskId, task: Any, options: dict[str, Any], env_type: str) -> EnvSpec:
    try:
        with restoring_given_names(options):
            name, base, given = resolve(task_id, task, options)
            return_info = option_rules.check_return_info(given.pop("gym_reset_return_info", None), env_type)
            cls = GymEnvSpec if env_type == "gym" else EnvSpec
            return cls(name, base, "envpool", given, return_info)
    except ValueError as error:
        if type(error) is not ValueError:
            raise
        raise RefusedOptionError(str(error)) from None


def resolve(task_id: table.TaskId, task: Any, options: dict[str, Any]) -> tuple[str, TaskBase, dict[str, Any]]:
    """Returns a task's name, the extension's task, and its options by this package's names."""
    if isinstance(task, Benchmark):
        task_id, options = task.checked(str(task_id), dict(options))
        task = table.find(task_id)
    base, own = from_envpool_names(task.base, options)
    # If the options select another task of the extension, that task's name replaces the given one.
    name = base if isinstance(base, str) and base != task.base else table.joined_name(task_id)
    resolved = pool_options(base, task.with_presets(own))
    threads = resolved.get("num_threads")
    if isinstance(threads, str) and threads == AUTO:
        resolved["num_threads"] = _chosen_threads(task_id, options)
    return name, base, resolved


def _chosen_threads(task_id: table.TaskId, options: Mapping[str, Any]) -> int:
    """Returns the number of threads with which pools of these options step fastest on this machine."""
    given = {name: value for name, value in options.items() if value is not None and name != "autoreset_mode"}
    own = {**given, "num_threads": 0}  # with the default mode, which resets environments itself
    batch_size = make_spec(task_id, **own).pool.config["batch_size"]
    key = repr((task_id, sorted((name, repr(value)) for name, value in own.items() if name != "seed")))
    return fastest(key, lambda count: make(task_id, **{**own, "num_threads": count}), thread_counts(batch_size))


def _requested(task_id: Any, options: Mapping[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    """Returns the requested name, its task, and the options, which replace those of a specification."""
    found, own = table.requested(task_id)
    return found, table.find(found), {**own, **options}


def make_gymnasium(task_id: table.TaskId, **options: Any) -> Any:
    """``make(task_id, "gymnasium", **options)``."""
    return make(task_id, "gymnasium", **options)


def make_gym(task_id: table.TaskId, **options: Any) -> Any:
    """``make(task_id, "gym", **options)``."""
    return make(task_id, "gym", **options)


def make_dm(task_id: table.TaskId, **options: Any) -> Any:
    """``make(task_id, "dm", **options)``."""
    return make(task_id, "dm", **options)


def make_spec(task_id: table.TaskId, **options: Any) -> EnvSpec:
    """Returns the spaces and configuration of a task, without making environments.

    Takes the arguments of :func:`make` except ``env_type``, and raises its errors.
    """
    task_id, task, options = _requested(task_id, options)
    if isinstance(task, table.ForeignTask):
        return task.spec(options)  # type: ignore[no-any-return]
    return _envpool_spec(task_id, task, options, "gymnasium")


def native_spec(task_id: str, env_type: str, options: dict[str, Any]) -> EnvSpec:
    task_id, task, options = _requested(task_id, options)
    if isinstance(task, table.ForeignTask):
        foreign = "it was registered with classes of another package"
        raise ValueError(f"task_id={task_id!r}: {foreign}, not as a native task")
    return _envpool_spec(task_id, task, options, env_type)


# Values of `vectorization_mode`: gymnasium's, and two of this package.
MODES = (None, "native", "vector_entry_point", "sync", "async", "shared_memory")
# Arguments of `AsyncVectorEnv` for processes and the transfer of observations, which native pools check only.
_ASYNC_ARGUMENTS = ("shared_memory", "copy", "context", "daemon")


def makes_environments(task_id: Any) -> bool:
    if callable(task_id):
        return True
    if not isinstance(task_id, Sequence) or isinstance(task_id, (str, bytes)):
        return False
    listed = list(bounded("task_id", task_id))
    return bool(listed) and all(map(callable, listed))


def native_options(mode: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    own = dict(options)
    wrappers, vector_kwargs = own.pop("wrappers", None), own.pop("vector_kwargs", None)
    if wrappers:
        raise VectorArgumentError(
            f"Cannot use `{mode}` vectorization mode with the wrappers argument ({wrappers}): they are for single "
            "environments; give vectorization_mode='sync' or 'async' with it"
        )
    if not vector_kwargs:
        return own
    if mode == "vector_entry_point":
        text = "Custom vector environment can be passed arguments only through kwargs and `vector_kwargs` is not empty"
        raise VectorArgumentError(f"{text} ({vector_kwargs})")
    for name, value in mapping("vector_kwargs", vector_kwargs, "a dict, or None").items():
        if name in own:
            raise ValueError(f"{name} is given twice: in vector_kwargs and as an argument")
        if name == "autoreset_mode":
            own[name] = value
        elif name == "max_concurrency":
            if value is not None:
                own.setdefault("num_threads", value)
        elif name == "observation_mode":
            choice(name, value, ("same",))
        elif name in _ASYNC_ARGUMENTS:
            option_rules.checked_options(vector_kwargs, (name,))
        elif (name, value) != ("worker", None):
            expected = ", ".join(("autoreset_mode", "observation_mode", "max_concurrency", *_ASYNC_ARGUMENTS))
            raise TypeError(f"vector_kwargs has the unknown key {name!r}: expected {expected}")
    return own


def make_sync_vec(task_id: Any, num_envs: int | None, options: Mapping[str, Any]) -> Any:
    """Makes gymnasium's ``SyncVectorEnv``: environments in this process, stepped one after the other."""
    remaining = dict(options)
    vector_kwargs, wrappers = dict(remaining.pop("vector_kwargs", None) or {}), remaining.pop("wrappers", None)
    for name in option_rules.options_of(option_rules.POOL, without=(option_rules.SYNC, option_rules.MAKE)):
        if name in remaining:
            made = "SyncVectorEnv, which vectorization_mode='sync' makes"
            raise TypeError(f"{name} is for pools: {made}, has no such option")
    for name in remaining.keys() & option_rules.options_of(option_rules.SYNC):
        if name in vector_kwargs:
            raise ValueError(f"{name} is given twice: in vector_kwargs and as an argument")
        vector_kwargs[name] = remaining.pop(name)
    if "copy" in vector_kwargs:
        flag("copy", vector_kwargs["copy"])
    mode = vector_kwargs.get("autoreset_mode")
    if isinstance(mode, str) and mode.upper() in AutoresetMode.__members__:
        vector_kwargs["autoreset_mode"] = AutoresetMode[mode.upper()]
    if makes_environments(task_id):
        from envpool_rs._python_pool.make import env_functions, wrapped_functions

        functions = wrapped_functions(env_functions(task_id, num_envs, remaining), wrappers)
        return SyncVectorEnv(functions, **vector_kwargs)
    count = 1 if num_envs is None else num_envs
    return registration.make_vec(task_id, count, "sync", vector_kwargs=vector_kwargs, wrappers=wrappers, **remaining)


def make_vec(
    task_id: str | Sequence[str] | GymnasiumEnvSpec | Callable[[], Any] | Sequence[Callable[[], Any]] | None = None,
    num_envs: int | None = None,
    vectorization_mode: VectorizeMode | str | None = None,
    vector_kwargs: Mapping[str, Any] | None = None,
    wrappers: Sequence[Callable[[Any], Any]] | None = None,
    **options: Any,
) -> Any:
    """Makes a gymnasium vector environment, with batched spaces and with gymnasium's dtypes and infos.

    Accepts the arguments of ``gymnasium.make_vec`` and of ``gymnasium.vector.AsyncVectorEnv``, and returns an
    environment that yields the same observations and rewards.

    Args:
        task_id: one of ``list_all_envs()``, or its gymnasium id (``"envpool_rs/CartPole-v1"``). Any other id that
            ``gymnasium.make`` accepts, a function that makes an environment, and a list of such functions run as Python
            environments in worker processes. A specification, gymnasium's or a pool's, stands for its id and options.
            A list of native tasks makes a pool of all of them, as :func:`make` does. ``id`` is gymnasium's name for
            this argument.
        num_envs: number of environments; ``None`` for one, or one of each task or function.
        vectorization_mode: gymnasium's ``"sync"``, ``"async"`` and ``"vector_entry_point"``, or members of its
            ``VectorizeMode``; ``"native"``; or ``"shared_memory"``, which uses the environments of ``gymnasium.make``
            even if a native task has that name. All other modes run native tasks in a native pool; with ``wrappers``,
            as single environments in this process (``"sync"``, the default then) or in worker processes
            (``"async"``). With ``"sync"``, environments written in Python run in gymnasium's own ``SyncVectorEnv``.
        vector_kwargs: arguments of ``SyncVectorEnv`` and ``AsyncVectorEnv``, ``{"autoreset_mode": ...}`` for instance.
        wrappers: callables applied to each environment in order, as in gymnasium; not with ``"native"`` and
            ``"vector_entry_point"``.
        options: ``seed`` (``None``: drawn from the operating system), ``max_episode_steps``, ``autoreset_mode``
            (``"next_step"``, ``"same_step"``, ``"disabled"`` or gymnasium's ``AutoresetMode``), ``batch_size``,
            ``record_episode_statistics``, and the environment's own options. Native tasks also accept ``num_threads``,
            ``None`` as the default of ``seed`` and ``max_episode_steps``, and values for each environment or drawn for
            each episode, as :func:`make` does. Environments in worker processes also accept the other arguments of
            :func:`make_python` and all arguments of ``gymnasium.make``.

    Returns:
        A ``VectorEnv`` of native environments, a ``PythonVectorEnv``, or gymnasium's ``SyncVectorEnv``.

    Raises:
        ValueError: for an unknown task, with suggestions, or a value that is not allowed.
        TypeError: for an unknown option, with suggestions, or an option of the wrong type.
        gymnasium.error.Error: for ``wrappers`` of a native pool, and ``vector_kwargs`` of a vector entry point.
    """
    task_id = options.pop("id", None) if task_id is None else task_id
    mode = vectorization_mode.value if isinstance(vectorization_mode, VectorizeMode) else vectorization_mode
    choice("vectorization_mode", mode, MODES)
    options |= {} if vector_kwargs is None else {"vector_kwargs": vector_kwargs}
    options |= {} if wrappers is None else {"wrappers": wrappers}
    if makes_environments(task_id):
        if mode == "sync":
            return make_sync_vec(task_id, num_envs, options)
        if mode in ("native", "vector_entry_point"):
            expected = "which run in worker processes ('async') or in this one ('sync')"
            raise ValueError(f"vectorization_mode={mode!r}: functions make environments written in Python, {expected}")
        from envpool_rs._python_pool import make_functions_vec

        return make_functions_vec(cast("Any", task_id), num_envs, **options)
    native_id, num_envs, options = _requested_vec(task_id, num_envs, options)
    if isinstance(task_id, GymnasiumEnvSpec) and task_id.vector_entry_point == MAKE_SHARED_MEMORY_VEC:
        task_id, mode = native_id, mode or "shared_memory"
    runs_native = table.is_native(native_id)
    if wrappers and mode is None and runs_native:
        mode = "sync"  # gymnasium's default for environments without a vector entry point of their own
    alone = bool(wrappers) and mode in ("sync", "async")
    if mode == "native" or (runs_native and mode != "shared_memory" and not alone):
        options = native_options(mode, options)
        with restoring_given_names(options):
            return VectorEnv(native_vec_spec(native_id, num_envs, options))
    if runs_native and alone:
        if not isinstance(native_id, str):
            raise TypeError(f"wrappers are for single environments: expected one task with them, got {native_id!r}")
        task_id = gymnasium_id(native_id)
    num_envs = 1 if num_envs is None else num_envs
    if mode == "sync":
        return make_sync_vec(task_id, num_envs, options)
    if mode == "vector_entry_point":
        return registration.make_vec(task_id, num_envs, mode, **options)  # type: ignore[arg-type]
    from envpool_rs._python_pool import make_shared_memory_vec
    from envpool_rs._python_pool.make import gymnasium_spec

    if not isinstance(task_id, (str, GymnasiumEnvSpec)):
        raise table.unknown_task(task_id, table.list_all_envs())
    try:
        spec = gymnasium_spec(task_id)
    except gymnasium_error.Error as error:
        raise table.unknown_task(task_id, [*table.list_all_envs(), *registration.registry]) from error
    return make_shared_memory_vec(spec, num_envs, **options)


def _requested_vec(task_id: Any, num_envs: Any, options: Mapping[str, Any]) -> tuple[Any, Any, dict[str, Any]]:
    found, own = table.requested(task_id)
    given = own.pop("num_envs", None)
    return found, given if num_envs is None else num_envs, {**own, **options}


def native_vec_spec(task_id: Any, num_envs: int | None, options: dict[str, Any]) -> EnvSpec:
    task_id, num_envs, options = _requested_vec(task_id, num_envs, options)
    task = table.find(task_id)
    if isinstance(task, table.ForeignTask):
        raise ValueError(f"task_id={task_id!r}: it was registered with EnvPool's classes, which make_vec cannot make")
    if isinstance(task, Benchmark):
        options = {**task.vector_options, **options}
    elif num_envs is None:
        num_envs = len(task_id) if isinstance(task_id, list) else 1
    for foreign in ("wrappers", "vector_kwargs"):
        if foreign in options:
            raise TypeError(f"{foreign} is for Python environments: give vectorization_mode='shared_memory' with it")
    count = {} if num_envs is None else {"num_envs": num_envs}
    with restoring_given_names(options):
        name, base, resolved = resolve(task_id, task, {**options, **count})
        for option in ("seed", "max_episode_steps"):
            if resolved.get(option, 0) is None:
                del resolved[option]
        # Consecutive environments get consecutive seeds, all below numpy's limit of 2**63.
        seed = resolved.get("seed", secrets.randbits(62))
        spec = EnvSpec(name, base, "gymnasium", {**resolved, "seed": seed})
    if "seed" not in resolved:
        # Removes the drawn seed, so that an environment made from this spec draws another seed, as in gymnasium.
        del spec.kwargs["seed"]
    return spec


POOL_CLASSES = {"dm": "DMEnvPool", "gymnasium": "GymnasiumEnvPool"}  # ends of names, by the interface


def spec_of_config(cls: TaskClass, config: Any) -> EnvSpec:
    task_id = cls.class_task
    defaults, family = class_defaults(task_id), family_of_task(task_id)
    if hasattr(config, "_asdict"):
        values = {**defaults, **config._asdict()}
    elif not isinstance(config, Sequence) or isinstance(config, str):
        raise TypeError(f"config={config!r}: expected a configuration, such as gen_config(), or its values in order")
    else:
        expected = f"{len(defaults)} values, as gen_config() has them"
        values = dict(zip(defaults, entries("config", config, len(defaults), expected), strict=True))
    # EnvPool has one class for all tasks of a family; the options `selectors` of the family select the task.
    if family is not None and (
        cls.family or any(values[name] != options_of_task(task_id)[name] for name in family.selectors)
    ):
        task_id = family.task(values)
    table.find(task_id)  # raises an error for unknown games
    defaults, of_task = class_defaults(task_id), options_of_task(task_id)
    # EnvPool's class also has options that do not apply to this task; they are dropped if they have their default
    # values.
    of_class = of_task if family is None else options_of_task(family.first)
    common = of_class.keys() & of_task.keys()
    own = {name: each for name, each in values.items() if name in common or each != defaults.get(name)}
    # A `base_path` equal to a default value counts as not given.
    if own["base_path"] in (defaults["base_path"], of_task["base_path"]):
        del own["base_path"]
    # Removes the option `task`, because the task id already selects the game.
    own.pop("task", None)
    return native_spec(task_id, "gym" if issubclass(cls, GymEnvSpec) else "gymnasium", own)


class EnvPoolClass(type):
    """Metaclass of EnvPool's pool classes: ``cls(spec)`` makes a pool."""

    family: Family
    env_type: str

    def __call__(cls, spec: EnvSpec) -> Any:
        return resolve_name(FACADES[cls.env_type])(spec)

    def __instancecheck__(cls, instance: Any) -> bool:
        family = family_of(getattr(instance, "spec", None))
        return family is cls.family and isinstance(instance, resolve_name(FACADES[cls.env_type]))


def classes_of(module: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for family in families().values():
        if family.module == module:
            named = {"family": family, "__module__": f"envpool.{module}"}
            name = f"{family.name}EnvSpec"
            found[name] = TaskClass(name, (EnvSpec,), {**named, "class_task": family.first})
            for env_type, suffix in POOL_CLASSES.items():
                name = f"{family.name}{suffix}"
                found[name] = EnvPoolClass(name, (), {**named, "env_type": env_type})
    return found
