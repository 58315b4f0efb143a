"""Compares pictures of Gymnasium-Robotics' tasks with Gymnasium-Robotics' own, pixel by pixel, on the same OpenGL
platform.

In the reference, a picture of a hand or of Fetch changes the simulation: it moves the body that shows the goal, and
computes quantities from which the next step starts. So each environment of the reference draws one picture.
"""

import envpool_rs
import gymnasium
import numpy as np
import pytest
from mujoco_picture_cases import FAST

pytest.importorskip("mujoco")
pytest.importorskip("gymnasium_robotics")
from maze_reference import make_one

# Gymnasium warns that mazes of versions 3 and 4 are out of date.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning", "ignore::ResourceWarning"),
]

SEED = 3
SIZE = {"width": 120, "height": 100}

#: One task of each model, and of each rule for the picture's goal.
TASKS = [
    "PointMaze_UMaze-v3",
    "PointMaze_Large_Diverse_GR-v3",
    "AntMaze_UMaze-v5",
    "AntMaze_Medium-v4",
    "AntMaze_Open-v3",
    "FetchReach-v4",
    "FetchPush-v4",
    "FetchSlide-v4",
    "FetchPickAndPlace-v4",
    "AdroitHandDoor-v1",
    "AdroitHandHammer-v1",
    "AdroitHandPen-v1",
    "AdroitHandRelocate-v1",
    "HandReach-v3",
    "HandManipulateBlock-v1",
    "HandManipulateBlockRotateXYZ-v1",
    "HandManipulateEgg-v1",
    "HandManipulatePen-v1",
]

TOUCH = "HandManipulateBlock_ContinuousTouchSensors-v1"

CASES = [
    *((task, {}) for task in TASKS),
    *((TOUCH, {"touch_visualisation": shown}) for shown in ("on_touch", "always", "off")),
    ("FetchPush-v4", {"default_camera_config": {"distance": 1.5, "azimuth": 40.0, "elevation": -60.0}}),
    ("HandReach-v3", {"default_camera_config": {"lookat": np.array([1.0, 1.0, 0.2]), "distance": 0.3}}),
    ("AdroitHandDoor-v1", {"camera_name": "vil_camera"}),
    ("AdroitHandPen-v1", {"camera_id": 0}),
    ("AdroitHandRelocate-v1", {"visual_options": {14: True, 16: True}}),
]


def actions(env, steps):
    random = np.random.default_rng(1)
    return [random.uniform(-1, 1, env.action_space.shape).astype(np.float32) for _ in range(steps)]


def their_picture(task, steps, first=False, **options):
    """Returns the picture of the reference after a reset and a number of steps; with ``first``, the environment has
    also drawn a picture after the reset.
    """
    env = make_one(task, render_mode="rgb_array", **options)
    env.reset(seed=SEED)
    if first:
        env.render()
    for action in actions(env, steps):
        env.step(action)
    picture = env.render()
    env.close()
    return picture


def our_picture(task, steps, **options):
    """Returns the first picture of a pool with one environment, which is drawn after a number of steps. A free camera
    without a point to look at keeps the point of the first picture.
    """
    env = envpool_rs.make_vec(task, 1, seed=SEED, render_mode="rgb_array", autoreset_mode="disabled", **options)
    env.reset()
    for action in actions(env, steps):
        env.step(action)
    return env.render()[0]


@pytest.mark.parametrize(("task", "options"), CASES)
def test_pictures_equal_the_references(task, options):
    theirs, ours = (draw(task, 2, **SIZE, **options) for draw in (their_picture, our_picture))
    assert theirs.shape == (SIZE["height"], SIZE["width"], 3)
    assert theirs.std() > 0
    np.testing.assert_array_equal(theirs, ours)


@pytest.mark.parametrize("task", ["PointMaze_UMaze-v3", "FetchReach-v4", "AdroitHandPen-v1", "HandReach-v3"])
def test_pictures_of_resets_have_the_references_default_size(task):
    theirs, ours = (draw(task, 0) for draw in (their_picture, our_picture))
    np.testing.assert_array_equal(theirs, ours)
    assert ours.shape == (480, 480, 3)


@pytest.mark.parametrize("task", ["AntMaze_UMaze-v5", "FetchSlide-v4", "AdroitHandDoor-v1", "HandManipulateEgg-v1"])
def test_pixel_observations_are_the_references_pictures(task):
    env = envpool_rs.make_vec(task, 1, seed=SEED, from_pixels=True, frame_stack=2, autoreset_mode="disabled")
    observation, _ = env.reset()
    # A first picture changes the simulations of Fetch and of hands, and the cameras of the other tasks.
    first = not task.startswith(("Fetch", "Hand"))
    frames = [their_picture(task, steps, first, width=84, height=84) for steps in (0, 2)]
    assert observation.shape == (1, 6, 84, 84)
    np.testing.assert_array_equal(observation[0].transpose(1, 2, 0), np.concatenate([frames[0]] * 2, axis=2))
    for action in actions(env, 2):
        observation, *_ = env.step(action)
    np.testing.assert_array_equal(observation[0, 3:].transpose(1, 2, 0), frames[1])


@pytest.mark.parametrize("task", ["AntMaze_UMaze-v5", "AdroitHandHammer-v1"])
def test_depths_equal_the_references(task):
    theirs = make_one(task, render_mode="depth_array", **SIZE)
    theirs.reset(seed=SEED)
    ours = envpool_rs.make_vec(task, 1, seed=SEED, render_mode="depth_array", **SIZE)
    ours.reset()
    np.testing.assert_array_equal(theirs.render(), ours.render()[0])
    theirs.close()


@pytest.mark.parametrize("task", ["PointMaze_UMaze-v3", "FetchPush-v4", "AdroitHandRelocate-v1", "HandReach-v3", TOUCH])
def test_drawing_changes_no_trajectory(task):
    small = {"render_width": 24, "render_height": 20, **FAST}
    drawn = envpool_rs.make_vec(task, 2, seed=1, render_mode="rgb_array", **small)
    plain = envpool_rs.make_vec(task, 2, seed=1)
    results = [drawn.reset(), plain.reset()]
    plain.action_space.seed(0)
    for _ in range(6):
        values = [list(each[0].values()) if isinstance(each[0], dict) else [each[0]] for each in results]
        for ours, theirs in zip(*values, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        drawn.render()
        action = plain.action_space.sample()
        results = [drawn.step(action), plain.step(action)]


def test_envpools_interface_draws_the_same_pictures():
    options = {"num_envs": 1, "seed": SEED, "render_mode": "rgb_array", "gymnasium_v5_render_camera": True}
    sizes = {"render_width": SIZE["width"], "render_height": SIZE["height"]}
    env = envpool_rs.make("HandReach-v3", **options, **sizes)
    env.reset()
    np.testing.assert_array_equal(env.render()[0], our_picture("HandReach-v3", 0, **SIZE))
    vector = envpool_rs.make_vec("HandReach-v3", 1, render_mode="rgb_array")
    theirs = gymnasium.make("HandReach-v3", disable_env_checker=True)
    assert vector.metadata["render_fps"] == theirs.metadata["render_fps"]
