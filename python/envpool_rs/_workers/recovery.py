"""Recovery policy for environments whose process or actor is lost.

The policy is the same as in the engine's pools. It applies to environments whose requests the engine does not record:

- A lost process or actor is restarted, unless it was lost twice without a reply in between, or restarts are off.
  Otherwise it is not restarted again, and every further use of its environments raises an error.
- The reply to a lost step is the first observation of a new episode, with reward 0, truncated. The reply to a lost
  reset is the reply to a reset of the restarted environment. The reply to any other lost request is the error that
  reports the loss. Idle environments start a new episode with their next step or reset.
- The first row after a loss has ``restarted`` in its info.
- A reset uses the seed that the caller gave. Without one, the new episode's seed is derived from the last seed and the
  number of losses. Environments that were never seeded stay unseeded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from envpool_rs._core import Losses

_WORD = (1 << 64) - 1
"""Mask that reduces a seed to 64 bits: environments' seeds may be negative or longer, but the engine's are unsigned
64-bit integers.
"""


class RecoveryTracker(Losses):
    """Records losses and seeds, as the recovery policy requires."""

    def __new__(cls, num_envs: int, num_places: int, *, restart: bool) -> Any:
        """Creates a tracker that has recorded no losses."""
        return super().__new__(cls, num_envs, restart=restart)

    def __init__(self, num_envs: int, num_places: int, *, restart: bool) -> None:
        self.counts = [0] * num_places

    def record_seeds(self, env_ids: Iterable[int], seeds: Sequence[int | None] | None) -> None:
        """Records the seeds of environments; None entries are skipped."""
        for env_id, seed in zip(env_ids, seeds or (), strict=seeds is not None):
            if seed is not None:
                self.note_seed(env_id, abs(int(seed)) & _WORD)

    def seeds_of_resets(
        self, env_ids: Sequence[int], seeds: Sequence[int | None] | None
    ) -> Sequence[int | None] | None:
        """Returns the seeds of resets: those that the caller gave; otherwise, for environments that need recovery,
        seeds derived from their last seeds.
        """
        if not self.is_any_owing or not (owing := set(self.owing(list(env_ids)))):
            return seeds
        seed_list = [None] * len(env_ids) if seeds is None else seeds
        return [
            self.next_seed(env_id) if seed is None and env_id in owing else seed
            for env_id, seed in zip(env_ids, seed_list, strict=True)
        ]


def with_restart(info: dict[str, Any]) -> dict[str, Any]:
    """Returns the info of an environment's first row after a loss: ``info`` with ``restarted`` added."""
    return {**info, "restarted": True}
