"""Environments in worker processes that share memory with the calling process."""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from multiprocessing.context import BaseContext
from typing import Any, NoReturn

import numpy as np

from envpool_rs._arguments import flag
from envpool_rs._workers import EnvFailure, Steps, WorkerGroup, hosted_envs
from envpool_rs._workers.adapters import Adapter, adapt_dm_env, reset_defaults
from envpool_rs.vector.base_vector_env import BaseVectorEnv
from envpool_rs.vector.env_worker import EnvBackend, EnvironmentFailure, EnvWorker, Failure
from envpool_rs.vector.results import StepBatch, StepResult, read_info, read_reward


class QuietEnvFn:
    """Callable that makes an environment whose warnings are silenced."""

    # If the environment is made in another process than this object, all warnings of that process are silenced;
    # otherwise only those raised in the environment's methods.

    def __init__(self, env_fn: Callable[[], Any]) -> None:
        self._env_fn = env_fn
        self._process = os.getpid()

    def __call__(self) -> Any:
        """Makes the environment."""
        if os.getpid() != self._process:
            warnings.simplefilter("ignore")
            return self._env_fn()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return QuietEnvironment(adapt_dm_env(self._env_fn()))


class QuietEnvironment(Adapter):
    """Wrapper that silences warnings raised in an environment's methods."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self._reset_defaults = reset_defaults(env)

    def step(self, action: Any) -> Any:
        """Steps the environment."""
        return self._quietly(self.env.step, action)

    def reset(self, **keywords: Any) -> Any:
        """Resets the environment."""
        return self._quietly(self.env.reset, **{**self._reset_defaults, **keywords})

    def render(self, **keywords: Any) -> Any:
        """Renders the environment."""
        return self._quietly(self.env.render, **keywords)

    def close(self) -> None:
        """Closes the environment."""
        self._quietly(self.env.close)

    @staticmethod
    def _quietly(call: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(*arguments, **keywords)


class WorkerGroupBackend(EnvBackend):
    """Backend of the environments of one `WorkerGroup`: wakes its workers once per request, and reads batches."""

    def __init__(self, group: WorkerGroup) -> None:
        self.group = group
        self._all_ids = list(range(group.num_envs))

    def _group_ids(self, ids: Sequence[int]) -> Any:
        """Returns ids in the form that the group takes: `None` for all ids in order, which is faster."""
        return None if ids == self._all_ids else np.asarray(ids, dtype=np.int64)

    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        self.group.send_steps(self._group_ids(ids), actions)

    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, keywords: Mapping[str, Any]) -> None:
        self.group.send_resets(self._group_ids(ids), seeds, **keywords)

    def wait(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        group_ids = self._group_ids(ids)
        if timeout is None and count == len(ids):
            self.group.wait_all(group_ids)
            return list(ids)
        finished = self.group.wait(group_ids, count, timeout)
        if not len(finished):
            finished = self.group.wait(group_ids, 1, None)
        if len(finished) < len(ids):
            finished = self.group.wait(group_ids, len(ids), 0.0)
        return [int(env_id) for env_id in finished]

    def step_all(self, actions: Any) -> StepBatch | tuple[Any, ...] | list[StepResult | Failure]:
        """Sends a step to all environments, waits, and takes the results, in one call."""
        # Returns the result of `take_steps`, or a plain tuple of the fields of a `StepBatch`, in which `four_values`
        # may be None.
        played = self.group.step(actions)
        return self._batch(played, self._all_ids) if isinstance(played, Steps) else played

    def in_flight(self) -> list[int]:
        """Returns the environments with a request whose reply is not taken."""
        flying: list[int] = self.group.in_flight.tolist()
        return flying

    def take_steps(self, ids: Sequence[int]) -> StepBatch | list[StepResult | Failure]:
        return self._batch(self.group.take_steps(self._group_ids(ids)), ids)

    def _batch(self, steps: Steps, ids: Sequence[int]) -> StepBatch | list[StepResult | Failure]:
        if steps.failures or steps.odd_rewards or not steps.in_rows:
            return [self._step(steps, row, env_id) for row, env_id in enumerate(ids)]
        if steps.infos is None:
            infos: list[dict[str, Any]] = [{"env_id": env_id} for env_id in ids]
        elif all(isinstance(info, dict) for info in steps.infos):
            infos = [{**info, "env_id": env_id} for info, env_id in zip(steps.infos, ids, strict=True)]
        else:
            return [self._step(steps, row, env_id) for row, env_id in enumerate(ids)]
        four_values = np.zeros(len(ids), bool) if steps.four_values is None else steps.four_values
        return StepBatch(steps.observations(), steps.rewards, steps.terminated, steps.truncated, four_values, infos)

    def _step(self, steps: Steps, row: int, env_id: int) -> StepResult | Failure:
        if env_id in steps.failures:
            return steps.failures[env_id]
        try:
            reward = read_reward(steps.reward(row))
            info = {} if steps.infos is None else read_info(steps.infos[row])
        except (TypeError, ValueError, OverflowError) as error:
            return EnvFailure.of(env_id, "step", error)
        return StepResult(
            steps.observation(row),
            reward,
            bool(steps.terminated[row]),
            bool(steps.truncated[row]),
            steps.has_four_values(row),
            info,
        )

    def take_resets(
        self, ids: Sequence[int]
    ) -> tuple[Any, list[dict[str, Any]]] | list[tuple[Any, dict[str, Any]] | Failure]:
        steps = self.group.take_steps(self._group_ids(ids))
        if not steps.failures and steps.in_rows:
            return steps.observations(), self._infos(steps)
        return self._resets(steps, ids)

    def take_single_resets(self, ids: Sequence[int]) -> list[tuple[Any, dict[str, Any]] | Failure]:
        """Returns an observation and an info, or a failure, for each environment, without stacking."""
        return self._resets(self.group.take_steps(self._group_ids(ids)), ids)

    def _resets(self, steps: Steps, ids: Sequence[int]) -> list[tuple[Any, dict[str, Any]] | Failure]:
        infos = self._infos(steps)
        return [steps.failures.get(env_id) or (steps.observation(row), infos[row]) for row, env_id in enumerate(ids)]

    @staticmethod
    def _infos(steps: Steps) -> list[dict[str, Any]]:
        if steps.infos is None:
            return [{} for _ in range(len(steps.ids))]
        return [dict(info) for info in steps.infos]

    def discard(self, ids: Sequence[int]) -> None:
        self.group.discard(ids)

    def apply(self, operation: str, ids: Sequence[int], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        if operation == "seed_environment":
            self.group.record_seeds(ids, [seed for (seed,) in arguments])
        if not ids:
            return []
        group_ids = np.asarray(ids, dtype=np.int64)
        function = getattr(hosted_envs, operation)
        self.group.send_calls(group_ids, "apply", [(function, each) for each in arguments])
        self.group.wait_all(group_ids)
        return self.group.take_values(group_ids)

    def observation_spaces(self) -> Sequence[Any]:
        return self.group.observation_spaces

    def close_environment(self, env_id: int) -> list[Any]:
        """Closes one environment, whose process may continue; returns `None` or a failure."""
        group_ids = np.array([env_id], dtype=np.int64)
        self.group.send_calls(group_ids, "close", [None])
        self.group.wait_all(group_ids)
        return self.group.take_values(group_ids)

    def close(self) -> None:
        self.group.close()


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
        return self._answer(self._executor.get_attributes([self._env_id], key))

    def set_env_attr(self, key: str, value: Any) -> None:
        self._answer(self._executor.set_attributes([self._env_id], key, value))

    def get_env_obj(self) -> Any:
        return self._answer(self._executor.environments([self._env_id]))

    def send(self, action: Any, **kwargs: Any) -> None:
        if action is None:
            self.send_reset(**kwargs)
            return
        self._executor.send_steps([self._env_id], [action])
        self._requested, self.is_reset = STEP, False

    def send_reset(self, **kwargs: Any) -> None:
        seed = kwargs.pop("seed", None)
        self._executor.send_resets([self._env_id], None if seed is None else [seed], kwargs)
        self._requested, self.is_reset = RESET, True

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        self._method = self._executor.call_methods([self._env_id], func, [data or {}])
        self._requested = METHOD

    def recv(self) -> Any:
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
        seeds: list[Any] = self._answer(self._executor.seed([self._env_id], [seed]))
        return seeds

    def render(self, **kwargs: Any) -> Any:
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
        try:
            super().close()
        finally:
            for worker in self.workers:
                worker.is_closed = True
