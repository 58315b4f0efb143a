"""Adapts pools to Stable-Baselines3's ``VecEnv``.

Importing this module imports Stable-Baselines3, and with it torch.
"""

from envpool_rs.sb3.vec_env import VecEnv

__all__ = ["VecEnv"]
