"""Tests of TorchRL over pools of this package: MultiThreadedEnv, which needs legacy gym, and GymWrapper, which does
not.
"""

import envpool_rs
import numpy as np
import pytest
from conftest import consumer

torch = consumer("torch")
# TorchRL checks whether EnvPool is installed only once, when it is imported, so the alias is installed first.
envpool_rs.install_as_envpool(force=True)
envs = consumer("torchrl.envs")


@pytest.fixture
def legacy_gym():
    consumer("gym")
    consumer("treevalue")


# Ignores warnings of TorchRL, treevalue and gym.
pytestmark = pytest.mark.filterwarnings("ignore")


def test_rollouts_equal_the_pools_steps(as_envpool, legacy_gym):
    env = envs.MultiThreadedEnv(
        num_workers=3, env_name="Pendulum-v1", create_env_kwargs={"seed": 4, "max_episode_steps": 20}
    )
    rollout = env.rollout(12)
    pool = envpool_rs.make("Pendulum-v1", num_envs=3, seed=4)
    np.testing.assert_array_equal(rollout["observation"][:, 0].numpy(), pool.reset()[0])
    for step in range(12):
        observation, reward, *_ = pool.step(rollout["action"][:, step].numpy())
        np.testing.assert_array_equal(rollout["next", "observation"][:, step].numpy(), observation)
        np.testing.assert_array_equal(rollout["next", "reward"][:, step].flatten().numpy(), reward)
    env.close()


def test_termination_and_truncation_are_distinguished(as_envpool, legacy_gym):
    env = envs.MultiThreadedEnv(num_workers=2, env_name="Pendulum-v1", create_env_kwargs={"max_episode_steps": 5})
    rollout = env.rollout(10, break_when_any_done=False)
    assert rollout["next", "truncated"].sum() > 0 and rollout["next", "terminated"].sum() == 0
    env.close()


def test_seeding_recreates_the_pool(as_envpool, legacy_gym):
    env = envs.MultiThreadedEnv(num_workers=2, env_name="CartPole-v1")
    env.set_seed(11)
    np.testing.assert_array_equal(
        env.reset()["observation"].numpy(), envpool_rs.make("CartPole-v1", num_envs=2, seed=11).reset()[0]
    )
    env.close()


def test_pools_are_wrapped(as_envpool, legacy_gym):
    env = envs.MultiThreadedEnvWrapper(envpool_rs.make_gym("CartPole-v1", num_envs=2, gym_reset_return_info=True))
    assert env.rollout(5).batch_size == (2, 5)
    env.close()


@pytest.mark.parametrize("mode", ["same_step", "disabled"])
def test_vector_environments_are_wrapped_without_legacy_gym(mode):
    env = envs.GymWrapper(envpool_rs.make_vec("CartPole-v1", 3, autoreset_mode=mode, seed=1))
    rollout = env.rollout(40, break_when_any_done=False)
    assert rollout.batch_size == (3, 40) and rollout["next", "done"].any()
    env.close()


def test_the_example_runs(run_example, legacy_gym):
    printed = run_example("consumers/torchrl_multi_threaded_env.py")
    assert "MultiThreadedEnv: 1600 steps" in printed and "GymWrapper: 800 steps" in printed
