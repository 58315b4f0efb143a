"""What carries requests to environments, and their results back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from envpool_rs.vector.step_result import StepBatch, StepResult


class Failure(Protocol):
    """What went wrong in an environment."""

    env_id: int

    def raised(self) -> BaseException:
        """The exception to raise: of the original's type, naming the environment."""


class Executor(ABC):
    """Environments behind a common interface, wherever they live.

    Each environment has at most one request at a time. What an environment raises becomes a `Failure` in its place; it
    is never raised here. Arguments are checked before.
    """

    @abstractmethod
    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        """Has environments make a step.

        Args:
            ids: of idle environments.
            actions: a sequence with one for each.
        """

    @abstractmethod
    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, keywords: Mapping[str, Any]) -> None:
        """Has environments reset.

        Args:
            ids: of idle environments.
            seeds: for each; where it is ``None``, ``reset`` is not given any.
            keywords: all others of ``reset``.
        """

    @abstractmethod
    def wait(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        """Waits for requests.

        Args:
            ids: of environments with a request.
            count: how many of them to wait for.
            timeout: seconds after which fewer will do, but at least one.

        Returns:
            Those that have finished and were not taken yet, in order of completion; ``count`` of them before the
            timeout.
        """

    @abstractmethod
    def take_steps(self, ids: Sequence[int]) -> StepBatch | list[StepResult | Failure]:
        """Results of finished steps, in the order of ``ids``; a batch if none failed and there is a fast way."""

    @abstractmethod
    def take_resets(
        self, ids: Sequence[int]
    ) -> tuple[Any, list[dict[str, Any]]] | list[tuple[Any, dict[str, Any]] | Failure]:
        """Results of finished resets, in the order of ``ids``: stacked observations and infos if none failed and there
        is a fast way to stack them; else an observation and an info, or a failure, for each.
        """

    @abstractmethod
    def discard(self, ids: Sequence[int]) -> None:
        """Waits for whatever requests these environments have, and drops the results."""

    @abstractmethod
    def get_attributes(self, ids: Sequence[int], name: str) -> list[Any]:
        """An attribute of each environment, or a failure."""

    @abstractmethod
    def set_attributes(self, ids: Sequence[int], name: str, value: Any) -> list[Any]:
        """Sets an attribute; ``None`` or a failure for each environment."""

    @abstractmethod
    def call_methods(self, ids: Sequence[int], path: str, keywords: Sequence[Mapping[str, Any]]) -> list[Any]:
        """What a method, its name possibly dotted, returns in each environment, or a failure."""

    @abstractmethod
    def seed(self, ids: Sequence[int], seeds: Sequence[int | None]) -> list[Any]:
        """The lists of seeds that the environments report, or failures."""

    @abstractmethod
    def render(self, ids: Sequence[int], keywords: Mapping[str, Any]) -> list[Any]:
        """What ``render`` returns in each environment, or a failure."""

    @abstractmethod
    def environments(self, ids: Sequence[int]) -> list[Any]:
        """The environments as objects (copies, where they live in other processes), or failures."""

    @abstractmethod
    def observation_spaces(self) -> Sequence[Any]:
        """The observation space of each environment; ``None`` where none is declared."""

    @abstractmethod
    def close(self) -> None:
        """Closes all environments; raises the first failure after the last one is closed."""
