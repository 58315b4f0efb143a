"""Measures ``send_actions`` and ``poll`` over native pools, alternating with RLlib's wrapper around the same pools.

    python benches/ray/poll.py [--envs 256] [--polls 4000]

Prints a table in Markdown. Needs ray[rllib]. Environments whose episodes ended are reset between polls; these resets
are not timed.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import envpool_rs
import numpy as np
from envpool_rs.rllib import convert_to_base_env
from ray.rllib.env.vector_env import VectorEnv, VectorEnvWrapper

TASKS = ("MountainCar-v0", "CartPole-v1", "Pendulum-v1")


class PoolVectorEnv(VectorEnv):
    """Adapter of a pool to RLlib's VectorEnv, with as little work as the interface allows."""

    def __init__(self, pool: Any) -> None:
        self.pool = pool
        super().__init__(pool.single_observation_space, pool.single_action_space, pool.num_envs)

    def vector_reset(self, *, seeds: Any = None, options: Any = None) -> tuple[list, list]:
        """Resets all environments."""
        return list(self.pool.reset()[0]), [{} for _ in range(self.num_envs)]

    def reset_at(self, index: int | None = None, *, seed: Any = None, options: Any = None) -> tuple[Any, dict]:
        """Resets one environment."""
        return self.pool.reset(np.array([index]))[0][0], {}

    def vector_step(self, actions: list) -> tuple[list, list, list, list, list]:
        """Steps all environments."""
        observations, rewards, terminated, truncated, _ = self.pool.step(np.asarray(actions))
        infos = [{} for _ in range(self.num_envs)]
        return list(observations), rewards.tolist(), terminated.tolist(), truncated.tolist(), infos


def one_turn(env: Any, actions: dict[int, dict[str, Any]]) -> float:
    """Returns the seconds of one ``send_actions`` and ``poll``. Afterwards, resets the environments whose episodes
    ended.
    """
    start = time.perf_counter()
    env.send_actions(actions)
    polled = env.poll()
    elapsed = time.perf_counter() - start
    for flags in polled[2:4]:
        for index in [index for index, of_agents in flags.items() if of_agents["__all__"]]:
            env.try_reset(index)
    return elapsed


def measured(task_id: str, num_envs: int, polls: int) -> str:
    """Measures the native pool and RLlib's wrapper on one task, and returns the row of the table."""
    theirs = VectorEnvWrapper(PoolVectorEnv(envpool_rs.make_gymnasium(task_id, num_envs=num_envs)))
    ours = convert_to_base_env(envpool_rs.make_gymnasium(task_id, num_envs=num_envs))
    space = ours.action_space
    actions = {index: {"agent0": space.sample()} for index in range(num_envs)}
    if space.dtype == np.int64:
        actions = {index: {"agent0": int(of_agents["agent0"])} for index, of_agents in actions.items()}
    theirs.poll(), ours.poll()
    times = np.array([[one_turn(theirs, actions), one_turn(ours, actions)] for _ in range(polls)]) * 1e6
    (their_median, our_median), (their_tenth, our_tenth) = np.median(times, 0), np.percentile(times, 10, axis=0)
    return (
        f"| {task_id} | {their_median:,.0f} ({their_tenth:,.0f}) | {our_median:,.0f} ({our_tenth:,.0f}) "
        f"| {their_median / our_median:.1f} ({their_tenth / our_tenth:.1f}) |"
    )


def main() -> None:
    """Measures all tasks, and prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--envs", type=int, default=256)
    parser.add_argument("--polls", type=int, default=4000)
    arguments = parser.parse_args()
    print(f"\n`send_actions` and `poll`, {arguments.envs} environments, µs: medians (10th percentiles)\n")
    print("| the same pool behind | RLlib's `VectorEnvWrapper` | `PoolBaseEnv` | times |\n|---|---|---|---|")
    for task_id in TASKS:
        print(measured(task_id, arguments.envs, arguments.polls), flush=True)


if __name__ == "__main__":
    main()
