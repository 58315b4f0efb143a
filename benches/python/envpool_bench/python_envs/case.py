"""Benchmark cases: a number of Python environments of one kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import gymnasium

from envpool_bench.python_envs import busy_image_env


@dataclass(frozen=True)
class PythonCase:
    """Benchmark case: a number of environments of one kind, which each library vectorises.

    Attributes:
        name: its name on the command line.
        title: its description in output.
        task: id of the environment, which ``gymnasium.make`` makes with its usual wrappers.
        num_envs: number of environments.
    """

    name: str
    title: str
    task: str
    num_envs: int

    @property
    def env_fns(self) -> list[Callable[[], Any]]:
        """Returns a list of functions, each of which makes one environment."""
        return [partial(gymnasium.make, self.task)] * self.num_envs


CASES = {
    case.name: case
    for case in (
        PythonCase("cart-pole-8", "8 CartPoles", "CartPole-v1", 8),
        PythonCase("cart-pole-64", "64 CartPoles", "CartPole-v1", 64),
        PythonCase("image-8", "8 image environments: 84x84x4 uint8, 1 ms of work each", busy_image_env.TASK, 8),
    )
}
"""Benchmark cases by their names on the command line."""


def named_cases(names: str) -> list[PythonCase]:
    """Returns the benchmark cases whose names are given.

    Args:
        names: names separated by commas, or ``all``.

    Raises:
        ValueError: for an unknown name.
    """
    if names == "all":
        return list(CASES.values())
    for name in names.split(","):
        if name not in CASES:
            raise ValueError(f"--cases {name}: expected 'all' or some of {', '.join(CASES)}")
    return [CASES[name] for name in names.split(",")]
