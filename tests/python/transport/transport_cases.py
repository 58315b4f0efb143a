"""Helpers of the tests `test_transport*.py`."""

from __future__ import annotations

import pickle

import numpy as np
from envpool_rs._core import EnvHost, SharedBlock
from host_client import HostClient

OBSERVATION_IN_ROW, MESSAGE, FAILED, FOUR_VALUES, FINAL, LOST, REWARD_IN_MESSAGE, CALL, FINAL_IN_ROW, PLAIN_INFO = (
    2**k for k in range(10)
)


class Answering:
    """Environment that returns scripted replies, and records its calls."""

    def __init__(self):
        self.actions = []
        self.resets = []
        self.answer = (np.zeros(3, np.float32), 0.0, False, False, {})
        self.first = (np.zeros(3, np.float32), {})

    def step(self, action):
        self.actions.append(action)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def reset(self, **keywords):
        self.resets.append(keywords)
        return self.first


def refuse(env_id, observation):
    raise ValueError(f"observation of environment {env_id} does not fit: {observation!r}")


def hosted(*envs, layout=(("float32", (3,)),), structure=0, lenient=False, **other):
    """Returns a client of ``envs``, which the calling process hosts itself."""
    block = SharedBlock([-1] * len(envs))
    block.allocate([list(layout)] * len(envs), True)
    callbacks = {
        "conform": refuse,
        "dumps": pickle.dumps,
        "failure": lambda env_id, operation, error: pickle.dumps((env_id, operation, repr(error))),
        "call": lambda env_id, payload: payload[::-1],
        **other,
    }
    host = EnvHost(block, range(len(envs)), envs, [structure] * len(envs), lenient=lenient, **callbacks)
    return HostClient(block, host, layout, callbacks["dumps"]), block


def step(caller, actions, ids=None):
    caller.send_steps(ids, actions)
    caller.wait(ids, len(actions))
    return caller.take(ids)


def message(caller, env_id=0):
    return pickle.loads(caller.message(env_id))


def same(one, other):
    """Returns whether values are equal, with equal types at all levels."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, np.generic):
        return one.dtype == other.dtype and one.tobytes() == other.tobytes()
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return repr(one) == repr(other)
