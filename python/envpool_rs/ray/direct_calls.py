"""Calls actors over TCP connections. Such a call takes a twentieth of the time of Ray's calls."""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Sequence
from typing import Any

from envpool_rs.ray.actor_calls import ActorCalls, RayCalls
from envpool_rs.ray.cluster import death_errors
from envpool_rs.ray.direct_connection import ConnectionEnded, DirectCall, DirectConnection

_POLL_INTERVAL = 0.02
"""Interval in seconds at which a restarted actor's socket is polled."""


def calls_to(ray: Any, actors: list[Any], direct: bool, views: bool = False) -> ActorCalls:
    """Returns the object that calls actors: over direct connections, or by Ray if that is requested or required.

    Ray's calls are required if actors cannot be reached otherwise, because of a firewall, or if Ray's own traffic is
    encrypted, which direct calls must not circumvent.

    Args:
        ray: the module.
        actors: actors' handles, by number; may change.
        direct: whether to call directly, if possible.
        views: whether large arrays in replies may be read-only views of the received bytes.
    """
    if direct and os.environ.get("RAY_USE_TLS", "0") in ("", "0"):
        try:
            return DirectCalls(ray, actors, views)
        except OSError:
            pass
    return RayCalls(ray, actors)


class DirectCalls(ActorCalls):
    """Calls actors over one TCP connection to each. The connection is made when the actor starts. One thread may call
    while another waits.

    Ray still places actors, ends them, reports why they died, and stores large replies.
    """

    is_direct = True

    def __init__(self, ray: Any, actors: list[Any], views: bool = False) -> None:
        """Connects to all actors.

        Args:
            ray: the module.
            actors: actors' handles, by number; may change.
            views: whether large arrays in replies are read-only views of the received bytes.

        Raises:
            OSError: if an actor cannot be reached, for instance because of a firewall.
        """
        self._ray, self._actors, self._views = ray, actors, views
        self.deaths = (*death_errors(ray), ConnectionEnded)
        self._selector = selectors.DefaultSelector()
        self._connections = [DirectConnection(ray, actor, views) for actor in actors]
        # Connections to restarted actors that do not listen yet.
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
        """Connects to an actor that replaces a lost one; see `ActorCalls.join`.

        The connection is made when the actor listens; calls are queued until then.
        """
        old, new = self._connections[actor], DirectConnection(self._ray, self._actors[actor], self._views)
        self._unregister(old)
        old.close()
        self._new, self._connections[actor] = [*(each for each in self._new if each is not old), new], new

    def call(self, actor: int, method: str, *arguments: Any) -> DirectCall:
        """Calls a method of an actor; see `ActorCalls.call`."""
        return self._connections[actor].call(method, arguments)

    def call_once(self, calls: dict[int, Any], number: int, actor: int, method: str, *arguments: Any) -> None:
        """Calls a method of an actor, unless a call with this number exists; see `ActorCalls.call_once`."""
        connection = self._connections[actor]
        if number not in calls:
            calls[number] = connection.prepare(method, arguments)
        connection.make(calls[number])

    def answered(self, calls: Sequence[DirectCall], at_least: int, timeout: float | None) -> list[DirectCall]:
        """Waits for replies, and returns the completed calls in order of arrival; see `ActorCalls.answered`."""
        end = None if timeout is None else time.monotonic() + timeout
        for connection in self._connections:
            connection.resume()
        if not at_least:
            self._receive(0.0)
        while True:
            ready = [call for call in calls if call.is_over()]
            left = None if end is None else max(0.0, end - time.monotonic())
            if len(ready) >= at_least or left == 0.0:
                return sorted(ready, key=DirectCall.arrival)
            self._receive(left)

    def _receive(self, timeout: float | None) -> None:
        """Waits until data are available on any connection, and receives them."""
        patience = DirectConnection.PATIENCE
        if self._new:
            patience = _POLL_INTERVAL
            for connection in self._new:
                connection.try_to_reach(0.0)
                self._register(connection)
            self._new = [each for each in self._new if each.socket is None and not each.is_over]
        events = self._selector.select(patience if timeout is None else min(timeout, patience))
        for key, _ in events:
            key.data.receive_available()
            if key.data.is_over:
                self._unregister(key.data)
        if not events and timeout != 0.0 and not self._new:
            for connection in self._connections:
                connection.check()

    def answers(self, calls: Sequence[DirectCall]) -> list[Any]:
        """Waits for the replies to calls, and returns them; see `ActorCalls.answers`."""
        return [call.answer() for call in calls]

    def close(self) -> None:
        """Closes all connections, which ends the actors' serving calls.

        Another thread may be waiting for replies.
        """
        for connection in self._connections:
            connection.close()
