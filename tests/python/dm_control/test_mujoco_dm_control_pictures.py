"""Compares images of each dm_control task with `physics.render`, pixel by pixel, on the same OpenGL platform."""

import envpool_rs
import numpy as np
import pytest
from dm_control_pictures import DOMAINS, SEED, TASKS, Reference, suite_with_pictures

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]

#: Tasks whose first actions earn a reward that changes the colours of the image.
SHOWN = ["dm_control/walker-stand", "dm_control/quadruped-fetch"]


@pytest.fixture(autouse=True, scope="module")
def suite(tmp_path_factory):
    with suite_with_pictures(tmp_path_factory.mktemp("logs")) as suite:
        yield suite


@pytest.mark.parametrize("task", TASKS)
def test_pictures_depth_and_reward_colours_equal_dm_controls(suite, task):
    # Options of the pools with and without `visualize_reward`.
    size = {"seed": SEED, "render_mode": "rgbd_tuple", "width": 80, "height": 60}
    ours = envpool_rs.make_vec(task, 1, visualize_reward=True, **size)
    plain = envpool_rs.make_vec(task, 1, **size)
    ours.reset()
    plain.reset()
    with Reference(suite, task, visualize_reward=True) as theirs:
        for _ in range(2):
            ((picture, depth),) = ours.render()
            expected = theirs.render(60, 80)
            assert expected.std() > 0
            np.testing.assert_array_equal(picture, expected)
            metres = theirs.render(60, 80, depth=True)
            assert depth.dtype == metres.dtype == np.float32
            np.testing.assert_array_equal(depth, metres)
            action = theirs.draw()
            theirs.env.step(action)
            observed, others = ours.step(action[None]), plain.step(action[None])
            np.testing.assert_array_equal(observed[1], others[1])
    if task in SHOWN:
        assert (ours.render()[0][0] != plain.render()[0][0]).any()


@pytest.mark.parametrize("task", DOMAINS)
def test_pictures_of_the_models_cameras_equal_dm_controls(suite, task):
    with Reference(suite, task) as theirs:
        cameras = theirs.env.physics.model.ncam
        assert cameras > 0
        name = theirs.env.physics.model.id2name(cameras - 1, "camera")
        size = {"render_width": 48, "render_height": 64}
        ours = envpool_rs.make(task, num_envs=1, seed=SEED, render_mode="rgb_array", camera_name=name, **size)
        ours.reset()
        action = theirs.draw()
        theirs.env.step(action)
        ours.step(action[None])
        for camera in range(-1, cameras):
            (picture,) = ours.render(0, camera_id=camera)
            np.testing.assert_array_equal(picture, theirs.render(64, 48, camera_id=camera), err_msg=f"{camera}")
        with pytest.raises(IndexError, match=f"camera_id={cameras}: expected -1"):
            ours.render(0, camera_id=cameras)
        np.testing.assert_array_equal(ours.render()[0], theirs.render(64, 48, camera_id=name))
