"""Helpers of the tests `test_python_pool*.py`."""

import re

import gymnasium
import numpy as np
from python_envs import (
    CountingEnv,
    MisbehavingEnv,
    SpaceEnv,
    message_spaces,
    row_spaces,
)
from test_contract import assert_same

CARTPOLE = "CartPole-v1"


MODES = ["next_step", "same_step", "disabled"]


SPACES = {**row_spaces(), **message_spaces()}


def counting(**options):
    return lambda: CountingEnv(**options)


def scripted(**options):
    return lambda: MisbehavingEnv(**options)


def zeros(count):
    return np.zeros(count, np.int64)


def assert_same_trajectories(ours, theirs, mode, steps=60, seed=7):
    for name in ("observation_space", "action_space", "single_observation_space", "single_action_space", "num_envs"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.metadata == theirs.metadata and ours.render_mode == theirs.render_mode
    theirs.action_space.seed(3)
    assert_same(ours.reset(seed=seed), theirs.reset(seed=seed))
    ended = 0
    for step in range(steps):
        actions = theirs.action_space.sample()
        result, expected = ours.step(actions), theirs.step(actions)
        assert_same(result, expected, f"step {step}")
        done = expected[2] | expected[3]
        ended += done.sum()
        if mode == "disabled" and done.any():
            assert_same(ours.reset(options={"reset_mask": done}), theirs.reset(options={"reset_mask": done.copy()}))
        if step == steps // 2:
            seeds = [None] + [seed] * (ours.num_envs - 1)
            assert_same(ours.reset(seed=seeds), theirs.reset(seed=seeds))
    assert ended > 0


class InfoEnv(CountingEnv):
    """Environment with reset options and with infos of every kind, some of them only in some steps."""

    def _info(self):
        info = {"steps": self.steps, "half": self.steps / 2, "even": self.steps % 2 == 0, "name": "x" * self.steps}
        info |= {"array": np.arange(3, dtype=np.int16) * self.steps, "number": np.float32(self.steps)}
        info |= {"nested": {"deep": {"steps": self.steps}, "flag": True}, "none": None, "list": [self.steps]}
        info["options"] = self.last_options
        return info if self.steps % 3 else {}


class NumbersEnv(CountingEnv):
    """Environment with numeric infos, whose keys and types are constant in most steps and differ in others."""

    def _info(self):
        info = {"steps": self.steps, "half": self.steps / 2, "even": self.steps % 2 == 0}
        info |= {"single": np.float32(self.steps / 3), "small": np.uint8(self.steps), "double": np.float64(0.1)}
        other = self.np_random.integers(0, 12)
        if other < 6:
            kinds = {"steps": 1.5}, {"steps": np.int8(3)}, {"half": 2**62 + 1}, {"flag": np.bool_(True)}, {"_half": 3}
            info |= kinds[other] if other < 5 else {"final_obs": 4}
        return {} if other == 7 else info


class GivenInfosEnv(CountingEnv):
    """Environment whose steps return the info that a test has set."""

    given: dict = {}  # noqa: RUF012

    def _info(self):
        return self.given


def make_space_env(name):
    return SpaceEnv(SPACES[name])


for _id, _entry_point, _kwargs in [
    ("Infos", InfoEnv, {"length": 5}),
    ("Numbers", NumbersEnv, {"length": 5}),
    ("GivenInfos", GivenInfosEnv, {"length": 10**9}),
    *((re.sub(r"\W", "", name.title()), make_space_env, {"name": name}) for name in SPACES),
]:
    gymnasium.register(
        f"test_python_pool/{_id}-v0",
        _entry_point,
        kwargs=_kwargs,
        disable_env_checker=True,
        order_enforce=False,
    )
