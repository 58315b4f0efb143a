"""Backend that reaches each environment through its own worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from envpool_rs._nested import owned
from envpool_rs._workers.adapters import read_reset
from envpool_rs._workers.observations import ObservationLayout, conform_function
from envpool_rs.vector.env_worker import EnvWorker
from envpool_rs.vector.executor import EnvBackend, EnvironmentFailure, Failure
from envpool_rs.vector.step_result import StepResult, read_step

_METHODS = {
    "get_attribute": "get_env_attr",
    "set_attribute": "set_env_attr",
    "seed_environment": "seed",
    "get_environment": "get_env_obj",
}
"""Methods of `EnvWorker`, by the operation of `EnvBackend.apply` that they implement."""


class EnvWorkerBackend(EnvBackend):
    """Backend of environments that each have their own `EnvWorker`.

    Args:
        workers: the workers, all of one class.
    """

    def __init__(self, workers: Sequence[EnvWorker]) -> None:
        self._workers = workers
        self._worker_class = type(workers[0])
        self._sent: set[int] = set()
        """Environments whose request was sent to the worker, and whose result was not received yet."""
        self._failed: dict[int, EnvironmentFailure] = {}
        """Failures that occurred when requests were sent, by environment."""
        spaces = self.get_attributes(range(len(workers)), "observation_space")
        self._spaces = [None if isinstance(space, EnvironmentFailure) else space for space in spaces]
        self._fits = conform_function(dict(enumerate(map(ObservationLayout.of, self._spaces))), lenient=True)

    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        """Sends each worker a copy of its action, because environments may write to it."""
        for index, env_id in enumerate(ids):
            self._send(env_id, "step", self._workers[env_id].send, owned(actions[index]))

    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, keywords: Mapping[str, Any]) -> None:
        """Sends each worker its reset request."""
        for env_id, seed in zip(ids, seeds or [None] * len(ids), strict=True):
            own = owned(dict(keywords))
            seeded = own if seed is None else {**own, "seed": seed}
            self._send(env_id, "reset", self._workers[env_id].send_reset, **seeded)

    def _send(self, env_id: int, operation: str, send: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> None:
        try:
            send(*arguments, **keywords)
        except (Exception, SystemExit) as error:
            self._failed[env_id] = EnvironmentFailure(env_id, operation, error)
        else:
            self._sent.add(env_id)

    def wait(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        """Waits for requests by the `wait` method of the workers' class.

        Returns at once if ``ids`` contains all environments, because `take_steps` and `take_resets` also wait.
        """
        failed = [env_id for env_id in ids if env_id in self._failed]
        sent = [env_id for env_id in ids if env_id in self._sent]
        if len(failed) >= count:
            return failed
        if timeout is None and count >= len(ids):
            return list(ids)
        workers = [self._workers[env_id] for env_id in sent]
        ready = self._worker_class.wait(list(workers), count - len(failed), timeout)
        while not ready and not failed:
            ready = self._worker_class.wait(list(workers), 1, None)
        return failed + [sent[workers.index(worker)] for worker in ready]

    def take_steps(self, ids: Sequence[int]) -> list[StepResult | Failure]:
        """Receives step results from one worker after the other."""
        return [self._receive(env_id, "step", self._read_step) for env_id in ids]

    def take_resets(self, ids: Sequence[int]) -> list[tuple[Any, dict[str, Any]] | Failure]:
        """Receives reset results from one worker after the other."""
        return [self._receive(env_id, "reset", self._read_reset) for env_id in ids]

    def _read_step(self, env_id: int, returned: Any) -> StepResult:
        step = read_step(returned)
        self._check_observation(env_id, step.observation)
        return step

    def _read_reset(self, env_id: int, returned: Any) -> tuple[Any, dict[str, Any]]:
        observation, info = read_reset(returned, self._spaces[env_id])
        self._check_observation(env_id, observation)
        return observation, owned(dict(info))

    def _check_observation(self, env_id: int, observation: Any) -> None:
        """Raises an error for an observation whose shape differs from that of its space."""
        if type(observation) is not np.ndarray or observation.shape != getattr(self._spaces[env_id], "shape", None):
            self._fits(env_id, observation)

    def _receive(self, env_id: int, operation: str, read: Callable[[int, Any], Any]) -> Any:
        failure = self._failed.pop(env_id, None)
        if failure is not None:
            return failure
        try:
            received = self._workers[env_id].recv()
            self._sent.discard(env_id)
            return read(env_id, received)
        except (Exception, SystemExit) as error:
            self._sent.discard(env_id)
            return EnvironmentFailure(env_id, operation, error)

    def discard(self, ids: Sequence[int]) -> None:
        """Receives the results of sent requests, and drops them."""
        for env_id in ids:
            if env_id in self._failed or env_id in self._sent:
                self._receive(env_id, "step", _identity)

    def apply(self, operation: str, ids: Sequence[int], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Runs an operation on one worker after the other; a method call is started on all workers before any result is
        received.
        """
        pairs = list(zip(ids, arguments, strict=True))
        if operation == "call_method":
            for env_id, (path, keywords) in pairs:
                self._send(env_id, path, self._workers[env_id].customized_method, path, keywords)
            return [self._receive(env_id, path, _identity) for env_id, (path, _) in pairs]
        if operation == "render":
            return [self._ask(env_id, "render", **keywords) for env_id, (keywords,) in pairs]
        return [self._ask(env_id, _METHODS[operation], *each) for env_id, each in pairs]

    def _ask(self, env_id: int, operation: str, /, *arguments: Any, **keywords: Any) -> Any:
        try:
            return getattr(self._workers[env_id], operation)(*arguments, **keywords)
        except (Exception, SystemExit) as error:
            return EnvironmentFailure(env_id, operation, error)

    def observation_spaces(self) -> Sequence[Any]:
        """Returns the spaces that environments declared when they were made."""
        return self._spaces

    def close(self) -> None:
        """Closes all workers, one after the other."""
        failures = [self._ask(env_id, "close") for env_id in range(len(self._workers))]
        for failure in failures:
            if isinstance(failure, EnvironmentFailure):
                raise failure.raised()


