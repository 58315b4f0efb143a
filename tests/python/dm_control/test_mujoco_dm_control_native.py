"""Tests that dm_control's tasks have equal results, bit for bit, if this package's native stepper or MuJoCo's library
steps them.

`test_mujoco_dm_control.py` compares with dm_control itself.
"""

import os
import sys

import envpool_rs
import numpy as np
import pytest
from envpool_rs._spec import mujoco_library
from tasks import HAS_DM_CONTROL

if not HAS_DM_CONTROL:
    pytest.skip("needs dm_control and mujoco", allow_module_level=True)

import mujoco

KNOWN = mujoco.__version__ in mujoco_library._VERIFIED_VERSIONS
pytestmark = pytest.mark.skipif(
    not KNOWN or sys.platform != "linux", reason="another library than those that are stepped alike"
)

#: One task of each natively stepped model, with its options.
TASKS = {
    "dm_control/acrobot-swingup": {},
    "dm_control/ball_in_cup-catch": {},
    "dm_control/cartpole-balance": {},
    "dm_control/cartpole-three_poles": {"num_poles": 4},
    "dm_control/cheetah-run": {},
    "dm_control/finger-spin": {},
    "dm_control/finger-turn_easy": {"n_sub_steps": 1},
    "dm_control/finger-turn_hard": {},
    "dm_control/fish-swim": {},
    "dm_control/fish-upright": {},
    "dm_control/hopper-hop": {},
    "dm_control/hopper-stand": {"n_sub_steps": 1},
    "dm_control/humanoid-run": {},
    "dm_control/humanoid-run_pure_state": {"n_sub_steps": 2},
    "dm_control/manipulator-bring_ball": {},
    "dm_control/manipulator-insert_peg": {"n_sub_steps": 3},
    "dm_control/pendulum-swingup": {},
    "dm_control/point_mass-easy": {},
    "dm_control/quadruped-walk": {},
    "dm_control/quadruped-run": {"n_sub_steps": 1},
    "dm_control/quadruped-fetch": {},
    "dm_control/reacher-hard": {},
    "dm_control/stacker-stack_2": {},
    "dm_control/stacker-stack_4": {"n_sub_steps": 1},
    "dm_control/swimmer-swimmer6": {},
    "dm_control/swimmer-swimmer15": {},
    "dm_control/walker-run": {"frame_stack": 2, "flat_observation": True},
}
#: Tasks that only MuJoCo's library steps, with the reason in the error message.
OTHERS = {
    "dm_control/quadruped-escape": "only the library",
    "dm_control/point_mass-hard": "only the library",
    "dm_control/humanoid_CMU-run": "bodies|degrees",
}
STEPS = int(os.environ.get("NATIVE_STEPS", "0"))


def pools(task, num_envs=11, **options):
    """Returns two equal pools, one stepped by this package's native stepper and one by MuJoCo's library."""
    assert who_steps(task, **options) == "native"
    return [envpool_rs.make_vec(task, num_envs, physics=by, **options) for by in ("native", "libmujoco")]


def who_steps(task, **options):
    return envpool_rs.make_gymnasium(task, num_envs=1, **options).config["physics"]


def arrays(observation):
    leaves = observation.values() if isinstance(observation, dict) else [observation]
    return [(np.asarray(leaf).shape, np.asarray(leaf).tobytes()) for leaf in leaves]


