"""An environment with the observations of a video game and a fixed cost per step."""

from __future__ import annotations

import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

SHAPE = (84, 84, 4)
"""Four pictures of 84x84 grey pixels, as Atari agents get them."""

EPISODE = 100
"""Steps of an episode."""

TASK = "envpool_rs_benchmark/BusyImage-v0"
"""Id by which gymnasium makes it, with a millisecond of work for each step."""


class BusyImageEnv(gymnasium.Env[Any, Any]):
    """Computes for a given time of its thread, then shows one of two fixed pictures (uint8, 84x84x4).

    The time is the processor's, not the clock's: environments that wait for a core make no progress, as real work
    makes none.
    """

    observation_space = spaces.Box(0, 255, SHAPE, np.uint8)
    action_space = spaces.Discrete(4)

    def __init__(self, work_seconds: float = 0.001) -> None:
        """Draws the pictures.

        Args:
            work_seconds: processor time of a step.
        """
        self._work_seconds = work_seconds
        self._pictures = np.random.default_rng(0).integers(0, 256, (2, *SHAPE), np.uint8)
        self._steps = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode; costs nothing."""
        super().reset(seed=seed)
        self._steps = 0
        return self._pictures[0].copy(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Works, and shows the next picture."""
        end = time.thread_time() + self._work_seconds
        while time.thread_time() < end:
            pass
        self._steps += 1
        return self._pictures[self._steps % 2].copy(), 1.0, False, self._steps >= EPISODE, {}


gymnasium.register(TASK, f"{__name__}:BusyImageEnv", kwargs={"work_seconds": 0.001})
