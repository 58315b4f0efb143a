"""``compute_reward``: rewards of the maze tasks for replaced goals, for hindsight experience replay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from envpool_rs import _core
from envpool_rs._arguments import array

if TYPE_CHECKING:
    import numpy.typing as npt

GOAL_SIZE = 2
"""Number of values of a maze's goal."""


def compute_reward(
    achieved_goal: npt.ArrayLike, desired_goal: npt.ArrayLike, info: Any = None, *, reward_type: str = "sparse"
) -> Any:
    """Computes the rewards of achieved goals in mazes, like the method ``compute_reward`` of Gymnasium-Robotics'
    environments.

    Args:
        achieved_goal: float64 ``(..., 2)``.
        desired_goal: float64 ``(..., 2)``; numpy's rules of broadcasting apply.
        info: not used; ``compute_reward`` of other tasks uses it.
        reward_type: value of the task's option ``reward_type``: ``"sparse"`` or ``"dense"``.

    Returns:
        float64 ``(...)``; a scalar for one pair of goals.

    Raises:
        ValueError: for goals that do not have two numbers each, or whose shapes do not match; for another
            ``reward_type``.
        TypeError: for goals that are not numbers.
    """
    del info
    goals = [_goals("achieved_goal", achieved_goal), _goals("desired_goal", desired_goal)]
    shapes = " and ".join(str(each.shape) for each in goals)
    try:
        achieved, desired = np.broadcast_arrays(*goals)
    except ValueError:
        raise ValueError(f"achieved_goal, desired_goal: expected shapes that match, got {shapes}") from None
    rewards = _core.maze_rewards(np.ascontiguousarray(achieved), np.ascontiguousarray(desired), reward_type)
    return rewards.reshape(achieved.shape[:-1])[()]


def _goals(name: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
    goals = array(name, value)
    if goals.dtype.kind not in "fiu":
        raise TypeError(f"{name} has dtype {goals.dtype}: expected numbers, float64")
    if goals.ndim == 0 or goals.shape[-1] != GOAL_SIZE:
        raise ValueError(f"{name} has shape {goals.shape}: expected (..., {GOAL_SIZE})")
    return goals.astype(np.float64, copy=False)
