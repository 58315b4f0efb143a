"""``VecEnv``: pools with Stable-Baselines3's interface. ``FrameReplayBuffer``: a replay buffer that stores each frame
once.

Importing this module imports Stable-Baselines3 and torch.
"""

from envpool_rs.sb3.frame_replay_buffer import FrameReplayBuffer
from envpool_rs.sb3.vec_env import VecEnv

__all__ = ["FrameReplayBuffer", "VecEnv"]
