"""Adapts pools to Stable-Baselines3's ``VecEnv``, and stores frames once in a replay buffer.

Importing this module imports Stable-Baselines3, and with it torch.
"""

from envpool_rs.sb3.frame_replay_buffer import FrameReplayBuffer
from envpool_rs.sb3.vec_env import VecEnv

__all__ = ["FrameReplayBuffer", "VecEnv"]
