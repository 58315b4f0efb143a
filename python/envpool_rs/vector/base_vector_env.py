"""Base class of vector environments with Tianshou's and MetaBox's interface, and the class that steps them in a
loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from envpool_rs._arguments import flag, functions, seeds_of
from envpool_rs._spec.installed_gym import EnvironmentBase
from envpool_rs._workers.serialization import reduced
from envpool_rs.vector import vector_arguments as arguments
from envpool_rs.vector.env_worker import DummyEnvWorker, EnvWorker
from envpool_rs.vector.environment_methods import EnvironmentMethods
from envpool_rs.vector.executor import EnvBackend, StepLedger
from envpool_rs.vector.running_mean_std import RunningMeanStd, check_statistics, normalise, update_statistics
from envpool_rs.vector.stacking import empty_observations, object_array, stack_observations
from envpool_rs.vector.step_result import TIME_LIMIT, StepBatch, empty_batch
from envpool_rs.vector.worker_executor import EnvWorkerBackend, make_workers


class BaseVectorEnv(EnvironmentMethods, EnvironmentBase):  # type: ignore[misc]
    """Environments that are stepped together; each is accessed through a worker (`EnvWorker`).

    Results are stacked in the order of the requested ids; infos carry ``env_id``. There is no autoreset. With
    ``wait_num`` or ``timeout`` steps are asynchronous: a step returns the results of environments that have finished,
    and all other environments continue.

    ``metadata``, ``reward_range``, ``spec``, ``action_space`` and ``observation_space`` are lists with one entry per
    environment.

    Attributes:
        env_num: number of environments; also ``len()``.
        workers: the worker of each environment.
        worker_class: class of the workers.
        worker_fn: the function that made the workers.
        worker_name: name of ``worker_fn``.
        worker_num: number of workers.
        wait_num: number of environments that a step waits for.
        timeout: seconds that a step waits; ``None`` for no limit.
        is_async: whether a step may return fewer environments than requested.
        is_closed: whether `close` was called.
        norm_obs: whether observations are normalised by ``obs_rms``.
        update_obs_rms: whether results of `reset` and `step` update ``obs_rms``; ``False`` freezes it.
    """

    env_num: int
    workers: list[EnvWorker]
    worker_class: type[EnvWorker]
    worker_fn: Callable[..., EnvWorker]
    worker_name: str
    worker_num: int
    wait_num: int
    timeout: float | None
    is_async: bool
    is_closed: bool
    norm_obs: bool
    update_obs_rms: bool
    return_truncated: bool
    num_cpu_per_worker: float
    num_gpu_per_worker: float
    sub_worker_fn: Callable[..., Any]

    def __init__(
        self,
        env_fns: Iterable[Callable[[], Any]],
        worker_fn: Callable[..., EnvWorker],
        wait_num: int | None = None,
        timeout: float | None = None,
        norm_obs: bool = False,
        update_obs_rms: bool = True,
        num_cpu_per_worker: float = 1,
        num_gpu_per_worker: float = 0,
        sub_worker_fn: Callable[..., Any] = DummyEnvWorker,
        no_warning: bool = False,
        *,
        obs_rms: Any = None,
        return_truncated: bool = False,
    ) -> None:
        """Makes the workers.

        Args:
            env_fns: functions that make one environment each.
            worker_fn: subclass of `EnvWorker`, or a function that returns a worker; called with each of ``env_fns``.
                It also receives ``num_cpu_per_worker``, ``num_gpu_per_worker``, ``sub_worker_fn`` and ``no_warning`` if
                its signature names them.
            wait_num: number of finished environments after which a step returns; ``None`` waits for all.
            timeout: seconds after which a step returns the environments that have finished, at least one.
            norm_obs: whether to normalise observations.
            update_obs_rms: whether to update the statistics.
            num_cpu_per_worker: number of CPUs, for workers that accept it.
            num_gpu_per_worker: number of GPUs, for workers that accept it.
            sub_worker_fn: function that makes a worker for each environment, in workers that host several environments.
            no_warning: whether warnings of the environments are silenced.
            obs_rms: initial statistics.
            return_truncated: whether `step` returns ``terminated`` and ``truncated`` instead of ``done``.

        Raises:
            TypeError: for arguments of a wrong type, naming them.
            ValueError: for values that are not allowed, naming them.
        """
        self._env_fns = functions("env_fns", env_fns)
        self._set_up(wait_num, timeout, norm_obs, update_obs_rms, obs_rms, return_truncated)
        self.num_cpu_per_worker = num_cpu_per_worker
        self.num_gpu_per_worker = num_gpu_per_worker
        self.sub_worker_fn = sub_worker_fn
        no_warning = flag("no_warning", no_warning)
        offered = {
            "num_cpu_per_worker": num_cpu_per_worker,
            "num_gpu_per_worker": num_gpu_per_worker,
            "sub_worker_fn": sub_worker_fn,
            "no_warning": no_warning,
        }
        self.worker_fn = worker_fn
        self.worker_name = getattr(worker_fn, "__name__", type(worker_fn).__name__)
        self.workers = []
        self._executor = self._make_executor(offered)
        self._pending = StepLedger(self._executor, self.wait_num, self.timeout, self.is_async)
        self.worker_class = type(self.workers[0])

    def _set_up(
        self, wait_num: Any, timeout: Any, norm_obs: bool, update_obs_rms: bool, obs_rms: Any, return_truncated: bool
    ) -> None:
        """Sets all attributes that do not depend on the environments."""
        self.env_num = self.worker_num = len(self._env_fns)
        self.wait_num = arguments.check_wait_num(wait_num, self.env_num)
        self.timeout = arguments.check_timeout(timeout)
        self.is_async = self.wait_num != self.env_num or timeout is not None
        self.is_closed = False
        self.norm_obs = flag("norm_obs", norm_obs)
        self.update_obs_rms = flag("update_obs_rms", update_obs_rms)
        self.return_truncated = flag("return_truncated", return_truncated)
        self.obs_rms = RunningMeanStd() if obs_rms is None and norm_obs else obs_rms
        self._all_ids = list(range(self.env_num))

    def _make_executor(self, offered: dict[str, Any]) -> EnvBackend:
        """Makes the workers by ``worker_fn``, with those keywords of ``offered`` that ``worker_fn`` accepts."""
        keywords = arguments.accepted_keywords(self.worker_fn, offered)
        self.workers = make_workers(self.worker_fn, self._env_fns, keywords)
        return EnvWorkerBackend(self.workers)

    def __len__(self) -> int:
        return self.env_num

    def __repr__(self) -> str:
        return f"{type(self).__name__}(env_num={self.env_num})"

    __str__ = __repr__

    @property
    def waiting_id(self) -> list[int]:
        """Ids of environments with a step whose result has not been returned yet, in the order of sending."""
        return list(self._pending.waiting)

    @property
    def waiting_conn(self) -> list[EnvWorker]:
        """Workers of the environments with a step whose result has not been returned yet, in the order of sending."""
        return [self.workers[env_id] for env_id in self._pending.waiting]

    @property
    def ready_id(self) -> list[int]:
        """Ids of environments that accept a request."""
        return [env_id for env_id in self._all_ids if env_id not in self._pending.waiting]

    def reset(self, id: Any = None, *, return_info: bool = False, **kwargs: Any) -> Any:
        """Resets environments.

        Unreturned steps of these environments are dropped (see `step`).

        Args:
            id: an id, or a sequence of ids; ``None`` for all.
            return_info: whether to return infos as well.
            kwargs: arguments of the environments' ``reset``. ``seed`` may be an integer, which gives environment ``i``
                the seed ``seed + i``, or a sequence with a seed for each of ``id``. All other arguments are equal for
                all environments.

        Returns:
            Stacked observations; with ``return_info`` ``(observations, infos)``, infos a list of dicts.

        Raises:
            RuntimeError: after `close`; in asynchronous mode for environments that are stepping.
        """
        self._assert_is_not_closed()
        ids = self._wrap_id(id)
        seeds = seeds_of(kwargs.pop("seed"), ids, f"{len(ids)}, one for each id") if "seed" in kwargs else None
        self._pending.drop(ids)
        if not ids:
            return (self._empty_observations(), []) if return_info else self._empty_observations()
        self._pending.interrupted = ids
        self._executor.send_resets(ids, seeds, kwargs)
        self._executor.wait(ids, len(ids), None)
        results = self._executor.take_resets(ids)
        self._pending.interrupted = ()
        if not isinstance(results, tuple):
            rows, infos = zip(*self._checked(results), strict=True)
            results = stack_observations(rows, self._executor.observation_spaces()[ids[0]]), list(infos)
        observations = self._normalised(results[0])
        return (observations, results[1]) if return_info else observations

    def step(self, action: Any, id: Any = None) -> Any:
        """Steps each environment.

        In asynchronous mode, only environments that are ready may be stepped: those in the last ``info``; initially all
        of them.

        If an environment raises an exception, this call raises it. The results of all other environments are stored,
        and ``step(None)`` returns them.

        Args:
            action: a sequence with an action for each of ``id``; ``None`` to fetch steps that were not returned yet.
            id: an id, or a sequence of ids; ``None`` for all.

        Returns:
            ``(observations, rewards, done, infos)``, in the order of ``id``; in asynchronous mode in the order of
            completion. Observations are stacked; rewards are float64 ``(n,)``, or ``(n, agents)`` if environments
            return arrays; done is bool ``(n,)``; infos are an object array of dicts with ``env_id``. With
            ``return_truncated``, terminated and truncated replace done. Without it, the info of an ended episode has
            ``"TimeLimit.truncated"``: whether it was truncated and not terminated.

        Raises:
            IndexError: for ids that do not exist.
            RuntimeError: after `close`; for environments that are stepping; if there is no step to fetch.
            ValueError: for repeated ids, or another number of actions.
        """
        self._assert_is_not_closed()
        if action is None:
            if id is not None:
                raise ValueError(f"id={id!r}: expected None where action is None")
            return self._outputs(self._pending.fetch())
        ids = self._all_ids if id is None else self._wrap_id(id)
        arguments.check_actions(action, ids)
        if ids:
            self._pending.send(ids, action)
        elif not self.is_async:
            return self._outputs(empty_batch(self._executor.observation_spaces()[0]))
        return self._outputs(self._pending.fetch() if self.is_async else self._pending.finish(ids))

    def _outputs(self, batch: StepBatch | tuple[Any, ...]) -> Any:
        observations, rewards, terminated, truncated, four_values, infos = batch
        if self.norm_obs:
            observations = self._normalised(observations)
        if self.return_truncated:
            return observations, rewards, terminated, truncated, object_array(infos)
        done = terminated | truncated
        if 1 in done.tobytes():  # faster than `done.any()` by a factor of ten
            self._add_truncation_flags(infos, done, truncated & ~terminated, four_values)
        return observations, rewards, done, object_array(infos)

    @staticmethod
    def _add_truncation_flags(infos: Any, done: Any, by_time: Any, four_values: Any) -> None:
        """Adds ``"TimeLimit.truncated"`` to infos of ended episodes.

        Environments that return gym's four values have set this entry themselves.
        """
        for row in done.nonzero()[0].tolist():
            if four_values is None or not four_values[row]:
                infos[row][TIME_LIMIT] = bool(by_time[row])

    @property
    def obs_rms(self) -> Any:
        """Statistics that normalise observations; ``None`` for none.

        The value is a `RunningMeanStd`, or a dict or tuple of them for dict and tuple observations. The statistics of
        another environment may be assigned; ``update_obs_rms=False`` freezes them.
        """
        return self._obs_rms

    @obs_rms.setter
    def obs_rms(self, statistics: Any) -> None:
        if statistics is not None:
            check_statistics(statistics, "obs_rms")
        self._obs_rms = statistics

    def _normalised(self, observations: Any) -> Any:
        if not self.norm_obs or self.obs_rms is None:
            return observations
        if self.update_obs_rms:
            self._obs_rms = update_statistics(self._obs_rms, observations)
        return normalise(self._obs_rms, observations)

    def normalize_obs(self, obs: Any) -> Any:
        """Returns observations normalised by ``obs_rms``, as `reset` and `step` do if ``norm_obs`` is set.

        Args:
            obs: stacked observations. The observations do not update the statistics.
        """
        return normalise(self.obs_rms, obs) if self.norm_obs and self.obs_rms is not None else obs

    def _empty_observations(self) -> Any:
        return empty_observations(self._executor.observation_spaces()[0])

    def close(self) -> None:
        """Closes all environments and ends their processes.

        Raises:
            RuntimeError: if `close` was called before.
        """
        self._assert_is_not_closed()
        self.is_closed = True
        self._executor.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, self.__dict__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exception: object) -> None:
        if not self.is_closed:
            self.close()

    def _assert_is_not_closed(self) -> None:
        if self.is_closed:
            raise RuntimeError(f"methods of {type(self).__name__} cannot be called after close")

    def _wrap_id(self, id: Any = None) -> list[int]:
        """Returns ids as a list: all ids for ``None``, a single id for a number."""
        return list(self._all_ids) if id is None else arguments.check_ids(id, self.env_num)


class DummyVectorEnv(BaseVectorEnv):
    """Environments stepped in a loop, in this process.

    Use it for debugging, or if a step takes less time than waking a process. In asynchronous mode, all steps have
    finished when they are fetched, so all are returned. It can be copied and pickled, with its environments.
    """

    def __init__(
        self,
        env_fns: Iterable[Callable[[], Any]],
        num_cpus: float | None = 1,
        num_gpus: float | None = 0,
        no_warning: bool = False,
        **kwargs: Any,
    ) -> None:
        """Makes the environments.

        Args:
            env_fns: functions that make one environment each.
            num_cpus: accepted for compatibility with the family; not used.
            num_gpus: accepted for compatibility with the family; not used.
            no_warning: whether warnings of the environments are silenced.
            kwargs: as for `BaseVectorEnv`.
        """
        super().__init__(env_fns, DummyEnvWorker, no_warning=no_warning, **kwargs)
