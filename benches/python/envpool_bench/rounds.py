"""Comparison of the CPU times of loops that run in turns in one process."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Loop = Callable[[], None]


def compare(loops: Mapping[str, Loop], steps: int, rounds: int) -> list[tuple[str, str, str]]:
    """Measures the CPU time of loops. Each round runs every loop once, in the same order.

    Args:
        loops: loops of ``steps`` steps by name; the first loop is the base of the ratios.
        steps: steps of each loop.
        rounds: number of rounds.

    Returns:
        For each loop: its name, the microseconds of a step in its best round, and the median over rounds of the ratio
            of its CPU time to the base's.
    """
    times: dict[str, list[float]] = {name: [] for name in loops}
    for _ in range(rounds):
        for name, loop in loops.items():
            start = time.process_time_ns()
            loop()
            times[name].append((time.process_time_ns() - start) / steps / 1e3)
    base = next(iter(times.values()))
    rows = []
    for name, each in times.items():
        over = statistics.median(time / other for time, other in zip(each, base, strict=True)) - 1
        rows.append((name, f"{min(each):.2f}", f"{over:+.1%}"))
    return rows


def random_actions(space: Any, num_envs: int, steps: int) -> list[Any]:
    """Returns random actions of ``num_envs`` environments for each of ``steps`` steps.

    Args:
        space: action space of one environment.
        num_envs: number of environments.
        steps: number of steps.
    """
    rng = np.random.default_rng(0)
    if hasattr(space, "n"):
        return [rng.integers(space.n, size=num_envs).astype(np.int32) for _ in range(steps)]
    shape = (num_envs, *space.shape)
    return [rng.uniform(space.low, space.high, shape).astype(np.float32) for _ in range(steps)]
