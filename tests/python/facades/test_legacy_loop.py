"""Tests a training loop as in scripts for gym before 0.26, with any installed version of gym."""

import envpool_rs
import numpy as np
import pytest
from envpool_rs._spec import installed_gym

gym = installed_gym.gym

NUM_ENVS = 64
NUM_STEPS = 128

pytestmark = pytest.mark.skipif(gym is None, reason="needs legacy gym")


class RecordEpisodeStatistics(gym.Wrapper if gym else object):
    """Wrapper that records returns and lengths of episodes, as scripts for EnvPool and old gym do."""

    def reset(self, **kwargs):
        self.returns = np.zeros(self.num_envs, dtype=np.float32)
        self.lengths = np.zeros(self.num_envs, dtype=np.int32)
        return super().reset(**kwargs)

    def step(self, action):
        observations, rewards, dones, infos = self.env.step(action)
        self.returns += rewards
        self.lengths += 1
        infos["r"], infos["l"] = self.returns.copy(), self.lengths.copy()
        self.returns *= 1 - dones
        self.lengths *= 1 - dones
        return observations, rewards, dones, infos


@pytest.fixture
def envs():
    pool = envpool_rs.make(
        "CartPole-v1", env_type="gym", num_envs=NUM_ENVS, seed=1, num_threads=2, gym_reset_return_info=False
    )
    pool.num_envs = NUM_ENVS
    pool.single_action_space = pool.action_space
    pool.single_observation_space = pool.observation_space
    wrapped = RecordEpisodeStatistics(pool)
    assert isinstance(wrapped.action_space, gym.spaces.Discrete)
    yield wrapped
    pool.close()


def play(envs, weights, observation, steps=NUM_STEPS):
    """Plays one rollout of linear policies, one per environment; returns the data that a learner stores."""
    shape = (steps, NUM_ENVS)
    observations = np.zeros((*shape, *envs.single_observation_space.shape), dtype=np.float32)
    rewards, dones = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.float32)
    ended = []
    for step in range(steps):
        observations[step] = observation
        action = ((observation * weights).sum(axis=1) > 0).astype(np.int64)
        observation, rewards[step], dones[step], info = envs.step(action)
        ended += [(info["r"][index], info["l"][index]) for index, done in enumerate(dones[step]) if done]
    return observation, observations, rewards, dones, ended


def test_rollouts_fit_the_buffers_of_a_trainer(envs):
    observation, observations, rewards, dones, ended = play(envs, np.zeros((NUM_ENVS, 4)), envs.reset())
    assert observation.dtype == np.float32 and np.isfinite(observations).all()
    # Always pushing left ends episodes after 8 to 10 steps; the step after the last one is the reset, without reward.
    assert ended and {length for _, length in ended} <= set(range(8, 13))
    after = np.zeros_like(dones, dtype=bool)
    after[1:] = dones[:-1] == 1
    assert (rewards[after] == 0).all() and (rewards[~after] == 1).all()


def test_a_search_over_linear_policies_learns_to_balance(envs):
    random = np.random.default_rng(1)
    mean, spread = np.zeros(4), np.ones(4)
    for _ in range(6):
        weights = random.normal(mean, spread, size=(NUM_ENVS, 4))
        _, _, rewards, dones, _ = play(envs, weights, envs.reset(), steps=500)
        first_episode = np.cumprod(1 - dones, axis=0)
        elite = weights[np.argsort((rewards * first_episode).sum(axis=0))[-8:]]
        mean, spread = elite.mean(axis=0), elite.std(axis=0) + 0.02
    _, _, _, dones, _ = play(envs, np.tile(mean, (NUM_ENVS, 1)), envs.reset(), steps=499)
    assert dones.mean(axis=0).max() == 0, "the pole stays up for whole episodes"


def test_time_limits_are_distinguished_from_falls(envs):
    balanced = np.tile([0.0, 0.0, 1.0, 1.0], (NUM_ENVS, 1))
    observation, *_ = play(envs, balanced, envs.reset(), steps=499)
    _, _, done, info = envs.step(((observation * balanced).sum(axis=1) > 0).astype(np.int64))
    assert info["TimeLimit.truncated"].sum() > NUM_ENVS // 2
    assert (done | ~info["TimeLimit.truncated"]).all()
