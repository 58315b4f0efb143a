"""``compute_reward``: rewards of the mazes', the Fetch robot's and the Shadow hand's tasks for replaced goals, for
hindsight experience replay.
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

OBJECT_GOAL_SIZE = 7
"""Number of values of a goal of an object in the Shadow hand: a position and a quaternion."""

FINGERS_GOAL_SIZE = 15
"""Number of values of a goal of the Shadow hand's fingers: five positions."""

GOAL_OPTIONS = (
    "distance_threshold",
    "rotation_threshold",
    "target_position",
    "target_rotation",
    "ignore_z_target_rotation",
)
"""Options of the Fetch robot's and the Shadow hand's tasks that :func:`compute_reward` takes."""


def compute_reward(
    achieved_goal: npt.ArrayLike,
    desired_goal: npt.ArrayLike,
    info: Any = None,
    *,
    reward_type: str = "sparse",
    distance_threshold: float | None = None,
    rotation_threshold: float = 0.1,
    target_position: str = "random",
    target_rotation: str = "xyz",
    ignore_z_target_rotation: bool = False,
) -> Any:
    """Computes the rewards of achieved goals, like the method ``compute_reward`` of Gymnasium-Robotics' environments.

    Args:
        achieved_goal: float64 ``(..., 2)`` for mazes, ``(..., 3)`` for the Fetch robot, ``(..., 7)`` for objects in the
            Shadow hand, ``(..., 15)`` for its fingers.
        desired_goal: of the same number of values for each goal; numpy's rules of broadcasting apply.
        info: not used; ``compute_reward`` of other tasks uses it.
        reward_type: value of the task's option ``reward_type``: ``"sparse"`` or ``"dense"``.
        distance_threshold: value of the option ``distance_threshold`` of the Fetch robot's and the Shadow hand's tasks,
            in metres; ``None``: 0.05 for the Fetch robot, 0.01 for the Shadow hand.
        rotation_threshold: value of this option of the Shadow hand's tasks, in radians.
        target_position: value of this option of the Shadow hand's tasks; ``"ignore"``: positions do not count.
        target_rotation: value of this option of the Shadow hand's tasks; ``"ignore"``: orientations do not count.
        ignore_z_target_rotation: value of this option of the Shadow hand's tasks.

    Returns:
        ``(...)``, float32 for sparse rewards except those of mazes, otherwise float64; a scalar for one pair of goals.

    Raises:
        ValueError: for goals that do not have 2, 3, 7 or 15 numbers each, or whose shapes do not match; for another
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
    size = achieved.shape[-1]
    if size == MAZE_GOAL_SIZE:
        rewards = _core.maze_rewards(achieved, desired, reward_type)
    elif size == FETCH_GOAL_SIZE:
        limit = 0.05 if distance_threshold is None else distance_threshold
        rewards = _core.fetch_rewards(achieved, desired, reward_type, limit)
    else:
        limits = (0.01 if distance_threshold is None else distance_threshold, rotation_threshold)
        ignored = (target_position == "ignore", target_rotation == "ignore", ignore_z_target_rotation)
        rewards = _core.hand_rewards(achieved, desired, size == OBJECT_GOAL_SIZE, reward_type, limits, ignored)
    if reward_type == "sparse" and size != MAZE_GOAL_SIZE:
        rewards = rewards.astype(np.float32)
    return rewards.reshape(achieved.shape[:-1])[()]


def _goals(name: str, value: npt.ArrayLike) -> npt.NDArray[np.float64]:
    goals = array(name, value)
    if goals.dtype.kind not in "fiu":
        raise TypeError(f"{name} has dtype {goals.dtype}: expected numbers, float64")
    sizes = (MAZE_GOAL_SIZE, FETCH_GOAL_SIZE, OBJECT_GOAL_SIZE, FINGERS_GOAL_SIZE)
    if goals.ndim == 0 or goals.shape[-1] not in sizes:
        raise ValueError(
            f"{name} has shape {goals.shape}: expected (..., {MAZE_GOAL_SIZE}) for mazes, (..., {FETCH_GOAL_SIZE}) for "
            f"the Fetch robot, (..., {OBJECT_GOAL_SIZE}) or (..., {FINGERS_GOAL_SIZE}) for the Shadow hand"
        )
    return goals.astype(np.float64, copy=False)
