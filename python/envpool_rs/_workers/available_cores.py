"""CPU cores that this process may use."""

from __future__ import annotations

import os
from pathlib import Path

_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def available_cores() -> list[int]:
    """Returns the cores this process may run on, in order; at most as many as the control group's CPU quota allows."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = list(range(os.cpu_count() or 1)) if affinity is None else sorted(affinity(0))
    return cores[: max(1, min(len(cores), _quota_cores(len(cores))))]


def _quota_cores(otherwise: int) -> int:
    try:
        quota, period = _QUOTA.read_text().split()[:2]
        return otherwise if quota == "max" else int(quota) // int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return otherwise
