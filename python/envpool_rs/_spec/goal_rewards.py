"""``compute_reward``: rewards of the mazes' and the Fetch robot's tasks for replaced goals, for hindsight experience
replay.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from envpool_rs import _core
from envpool_rs._arguments import array

if TYPE_CHECKING:
    import numpy.typing as npt

MAZE_GOAL_SIZE = 2
"""Number of values of a maze's goal."""

FETCH_GOAL_SIZE = 3
"""Number of values of a goal of the Fetch robot."""


def compute_reward(
    achieved_goal: npt.ArrayLike,
    desired_goal: npt.ArrayLike,
    info: Any = None,
    *,
    reward_type: str = "sparse",
    distance_threshold: float = 0.05,
) -> Any:
    """Computes the rewards of achieved goals, like the method ``compute_reward`` of Gymnasium-Robotics' environments.

    Args:
        achieved_goal: float64 ``(..., 2)`` for mazes, ``(..., 3)`` for the Fetch robot.
        desired_goal: of the same number of values for each goal; numpy's rules of broadcasting apply.
        info: not used; ``compute_reward`` of other tasks uses it.
        reward_type: value of the task's option ``reward_type``: ``"sparse"`` or ``"dense"``.
        distance_threshold: value of the option ``distance_threshold`` of the Fetch robot's tasks, in metres.

    Returns:
        ``(...)``, float32 for sparse rewards of the Fetch robot, otherwise float64; a scalar for one pair of goals.

    Raises:
        ValueError: for goals that do not have two or three numbers each, or whose shapes do not match; for another
            ``reward_type``.
        TypeError: for goals that are not numbers.
    """
    del info
    goals = [_goals("achieved_goal", achieved_goal), _goals("desired_goal", desired_goal)]
    shapes = " and ".join(str(each.shape) for each in goals)
    mismatch = f"achieved_goal, desired_goal: expected shapes that match, got {shapes}"
    if goals[0].shape[-1] != goals[1].shape[-1]:
        raise ValueError(mismatch)
    try:
        achieved, desired = (np.ascontiguousarray(each) for each in np.broadcast_arrays(*goals))
    except ValueError:
        raise ValueError(mismatch) from None
    if achieved.shape[-1] == MAZE_GOAL_SIZE:
        rewards = _core.maze_rewards(achieved, desired, reward_type)
    else:
        rewards = _core.fetch_rewards(achieved, desired, reward_type, distance_threshold)
        if reward_type == "sparse":
            return rewards.astype(np.float32).reshape(achieved.shape[:-1])[()]
    return rewards.reshape(achieved.shape[:-1])[()]


def _goals(name: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
    goals = array(name, value)
    if goals.dtype.kind not in "fiu":
        raise TypeError(f"{name} has dtype {goals.dtype}: expected numbers, float64")
    if goals.ndim == 0 or goals.shape[-1] not in (MAZE_GOAL_SIZE, FETCH_GOAL_SIZE):
        raise ValueError(
            f"{name} has shape {goals.shape}: expected (..., {MAZE_GOAL_SIZE}) for mazes, (..., {FETCH_GOAL_SIZE}) for "
            "the Fetch robot"
        )
    return goals.astype(np.float64, copy=False)
