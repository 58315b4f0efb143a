"""Compares images of MuJoCo's robots, rendered and observed, with gymnasium's, pixel by pixel, on the same OpenGL
platform.
"""

import os
import pickle
import subprocess
import sys
import threading

import envpool_rs
import gymnasium
import numpy as np
import pytest
from mujoco_picture_cases import FAST, refused
from tasks import MUJOCO, MUJOCO_ALIASES

mujoco = pytest.importorskip("mujoco")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning", "ignore::ResourceWarning"),
]


#: All robots that gymnasium of the installed version makes.
ROBOTS = [task for task in MUJOCO if task not in {*MUJOCO_ALIASES, "Pusher-v4"}]


#: Robots with a camera in the model; version 4 has the same models.
CAMERAS = ["Ant-v5", "HalfCheetah-v5", "Hopper-v5", "Humanoid-v5", "Swimmer-v5"]


def beside_gymnasium(task, steps=3, **options):
    """Steps gymnasium's environment and a pool from the start of an episode; yields pairs of images and depths."""
    theirs = gymnasium.make(task, render_mode="rgbd_tuple", **options)
    ours = envpool_rs.make_vec(task, 1, seed=3, render_mode="rgbd_tuple", autoreset_mode="disabled", **options)
    theirs.reset(seed=3)
    ours.reset()
    theirs.action_space.seed(0)
    for _ in range(steps):
        (picture, depth), ((our_picture, our_depth),) = theirs.render(), ours.render()
        assert (our_picture.dtype, our_depth.dtype) == (np.uint8, np.float32)
        yield (picture, our_picture), (depth, our_depth)
        action = theirs.action_space.sample()
        theirs.step(action)
        ours.step(action[None])
    theirs.close()


def assert_equal(pairs):
    for picture, depth in pairs:
        for theirs, ours in (picture, depth):
            np.testing.assert_array_equal(theirs, ours)
            assert theirs.std() > 0


@pytest.mark.parametrize("task", ROBOTS)
def test_pictures_and_depth_equal_gymnasiums(task):
    assert_equal(beside_gymnasium(task, width=160, height=120))


@pytest.mark.parametrize("task", CAMERAS)
def test_pictures_of_the_models_cameras_equal_gymnasiums(task):
    assert_equal(beside_gymnasium(task, steps=2, camera_id=0, width=90, height=60))


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("Ant-v5", {}),
        ("HalfCheetah-v5", {"camera_name": "track", "width": 120, "height": 50}),
        ("Hopper-v5", {"camera_id": -1, "width": 100, "height": 100}),
        # A picture larger than the models' default frame buffer.
        ("Reacher-v5", {"width": 700, "height": 650}),
        ("InvertedPendulum-v5", {"default_camera_config": {"distance": 3.0, "azimuth": 20.0}, "width": 80,
                                 "height": 80}),
        ("Walker2d-v5", {"default_camera_config": {"lookat": np.array([0.5, 0.0, 1.0]), "elevation": -5.0,
                                                   "trackbodyid": 1, "orthographic": 0}, "width": 80, "height": 80}),
        # Visualises joints, contacts with their forces, centres of mass, and convex hulls.
        ("Ant-v5", {"visual_options": {2: True, 14: True, 16: True, 20: True, 0: True}, "width": 80, "height": 80}),
        ("Humanoid-v5", {"max_geom": 12, "width": 80, "height": 80}),
        ("Swimmer-v5", {"visual_options": {1: False}, "frame_skip": 2, "width": 64, "height": 48}),
    ],
)  # fmt: skip
def test_options_of_pictures_equal_gymnasiums(task, options):
    assert_equal(beside_gymnasium(task, steps=2, **options))


def test_a_free_camera_keeps_the_pose_of_the_first_picture():
    env = envpool_rs.make_vec(
        "HalfCheetah-v5", 2, seed=0, render_mode="rgb_array", render_width=64, render_height=64, **FAST
    )
    env.reset()
    for _ in range(5):
        env.step(np.ones((2, 6)))
    early = np.array(env.render())
    other = envpool_rs.make_vec(
        "HalfCheetah-v5", 2, seed=9, render_mode="rgb_array", render_width=64, render_height=64, **FAST
    )
    other.set_state(env.get_state())
    np.testing.assert_array_equal(early, other.render())
    for pool in (env, other):
        for _ in range(20):
            pool.step(np.ones((2, 6)))
    np.testing.assert_array_equal(env.render(), other.render())
    # A pickled pool renders the same images, because the camera's lookat point is part of an environment's state.
    again = pickle.loads(pickle.dumps(env))
    np.testing.assert_array_equal(env.render(), again.render())


