"""Measures pools with several numbers of threads and batch sizes on this machine."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from gymnasium import spaces

from envpool_rs._nested import fold_space
from envpool_rs._workers.worker_process import available_cores

AUTO = "auto"
"""Value of ``num_threads`` for the number that a measurement finds."""

SECONDS = 0.15
"""Duration of a measurement for ``num_threads="auto"``."""

_ARRAYS = 16
_WARM_UP = 0.25  # share of a measurement before its counted part
_EQUAL = 0.95  # share of the best rate that counts as equal, because fewer threads leave more of the machine to others
_chosen: dict[str, int] = {}


def random_actions(space: Any, rows: int, count: int = _ARRAYS) -> list[Any]:
    """Returns ``count`` batches of ``rows`` random actions of one environment's (one player's) action space: int64 for
    discrete spaces, the space's dtype for others. Raises a ``ValueError`` for another kind of space.
    """
    generator = np.random.default_rng(0)

    def batch(part: Any) -> Any:
        if isinstance(part, spaces.Discrete):
            return generator.integers(int(part.start), int(part.start + part.n), rows)
        if isinstance(part, spaces.MultiDiscrete):
            return generator.integers(part.start, part.start + part.nvec, (rows, *part.shape))
        if isinstance(part, spaces.MultiBinary):
            return generator.integers(0, 2, (rows, *part.shape)).astype(part.dtype)
        if isinstance(part, spaces.Box):
            low, high = np.maximum(part.low, -1e3), np.minimum(part.high, 1e3)
            return generator.uniform(low, high, (rows, *part.shape)).astype(part.dtype)
        expected = "expected Discrete, Box, MultiDiscrete, MultiBinary, or a Dict or Tuple of them"
        raise ValueError(f"action space {part}: {expected}")

    return [fold_space(space, batch) for _ in range(count)]


def steps_per_second(env: Any, seconds: float = SECONDS, policy_seconds: float = 0.0) -> tuple[float, float]:
    """Steps a pool of EnvPool's gymnasium interface with random actions, and closes it. Returns the steps per second,
    and the mean seconds from one result to the next. A policy that takes ``policy_seconds`` follows each result.
    """
    config = env.config
    batch_size, is_async = int(config["batch_size"]), env.is_async
    actions = itertools.cycle(random_actions(env.action_space, batch_size * env.spec.rows))
    try:
        if is_async:
            env.async_reset()
        else:
            env.reset()
        results, start, counted_from = 0, time.perf_counter(), None
        while True:
            now = time.perf_counter()
            if counted_from is None and results > 0 and now - start >= _WARM_UP * seconds:
                results, counted_from = 0, now
            if counted_from is not None and results > 0 and now - start >= seconds:
                return results * batch_size / (now - counted_from), (now - counted_from) / results
            if is_async:
                ids = env.recv()[-1]["env_id"]
                _policy(policy_seconds)
                env.send(next(actions), ids)
            else:
                env.step(next(actions))
                _policy(policy_seconds)
            results += 1
    finally:
        env.close()


def _policy(seconds: float) -> None:
    if seconds:
        time.sleep(seconds)


def thread_counts(most: int) -> list[int]:
    """Returns the numbers of threads that are worth a measurement: powers of 2, and all CPUs, at most ``most``."""
    cpus = min(len(available_cores()), most)
    return sorted({*itertools.takewhile(lambda each: each < cpus, (1 << bit for bit in range(20))), cpus})


def fastest(key: str, make: Callable[[int], Any], candidates: Iterable[int]) -> int:
    """Returns the number of threads with which a pool steps fastest. Equal keys are measured once in a process."""
    if key not in _chosen:
        rates = {count: steps_per_second(make(count))[0] for count in candidates}
        _chosen[key] = min(count for count, rate in rates.items() if rate >= _EQUAL * max(rates.values()))
    return _chosen[key]
