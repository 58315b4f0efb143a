"""Helpers of the tests `test_multi_env*.py`."""

import contextlib
import os

import gymnasium
import numpy as np
from envpool_rs.multi_env import MultiEnv, SubprocessEnv, create_subprocess_envs
from python_envs import CountingEnv

try:
    import gym
except ImportError:
    gym = None


BASE = gymnasium.Env if gym is None else gym.Env


FORK = {"context": "fork"}


TRUNCATED = "TimeLimit.truncated"


class LoggedEnv(CountingEnv):
    """CountingEnv that records the calls of its methods."""

    def __init__(self, **how):
        super().__init__(**how)
        self.log = []

    def reset(self, **keywords):
        self.log.append(("reset", keywords))
        return super().reset(**keywords)

    def step(self, action):
        self.log.append(("step", action))
        return super().step(action)


class PidEnv(CountingEnv):
    """CountingEnv whose infos contain the id of its process."""

    def _info(self):
        return {"pid": os.getpid()}


def raising(error):
    raise error


def pid_of(env):
    return env.step(0)[4]["pid"]


@contextlib.contextmanager
def closing(env):
    """Context manager that closes an environment after its block, unless the block has closed it."""
    try:
        yield env
    finally:
        with contextlib.suppress(ValueError):
            env.close()


def ready(env_fn, **how):
    env = SubprocessEnv(env_fn, **{**FORK, **how})
    env.start()
    env.initialize()
    return closing(env)


def multi_env(env_fns, **how):
    return MultiEnv(create_subprocess_envs(env_fns, **{**FORK, **how}))


def assert_same(ours, theirs):
    """Compares nested results, including dtypes and classes of containers."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        for key in theirs:
            assert_same(ours[key], theirs[key])
    elif isinstance(theirs, (tuple, list)):
        assert type(ours) is type(theirs)
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_same(one, other)
    elif isinstance(theirs, np.ndarray):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)
    else:
        assert ours == theirs


def used(env, call):
    value = getattr(env, call)
    return value(0) if call == "step" else value() if callable(value) else value
