"""Tests that pools of Python environments equal native pools and gymnasium's own vector environment."""

import functools

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs._facades.pool import EnvPoolMixin
from gymnasium.vector import AutoresetMode
from policies import random_actions
from python_envs import ReusingEnv, number_in
from python_pool_cases import CARTPOLE, MODES, counting, zeros
from test_contract import assert_same


def own_infos_dropped(info):
    """Removes the info `prob`, which gymnasium's environments report and EnvPool's interface does not."""
    return {key: value for key, value in info.items() if key != "prob"}


def assert_same_step(ours, native):
    *ours, info = ours
    *native, native_info = native
    assert_same(tuple(ours), tuple(native))
    info, native_info = own_infos_dropped(info), own_infos_dropped(native_info)
    if "final_info" in info:
        for each in (info, native_info):
            each["final_info"] = own_infos_dropped(each["final_info"])
    assert_same(info, native_info)


TWINS = [CARTPOLE, "Pendulum-v1", "FrozenLake-v1", "CliffWalking-v1", "MountainCarContinuous-v0"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task", TWINS)
def test_a_python_pool_equals_the_native_pool(task, mode, made):
    options = {"num_envs": 3, "autoreset_mode": mode, "max_episode_steps": 11, "seed": [5, 1, 9]}
    ours = made(envpool_rs.make_python(task, num_workers=2, **options))
    native = envpool_rs.make(task, **options)
    assert ours.observation_space == native.observation_space and ours.action_space == native.action_space
    rng = np.random.default_rng(1)
    assert_same_step(ours.reset(), native.reset())
    ended = 0
    for step in range(40):
        actions = random_actions(native.action_space, 3, rng)
        result, expected = ours.step(actions), native.step(actions)
        assert_same_step(result, expected)
        done = expected[2] | expected[3]
        ended += done.sum()
        if mode == "disabled" and done.any():
            mask = {"reset_mask": done}
            assert_same_step(ours.reset(options=mask), native.reset(options=mask))
        if step == 20:
            ids = np.array([2, 0], np.int32)
            assert_same_step(ours.reset(ids, seed=[7, None]), native.reset(ids, seed=[7, None]))
            assert_same_step(ours.step(actions[::-1][:2], ids), native.step(actions[::-1][:2], ids))
            done = np.zeros(3, bool)
    assert ended >= 6


def test_the_first_step_of_next_step_autoreset_resets(made):
    ours, native = made(envpool_rs.make_python(CARTPOLE, num_envs=3)), envpool_rs.make(CARTPOLE, num_envs=3)
    for env in (ours, native):
        env.reset([1])
    for _ in range(3):
        assert_same_step(ours.step(zeros(3)), native.step(zeros(3)))


@pytest.mark.parametrize("mode", ["same_step", "disabled"])
def test_same_step_and_disabled_modes_require_a_first_reset(mode, made):
    env = made(envpool_rs.make_python(CARTPOLE, num_envs=2, autoreset_mode=mode, max_episode_steps=2))
    with pytest.raises(RuntimeError, match="environment 0 has never been reset: reset it before the next step"):
        env.step(zeros(2))
    env.reset([0])
    with pytest.raises(RuntimeError, match="environment 1 has never been reset"):
        env.step(zeros(2))
    env.reset()
    env.step(zeros(2))
    env.step(zeros(2))
    if mode == "disabled":
        with pytest.raises(RuntimeError, match=r"environment 0 has finished its episode \(autoreset is disabled\)"):
            env.step(zeros(2))
        env.reset([0])
        assert env.step(zeros(1), [0])[4]["elapsed_step"].tolist() == [1]


def test_same_step_autoreset_returns_the_last_observation_and_info(made):
    env_fns = [counting(length=2, info=True)] * 2
    env = made(envpool_rs.make_python(env_fns, num_workers=1, autoreset_mode="same_step", seed=4))
    env.reset()
    assert "final_obs" not in env.step(zeros(2))[4]
    observation, reward, terminated, truncated, info = env.step(zeros(2))
    assert observation[:, 1:].tolist() == [[2, 0]] * 2 and terminated.all() and not truncated.any()
    assert info["_final_obs"].tolist() == [True, True] and info["final_obs"][1].tolist() == [5, 1, 2]
    assert info["final_info"]["steps"].tolist() == [2, 2] and info["steps"].tolist() == [0, 0]
    assert reward.tolist() == [2, 2] and info["elapsed_step"].tolist() == [2, 2]


@pytest.mark.parametrize("form", ["array", "dict", "pickled"])
@pytest.mark.parametrize("caller_steps", [False, True])
@pytest.mark.parametrize("make", [envpool_rs.make_python, envpool_rs.make_vec], ids=["make_python", "make_vec"])
def test_the_reset_of_an_environment_that_reuses_its_objects_leaves_its_last_results(make, caller_steps, form, made):
    env_fns = [functools.partial(ReusingEnv, form)] * 3
    env = made(make(env_fns, num_workers=1, autoreset_mode="same_step", caller_steps=caller_steps))
    env.reset()
    for step in range(1, 7):
        observation, _, terminated, _, info = env.step(np.zeros((3, 2)))
        current = observation["a"] if isinstance(observation, dict) else observation
        assert current.tolist() == [[step % 3] * 2] * 3 and info["t"].tolist() == [step % 3] * 3
        assert terminated.tolist() == [step % 3 == 0] * 3
        if step % 3 == 0:
            final = info["final_info"]
            assert final["t"].tolist() == [3] * 3 and final["array"].tolist() == [[3]] * 3
            assert final["nested"]["t"].tolist() == [3] * 3 and [*final["list"]] == [[3]] * 3
            assert [*final["text"]] == ["3"] * 3
            assert [number_in(each) for each in info["final_obs"]] == [3] * 3


@pytest.mark.parametrize("return_info", [None, True, False])
def test_the_gym_interface_equals_that_of_native_pools(return_info, made):
    options = {"num_envs": 3, "max_episode_steps": 7, "gym_reset_return_info": return_info}
    if return_info is None:
        del options["gym_reset_return_info"]
    ours = made(envpool_rs.make_python(CARTPOLE, "gym", **options))
    native = envpool_rs.make_gym(CARTPOLE, **options)
    for env in (ours, native):
        env.seed(4)
    rng = np.random.default_rng(3)
    assert_same(ours.reset(), native.reset())
    for _ in range(20):
        actions = rng.integers(0, 2, 3)
        assert_same(ours.step(actions), native.step(actions))
    assert_same(ours.reset(return_info=True), native.reset(return_info=True))
    assert ours.observation_space == native.observation_space and ours.reward_range == native.reward_range


@pytest.mark.parametrize("mode", ["next_step", "disabled"])
@pytest.mark.parametrize("task", [CARTPOLE, "Pendulum-v1"])
def test_the_dm_interface_equals_that_of_native_pools(task, mode, made):
    pytest.importorskip("dm_env")
    options = {"num_envs": 3, "max_episode_steps": 9, "autoreset_mode": mode}
    ours, native = made(envpool_rs.make_python(task, "dm", **options)), envpool_rs.make_dm(task, **options)
    assert repr(ours.action_spec()) == repr(native.action_spec())
    assert ours.observation_spec()._fields == native.observation_spec()._fields
    assert repr(ours.observation_spec()) == repr(native.observation_spec())
    assert_time_steps(ours.reset(), native.reset())
    rng = np.random.default_rng(3)
    for _ in range(20):
        actions = random_actions(ours._spec.action_space, 3, rng)
        result, expected = ours.step(actions), native.step(actions)
        assert_time_steps(result, expected)
        if mode == "disabled" and expected.last().any():
            ids = np.flatnonzero(expected.last())
            assert_time_steps(ours.reset(ids), native.reset(ids))


def assert_time_steps(ours, native):
    assert type(ours) is type(native)
    for name in ("step_type", "reward", "discount"):
        assert_same(getattr(ours, name), getattr(native, name), name)
    assert ours.observation._fields == native.observation._fields
    for name in ours.observation._fields:
        left, right = getattr(ours.observation, name), getattr(native.observation, name)
        assert_same(*((left[0], right[0]) if name == "players" else (left, right)), name)


def test_time_steps_refuse_unsupported_options():
    pytest.importorskip("dm_env")
    with pytest.raises(ValueError, match="autoreset_mode='same_step'"):
        envpool_rs.make_python(CARTPOLE, "dm", autoreset_mode="same_step")
    with pytest.raises(ValueError, match="record_episode_statistics=True"):
        envpool_rs.make_python(CARTPOLE, "dm", record_episode_statistics=True)


def test_time_steps_contain_the_infos(made):
    pytest.importorskip("dm_env")
    env = made(envpool_rs.make_python(counting(info=True), "dm", num_envs=2))
    env.reset()
    assert env.step(zeros(2)).observation.steps.tolist() == [1, 1]


def test_attributes_equal_those_of_native_pools(made):
    for env_type in ("gymnasium", "gym", "dm"):
        ours = made(envpool_rs.make_python(CARTPOLE, env_type, num_envs=2))
        native = envpool_rs.make(CARTPOLE, env_type, num_envs=2)
        missing = {name for name in dir(native) if not name.startswith("_")} - set(dir(ours))
        assert missing == {"normalization"}  # only native pools normalise results
        assert isinstance(ours, EnvPoolMixin) and isinstance(native, EnvPoolMixin)
        names = [name for name in dir(native.spec) if not name.startswith("_")]
        assert set(names) <= set(dir(ours.spec))
    ours, native = made(envpool_rs.make_python(CARTPOLE, num_envs=2)), envpool_rs.make(CARTPOLE, num_envs=2)
    assert isinstance(ours, gymnasium.vector.VectorEnv) and isinstance(ours, gymnasium.Env)
    assert len(ours) == 2 and not ours.is_async and ours.all_env_ids.tolist() == [0, 1]
    assert ours.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert ours.spec.action_array_spec == native.spec.action_array_spec
    described = ours.spec.state_array_spec
    assert described.keys() == native.spec.state_array_spec.keys()
    for name, array in native.spec.state_array_spec.items():
        assert (described[name].dtype, described[name].shape) == (array.dtype, array.shape), name
    for name in ("num_envs", "batch_size", "seed", "max_episode_steps", "reward_threshold", "autoreset_mode"):
        assert ours.config[name] == native.config[name] == getattr(ours.spec.config, name), name
    assert gymnasium.Wrapper(ours).spec.id == CARTPOLE
    with ours:
        pass
    assert ours.closed and len(ours) == 2


def test_specifications_describe_python_environments_as_they_describe_native_ones(made):
    for make in (envpool_rs.make_gymnasium, envpool_rs.make_gym, envpool_rs.make_dm, envpool_rs.make_python):
        for modes in ({}, {"render_mode": "rgb_array"}):
            env = made(make(CARTPOLE, num_envs=2, autoreset_mode="disabled", **modes))
            assert env.spec.autoreset_mode is AutoresetMode.DISABLED
            assert env.spec.rendering.mode == env.render_mode == modes.get("render_mode")
            assert {"rgb_array", "human"} <= set(env.spec.metadata["render_modes"])
            assert env.spec.distinct_envs([1, 0]) == [1]
    functions = made(envpool_rs.make_python([lambda: gymnasium.make(CARTPOLE, render_mode="rgb_array")] * 2))
    assert functions.spec.rendering.mode == functions.render_mode == "rgb_array"
    assert functions.spec.distinct_envs([1, 0]) == [1, 0]
