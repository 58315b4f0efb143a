"""WorkerGroup's arguments, checked, and the environments shared out."""

from __future__ import annotations

from typing import Any

import numpy as np

from envpool_rs._arguments import array, entries, integer, optional_integer
from envpool_rs._workers.available_cores import available_cores

#: Numbers of environments.
Ids = np.ndarray[Any, np.dtype[np.int64]]

_MOST = np.iinfo(np.int64).max

WAKE_UPS = ("auto", "futex", "poll")


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
    least = 0 if caller_share else 1
    return min(integer("num_workers", num_workers, least, kind="an int or None"), most)


def shares(num_envs: int, num_workers: int, caller_share: bool) -> list[int]:
    """The worker of each environment, in even shares of neighbours; -1 for the caller's share, which is the last."""
    parts = num_workers + (1 if caller_share else 0)
    parts_of = [env_id * parts // num_envs for env_id in range(num_envs)]
    return [part if part < num_workers else -1 for part in parts_of]


def checked_ids(ids: Any) -> Ids | None:
    """Environment ids as int64; None stays None (all of them).

    Raises:
        TypeError: for what are no integers.
        IndexError: for what no int64 holds.
    """
    if ids is None:
        return None
    given = array("ids", ids)
    if given.dtype == np.int64 and given.ndim == 1:
        return given
    if (given.size and given.dtype.kind not in "iu") or given.ndim > 1:
        raise TypeError(f"ids={ids!r}: expected integers")
    if given.dtype.kind == "u" and given.size and given.max() > _MOST:
        raise IndexError(f"ids={ids!r}: expected numbers of environments")
    return given.astype(np.int64).reshape(-1)


def checked_seeds(seeds: Any, count: int) -> list[int | None] | None:
    """Seeds, one for each environment; None stays None (none of them is seeded).

    Raises:
        TypeError: for what is neither an integer nor None, naming its index.
        ValueError: for another number of seeds than environments, or more than 64 bits.
    """
    if seeds is None:
        return None
    listed = entries("seeds", seeds, count, f"one for each of {count} environments")
    return [
        optional_integer(f"seeds[{index}]", seed, -(2**63), 2**63 - 1, allowed="an integer of 64 bits")
        for index, seed in enumerate(listed)
    ]
