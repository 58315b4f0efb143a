"""The driver's end of a TCP connection over which it calls an actor's methods without Ray."""

from __future__ import annotations

import itertools
import os
import pickle
import selectors
import socket
import threading
from collections.abc import Sequence
from typing import Any, ClassVar

import cloudpickle

from envpool_rs._workers.serialization import RemoteTraceback
from envpool_rs.ray.actor_calls import is_plain
from envpool_rs.ray.cluster import death_errors
from envpool_rs.ray.messages import HEADER, LARGEST, ReplyKind, authenticate, frame_pieces, frame_value

_CONNECT_TIMEOUT = 5.0
"""Time in seconds in which an actor must be reached."""

_FIRST_REPLY_TIMEOUT = 30.0
"""Time in seconds in which a busy actor must send its first reply."""

_DEATH_CAUSE_TIMEOUT = 10.0
"""Time in seconds in which Ray must report why an actor's process ended."""

_LEAST, _MOST = 1 << 16, 1 << 20
"""Smallest and largest number of bytes to request from the socket at a time."""

_arrivals = itertools.count()


class ConnectionEnded(RuntimeError):  # noqa: N818 - says what happened
    """Raised if the connection is lost: the actor's process ended, or can no longer be reached."""


class DirectCall:
    """A call of an actor's method. An actor replies to the calls of one connection in order."""

    def __init__(self, connection: DirectConnection, pieces: list[memoryview]) -> None:
        self._connection, self.pieces = connection, pieces
        # Position of this call among the connection's calls; -1 until it is sent.
        self.number = -1
        self._value: Any = None
        self._failure: Any = None
        self._is_known = False

    def is_over(self) -> bool:
        """Returns whether the call has a reply, or the connection is lost."""
        return self._is_known or self.number in self._connection.arrived or self._connection.is_over

    def arrival(self) -> int:
        """Returns a number that increases with the time of the reply's arrival."""
        return self._connection.arrived.get(self.number, (-1, b""))[0]

    def answer(self) -> Any:
        """Waits for the reply and returns it.

        Raises:
            ConnectionEnded: if the connection is lost.
            Exception: raised by the method.
        """
        if not self._is_known:
            # The connection discards its copy of the reply only after the reply is stored here, because an interrupt
            # may come in between.
            reply = self._connection.answer(self.number)
            self._value, self._failure, self._is_known = *reply, True
            self._connection.forget(self.number)
        if self._failure is not None:
            raise self._failure.exception from RemoteTraceback(self._failure.traceback)
        return self._value


