"""Vector environments whose environments run in Ray actors, or in worker processes of the actors."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from envpool_rs._arguments import MAKES, flag, functions, is_series
from envpool_rs.ray.cluster import check_cpus, check_room, connect, import_ray, max_actors
from envpool_rs.vector.backend_env_worker import BackendEnvWorker, SubprocEnvWorker
from envpool_rs.vector.base_vector_env import BaseVectorEnv
from envpool_rs.vector.env_worker import DummyEnvWorker
from envpool_rs.vector.executor import EnvBackend
from envpool_rs.vector.ray_executor import RayBackend

_MAX_PATH_LENGTH = 40
"""Maximum length of Ray's folder: paths of Ray's sockets are some 60 characters longer, and must have fewer than 107
characters.
"""


class RayVectorEnv(BaseVectorEnv):
    """Environments in the actors of a Ray cluster; each actor hosts several environments for its whole lifetime.

    In asynchronous mode each environment has its own requests; environments of one actor are stepped one after the
    other.

    Attributes:
        num_actors: number of actors.
        is_direct: whether actors are called over this process's own connections.
    """

    num_actors: int
    is_direct: bool

    _default_sub_worker: Callable[..., Any] = DummyEnvWorker

    def __init__(
        self,
        env_fns: Iterable[Any],
        num_cpus: float | None = 1,
        num_gpus: float | None = 0,
        no_warning: bool = False,
        temp_ray_dir: str | os.PathLike[str] | None = None,
        num_cpu_per_worker: float = 1,
        num_gpu_per_worker: float = 0,
        *,
        sub_worker_fn: Callable[..., Any] | None = None,
        restart: bool = False,
        start_timeout: float = 60.0,
        ray_options: Mapping[str, Any] | None = None,
        direct: bool = True,
        **kwargs: Any,
    ) -> None:
        """Starts Ray, unless this process is connected to a cluster, and then the actors.

        Args:
            env_fns: functions that make one environment each; lambdas and closures too.
            num_cpus: CPUs for all actors together. The number of actors is ``floor(num_cpus / num_cpu_per_worker)``, at
                least one and at most one per environment. Ray is started with this number.
            num_gpus: GPUs that Ray is started with.
            no_warning: whether to silence warnings, including those of the environments.
            temp_ray_dir: the folder for Ray's files, if this process starts Ray; ``None`` selects Ray's default, in the
                system's temporary folder.
            num_cpu_per_worker: CPUs that Ray reserves for each actor.
            num_gpu_per_worker: GPUs that Ray reserves for each actor.
            sub_worker_fn: subclass of `EnvWorker` that makes the environments' workers within an actor.
            restart: whether a dead actor, or an actor's dead worker process, is restarted. Its environments start new
                episodes; the first row has ``info["restarted"]``, reward 0, and is truncated. If false, its
                environments are lost, and requests for them raise an error.
            start_timeout: seconds to wait for the actors to start.
            ray_options: further arguments for ``ray.init``.
            direct: whether actors are called over this process's own TCP connections, in a twentieth of the time of
                Ray's calls. For actors that cannot be reached by TCP (because of a firewall between nodes) and clusters
                with encrypted traffic, Ray's calls are used; `is_direct` reports which calls are used.
            kwargs: as for `BaseVectorEnv`.

        Raises:
            ImportError: if ray is missing or too old.
            ValueError: for a value that is not allowed, or more actors than the cluster has resources for.
            TypeError: for functions that cannot be pickled, naming them.
            Exception: an ``env_fn``'s exception, naming the environment.
        """
        cpus = check_cpus("num_cpus", 1 if num_cpus is None else num_cpus)
        gpus = check_cpus("num_gpus", 0 if num_gpus is None else num_gpus)
        self._ray_start = {"num_cpus": max(1, math.ceil(cpus)), "num_gpus": gpus, **(ray_options or {})}
        self._temp_ray_dir = temp_ray_dir
        self._num_cpus = cpus
        self._restart = bool(restart)
        self._direct = flag("direct", direct)
        self._start_timeout = check_cpus("start_timeout", start_timeout)
        super().__init__(
            self._flat(env_fns),
            RayEnvWorker,
            num_cpu_per_worker=check_cpus("num_cpu_per_worker", num_cpu_per_worker),
            num_gpu_per_worker=check_cpus("num_gpu_per_worker", num_gpu_per_worker),
            sub_worker_fn=self._default_sub_worker if sub_worker_fn is None else sub_worker_fn,
            no_warning=no_warning,
            **kwargs,
        )

    def _flat(self, env_fns: Any) -> Any:
        """Returns the functions as one flat list."""
        return env_fns

    def _sizes(self, count: int) -> list[int]:
        """Returns the number of environments of each of ``count`` actors."""
        return [len(each) for each in split_evenly(self._env_fns, count)]

    def _most_actors(self) -> int:
        """Returns the maximum number of actors: one per environment."""
        return len(self._env_fns)

    def _make_executor(self, offered: dict[str, Any]) -> EnvBackend:
        env_fns = _pickled(import_ray(), self._env_fns)
        quiet = bool(offered["no_warning"])
        ray = connect(_start_options(self._ray_start, self._temp_ray_dir))
        self.num_actors = self._count_actors(ray, quiet)
        remaining = iter(env_fns)
        executor = RayBackend(
            ray,
            [[next(remaining) for _ in range(size)] for size in self._sizes(self.num_actors)],
            ray.cloudpickle.dumps(self.sub_worker_fn),
            cpus=self.num_cpu_per_worker,
            gpus=self.num_gpu_per_worker,
            one_by_one=self.is_async,
            restart=self._restart,
            no_warning=quiet,
            start_timeout=self._start_timeout,
            direct=self._direct,
        )
        self.is_direct = executor.is_direct
        self.workers = [RayEnvWorker(executor, env_id, env_fn) for env_id, env_fn in enumerate(self._env_fns)]
        return executor

    def _count_actors(self, ray: Any, quiet: bool) -> int:
        each = self.num_cpu_per_worker
        num_actors = min(self._most_actors(), max(1, int(self._num_cpus // each) if each > 0 else int(self._num_cpus)))
        total = ray.cluster_resources().get("CPU", 0.0)
        available = max_actors(ray, each) if each > 0 else num_actors
        if num_actors > available and not quiet:
            warnings.warn(
                f"num_cpus={self._num_cpus:g} asks for {num_actors} actors of {each:g} CPUs: the cluster has {total:g} "
                f"CPUs, and {available} of them are made",
                RuntimeWarning,
                stacklevel=5,
            )
        count = min(num_actors, available)
        check_room(ray, count, each, self.num_gpu_per_worker)
        return count

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in actors")

    def close(self) -> None:
        """Closes all environments and ends the actors; Ray itself continues. See `BaseVectorEnv.close`."""
        try:
            super().close()
        finally:
            for worker in self.workers:
                worker.is_closed = True


def split_evenly(things: Sequence[Any], parts: int) -> list[list[Any]]:
    """Splits a sequence into consecutive parts of equal length, up to a difference of one."""
    size, more = divmod(len(things), parts)
    ends = [part * size + min(part, more) for part in range(parts + 1)]
    return [list(things[first:end]) for first, end in pairwise(ends)]


def _pickled(ray: Any, env_fns: Sequence[Any]) -> list[bytes]:
    """Pickles the functions; functions that actors cannot import (lambdas, closures, a script's functions) by value."""
    pickled = []
    for index, function in enumerate(env_fns):
        try:
            pickled.append(ray.cloudpickle.dumps(function))
        except Exception as error:
            raise TypeError(f"env_fns[{index}]={function!r}: it cannot be pickled: {error}") from error
    return pickled


def _start_options(options: Mapping[str, Any], temp_ray_dir: Any) -> dict[str, Any]:
    """Returns the arguments for ``ray.init``."""
    if "address" in options or "RAY_ADDRESS" in os.environ:
        return {name: value for name, value in options.items() if name not in ("num_cpus", "num_gpus")}
    if temp_ray_dir is None:
        return dict(options)
    folder = Path(temp_ray_dir).absolute()
    if len(str(folder)) > _MAX_PATH_LENGTH:
        raise ValueError(
            f"temp_ray_dir={str(temp_ray_dir)!r}: its {len(str(folder))} characters are too many for Ray's sockets: "
            f"expected at most {_MAX_PATH_LENGTH}"
        )
    return {**options, "_temp_dir": str(folder)}


class RaySubprocVectorEnv(RayVectorEnv):
    """Environments in worker processes of the actors of a Ray cluster.

    Each actor runs a `SubprocVectorEnv` over its list of environments. Environment ids continue from one list to the
    next.
    """

    _default_sub_worker: Callable[..., Any] = SubprocEnvWorker

    def __init__(
        self,
        env_fns: Iterable[Sequence[Callable[[], Any]]],
        num_cpus: float | None,
        num_gpus: float | None = 0,
        no_warning: bool = False,
        temp_ray_dir: str | os.PathLike[str] | None = None,
        num_cpu_per_worker: float = 1,
        num_gpu_per_worker: float = 0,
        **kwargs: Any,
    ) -> None:
        """Starts Ray, unless this process is connected to a cluster, and then the actors and their processes.

        Args:
            env_fns: a list of functions for each actor, of any length; an actor takes several lists if there are fewer
                actors than lists.
            num_cpus: CPUs for all actors together, as for `RayVectorEnv`.
            num_gpus: GPUs, as for `RayVectorEnv`.
            no_warning: whether warnings are silenced.
            temp_ray_dir: the folder for Ray's files, as for `RayVectorEnv`.
            num_cpu_per_worker: CPUs of each actor.
            num_gpu_per_worker: GPUs of each actor.
            kwargs: as for `RayVectorEnv`; ``sub_worker_fn=DummyEnvWorker`` steps the environments in the actors' own
                processes.

        Raises:
            Exception: as for `RayVectorEnv`.
        """
        super().__init__(
            env_fns, num_cpus, num_gpus, no_warning, temp_ray_dir, num_cpu_per_worker, num_gpu_per_worker, **kwargs
        )

    def _flat(self, env_fns: Any) -> Any:
        if not is_series(env_fns):
            raise TypeError(f"env_fns={env_fns!r}: expected a list of lists of functions, each of which {MAKES}")
        self._env_lists = [functions(f"env_fns[{index}]", each, MAKES) for index, each in enumerate(env_fns)]
        return [function for each in self._env_lists for function in each]

    def _most_actors(self) -> int:
        return len(self._env_lists)

    def _sizes(self, count: int) -> list[int]:
        return [sum(map(len, part)) for part in split_evenly(self._env_lists, count)]


class RayEnvWorker(BackendEnvWorker):
    """Worker for one environment in a Ray actor; made by `RayVectorEnv` or `RaySubprocVectorEnv`."""

    def __init__(self, executor: RayBackend, env_id: int, env_fn: Callable[[], Any]) -> None:
        """Creates the worker of one environment.

        Args:
            executor: the backend of all environments.
            env_id: this environment.
            env_fn: the function that made the environment.
        """
        super().__init__(env_fn)
        self._executor, self._env_id = executor, env_id

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        """Waits for steps; see `EnvWorker.wait`."""
        by_id = {worker._env_id: worker for worker in workers}
        ready = workers[0]._executor.wait(list(by_id), min(wait_num, len(by_id)), timeout)
        return [by_id[env_id] for env_id in ready]

    def close_env(self) -> None:
        """Does nothing: the vector environment closes the environment and ends the actor."""
