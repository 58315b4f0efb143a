"""PPO for the three players of SimpleSpread, on RLlib's new API stack: ``python examples/rllib_multi_agent.py``.

Each player is an agent, and all agents share one policy. Needs ``pip install 'envpool_rs[ray]' torch``.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from envpool_rs.rllib import PoolMultiAgentEnv
from ray.rllib.algorithms.ppo import PPOConfig
from ray.tune.registry import register_env


def make_env(config: dict[str, Any]) -> Any:
    """Makes one environment with three agents."""
    return PoolMultiAgentEnv("SimpleSpread-v3")


def ppo(num_envs: int) -> Any:
    """Builds PPO, which steps the environments in the learner's process."""
    register_env("simple_spread", make_env)
    config = (
        PPOConfig()
        .environment("simple_spread")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=num_envs)
        .multi_agent(policies={"player"}, policy_mapping_fn=lambda agent_id, episode, **_: "player")
        .training(
            lr=5e-4, gamma=0.95, train_batch_size_per_learner=1000, minibatch_size=250, num_epochs=5, vf_loss_coeff=0.01
        )
        .rl_module(model_config={"fcnet_hiddens": [64, 64], "fcnet_activation": "tanh"})
        .learners(num_learners=0)
        .debugging(seed=1)
    )
    return config.build_algo()


def main() -> None:
    """Trains for several iterations, and prints the players' common return after each."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--num-envs", type=int, default=8)
    arguments.add_argument("--iterations", type=int, default=20)
    options = arguments.parse_args()
    algorithm = ppo(options.num_envs)
    start = time.perf_counter()
    for iteration in range(1, options.iterations + 1):
        results = algorithm.train()["env_runners"]
        mean = results.get("episode_return_mean", float("nan"))
        print(f"{iteration:4d}  {time.perf_counter() - start:6.1f} s  return of all players {mean:8.2f}", flush=True)
    algorithm.stop()


if __name__ == "__main__":
    main()
