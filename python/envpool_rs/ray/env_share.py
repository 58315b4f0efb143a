"""The environments of one actor."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from envpool_rs import _core
from envpool_rs._spec.cartridges import check_cartridges
from envpool_rs._spec.mujoco_library import check_mujoco
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._spec.vizdoom_files import check_games
from envpool_rs.ray.actor_methods import ActorMethods

if TYPE_CHECKING:
    from envpool_rs._core import Layout


class EnvShare(ActorMethods):
    """A native pool that plays what its environments are asked; an actor is one of these in a process of its own."""

    def __init__(self, spec: EnvSpec, layout: Layout, first_number: int = 1) -> None:
        """Makes the environments, unreset.

        Args:
            spec: what to make; a synchronous pool.
            layout: of the pool that they are part of.
            first_number: of the first request that will come.
        """
        super().__init__({"play": self.play}, self._beginnings(), beside=True)
        check_cartridges(spec.pool)
        check_mujoco(spec.pool)
        check_games(spec.pool)
        self._host = _core.RemoteHost(spec.pool, layout)

    def _beginnings(self) -> dict[str, Any]:
        return {}

    def play(self, number: int, request: bytes) -> bytes:
        """Plays a request.

        Args:
            number: counted through the life of the environments.
            request: as the extension makes them.

        Returns:
            The answer for the extension.
        """
        return self._host.play(request)

    def _begin(self, number: int, request: bytes) -> Callable[[], bytes] | None:
        """Queues steps; returns what waits for them. ``None`` for what is more than steps."""
        return self._host.finish if self._host.begin(request) else None
