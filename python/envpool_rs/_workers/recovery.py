"""What becomes of environments when what plays them is lost, a process or an actor.

It is the policy of the engine's pools, for environments whose requests the engine does not keep. The numbers are the
engine's, and so is what is asked and told:

- What was lost is made anew, unless it was lost twice in a row without an answer between, or nobody wants it anew. Then
  it is given up, and every further use of its environments is an error.
- A step that was lost is answered by the first observation of a new episode, with reward 0, truncated; a reset by a
  reset; anything else by the loss itself. Environments that were idle begin anew with their next step or reset.
- The first row after a loss says ``restarted`` in its info.
- A reset has the seed that it was given. Without one, the new episode's seed is made of the last seed and the number of
  losses; environments that were never seeded stay so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from envpool_rs._core import Losses

_WORD = (1 << 64) - 1
"""Seeds may be negative, and of any length; the engine's are not."""


class Recovery(Losses):
    """The books of the policy.

    Attributes:
        counts: how often each place was made anew.
    """

    def __new__(cls, num_envs: int, num_places: int, *, restart: bool) -> Any:
        """Nothing was lost so far.

        Args:
            num_envs: environments.
            num_places: what plays them: processes or actors.
            restart: whether what is lost is made anew.
        """
        return super().__new__(cls, num_envs, restart=restart)

    def __init__(self, num_envs: int, num_places: int, *, restart: bool) -> None:
        self.counts = [0] * num_places

    def note_seeds(self, env_ids: Iterable[int], seeds: Sequence[int | None] | None) -> None:
        """Notes what environments were seeded with, where they were."""
        for env_id, seed in zip(env_ids, seeds or (), strict=seeds is not None):
            if seed is not None:
                self.note_seed(env_id, abs(int(seed)) & _WORD)

    def seeds_of_resets(
        self, env_ids: Sequence[int], seeds: Sequence[int | None] | None
    ) -> Sequence[int | None] | None:
        """The seeds of resets: those that were given; where environments owe one, those that follow from their last."""
        if not self.is_any_owing or not (owing := set(self.owing(list(env_ids)))):
            return seeds
        given = [None] * len(env_ids) if seeds is None else seeds
        return [
            self.next_seed(env_id) if seed is None and env_id in owing else seed
            for env_id, seed in zip(env_ids, given, strict=True)
        ]


def with_restart(info: dict[str, Any]) -> dict[str, Any]:
    """The info of the first row after a loss."""
    return {**info, "restarted": True}


def times(losses: int) -> str:
    """So many losses in words."""
    return {1: "once", 2: "twice"}.get(losses, f"{losses} times")
