"""Tests that robots with other gravity, masses and friction equal gymnasium's with changed models."""

import envpool_rs
import gymnasium
import numpy as np
import pytest

pytest.importorskip("mujoco")

TASKS = ["HalfCheetah-v5", "Hopper-v5", "Ant-v5", "Humanoid-v5", "Walker2d-v5", "Swimmer-v5", "InvertedPendulum-v5"]
PHYSICS = [{"gravity": -3.7}, {"mass_scale": 1.3}, {"friction_scale": 0.4}]
PHYSICS.append({name: value for options in PHYSICS for name, value in options.items()})


def change(model, gravity=None, mass_scale=1.0, friction_scale=1.0):
    if gravity is not None:
        model.opt.gravity[2] = gravity
    model.body_mass[:] = model.body_mass * mass_scale
    model.geom_friction[:] = model.geom_friction * friction_scale


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("physics", PHYSICS)
@pytest.mark.parametrize("stepper", ["auto", "libmujoco"])
def test_robots_with_other_physics_equal_gymnasiums(task, physics, stepper):
    num_envs = 5
    env = envpool_rs.make_vec(task, num_envs, physics=stepper, autoreset_mode="disabled")
    env.reset(seed=3)
    env.set_options(env_ids=[1, 2, 4], **physics)
    references = [gymnasium.make(task) for _ in range(num_envs)]
    for index in (1, 2, 4):
        change(references[index].unwrapped.model, **physics)
    rng = np.random.default_rng(0)
    for _ in range(2):
        shown = env.reset(seed=8)[0]
        np.testing.assert_array_equal(shown, [each.reset(seed=8 + index)[0] for index, each in enumerate(references)])
        for _ in range(12):
            actions = rng.uniform(-1, 1, env.action_space.shape).astype(np.float32)
            results = [each.step(action) for each, action in zip(references, actions, strict=True)]
            state = env.get_state()
            ours = env.step(actions)
            env.set_state(state)
            for left, right in zip(ours[:3], env.step(actions)[:3], strict=True):
                np.testing.assert_array_equal(left, right)
            np.testing.assert_array_equal(ours[0], [each[0] for each in results])
            np.testing.assert_array_equal(ours[1], [each[1] for each in results])
            if ours[2].any():
                break


def test_gravity_drawn_for_each_episode_stays_in_its_environment():
    env = envpool_rs.make_vec("Hopper-v5", 4, gravity=("uniform", -12, -2), max_episode_steps=5)
    env.reset(seed=1)
    for _ in range(12):
        env.step(np.zeros((4, 3), np.float32))
    gravity = env.get_options()["gravity"]
    assert len(set(gravity)) == 4
    states = env.get_state()
    ours = env.step(np.ones((4, 3), np.float32))[0]
    fixed = envpool_rs.make_vec("Hopper-v5", 4, gravity=("uniform", -12, -2), max_episode_steps=5)
    fixed.set_state(states)
    np.testing.assert_array_equal(fixed.step(np.ones((4, 3), np.float32))[0], ours)
    np.testing.assert_array_equal(fixed.get_options()["gravity"], gravity)


def test_pictures_of_changed_robots_leave_others_unchanged():
    env = envpool_rs.make_vec("Hopper-v5", 2, render_mode="rgb_array", num_threads=1, autoreset_mode="disabled")
    other = envpool_rs.make_vec("Hopper-v5", 2, num_threads=1, autoreset_mode="disabled")
    for pool in (env, other):
        pool.set_options(gravity=-1.0, env_ids=[1])
        pool.reset(seed=2)
    for _ in range(5):
        for ours, theirs in zip(
            env.step(np.ones((2, 3), np.float32))[:3], other.step(np.ones((2, 3), np.float32))[:3], strict=True
        ):
            np.testing.assert_array_equal(ours, theirs)
        try:
            env.render()
        except RuntimeError as error:
            pytest.skip(f"no renderer here: {error}")


def test_wrong_physics_is_refused():
    env = envpool_rs.make_vec("Hopper-v5", 1)
    for options in ({"mass_scale": 0.0}, {"friction_scale": -1.0}, {"gravity": 1e9}, {"frame_skip": 3}):
        with pytest.raises(ValueError, match=next(iter(options))):
            env.set_options(**options)
