"""Worker for an environment in a Ray actor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from envpool_rs.vector.backend_env_worker import BackendEnvWorker
from envpool_rs.vector.ray_executor import RayBackend


class RayEnvWorker(BackendEnvWorker):
    """An environment in an actor; `RayVectorEnv` or `RaySubprocVectorEnv` makes these workers."""

    def __init__(self, executor: RayBackend, env_id: int, env_fn: Callable[[], Any]) -> None:
        """Creates the worker of one environment.

        Args:
            executor: of all environments.
            env_id: this environment.
            env_fn: the function that made it.
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
