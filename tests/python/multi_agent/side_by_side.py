"""Plays an environment of `envpool_rs.multi_agent` next to the package's, and compares all values."""

import importlib
from unittest import mock

import gymnasium
import numpy as np
import pytest


def package(name):
    """Imports a package, whose registered ids do not replace those of `envpool_rs.multi_agent`; skips without it."""
    with mock.patch.dict(gymnasium.registry):
        return pytest.importorskip(name)


def registered(name, also=lambda module: None):
    """Returns the arguments of each id that a package registers with gymnasium. ``also`` calls further functions of the
    package that register ids.
    """
    found = {}
    with mock.patch.object(gymnasium, "register", lambda id, kwargs, **_: found.setdefault(id, kwargs)):
        module = importlib.reload(importlib.import_module(name))
        also(module)
    return found


def leaves(value):
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key])]
    if isinstance(value, (tuple, list)):
        return [leaf for each in value for leaf in leaves(each)]
    return [np.asarray(value)]


class SideBySide:
    """Two environments that get the same seeds and actions. ``values`` counts the compared numbers."""

    def __init__(self, own, reference):
        self.own, self.reference = own, reference
        self.values = self.steps = self.episodes = self.rewarded = 0
        self.infos = {}, {}

    def reset(self, seed=None):
        self.episodes += 1
        (own, _), (expected, info) = self.own.reset(seed=seed), self.reference.reset(seed=seed)
        assert info == {}
        self.compare(own, expected)
        assert self.own.observation_space.contains(own)
        return expected

    def step(self, actions):
        self.steps += 1
        observation, rewards, terminated, truncated, info = self.own.step(actions)
        expected, their_rewards, over, cut, their_info = self.reference.step(actions)
        self.infos = info, their_info
        self.compare(observation, expected)
        assert isinstance(rewards, list)
        assert rewards == [float(reward) for reward in their_rewards], (rewards, their_rewards)
        assert (terminated, truncated) == (bool(over), bool(cut))
        self.values += len(rewards)
        self.rewarded += any(rewards)
        return terminated or truncated

    def compare(self, own, expected):
        for mine, theirs in zip(leaves(own), leaves(expected), strict=True):
            assert mine.dtype == theirs.dtype and mine.shape == theirs.shape
            assert mine.tobytes() == theirs.tobytes()
            self.values += mine.size

    def spaces_agree(self):
        assert self.own.action_space == self.reference.action_space
        assert self.own.observation_space == self.reference.observation_space
        assert self.own.n_agents == self.reference.n_agents
