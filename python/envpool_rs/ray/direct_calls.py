"""Calls to actors over connections of their own, which take a twentieth of the time of Ray's."""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Sequence
from typing import Any

from envpool_rs.ray.actor_calls import ActorCalls
from envpool_rs.ray.cluster import death_errors
from envpool_rs.ray.direct_connection import ConnectionEnded, DirectCall, DirectConnection


class DirectCalls(ActorCalls):
    """Calls over one connection to each actor, made when it starts.

    Ray still places actors, ends them, tells why they died, and stores large answers.
    """

    def __init__(self, ray: Any, actors: list[Any]) -> None:
        """Connects to all actors.

        Args:
            ray: the module.
            actors: their handles, by number; may change.

        Raises:
            OSError: where an actor cannot be reached, for instance because of a firewall.
        """
        self._ray, self._actors = ray, actors
        self.deaths = (*death_errors(ray), ConnectionEnded)
        self._selector = selectors.DefaultSelector()
        self._connections: list[Any] = [None] * len(actors)
        try:
            keys = [os.urandom(32) for _ in actors]
            addresses = ray.get([actor.listen.remote(key) for actor, key in zip(actors, keys, strict=True)])
            for number, (key, address) in enumerate(zip(keys, addresses, strict=True)):
                self._connect(number, key, address)
        except BaseException:
            self.close()
            raise

    def _connect(self, number: int, key: bytes, address: tuple[str, int]) -> None:
        connection = DirectConnection(self._ray, self._actors[number], key, address)
        self._connections[number] = connection
        self._selector.register(connection.socket, selectors.EVENT_READ, connection)

    def join(self, actor: int) -> None:
        """See `ActorCalls.join`."""
        self._leave(actor)
        key = os.urandom(32)
        try:
            self._connect(actor, key, self._ray.get(self._actors[actor].listen.remote(key)))
        except OSError as error:
            raise ConnectionEnded(f"it cannot be reached: {error}") from error

    def _leave(self, actor: int) -> None:
        connection = self._connections[actor]
        if connection is not None:
            self._unregister(connection)
            connection.close()

    def _unregister(self, connection: DirectConnection) -> None:
        if connection.socket in self._selector.get_map():
            self._selector.unregister(connection.socket)

    def call(self, actor: int, method: str, *arguments: Any) -> DirectCall:
        """See `ActorCalls.call`."""
        call: DirectCall = self._connections[actor].call(method, arguments)
        return call

    def answered(self, calls: Sequence[DirectCall], at_least: int, timeout: float | None) -> list[DirectCall]:
        """See `ActorCalls.answered`; in order of arrival."""
        end = None if timeout is None else time.monotonic() + timeout
        left: float | None = 0.0
        while True:
            self._receive(left)
            ready = [call for call in calls if call.is_over()]
            left = None if end is None else max(0.0, end - time.monotonic())
            if len(ready) >= at_least or left == 0.0:
                return sorted(ready, key=DirectCall.arrival)

    def _receive(self, timeout: float | None) -> None:
        """Takes in what there is, waiting for anything at all."""
        patience = DirectConnection.PATIENCE
        events = self._selector.select(patience if timeout is None else min(timeout, patience))
        for key, _ in events:
            key.data.receive(0.0)
            if key.data.is_over:
                self._unregister(key.data)
        if not events and timeout != 0.0:
            for connection in self._connections:
                connection.check()

    def answers(self, calls: Sequence[DirectCall]) -> list[Any]:
        """See `ActorCalls.answers`."""
        return [call.answer() for call in calls]

    def close(self) -> None:
        """Ends all connections, and with that what the actors do."""
        for actor in range(len(self._connections)):
            self._leave(actor)
        self._selector.close()
