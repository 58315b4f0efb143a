"""Measures the environments of one library in one benchmark case, in windows (series of steps)."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass

from envpool_rs._facades.tuning import random_actions

from envpool_bench.libraries import without_interrupts
from envpool_bench.python_envs.case import PythonCase
from envpool_bench.python_envs.players import Player, cycle_batches


@dataclass(frozen=True)
class Window:
    """Times of the steps in one window.

    Attributes:
        seconds: wall-clock time.
        parent_seconds: processor time of the calling process: all its threads, user and system together.
    """

    seconds: float
    parent_seconds: float


class Contender:
    """Environments of one library, ready for timing.

    Attributes:
        player: the library.
        calls: calls per window.
        windows: the windows timed so far.
    """

    def __init__(self, player: Player, case: PythonCase) -> None:
        """Makes and resets the environments.

        Args:
            player: the library.
            case: the case.
        """
        self.player = player
        self.calls = 1
        self.windows: list[Window] = []
        env = case.env_fns[0]()
        self._actions = random_actions(env.action_space, case.num_envs)
        env.close()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some peers warn when they are made
            self._env = without_interrupts(lambda: player.make(case))
            self._env.reset()
            self._play(1)

    def calibrate(self, seconds: float) -> None:
        """Sets ``calls`` so that a window takes about ``seconds``. The trial steps also warm up caches and processes.

        Args:
            seconds: length of a window.
        """
        took = self._play(self.calls).seconds
        while took < seconds / 4:
            self.calls *= 2
            took = self._play(self.calls).seconds
        self.calls = max(1, round(self.calls * seconds / took))

    def time_window(self) -> Window:
        """Measures one window, after an unmeasured run-up of a tenth of its length."""
        self._play(max(1, self.calls // 10))
        self.windows.append(self._play(self.calls))
        return self.windows[-1]

    def close(self) -> None:
        """Closes the environments and their processes."""
        self._env.close()

    def _play(self, calls: int) -> Window:
        actions = cycle_batches(self._actions, calls)
        processor, start = time.process_time(), time.perf_counter()
        self.player.play(self._env, actions)
        seconds = time.perf_counter() - start
        return Window(seconds, time.process_time() - processor)
