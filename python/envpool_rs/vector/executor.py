"""``EnvBackend``: interface of backends that send requests to environments. ``StepLedger``: the steps in flight."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn, Protocol

from envpool_rs._workers.serialization import EnvFailure, with_env_id
from envpool_rs.vector.step_result import StepBatch, StepResult, batch_steps


class Failure(Protocol):
    """Protocol of values that report the failure of an environment."""

    env_id: int

    def raised(self) -> BaseException:
        """Returns the exception to raise: of the original type, naming the environment."""


def is_failure(value: Any) -> bool:
    """Returns whether a value is a failure of an environment."""
    return isinstance(value, (EnvFailure, EnvironmentFailure))


class EnvBackend(ABC):
    """Interface to environments that run in this process, in workers or in actors.

    Each environment has at most one request at a time. An environment's exception is returned as a `Failure` instead of
    its result; these methods never raise it. The caller validates arguments.
    """

    @abstractmethod
    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        """Sends a step to environments.

        Args:
            ids: ids of idle environments.
            actions: a sequence with an action for each environment.
        """

    @abstractmethod
    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, keywords: Mapping[str, Any]) -> None:
        """Sends a reset to environments.

        Args:
            ids: ids of idle environments.
            seeds: a seed for each environment; for ``None``, ``reset`` is called without a seed.
            keywords: all other arguments of ``reset``.
        """

    @abstractmethod
    def wait(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        """Waits for requests.

        Args:
            ids: ids of environments with a request.
            count: the number of environments to wait for.
            timeout: seconds after which fewer environments may be returned, but at least one.

        Returns:
            The environments that have finished and are not taken yet, in order of completion; their number is
            ``count``, unless the timeout passed.
        """

    @abstractmethod
    def take_steps(self, ids: Sequence[int]) -> StepBatch | list[StepResult | Failure]:
        """Returns the results of finished steps, in the order of ``ids``: a batch if no step failed and batching is
        fast, otherwise a list.
        """

    @abstractmethod
    def take_resets(
        self, ids: Sequence[int]
    ) -> tuple[Any, list[dict[str, Any]]] | list[tuple[Any, dict[str, Any]] | Failure]:
        """Returns the results of finished resets, in the order of ``ids``.

        If no reset failed and stacking is fast, returns stacked observations and infos. Otherwise returns, for each
        environment, an observation and an info, or a failure.
        """

    @abstractmethod
    def discard(self, ids: Sequence[int]) -> None:
        """Waits for the requests of these environments, and drops their results."""

    @abstractmethod
    def apply(self, operation: str, ids: Sequence[int], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Runs an operation other than a step or reset in environments.

        Args:
            operation: name of a function of `hosted_envs`, which takes an environment and the arguments.
            ids: ids of idle environments.
            arguments: the arguments for each environment.

        Returns:
            For each environment the result or a failure.
        """

    def get_attributes(self, ids: Sequence[int], name: str) -> list[Any]:
        """Returns an attribute of each environment, or a failure."""
        return self.apply("get_attribute", ids, [(name,)] * len(ids))

    def set_attributes(self, ids: Sequence[int], name: str, value: Any) -> list[Any]:
        """Sets an attribute; returns ``None`` or a failure for each environment."""
        return self.apply("set_attribute", ids, [(name, value)] * len(ids))

    def call_methods(self, ids: Sequence[int], path: str, keywords: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Calls a method of each environment by its name, which may contain dots; returns the results or failures."""
        return self.apply("call_method", ids, [(path, dict(each)) for each in keywords])

    def seed(self, ids: Sequence[int], seeds: Sequence[int | None]) -> list[Any]:
        """Seeds the environments; returns the lists of seeds that they report, or failures."""
        return self.apply("seed_environment", ids, [(seed,) for seed in seeds])

    def render(self, ids: Sequence[int], keywords: Mapping[str, Any]) -> list[Any]:
        """Calls ``render`` of each environment; returns the results or failures."""
        return self.apply("render", ids, [(dict(keywords),)] * len(ids))

    def environments(self, ids: Sequence[int]) -> list[Any]:
        """Returns each environment as an object (a copy if it is in another process), or a failure."""
        return self.apply("get_environment", ids, [()] * len(ids))

    @abstractmethod
    def observation_spaces(self) -> Sequence[Any]:
        """Returns the observation space of each environment; ``None`` if it declares none."""

    @abstractmethod
    def close(self) -> None:
        """Closes all environments; raises the first failure after all are closed."""


class EnvironmentFailure:
    """Failure with an exception, the environment that raised it, and the operation that failed.

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
        """Returns the exception, with the environment's number in its message; a RuntimeError replaces SystemExit."""
        if isinstance(self.error, Exception):
            return with_env_id(self.error, self.env_id, self.operation)
        error = RuntimeError(f"environment {self.env_id} raised {self.error!r} in {self.operation}")
        error.__cause__ = self.error
        return error


class StepLedger:
    """Ledger of steps that were sent and whose results were not returned yet.

    A failed step is reported once, by an exception; the results that arrived together with it are stored, and the next
    fetch returns them. An interrupted call (Ctrl-C) leaves its steps pending. Other interrupted requests are waited for
    and dropped before their environments receive a new request.

    Args:
        executor: the backend of the environments.
        wait_num: number of environments that a fetch waits for in asynchronous mode.
        timeout: maximum time in seconds that a fetch waits.
        is_async: whether a fetch may return only some of the steps that were sent together.

    Attributes:
        waiting: environments with an unreturned step, in the order of sending.
        interrupted: environments with other requests in flight.
    """

    def __init__(self, executor: EnvBackend, wait_num: int, timeout: float | None, is_async: bool) -> None:
        self._executor = executor
        self._wait_num = wait_num
        self._timeout = timeout
        self._is_async = is_async
        self.waiting: list[int] = []
        self.interrupted: Sequence[int] = ()
        self._unreturned: dict[int, Any] = {}
        """Results and failures that were not returned yet, by environment, in the order of completion."""

    def send(self, ids: list[int], actions: Any) -> None:
        """Sends steps.

        Raises:
            RuntimeError: for environments with a step that was not returned yet.
        """
        if self.waiting or self.interrupted:
            self._drop_interrupted()
            for env_id in ids:
                if env_id in self.waiting:
                    self._refuse(env_id)
        self.interrupted = ids
        self._executor.send_steps(ids, actions)
        self.waiting = [*self.waiting, *ids] if self.waiting else ids
        self.interrupted = ()

    @property
    def is_idle(self) -> bool:
        """Whether the result of every sent step was returned, and no request was interrupted."""
        return not (self.waiting or self.interrupted)

    def finish_all(self, ids: list[int], results: Sequence[StepResult | Failure]) -> StepBatch:
        """Returns the steps of all environments, stacked from single results.

        No environment may have had another step in flight.

        Raises:
            Exception: an environment's exception; the results of all other environments are stored.
        """
        self.waiting = ids
        batch = self._one_by_one(ids, ids, results)
        self._forget(ids)
        return batch

    def fetch(self) -> StepBatch:
        """Returns finished steps: all in synchronous mode, otherwise at least one, limited by ``wait_num`` and
        ``timeout``.

        Raises:
            RuntimeError: if no step was sent.
            Exception: an environment's exception.
        """
        if not self.waiting:
            raise RuntimeError("step(None): no environment has a step to fetch: give actions first")
        self._drop_interrupted()
        if not self._is_async:
            return self.finish(self.waiting)
        ready = list(self._unreturned)
        missing = min(self._wait_num, len(self.waiting)) - len(ready)
        if missing > 0:
            stepping = [env_id for env_id in self.waiting if env_id not in self._unreturned]
            ready += self._executor.wait(stepping, missing, self._timeout)
        return self.finish(ready)

    def finish(self, ids: list[int]) -> StepBatch:
        """Returns the steps of ``ids``. In synchronous mode, this method waits for them; in asynchronous mode, they
        must have finished.

        Raises:
            Exception: an environment's exception.
        """
        stepping = [env_id for env_id in ids if env_id not in self._unreturned] if self._unreturned else ids
        if not self._is_async and stepping:
            self._executor.wait(stepping, len(stepping), None)
        results = self._executor.take_steps(stepping) if stepping else []
        if not isinstance(results, StepBatch) or self._unreturned:
            results = self._one_by_one(ids, stepping, results)
        self._forget(ids)
        return results

    def _one_by_one(self, ids: Sequence[int], stepping: Sequence[int], received: Any) -> StepBatch:
        rows = received.rows() if isinstance(received, StepBatch) else received
        self._unreturned.update(zip(stepping, rows, strict=True))
        for env_id in ids:
            if is_failure(self._unreturned[env_id]):
                failure = self._unreturned[env_id]
                self._forget([env_id])
                raise failure.raised()
        results: list[StepResult] = [self._unreturned[env_id] for env_id in ids]
        return batch_steps(ids, results, self._executor.observation_spaces())

    def drop(self, ids: Sequence[int]) -> None:
        """Prepares environments for a reset: in synchronous mode, drops their unfetched steps.

        Raises:
            RuntimeError: in asynchronous mode for environments with a step that was not returned yet.
        """
        if self._is_async:
            self.require_idle(ids)
            return
        self._drop_interrupted()
        unfetched = [env_id for env_id in ids if env_id in self.waiting] if self.waiting else []
        if unfetched:
            self._executor.discard(unfetched)
            self._forget(unfetched)

    def require_idle(self, ids: Sequence[int]) -> None:
        """Raises an error for environments that are stepping; in asynchronous mode also for environments with unfetched
        results.

        Raises:
            RuntimeError: naming the first environment that is not idle.
        """
        self._drop_interrupted()
        for env_id in ids if self.waiting else ():
            if env_id in self.waiting and (self._is_async or env_id not in self._unreturned):
                self._refuse(env_id)

    def _drop_interrupted(self) -> None:
        """Waits for the requests of an interrupted call, and drops their results."""
        if self.interrupted:
            self._executor.discard(self.interrupted)
            self.interrupted = ()

    def _forget(self, ids: Sequence[int]) -> None:
        """Removes the steps of the environments ``ids`` from the ledger, after the steps were returned or dropped."""
        if self._unreturned:
            for env_id in ids:
                self._unreturned.pop(env_id, None)
        if len(ids) == len(self.waiting):
            self.waiting = []
        else:
            forgotten = set(ids)
            self.waiting = [env_id for env_id in self.waiting if env_id not in forgotten]

    def _refuse(self, env_id: int) -> NoReturn:
        if env_id in self._unreturned:
            how = "fetch it by step(None)" if self._is_async else "fetch it by step(None), or reset the environment"
            raise RuntimeError(f"environment {env_id} has a result that was not fetched: {how}")
        raise RuntimeError(f"environment {env_id} is stepping now: step(None) waits for it")
