"""The actor's end of a TCP connection over which the driver calls its methods without Ray."""

from __future__ import annotations

import pickle
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from envpool_rs._workers.serialization import failure_bytes
from envpool_rs.ray.messages import HEADER, ReplyKind, authenticate, frame_pieces, value_frame

LARGEST = 2 << 20
"""Maximum size in bytes of replies over the driver's connection: for larger ones, Ray's object store is faster."""

_ACCEPT_TIMEOUT = 20.0
"""Time in seconds in which the driver must connect."""

_AUTHENTICATION_TIMEOUT = 5.0
"""Time in seconds in which a client must authenticate as the driver."""

_MAX_IN_PROGRESS = 2
"""Maximum number of requests in progress."""

_LEAST, _MOST = 1 << 16, 1 << 20
"""Smallest and largest number of bytes to request from the socket at a time."""


class DirectServer:
    """Server through which the driver calls an object's methods over a separate connection.

    `serve` runs in the thread in which Ray calls the actor's methods, and returns when the connection is closed.
    Therefore, environments are used by a single thread with either kind of call.
    """

    def __init__(
        self,
        methods: dict[str, Callable[..., Any]],
        begin: dict[str, Callable[..., Callable[[], Any] | None]] | None = None,
        out_of_band: bool = False,
    ) -> None:
        """Stores the methods, without opening a socket.

        Args:
            methods: the methods that the driver may call.
            begin: for some methods, a function that starts a call and returns another function, which completes the
                call; further calls can be started in between. If it returns ``None``, the call must run alone, after
                all earlier calls.
            out_of_band: as for `value_frame`.
        """
        self._methods = methods
        self._begin = begin or {}
        self._out_of_band = out_of_band
        self._connection: socket.socket | None = None
        self._started: deque[Callable[[], Any]] = deque()
        self._alone: Callable[[], Any] | None = None

    def listen(self, host: str, key: bytes) -> tuple[str, int]:
        """Opens a socket for the driver.

        Args:
            host: this node's address.
            key: the shared secret with which the driver authenticates.

        Returns:
            The socket's address.
        """
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._key, self._listener = key, socket.create_server((host, 0), family=family)
        address = self._listener.getsockname()
        return address[0], address[1]

    def serve(self) -> Any:
        """Waits for the driver, and runs its requests until the driver closes the connection.

        Returns:
            ``None`` after the connection was closed; or a reply that is too large for the connection, so that it is
                returned through Ray's object store. Then the method must be called again to continue.

        Raises:
            TimeoutError: if the driver does not connect.
        """
        if self._connection is None:
            self._connection = self._accepted()
            self._requests = _Requests(self._connection)
        large = None
        try:
            while large is None and (self._started or self._alone or self._take()):
                self._take_more()
                large = self._answer(self._connection)
        except OSError:
            pass  # the driver closed the connection
        if large is None:
            self._connection.close()
        return large

    def _accepted(self) -> socket.socket:
        end = time.monotonic() + _ACCEPT_TIMEOUT
        with self._listener:
            while True:
                self._listener.settimeout(max(0.001, end - time.monotonic()))
                connection, _ = self._listener.accept()
                try:
                    connection.settimeout(_AUTHENTICATION_TIMEOUT)
                    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    if authenticate(connection, self._key, b"actor", b"driver"):
                        connection.settimeout(None)
                        return connection
                except OSError:
                    pass  # another client, or the driver has closed the connection
                connection.close()

    def _take(self) -> bool:
        """Waits for the next request, and starts the request if possible; returns false if the
        connection was closed.
        """
        request = self._requests.next()
        if request is None:
            return False
        try:
            method, arguments = pickle.loads(request)
            finish = self._begin[method](*arguments) if method in self._begin else None
            if finish is None:
                self._alone = partial(self._methods[method], *arguments)
            else:
                self._started.append(finish)
        except Exception as error:
            self._started.append(partial(_raise, error))
        return True

    def _take_more(self) -> None:
        """Starts requests that have already arrived."""
        while (
            self._begin
            and self._alone is None
            and len(self._started) < _MAX_IN_PROGRESS
            and self._requests.are_waiting()
        ):
            if not self._take():
                return

    def _answer(self, connection: socket.socket) -> Any:
        """Replies to the oldest request.

        If the reply is too large for the connection, returns the reply instead.
        """
        if self._started:
            finish = self._started.popleft()
        else:
            assert self._alone is not None
            finish, self._alone = self._alone, None
        value: Any
        try:
            value = finish()
            self._take_more()
            answer = value_frame(value, self._out_of_band)
        except Exception as error:
            value, answer = None, bytes([ReplyKind.ERROR]) + failure_bytes(-1, "call", error)
        large = value is not None and len(answer) > LARGEST
        for piece in frame_pieces(bytes([ReplyKind.STORED]) if large else answer):
            connection.sendall(piece)
        return value if large else None


class _Requests:
    """Reads frames with requests from the connection."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._received = bytearray()
        self._selector = selectors.DefaultSelector()
        self._selector.register(connection, selectors.EVENT_READ)

    def are_waiting(self) -> bool:
        """Returns whether at least a part of the next frame has arrived, or the connection was closed."""
        return bool(self._received or self._selector.select(0))

    def next(self) -> bytes | None:
        """Waits for the next frame; returns ``None`` at the end of the stream."""
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
