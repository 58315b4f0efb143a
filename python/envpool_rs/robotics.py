"""``compute_reward`` for Gymnasium-Robotics' tasks: rewards of replaced goals, for hindsight experience replay."""

from __future__ import annotations

from envpool_rs._spec.goal_rewards import compute_reward

__all__ = ["compute_reward"]
