"""Compares pictures of the Fetch robot with Gymnasium-Robotics', pixel by pixel, on the same OpenGL platform.

In the reference a picture changes the poses from which the next action of FetchPickAndPlace starts; in this package it
does not. So each episode is compared by its last picture.
"""

import envpool_rs
import gymnasium
import numpy as np
import pytest
from mujoco_picture_cases import FAST

pytest.importorskip("gymnasium_robotics")
from robotics_reference import bits

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning", "ignore::ResourceWarning"),
]
TASKS = ["FetchReach-v4", "FetchPush-v4", "FetchSlide-v4", "FetchPickAndPlace-v4"]


@pytest.mark.parametrize("task", TASKS)
def test_pictures_equal_the_references(task):
    options = {"render_mode": "rgb_array", "width": 160, "height": 120}
    theirs = gymnasium.make(task, disable_env_checker=True, **options)
    ours = envpool_rs.make_vec(task, 1, autoreset_mode="disabled", **options)
    random = np.random.default_rng(0)
    for steps in (0, 9):
        theirs.reset(seed=steps)
        ours.reset(seed=steps)
        for action in random.normal(size=(steps, 4)).astype(np.float32):
            theirs.step(action)
            ours.step(action[None])
        picture = theirs.render()
        np.testing.assert_array_equal(ours.render()[0], picture)
        assert picture.std() > 0
    theirs.close()


@pytest.mark.parametrize("physics", ["native", "libmujoco"])
def test_drawing_changes_no_trajectory(physics):
    options = {"seed": 1, "num_threads": 2, "physics": physics}
    drawn, plain, observed = (
        envpool_rs.make_vec("FetchPickAndPlace-v4", 9, **options, **pictures)
        for pictures in (
            {"render_mode": "rgb_array", "render_width": 24, "render_height": 24, **FAST},
            {},
            {"from_pixels": True, "render_width": 24, "render_height": 24, **FAST},
        )
    )
    for pool in (drawn, plain, observed):
        pool.reset()
    plain.action_space.seed(0)
    for step in range(12):
        action = plain.action_space.sample()
        results = [pool.step(action) for pool in (drawn, plain, observed)]
        assert bits(results[0][0]) == bits(results[1][0]), step
        assert bits(results[1][1]) == bits(results[2][1]), step
        drawn.render()
