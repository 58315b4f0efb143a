"""Environment with images of a video game's size as observations, and a fixed cost per step."""

from __future__ import annotations

import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

SHAPE = (84, 84, 4)
"""Four frames of 84x84 grey pixels, as Atari agents get them."""

EPISODE = 100
"""Steps per episode."""

TASK = "envpool_rs_benchmark/BusyImage-v0"
"""gymnasium id, with a millisecond of work per step."""


class BusyImageEnv(gymnasium.Env[Any, Any]):
    """Consumes processor time for a given duration, then returns one of two fixed images (uint8, 84x84x4).

    The duration is processor time, not wall-clock time: environments that wait for a core make no progress, like
    environments that compute.
    """

    observation_space = spaces.Box(0, 255, SHAPE, np.uint8)
    action_space = spaces.Discrete(4)

    def __init__(self, work_seconds: float = 0.001) -> None:
        """Creates the images.

        Args:
            work_seconds: processor time of a step.
        """
        self._work_seconds = work_seconds
        self._pictures = np.random.default_rng(0).integers(0, 256, (2, *SHAPE), np.uint8)
        self._steps = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode, without consuming processor time."""
        super().reset(seed=seed)
        self._steps = 0
        return self._pictures[0].copy(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Consumes the processor time of a step, and returns the next image."""
        end = time.thread_time() + self._work_seconds
        while time.thread_time() < end:
            pass
        self._steps += 1
        return self._pictures[self._steps % 2].copy(), 1.0, False, self._steps >= EPISODE, {}


gymnasium.register(TASK, f"{__name__}:BusyImageEnv", kwargs={"work_seconds": 0.001})
