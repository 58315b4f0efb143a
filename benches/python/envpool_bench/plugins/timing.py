"""Measures the processor time and the wall time of steps."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Step = Callable[[Any], Any]


@dataclass(frozen=True)
class StepTime:
    """Time of one step of one environment: the minimum over several windows (series of steps).

    Attributes:
        cpu: processor time of all threads and child processes, in nanoseconds.
        wall: elapsed time, in nanoseconds.
    """

    cpu: float
    wall: float


def cpu_seconds() -> float:
    """Returns the processor time of this process and its living child processes."""
    ticks = sum(_ticks(child) for child in _children())
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def measure(step: Step, actions: Sequence[Any], lanes: int, seconds: float, rounds: int) -> StepTime:
    """Measures the processor time and the wall time of steps of all environments.

    Args:
        step: steps all environments with a batch of actions.
        actions: batches of actions, used in turn.
        lanes: number of environments.
        seconds: least length of a window.
        rounds: number of windows.

    Returns:
        The least processor time and the least wall time of a window.
    """
    calls, took = 1, 0.0
    while took < seconds:
        calls *= 2
        took = _window(step, actions, calls)[1]
    windows = [_window(step, actions, calls) for _ in range(rounds)]
    least = [min(times) * 1e9 / (calls * lanes) for times in zip(*windows, strict=True)]
    return StepTime(*least)


def _window(step: Step, actions: Sequence[Any], calls: int) -> tuple[float, float]:
    cpu, wall = cpu_seconds(), time.perf_counter()
    for action in itertools.islice(itertools.cycle(actions), calls):
        step(action)
    return cpu_seconds() - cpu, time.perf_counter() - wall


def _children() -> list[int]:
    try:
        tasks = list(Path("/proc/self/task").iterdir())
    except OSError:  # the system is not Linux
        return []
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def _ticks(process: int) -> int:
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # the process has ended
        return 0
    return int(fields[11]) + int(fields[12])
