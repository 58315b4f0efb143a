"""One library playing one case, timed window by window."""

from __future__ import annotations

import itertools
import time
import warnings
from typing import Any

from envpool_rs._make.make import make_spec
from envpool_rs.cli.demo_command import random_actions

from envpool_bench.case import Case
from envpool_bench.libraries import Library


def step_calls(env: Any, actions: list[Any], calls: int) -> float:
    """Seconds that ``calls`` steps of all environments take, for a user who keeps each result until the next.

    Args:
        env: any vector environment that steps to five values.
        actions: batches of actions, played in turn.
        calls: how many to play.
    """
    start = time.perf_counter()
    for action in itertools.islice(itertools.cycle(actions), calls):
        _obs, _reward, _terminated, _truncated, _info = env.step(action)
    return time.perf_counter() - start


def async_calls(env: Any, actions: list[Any], calls: int) -> float:
    """Seconds that ``calls`` times receiving a batch and sending those environments their next actions takes.

    Args:
        env: an environment with ``send`` and ``recv``, all of whose environments are in flight.
        actions: batches of actions, played in turn.
        calls: how many to play.
    """
    start = time.perf_counter()
    for action in itertools.islice(itertools.cycle(actions), calls):
        _obs, _reward, _terminated, _truncated, info = env.recv()
        env.send(action, info["env_id"])
    return time.perf_counter() - start


class Contender:
    """A library with environments for a case, ready to be timed.

    Attributes:
        library: whose they are.
        calls: calls in one window.
        windows: seconds of each window timed so far.
    """

    def __init__(self, library: Library, case: Case) -> None:
        """Makes and resets the environments.

        Args:
            library: whose environments.
            case: what to make.
        """
        spec = make_spec(case.task)
        self.library = library
        self.calls = 1
        self.windows: list[float] = []
        self._actions = random_actions(spec.action_space, case.batch_size * spec.rows)
        # So that a window begins neither with sleeping threads nor with results that were finished during a peer's.
        self._least_lead = -(-case.num_envs // case.batch_size)
        self._play = async_calls if case.is_async else step_calls
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # peers' own, about their own spaces; EnvPool's come with the first result
            self._env = library.make(case)
            if case.is_async:
                self._env.async_reset()
            else:
                self._env.reset()
            self._play(self._env, self._actions, 1)

    def calibrate(self, seconds: float) -> None:
        """Sets ``calls`` so that a window takes about ``seconds``, by trying; warms everything up on the way.

        Args:
            seconds: length of a window.
        """
        took = self._play(self._env, self._actions, self.calls)
        while took < seconds / 4:
            self.calls *= 2
            took = self._play(self._env, self._actions, self.calls)
        self.calls = max(1, round(self.calls * seconds / took))

    def time_window(self) -> float:
        """Plays one window, after an untimed run-up of a tenth of it; returns its seconds per call."""
        self._play(self._env, self._actions, max(self._least_lead, self.calls // 10))
        self.windows.append(self._play(self._env, self._actions, self.calls))
        return self.windows[-1] / self.calls

    def close(self) -> None:
        """Frees the environments."""
        if hasattr(self._env, "close"):
            self._env.close()
        del self._env
