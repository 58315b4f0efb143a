"""PPO on RLlib's old API stack, sampling from a native pool: ``python examples/rllib_ppo_old_stack.py``.

The environment's creator returns a single ``BaseEnv`` over all environments of the pool, which RLlib polls directly.
Needs ``pip install 'envpool_rs[ray]' torch``; learns CartPole in a few minutes on two cores.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import envpool_rs
from envpool_rs.rllib import convert_to_base_env
from ray.rllib.algorithms.ppo import PPOConfig
from ray.tune.registry import register_env


def make_base_env(config: dict[str, Any]) -> Any:
    """Converts all environments of a pool to RLlib's interface."""
    pool = envpool_rs.make_gymnasium(config["task_id"], num_envs=config["num_envs"], seed=1)
    return convert_to_base_env(pool)


def ppo(task_id: str, num_envs: int) -> Any:
    """Builds PPO, which steps the pool in the learner's process."""
    register_env("envpool_rs", make_base_env)
    config = (
        PPOConfig()
        .api_stack(enable_rl_module_and_learner=False, enable_env_runner_and_connector_v2=False)
        .environment("envpool_rs", env_config={"task_id": task_id, "num_envs": num_envs}, disable_env_checking=True)
        .env_runners(num_env_runners=0, rollout_fragment_length=2048 // num_envs)
        .framework("torch")
        .training(
            lr=3e-4,
            gamma=0.99,
            lambda_=0.95,
            train_batch_size=2048,
            minibatch_size=256,
            num_epochs=10,
            vf_loss_coeff=0.01,
            model={"fcnet_hiddens": [64, 64], "fcnet_activation": "tanh", "vf_share_layers": False},
        )
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
        results = algorithm.train()
        mean = results["env_runners"]["episode_return_mean"]
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
