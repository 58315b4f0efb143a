"""gymnasium's CartPole as Python functions that Numba compiles."""

import math
from typing import Any

import numpy as np
from envpool_rs import numba
from gymnasium import spaces

TASK = "NumbaCartPole-v1"
"""Id of the task."""

LIMIT = 12 * 2 * math.pi / 360
"""Angle in radians at which an episode ends."""

_HIGH = np.array([4.8, np.inf, 2 * LIMIT, np.inf], np.float32)


@numba.env(TASK, observation=spaces.Box(-_HIGH, _HIGH), action=2, state=(np.float64, 4), max_episode_steps=500)
class CartPole:
    """CartPole environment. The state is position, velocity, angle and angular velocity."""

    @staticmethod
    def reset(state: Any, random: Any) -> None:
        for k in range(4):
            state[k] = random.uniform(-0.05, 0.05)

    @staticmethod
    def step(state: Any, action: int) -> tuple[float, bool]:
        x, x_dot, theta, theta_dot = state[0], state[1], state[2], state[3]
        force = 10.0 if action == 1 else -10.0
        cosine, sine = math.cos(theta), math.sin(theta)
        temp = (force + 0.05 * (theta_dot * theta_dot) * sine) / 1.1
        turn = (9.8 * sine - cosine * temp) / (0.5 * (4.0 / 3.0 - 0.1 * (cosine * cosine) / 1.1))
        push = temp - 0.05 * turn * cosine / 1.1
        state[0] = x + 0.02 * x_dot
        state[1] = x_dot + 0.02 * push
        state[2] = theta + 0.02 * theta_dot
        state[3] = theta_dot + 0.02 * turn
        return 1.0, abs(state[0]) > 2.4 or abs(state[2]) > LIMIT

    @staticmethod
    def observe(state: Any, out: Any) -> None:
        for k in range(4):
            out[k] = state[k]
