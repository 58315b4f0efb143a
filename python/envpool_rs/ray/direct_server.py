"""An actor's end of a connection by which the driver calls it directly."""

from __future__ import annotations

import pickle
import socket
import time
from collections.abc import Callable
from io import BufferedReader
from typing import Any

from envpool_rs._workers.env_failure import failure_bytes
from envpool_rs._workers.serialization import dumps
from envpool_rs.ray.frames import HEADER, framed, prove
from envpool_rs.ray.messages import Answer

_PATIENCE = 20.0
"""Seconds in which the driver has to connect."""

_STRANGER = 5.0
"""Seconds in which whoever connects has to show that it is the driver."""


class DirectServer:
    """Lets the driver call an object's methods over a connection of its own.

    The connection is served by a method that runs as long as there is one, in the thread that Ray calls the actor's
    methods in, so that environments live in one thread whichever way they are called.
    """

    def __init__(self, methods: dict[str, Callable[..., Any]], largest: int) -> None:
        """Nothing is opened yet.

        Args:
            methods: what may be called.
            largest: bytes up to which an answer is sent over the connection.
        """
        self._methods = methods
        self._largest = largest
        self._connection: socket.socket | None = None

    def listen(self, host: str, key: bytes) -> tuple[str, int]:
        """Opens a socket for the driver.

        Args:
            host: this node's address.
            key: what the driver will prove to know.

        Returns:
            Where it listens.
        """
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._key, self._listener = key, socket.create_server((host, 0), family=family)
        address = self._listener.getsockname()
        return address[0], address[1]

    def serve(self) -> Any:
        """Waits for the driver, and does what it asks for until it ends the connection.

        Returns:
            ``None`` at the end. An answer that is too large for the connection, which then only tells that it comes
            from here, out of Ray's object store; call again to go on.

        Raises:
            TimeoutError: if the driver does not come.
        """
        if self._connection is None:
            self._connection = self._accepted()
            self._reader = self._connection.makefile("rb")
        try:
            while (request := _read(self._reader)) is not None:
                large = self._answer(self._connection, request)
                if large is not None:
                    return large
        except OSError:
            return None  # The driver has gone.
        return None

    def _accepted(self) -> socket.socket:
        end = time.monotonic() + _PATIENCE
        with self._listener:
            while True:
                self._listener.settimeout(max(0.001, end - time.monotonic()))
                connection, _ = self._listener.accept()
                try:
                    connection.settimeout(_STRANGER)
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    if prove(connection, self._key, b"actor", b"driver"):
                        connection.settimeout(None)
                        return connection
                except OSError:
                    pass  # Somebody else, or the driver has given up.
                connection.close()

    def _answer(self, connection: socket.socket, request: bytes) -> Any:
        """Answers a request; returns what is too large to be sent."""
        try:
            method, arguments = pickle.loads(request)
            value = self._methods[method](*arguments)
            answer = bytes([Answer.VALUE]) + dumps(value)
        except Exception as error:
            value, answer = None, bytes([Answer.ERROR]) + failure_bytes(-1, "call", error)
        large = value is not None and len(answer) > self._largest
        for piece in framed(bytes([Answer.STORED]) if large else answer):
            connection.sendall(piece)
        return value if large else None


def _read(reader: BufferedReader) -> bytes | None:
    """The next frame; ``None`` where the stream ends."""
    header = reader.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    (count,) = HEADER.unpack(header)
    payload = reader.read(count)
    return payload if len(payload) == count else None
