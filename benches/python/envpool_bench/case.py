"""Benchmark cases: one task in a pool of one size."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    """Benchmark case: a task and the size of the pool that runs it.

    Attributes:
        task: id of the task.
        num_envs: number of environments.
        batch_size: environments per call; a number below ``num_envs`` makes the pool asynchronous.
        threads: number of worker threads, for libraries that use threads.
    """

    task: str
    num_envs: int
    batch_size: int
    threads: int

    @property
    def is_async(self) -> bool:
        """Whether the pool is asynchronous: a call returns the first ``batch_size`` environments that finish."""
        return self.batch_size < self.num_envs

    @property
    def mode(self) -> str:
        """Size of the pool as a string: ``1024``, or ``async 1024/256``."""
        return f"async {self.num_envs}/{self.batch_size}" if self.is_async else str(self.num_envs)