def _identity(env_id: int, received: Any) -> Any:
    return received


def make_workers(
    worker_fn: Callable[..., EnvWorker], env_fns: Sequence[Callable[[], Any]], keywords: Mapping[str, Any]
) -> list[EnvWorker]:
    """Makes a worker for each environment; if that fails for one, closes all workers made before.

    Args:
        worker_fn: class or function that makes a worker from a function that makes an environment.
        env_fns: functions that make one environment each.
        keywords: further arguments for ``worker_fn``.

    Raises:
        Exception: an exception of ``worker_fn``, naming the environment.
        TypeError: if the workers are not all of one class.
    """
    workers: list[EnvWorker] = []
    try:
        for env_id, env_fn in enumerate(env_fns):
            try:
                made = worker_fn(env_fn, **keywords)
            except (Exception, SystemExit) as error:
                raise EnvironmentFailure(env_id, "make", error).raised() from error.__cause__
            _check_worker(worker_fn, made, workers)
            workers.append(made)
    except BaseException:
        for worker in workers:
            worker.close()
        raise
    return workers


def _check_worker(worker_fn: Any, made: Any, others: Sequence[EnvWorker]) -> None:
    if not isinstance(made, EnvWorker):
        raise TypeError(f"worker_fn={worker_fn!r} made a {type(made).__name__}: expected an EnvWorker")
    if others and type(made) is not type(others[0]):
        kinds = f"a {type(others[0]).__name__} and a {type(made).__name__}"
        raise TypeError(f"worker_fn={worker_fn!r} made {kinds}: expected workers of one class")
