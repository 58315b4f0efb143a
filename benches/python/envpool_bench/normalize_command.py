"""``python benches/python normalize``: CPU time of steps with normalised results and with gymnasium's wrappers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import envpool_rs
import numpy as np
from envpool_rs._tasks.table import list_all_envs
from envpool_rs.cli.text import positive_int, text_table
from gymnasium.wrappers import vector as wrappers

from envpool_bench.arguments import named_tasks
from envpool_bench.rounds import Loop, compare, random_actions

if TYPE_CHECKING:
    from envpool_rs.cli.text import Commands

HEADER = ["task", "environments", "results", "us per step", "over step"]
"""Column titles. Times are the best round's; "over step" is the median of the rounds' ratios to the first row."""

OPTIONS: dict[str, dict[str, Any]] = {
    "step": {},
    "normalize_obs": {"normalize_obs": True},
    "normalize_reward": {"normalize_reward": True},
    "both, clipped": {"normalize_obs": True, "normalize_reward": True, "clip_obs": 10, "clip_reward": 10},
    "both, sb3": {"normalize_obs": "sb3", "normalize_reward": "sb3"},
}
"""Options of pools, by the name of their row."""


def add_to(commands: Commands) -> None:
    """Adds the ``normalize`` command to the command line."""
    parser = commands.add_parser(
        "normalize",
        help="compare normalised results with gymnasium's wrappers",
        description="Measures the CPU time of a step() with normalised results, in alternating rounds.",
    )
    parser.add_argument("tasks", nargs="*", default=["CartPole-v1"], metavar="TASK", help="ids or globs (CartPole-v1)")
    parser.add_argument("--num-envs", type=positive_int, default=1024, metavar="N", help="pool size (1024)")
    parser.add_argument("--steps", type=positive_int, default=64, metavar="N", help="steps of a round (64)")
    parser.add_argument("--rounds", type=positive_int, default=40, metavar="N", help="rounds (40)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures the step time of each task with each way to normalise, and prints a table."""
    rows: list[list[str]] = []
    for task in named_tasks(options.tasks, list_all_envs()):
        loops = _loops(task, options.num_envs, options.steps)
        rows += [[task, str(options.num_envs), *row] for row in compare(loops, options.steps, options.rounds)]
    print(text_table(HEADER, rows, range(3, 5)))
    return 0


def _loops(task: str, num_envs: int, steps: int) -> dict[str, Loop]:
    """Returns a loop of ``steps`` steps of a pool for each way to normalise, by name."""

    def make(options: dict[str, Any]) -> Any:
        return envpool_rs.make_vec(task, num_envs, num_threads=1, seed=1, **options)

    envs = {name: make(options) for name, options in OPTIONS.items()}
    envs["both, clipped, by gymnasium's wrappers"] = _wrapped(make({}))
    actions = random_actions(envs["step"].single_action_space, num_envs, steps)

    def loop(env: Any) -> Loop:
        env.reset(seed=1)

        def run_steps() -> None:
            for each in actions:
                env.step(each)

        return run_steps

    return {name: loop(env) for name, env in envs.items()}


def _wrapped(env: Any) -> Any:
    """Returns ``env`` in gymnasium's wrappers that normalise and clip, in the order of CleanRL's programs."""
    env = wrappers.NormalizeObservation(env)
    env = wrappers.TransformObservation(env, lambda obs: np.clip(obs, -10, 10))
    return wrappers.TransformReward(wrappers.NormalizeReward(env), lambda reward: np.clip(reward, -10, 10))
