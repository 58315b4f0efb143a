"""Calls to actors over connections of their own, which take a twentieth of the time of Ray's."""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Sequence
from typing import Any

from envpool_rs.ray.actor_calls import ActorCalls, RayCalls
from envpool_rs.ray.cluster import death_errors
from envpool_rs.ray.direct_connection import ConnectionEnded, DirectCall, DirectConnection

_REACHING = 0.02
"""Seconds from one look to the next whether an actor that was started in the place of another listens."""


def calls_to(ray: Any, actors: list[Any], direct: bool, views: bool = False) -> ActorCalls:
    """Direct calls, or Ray's: where that is asked for, where actors cannot be reached otherwise (firewalls), and where
    Ray's own traffic is encrypted, which is not circumvented.

    Args:
        ray: the module.
        actors: their handles, by number; may change.
        direct: whether to call directly, if it can be.
        views: whether large arrays in answers may be shown where they were received, so that nobody may write to them.
    """
    if direct and os.environ.get("RAY_USE_TLS", "0") in ("", "0"):
        try:
            return DirectCalls(ray, actors, views)
        except OSError:
            pass
    return RayCalls(ray, actors)


class DirectCalls(ActorCalls):
    """Calls over one connection to each actor, made when it starts. One thread may call while another waits.

    Ray still places actors, ends them, tells why they died, and stores large answers.
    """

    is_direct = True

    def __init__(self, ray: Any, actors: list[Any], views: bool = False) -> None:
        """Connects to all actors.

        Args:
            ray: the module.
            actors: their handles, by number; may change.
            views: whether large arrays in answers are shown where they were received, and may not be written to.

        Raises:
            OSError: where an actor cannot be reached, for instance because of a firewall.
        """
        self._ray, self._actors, self._views = ray, actors, views
        self.deaths = (*death_errors(ray), ConnectionEnded)
        self._selector = selectors.DefaultSelector()
        self._connections = [DirectConnection(ray, actor, views) for actor in actors]
        # Connections to actors that were started in the place of others, and do not listen yet.
        self._new: list[DirectConnection] = []
        try:
            for connection in self._connections:
                connection.reach()
                self._register(connection)
        except BaseException:
            self.close()
            raise

    def _register(self, connection: DirectConnection) -> None:
        if connection.socket is not None and connection.socket not in self._selector.get_map():
            self._selector.register(connection.socket, selectors.EVENT_READ, connection)

    def _unregister(self, connection: DirectConnection) -> None:
        if connection.socket is not None and connection.socket in self._selector.get_map():
            self._selector.unregister(connection.socket)

    def join(self, actor: int) -> None:
        """See `ActorCalls.join`. The actor is connected to when it listens; calls before that are kept."""
        old, new = self._connections[actor], DirectConnection(self._ray, self._actors[actor], self._views)
        self._unregister(old)
        old.close()
        self._new, self._connections[actor] = [*(each for each in self._new if each is not old), new], new

    def call(self, actor: int, method: str, *arguments: Any) -> DirectCall:
        """See `ActorCalls.call`."""
        return self._connections[actor].call(method, arguments)

    def call_once(self, calls: dict[int, Any], number: int, actor: int, method: str, *arguments: Any) -> None:
        """See `ActorCalls.call_once`."""
        connection = self._connections[actor]
        if number not in calls:
            calls[number] = connection.prepared(method, arguments)
        connection.make(calls[number])

    def answered(self, calls: Sequence[DirectCall], at_least: int, timeout: float | None) -> list[DirectCall]:
        """See `ActorCalls.answered`; in order of arrival."""
        end = None if timeout is None else time.monotonic() + timeout
        for connection in self._connections:
            connection.take_up()
        if not at_least:
            self._receive(0.0)
        while True:
            ready = [call for call in calls if call.is_over()]
            left = None if end is None else max(0.0, end - time.monotonic())
            if len(ready) >= at_least or left == 0.0:
                return sorted(ready, key=DirectCall.arrival)
            self._receive(left)

    def _receive(self, timeout: float | None) -> None:
        """Takes in what there is, waiting for anything at all."""
        patience = DirectConnection.PATIENCE
        if self._new:
            patience = _REACHING
            for connection in self._new:
                connection.try_to_reach(0.0)
                self._register(connection)
            self._new = [each for each in self._new if each.socket is None and not each.is_over]
        events = self._selector.select(patience if timeout is None else min(timeout, patience))
        for key, _ in events:
            key.data.take_in()
            if key.data.is_over:
                self._unregister(key.data)
        if not events and timeout != 0.0 and not self._new:
            for connection in self._connections:
                connection.check()

    def answers(self, calls: Sequence[DirectCall]) -> list[Any]:
        """See `ActorCalls.answers`."""
        return [call.answer() for call in calls]

    def close(self) -> None:
        """Ends all connections, and with that what the actors do. Another thread may be waiting for answers."""
        for connection in self._connections:
            connection.close()
