"""Trains with Stable-Baselines3's PPO on a pool with the interface of Stable-Baselines3's VecEnv.

pip install 'envpool_rs[sb3]'
python examples/consumers/stable_baselines3_ppo.py [STEPS]
"""

import sys

from envpool_rs.sb3 import VecEnv
from stable_baselines3 import PPO
from stable_baselines3.common.evaluation import evaluate_policy

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000

# Replaces make_vec_env("CartPole-v1", n_envs=8). All wrappers of Stable-Baselines3 accept this vector environment.
envs = VecEnv("CartPole-v1", 8)
model = PPO("MlpPolicy", envs, n_steps=128, batch_size=256, seed=1, device="cpu")
model.learn(steps)

mean, deviation = evaluate_policy(model, VecEnv("CartPole-v1", 8), n_eval_episodes=16)
print(f"return after {steps} steps: {mean:.1f} ± {deviation:.1f}")