@pytest.mark.parametrize("task", ["Ant-v5", "Humanoid-v4", "Reacher-v5", "Hopper-v5"])
def test_drawing_changes_no_trajectory(task):
    drawn = envpool_rs.make_vec(
        task, 3, seed=1, render_mode="rgb_array", render_width=32, render_height=32, num_threads=2, **FAST
    )
    plain = envpool_rs.make_vec(task, 3, seed=1, num_threads=2)
    observed = envpool_rs.make_vec(
        task, 3, seed=1, num_threads=2, from_pixels=True, render_width=32, render_height=32, **FAST
    )
    pools = (drawn, plain, observed)
    np.testing.assert_array_equal(drawn.reset()[0], plain.reset()[0])
    observed.reset()
    plain.action_space.seed(0)
    for step in range(60):
        action = plain.action_space.sample()
        results = [pool.step(action) for pool in pools]
        np.testing.assert_array_equal(results[0][0], results[1][0])
        for result in results[2:]:
            for ours, theirs in zip(result[1:4], results[1][1:4], strict=True):
                np.testing.assert_array_equal(ours, theirs)
        assert results[0][4].keys() == results[1][4].keys() == results[2][4].keys()
        if step % 5 == 0:
            drawn.render()


def test_pictures_do_not_depend_on_the_thread_or_earlier_pictures():
    options = {"seed": 4, "render_mode": "rgb_array", "render_width": 48, "render_height": 40, **FAST}
    env = envpool_rs.make_vec("Ant-v5", 4, num_threads=2, **options)
    env.reset()
    for _ in range(4):
        env.step(np.full((4, 8), 0.3))
    expected = np.array(env.render())
    from_threads = []
    threads = [threading.Thread(target=lambda: from_threads.append(np.array(env.render()))) for _ in range(3)]
    for thread in threads:
        thread.start()
        thread.join()
    alone = envpool_rs.make_vec("Ant-v5", 4, num_threads=1, **options)
    alone.reset()
    for _ in range(4):
        alone.step(np.full((4, 8), 0.3))
    for pictures in [*from_threads, env.render(), alone.render()]:
        np.testing.assert_array_equal(expected, pictures)


def test_envpools_render_accepts_env_ids_and_cameras():
    env = envpool_rs.make(
        "HalfCheetah-v4",
        num_envs=3,
        render_mode="rgb_array",
        render_env_id=2,
        render_width=60,
        render_height=40,
        **FAST,
    )
    env.reset()
    everyone = env.render([0, 1, 2])
    assert everyone.shape == (3, 40, 60, 3) and everyone.dtype == np.uint8
    np.testing.assert_array_equal(env.render(), everyone[[2]])
    np.testing.assert_array_equal(env.render(1), everyone[[1]])
    # EnvPool's default camera, number 0, follows the robot.
    np.testing.assert_array_equal(env.render([0, 1, 2], camera_id=0), everyone)
    np.testing.assert_array_equal(env.render([0, 1, 2], camera_id=-1), everyone)
    free = envpool_rs.make(
        "HalfCheetah-v4",
        num_envs=3,
        render_mode="rgb_array",
        default_camera="free",
        render_width=60,
        render_height=40,
        **FAST,
    )
    free.reset()
    assert (free.render([0, 1, 2]) != everyone).any()
    np.testing.assert_array_equal(free.render([0, 1, 2], camera_id=0), everyone)
    kind, says = refused(lambda: env.render(camera_id=1))
    assert (kind, says) == (IndexError, "camera_id=1: expected -1 or 0 (the model has one camera)")
    assert refused(lambda: env.render(camera_id=-2))[0] is IndexError
    assert refused(lambda: env.render(camera_id=10**30))[0] in (IndexError, ValueError)
    assert refused(lambda: env.render(camera_id="track"))[0] is TypeError
    assert refused(lambda: env.render(3)) == (IndexError, "env_id[0]=3: expected 0 to 2")


