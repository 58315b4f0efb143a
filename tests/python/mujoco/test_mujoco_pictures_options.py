"""Tests the options of MuJoCo's pictures, their errors, and renderers in other processes."""

import ctypes
import functools
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import pytest
from mujoco_picture_cases import BACKEND, FAST, refused

mujoco = pytest.importorskip("mujoco")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning", "ignore::ResourceWarning"),
]


#: Skips a case before MuJoCo 4, because MuJoCo 3 takes the projection of a free camera from the model.
SINCE_4 = pytest.mark.skipif(mujoco.__version__ < "4", reason="MuJoCo 3 does not look at a free camera's projection")


@pytest.mark.parametrize(
    "option",
    [
        {"render_shadows": False},
        {"render_shadow_size": 256},
        {"render_reflections": False},
        {"render_skybox": False, "camera_elevation": 10.0},
        {"render_textures": False},
        {"render_multisamples": 0},
        {"render_camera_id": 0},
        {"camera_azimuth": 10.0},
        pytest.param({"camera_orthographic": True}, marks=SINCE_4),
    ],
)
def test_each_option_changes_only_the_pictures(option):
    place = tuple((name, value) for name, value in option.items() if name == "camera_elevation")
    (usual, state), (other, other_state) = usual_picture(place), picture_of_ant(**option)
    assert (usual != other).any()
    np.testing.assert_array_equal(state, other_state)


@functools.cache
def usual_picture(place):
    """Returns the image and observation with default quality and camera options ``place``; results are cached."""
    usual, state = picture_of_ant(**dict(place))
    # Options that are not given must have the model's values, which are all true.
    models = dict.fromkeys(
        ("render_shadows", "render_reflections", "render_skybox", "render_haze", "render_textures"), True
    )
    np.testing.assert_array_equal(usual, picture_of_ant(**dict(place), **models)[0])
    return usual, state


def picture_of_ant(**options):
    env = envpool_rs.make_vec(
        "Ant-v5", 1, seed=3, render_mode="rgb_array", render_width=80, render_height=80, **options
    )
    observation, _ = env.reset()
    return env.render()[0], observation


def test_environments_of_a_pool_may_have_different_picture_options():
    env = envpool_rs.make_vec("Ant-v5", 3, seed=[3, 3, 3], render_mode="rgb_array", render_width=40, render_height=40,
                              render_shadows=[True, False, True], render_multisamples=0)  # fmt: skip
    env.reset()
    first, second, third = env.render()
    np.testing.assert_array_equal(first, third)
    assert (first != second).any()


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"render_camera_id": 1}, ValueError, "render_camera_id=1: expected -1 or 0 (the model has one camera)"),
        ({"render_camera_id": -2}, ValueError, "render_camera_id=-2"),
        ({"camera_id": 10**30}, (ValueError, OverflowError), "camera_id"),
        ({"camera_name": "wing"}, ValueError, 'camera_name="wing": expected the name of one of the model\'s 1 cameras'),
        ({"camera_name": "track", "camera_id": 0}, ValueError, "expected one of them"),
        ({"camera_id": 0, "render_camera_id": -1}, ValueError, "contradict each other"),
        ({"width": -1}, ValueError, "width=-1"),
        ({"height": 5000}, ValueError, "height=5000: expected an integer from 0 to 4096"),
        ({"width": 84.5}, TypeError, "width=84.5"),
        ({"width": 84, "render_width": 85}, ValueError, "width=84 and render_width=85 contradict each other"),
        ({"default_camera_config": {"zoom": 2}}, ValueError, "a camera has no field 'zoom'; expected some of lookat, "),
        ({"default_camera_config": [2]}, TypeError, "default_camera_config=[2]: expected a dict"),
        (
            {"default_camera_config": {"lookat": [1.0, 2.0]}},
            ValueError,
            "default_camera_config['lookat']=[1.0, 2.0]: expected three numbers",
        ),
        (
            {"default_camera_config": {"distance": float("nan")}},
            ValueError,
            "default_camera_config['distance']=NaN: expected finite numbers",
        ),
        ({"default_camera": "side"}, ValueError, "default_camera"),
        ({"visual_options": {300: True}}, ValueError, "visual_options"),
        ({"visual_options": {1: 7}}, ValueError, "visual_options"),
        ({"max_geom": 0}, ValueError, "max_geom=0"),
        ({"render_multisamples": 99}, ValueError, "render_multisamples=99: expected an integer from 0 to 16"),
        ({"render_shadow_size": -1}, ValueError, "render_shadow_size=-1"),
        ({"render_mode": "ansi"}, ValueError, "expected None, 'human', 'rgb_array', 'depth_array' or 'rgbd_tuple'"),
        ({"render_env_id": 2}, ValueError, "render_env_id=2: expected 0 to 1"),
        ({"from_pixels": 2}, TypeError, "from_pixels=2"),
        ({"from_pixels": True, "frame_stack": 0}, ValueError, "frame_stack=0"),
    ],
)
def test_invalid_options_are_refused_by_name(options, error, says):
    for make in (envpool_rs.make, envpool_rs.make_vec):
        kind, message = refused(lambda make=make: make("Ant-v5", num_envs=2, **options))
        assert issubclass(kind, error) and says in message, (kind, message)
        if says.partition("=")[0] in ("width", "height", "camera_id"):
            assert message.startswith(says), message  # without the prefix `render_`: the name that the caller gave


def test_the_error_for_models_without_cameras_is_explicit():
    env = envpool_rs.make("Reacher-v5", num_envs=1, render_mode="rgb_array")
    env.reset()
    assert refused(lambda: env.render(camera_id=0)) == (
        IndexError,
        "camera_id=0: expected -1 (the model has no cameras)",
    )


