"""Interface that carries requests to environments, and their results back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from envpool_rs._workers.env_failure import with_env_id
from envpool_rs.vector.step_result import StepBatch, StepResult


class Failure(Protocol):
    """Failure of an environment."""

    env_id: int

    def raised(self) -> BaseException:
        """Returns the exception to raise: of the original type, naming the environment."""


def is_failure(value: Any) -> bool:
    """Returns whether a value is a failure of an environment."""
    return hasattr(value, "raised") and hasattr(value, "operation")


class EnvBackend(ABC):
    """Environments behind a common interface, in this process, in workers or in actors.

    Each environment has at most one request at a time. An environment's exception is returned as a `Failure` instead of
    its result; it is never raised here. The caller validates arguments.
    """

    @abstractmethod
    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        """Sends a step to environments.

        Args:
            ids: of idle environments.
            actions: a sequence with one for each.
        """

    @abstractmethod
    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, keywords: Mapping[str, Any]) -> None:
        """Sends a reset to environments.

        Args:
            ids: of idle environments.
            seeds: one for each; ``reset`` receives no seed for ``None``.
            keywords: all other arguments of ``reset``.
        """

    @abstractmethod
    def wait(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        """Waits for requests.

        Args:
            ids: of environments with a request.
            count: the number of environments to wait for.
            timeout: seconds after which fewer are returned, but at least one.

        Returns:
            The environments that have finished and are not taken yet, in order of completion; ``count`` of them before
            the timeout.
        """

    @abstractmethod
    def take_steps(self, ids: Sequence[int]) -> StepBatch | list[StepResult | Failure]:
        """Returns the results of finished steps, in the order of ``ids``; a batch if none failed and it is fast."""

    @abstractmethod
    def take_resets(
        self, ids: Sequence[int]
    ) -> tuple[Any, list[dict[str, Any]]] | list[tuple[Any, dict[str, Any]] | Failure]:
        """Returns the results of finished resets, in the order of ``ids``.

        If none failed and stacking is fast: stacked observations and infos. Otherwise an observation and an info, or a
        failure, for each.
        """

    @abstractmethod
    def discard(self, ids: Sequence[int]) -> None:
        """Waits for the requests of these environments, and drops their results."""

    @abstractmethod
    def get_attributes(self, ids: Sequence[int], name: str) -> list[Any]:
        """Returns an attribute of each environment, or a failure."""

    @abstractmethod
    def set_attributes(self, ids: Sequence[int], name: str, value: Any) -> list[Any]:
        """Sets an attribute; returns ``None`` or a failure for each environment."""

    @abstractmethod
    def call_methods(self, ids: Sequence[int], path: str, keywords: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Calls a method, its name possibly dotted, of each environment; returns the results or failures."""

    @abstractmethod
    def seed(self, ids: Sequence[int], seeds: Sequence[int | None]) -> list[Any]:
        """Seeds the environments; returns the lists of seeds that they report, or failures."""

    @abstractmethod
    def render(self, ids: Sequence[int], keywords: Mapping[str, Any]) -> list[Any]:
        """Calls ``render`` of each environment; returns the results or failures."""

    @abstractmethod
    def environments(self, ids: Sequence[int]) -> list[Any]:
        """Returns the environments as objects (copies if they are in other processes), or failures."""

    @abstractmethod
    def observation_spaces(self) -> Sequence[Any]:
        """Returns the observation space of each environment; ``None`` if it declares none."""

    @abstractmethod
    def close(self) -> None:
        """Closes all environments; raises the first failure after the last one is closed."""


class EnvironmentFailure:
    """An exception with the environment that raised it and the failed operation.

    Attributes:
        env_id: the environment.
        operation: ``"step"``, ``"reset"`` or a method's name.
        error: the exception itself.
    """

    def __init__(self, env_id: int, operation: str, error: BaseException) -> None:
        self.env_id = env_id
        self.operation = operation
        self.error = error

    def raised(self) -> BaseException:
        """Returns the exception itself, its message naming the environment; a RuntimeError instead of SystemExit."""
        if isinstance(self.error, Exception):
            return with_env_id(self.error, self.env_id, self.operation)
        error = RuntimeError(f"environment {self.env_id} raised {self.error!r} in {self.operation}")
        error.__cause__ = self.error
        return error
