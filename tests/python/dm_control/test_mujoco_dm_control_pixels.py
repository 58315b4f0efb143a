"""Tests image observations of dm_control's tasks, and features that need rendering: ground, rays, snapshots."""

import pickle

import envpool_rs
import numpy as np
import pytest
from dm_control_pictures import SEED, Reference, suite_with_pictures

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]

#: Options that make rendering cheap. Shadows, which take almost all of the time, are off.
FAST = {"render_shadows": False, "render_reflections": False, "render_multisamples": 0}


@pytest.fixture(autouse=True, scope="module")
def suite(tmp_path_factory):
    with suite_with_pictures(tmp_path_factory.mktemp("logs")) as suite:
        yield suite


@pytest.mark.parametrize(
    ("task", "camera", "steps"),
    [
        ("cheetah-run", 0, {"n_sub_steps": 2}),
        ("reacher-hard", 0, {"n_sub_steps": 4, "legacy_step": False}),
        ("quadruped-walk", 2, {}),
    ],
)
def test_pixel_observations_equal_dm_controls_pictures(suite, task, camera, steps):
    from dm_control.suite.wrappers import pixels

    ours = envpool_rs.make_vec(
        f"dm_control/{task}", 1, seed=SEED, from_pixels=True, frame_stack=3, camera_id=camera, **steps
    )
    assert (ours.single_observation_space.shape, ours.single_observation_space.dtype) == ((9, 84, 84), np.uint8)
    with Reference(suite, task, **steps) as theirs:
        wrapped = pixels.Wrapper(theirs.env, render_kwargs={"height": 84, "width": 84, "camera_id": camera})
        observation, _ = ours.reset()
        frames = [theirs.render(84, 84, camera).transpose(2, 0, 1)] * 3
        for _ in range(4):
            np.testing.assert_array_equal(observation[0], np.concatenate(frames[-3:]))
            action = theirs.draw()
            frames.append(wrapped.step(action).observation["pixels"].transpose(2, 0, 1))
            observation = ours.step(action[None])[0]


def test_each_environment_renders_its_own_terrain_of_each_episode(suite):
    options = {"seed": SEED, "max_episode_steps": 2, "render_mode": "rgb_array", "width": 40, "height": 40}
    ours = envpool_rs.make_vec("dm_control/quadruped-escape", 2, autoreset_mode="next_step", **options)
    ours.reset()
    limit = 2 * 0.02
    with (
        Reference(suite, "quadruped-escape", SEED, {"time_limit": limit}) as first,
        Reference(suite, "quadruped-escape", SEED + 1, {"time_limit": limit}) as second,
    ):
        both, seen = (first, second), []
        for _ in range(5):
            pictures = ours.render()
            for picture, theirs in zip(pictures, both, strict=True):
                np.testing.assert_array_equal(picture, theirs.render(40, 40))
            seen.append(np.array(pictures))
            actions = [theirs.draw() for theirs in both]
            for theirs, action in zip(both, actions, strict=True):
                theirs.env.step(action)
            ours.step(np.stack(actions))
    assert (seen[0][0] != seen[0][1]).any() and (seen[0] != seen[3]).any()
    # Restoring a snapshot also restores the ground, in an environment that had another one.
    other = envpool_rs.make_vec("dm_control/quadruped-escape", 2, **{**options, "seed": 90})
    other.reset()
    other.render()
    other.set_state(ours.get_state())
    np.testing.assert_array_equal(other.render(), ours.render())


def test_rays_of_rangefinders_are_rendered_on_request(suite):
    import mujoco
    from dm_control.mujoco import wrapper

    flag = int(mujoco.mjtVisFlag.mjVIS_RANGEFINDER)
    option = wrapper.MjvOption()
    option.flags[flag] = 1
    size = {"width": 64, "height": 64, "seed": SEED, "render_mode": "rgb_array", "camera_id": 2}
    pools = [
        envpool_rs.make_vec("dm_control/quadruped-escape", 1, **size, **more)
        for more in ({}, {"visual_options": {flag: True}})
    ]
    with Reference(suite, "quadruped-escape") as theirs:
        for pool, scene_option in zip(pools, (None, option), strict=True):
            pool.reset()
            np.testing.assert_array_equal(pool.render()[0], theirs.render(64, 64, 2, scene_option=scene_option))
    assert (pools[0].render()[0] != pools[1].render()[0]).any()


@pytest.mark.parametrize("task", ["CheetahRun-v1", "dm_control/reacher-easy", "AcrobotSwingup-v1"])
def test_drawing_changes_no_trajectory(task):
    size = {"render_width": 24, "render_height": 24, "num_threads": 2, "seed": 1, "max_episode_steps": 12, **FAST}
    plain = envpool_rs.make_vec(task, 3, num_threads=2, seed=1, max_episode_steps=12)
    drawn = envpool_rs.make_vec(task, 3, render_mode="rgb_array", **size)
    observed = envpool_rs.make_vec(task, 3, from_pixels=True, **size)
    first, _ = plain.reset()
    for key, value in drawn.reset()[0].items():
        np.testing.assert_array_equal(value, first[key])
    observed.reset()
    plain.action_space.seed(0)
    for step in range(40):
        action = plain.action_space.sample()
        expected, *others = (pool.step(action) for pool in (plain, drawn, observed))
        for key, value in others[0][0].items():
            np.testing.assert_array_equal(value, expected[0][key])
        for other in others:
            for ours, theirs in zip(other[1:4], expected[1:4], strict=True):
                np.testing.assert_array_equal(ours, theirs)
        if step % 5 == 0:
            drawn.render()


def test_envpools_interfaces_observe_pixels():
    options = {"from_pixels": True, "frame_stack": 3, "num_envs": 2, **FAST}
    env = envpool_rs.make("WalkerWalk-v1", render_mode="rgb_array", **options)
    observation, _ = env.reset()
    assert observation.shape == (2, 9, 84, 84) and observation.dtype == np.uint8
    np.testing.assert_array_equal(observation[:, 6:].transpose(0, 2, 3, 1), env.render([0, 1]))
    dm = envpool_rs.make_dm("WalkerWalk-v1", **options)
    assert dm.reset().observation.pixels.shape == (2, 9, 84, 84)
    assert dm.observation_spec().pixels.shape == (9, 84, 84)
    spec = envpool_rs.make_spec("WalkerWalk-v1", from_pixels=True)
    assert "obs:pixels" in spec._state_keys and "obs:height" not in spec._state_keys
    # `flat_observation`, an option of numeric observations, has no effect on images.
    flat = envpool_rs.make_vec("WalkerWalk-v1", 1, from_pixels=True, flat_observation=True, **FAST)
    assert flat.reset(seed=0)[0].shape == (1, 3, 84, 84)


def test_snapshots_contain_the_pixel_observations():
    options = {"from_pixels": True, "frame_stack": 2, "render_width": 24, "render_height": 20, **FAST}
    env = envpool_rs.make_vec("dm_control/finger-turn_hard", 2, seed=1, **options)
    env.reset()
    for _ in range(3):
        env.step(np.full((2, 2), 0.3))
    other = envpool_rs.make_vec("dm_control/finger-turn_hard", 2, seed=8, **options)
    other.reset()
    other.set_state(env.get_state())
    copy = pickle.loads(pickle.dumps(env))
    for _ in range(4):
        results = [pool.step(np.full((2, 2), -0.2)) for pool in (env, other, copy)]
        for result in results[1:]:
            for ours, theirs in zip(result[:4], results[0][:4], strict=True):
                np.testing.assert_array_equal(ours, theirs)
