"""Tests of rl_games: its vector environment ENVPOOL over pools of this package, and its runner."""

import numpy as np
import pytest
from conftest import consumer

consumer("rl_games")

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


@pytest.fixture
def vector_env(as_envpool):
    from rl_games.envs.envpool import Envpool

    return Envpool("", 3, env_name="CartPole-v1", seed=4, max_episode_steps=5)


def test_rl_games_vector_environment_runs_our_pool(vector_env):
    assert vector_env.get_env_info()["action_space"].n == 2
    assert vector_env.reset().shape == (3, 4)
    results = [vector_env.step(np.array([0, 1, 0])) for _ in range(5)]
    assert results[4][2].all() and results[4][3]["time_outs"].all()
    assert not any(result[2].any() or result[3]["time_outs"].any() for result in results[:4])


def test_the_example_runs(run_example):
    assert "return after 2 epochs" in run_example("consumers/rl_games_ppo.py", "2")