def test_other_tasks_observe_no_pictures_and_have_no_cameras():
    assert issubclass(refused(lambda: envpool_rs.make("CartPole-v1", from_pixels=True))[0], ValueError)
    assert issubclass(refused(lambda: envpool_rs.make_vec("CartPole-v1", render_mode="depth_array"))[0], ValueError)


def test_pictures_too_large_for_memory_are_refused():
    huge = {"from_pixels": True, "render_width": 4096, "render_height": 4096, "frame_stack": 1024}
    assert refused(lambda: envpool_rs.make_vec("Reacher-v5", 4096, **huge))[0] is MemoryError


def ran(program, **variables):
    """Runs a Python program in its own process and returns its output."""
    environment = {**os.environ, **variables}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"MUJOCO_GL": "glfw"}, "MUJOCO_GL=glfw: expected egl or osmesa"),
        ({"MUJOCO_GL": "egl", "MUJOCO_EGL_DEVICE_ID": "77"}, "MUJOCO_EGL_DEVICE_ID=77"),
    ],
)
def test_without_opengl_the_exception_names_the_missing_library(variables, says):
    program = """
        import envpool_rs
        env = envpool_rs.make_vec("Reacher-v5", 1, render_mode="rgb_array")
        env.reset()
        for make in (env.render, lambda: envpool_rs.make_vec("Reacher-v5", 1, from_pixels=True)):
            try:
                make()
            except RuntimeError as error:
                print(error)
        env.step(env.action_space.sample())
    """
    lines = ran(program, **variables).splitlines()
    assert len(lines) == 2 and all(says in line for line in lines), lines
    assert lines[1].startswith("from_pixels=True: ")


def test_the_alternative_gl_backend_draws():
    program = """
        import envpool_rs
        env = envpool_rs.make_vec("Reacher-v5", 2, from_pixels=True, num_threads=2, render_shadows=False, seed=0)
        print(int(env.reset()[0].mean()))
    """
    other = {"egl": "osmesa", "osmesa": "egl"}[BACKEND]
    try:
        drawn = ran(program, MUJOCO_GL=other)
    except AssertionError as error:
        if "cannot be opened" not in str(error):
            raise
        pytest.skip(f"{other} is not installed")
    assert drawn == ran(program, MUJOCO_GL=BACKEND)


def test_a_forked_process_gets_the_error_that_it_cannot_draw():
    program = """
        import os, sys
        import envpool_rs
        def drawn():
            env = envpool_rs.make_vec("Reacher-v5", 1, render_mode="rgb_array", render_width=20, render_height=20)
            env.reset()
            env.render()
            return env
        env = drawn()
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            try:
                drawn()
            except RuntimeError as error:
                print(error, flush=True)
            del env
            os._exit(0)
        print(os.waitpid(child, 0)[1])
        env.render()
    """
    lines = ran(program).splitlines()
    assert "GL does not survive" in lines[0] and lines[1] == "0"


def test_dropped_pools_leak_nothing():

    def draw(number):
        options = {"render_width": 16, "render_height": 16, **FAST}
        if number % 2:
            env = envpool_rs.make_vec("Reacher-v5", 2, from_pixels=True, num_threads=2, **options)
            env.reset()
            env.step(np.zeros((2, 2)))
        else:
            env = envpool_rs.make_vec("Reacher-v5", 2, render_mode="rgb_array", **options)
            env.reset()
            env.render()
        if number % 3 == 0:
            env.close()

    def files():
        return len(list(Path("/proc/self/fd").iterdir()))

    def memory_after_draws():
        """Returns the resident memory in kB after 20 more pools, excluding memory that the allocator keeps for
        reuse.
        """
        for number in range(20):
            draw(number)
        ctypes.CDLL(None).malloc_trim(0)
        status = Path("/proc/self/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])

    # The smallest of three readings is compared, because the memory of GL's threads varies by tens of megabytes.
    before = [memory_after_draws() for _ in range(3)]
    open_files = files()
    after = [memory_after_draws() for _ in range(5)][-3:]
    assert files() <= open_files + 4
    # Each leaked pool would add 16 megabytes, the size of its GL contexts.
    assert min(after) - min(before) < 60_000


def test_gymnasiums_renderer_works_next_to_ours():
    theirs = gymnasium.make("Hopper-v5", render_mode="rgb_array", width=60, height=60)
    theirs.reset(seed=1)
    before = theirs.render()
    for size in (30, 90):
        env = envpool_rs.make_vec("Ant-v5", 1, render_mode="rgb_array", render_width=size, render_height=size, **FAST)
        env.reset()
        env.render()
        np.testing.assert_array_equal(before, theirs.render())
        env.close()
        np.testing.assert_array_equal(before, theirs.render())


def test_a_process_may_end_while_its_pool_draws(tmp_path):
    program = """
        import envpool_rs
        env = envpool_rs.make("HalfCheetah-v5", num_envs=4, batch_size=2, num_threads=2, from_pixels=True)
        env.async_reset()
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    for _ in range(3):
        ended = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("make", [envpool_rs.make_gymnasium, envpool_rs.make_vec])
def test_rllibs_interface_renders_picture_and_depth_per_environment(make):
    from envpool_rs.rllib import PoolBaseEnv

    env = PoolBaseEnv(
        make("Reacher-v5", num_envs=2, render_mode="rgbd_tuple", render_width=40, render_height=30, **FAST)
    )
    env.poll()
    drawn = env.try_render()
    assert list(drawn) == [0, 1]
    for index, (picture, depths) in drawn.items():
        assert picture.shape == (30, 40, 3) and depths.shape == (30, 40)
        np.testing.assert_array_equal(env.try_render(index)[0], picture)
    env.stop()
