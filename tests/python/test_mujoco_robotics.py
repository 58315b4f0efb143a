"""Tests that the mazes and the Fetch robot of Gymnasium-Robotics have in common."""

import envpool_rs
import numpy as np
import pytest
from tasks import FETCH_EXAMPLES, MAZE_EXAMPLES


@pytest.mark.parametrize("task", [*MAZE_EXAMPLES, *FETCH_EXAMPLES])
def test_a_frame_stack_holds_the_observations_of_plain_environments(task):
    plain, stacked = (envpool_rs.make_vec(task, 2, frame_stack=depth) for depth in (1, 3))
    plain.action_space.seed(0)
    seen = [plain.reset(seed=5)[0]] * 3
    shown = stacked.reset(seed=5)[0]
    for _ in range(5):
        assert list(shown) == ["observation", "achieved_goal", "desired_goal"]
        for key, frames in shown.items():
            np.testing.assert_array_equal(frames, np.stack([each[key] for each in seen], 1), strict=True)
        action = plain.action_space.sample()
        seen = [*seen[1:], plain.step(action)[0]]
        shown = stacked.step(action)[0]