class DirectConnection:
    """Connection to an actor's `DirectServer`. One thread may call while another receives replies.

    A signal handler may raise an exception between any two instructions (Ctrl-C). Therefore, received and sent data are
    recorded in a single bytecode instruction, or else processed again from the start, so that no data are lost and no
    reply is assigned to the wrong call.

    Attributes:
        socket: non-blocking socket; ``None`` until the connection is made, and calls are queued until then.
        arrived: replies that were not taken yet: position in the order of arrival, and frame, by the number of the
            call.
        is_over: whether no more data can arrive.
    """

    PATIENCE: ClassVar[float] = 1.0
    """Time in seconds without received data after which the driver asks Ray whether the actor is alive."""

    def __init__(self, ray: Any, actor: Any, views: bool = False) -> None:
        """Asks an actor to listen for a connection, without waiting; `reach` makes the connection.

        Args:
            ray: the module ``ray``.
            actor: the actor's handle.
            views: whether large arrays in replies are read-only views of the received bytes.
        """
        self._ray, self._actor, self._views = ray, actor, views
        self._key = os.urandom(32)
        self._listening = actor.listen.remote(self._key)
        self._serving: Any = None
        self.socket: socket.socket | None = None
        self._selector = selectors.DefaultSelector()
        self.arrived: dict[int, tuple[int, Any]] = {}
        self.is_over = False
        self._called = 0
        self._answered = 0
        self._unsent: list[memoryview] = []
        self._sent: list[int] = []
        self._pieces: list[bytes] = []
        self._needed = HEADER.size
        self._sending, self._receiving = threading.Lock(), threading.Lock()

    def reach(self) -> None:
        """Waits until the actor listens, and connects to it.

        Raises:
            OSError: if the actor cannot be reached.
            Exception: Ray's error if the actor is dead.
        """
        address = self._ray.get(self._listening)
        connection = socket.create_connection(address, timeout=_CONNECT_TIMEOUT)
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.settimeout(_FIRST_REPLY_TIMEOUT)
            self._serving = self._serving or self._actor.serve.remote()
            if not authenticate(connection, self._key, b"driver", b"actor"):
                raise ConnectionRefusedError(f"something else than the actor listens at {address}")
            connection.settimeout(0.0)
            self._selector.register(connection, selectors.EVENT_READ)
        except BaseException:
            connection.close()
            raise
        self.socket = connection
        self._send_rest()

    def try_to_reach(self, timeout: float) -> None:
        """Connects if the actor listens within ``timeout`` seconds; if it cannot be reached, the connection ends."""
        try:
            if self._ray.wait([self._listening], timeout=timeout)[0]:
                self.reach()
        except Exception as error:
            self._end(error)

    def call(self, method: str, arguments: Sequence[Any]) -> DirectCall:
        """Calls a method of the actor, without waiting for the reply."""
        call = self.prepare(method, arguments)
        self.make(call)
        return call

    def prepare(self, method: str, arguments: Sequence[Any]) -> DirectCall:
        """Returns a call that is not sent yet."""
        dumps = pickle.dumps if is_plain(arguments) else cloudpickle.dumps
        return DirectCall(self, [memoryview(piece) for piece in frame_pieces(dumps((method, arguments), 5))])

    def make(self, call: DirectCall) -> None:
        """Sends a call, unless the call was sent before."""
        with self._sending:
            if call.pieces:
                pieces = [*self._unsent, *call.pieces]
                self._unsent, call.number, self._called, call.pieces = pieces, self._called, self._called + 1, []
            self._send_all()

    def resume(self) -> None:
        """Completes work that an exception interrupted: sends unsent data, and parses received data."""
        self._send_rest()
        if self._missing() <= 0:
            self.receive_available()

    def _send_rest(self) -> None:
        if self._unsent and self.socket is not None:
            with self._sending:
                self._send_all()

    def _send_all(self) -> None:
        while self._unsent and self.socket is not None and not self.is_over:
            self._send(self.socket)

    def _send(self, connection: socket.socket) -> None:
        """Sends as much as possible without blocking, because the actor may wait until its replies are received."""
        self._record_sent()
        try:
            # One bytecode instruction sends and records data, so Ctrl-C cannot split them; see the class.
            self._sent.extend(map(connection.send, self._unsent[:1]))
        except BlockingIOError:
            self._wait_to_send(connection)
        except OSError as error:
            self._end(error)
        self._record_sent()

    def _record_sent(self) -> None:
        if self._sent:
            rest = self._unsent[0][self._sent[0] :]
            self._unsent, self._sent = [*([rest] if rest else []), *self._unsent[1:]], []

    def _wait_to_send(self, connection: socket.socket) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ | selectors.EVENT_WRITE)
            events = selector.select(self.PATIENCE)
        if not events:
            self.check()
        for _, event in events:
            if event & selectors.EVENT_READ:
                self.receive_available()

    def answer(self, number: int) -> tuple[Any, Any]:
        """Waits for the reply to a call and returns it: a value, or the method's failure. The reply stays stored until
        `forget`.

        Raises:
            ConnectionEnded: if the connection is lost.
        """
        self._send_rest()
        while number not in self.arrived:
            if self.is_over:
                raise ConnectionEnded(self._death_cause())
            self.receive(self.PATIENCE)
        _, frame = self.arrived[number]
        if not isinstance(frame, (bytes, memoryview)):
            return self._ray.get(frame), None
        if frame[0] == ReplyKind.ERROR:
            return None, pickle.loads(memoryview(frame)[1:])
        return frame_value(frame, self._views), None

    def forget(self, number: int) -> None:
        """Discards a reply."""
        with self._receiving:
            self.arrived.pop(number, None)

    def receive(self, timeout: float) -> None:
        """Waits until data arrive, and receives them."""
        if self.socket is None:
            self.try_to_reach(timeout)
        elif self._missing() <= 0 or self._selector.select(timeout):
            self.receive_available()
        elif timeout:
            self.check()

    def check(self) -> None:
        """Checks with Ray whether the actor is alive and still serves the connection."""
        if self.is_over or self._serving is None:
            return
        if not self._ray.is_initialized():
            self._end(ConnectionResetError("Ray was shut down"))
        elif self._ray.wait([self._serving], timeout=0)[0] and self._has_ended():
            self._end(ConnectionResetError("the actor does not answer any more"))

    def _has_ended(self) -> bool:
        """Returns whether the actor's serving call has ended without leaving a reply in Ray's object store."""
        try:
            return self._ray.get(self._serving) is None
        except Exception:
            return True

    def _missing(self) -> int:
        """Returns the number of bytes that must still arrive before a complete frame can be parsed."""
        return self._needed - sum(map(len, self._pieces))

    def receive_available(self) -> None:
        """Receives the available data."""
        with self._receiving:
            missing = self._missing()
            try:
                if missing > 0 and self.socket is not None and not self.is_over:
                    # One bytecode instruction receives and records data, so Ctrl-C cannot split them; see the class.
                    self._pieces.extend(map(self.socket.recv, (min(max(missing, _LEAST), _MOST),)))
            except BlockingIOError:
                return
            except OSError as error:
                self._end(error)
            if self._pieces[-1:] == [b""]:
                self._end(ConnectionResetError("the connection was closed"))
            elif self._missing() <= 0:
                self._parse_frames(b"".join(self._pieces))

    def _parse_frames(self, received: bytes) -> None:
        """Parses the frames in the received data."""
        arrived, number, offset = dict(self.arrived), self._answered, 0
        serving = self._serving
        while True:
            first = offset + HEADER.size
            needed = first + (HEADER.unpack_from(received, offset)[0] if first <= len(received) else 0)
            if needed > len(received) or first > len(received):
                break
            # A large first frame is not copied. Later frames are copied, because their arrays might be misaligned.
            is_large_first = offset == 0 and needed > LARGEST
            frame: Any = memoryview(received)[first:needed] if is_large_first else received[first:needed]
            if frame[0] == ReplyKind.STORED:
                frame, serving = serving, self._actor.serve.remote()
            arrived[number] = next(_arrivals), frame
            number, offset = number + 1, needed
        rest, needed = [received[offset:]], needed - offset
        self.arrived, self._answered, self._pieces, self._needed, self._serving = (
            arrived,
            number,
            rest,
            needed,
            serving,
        )

    def _end(self, error: Exception) -> None:
        self._error, self.is_over = error, True

    def _death_cause(self) -> str:
        """Returns the reason why no more replies will arrive, as text for the ``ConnectionEnded`` error."""
        if not self._ray.is_initialized():
            return "Ray was shut down"
        try:
            self._ray.get(self._serving or self._listening, timeout=_DEATH_CAUSE_TIMEOUT)
        except death_errors(self._ray) as error:
            return str(error)
        except Exception as error:  # Ray has no information, or this process joined another cluster
            return f"{self._error}: {error}"
        return str(self._error)

    def close(self) -> None:
        """Closes the connection; in threads that wait for a reply, the wait raises an error."""
        self.is_over, self._error = True, ConnectionResetError("the connection was closed")
        if self.socket is not None:
            self.socket.close()
