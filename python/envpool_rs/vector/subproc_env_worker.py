"""Worker for an environment in another process."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from envpool_rs._workers import WorkerGroup
from envpool_rs._workers.adapted import adapt_dm_env
from envpool_rs.vector.backend_env_worker import METHOD, BackendEnvWorker
from envpool_rs.vector.group_executor import WorkerGroupBackend
from envpool_rs.vector.quiet_env_fn import QuietEnvFn

_LONGEST_SLEEP = 0.001
"""Longest pause, in seconds, between checks of workers without a common wake-up."""


class SubprocEnvWorker(BackendEnvWorker):
    """An environment in another process, which shares memory with this one.

    Created from an ``env_fn``, it has its own process. Each of `SubprocVectorEnv.workers` represents one environment of
    the vector environment's processes.
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
            env_fn: makes the environment.
            share_memory: accepted for compatibility with Tianshou; memory is always shared.
            no_warning: silences warnings of the environment.
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
            executor: of the group.
            env_id: the environment.
            env_fn: the function that made it.
        """
        worker = cls.__new__(cls)
        BackendEnvWorker.__init__(worker, env_fn)
        worker._executor, worker._env_id, worker._alone = executor, env_id, False
        return worker

    def _take_reset(self) -> Sequence[Any]:
        return self._executor.take_single_resets([self._env_id])

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        """Waits for steps, also of workers with their own processes; see `EnvWorker.wait`."""
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
        """Closes the environment; ends its process if the worker has its own."""
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
    """Removes the environment number of a group of one from errors: the worker's owner uses another number."""
    try:
        yield
    except Exception as error:
        if error.args and isinstance(error.args[0], str):
            error.args = (error.args[0].removeprefix("environment 0: "), *error.args[1:])
        raise
