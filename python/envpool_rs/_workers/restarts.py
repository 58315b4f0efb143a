"""What is known of environments so that they can go on in a new process, and what is still owed to the caller then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np


class Restarts:
    """The books of the restart policy.

    Attributes:
        counts: how often each worker was made anew.
        unproven: workers made anew that have not completed a request since.
        untold: environments made anew while they were idle: their next step resets them and tells of it.
        answers: requests in flight that tell of a restart: True if they answer a step, False if a reset.
    """

    def __init__(self, num_workers: int) -> None:
        self.counts = [0] * num_workers
        self.unproven: set[int] = set()
        self.untold: set[int] = set()
        self.answers: dict[int, bool] = {}
        self._seeds: dict[int, int] = {}

    def note_seeds(self, env_ids: Iterable[int], seeds: Sequence[int | None] | None) -> None:
        """Remembers what environments were last seeded with."""
        if seeds is not None:
            self._seeds.update((env_id, seed) for env_id, seed in zip(env_ids, seeds, strict=True) if seed is not None)

    def seed_of(self, env_id: int, worker: int) -> int | None:
        """A new seed, from an environment's last one and the number of restarts; None if it was never seeded."""
        seed = self._seeds.get(env_id)
        if seed is None:
            return None
        mixed = np.random.SeedSequence([abs(seed), self.counts[worker]])
        return int(mixed.generate_state(1)[0]) >> 1

    def forget(self, env_ids: Iterable[int]) -> None:
        """A reset was asked for: nothing is owed to these environments' next step."""
        self.untold.difference_update(env_ids)
