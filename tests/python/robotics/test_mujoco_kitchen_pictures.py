"""Compares pictures of the Franka kitchen, rendered and observed, with Gymnasium-Robotics', pixel by pixel, on the same
OpenGL platform.
"""

import envpool_rs
import gymnasium
import numpy as np
import pytest
from mujoco_picture_cases import FAST
from tasks import KITCHEN

pytest.importorskip("gymnasium_robotics")
import robotics_reference  # noqa: F401

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning", "ignore::ResourceWarning"),
]
(TASK,) = KITCHEN


def test_pictures_equal_the_references():
    size = {"width": 160, "height": 120}
    theirs = gymnasium.make(TASK, render_mode="rgb_array", disable_env_checker=True, **size)
    # The model's shadow map of 4096 pixels and 8 samples take seconds per picture.
    quality = theirs.unwrapped.model.vis.quality
    quality.shadowsize, quality.offsamples = 512, 0
    ours = envpool_rs.make_vec(TASK, 1, render_mode="rgb_array", render_shadow_size=512, render_multisamples=0, **size)
    assert ours.metadata["render_fps"] == theirs.metadata["render_fps"]
    theirs.reset(seed=4)
    ours.reset(seed=4)
    random = np.random.default_rng(0)
    for _ in range(3):
        expected = theirs.render()
        assert expected.std() > 0
        np.testing.assert_array_equal(ours.render()[0], expected)
        action = random.uniform(-1, 1, 9)
        ours.step(action[None])
        theirs.step(action)
    theirs.close()


def test_pictures_change_nothing():
    shown, plain = (envpool_rs.make_vec(TASK, 2, render_mode="rgb_array", **FAST) for _ in range(2))
    shown.reset(seed=1)
    plain.reset(seed=1)
    for _ in range(3):
        shown.render()
        action = shown.action_space.sample()
        observation, expected = shown.step(action)[0], plain.step(action)[0]
        np.testing.assert_array_equal(observation["observation"], expected["observation"])


def test_observed_pictures_are_rendered_ones():
    options = {"tasks_to_complete": ["kettle"], "render_width": 40, "render_height": 30, **FAST}
    observed = envpool_rs.make_vec(TASK, 1, from_pixels=True, frame_stack=2, **options)
    rendered = envpool_rs.make_vec(TASK, 1, render_mode="rgb_array", **options)
    assert observed.single_observation_space.shape == (6, 30, 40)
    rendered.reset(seed=5)
    observation, info = observed.reset(seed=5)
    assert info["tasks_to_complete"].sum() == 1
    for _ in range(2):
        np.testing.assert_array_equal(observation[0, 3:].transpose(1, 2, 0), rendered.render()[0])
        action = rendered.action_space.sample()
        rendered.step(action)
        observation = observed.step(action)[0]
