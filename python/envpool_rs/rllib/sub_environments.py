"""Environments in a list that can be made anew, one by one."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from envpool_rs._arguments import integer

logger = logging.getLogger(__name__)

MOST_FAILURES_IN_A_ROW = 10
"""So many times an environment may fail and be made anew, without a single step or reset between that succeeded."""


class SubEnvironments:
    """The environments of a vector, and how they are made.

    Attributes:
        envs: the environments; made anew in place.
        restart_failed: whether an environment that raised is made anew, and its exception handed on as a value.
    """

    def __init__(
        self,
        make_env: Callable[[int], Any] | None,
        existing_envs: Sequence[Any],
        num_envs: int,
        restart_failed: bool,
    ) -> None:
        """Makes what is missing.

        Args:
            make_env: makes the environment at an index; may be ``None`` where all exist.
            existing_envs: those that exist, in order.
            num_envs: how many there have to be.
            restart_failed: whether an environment that raised is made anew.

        Raises:
            ValueError: where environments are missing and nothing makes them.
        """
        integer("num_envs", num_envs, 1)
        if len(existing_envs) > num_envs:
            raise ValueError(
                f"existing_envs has {len(existing_envs)} environments: expected at most num_envs={num_envs}"
            )
        self._make_env = make_env
        self.restart_failed = restart_failed
        self.envs = list(existing_envs)
        self._failures = [0] * num_envs
        for index in range(len(self.envs), num_envs):
            self.envs.append(self._made(index))

    def __len__(self) -> int:
        return len(self.envs)

    def _made(self, index: int) -> Any:
        if not callable(self._make_env):
            raise ValueError(
                f"make_env={self._make_env!r}: expected a function that makes the environment at index {index}"
            )
        return self._make_env(index)

    def call(self, index: int, method: str, *arguments: Any, **keywords: Any) -> Any:
        """Calls a method of one environment.

        Returns:
            What it returned; or, where failed environments are made anew, the exception that it raised.

        Raises:
            Exception: whatever the environment raised, with a note of its index; also if it failed ten times in a row.
        """
        try:
            result = getattr(self.envs[index], method)(*arguments, **keywords)
        except Exception as error:
            if not self.restart_failed:
                raise described(error, index, method) from None
            return self._failed(index, method, error)
        self._failures[index] = 0
        return result

    def _failed(self, index: int, method: str, error: Exception) -> Exception:
        self._failures[index] += 1
        if self._failures[index] > MOST_FAILURES_IN_A_ROW:
            raise RuntimeError(
                f"environment {index} failed {self._failures[index]} times in a row, most recently in {method}(): "
                "it is not made anew again"
            ) from error
        logger.warning("environment %d failed in %s() and is made anew", index, method, exc_info=error)
        self.restart(index)
        return error

    def restart(self, index: int) -> None:
        """Closes an environment, whatever it says to that, and makes it anew."""
        try:
            self.envs[index].close()
        except Exception as error:
            logger.warning("closing environment %d before it is made anew failed: %s", index, error)
        self.envs[index] = self._made(index)

    def close(self) -> None:
        """Closes all environments, then raises the first failure."""
        failure: Exception | None = None
        for environment in self.envs:
            try:
                if hasattr(environment, "close"):
                    environment.close()
            except Exception as error:
                failure = failure or error
        if failure is not None:
            raise failure


def described(error: Exception, index: Any, method: str) -> Exception:
    """The same exception, with a word about where it came from."""
    note = f"raised by {method}() of environment {index!r}"
    if hasattr(error, "add_note"):
        error.add_note(note)
    else:  # Python 3.10
        error.__notes__ = [*getattr(error, "__notes__", ()), note]  # type: ignore[attr-defined]
    return error
