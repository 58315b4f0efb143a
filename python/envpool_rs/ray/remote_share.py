"""An actor as the driver sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class RemoteShare:
    """One actor with its environments.

    Attributes:
        index: number of the actor.
        env_ids: its environments, counted through the whole pool.
        actor: Ray's handle.
        calls: what stands for each request that has no answer, by its number.
        sent: number of the last request that it was sent.
        death: what is known of its death, until that was told.
    """

    index: int
    env_ids: range
    actor: Any
    calls: dict[int, Any] = field(default_factory=dict)
    sent: int = 0
    death: BaseException | None = None

    def replaced(self, actor: Any) -> None:
        """Another actor has taken its place.

        Args:
            actor: its handle.
        """
        self.actor, self.calls = actor, {}
