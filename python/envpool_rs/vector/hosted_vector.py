"""Actor class that hosts several environments, and runs requests of the driver on them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from envpool_rs._workers import EnvFailure, WorkerDied
from envpool_rs._workers.serialization import exception_bytes
from envpool_rs.ray.env_share import ActorMethods
from envpool_rs.vector.backend_env_worker import SubprocEnvWorker
from envpool_rs.vector.base_vector_env import BaseVectorEnv
from envpool_rs.vector.env_worker import DummyEnvWorker
from envpool_rs.vector.executor import EnvironmentFailure, is_failure
from envpool_rs.vector.stacking import unstack
from envpool_rs.vector.step_result import StepBatch, StepResult, batch_steps
from envpool_rs.vector.subproc_vector_env import SubprocVectorEnv


class ActorVectorEnv(ActorMethods):
    """Vector environment inside an actor's process, which runs the driver's requests.

    Environment ids are those of the driver, which are unique among all actors.
    """

    def __init__(
        self, first: int, env_fns: Sequence[bytes], sub_worker_fn: bytes, *, no_warning: bool, restart: bool
    ) -> None:
        """Stores the arguments; `make` makes the environments.

        Args:
            first: the id of the actor's first environment.
            env_fns: pickled functions that make the environments.
            sub_worker_fn: pickled function that makes the environments' workers.
            no_warning: whether to silence warnings of the environments.
            restart: whether dead worker processes are restarted.
        """
        self._first = first
        self._all = list(range(first, first + len(env_fns)))
        self._env_fns = env_fns
        self._sub_worker_fn = sub_worker_fn
        self._no_warning, self._restart = no_warning, restart
        super().__init__({name: getattr(self, name) for name in ("steps", "resets", "ask", "close")})

    def make(self) -> list[Any]:
        """Makes the environments.

        Returns:
            The observation space of each environment, or a list with a single failure.
        """
        try:
            env_fns = [pickle.loads(each) for each in self._env_fns]
            self._vector = _vector(env_fns, pickle.loads(self._sub_worker_fn), self._no_warning, self._restart)
        except Exception as error:
            env_id = getattr(error, "env_id", 0)
            _renumber(error, env_id, env_id + self._first)
            return [EnvFailure.of(env_id + self._first, "make", error)]
        self._executor = self._vector._executor
        return list(self._executor.observation_spaces())

    def steps(self, ids: Sequence[int] | None, actions: Any) -> StepBatch | list[Any]:
        """Steps each environment.

        Args:
            ids: the environments; ``None`` for all.
            actions: an action for each environment.

        Returns:
            A `StepBatch`; if any environment failed, a list with a `StepResult` or failure for each.
        """
        ids = self._all if ids is None else ids
        local = self._local(ids)
        self._executor.send_steps(local, actions)
        self._executor.wait(local, len(local), None)
        taken = self._executor.take_steps(local)
        if not isinstance(taken, StepBatch):
            results = self._described(taken)
            if not all(isinstance(each, StepResult) for each in results):
                return results
            taken = batch_steps(local, results, self._executor.observation_spaces())
        for env_id, info in zip(ids, taken.infos, strict=True):
            info["env_id"] = env_id
        return taken

    def resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, keywords: Mapping[str, Any]) -> list[Any]:
        """Resets environments; returns an observation and an info, or a failure, for each."""
        local = self._local(ids)
        self._executor.send_resets(local, seeds, keywords)
        self._executor.wait(local, len(local), None)
        taken = self._executor.take_resets(local)
        if isinstance(taken, tuple):
            observations, infos = taken
            return [(unstack(observations, row), info) for row, info in enumerate(infos)]
        return self._described(taken)

    def ask(self, operation: str, ids: Sequence[int], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Runs an operation by `EnvBackend.apply`; returns its value for each environment, or a failure."""
        return self._described(self._executor.apply(operation, self._local(ids), arguments))

    def close(self) -> Any:
        """Closes the environments; returns ``None`` or a failure."""
        try:
            self._vector.close()
        except Exception as error:
            env_id = getattr(error, "env_id", 0)
            _renumber(error, env_id, env_id + self._first)
            return EnvFailure.of(env_id + self._first, "close", error)
        return None

    def _local(self, ids: Sequence[int]) -> list[int]:
        return [env_id - self._first for env_id in ids]

    def _described(self, values: Sequence[Any]) -> list[Any]:
        """Returns the values, with failures replaced by picklable ones that contain the driver's ids."""
        return [self._failure(each) if is_failure(each) else each for each in values]

    def _failure(self, failure: Any) -> EnvFailure:
        if isinstance(failure, EnvironmentFailure):
            _renumber(failure.error, failure.env_id, failure.env_id + self._first)
            return EnvFailure.of(failure.env_id + self._first, failure.operation, failure.error)
        env_id, error = failure.env_id + self._first, failure.exception
        if isinstance(error, WorkerDied):
            error = WorkerDied(f"{error} (counted within an actor whose environments begin at {self._first})")
        _renumber(error, failure.env_id, env_id)
        described = (exception_bytes(error), type(error).__name__, str(error))
        return EnvFailure(env_id, failure.operation, *described, failure.traceback)


def _vector(env_fns: list[Callable[[], Any]], sub_worker_fn: Any, no_warning: bool, restart: bool) -> BaseVectorEnv:
    if sub_worker_fn is SubprocEnvWorker:
        # Processes are spawned instead of forked, because the threads of Ray's process would not exist in a fork.
        return SubprocVectorEnv(env_fns, no_warning=no_warning, context="spawn", restart=restart)
    if sub_worker_fn is DummyEnvWorker:
        # `num_workers=0` hosts the environments in this process, by the worker group's host instead of
        # `DummyVectorEnv`: the host runs the same loop in two thirds of the time.
        return SubprocVectorEnv(env_fns, no_warning=no_warning, num_workers=0, caller_steps=True)
    return BaseVectorEnv(env_fns, sub_worker_fn, no_warning=no_warning)


def _renumber(error: BaseException, local: int, env_id: int) -> None:
    """Replaces the environment's number at the start of an error's message: the actor's number by the driver's."""
    name = f"environment {local}: "
    if error.args and isinstance(error.args[0], str) and error.args[0].startswith(name):
        error.args = (f"environment {env_id}: " + error.args[0].removeprefix(name), *error.args[1:])
