"""Tests of skrl: `wrap_env` detects the right wrapper for a pool."""

import envpool_rs
import gymnasium
import numpy as np
import pytest
from conftest import consumer

torch = consumer("torch")
wrappers = consumer("skrl.envs.wrappers.torch")

pytestmark = pytest.mark.filterwarnings("ignore:.*gymnasium.experimental")


def environments():
    return {
        "make_vec": envpool_rs.make_vec("CartPole-v1", 3, seed=5),
        "gymnasium.make_vec": gymnasium.make_vec("envpool_rs/CartPole-v1", 3, seed=5),
        "make": envpool_rs.make("CartPole-v1", num_envs=3, seed=5),
        "gymnasium.make": gymnasium.make("envpool_rs/CartPole-v1"),
    }


@pytest.mark.parametrize("maker", environments())
def test_the_wrapper_is_found(maker):
    env = wrappers.wrap_env(environments()[maker], verbose=False)
    assert type(env).__name__ == "GymnasiumWrapper"
    rows = 1 if maker == "gymnasium.make" else 3
    assert env.num_envs == rows and env.observation_space.shape == (4,) and env.action_space.n == 2
    observation, _ = env.reset()
    assert observation.shape == (rows, 4)
    observation, reward, terminated, truncated, _ = env.step(torch.ones(rows, 1, dtype=torch.int64))
    assert [each.shape for each in (reward, terminated, truncated)] == [(rows, 1)] * 3


def test_continuous_actions_reach_the_environments():
    env = wrappers.wrap_env(envpool_rs.make_vec("Pendulum-v1", 2, seed=5), verbose=False)
    pool = envpool_rs.make_vec("Pendulum-v1", 2)
    pool.reset(seed=5)
    env._seed = 5
    env.reset()
    expected = pool.step(np.full((2, 1), 1.5, np.float32))
    np.testing.assert_array_equal(env.step(torch.full((2, 1), 1.5))[0].numpy(), expected[0])


def test_the_example_runs(run_example):
    assert "played 150 steps of 8 environments" in run_example("consumers/skrl_ppo.py", "150")