def actions(env, random, step):
    """Returns actions: inside the task's bounds, at the bounds, zero, or far outside."""
    space = env.action_space
    share = random.uniform(-1, 1, space.shape)
    return [share, np.sign(share), 0 * share, 3 * share][step // 7 % 4] * np.minimum(space.high, 3)


def same(ours, theirs, where):
    assert arrays(ours[0]) == arrays(theirs[0]), where
    for one, other in zip(ours[1:4], theirs[1:4], strict=True):
        assert one.tobytes() == other.tobytes(), where


@pytest.mark.parametrize("task", TASKS)
def test_native_steps_equal_the_library_bit_for_bit(task):
    ours, theirs = pools(task, seed=3, num_threads=2, max_episode_steps=45, **TASKS[task])
    assert arrays(ours.reset()[0]) == arrays(theirs.reset()[0])
    random = np.random.default_rng(0)
    for step in range(STEPS or 120):
        action = actions(ours, random, step)
        same(ours.step(action), theirs.step(action), step)


@pytest.mark.parametrize(
    "task", ["dm_control/cheetah-run", "dm_control/finger-spin", "dm_control/quadruped-walk", "dm_control/reacher-easy"]
)
def test_snapshots_are_exchangeable_between_native_steps_and_the_library(task):
    ours, theirs = pools(task, num_envs=5, seed=8)
    ours.reset()
    theirs.reset(seed=500)
    random = np.random.default_rng(1)
    for step in range(9):
        ours.step(actions(ours, random, step))
    theirs.set_state(ours.get_state())
    for step in range(30):
        action = actions(ours, random, step)
        same(ours.step(action), theirs.step(action), step)
    ours.reset(seed=70)
    ours.set_state(theirs.get_state())
    for step in range(30):
        action = actions(ours, random, step)
        same(ours.step(action), theirs.step(action), step)


@pytest.mark.parametrize(
    "task", ["dm_control/finger-turn_easy", "dm_control/walker-walk", "dm_control/swimmer-swimmer6"]
)
def test_lanes_do_not_depend_on_their_neighbours_in_a_register(task):
    many, few = (envpool_rs.make_vec(task, 16, physics="native", seed=2, num_threads=threads) for threads in (3, 1))
    alone = [envpool_rs.make_vec(task, 1, physics="native", seed=2 + lane) for lane in (0, 7, 15)]
    for env in (many, few, *alone):
        env.reset()
    random = np.random.default_rng(5)
    for step in range(40):
        action = actions(many, random, step)
        seen = many.step(action)
        same(seen, few.step(action), step)
        for lane, env in zip((0, 7, 15), alone, strict=True):
            observation, reward, *_ = env.step(action[[lane]])
            assert all((value[0] == seen[0][key][lane]).all() for key, value in observation.items()), step
            assert reward[0] == seen[1][lane], step


@pytest.mark.parametrize("task", OTHERS)
def test_unsupported_tasks_refuse_native_physics(task):
    with pytest.raises(ValueError, match=OTHERS[task]):
        envpool_rs.make_vec(task, 1, physics="native")
    assert who_steps(task) == "libmujoco"


@pytest.mark.parametrize(
    ("options", "says"),
    [({"from_pixels": True}, "pictures are observed"), ({"legacy_step": False}, "legacy_step=False")],
)
def test_unsupported_options_refuse_native_physics(options, says):
    with pytest.raises(ValueError, match=says):
        envpool_rs.make_vec("dm_control/cheetah-run", 1, physics="native", **options)
    assert who_steps("dm_control/cheetah-run", **options) == "libmujoco"


def test_colours_do_not_depend_on_the_stepper():
    options = {"seed": 4, "render_mode": "rgb_array", "width": 40, "height": 40, "visualize_reward": True}
    ours, theirs = pools("dm_control/hopper-stand", num_envs=3, **options)
    ours.reset()
    theirs.reset()
    try:
        ours.render()
    except RuntimeError as error:
        pytest.skip(f"pictures cannot be drawn here: {error}")
    random = np.random.default_rng(1)
    for step in range(12):
        action = actions(ours, random, step)
        same(ours.step(action), theirs.step(action), step)
        np.testing.assert_array_equal(ours.render(), theirs.render())


def test_a_pool_may_combine_native_steps_and_the_library():
    options = {"seed": [6, 6, 6], "num_threads": 2}
    env = envpool_rs.make_vec("dm_control/walker-run", 3, physics=["native", "libmujoco", "auto"], **options)
    env.reset()
    random = np.random.default_rng(0)
    for _ in range(20):
        observation, reward, *_ = env.step(np.repeat(random.uniform(-1, 1, (1, 6)), 3, axis=0))
        for value in (*observation.values(), reward):
            assert value[0].tobytes() == value[1].tobytes() == value[2].tobytes()


def test_a_failed_lane_does_not_affect_other_lanes():
    ours = envpool_rs.make_vec("dm_control/cheetah-run", 8, seed=1, physics="native")
    theirs = envpool_rs.make_vec("dm_control/cheetah-run", 8, seed=1, physics="libmujoco")
    for env in (ours, theirs):
        env.reset()
    huge = np.zeros((8, 6))
    huge[3] = 1e300
    # Huge actions do not make an environment fail, because MuJoCo clips controls to their bounds.
    same(ours.step(huge), theirs.step(huge), "huge")
    huge[3] = np.nan
    for env in (ours, theirs):
        with pytest.raises(ValueError, match="action"):
            env.step(huge)


def test_episodes_that_settle_natively_start_as_on_the_library():
    ours, theirs = pools("dm_control/cheetah-run", num_envs=3, seed=4, max_episode_steps=2)
    assert arrays(ours.reset()[0]) == arrays(theirs.reset()[0])
    random = np.random.default_rng(0)

    def play(steps):
        for step in range(steps):
            action = actions(ours, random, step)
            same(ours.step(action), theirs.step(action), step)

    # Some episodes, then other random streams.
    play(20)
    for env in (ours, theirs):
        env.reset(seed=77)
    play(11)
    state = theirs.get_state()
    play(11)
    for env in (ours, theirs):
        env.set_state(state)
    play(30)
