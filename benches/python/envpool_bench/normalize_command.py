"""``python benches/python normalize``: CPU time of steps with normalised results and with gymnasium's wrappers."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import envpool_rs
import numpy as np
from gymnasium.wrappers import vector as wrappers

from envpool_bench.rounds import Loop, add_arguments, random_actions, run_tasks

if TYPE_CHECKING:
    from envpool_bench.arguments import Commands

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
    add_arguments(parser, steps=64, rounds=40)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures the step time of each task with each way to normalise, and prints a table."""
    return run_tasks(options, _loops)


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
