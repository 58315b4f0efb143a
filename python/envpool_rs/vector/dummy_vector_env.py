"""Environments stepped in a loop, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from envpool_rs.vector.base_vector_env import BaseVectorEnv
from envpool_rs.vector.env_worker import DummyEnvWorker


class DummyVectorEnv(BaseVectorEnv):
    """Environments stepped in a loop, in this process.

    Use it for debugging, or if a step costs less than waking a process. In asynchronous mode every step has finished
    when it is fetched, and all are returned.
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
            no_warning: silences warnings of the environments.
            kwargs: as for `BaseVectorEnv`.
        """
        super().__init__(env_fns, DummyEnvWorker, no_warning=no_warning, **kwargs)