def test_envpools_free_camera_optionally_equals_gymnasiums():
    sizes = {"render_width": 64, "render_height": 64, "render_mode": "rgb_array", "seed": 3}
    pictures = []
    for options in ({"gymnasium_v5_render_camera": True}, {"gymnasium_v5_render_camera": False}, {}):
        env = envpool_rs.make("InvertedDoublePendulum-v4", num_envs=1, **sizes, **options)
        env.reset()
        pictures.append(env.render()[0])
    theirs = gymnasium.make("InvertedDoublePendulum-v4", render_mode="rgb_array", width=64, height=64)
    theirs.reset(seed=3)
    np.testing.assert_array_equal(pictures[0], theirs.render())
    assert (pictures[0] != pictures[1]).any()
    np.testing.assert_array_equal(pictures[1], pictures[2])


def test_every_interface_renders_in_every_mode():
    for make in (envpool_rs.make_gymnasium, envpool_rs.make_gym, envpool_rs.make_dm):
        env = make("Reacher-v5", num_envs=2, render_mode="rgbd_tuple", render_width=40, render_height=30, **FAST)
        env.reset()
        pictures, depths = env.render([0, 1])
        assert (pictures.shape, depths.shape, depths.dtype) == ((2, 30, 40, 3), (2, 30, 40), np.float32)
    env = envpool_rs.make(
        "Reacher-v5", num_envs=2, render_mode="depth_array", render_width=40, render_height=30, **FAST
    )
    env.reset()
    np.testing.assert_array_equal(env.render([0, 1]), depths)
    single = gymnasium.make("envpool_rs/Reacher-v5", render_mode="depth_array", width=40, height=30, **FAST)
    single.reset(seed=1)
    assert single.render().shape == (30, 40)
    assert single.metadata["render_fps"] == 50
    vector = gymnasium.make_vec("envpool_rs/Reacher-v5", 2, render_mode="rgbd_tuple", width=40, height=30, **FAST)
    vector.reset(seed=1)
    assert [[part.shape for part in pair] for pair in vector.render()] == [[(30, 40, 3), (30, 40)]] * 2
    assert vector.metadata["render_modes"] == ["human", "rgb_array", "depth_array", "rgbd_tuple"]


@pytest.mark.parametrize("make", [envpool_rs.make, envpool_rs.make_vec])
def test_observations_are_the_last_pictures_in_channels_first_order(make):
    env = make(
        "HalfCheetah-v5",
        num_envs=3,
        seed=2,
        from_pixels=True,
        frame_stack=3,
        render_mode="rgb_array",
        num_threads=2,
        **FAST,
    )
    space = getattr(env, "single_observation_space", env.observation_space)
    assert space == gymnasium.spaces.Box(0, 255, (9, 84, 84), np.uint8)
    show = (lambda: np.array(env.render([0, 1, 2]))) if make is envpool_rs.make else (lambda: np.array(env.render()))
    observation, _ = env.reset()
    frames = [show().transpose(0, 3, 1, 2)] * 3
    for step in range(6):
        assert observation.dtype == np.uint8 and observation.shape == (3, 9, 84, 84)
        np.testing.assert_array_equal(observation, np.concatenate(frames[-3:], axis=1), err_msg=f"step {step}")
        observation = env.step(np.full((3, 6), 0.5 * (-1) ** step))[0]
        frames.append(show().transpose(0, 3, 1, 2))
    assert (frames[-1] != frames[-2]).any()


def test_pixel_observations_equal_gymnasiums_pictures():
    theirs = gymnasium.make("Hopper-v5", render_mode="rgb_array", width=84, height=84)
    ours = envpool_rs.make_vec("Hopper-v5", 1, seed=6, from_pixels=True, autoreset_mode="disabled")
    theirs.reset(seed=6)
    observation, _ = ours.reset()
    for _ in range(3):
        np.testing.assert_array_equal(observation[0].transpose(1, 2, 0), theirs.render())
        theirs.step(np.full(3, 0.2, np.float32))
        observation = ours.step(np.full((1, 3), 0.2, np.float32))[0]


