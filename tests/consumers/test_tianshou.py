"""Tests of Tianshou: collectors over this package's pools and vector environments, and its factory for pools."""

import envpool_rs
import gymnasium
import numpy as np
import pytest
from conftest import consumer

consumer("tianshou")

import tianshou.env as theirs  # noqa: E402
from envpool_rs import tianshou as ours  # noqa: E402
from tianshou.algorithm import DQN  # noqa: E402
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy  # noqa: E402
from tianshou.algorithm.optim import AdamOptimizerFactory  # noqa: E402
from tianshou.data import Collector, VectorReplayBuffer  # noqa: E402
from tianshou.highlevel.env import EnvFactoryRegistered, EnvMode, EnvPoolFactory, VectorEnvType  # noqa: E402
from tianshou.utils.net.common import Net  # noqa: E402

# Ignores Tianshou's warning that it converts infos in EnvPool's format to batches of objects.
pytestmark = pytest.mark.filterwarnings("ignore:You are using tensors with different shape")

ENVS, LIMIT = 4, 9


def collector(pool):
    net = Net(state_shape=(4,), action_shape=2, hidden_sizes=[8])
    policy = DiscreteQLearningPolicy(model=net, action_space=pool.action_space)
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory())
    return Collector(algorithm, pool, VectorReplayBuffer(400, ENVS))


def test_the_factory_creates_our_pools(as_envpool):
    pool = EnvPoolFactory().create_venv("CartPole-v1", 3, EnvMode.TRAINING, 7, {"render_mode": None})
    assert isinstance(pool, envpool_rs.registration.make("CartPole-v1").__class__)
    assert len(pool) == 3 and pool.config["seed"] == 7 and pool.is_async is False


def test_registered_factories_accept_our_tasks(as_envpool):
    factory = EnvFactoryRegistered(
        task="CartPole-v1", venv_type=VectorEnvType.DUMMY, envpool_factory=EnvPoolFactory(), max_episode_steps=LIMIT
    )
    pool = factory.create_venv(ENVS, EnvMode.TRAINING, seed=1)
    assert pool.config["max_episode_steps"] == LIMIT and len(pool) == ENVS


@pytest.mark.parametrize("random", [True, False])
def test_collected_transitions_equal_the_environments_steps(random):
    collecting = collector(envpool_rs.make_gymnasium("CartPole-v1", num_envs=ENVS, seed=3, max_episode_steps=LIMIT))
    stats = collecting.collect(n_step=120, random=random, reset_before_collect=True)
    assert stats.n_collected_steps == 120 and stats.n_collected_episodes > ENVS
    assert (stats.returns == stats.lens).all() and stats.lens.max() == LIMIT
    rows, _ = collecting.buffer.sample(0)  # a count of 0 selects all rows
    assert len(rows) == 120 and (rows.rew == 1.0).all()
    # The cart moves by its velocity in each transition, so no transition leads from the end of an episode to the start
    # of the next.
    np.testing.assert_allclose(rows.obs_next[:, 0], rows.obs[:, 0] + 0.02 * rows.obs[:, 1], atol=1e-6)


def test_episodes_are_counted():
    collecting = collector(envpool_rs.make_gymnasium("CartPole-v1", num_envs=ENVS, seed=3, max_episode_steps=LIMIT))
    stats = collecting.collect(n_episode=10, random=True, reset_before_collect=True)
    assert stats.n_collected_episodes == 10 and (stats.lens >= 8).all()


@pytest.mark.parametrize("name", ["DummyVectorEnv", "SubprocVectorEnv", "ShmemVectorEnv"])
def test_our_vector_environments_equal_tianshous(name):
    pair = [getattr(module, name)([lambda: gymnasium.make("CartPole-v1")] * 3) for module in (ours, theirs)]
    for seed in (7, None):
        results = [env.reset(seed=seed) for env in pair] if seed is not None else [env.reset([2, 0]) for env in pair]
        assert_same(*results)
    for step in range(60):
        results = [env.step(np.array([step % 2, 1, 0])) for env in pair]
        assert_same(*results)
        ended = np.flatnonzero(results[0][2] | results[0][3])
        if len(ended):
            assert_same(*(env.reset(env_id=ended, seed=step) for env in pair))
    for env in pair:
        env.close()


def assert_same(one, other):
    assert len(one) == len(other)
    for each, expected in zip(one, other, strict=True):
        assert type(each) is type(expected) and each.shape == expected.shape and each.dtype == expected.dtype
        assert each.tolist() == expected.tolist()


def test_a_collector_takes_our_vector_environments():
    with ours.SubprocVectorEnv([lambda: gymnasium.make("CartPole-v1", max_episode_steps=LIMIT)] * ENVS) as env:
        net = Net(state_shape=(4,), action_shape=2, hidden_sizes=[8])
        policy = DiscreteQLearningPolicy(model=net, action_space=env.action_space[0])
        collecting = Collector(DQN(policy=policy, optim=AdamOptimizerFactory()), env, VectorReplayBuffer(400, ENVS))
        stats = collecting.collect(n_step=120, random=True, reset_before_collect=True)
        assert stats.n_collected_steps == 120 and stats.lens.max() == LIMIT
        rows, _ = collecting.buffer.sample(0)
        np.testing.assert_allclose(rows.obs_next[:, 0], rows.obs[:, 0] + 0.02 * rows.obs[:, 1], atol=1e-6)


def test_the_example_runs(run_example):
    assert "best return after 256 steps" in run_example("consumers/tianshou_dqn.py", "256")
