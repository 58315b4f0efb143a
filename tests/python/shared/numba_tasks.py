"""Tasks compiled by Numba, and fixtures that keep them out of other tests' lists of tasks."""

import atexit
import math
import os
import shutil
import tempfile
from contextlib import contextmanager

import gymnasium
import numpy as np
from envpool_rs._tasks import plugins, table
from gymnasium import spaces

if "ENVPOOL_RS_NUMBA_CACHE" not in os.environ:
    os.environ["ENVPOOL_RS_NUMBA_CACHE"] = tempfile.mkdtemp(prefix="numba_cache_")
    atexit.register(shutil.rmtree, os.environ["ENVPOOL_RS_NUMBA_CACHE"], ignore_errors=True)

LIMIT = 12 * 2 * math.pi / 360
HIGH = np.array([4.8, np.inf, 2 * LIMIT, np.inf], np.float32)
ARGUMENTS = {
    "observation": spaces.Box(-HIGH, HIGH),
    "action": 2,
    "state": (np.float64, 4),
    "max_episode_steps": 500,
    "options": {"gravity": 9.8},
}


class CartPole:
    """CartPole-v1 of gymnasium as a task compiled by Numba."""

    def reset(state, random):
        for k in range(4):
            state[k] = random.uniform(-0.05, 0.05)

    def step(state, action, options):
        x, x_dot, theta, theta_dot = state[0], state[1], state[2], state[3]
        force = 10.0 if action == 1 else -10.0
        cos, sin = math.cos(theta), math.sin(theta)
        temp = (force + 0.05 * (theta_dot * theta_dot) * sin) / 1.1
        turn = (options.gravity * sin - cos * temp) / (0.5 * (4.0 / 3.0 - 0.1 * (cos * cos) / 1.1))
        push = temp - 0.05 * turn * cos / 1.1
        state[0] = x + 0.02 * x_dot
        state[1] = x_dot + 0.02 * push
        state[2] = theta + 0.02 * theta_dot
        state[3] = theta_dot + 0.02 * turn
        return 1.0, abs(state[0]) > 2.4 or abs(state[2]) > LIMIT

    def observe(state, out):
        for k in range(4):
            out[k] = state[k]

    def is_valid(state):
        return abs(state[0]) < 10 and abs(state[2]) < math.pi and abs(state[1]) + abs(state[3]) < 100


def bits(value):
    """Returns float32 values as integers, whose comparison compares bits."""
    return value.view(np.uint32) if value.dtype == np.float32 else value


_defined = {}


def cart_pole():
    """Returns the compiled CartPole, defined once for the process."""
    if "cart_pole" not in _defined:
        from envpool_rs import numba

        _defined["cart_pole"] = numba.env("NumbaCartPole-v1", **ARGUMENTS)(CartPole)
    task = _defined["cart_pole"]
    plugins.add_library(plugins.libraries["numba NumbaCartPole-v1"])
    return task


@contextmanager
def own_tasks():
    """Removes tasks that the block adds to the table and to gymnasium's registry."""
    tasks, ids = dict(table.tasks), set(gymnasium.registry)
    try:
        yield
    finally:
        table.tasks.clear()
        table.tasks.update(tasks)
        for added in set(gymnasium.registry) - ids:
            del gymnasium.registry[added]