def test_observations_do_not_depend_on_threads_and_restart_with_episodes():
    options = {
        "num_envs": 6,
        "seed": 5,
        "from_pixels": True,
        "frame_stack": 2,
        "render_width": 24,
        "render_height": 20,
        **FAST,
    }
    pools = [envpool_rs.make_vec("InvertedPendulum-v5", num_threads=threads, **options) for threads in (1, 2, 3)]
    first = [pool.reset()[0] for pool in pools]
    pools[0].action_space.seed(1)
    began = 0
    was_over = np.zeros(6, bool)
    for _ in range(40):
        action = pools[0].action_space.sample()
        results = [pool.step(action) for pool in pools]
        for result in results[1:]:
            for ours, others in zip(result[:4], results[0][:4], strict=True):
                np.testing.assert_array_equal(ours, others)
        observation, _, terminated, truncated, _ = results[0]
        # The first observation of an episode is a stack of copies of its first image.
        np.testing.assert_array_equal(observation[was_over, :3], observation[was_over, 3:])
        began += was_over.sum()
        was_over = terminated | truncated
    assert began > 6 and all((each == first[0]).all() for each in first)


def test_dm_time_steps_have_envpools_pixels():
    env = envpool_rs.make_dm("HalfCheetah-v4", num_envs=2, from_pixels=True, frame_stack=3, **FAST)
    assert env.reset().observation.pixels.shape == (2, 9, 84, 84)
    assert env.observation_spec().pixels.shape == (9, 84, 84)
    spec = envpool_rs.make_spec("HalfCheetah-v4", from_pixels=True)
    assert spec._state_keys[-1] != "obs" and "obs:pixels" in spec._state_keys


def test_snapshots_contain_the_pixel_observations():
    options = {"from_pixels": True, "frame_stack": 2, "render_width": 24, "render_height": 20, **FAST}
    env, other = (envpool_rs.make_vec("Hopper-v5", 2, seed=seed, **options) for seed in (1, 8))
    env.reset()
    other.reset()
    for _ in range(3):
        env.step(np.full((2, 3), 0.3))
    other.set_state(env.get_state())
    for _ in range(4):
        results = [pool.step(np.full((2, 3), -0.2)) for pool in (env, other)]
        for ours, theirs in zip(results[0][:4], results[1][:4], strict=True):
            np.testing.assert_array_equal(ours, theirs)
    smaller = envpool_rs.make_vec("Hopper-v5", 2, **{**options, "render_width": 20})
    assert issubclass(refused(lambda: smaller.set_state(env.get_state()))[0], ValueError)


def test_an_async_pool_observes_pictures():
    env = envpool_rs.make(
        "Reacher-v5",
        num_envs=4,
        batch_size=2,
        from_pixels=True,
        render_width=20,
        render_height=20,
        num_threads=2,
        **FAST,
    )
    env.async_reset()
    seen = set()
    for _ in range(6):
        observation, _, _, _, info = env.recv()
        assert observation.shape == (2, 3, 20, 20) and observation.any()
        seen.update(info["env_id"])
        env.send(np.zeros((2, 2)), info["env_id"])
    assert seen <= {0, 1, 2, 3} and len(seen) > 1


#: A program that opens and closes a window of pygame, which terminates the display of EGL that a pool draws with.
CLOSES_A_WINDOW = """
import envpool_rs, numpy as np, pygame
pools = [envpool_rs.make_vec("HalfCheetah-v5", 1, seed=1, render_mode="rgb_array") for _ in range(2)]
for pool in pools:
    pool.reset()
before = np.asarray(pools[0].render())
pygame.display.init()
pygame.display.set_mode((64, 64))
pygame.display.quit()
for pool in pools:
    np.testing.assert_array_equal(np.asarray(pool.render()), before)
assert before.std() > 0
"""


def test_pictures_can_be_drawn_after_a_window_of_pygame_was_closed():
    pytest.importorskip("pygame")
    program = [sys.executable, "-W", "ignore", "-c", CLOSES_A_WINDOW]
    environment = {**os.environ, "SDL_VIDEODRIVER": "offscreen"}
    done = subprocess.run(program, env=environment, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()
