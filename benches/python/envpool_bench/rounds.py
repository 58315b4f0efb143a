"""Comparison of the CPU times of loops that run in turns in one process."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from envpool_rs._tasks.table import list_all_envs
from envpool_rs.cli.text import positive_int, text_table

from envpool_bench.arguments import named_tasks

Loop = Callable[[], None]

HEADER = ["task", "environments", "steps", "us per step", "over step"]
"""Column titles. Times are the best round's; "over step" is the median of the rounds' ratios to the first row."""


def add_arguments(parser: argparse.ArgumentParser, steps: int, rounds: int) -> None:
    """Adds the arguments of a command that compares loops, with these defaults."""
    parser.add_argument("tasks", nargs="*", default=["CartPole-v1"], metavar="TASK", help="ids or globs (CartPole-v1)")
    parser.add_argument("--num-envs", type=positive_int, default=1024, metavar="N", help="pool size (1024)")
    parser.add_argument("--steps", type=positive_int, default=steps, metavar="N", help=f"steps of a loop ({steps})")
    parser.add_argument("--rounds", type=positive_int, default=rounds, metavar="N", help=f"rounds ({rounds})")


def run_tasks(options: argparse.Namespace, make_loops: Callable[[str, int, int], dict[str, Loop]]) -> int:
    """Compares the loops of each task, and prints a table. ``make_loops`` takes task, pool size and steps."""
    rows: list[list[str]] = []
    for task in named_tasks(options.tasks, list_all_envs()):
        loops = make_loops(task, options.num_envs, options.steps)
        rows += [[task, str(options.num_envs), *row] for row in compare(loops, options.steps, options.rounds)]
    print(text_table(HEADER, rows, range(3, 5)))
    return 0


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
