"""Measures one library in one benchmark case, in windows (series of steps)."""

from __future__ import annotations

import itertools
import time
import warnings
from typing import Any

from envpool_rs._facades.tuning import random_actions
from envpool_rs._make.make import make_spec

from envpool_bench.case import Case
from envpool_bench.libraries import Library


def step_calls(env: Any, actions: list[Any], calls: int) -> float:
    """Steps all environments ``calls`` times, and returns the seconds taken. Holds each result until the next step.

    Args:
        env: any vector environment whose step returns five values.
        actions: batches of actions, used in turn.
        calls: number of calls.
    """
    start = time.perf_counter()
    for action in itertools.islice(itertools.cycle(actions), calls):
        _obs, _reward, _terminated, _truncated, _info = env.step(action)
    return time.perf_counter() - start


def async_calls(env: Any, actions: list[Any], calls: int) -> float:
    """Receives a batch and sends its environments' next actions, ``calls`` times. Returns the seconds taken.

    Args:
        env: an environment with ``send`` and ``recv``, all of whose environments are in flight.
        actions: batches of actions, used in turn.
        calls: number of batches.
    """
    start = time.perf_counter()
    for action in itertools.islice(itertools.cycle(actions), calls):
        _obs, _reward, _terminated, _truncated, info = env.recv()
        env.send(action, info["env_id"])
    return time.perf_counter() - start


class Contender:
    """Library with environments for a case, ready for timing.

    Attributes:
        library: the library.
        calls: calls per window.
        windows: seconds of each window timed so far.
    """

    def __init__(self, library: Library, case: Case) -> None:
        """Makes and resets the environments.

        Args:
            library: the library.
            case: the case.
        """
        spec = make_spec(case.task)
        self.library = library
        self.calls = 1
        self.windows: list[float] = []
        self._actions = random_actions(spec.action_space, case.batch_size * spec.rows)
        # Least number of calls in the run-up before a window. The run-up wakes sleeping threads, and receives results
        # that were completed during a peer's window.
        self._least_lead = -(-case.num_envs // case.batch_size)
        self._play = async_calls if case.is_async else step_calls
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # peers warn about their spaces, and EnvPool at its first result
            self._env = library.make(case)
            if case.is_async:
                self._env.async_reset()
            else:
                self._env.reset()
            self._play(self._env, self._actions, 1)

    def calibrate(self, seconds: float) -> None:
        """Sets ``calls`` so that a window takes about ``seconds``. The trial steps also warm up caches and threads.

        Args:
            seconds: length of a window.
        """
        took = self._play(self._env, self._actions, self.calls)
        while took < seconds / 4:
            self.calls *= 2
            took = self._play(self._env, self._actions, self.calls)
        self.calls = max(1, round(self.calls * seconds / took))

    def time_window(self) -> float:
        """Measures one window, after an unmeasured run-up of a tenth of its length. Returns the seconds per call."""
        self._play(self._env, self._actions, max(self._least_lead, self.calls // 10))
        self.windows.append(self._play(self._env, self._actions, self.calls))
        return self.windows[-1] / self.calls

    def close(self) -> None:
        """Frees the environments."""
        if hasattr(self._env, "close"):
            self._env.close()
        del self._env
