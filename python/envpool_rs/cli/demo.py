"""``envpool-rs demo``: steps thousands of environments, with live rates."""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from dataclasses import dataclass
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

ATARI = "Breakout-v5"
"""Task that the demo also runs if cartridges are installed."""

ATARI_PART = 64
"""Divisor of the number of Atari environments, whose steps take a thousand times as long."""

ARRAYS = 16
"""Number of action arrays that are used in turn: enough for episodes to differ as under a random policy, because
environments are independent of each other.
"""

_INTRODUCTION = """\
For each task: envpool_rs.make(task, num_envs={num_envs}), then env.step(actions) over and over in one
Python loop, with random actions drawn beforehand. Counted are steps of single environments (the reset after
an episode takes one step); the time is all that passes on the clock, counting and display included.
"""


@dataclass
class DemoProgress:
    """Calls of ``step``, ended episodes and wall-clock time of one task's environments."""

    task: str
    num_envs: int
    calls: int = 0
    episodes: int = 0
    seconds: float = 0.0

    @property
    def steps(self) -> int:
        """Number of steps of all environments together."""
        return self.calls * self.num_envs

    @property
    def rate(self) -> float:
        """Steps per second."""
        return self.steps / self.seconds if self.seconds else 0.0


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
    all_played = []
    with LiveLine(sys.stdout) as line:
        line.keep(_INTRODUCTION.format(num_envs=options.num_envs))
        for task, num_envs in pools:
            played = _play(task, num_envs, options, line)
            all_played.append(played)
            line.keep(_state(played))
    steps, seconds = sum(each.steps for each in all_played), sum(each.seconds for each in all_played)
    print(f"\n{_table(all_played)}\n")
    print(f"Together {steps:,} steps in {seconds:.1f} seconds of stepping: {rate_text(steps / seconds)} steps/s.")
    return 0


def _play(task: str, num_envs: int, options: argparse.Namespace, line: LiveLine) -> DemoProgress:
    env: Any = make(task, num_envs=num_envs, num_threads=options.threads or 0)
    actions = itertools.cycle(random_actions(env.action_space, num_envs * env.spec.rows))
    played = DemoProgress(task, num_envs)
    env.reset()
    start = time.perf_counter()
    while played.seconds < options.seconds:
        end = time.perf_counter() + min(REDRAW, options.seconds)
        while time.perf_counter() < end:
            _obs, _reward, terminated, truncated, _info = env.step(next(actions))
            played.calls += 1
            played.episodes += int(np.count_nonzero(terminated | truncated))
        played.seconds = time.perf_counter() - start
        line.show(_state(played))
    env.close()
    return played


def _state(played: DemoProgress) -> str:
    rate = rate_text(played.rate)
    # The line of a task has 74 characters, which fit a terminal of 80 columns.
    return f"{played.task:<16}{rate:>7} steps/s  {played.steps:>13,} steps  {played.episodes:>11,} episodes"


def _table(all_played: list[DemoProgress]) -> str:
    header = ["task", "environments", "steps", "episodes", "seconds", "us per call", "steps/s"]
    rows = [
        [
            played.task,
            f"{played.num_envs:,}",
            f"{played.steps:,}",
            f"{played.episodes:,}",
            f"{played.seconds:.2f}",
            three_digits(played.seconds / played.calls * 1e6),
            rate_text(played.rate),
        ]
        for played in all_played
    ]
    return text_table(header, rows, right=range(1, len(header)))


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
