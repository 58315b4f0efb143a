"""Tests that environments work behind a wrapper that uses them as EPyMARL's `GymmaWrapper` does, and statistics."""

import gymnasium
import numpy as np
import pytest
from envpool_rs.multi_agent import MultiAgentEnv, MultiAgentVectorEnv
from gymnasium.wrappers import TimeLimit


class Gymma:
    """The calls of EPyMARL's `GymmaWrapper`: padded observations and actions, one scalar of all rewards, masks."""

    def __init__(self, key, time_limit, seed, scalarisation="sum"):
        self.env = TimeLimit(gymnasium.make(key), max_episode_steps=time_limit)
        self.n_agents = self.env.unwrapped.n_agents
        self.most_actions = max(space.n for space in self.env.action_space)
        self.most_numbers = max(gymnasium.spaces.flatdim(space) for space in self.env.observation_space)
        self.scalarisation = {"sum": sum, "mean": lambda rewards: sum(rewards) / len(rewards)}[scalarisation]
        self.env.unwrapped.seed(seed)

    def padded(self, observations):
        flat = [
            gymnasium.spaces.flatten(space, each)
            for space, each in zip(self.env.observation_space, observations, strict=True)
        ]
        return [np.pad(each, (0, self.most_numbers - len(each))) for each in flat]

    def reset(self):
        observations, _ = self.env.reset()
        return self.padded(observations)

    def step(self, actions):
        observations, rewards, terminated, truncated, _ = self.env.step([int(action) for action in actions])
        assert isinstance(rewards, list) and isinstance(observations, tuple)
        return self.padded(observations), float(self.scalarisation(rewards)), terminated, truncated

    def available_actions(self):
        valid = [[1] * space.n for space in self.env.action_space]
        return [each + [0] * (self.most_actions - len(each)) for each in valid]


KEYS = [
    ("Foraging-8x8-2p-3f-v3", 15, 6),
    ("Foraging-2s-10x10-3p-3f-v3", 18, 6),
    ("rware-tiny-2ag-v2", 71, 5),
]


@pytest.mark.parametrize(("key", "numbers", "actions"), KEYS)
@pytest.mark.parametrize("scalarisation", ["sum", "mean"])
def test_epymarls_wrapper_runs_whole_episodes(key, numbers, actions, scalarisation):
    wrapper = Gymma(f"envpool_rs.multi_agent:{key}", 25, 7, scalarisation)
    again = MultiAgentEnv(key)
    assert (wrapper.most_numbers, wrapper.most_actions) == (numbers, actions)
    assert np.shape(wrapper.available_actions()) == (wrapper.n_agents, actions)
    rng = np.random.default_rng(0)
    for episode in range(2):
        observations = wrapper.reset()
        expected, _ = again.reset(seed=7 if episode == 0 else None)
        for _ in range(25):
            np.testing.assert_array_equal(np.stack(observations), np.stack(expected))
            assert np.concatenate(observations).shape == (wrapper.n_agents * numbers,)
            chosen = rng.integers(actions, size=wrapper.n_agents)
            observations, reward, terminated, truncated = wrapper.step(chosen)
            expected, rewards, *_ = again.step(chosen)
            assert reward == sum(rewards) / (1 if scalarisation == "sum" else wrapper.n_agents)
            if terminated or truncated:
                break
        assert truncated or terminated


def test_statistics_have_returns_of_agents_and_of_the_team():
    envs = MultiAgentVectorEnv("Foraging-5x5-3p-3f-v3", 16, record_episode_statistics=True, seed=3)
    envs.reset(seed=3)
    envs.action_space.seed(3)
    returns, counted = np.zeros((16, 3)), 0
    for _ in range(150):
        _, rewards, terminated, truncated, info = envs.step(envs.action_space.sample())
        returns += rewards
        ended = terminated | truncated
        if ended.any():
            np.testing.assert_array_equal(info["_episode"], ended)
            np.testing.assert_array_equal(info["episode"]["r_agents"][ended], returns[ended])
            np.testing.assert_array_equal(info["episode"]["r"][ended], returns[ended].sum(axis=1))
            counted += int((returns[ended] > 0).sum())
        returns[ended] = 0
    assert counted > 0
    envs.close()
