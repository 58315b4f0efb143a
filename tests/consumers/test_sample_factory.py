"""Tests of Sample-Factory: its wrapper for EnvPool, and its algorithm with a pool as an environment of many agents."""

import envpool_rs
import numpy as np
import pytest
from conftest import consumer

consumer("sample_factory")

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("interface", ["gym", "gymnasium"])
def test_the_wrapper_resets_finished_environments(interface):
    from sf_examples.envpool.envpool_wrappers import EnvPoolResetFixWrapper

    env = EnvPoolResetFixWrapper(envpool_rs.make("CartPole-v1", interface, num_envs=3, max_episode_steps=4))
    env.reset(seed=1)
    for _ in range(4):
        observation, _, _, truncated, _ = env.step(np.array([0, 1, 0]))
    assert truncated.all() and (np.abs(observation) <= 0.05).all()


def test_the_example_runs(run_example):
    assert "finished with status 0" in run_example("consumers/sample_factory_appo.py", "512")
