"""An actor's end of a connection by which the driver calls it directly."""

from __future__ import annotations

import pickle
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from envpool_rs._workers.env_failure import failure_bytes
from envpool_rs.ray.frames import HEADER, framed, prove
from envpool_rs.ray.messages import Answer, value_frame

LARGEST = 2 << 20
"""Bytes up to which answers are sent over the driver's connection: beyond, Ray's object store is faster."""

_PATIENCE = 20.0
"""Seconds in which the driver has to connect."""

_STRANGER = 5.0
"""Seconds in which whoever connects has to show that it is the driver."""

_BEGUN = 2
"""Requests under way at a time."""

_LEAST, _MOST = 1 << 16, 1 << 20
"""Bytes to receive at a time."""


class DirectServer:
    """Lets the driver call an object's methods over a connection of its own.

    The connection is served by a method that runs as long as there is one, in the thread that Ray calls the actor's
    methods in, so that environments live in one thread whichever way they are called.
    """

    def __init__(
        self,
        methods: dict[str, Callable[..., Any]],
        begin: dict[str, Callable[..., Callable[[], Any] | None]] | None = None,
        beside: bool = False,
    ) -> None:
        """Nothing is opened yet.

        Args:
            methods: what may be called.
            begin: for some of them what begins a call and returns what finishes it, so that the next one can be begun
                meanwhile; ``None`` for a call that has to be made by itself, after all that were begun before it.
            beside: as for `value_frame`.
        """
        self._methods = methods
        self._begin = begin or {}
        self._beside = beside
        self._connection: socket.socket | None = None
        self._begun: deque[Callable[[], Any]] = deque()
        self._alone: Callable[[], Any] | None = None

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
            self._requests = _Requests(self._connection)
        large = None
        try:
            while large is None and (self._begun or self._alone or self._take()):
                self._take_more()
                large = self._answer(self._connection)
        except OSError:
            pass  # The driver has gone.
        if large is None:
            self._connection.close()
        return large

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

    def _take(self) -> bool:
        """Waits for the next request, and begins it if it is one to begin; false if there are no more."""
        request = self._requests.next()
        if request is None:
            return False
        try:
            method, arguments = pickle.loads(request)
            finish = self._begin[method](*arguments) if method in self._begin else None
            if finish is None:
                self._alone = partial(self._methods[method], *arguments)
            else:
                self._begun.append(finish)
        except Exception as error:
            self._begun.append(partial(_raise, error))
        return True

    def _take_more(self) -> None:
        """Begins requests that have come already."""
        while self._begin and self._alone is None and len(self._begun) < _BEGUN and self._requests.are_waiting():
            if not self._take():
                return

    def _answer(self, connection: socket.socket) -> Any:
        """Answers the oldest request; returns what is too large to be sent."""
        if self._begun:
            finish = self._begun.popleft()
        else:
            assert self._alone is not None
            finish, self._alone = self._alone, None
        value: Any
        try:
            value = finish()
            self._take_more()
            answer = value_frame(value, self._beside)
        except Exception as error:
            value, answer = None, bytes([Answer.ERROR]) + failure_bytes(-1, "call", error)
        large = value is not None and len(answer) > LARGEST
        for piece in framed(bytes([Answer.STORED]) if large else answer):
            connection.sendall(piece)
        return value if large else None


class _Requests:
    """The frames that come."""

    def __init__(self, connection: socket.socket) -> None:
        """Nothing has been received.

        Args:
            connection: blocking.
        """
        self._connection = connection
        self._received = bytearray()
        self._selector = selectors.DefaultSelector()
        self._selector.register(connection, selectors.EVENT_READ)

    def are_waiting(self) -> bool:
        """Whether the next one has come, or begun to come, or there are no more."""
        return bool(self._received or self._selector.select(0))

    def next(self) -> bytes | None:
        """The next frame, waited for; ``None`` where the stream ends."""
        received, needed = self._received, HEADER.size
        while len(received) < needed or len(received) < (needed := HEADER.size + HEADER.unpack_from(received)[0]):
            piece = self._connection.recv(min(max(needed - len(received), _LEAST), _MOST))
            if not piece:
                return None
            received += piece
        frame = bytes(memoryview(received)[HEADER.size : needed])
        del received[:needed]
        return frame


def _raise(error: Exception) -> None:
    raise error
