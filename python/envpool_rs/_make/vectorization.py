"""gymnasium's ways to make a vector environment, for native tasks and for environments written in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gymnasium import VectorizeMode
from gymnasium.envs import registration
from gymnasium.vector import AutoresetMode
from gymnasium.vector.sync_vector_env import SyncVectorEnv

from envpool_rs._arguments import choice
from envpool_rs._errors import VectorArgumentError

MODES = (None, "native", "vector_entry_point", "sync", "async", "shared_memory")
"""What ``vectorization_mode`` may be: gymnasium's, and two of this package's own."""

_SYNC = ("autoreset_mode", "copy", "observation_mode")
"""Arguments of gymnasium's ``SyncVectorEnv``, which may be given by name here."""

_OF_WORKERS = (
    *("seed", "batch_size", "num_workers", "num_threads", "record_episode_statistics", "caller_steps", "context"),
    *("restart", "timeout", "thread_affinity_offset", "reward_threshold"),
)
"""Options of pools that ``SyncVectorEnv`` has nothing for."""

_OF_PROCESSES = ("shared_memory", "copy", "context", "daemon")
"""Arguments of ``AsyncVectorEnv`` that say how its processes hand over observations: native pools have neither, and
their observations are always the caller's own.
"""


def checked_mode(mode: Any) -> str | None:
    """``vectorization_mode`` as text.

    Raises:
        ValueError: for one that there is not.
        TypeError: for a value of the wrong kind.
    """
    text = mode.value if isinstance(mode, VectorizeMode) else mode
    choice("vectorization_mode", text, MODES)
    return None if text is None else str(text)


def makes_environments(task_id: Any) -> bool:
    """Whether something makes environments, or is a sequence of what does."""
    if callable(task_id):
        return True
    is_series = isinstance(task_id, Sequence) and not isinstance(task_id, (str, bytes))
    return is_series and len(task_id) > 0 and all(callable(each) for each in task_id)


def native_options(mode: str | None, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a native pool, where gymnasium's arguments are among what was given.

    Args:
        mode: ``vectorization_mode``.
        options: as given, with ``vector_kwargs`` and ``wrappers``.

    Raises:
        gymnasium.error.Error: for wrappers, which are for single environments; for ``vector_kwargs`` with
            ``"vector_entry_point"``, as gymnasium has it. It is a ``TypeError``, too.
        ValueError: for an option given twice, or a value that is not allowed.
        TypeError: for an unknown key in ``vector_kwargs``.
    """
    own = dict(options)
    wrappers, vector_kwargs = own.pop("wrappers", None), own.pop("vector_kwargs", None)
    if wrappers:
        raise VectorArgumentError(
            f"Cannot use `vector_entry_point` vectorization mode with the wrappers argument ({wrappers}): they are for "
            "single environments; give vectorization_mode='sync' or 'async' with it"
        )
    if not vector_kwargs:
        return own
    if mode == "vector_entry_point":
        raise VectorArgumentError(
            "Custom vector environment can be passed arguments only through kwargs and `vector_kwargs` is not empty "
            f"({vector_kwargs})"
        )
    if not isinstance(vector_kwargs, Mapping):
        raise TypeError(f"vector_kwargs={vector_kwargs!r}: expected a dict, or None")
    for name, value in vector_kwargs.items():
        if name in own:
            raise ValueError(f"{name} is given twice: in vector_kwargs and as an argument")
        if name == "autoreset_mode":
            own[name] = value
        elif name == "max_concurrency":
            if value is not None:
                own.setdefault("num_threads", value)
        elif name == "observation_mode":
            choice(name, value, ("same",))
        elif name not in _OF_PROCESSES and (name, value) != ("worker", None):
            expected = ", ".join(("autoreset_mode", "observation_mode", "max_concurrency", *_OF_PROCESSES))
            raise TypeError(f"vector_kwargs has the unknown key {name!r}: expected {expected}")
    return own


def make_sync_vec(task_id: Any, num_envs: int | None, options: Mapping[str, Any]) -> Any:
    """Gymnasium's ``SyncVectorEnv``: environments in this process, stepped one after the other.

    Args:
        task_id: an id of gymnasium's or its specification; functions that make environments, or one that makes all.
        num_envs: number of environments.
        options: ``vector_kwargs``, ``wrappers``, and what ``gymnasium.make`` takes.

    Raises:
        TypeError: for options of pools that it has nothing for.
    """
    rest = dict(options)
    vector_kwargs, wrappers = dict(rest.pop("vector_kwargs", None) or {}), rest.pop("wrappers", None)
    for name in _OF_WORKERS:
        if name in rest:
            raise TypeError(
                f"{name} is for pools: SyncVectorEnv, which vectorization_mode='sync' makes, has no such option"
            )
    for name in _SYNC:
        if name in rest:
            if name in vector_kwargs:
                raise ValueError(f"{name} is given twice: in vector_kwargs and as an argument")
            vector_kwargs[name] = rest.pop(name)
    mode = vector_kwargs.get("autoreset_mode")
    if isinstance(mode, str) and mode.upper() in AutoresetMode.__members__:
        vector_kwargs["autoreset_mode"] = AutoresetMode[mode.upper()]
    if not makes_environments(task_id):
        count = 1 if num_envs is None else num_envs
        return registration.make_vec(task_id, count, "sync", vector_kwargs=vector_kwargs, wrappers=wrappers, **rest)
    from envpool_rs._python_pool.environments import env_functions, wrapped_functions

    functions = wrapped_functions(env_functions(task_id, num_envs, rest), wrappers)
    return SyncVectorEnv(functions, **vector_kwargs)
