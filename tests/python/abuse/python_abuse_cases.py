"""Helpers of the tests `test_python_envs_abuse*.py`."""

import os

import gymnasium
import numpy as np
from gymnasium import spaces


class ShowingEnv(gymnasium.Env):
    """Environment with a constant observation, whose infos contain the action."""

    def __init__(self, observation=0, space=None):
        self.observation_space = spaces.Discrete(2) if space is None else space
        self.action_space = spaces.Discrete(2)
        self.observation = observation

    def reset(self, *, seed=None, options=None):
        return self.observation, {}

    def step(self, action):
        return self.observation, 1.0, False, False, {"action": action}


ACTIONS = np.zeros(2, np.int64)


class TellingEnv(ShowingEnv):
    """Environment whose infos contain the id of its process."""

    def pid(self):
        return os.getpid()
