"""``envpool-rs demo``: steps thousands of environments, with live rates."""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from typing import Any

import numpy as np
from gymnasium import spaces

from envpool_rs._make.make import make
from envpool_rs._nested import fold_space
from envpool_rs._spec.assets import CARTRIDGES
from envpool_rs.cli.text import (
    REDRAW,
    Commands,
    LiveLine,
    positive_float,
    positive_int,
    rate_text,
    text_table,
    three_digits,
)

TASKS = ("CartPole-v1", "Pendulum-v1", "FrozenLake-v1", "Taxi-v3", "Blackjack-v1", "Acrobot-v1", "SimpleSpread-v3")

ATARI = "Breakout-v5"  # task that the demo also runs if cartridges are installed

ATARI_PART = 64  # divisor of the number of Atari environments, whose steps take a thousand times as long

# Number of action arrays that are used in turn: enough for episodes to differ as under a random policy, because
# environments are independent of each other.
ARRAYS = 16

_INTRODUCTION = """\
For each task: envpool_rs.make(task, num_envs={num_envs}), then env.step(actions) over and over in one
Python loop, with random actions drawn beforehand. Counted are steps of single environments (the reset after
an episode takes one step); the time is all that passes on the clock, counting and display included.
"""


def add_to(commands: Commands) -> None:
    """Adds the command to the command line."""
    parser = commands.add_parser(
        "demo",
        help="step thousands of environments, live",
        description="Steps thousands of environments of seven tasks, and some of Atari's where its cartridges are "
        "installed, and shows how fast, in about 10 seconds.",
    )
    parser.add_argument("--num-envs", type=positive_int, default=4096, metavar="N", help="of each task (4096)")
    parser.add_argument("--seconds", type=positive_float, default=1.2, metavar="S", help="for each task (1.2)")
    parser.add_argument(
        "--threads", type=positive_int, metavar="N", help="worker threads (default: chosen by the pool)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Runs each task for a while and prints a table of the results."""
    pools = [(task, options.num_envs) for task in TASKS]
    if CARTRIDGES.installed() is not None:
        pools.append((ATARI, -(-options.num_envs // ATARI_PART)))
    with LiveLine(sys.stdout) as line:
        line.keep(_INTRODUCTION.format(num_envs=options.num_envs))
        rows, counts, times = zip(*(_play(task, num_envs, options, line) for task, num_envs in pools), strict=True)
    header = ["task", "environments", "steps", "episodes", "seconds", "us per call", "steps/s"]
    print(f"\n{text_table(header, rows, right=range(1, len(header)))}\n")
    steps, seconds = sum(counts), sum(times)
    print(f"Together {steps:,} steps in {seconds:.1f} seconds of stepping: {rate_text(steps / seconds)} steps/s.")
    return 0


def _play(task: str, num_envs: int, options: argparse.Namespace, line: LiveLine) -> tuple[list[str], int, float]:
    """Steps one task's environments for a while; returns a row of the table, the number of steps, and the seconds."""
    env: Any = make(task, num_envs=num_envs, num_threads=options.threads or 0)
    actions = itertools.cycle(random_actions(env.action_space, num_envs * env.spec.rows))
    env.reset()
    calls = episodes = 0
    seconds, rate, text = 0.0, "", ""
    start = time.perf_counter()
    while seconds < options.seconds:
        end = time.perf_counter() + min(REDRAW, options.seconds)
        while time.perf_counter() < end:
            _obs, _reward, terminated, truncated, _info = env.step(next(actions))
            calls += 1
            episodes += int(np.count_nonzero(terminated | truncated))
        seconds = time.perf_counter() - start
        steps = calls * num_envs
        rate = rate_text(steps / seconds)
        # The line has 74 characters, which fit a terminal of 80 columns.
        text = f"{task:<16}{rate:>7} steps/s  {steps:>13,} steps  {episodes:>11,} episodes"
        line.show(text)
    line.keep(text)
    env.close()
    counts = [f"{each:,}" for each in (num_envs, steps, episodes)]
    return [task, *counts, f"{seconds:.2f}", three_digits(seconds / calls * 1e6), rate], steps, seconds


def random_actions(space: Any, rows: int, count: int = ARRAYS) -> list[Any]:
    """Returns ``count`` batches of ``rows`` random actions of one environment's (one player's) action space: int64 for
    discrete spaces, the space's dtype for boxes. Raises a ``ValueError`` for another kind of space.
    """
    generator = np.random.default_rng(0)
    return [fold_space(space, lambda part: _batch(part, rows, generator)) for _ in range(count)]


def _batch(space: Any, rows: int, generator: np.random.Generator) -> Any:
    if isinstance(space, spaces.Discrete):
        return generator.integers(int(space.start), int(space.start + space.n), rows)
    if isinstance(space, spaces.Box):
        low, high = np.maximum(space.low, -1e3), np.minimum(space.high, 1e3)
        return generator.uniform(low, high, (rows, *space.shape)).astype(space.dtype)
    raise ValueError(f"action space {space}: expected Discrete, Box, or a Dict or Tuple of them")
