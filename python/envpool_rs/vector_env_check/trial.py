"""Runs a vector environment with a fixed seed and fixed actions, and copies its results; defines exceptions of
checks.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode


class BrokenPromise(NamedTuple):
    """Record of a promise, a requirement of the contract, that a vector environment breaks.

    Attributes:
        check: name of the check.
        promise: the promise, a sentence.
        seen: the observed behaviour.
    """

    check: str
    promise: str
    seen: str

    def __str__(self) -> str:
        return f"{self.promise} {self.seen}"


class CheckFailed(Exception):  # noqa: N818 - raised by checks; users see a `VectorEnvContractError`
    """Raised by a failing check, with the observed behaviour."""


class CheckSkipped(Exception):  # noqa: N818
    """Raised by a check that cannot run, because a condition for it does not occur; the message names the condition."""


class VectorEnvContractError(AssertionError):
    """Raised if a vector environment breaks promises of the contract.

    Attributes:
        broken: all broken promises.
    """

    def __init__(self, env: object, broken: list[BrokenPromise]) -> None:
        self.broken = broken
        lines = "\n".join(f"- {each}" for each in broken)
        super().__init__(
            f"{env} breaks {len(broken)} promise{'s' * (len(broken) > 1)} of a vector environment:\n{lines}"
        )


@dataclass
class Step:
    """Result of a step or reset.

    Attributes:
        result: observation, reward, terminated, truncated and info.
        ended_before: ``(num_envs,)``, True if the previous step ended the environment's episode; ``None`` for a reset.
    """

    result: tuple[Any, ...]
    ended_before: npt.NDArray[np.bool_] | None

    @property
    def observation(self) -> Any:
        """The batched observation."""
        return self.result[0]

    @property
    def info(self) -> Any:
        """The infos."""
        return self.result[-1]

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """``(num_envs,)``, the environments whose episode ended in this step."""
        ended: npt.NDArray[np.bool_] = np.logical_or(self.result[2], self.result[3])
        return ended


class Trial:
    """The vector environment under test, with the actions and the seed that all checks use.

    Attributes:
        env: the environment.
        seed: the seed of every game.
        actions: a batch of actions for each step.
    """

    def __init__(self, env: Any, seed: int, steps: int) -> None:
        self.env = env
        self.seed = seed
        space = copy.deepcopy(env.action_space)
        space.seed(seed)
        self.actions = [space.sample() for _ in range(steps)]

    @property
    def num_envs(self) -> int:
        """Number of environments."""
        return int(self.env.num_envs)

    @property
    def mode(self) -> Any:
        """The environment's autoreset mode, from its metadata."""
        return self.env.metadata.get("autoreset_mode")

    @cached_property
    def game(self) -> list[Step]:
        """Copies of all results of one game, starting with the result of the reset.

        In disabled mode, resets under a mask restart environments whose episodes ended.
        """
        return self.play()

    @cached_property
    def steps(self) -> list[Step]:
        """The results of the game's steps."""
        return self.game[1:]

    @cached_property
    def endings(self) -> list[Step]:
        """The steps that ended an episode.

        Raises:
            CheckSkipped: if no episode ended.
        """
        found = [step for step in self.steps if step.ended.any()]
        if not found:
            raise CheckSkipped(f"no episode ended within steps={len(self.actions)}")
        return found

    def play(self, *, seed: Any = None, touch: Any = None) -> list[Step]:
        """Runs a game: a reset and all steps.

        Args:
            seed: seed that replaces the trial's.
            touch: function that is called with each step's result after it was copied.

        Returns:
            Copies of all results.
        """
        results = self.env.reset(seed=self.seed if seed is None else seed)
        game = [Step(copy.deepcopy(results), None)]
        ended = np.zeros(self.num_envs, dtype=np.bool_)
        for action in self.actions:
            if self.mode is AutoresetMode.DISABLED and ended.any():
                self.env.reset(options={"reset_mask": ended})
                ended = np.zeros_like(ended)
            results = self.env.step(copy.deepcopy(action))
            game.append(Step(copy.deepcopy(results), ended))
            ended = game[-1].ended
            if touch is not None:
                touch(results)
        return game

    def other_actions(self, rows: int) -> Any:
        """Returns a batch of actions with another number of rows, by cutting or repeating the first batch.

        Raises:
            CheckSkipped: for spaces of several arrays.
        """
        action = self.actions[0]
        if not isinstance(action, np.ndarray):
            raise CheckSkipped("actions are not one array")
        return np.resize(action, (rows, *action.shape[1:]))
