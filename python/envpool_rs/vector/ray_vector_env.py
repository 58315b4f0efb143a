"""Environments in the actors of a Ray cluster."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from envpool_rs._arguments import flag
from envpool_rs.ray.cluster import check_cpus, check_room, connect, import_ray
from envpool_rs.vector.base_vector_env import BaseVectorEnv
from envpool_rs.vector.dummy_env_worker import DummyEnvWorker
from envpool_rs.vector.executor import Executor
from envpool_rs.vector.ray_env_worker import RayEnvWorker
from envpool_rs.vector.ray_executor import RayExecutor

_LONGEST_PATH = 40
"""Ray's sockets lie some 60 characters below its folder, and their names are to stay below 107."""


class RayVectorEnv(BaseVectorEnv):
    """Environments in the actors of a Ray cluster, which keep them from step to step; several in each.

    In asynchronous use each environment is asked for by itself; environments of one actor are stepped one after the
    other.

    Attributes:
        num_actors: number of actors.
        is_direct: whether actors are called over connections of this process's own.
    """

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
        """Starts Ray where this process is not connected to it, and the actors.

        Args:
            env_fns: functions that make one environment each; lambdas and closures too.
            num_cpus: CPUs for all actors together: there are ``floor(num_cpus / num_cpu_per_worker)`` of them, at least
                one and at most one for each environment. Ray is started with so many.
            num_gpus: GPUs that Ray is started with.
            no_warning: silences warnings, of the environments too.
            temp_ray_dir: the folder for what Ray writes, if it is started here. ``None``: Ray's own, among the system's
                temporary files.
            num_cpu_per_worker: CPUs that Ray reserves for each actor.
            num_gpu_per_worker: GPUs that Ray reserves for each actor.
            sub_worker_fn: what makes the environments' workers within an actor; a subclass of `EnvWorker`.
            restart: whether an actor that died, or a worker process of an actor's, is started again; its environments
                begin new episodes, and say so by ``info["restarted"]``, in a row with reward 0 that is truncated.
                Otherwise they are lost, and naming them is an error.
            start_timeout: seconds to wait for the actors to start.
            ray_options: further arguments for ``ray.init``.
            direct: whether actors are called over TCP connections of this process's own, in a twentieth of the time of
                Ray's calls. Where an actor cannot be reached so (a firewall between nodes), and where Ray's own traffic
                is encrypted, they are Ray's calls all the same; `is_direct` tells.
            kwargs: as `BaseVectorEnv`.

        Raises:
            ImportError: where ray is missing or too old.
            ValueError: for a value that is not allowed, or more actors than the cluster has room for.
            TypeError: for functions that cannot be pickled, naming them.
            Exception: what an ``env_fn`` raised, naming the environment.
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
        """The functions one after the other."""
        return env_fns

    def _sizes(self, count: int) -> list[int]:
        """How many environments each of ``count`` actors has."""
        return [len(each) for each in divided(self._env_fns, count)]

    def _most_actors(self) -> int:
        """How many actors could be of use."""
        return len(self._env_fns)

    def _make_executor(self, offered: dict[str, Any]) -> Executor:
        env_fns = _pickled(import_ray(), self._env_fns)
        quiet = bool(offered["no_warning"])
        ray = connect(_start_options(self._ray_start, self._temp_ray_dir))
        self.num_actors = self._count_actors(ray, quiet)
        remaining = iter(env_fns)
        executor = RayExecutor(
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
        wanted = min(self._most_actors(), max(1, int(self._num_cpus // each) if each > 0 else int(self._num_cpus)))
        total = ray.cluster_resources().get("CPU", 0.0)
        room = max(1, int(total // each)) if each > 0 else wanted
        if wanted > room and not quiet:
            warnings.warn(
                f"num_cpus={self._num_cpus:g} asks for {wanted} actors of {each:g} CPUs: the cluster has {total:g} "
                f"CPUs, and {room} of them are made",
                RuntimeWarning,
                stacklevel=5,
            )
        count = min(wanted, room)
        check_room(ray, count, each, self.num_gpu_per_worker)
        return count

    def close(self) -> None:
        """Closes all environments, and ends the actors; Ray itself goes on. See `BaseVectorEnv.close`."""
        try:
            super().close()
        finally:
            for worker in self.workers:
                worker.is_closed = True


def divided(things: Sequence[Any], parts: int) -> list[list[Any]]:
    """Consecutive things, as equal in number as can be."""
    size, more = divmod(len(things), parts)
    ends = [part * size + min(part, more) for part in range(parts + 1)]
    return [list(things[first:end]) for first, end in pairwise(ends)]


def _pickled(ray: Any, env_fns: Sequence[Any]) -> list[bytes]:
    """The functions, by value where actors cannot import them (lambdas, closures, what a script defines)."""
    pickled = []
    for index, function in enumerate(env_fns):
        try:
            pickled.append(ray.cloudpickle.dumps(function))
        except Exception as error:
            raise TypeError(f"env_fns[{index}]={function!r}: it cannot be pickled: {error}") from error
    return pickled


def _start_options(options: Mapping[str, Any], temp_ray_dir: Any) -> dict[str, Any]:
    """Arguments for ``ray.init``."""
    if "address" in options or "RAY_ADDRESS" in os.environ:
        return {name: value for name, value in options.items() if name not in ("num_cpus", "num_gpus")}
    if temp_ray_dir is None:
        return dict(options)
    folder = Path(temp_ray_dir).absolute()
    if len(str(folder)) > _LONGEST_PATH:
        raise ValueError(
            f"temp_ray_dir={str(temp_ray_dir)!r}: its {len(str(folder))} characters are too many for Ray's sockets: "
            f"expected at most {_LONGEST_PATH}"
        )
    return {**options, "_temp_dir": str(folder)}
