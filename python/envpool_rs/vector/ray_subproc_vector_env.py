"""Environments in worker processes of the actors of a Ray cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from envpool_rs._arguments import MAKES, functions, is_series
from envpool_rs.vector.ray_vector_env import RayVectorEnv, split_evenly
from envpool_rs.vector.subproc_env_worker import SubprocEnvWorker


class RaySubprocVectorEnv(RayVectorEnv):
    """Environments in worker processes of the actors of a Ray cluster.

    Each actor runs a `SubprocVectorEnv` over its list of environments. Ids are counted over all lists.
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
        """Starts Ray unless this process is connected to it, then the actors and their processes.

        Args:
            env_fns: a list of functions for each actor, of any length; an actor takes several lists if there are fewer
                actors than lists.
            num_cpus: as for `RayVectorEnv`, like all that follow.
            num_gpus: GPUs.
            no_warning: silences warnings.
            temp_ray_dir: the folder for Ray's files.
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
