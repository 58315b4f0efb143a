"""Adapter of the crafter package's environment, with which the benchmark compares this package's pools."""

from __future__ import annotations

import importlib
from importlib import metadata
from typing import Any

import numpy as np

from envpool_bench.case import Case

PACKAGE = "crafter"

TASKS = {"CrafterReward-v1": True, "CrafterNoReward-v1": False}
"""Tasks of the crafter package, and whether their steps return rewards."""


class CrafterEnvs:
    """Vector of ``crafter.Env`` that are stepped in turn. The step after an episode's end starts the next episode."""

    def __init__(self, envs: list[Any]) -> None:
        """Creates the vector of these environments.

        Args:
            envs: the environments.
        """
        self._envs = envs
        self._ended = [False] * len(envs)

    def reset(self) -> Any:
        """Resets all environments and returns their first observations."""
        return np.stack([env.reset() for env in self._envs]), {}

    def step(self, actions: Any) -> Any:
        """Steps all environments."""
        results = [self._step(index, int(action)) for index, action in enumerate(actions)]
        observations, rewards, ended, infos = zip(*results, strict=True)
        self._ended = list(ended)
        return np.stack(observations), np.array(rewards), np.array(ended), np.zeros(len(ended), bool), infos

    def _step(self, index: int, action: int) -> Any:
        env = self._envs[index]
        if self._ended[index]:
            return env.reset(), 0.0, False, {}
        return env.step(action)

    def close(self) -> None:
        """Does nothing, because the environments hold no resources."""


def refusal(case: Case) -> str | None:
    """Returns the reason why the crafter package does not support a case; ``None`` if it does."""
    if case.task not in TASKS:
        return "it has no such task"
    return "it has no send and recv" if case.is_async else None


def make(case: Case) -> CrafterEnvs:
    """Makes the case's environments.

    Args:
        case: the case.
    """
    package = importlib.import_module("crafter")
    return CrafterEnvs([package.Env(reward=TASKS[case.task], seed=seed) for seed in range(case.num_envs)])


def version() -> str:
    """Returns the version of the crafter package."""
    return metadata.version("crafter")
