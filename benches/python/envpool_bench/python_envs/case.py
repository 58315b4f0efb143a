"""What is measured: environments of one kind, and how many."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import gymnasium

from envpool_bench.python_envs import busy_image_env


@dataclass(frozen=True)
class PythonCase:
    """Environments that every player vectorises.

    Attributes:
        name: what it is called on the command line.
        title: what they are, for people.
        task: id of the environment, which ``gymnasium.make`` makes with its usual wrappers.
        num_envs: how many.
    """

    name: str
    title: str
    task: str
    num_envs: int

    @property
    def env_fns(self) -> list[Callable[[], Any]]:
        """A function for each environment."""
        return [partial(gymnasium.make, self.task)] * self.num_envs


CASES = {
    case.name: case
    for case in (
        PythonCase("cart-pole-8", "8 CartPoles", "CartPole-v1", 8),
        PythonCase("cart-pole-64", "64 CartPoles", "CartPole-v1", 64),
        PythonCase("image-8", "8 image environments: 84x84x4 uint8, 1 ms of work each", busy_image_env.TASK, 8),
    )
}
"""The cases, by name."""


def named_cases(names: str) -> list[PythonCase]:
    """The cases of these names.

    Args:
        names: separated by commas; ``all``.

    Raises:
        ValueError: for a name that no case has.
    """
    if names == "all":
        return list(CASES.values())
    for name in names.split(","):
        if name not in CASES:
            raise ValueError(f"--cases {name}: expected 'all' or some of {', '.join(CASES)}")
    return [CASES[name] for name in names.split(",")]
