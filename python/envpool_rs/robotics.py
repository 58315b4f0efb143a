"""``compute_reward`` for Gymnasium-Robotics' tasks and highway-env's car parks: rewards of replaced goals, for
hindsight experience replay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import array, choice, entries, flag, mapping, number, optional_number, text

__all__ = ["compute_reward"]

# Numbers of values of a goal: of a maze, of the Fetch robot, of an object in the Shadow hand (a position and a
# quaternion), of the hand's fingers (five positions), and of a car park (position, velocity and direction).
_MAZE, _FETCH, _OBJECT, _FINGERS, _PARKING = _GOAL_SIZES = (2, 3, 7, 15, 6)

# Options of tasks of the Fetch robot, the Shadow hand and car parks that `compute_reward` takes.
GOAL_OPTIONS = (
    "reward_weights",
    *("distance_threshold", "rotation_threshold", "target_position", "target_rotation"),
    "ignore_z_target_rotation",
)
TASKS_OPTION = "tasks_to_complete"  # option of the kitchen, whose goals are dicts with a key for each task


def compute_reward(
    achieved_goal: npt.ArrayLike | Mapping[str, npt.ArrayLike],
    desired_goal: npt.ArrayLike | Mapping[str, npt.ArrayLike],
    info: Any = None,
    *,
    reward_type: str = "sparse",
    distance_threshold: float | None = None,
    rotation_threshold: float = 0.1,
    target_position: str = "random",
    target_rotation: str = "xyz",
    ignore_z_target_rotation: bool = False,
    reward_weights: Sequence[float] = (1.0, 0.3, 0.0, 0.0, 0.02, 0.02),
) -> Any:
    """Computes the rewards of achieved goals, like the method ``compute_reward`` of Gymnasium-Robotics' environments
    and of highway-env's parking.

    Args:
        achieved_goal: float64 ``(..., 2)`` for mazes, ``(..., 3)`` for the Fetch robot, ``(..., 7)`` for objects in the
            Shadow hand, ``(..., 15)`` for its fingers, ``(..., 6)`` for car parks; for the kitchen, a dict with an
            array for each task, such as ``(..., 7)`` for ``"kettle"``.
        desired_goal: of the same number of values for each goal; numpy's rules of broadcasting apply.
        info: not used; ``compute_reward`` of other tasks uses it.
        reward_type: value of the task's option ``reward_type``: ``"sparse"`` or ``"dense"``.
        distance_threshold: value of the option ``distance_threshold`` of the Fetch robot's and the Shadow hand's tasks,
            in metres; ``None``: 0.05 for the Fetch robot, 0.01 for the Shadow hand.
        rotation_threshold: value of this option of the Shadow hand's tasks, in radians.
        target_position: value of this option of the Shadow hand's tasks; ``"ignore"``: positions do not count.
        target_rotation: value of this option of the Shadow hand's tasks; ``"ignore"``: orientations do not count.
        ignore_z_target_rotation: value of this option of the Shadow hand's tasks.
        reward_weights: value of this option of car parks, six numbers of at least 0.

    Returns:
        ``(...)``, float32 for sparse rewards except those of mazes and the kitchen, otherwise float64; a scalar for one
        pair of goals. The kitchen's reward is the number of completed tasks among the keys of the goals.

    Raises:
        ValueError: for goals that do not have 2, 3, 6, 7 or 15 numbers each, or whose shapes do not match; for dicts
            with different or unknown keys; for an option's value that is not allowed.
        TypeError: for goals that are not numbers, or only one of which is a dict; for an option of the wrong type.
    """
    del info
    text("reward_type", reward_type, '"sparse" or "dense"')
    distance_threshold = optional_number("distance_threshold", distance_threshold, "a number or None")
    rotation_threshold = number("rotation_threshold", rotation_threshold)
    choice("target_position", target_position, ("ignore", "fixed", "random"))
    choice("target_rotation", target_rotation, ("ignore", "fixed", "xyz", "z", "parallel"))
    ignores_z = flag("ignore_z_target_rotation", ignore_z_target_rotation)
    if isinstance(achieved_goal, Mapping) or isinstance(desired_goal, Mapping):
        return _kitchen_rewards(achieved_goal, desired_goal)
    achieved, desired = _matching(achieved_goal, desired_goal)
    size = achieved.shape[-1]
    if size == _PARKING:
        return _parking_rewards(achieved, desired, reward_weights)
    if size == _MAZE:
        rewards = _core.maze_rewards(achieved, desired, reward_type)
    elif size == _FETCH:
        limit = 0.05 if distance_threshold is None else distance_threshold
        rewards = _core.fetch_rewards(achieved, desired, reward_type, limit)
    else:
        limits = (0.01 if distance_threshold is None else distance_threshold, rotation_threshold)
        ignored = (target_position == "ignore", target_rotation == "ignore", ignores_z)
        rewards = _core.hand_rewards(achieved, desired, size == _OBJECT, reward_type, limits, ignored)
    if reward_type == "sparse" and size != _MAZE:
        rewards = rewards.astype(np.float32)
    return rewards.reshape(achieved.shape[:-1])[()]


def _parking_rewards(achieved: Any, desired: Any, reward_weights: Sequence[float]) -> Any:
    """Returns the negative square roots of weighted distances, which are summed in order, as the package does."""
    weights = entries("reward_weights", reward_weights, _PARKING, f"{_PARKING} numbers")
    total = np.zeros(achieved.shape[:-1])
    for index, weight in enumerate(weights):
        each = number(f"reward_weights[{index}]", weight, "a number of at least 0", lambda value: 0 <= value < np.inf)
        total = total + np.abs(achieved[..., index] - desired[..., index]) * each
    return -np.sqrt(total)[()]


def _kitchen_rewards(achieved_goal: Any, desired_goal: Any) -> Any:
    """Returns the number of tasks whose achieved goals are near their desired goals, for each pair of goals."""
    sizes = _core.kitchen_goal_sizes()
    for name, goals in {"achieved_goal": achieved_goal, "desired_goal": desired_goal}.items():
        mapping(name, goals, "a dict of goals by task, as the other goal is")
        if not goals or not goals.keys() <= sizes.keys():
            raise ValueError(f"{name} has the keys {list(goals)}: expected some of {list(sizes)}")
    if achieved_goal.keys() != desired_goal.keys():
        raise ValueError(
            f"achieved_goal, desired_goal: expected equal keys, got {list(achieved_goal)} and {list(desired_goal)}"
        )
    completed = {}
    for task, desired_of_task in desired_goal.items():
        achieved, desired = _matching(achieved_goal[task], desired_of_task, sizes[task], f"[{task!r}]")
        completed[task] = _core.kitchen_completions(achieved, desired, sizes[task]).reshape(achieved.shape[:-1])[()]
    shapes = {task: each.shape for task, each in completed.items()}
    if len(set(shapes.values())) > 1:
        raise ValueError(f"achieved_goal, desired_goal: expected the same number of goals for each task, got {shapes}")
    return sum(completed.values())


def _matching(achieved: Any, desired: Any, size: int | None = None, key: str = "") -> list[npt.NDArray[np.float64]]:
    """Returns two goals as arrays of one shape; ``size`` and ``key`` are those of a task of the kitchen."""
    expected = f"(..., {size})"
    if size is None:
        robots = f"(..., {_FETCH}) for the Fetch robot, (..., {_OBJECT}) or (..., {_FINGERS}) for the Shadow hand"
        expected = f"(..., {_MAZE}) for mazes, {robots}, (..., {_PARKING}) for car parks"
    goals = []
    for name, value in (f"achieved_goal{key}", achieved), (f"desired_goal{key}", desired):
        goal = array(name, value)
        if goal.dtype.kind not in "fiu":
            raise TypeError(f"{name} has dtype {goal.dtype}: expected numbers, float64")
        if goal.ndim == 0 or goal.shape[-1] not in (_GOAL_SIZES if size is None else (size,)):
            raise ValueError(f"{name} has shape {goal.shape}: expected {expected}")
        goals.append(goal.astype(np.float64, copy=False))
    shapes = [goal.shape for goal in goals]
    try:
        if shapes[0][-1] == shapes[1][-1]:
            return [np.ascontiguousarray(each) for each in np.broadcast_arrays(*goals)]
    except ValueError:
        pass
    names = f"achieved_goal{key}, desired_goal{key}"
    raise ValueError(f"{names}: expected shapes that match, got {shapes[0]} and {shapes[1]}")
