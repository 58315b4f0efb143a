"""Tests EnvPool's gym interface with any installed version of gym, or without gym."""

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs._spec import installed_gym

gym = installed_gym.gym
spaces = gymnasium.spaces if gym is None else gym.spaces


def test_the_step_format_follows_the_installed_gym():
    env = envpool_rs.make_gym("CartPole-v1", num_envs=2)
    version = (0, 26) if gym is None else tuple(int(part) for part in gym.__version__.split(".")[:2])
    result, step = env.reset(), env.step(np.ones(2, dtype=np.int64))
    assert isinstance(result, tuple) == (version >= (0, 26))
    assert len(step) == (5 if version >= (0, 26) else 4)
    assert ("TimeLimit.truncated" in step[-1]) == (len(step) == 4)


def test_the_old_step_format_can_be_requested():
    env = envpool_rs.make_gym("CartPole-v1", num_envs=2, gym_reset_return_info=False)
    assert isinstance(env.reset(), np.ndarray)
    observation, reward, done, info = env.step(np.ones(2, dtype=np.int64))
    assert observation.shape == (2, 4) and reward.dtype == np.float32 and done.dtype == np.bool_
    assert info["TimeLimit.truncated"].tolist() == [False, False]
    assert env.config["gym_reset_return_info"] is False


def test_resets_return_infos_on_request():
    env = envpool_rs.make_gym("CartPole-v1", num_envs=2, gym_reset_return_info=True)
    assert env.reset()[1]["env_id"].tolist() == [0, 1]


def test_spaces_belong_to_the_installed_gym():
    env = envpool_rs.make_gym("CartPole-v1", num_envs=2)
    assert isinstance(env.action_space, spaces.Discrete) and isinstance(env.single_observation_space, spaces.Box)
    assert env.observation_space.shape == (4,) and env.action_space.n == 2


def test_seed_applies_to_the_next_reset():
    env = envpool_rs.make_gym("CartPole-v1", num_envs=2, gym_reset_return_info=True)
    env.seed(7)
    expected = [gymnasium.make("CartPole-v1").reset(seed=seed)[0] for seed in (7, 8)]
    np.testing.assert_array_equal(env.reset()[0], expected)
    assert not np.array_equal(env.reset()[0], expected)


@pytest.mark.skipif(gym is None, reason="needs legacy gym")
def test_gym_wrappers_accept_the_facade():
    class Recorder(gym.Wrapper):
        def reset(self, **kwargs):
            self.returns = np.zeros(self.num_envs)
            return super().reset(**kwargs)

    env = envpool_rs.make_gym("CartPole-v1", num_envs=2)
    assert isinstance(env, gym.Env)
    env.num_envs = 2
    env.single_action_space = env.action_space
    env.is_vector_env = True
    wrapped = Recorder(env)
    wrapped.reset()
    assert len(wrapped.step(np.ones(2, dtype=np.int64))) in (4, 5)
    assert wrapped.returns.shape == (2,)


def test_a_reset_does_not_repeat_truncations_of_a_step():
    env = envpool_rs.make_gym("CartPole-v1", num_envs=2, gym_reset_return_info=True)
    for _ in range(4):
        for _ in range(4):
            env.step(np.zeros(2, dtype=np.int64))
        info = env.reset()[1]
        assert "TimeLimit.truncated" not in info


@pytest.mark.parametrize("return_info", [None, True, False])
def test_python_environments_have_the_interface_of_native_ones(return_info):
    options = {"num_envs": 2, "max_episode_steps": 3}
    options |= {} if return_info is None else {"gym_reset_return_info": return_info}
    native = envpool_rs.make_gym("CartPole-v1", **options)
    ours = envpool_rs.make_python("CartPole-v1", "gym", **options)
    assert isinstance(ours.action_space, spaces.Discrete) and ours.observation_space == native.observation_space
    assert repr(ours.reset()) == repr(native.reset())
    for _ in range(8):
        assert repr(ours.step(np.array([0, 1]))) == repr(native.step(np.array([0, 1])))
    ours.close()


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_four_values_report_ended_episodes(mode):
    options = {"max_episode_steps": 2, "autoreset_mode": mode, "record_episode_statistics": True}
    env = envpool_rs.make_gym("CartPole-v1", num_envs=2, gym_reset_return_info=False, **options)
    env.reset()
    env.step(np.zeros(2, dtype=np.int64))
    obs, _, done, info = env.step(np.zeros(2, dtype=np.int64))
    assert done.all() and info["_episode"].all()
    assert info["episode"]["r"].tolist() == [2, 2] and info["episode"]["l"].tolist() == [2, 2]
    assert ("final_obs" in info) == (mode == "same_step")
    if mode == "same_step":
        assert info["_final_obs"].all() and info["_final_obs"] is not done
        assert all((last != first).any() for last, first in zip(info["final_obs"], obs, strict=True))


def test_a_refused_reset_keeps_the_seed_for_the_next_reset():
    ours, twin = (envpool_rs.make_gym("CartPole-v1", num_envs=2, gym_reset_return_info=False) for _ in range(2))
    ours.seed(7)
    with pytest.raises(TypeError, match="options="):
        ours.reset(options=3)
    np.testing.assert_array_equal(ours.reset(), twin.reset(seed=7))
