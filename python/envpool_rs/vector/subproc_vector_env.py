"""Environments in worker processes that share memory with the calling process."""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from multiprocessing.context import BaseContext
from typing import Any, NoReturn

import numpy as np

from envpool_rs._arguments import flag
from envpool_rs._workers import Steps, WorkerGroup
from envpool_rs._workers.adapters import Adapter, adapt_dm_env
from envpool_rs.vector.base_vector_env import BaseVectorEnv
from envpool_rs.vector.env_worker import Arguments, BackendEnvWorker, EnvBackend, call_quietly
from envpool_rs.vector.results import Taken, read_replies


def make_quietly(env_fn: Callable[[], Any], caller: int) -> Any:
    """Makes an environment whose warnings are silenced: all warnings of the process, unless it is the caller's."""
    if os.getpid() == caller:
        return call_quietly(lambda: QuietEnvironment(adapt_dm_env(env_fn())))
    warnings.simplefilter("ignore")
    return env_fn()


class QuietEnvironment(Adapter):
    """Wrapper that silences warnings raised in an environment's methods."""

    def reset(self, **keywords: Any) -> Any:
        return call_quietly(super().reset, **keywords)

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        return partial(call_quietly, value) if name in ("step", "render", "close") else value


class EnvGroup(WorkerGroup):
    """Worker processes that pass on what environments return, with the requests of an `EnvBackend`."""

    def __init__(self, env_fns: Sequence[Callable[[], Any]], no_warning: bool, **options: Any) -> None:
        makers = [partial(make_quietly, env_fn, os.getpid()) for env_fn in env_fns] if no_warning else env_fns
        super().__init__(makers, lenient=True, adapt=False, wrap=adapt_dm_env, **options)

    def wait_some(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        finished = self.wait(ids, count, timeout)
        if not len(finished):
            finished = self.wait(ids, 1, None)
        if len(finished) < len(ids):
            finished = self.wait(ids, len(ids), 0.0)  # environments that have finished meanwhile
        return [int(env_id) for env_id in finished]

    def take(self, ids: Sequence[int], *, is_reset: bool = False) -> Taken:
        self.wait_all(ids)
        return read_replies(self.take_steps(ids), ids, is_reset=is_reset)

    def apply(self, ids: Sequence[int], function: Callable[..., Any], arguments: Arguments) -> list[Any]:
        if not ids:
            return []
        # After Ctrl-C the calls remain in flight, as interrupted steps do, and are discarded later. `call` would drop
        # them.
        self.send_calls(ids, "apply", [(function, each) for each in arguments])
        self.wait_all(ids)
        return self.take_values(ids)


_LONGEST_SLEEP = 0.001  # seconds between checks of workers that no common event wakes up


class SubprocEnvWorker(BackendEnvWorker):
    """Worker for an environment in another process, which shares memory with the calling process.

    A worker created from an ``env_fn`` has its own process. An entry of `SubprocVectorEnv.workers` represents an
    environment in that vector environment's processes.

    Memory is always shared, whatever ``share_memory`` says. ``no_warning`` silences warnings of the environment;
    ``context`` and ``restart`` are those of `SubprocVectorEnv`.
    """

    _executor: EnvGroup

    def __init__(
        self,
        env_fn: Callable[[], Any],
        share_memory: bool = True,
        no_warning: bool = False,
        *,
        context: Any = None,
        restart: bool = False,
    ) -> None:
        super().__init__(env_fn)
        self._env_id, self._alone = 0, True
        with self._unnumbered():
            self._executor = EnvGroup([env_fn], no_warning, num_workers=1, context=context, restart=restart)

    @classmethod
    def among(cls, executor: EnvGroup, env_id: int, env_fn: Callable[[], Any]) -> SubprocEnvWorker:
        """Returns the worker of one environment of a group, which ``env_fn`` has made."""
        worker = cls.__new__(cls)
        BackendEnvWorker.__init__(worker, env_fn)
        worker._executor, worker._env_id, worker._alone = executor, env_id, False
        return worker

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
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
        is_answered = self._is_sent and self._answers is not None
        return is_answered or bool(self._executor.wait([self._env_id], 1, 0.0).size)

    def close_env(self) -> None:
        with self._unnumbered():
            if self._alone:
                self._executor.close()
            else:
                self._executor.call([self._env_id], "close")

    def _answer(self, values: Sequence[Any]) -> Any:
        with self._unnumbered():
            return super()._answer(values)

    @contextlib.contextmanager
    def _unnumbered(self) -> Iterator[None]:
        """Removes the number from an error of a group of one environment, which the worker's owner numbers itself."""
        try:
            yield
        except Exception as error:
            if self._alone and error.args and isinstance(error.args[0], str):
                error.args = (error.args[0].removeprefix("environment 0: "), *error.args[1:])
            raise


class SubprocVectorEnv(BaseVectorEnv):
    """Environments in worker processes that share memory with the calling process.

    Args:
        env_fns: functions that make one environment each; lambdas and closures too.
        num_cpus, num_gpus, share_memory: accepted for compatibility with the family, and not used.
        no_warning: whether to silence warnings of the environments.
        num_workers: number of processes; ``None`` means one for each core that this process may use, or, with
            ``wait_num`` or ``timeout``, one for each environment, so that a slow environment delays no other.
        caller_steps: whether this process hosts and steps a share of the environments itself, while it waits.
        context: how processes start: ``"fork"``, ``"spawn"``, ``"forkserver"`` or a context of multiprocessing;
            ``None`` for multiprocessing's default.
        restart: whether a dead process is restarted. Its environments then start new episodes, which
            ``info["restarted"]`` reports. If false, its environments are lost, and requests for them raise an error.
        kwargs: further arguments of `BaseVectorEnv`, such as ``wait_num`` and ``timeout``.

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
        self._group_options: dict[str, Any] = {
            "num_workers": num_workers,
            "caller_share": flag("caller_steps", caller_steps),
            "context": context,
            "restart": flag("restart", restart),
        }
        super().__init__(env_fns, SubprocEnvWorker, no_warning=no_warning, **kwargs)

    def _make_executor(self, offered: dict[str, Any]) -> EnvBackend:
        options = dict(self._group_options)
        if self.is_async and options["num_workers"] is None:
            options["num_workers"] = self.env_num - 1 if options["caller_share"] else self.env_num
        self._group = EnvGroup(self._env_fns, offered["no_warning"], **options)
        self.num_workers = self._group.num_workers
        self._shape = (self.env_num,)
        self.workers = [SubprocEnvWorker.among(self._group, *each) for each in enumerate(self._env_fns)]
        return self._group

    def step(self, action: Any, id: Any = None) -> Any:
        pending = self._pending
        if (
            id is not None
            or type(action) is not np.ndarray
            or action.shape[:1] != self._shape
            or action.dtype.hasobject
            or self.is_async
            or self.is_closed
            or pending.waiting
            or pending.interrupted
        ):
            return super().step(action, id)
        # One call steps all environments and runs few Python functions, because these take as long as the steps.
        try:
            played: Any = self._group.step(action)
        except BaseException:
            pending.waiting = self._group.in_flight.tolist()
            raise
        if isinstance(played, Steps):
            pending.waiting = self._all_ids
            played = pending.deliver(self._all_ids, self._all_ids, read_replies(played, self._all_ids))
        return self._outputs(played)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in worker processes")
