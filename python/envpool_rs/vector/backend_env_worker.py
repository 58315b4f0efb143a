"""Workers for environments of an `EnvBackend`, and for an environment in its own process."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn

from envpool_rs._workers import EnvFailure, WorkerGroup
from envpool_rs._workers.adapters import adapt_dm_env
from envpool_rs.vector.env_worker import EnvWorker
from envpool_rs.vector.executor import EnvBackend, EnvironmentFailure
from envpool_rs.vector.group_executor import WorkerGroupBackend
from envpool_rs.vector.quiet_env_fn import QuietEnvFn
from envpool_rs.vector.step_result import StepBatch

STEP, RESET, METHOD = "step", "reset", "method"


class BackendEnvWorker(EnvWorker):
    """Base class of workers that represent one environment of a backend; subclasses set the backend."""

    _executor: EnvBackend
    _env_id: int
    _method: Sequence[Any] = ()
    _requested: str = ""

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environment lives in another process")

    def get_env_attr(self, key: str) -> Any:
        """Returns an attribute of the environment or of a wrapper around it."""
        return self._answer(self._executor.get_attributes([self._env_id], key))

    def set_env_attr(self, key: str, value: Any) -> None:
        """Sets an attribute on the wrapper that has it, or on the innermost environment."""
        self._answer(self._executor.set_attributes([self._env_id], key, value))

    def get_env_obj(self) -> Any:
        """Returns a copy of the environment."""
        return self._answer(self._executor.environments([self._env_id]))

    def send(self, action: Any, **kwargs: Any) -> None:
        """Starts a step; if ``action`` is ``None``, a reset with ``kwargs``."""
        if action is None:
            self.send_reset(**kwargs)
            return
        self._executor.send_steps([self._env_id], [action])
        self._requested, self.is_reset = STEP, False

    def send_reset(self, **kwargs: Any) -> None:
        """Starts a reset."""
        seed = kwargs.pop("seed", None)
        self._executor.send_resets([self._env_id], None if seed is None else [seed], kwargs)
        self._requested, self.is_reset = RESET, True

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        """Calls a method of the environment, and stores the result for `recv`."""
        self._method = self._executor.call_methods([self._env_id], func, [data or {}])
        self._requested = METHOD

    def recv(self) -> Any:
        """Waits for the started request.

        Returns:
            For a step ``(observation, reward, terminated, truncated, info)``, or old gym's four values if the
            environment returned these; for a reset ``(observation, info)``; for a method its result.

        Raises:
            RuntimeError: if no request was started.
        """
        requested, self._requested = self._requested, ""
        if requested == METHOD:
            self.result = self._answer(self._method)
            return self.result
        if requested not in (STEP, RESET):
            raise RuntimeError("recv: nothing was sent: send first")
        try:
            self._executor.wait([self._env_id], 1, None)
        except BaseException:
            self._requested = requested
            raise
        self.result = self._received_step() if requested == STEP else self._answer(self._take_reset())
        return self.result

    def _received_step(self) -> Any:
        taken = self._executor.take_steps([self._env_id])
        step = taken.rows()[0] if isinstance(taken, StepBatch) else self._answer(taken)
        info = {key: value for key, value in step.info.items() if key != "env_id"}
        flags = (step.terminated or step.truncated,) if step.four_values else (step.terminated, step.truncated)
        return (step.observation, step.reward, *flags, info)

    def _take_reset(self) -> Sequence[Any]:
        return self._executor.take_resets([self._env_id])

    def seed(self, seed: int | None = None) -> list[Any] | None:
        """Seeds the environment and its action space."""
        seeds: list[Any] = self._answer(self._executor.seed([self._env_id], [seed]))
        return seeds

    def render(self, **kwargs: Any) -> Any:
        """Returns the result of the environment's ``render``."""
        return self._answer(self._executor.render([self._env_id], kwargs))

    def _answer(self, values: Sequence[Any]) -> Any:
        """Returns the reply of the worker's environment; raises the exception if the reply is a failure."""
        value = values[0]
        if isinstance(value, (EnvFailure, EnvironmentFailure)):
            raise value.raised()
        return value


_LONGEST_SLEEP = 0.001
"""Longest pause, in seconds, between checks of workers that no common event wakes up."""


class SubprocEnvWorker(BackendEnvWorker):
    """Worker for an environment in another process, which shares memory with the calling process.

    A worker created from an ``env_fn`` has its own process. An entry of `SubprocVectorEnv.workers` represents an
    environment in that vector environment's processes.
    """

    _executor: WorkerGroupBackend

    def __init__(
        self,
        env_fn: Callable[[], Any],
        share_memory: bool = True,
        no_warning: bool = False,
        *,
        context: Any = None,
        restart: bool = False,
    ) -> None:
        """Starts the process, and makes the environment there.

        Args:
            env_fn: function that makes the environment.
            share_memory: accepted for compatibility with Tianshou; memory is always shared.
            no_warning: whether to silence warnings of the environment.
            context: as for `SubprocVectorEnv`.
            restart: as for `SubprocVectorEnv`.
        """
        super().__init__(env_fn)
        made_by = QuietEnvFn(env_fn) if no_warning else env_fn
        with _without_env_number():
            group = WorkerGroup(
                [made_by],
                num_workers=1,
                lenient=True,
                adapt=False,
                wrap=adapt_dm_env,
                context=context,
                restart=restart,
            )
        self._executor, self._env_id, self._alone = WorkerGroupBackend(group), 0, True

    @classmethod
    def among(cls, executor: WorkerGroupBackend, env_id: int, env_fn: Callable[[], Any]) -> SubprocEnvWorker:
        """Returns the worker of one environment of a group.

        Args:
            executor: the backend of the group.
            env_id: the environment.
            env_fn: the function that made the environment.
        """
        worker = cls.__new__(cls)
        BackendEnvWorker.__init__(worker, env_fn)
        worker._executor, worker._env_id, worker._alone = executor, env_id, False
        return worker

    def _take_reset(self) -> Sequence[Any]:
        return self._executor.take_single_resets([self._env_id])

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        """Waits for steps of workers, which may have their own processes or share a group; see `EnvWorker.wait`."""
        deadline = None if timeout is None else time.monotonic() + timeout
        sleep = 0.0
        while True:
            ready = [worker for worker in workers if worker.is_ready()]
            late = deadline is not None and time.monotonic() >= deadline
            if len(ready) >= min(wait_num, len(workers)) or late:
                return ready
            time.sleep(sleep)
            sleep = min(sleep + _LONGEST_SLEEP / 20, _LONGEST_SLEEP)

    def is_ready(self) -> bool:
        """Returns whether `recv` would return at once."""
        return bool(self._requested == METHOD or self._executor.group.wait([self._env_id], 1, 0.0).size)

    def close_env(self) -> None:
        """Closes the environment; also ends its process if this worker started it."""
        if self._alone:
            with _without_env_number():
                self._executor.close()
        else:
            self._answer(self._executor.close_environment(self._env_id))

    def _answer(self, values: Sequence[Any]) -> Any:
        if not self._alone:
            return super()._answer(values)
        with _without_env_number():
            return super()._answer(values)


@contextlib.contextmanager
def _without_env_number() -> Iterator[None]:
    """Removes the environment's number from an error of a group of one environment, because the worker's owner numbers
    the environment differently.
    """
    try:
        yield
    except Exception as error:
        if error.args and isinstance(error.args[0], str):
            error.args = (error.args[0].removeprefix("environment 0: "), *error.args[1:])
        raise
