"""WorkerGroup's arguments, checked, and the environments shared out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from envpool_rs._workers.available_cores import available_cores

#: Numbers of environments.
Ids = np.ndarray[Any, np.dtype[np.int64]]

AUTORESETS = ("disabled", "next_step", "same_step")
WAKE_UPS = ("auto", "futex", "poll")


def checked_env_fns(env_fns: Any) -> list[Callable[[], Any]]:
    """The factories as a list.

    Raises:
        ValueError: if there is none.
        TypeError: for what is no sequence of callables, naming the index.
    """
    if callable(env_fns) or isinstance(env_fns, (str, bytes, dict)):
        raise _no_sequence(env_fns)
    try:
        functions = list(env_fns)
    except TypeError as error:
        raise _no_sequence(env_fns) from error
    if not functions:
        raise ValueError("env_fns is empty: expected at least one callable that makes an environment")
    for index, function in enumerate(functions):
        if not callable(function):
            raise TypeError(f"env_fns[{index}] is {function!r}: expected a callable that makes an environment")
    return functions


def _no_sequence(env_fns: object) -> TypeError:
    return TypeError(f"env_fns={env_fns!r}: expected a sequence of callables that make one environment each")


def check_choice(name: str, value: object, allowed: Sequence[str]) -> None:
    """Refuses what is not in ``allowed``.

    Raises:
        ValueError: naming the argument, its value and what is allowed.
    """
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name}={value!r}: expected {', '.join(map(repr, allowed))}")


def worker_count(num_workers: int | None, num_envs: int, caller_share: bool) -> int:
    """How many worker processes there are: as asked, but none without an environment.

    None is one for each available core; where the caller plays a share, it counts as one of them.

    Raises:
        TypeError: for what is no integer.
        ValueError: for less than one (with ``caller_share``: less than none).
    """
    most = num_envs - 1 if caller_share else num_envs
    if num_workers is None:
        return min(most, len(available_cores()) - (1 if caller_share else 0))
    if isinstance(num_workers, bool) or not isinstance(num_workers, (int, np.integer)):
        raise TypeError(f"num_workers={num_workers!r}: expected an integer or None")
    least = 0 if caller_share else 1
    if num_workers < least:
        raise ValueError(f"num_workers={num_workers}: expected at least {least}")
    return min(int(num_workers), most)


def shares(num_envs: int, num_workers: int, caller_share: bool) -> list[int]:
    """The worker of each environment, in even shares of neighbours; -1 for the caller's share, which is the last."""
    parts = num_workers + (1 if caller_share else 0)
    parts_of = [env_id * parts // num_envs for env_id in range(num_envs)]
    return [part if part < num_workers else -1 for part in parts_of]


def checked_ids(ids: Any) -> Ids | None:
    """Environment ids as int64; None stays None (all of them).

    Raises:
        TypeError: for what are no integers.
    """
    if ids is None:
        return None
    array = np.asarray(ids)
    if array.dtype == np.int64 and array.ndim == 1:
        return array
    if (array.size and array.dtype.kind not in "iu") or array.ndim > 1:
        raise TypeError(f"ids={ids!r}: expected integers")
    return array.astype(np.int64).reshape(-1)


def checked_seeds(seeds: Any, count: int) -> list[int | None] | None:
    """Seeds, one for each environment; None stays None (none of them is seeded).

    Raises:
        TypeError: for what is neither an integer nor None, naming its index.
        ValueError: for another number of seeds than environments, or more than 64 bits.
    """
    if seeds is None:
        return None
    seeds = list(seeds)
    if len(seeds) != count:
        raise ValueError(f"{len(seeds)} seeds for {count} environments: expected one for each")
    for index, seed in enumerate(seeds):
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, (int, np.integer))):
            raise TypeError(f"seeds[{index}] is {seed!r}: expected an integer or None")
        if seed is not None and not -(2**63) <= seed < 2**63:
            raise ValueError(f"seeds[{index}] is {seed}: expected an integer of 64 bits")
    return [None if seed is None else int(seed) for seed in seeds]
