"""Calls of actors over TCP connections. Such a call takes a twentieth of the time of Ray's calls.

Messages are frames: a header with the size, and a pickle. In replies, the memory of larger arrays follows the pickle,
so that it is not copied into the pickle, and the receiver's arrays may be views of the frame.
"""

from __future__ import annotations

import hmac
import itertools
import os
import pickle
import selectors
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial
from typing import Any, ClassVar

import cloudpickle

from envpool_rs._workers.serialization import RemoteTraceback, dumps, failure_bytes
from envpool_rs.ray.calls import LARGEST_COPIED, ActorCalls, RayCalls, is_plain
from envpool_rs.ray.cluster import death_errors

LARGEST_REPLY = 2 << 20
"""Maximum size in bytes of replies over the driver's connection: for larger ones, Ray's object store is faster."""

_CONNECT_TIMEOUT = 5.0
"""Time in seconds in which an actor must be reached."""

_FIRST_REPLY_TIMEOUT = 30.0
"""Time in seconds in which a busy actor must send its first reply."""

_DEATH_CAUSE_TIMEOUT = 10.0
"""Time in seconds in which Ray must report why an actor's process ended."""

_ACCEPT_TIMEOUT = 20.0
"""Time in seconds in which the driver must connect."""

_AUTHENTICATION_TIMEOUT = 5.0
"""Time in seconds in which a client must authenticate as the driver."""

_POLL_INTERVAL = 0.02
"""Interval in seconds at which a restarted actor's socket is polled."""

_MAX_IN_PROGRESS = 2
"""Maximum number of requests in progress per actor."""

_LEAST, _MOST = 1 << 16, 1 << 20
"""Smallest and largest number of bytes to request from the socket at a time."""


class ReplyKind(IntEnum):
    """First byte of an actor's reply over a direct connection."""

    VALUE = 0
    """The reply's value follows, encoded by `value_frame`."""
    ERROR = 1
    """The bytes of an `EnvFailure` follow."""
    STORED = 2
    """No value follows: it is in Ray's object store, and the serving call returns it."""


_SIZES = struct.Struct("<QQ")
_ALIGNMENT = 16

_MIN_OUT_OF_BAND = 4096
"""Minimum size in bytes for out-of-band array memory: for smaller arrays, copying takes less time than separating."""


