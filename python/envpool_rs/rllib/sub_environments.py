"""List of single environments that can be recreated individually."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from envpool_rs._arguments import integer

logger = logging.getLogger(__name__)

MAX_CONSECUTIVE_FAILURES = 10
"""Maximum number of failures of an environment in a row, without a successful step or reset in between."""


class RestartPolicy:
    """Decides whether a failed environment is recreated, and makes environments.

    Attributes:
        restarts_failed: whether an environment that raised an exception is recreated.
    """

    def __init__(self, make_env: Callable[[int], Any] | None, num_envs: int, restarts_failed: bool) -> None:
        self._make_env = make_env
        self.restarts_failed = restarts_failed
        self._failures = [0] * integer("num_envs", num_envs, 1)

    def make(self, index: int) -> Any:
        """Makes the environment at an index.

        Raises:
            ValueError: without a function that makes environments.
        """
        if not callable(self._make_env):
            raise ValueError(
                f"make_env={self._make_env!r}: expected a function that makes the environment at index {index}"
            )
        return self._make_env(index)

    def note_success(self, index: int) -> None:
        """Records that an environment completed a call."""
        self._failures[index] = 0

    def note_failure(self, index: int, method: str, error: Exception) -> None:
        """Records a failure of an environment that is about to be recreated.

        Raises:
            RuntimeError: after ten consecutive failures.
        """
        self._failures[index] += 1
        if self._failures[index] > MAX_CONSECUTIVE_FAILURES:
            raise RuntimeError(
                f"environment {index} failed {self._failures[index]} times in a row, most recently in {method}(): "
                "it is not recreated"
            ) from error
        logger.warning("environment %d failed in %s() and is recreated", index, method, exc_info=error)


class SubEnvironments:
    """Environments of a vector, and the function that makes them.

    Attributes:
        envs: the environments; recreated in place.
    """

    def __init__(
        self,
        make_env: Callable[[int], Any] | None,
        existing_envs: Sequence[Any],
        num_envs: int,
        restart_failed: bool,
    ) -> None:
        """Makes the environments that do not exist yet.

        Args:
            make_env: function that makes the environment at an index; may be ``None`` if all environments exist.
            existing_envs: existing environments, in order.
            num_envs: required number of environments.
            restart_failed: whether an environment that raised an exception is recreated.

        Raises:
            ValueError: if environments are missing and ``make_env`` is ``None``.
        """
        self._policy = RestartPolicy(make_env, num_envs, restart_failed)
        if len(existing_envs) > num_envs:
            raise ValueError(
                f"existing_envs has {len(existing_envs)} environments: expected at most num_envs={num_envs}"
            )
        self.envs = list(existing_envs)
        for index in range(len(self.envs), num_envs):
            self.envs.append(self._policy.make(index))

    def call(self, index: int, method: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Calls a method of one environment.

        Returns:
            The method's result; or its exception, if failed environments are recreated.

        Raises:
            Exception: the environment's exception, with its index as a note. After ten consecutive failures the
                exception is always raised.
        """
        try:
            result = getattr(self.envs[index], method)(*arguments, **keywords)
        except Exception as error:
            if not self._policy.restarts_failed:
                raise annotate(error, index, method) from None
            self._policy.note_failure(index, method, error)
            self.restart(index)
            return error
        self._policy.note_success(index)
        return result

    def restart(self, index: int) -> None:
        """Closes an environment, ignoring its exceptions, and recreates it."""
        try:
            self.envs[index].close()
        except Exception as error:
            logger.warning("closing environment %d before it is recreated failed: %s", index, error)
        self.envs[index] = self._policy.make(index)

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


def annotate(error: Exception, index: Any, method: str) -> Exception:
    """Returns the exception with a note of its origin."""
    note = f"raised by {method}() of environment {index!r}"
    if hasattr(error, "add_note"):
        error.add_note(note)
    else:  # Python 3.10, whose exceptions have no notes
        error.__notes__ = [*getattr(error, "__notes__", ()), note]  # type: ignore[attr-defined]
    return error
