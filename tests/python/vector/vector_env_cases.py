"""Helpers of the tests `test_vector_env_family*.py`."""

import functools

import numpy as np
from envpool_rs.vector import (
    BaseVectorEnv,
    DummyVectorEnv,
    EnvWorker,
    SubprocEnvWorker,
    SubprocVectorEnv,
)
from python_envs import (
    CountingEnv,
)


class OwnWorker(EnvWorker):
    """Worker class as a user would write it, in the style of Tianshou; its `send(None)` resets."""

    def __init__(self, env_fn):
        self.env = env_fn()
        super().__init__(env_fn)

    def get_env_attr(self, key):
        return getattr(self.env, key)

    def set_env_attr(self, key, value):
        setattr(self.env.unwrapped, key, value)

    def send(self, action, **kwargs):
        self.result = self.env.reset(**kwargs) if action is None else self.env.step(action)

    def customized_method(self, func, data=None):
        self.result = getattr(self.env, func)(**(data or {}))

    @staticmethod
    def wait(workers, wait_num, timeout=None):
        return workers

    def seed(self, seed=None):
        self.env.reset(seed=seed)
        return [seed]

    def render(self, **kwargs):
        return self.env.render(**kwargs)

    def close_env(self):
        self.env.close()


KINDS = {
    "dummy": DummyVectorEnv,
    "subproc": functools.partial(SubprocVectorEnv, num_workers=2),
    "caller": functools.partial(SubprocVectorEnv, num_workers=1, caller_steps=True),
    "own": lambda env_fns, **keywords: BaseVectorEnv(env_fns, OwnWorker, **keywords),
    "processes": lambda env_fns, **keywords: BaseVectorEnv(env_fns, SubprocEnvWorker, **keywords),
}


def counting(number, **keywords):
    return [functools.partial(CountingEnv, **keywords) for _ in range(number)]


def equal(one, other):
    """Returns whether two results of vector environments are equal, including their types."""
    if isinstance(one, dict):
        return (
            isinstance(other, dict) and one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
        )
    if isinstance(one, (tuple, list)):
        same = type(one) is type(other) and len(one) == len(other)
        return same and all(equal(*each) for each in zip(one, other, strict=True))
    if isinstance(one, np.ndarray):
        same = isinstance(other, np.ndarray) and one.shape == other.shape and one.dtype == other.dtype
        if same and one.dtype == object:
            return all(equal(*each) for each in zip(one.ravel(), other.ravel(), strict=True))
        return same and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
    return type(one) is type(other) and one == other