def value_frame(value: Any, out_of_band: bool = True) -> bytes:
    """Encodes a value as the frame of a reply; ``out_of_band`` stores the memory of larger arrays behind the pickle."""
    parts: list[memoryview] = []

    def is_small(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes >= _MIN_OUT_OF_BAND:
            parts.append(raw)
        return raw.nbytes < _MIN_OUT_OF_BAND

    try:
        head = pickle.dumps(value, 5, buffer_callback=is_small if out_of_band else None)
    except Exception:
        head, parts = dumps(value), []  # pickles classes by value, or raises an error with the reason
    lengths = struct.pack(f"<{len(parts)}Q", *map(len, parts))
    pieces: list[bytes | memoryview] = [bytes([ReplyKind.VALUE]), _SIZES.pack(len(parts), len(head)), lengths, head]
    offset = sum(map(len, pieces))
    for part in parts:
        padding = -offset % _ALIGNMENT
        pieces += bytes(padding), part
        offset += padding + len(part)
    return b"".join(pieces)


def frame_value(frame: bytes | memoryview, views: bool) -> Any:
    """Decodes the value in the frame of a reply; with ``views``, large arrays are read-only views of the frame."""
    count, size = _SIZES.unpack_from(frame, 1)
    lengths = struct.unpack_from(f"<{count}Q", frame, 1 + _SIZES.size)
    first = 1 + _SIZES.size + 8 * count
    if not count:
        return pickle.loads(memoryview(frame)[first:])
    offset = first + size
    own = not views or sum(lengths) <= LARGEST_COPIED
    memory = memoryview(frame)
    parts: list[bytearray | memoryview] = []
    for length in lengths:
        offset += -offset % _ALIGNMENT
        part = memory[offset : offset + length]
        parts.append(bytearray(part) if own else part)
        offset += length
    return pickle.loads(memory[first : first + size], buffers=parts)


HEADER = struct.Struct("<Q")
"""Header of a frame: its size in bytes."""

_NONCE = 32
_DIGEST = 32
_MAX_JOINED = 1 << 16
"""Maximum size in bytes for which a frame is copied after its header, so that one call sends both."""


def frame_pieces(payload: bytes) -> list[bytes]:
    """Returns the pieces of memory to send for a frame: its header and its parts."""
    header = HEADER.pack(len(payload))
    return [header + payload] if len(payload) <= _MAX_JOINED else [header, payload]


def authenticate(connection: socket.socket, key: bytes, role: bytes, other: bytes) -> bool:
    """Proves to the other end that this end knows the key; returns whether the other end knows the key, too."""
    nonce = os.urandom(_NONCE)
    connection.sendall(nonce)
    connection.sendall(hmac.digest(key, role + _exactly(connection, _NONCE), "sha256"))
    return hmac.compare_digest(_exactly(connection, _DIGEST), hmac.digest(key, other + nonce, "sha256"))


def _exactly(connection: socket.socket, count: int) -> bytes:
    received = b""
    while len(received) < count:
        piece = connection.recv(count - len(received))
        if not piece:
            raise ConnectionResetError("the other end closed the connection")
        received += piece
    return received


def calls_to(ray: Any, actors: list[Any], direct: bool, views: bool = False) -> ActorCalls:
    """Returns the object that calls actors: over direct connections, or by Ray if that is requested or required."""
    # Ray's calls are required if actors cannot be reached otherwise, because of a firewall, or if Ray's own traffic is
    # encrypted, which direct calls must not circumvent.
    if direct and os.environ.get("RAY_USE_TLS", "0") in ("", "0"):
        try:
            return DirectCalls(ray, actors, views)
        except OSError:
            pass
    return RayCalls(ray, actors)


class DirectCalls(ActorCalls):
    """Calls actors over one TCP connection to each; one thread may call while another waits."""

    # Ray still places actors, ends them, reports why they died, and stores large replies.

    is_direct = True

    def __init__(self, ray: Any, actors: list[Any], views: bool = False) -> None:
        """Connects to all actors, whose handles may change later; raises ``OSError`` if one cannot be reached."""
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
        # The connection is made when the actor listens; calls are queued until then.
        old, new = self._connections[actor], DirectConnection(self._ray, self._actors[actor], self._views)
        self._unregister(old)
        old.close()
        self._new, self._connections[actor] = [*(each for each in self._new if each is not old), new], new

    def call(self, actor: int, method: str, *arguments: Any) -> DirectCall:
        return self._connections[actor].call(method, arguments)

    def call_once(self, calls: dict[int, Any], number: int, actor: int, method: str, *arguments: Any) -> None:
        connection = self._connections[actor]
        if number not in calls:
            calls[number] = connection.prepare(method, arguments)
        connection.make(calls[number])

    def answered(self, calls: Sequence[DirectCall], at_least: int, timeout: float | None) -> list[DirectCall]:
        """Waits for replies, and returns the completed calls in order of arrival."""
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
        return [call.answer() for call in calls]

    def close(self) -> None:
        """Closes all connections, which ends the actors' serving calls; another thread may be waiting for replies."""
        for connection in self._connections:
            connection.close()


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
        """Waits for the reply and returns it; raises the method's exception, or `ConnectionEnded`."""
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
    """Connection to an actor's `DirectServer`. One thread may call while another receives replies."""

    # A signal handler may raise an exception between any two instructions (Ctrl-C). Therefore, received and sent data
    # are recorded in a single bytecode instruction, or else processed again from the start, so that no data are lost
    # and no reply is assigned to the wrong call.

    PATIENCE: ClassVar[float] = 1.0
    """Time in seconds without received data after which the driver asks Ray whether the actor is alive."""

    def __init__(self, ray: Any, actor: Any, views: bool = False) -> None:
        """Asks an actor to listen for a connection, without waiting; `reach` makes the connection."""
        self._ray, self._actor, self._views = ray, actor, views
        self._key = os.urandom(32)
        self._listening = actor.listen.remote(self._key)
        self._serving: Any = None
        # Non-blocking; ``None`` until the connection is made, and calls are queued until then.
        self.socket: socket.socket | None = None
        self._selector = selectors.DefaultSelector()
        # Replies that were not taken yet: position in the order of arrival, and frame, by the number of the call.
        self.arrived: dict[int, tuple[int, Any]] = {}
        # Whether no more data can arrive.
        self.is_over = False
        self._called = 0
        self._answered = 0
        self._unsent: list[memoryview] = []
        self._sent: list[int] = []
        self._pieces: list[bytes] = []
        self._needed = HEADER.size
        self._sending, self._receiving = threading.Lock(), threading.Lock()

    def reach(self) -> None:
        """Waits until the actor listens, and connects to it; raises ``OSError``, or Ray's error for a dead actor."""
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
        encode = pickle.dumps if is_plain(arguments) else cloudpickle.dumps
        return DirectCall(self, [memoryview(piece) for piece in frame_pieces(encode((method, arguments), 5))])

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
        """Waits for a reply: a value, or the method's failure. The reply stays stored until `forget`."""
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
        arrived, number, offset = dict(self.arrived), self._answered, 0
        serving = self._serving
        while True:
            first = offset + HEADER.size
            needed = first + (HEADER.unpack_from(received, offset)[0] if first <= len(received) else 0)
            if needed > len(received) or first > len(received):
                break
            # A large first frame is not copied. Later frames are copied, because their arrays might be misaligned.
            is_large_first = offset == 0 and needed > LARGEST_COPIED
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
        """Returns the reason why no more replies will arrive."""
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


class DirectServer:
    """Server through which the driver calls an object's methods over a separate connection."""

    # `serve` runs in the thread in which Ray calls the actor's methods, so that environments are used by a single
    # thread with either kind of call.

    def __init__(
        self,
        methods: dict[str, Callable[..., Any]],
        begin: dict[str, Callable[..., Callable[[], Any] | None]] | None = None,
        out_of_band: bool = False,
    ) -> None:
        """Stores the methods that the driver may call, without opening a socket."""
        # ``begin`` has, for some methods, a function that starts a call and returns another function, which completes
        # the call; further calls can be started in between. If it returns ``None``, the call must run alone, after all
        # earlier calls.
        self._methods = methods
        self._begin = begin or {}
        self._out_of_band = out_of_band
        self._connection: socket.socket | None = None
        self._started: deque[Callable[[], Any]] = deque()
        self._alone: Callable[[], Any] | None = None

    def listen(self, host: str, key: bytes) -> tuple[str, int]:
        """Opens a socket at this node's address for a driver that knows the key; returns the socket's address."""
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._key, self._listener = key, socket.create_server((host, 0), family=family)
        address = self._listener.getsockname()
        return address[0], address[1]

    def serve(self) -> Any:
        """Waits for the driver, and runs its requests until the driver closes the connection."""
        # Returns ``None`` after the connection was closed; or a reply that is too large for the connection, so that it
        # is returned through Ray's object store. Then the method must be called again to continue.
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
        """Waits for the next request, and starts it if possible; returns false if the connection was closed."""
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
        """Replies to the oldest request. If the reply is too large for the connection, returns the reply instead."""
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
        large = value is not None and len(answer) > LARGEST_REPLY
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
