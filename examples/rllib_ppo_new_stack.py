"""PPO on RLlib's new API stack, sampling from a native pool: ``python examples/rllib_ppo_new_stack.py``.

RLlib steps the pool itself as gymnasium's vector environment: ``gym_env_vectorize_mode`` declares that the creator
returns a vector environment. Needs ``pip install 'envpool_rs[ray]' torch``; learns CartPole in a few minutes on two
cores.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import envpool_rs
from ray.rllib.algorithms.ppo import PPOConfig
from ray.tune.registry import register_env


def make_pool(config: dict[str, Any]) -> Any:
    """Makes a pool as gymnasium's vector environment; RLlib passes the number of environments."""
    return envpool_rs.make_vec(config["task_id"], num_envs=config["num_envs"])


def ppo(task_id: str, num_envs: int) -> Any:
    """Builds PPO, which steps the pool in the learner's process."""
    register_env("envpool_rs", make_pool)
    config = (
        PPOConfig()
        .environment("envpool_rs", env_config={"task_id": task_id})
        .env_runners(
            num_env_runners=0,
            num_envs_per_env_runner=num_envs,
            gym_env_vectorize_mode="vector_entry_point",
        )
        .training(
            lr=3e-4,
            gamma=0.99,
            lambda_=0.95,
            train_batch_size_per_learner=2048,
            minibatch_size=256,
            num_epochs=10,
            vf_loss_coeff=0.01,
            use_kl_loss=False,
        )
        .rl_module(model_config={"fcnet_hiddens": [64, 64], "fcnet_activation": "tanh", "vf_share_layers": False})
        .learners(num_learners=0)
        .debugging(seed=1)
    )
    return config.build_algo()


def main() -> None:
    """Trains until the mean return reaches its goal, or for the given number of iterations."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--task-id", default="CartPole-v1")
    arguments.add_argument("--num-envs", type=int, default=16)
    arguments.add_argument("--iterations", type=int, default=100)
    arguments.add_argument("--target", type=float, default=450.0)
    options = arguments.parse_args()
    algorithm = ppo(options.task_id, options.num_envs)
    start = time.perf_counter()
    for iteration in range(1, options.iterations + 1):
        results = algorithm.train()["env_runners"]
        mean = results.get("episode_return_mean", float("nan"))
        steps = results["num_env_steps_sampled_lifetime"]
        print(
            f"{iteration:4d}  {time.perf_counter() - start:6.1f} s  {int(steps):8d} steps  return {mean:7.2f}",
            flush=True,
        )
        if mean >= options.target:
            break
    algorithm.stop()


if __name__ == "__main__":
    main()
