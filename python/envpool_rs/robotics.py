"""Functions of Gymnasium-Robotics' environments: rewards of goals, for hindsight relabelling."""

from __future__ import annotations

from envpool_rs._spec.goal_rewards import compute_reward

__all__ = ["compute_reward"]
