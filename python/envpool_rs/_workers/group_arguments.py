"""Validates WorkerGroup's arguments, and assigns environments to workers and cores."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from envpool_rs._arguments import array, entries, integer, optional_integer

#: Array of environment ids.
Ids = np.ndarray[Any, np.dtype[np.int64]]

_MAX_ID = np.iinfo(np.int64).max

WAKE_UPS = ("auto", "futex", "poll")


def worker_count(num_workers: int | None, num_envs: int, caller_share: bool) -> int:
    """Returns the number of worker processes: at most the requested number, and no process without an environment.

    None means one process for each available core. If the caller hosts a share of the environments, the caller counts
    as one process.

    Raises:
        TypeError: if ``num_workers`` is not an integer.
        ValueError: if ``num_workers`` is less than one (with ``caller_share``: less than zero).
    """
    most = num_envs - 1 if caller_share else num_envs
    if num_workers is None:
        return min(most, len(available_cores()) - (1 if caller_share else 0))
    least = 0 if caller_share else 1
    return min(integer("num_workers", num_workers, least, kind="an int or None"), most)


def assign_workers(num_envs: int, num_workers: int, caller_share: bool) -> list[int]:
    """Returns the worker of each environment, in even, contiguous shares; -1 for the caller's share, the last one."""
    parts = num_workers + (1 if caller_share else 0)
    parts_of = [env_id * parts // num_envs for env_id in range(num_envs)]
    return [part if part < num_workers else -1 for part in parts_of]


def validate_ids(ids: Any) -> Ids | None:
    """Converts environment ids to int64; None (all environments) stays None.

    Raises:
        TypeError: if the ids are not integers.
        IndexError: for an id that exceeds int64.
    """
    if ids is None:
        return None
    array_of_ids = array("ids", ids)
    if array_of_ids.dtype == np.int64 and array_of_ids.ndim == 1:
        return array_of_ids
    if (array_of_ids.size and array_of_ids.dtype.kind not in "iu") or array_of_ids.ndim > 1:
        raise TypeError(f"ids={ids!r}: expected integers")
    if array_of_ids.dtype.kind == "u" and array_of_ids.size and array_of_ids.max() > _MAX_ID:
        raise IndexError(f"ids={ids!r}: expected numbers of environments")
    return array_of_ids.astype(np.int64).reshape(-1)


def validate_seeds(seeds: Any, count: int) -> list[int | None] | None:
    """Checks that there is one seed per environment, and returns the seeds; None (no environment is seeded) stays None.

    Raises:
        TypeError: for a seed that is neither an integer nor None, naming its index.
        ValueError: if the number of seeds is not the number of environments, or a seed exceeds 64 bits.
    """
    if seeds is None:
        return None
    listed = entries("seeds", seeds, count, f"one for each of {count} environments")
    return [
        optional_integer(f"seeds[{index}]", seed, -(2**63), 2**63 - 1, allowed="an integer of 64 bits")
        for index, seed in enumerate(listed)
    ]


_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def available_cores() -> list[int]:
    """Returns the cores that this process may run on, in order; at most as many as the control group's CPU quota
    allows.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    cores = list(range(os.cpu_count() or 1)) if affinity is None else sorted(affinity(0))
    return cores[: max(1, min(len(cores), _quota_cores(len(cores))))]


def _quota_cores(otherwise: int) -> int:
    try:
        quota, period = _QUOTA.read_text().split()[:2]
        return otherwise if quota == "max" else int(quota) // int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return otherwise
