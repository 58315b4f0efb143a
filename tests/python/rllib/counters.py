"""Environments that count steps, and fail on request.

This module imports only gymnasium, so that workers start fast.
"""

import os
import signal
import time

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete


class Counter(gymnasium.Env):
    """Environment that observes the number of steps after a random first observation; ends after ``length`` steps."""

    observation_space = Box(-np.inf, np.inf, (1,), np.float64)
    action_space = Discrete(1000)

    def __init__(self, length=3, fail_at=None, fail_in_reset=False):
        self.length = length
        self.fail_at = fail_at
        self.fail_in_reset = fail_in_reset
        self.closed = False
        self.steps = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if self.fail_in_reset:
            raise OSError("no new episode")
        self.steps = 0
        return np.array([self.np_random.random()]), {"options": options}

    def step(self, action):
        self.steps += 1
        if self.steps == self.fail_at or action == 666:
            raise ZeroDivisionError(f"broken by {action}")
        return np.array([float(self.steps)]), float(action), self.steps >= self.length, False, {"action": action}

    def render(self):
        return f"picture {self.steps}"

    def close(self):
        self.closed = True


class Sleeper(Counter):
    def step(self, action):
        time.sleep(action / 1000)
        return super().step(action)


class Suicidal(Counter):
    def step(self, action):
        if action == 13:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().step(action)


class RemoteCounter(Counter):
    """Counter for a Ray actor that a user defines.

    Methods return the spaces of the environment, because only methods of a Ray actor can be called.
    """

    def __init__(self):
        super().__init__()

    def observation_space(self):
        return Counter.observation_space

    def action_space(self):
        return Counter.action_space
