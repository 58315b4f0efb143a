"""Environments in worker processes that share memory with the calling process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from multiprocessing.context import BaseContext
from typing import Any, NoReturn

import numpy as np

from envpool_rs._arguments import flag
from envpool_rs._workers import WorkerGroup
from envpool_rs._workers.adapters import adapt_dm_env
from envpool_rs.vector.backend_env_worker import SubprocEnvWorker
from envpool_rs.vector.base_vector_env import BaseVectorEnv
from envpool_rs.vector.executor import EnvBackend
from envpool_rs.vector.group_executor import WorkerGroupBackend
from envpool_rs.vector.quiet_env_fn import QuietEnvFn


class SubprocVectorEnv(BaseVectorEnv):
    """Environments in worker processes that share memory with the calling process.

    Attributes:
        num_workers: number of processes.
    """

    num_workers: int

    def __init__(
        self,
        env_fns: Iterable[Callable[[], Any]],
        num_cpus: float | None = 1,
        num_gpus: float | None = 0,
        no_warning: bool = False,
        *,
        num_workers: int | None = None,
        caller_steps: bool = False,
        context: str | BaseContext | None = None,
        restart: bool = False,
        share_memory: bool = True,
        **kwargs: Any,
    ) -> None:
        """Starts the processes, and makes the environments there.

        Args:
            env_fns: functions that make one environment each; lambdas and closures too.
            num_cpus: accepted for compatibility with the family; it does not set the number of workers.
            num_gpus: accepted for compatibility with the family; not used.
            no_warning: whether to silence warnings of the environments.
            num_workers: number of processes; ``None`` means one for each core that this process may use, or, with
                ``wait_num`` or ``timeout``, one for each environment, so that a slow environment delays no other.
            caller_steps: whether this process hosts and steps a share of the environments itself, while it waits.
            context: how processes start: ``"fork"``, ``"spawn"``, ``"forkserver"`` or a context of multiprocessing;
                ``None`` for multiprocessing's default.
            restart: whether a dead process is restarted. Its environments then start new episodes, which
                ``info["restarted"]`` reports. If false, its environments are lost, and requests for them raise an
                error.
            share_memory: accepted for compatibility with Tianshou; memory is always shared.
            kwargs: further arguments of `BaseVectorEnv`, such as ``wait_num`` and ``timeout``.

        Raises:
            Exception: an ``env_fn``'s exception, naming the environment.
        """
        self._group_options: dict[str, Any] = {
            "num_workers": num_workers,
            "caller_share": flag("caller_steps", caller_steps),
            "context": context,
            "restart": flag("restart", restart),
        }
        super().__init__(env_fns, SubprocEnvWorker, no_warning=no_warning, **kwargs)

    def _make_executor(self, offered: dict[str, Any]) -> EnvBackend:
        env_fns = [QuietEnvFn(each) for each in self._env_fns] if offered["no_warning"] else self._env_fns
        options = dict(self._group_options)
        if self.is_async and options["num_workers"] is None:
            options["num_workers"] = self.env_num - 1 if options["caller_share"] else self.env_num
        executor = WorkerGroupBackend(WorkerGroup(env_fns, lenient=True, adapt=False, wrap=adapt_dm_env, **options))
        self.num_workers = executor.group.num_workers
        self._shape = (self.env_num,)
        self._group_executor = executor
        self.workers = [SubprocEnvWorker.among(executor, env_id, env_fn) for env_id, env_fn in enumerate(self._env_fns)]
        return executor

    def step(self, action: Any, id: Any = None) -> Any:
        """Steps each environment; see `BaseVectorEnv.step`."""
        pending = self._pending
        if (
            id is not None
            or type(action) is not np.ndarray
            or action.shape[:1] != self._shape
            or action.dtype.hasobject
            or self.is_async
            or self.is_closed
            or not pending.is_idle
        ):
            return super().step(action, id)
        # One call steps all environments and runs few Python functions, because these take as long as the steps.
        try:
            played = self._group_executor.step_all(action)
        except BaseException:
            pending.waiting = self._group_executor.in_flight()
            raise
        return self._outputs(pending.finish_all(self._all_ids, played) if isinstance(played, list) else played)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in worker processes")

    def close(self) -> None:
        """Closes all environments and ends their processes; see `BaseVectorEnv.close`."""
        try:
            super().close()
        finally:
            for worker in self.workers:
                worker.is_closed = True
