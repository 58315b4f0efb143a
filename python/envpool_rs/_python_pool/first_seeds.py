"""The seeds that a pool was made with, until its environments have been reset for the first time."""

from __future__ import annotations

from collections.abc import Sequence

from envpool_rs._python_pool.env_ids import Ids


class FirstSeeds:
    """Seeds that count for each environment's first reset, unless that names another one."""

    def __init__(self, seeds: list[int | None] | None) -> None:
        """Keeps the seeds.

        Args:
            seeds: one for each environment, or ``None`` without any.
        """
        self._seeds = seeds

    def merged(self, ids: Ids, seeds: Sequence[int | None] | None) -> Sequence[int | None] | None:
        """``seeds`` of a reset of ``ids``, with the first ones where they name none."""
        if self._seeds is None:
            return seeds
        given = [None] * len(ids) if seeds is None else seeds
        return [self._seeds[index] if seed is None else seed for index, seed in zip(ids, given, strict=True)]

    def forget(self, ids: Ids) -> None:
        """Notes that ``ids`` have been reset."""
        if self._seeds is None:
            return
        for index in ids:
            self._seeds[index] = None
        if all(seed is None for seed in self._seeds):
            self._seeds = None
