"""The driver's end of a connection by which it calls an actor's methods directly."""

from __future__ import annotations

import itertools
import pickle
import selectors
import socket
from collections.abc import Sequence
from typing import Any, ClassVar

import cloudpickle

from envpool_rs._workers.env_failure import RemoteTraceback
from envpool_rs.ray.actor_calls import are_plain
from envpool_rs.ray.cluster import death_errors
from envpool_rs.ray.frames import HEADER, framed, prove
from envpool_rs.ray.messages import Answer

_CONNECTING = 5.0
"""Seconds in which an actor has to be reached."""

_PROVING = 30.0
"""Seconds in which a busy actor has to answer for the first time."""

_OBITUARY = 10.0
"""Seconds in which Ray says why an actor's process ended."""

_LEAST, _MOST = 1 << 16, 1 << 20
"""Bytes to receive at a time."""

_arrivals = itertools.count()


class ConnectionEnded(RuntimeError):  # noqa: N818 - says what happened
    """An actor's process ended, or cannot be reached any more."""


class DirectCall:
    """A call to an actor; calls of one connection are answered in their order."""

    def __init__(self, connection: DirectConnection, number: int) -> None:
        """Stands for a call that was made.

        Args:
            connection: by which.
            number: how many there were before.
        """
        self._connection, self._number = connection, number
        self._value: Any = None
        self._is_known = False

    def is_over(self) -> bool:
        """Whether there is an answer, or never will be one."""
        return self._is_known or self._number in self._connection.arrived or self._connection.is_over

    def arrival(self) -> int:
        """A number that is larger the later the answer came."""
        return self._connection.arrived.get(self._number, (-1, b""))[0]

    def answer(self) -> Any:
        """The answer, waited for.

        Raises:
            ConnectionEnded: if there will never be one.
            Exception: what the method raised.
        """
        if not self._is_known:
            self._value = self._connection.answer(self._number)
            self._is_known = True
        return self._value


class DirectConnection:
    """A connection to an actor's `DirectServer`.

    A signal's handler may raise anywhere between two instructions (Ctrl-C). So whatever was received or sent is taken
    down within one instruction, or again from the beginning; nothing is lost, and no answer is taken for another's.

    Attributes:
        socket: non-blocking.
        arrived: answers that nobody has taken, by the number of the call: the order of arrival, and the frame.
        is_over: whether nothing can come any more.
    """

    PATIENCE: ClassVar[float] = 1.0
    """Seconds of silence after which Ray is asked whether the actor lives."""

    def __init__(self, ray: Any, actor: Any, key: bytes, address: tuple[str, int]) -> None:
        """Connects.

        Args:
            ray: the module.
            actor: the handle of an actor that listens.
            key: what it was told.
            address: where it listens.

        Raises:
            OSError: where it cannot be reached.
        """
        self._ray, self._actor = ray, actor
        self.socket = socket.create_connection(address, timeout=_CONNECTING)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(_PROVING)
        self._serving = actor.serve.remote()
        try:
            if not prove(self.socket, key, b"driver", b"actor"):
                raise ConnectionRefusedError(f"something else than the actor listens at {address}")
        except BaseException:
            self.socket.close()
            raise
        self.socket.settimeout(0.0)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self.socket, selectors.EVENT_READ)
        self.arrived: dict[int, tuple[int, Any]] = {}
        self.is_over = False
        self._called = 0
        self._answered = 0
        self._unsent: list[memoryview] = []
        self._sent: list[int] = []
        self._pieces: list[bytes] = []
        self._needed = HEADER.size

    def call(self, method: str, arguments: Sequence[Any]) -> DirectCall:
        """Calls a method."""
        dumps = pickle.dumps if are_plain(arguments) else cloudpickle.dumps
        pieces = [memoryview(piece) for piece in framed(dumps((method, arguments), 5))]
        call = DirectCall(self, self._called)
        self._unsent, self._called = [*self._unsent, *pieces], self._called + 1
        self._send_all()
        return call

    def _send_all(self) -> None:
        while self._unsent and not self.is_over:
            self._send()

    def _send(self) -> None:
        """Sends what it can, without waiting for ever: the actor may be waiting for its answers to be received."""
        self._take_down_sent()
        try:
            # One instruction, see above.
            self._sent.extend(map(self.socket.send, self._unsent[:1]))
        except BlockingIOError:
            self._wait_to_send()
        except OSError as error:
            self._end(error)
        self._take_down_sent()

    def _take_down_sent(self) -> None:
        if self._sent:
            rest = self._unsent[0][self._sent[0] :]
            self._unsent, self._sent = [*([rest] if rest else []), *self._unsent[1:]], []

    def _wait_to_send(self) -> None:
        with selectors.DefaultSelector() as selector:
            selector.register(self.socket, selectors.EVENT_READ | selectors.EVENT_WRITE)
            events = selector.select(self.PATIENCE)
        if not events:
            self.check()
        for _, event in events:
            if event & selectors.EVENT_READ:
                self._take_in()

    def answer(self, number: int) -> Any:
        """The answer to a call, waited for; it can be had once.

        Raises:
            ConnectionEnded: if there will never be one.
            Exception: what the method raised.
        """
        self._send_all()
        while number not in self.arrived:
            if self.is_over:
                raise ConnectionEnded(self._obituary())
            self.receive(self.PATIENCE)
        _, frame = self.arrived[number]
        if not isinstance(frame, bytes):
            value = self._ray.get(frame)
        elif frame[0] == Answer.ERROR:
            failure = pickle.loads(memoryview(frame)[1:])
            del self.arrived[number]
            raise failure.exception from RemoteTraceback(failure.traceback)
        else:
            value = pickle.loads(memoryview(frame)[1:])
        self.arrived.pop(number, None)
        return value

    def receive(self, timeout: float) -> None:
        """Waits until something has come, and takes it in."""
        if self._missing() <= 0 or self._selector.select(timeout):
            self._take_in()
        elif timeout:
            self.check()

    def check(self) -> None:
        """Asks Ray whether the actor lives, and still serves."""
        if self.is_over:
            return
        if not self._ray.is_initialized():
            self._end(ConnectionResetError("Ray was shut down"))
        elif self._ray.wait([self._serving], timeout=0)[0] and self._has_ended():
            self._end(ConnectionResetError("the actor does not answer any more"))

    def _has_ended(self) -> bool:
        """Whether the call that serves the connection is over for good, and has not returned a stored answer."""
        try:
            return self._ray.get(self._serving) is None
        except Exception:
            return True

    def _missing(self) -> int:
        """Bytes until there is something to take apart."""
        return self._needed - sum(map(len, self._pieces))

    def _take_in(self) -> None:
        """Receives what there is."""
        missing = self._missing()
        try:
            if missing > 0 and not self.is_over:
                # One instruction, see above.
                self._pieces.extend(map(self.socket.recv, (min(max(missing, _LEAST), _MOST),)))
        except BlockingIOError:
            return
        except OSError as error:
            self._end(error)
        if self._pieces[-1:] == [b""]:
            self._end(ConnectionResetError("the connection was closed"))
        elif self._missing() <= 0:
            self._take_apart(b"".join(self._pieces))

    def _take_apart(self, received: bytes) -> None:
        """Finds the frames in what was received."""
        arrived, number, place = dict(self.arrived), self._answered, 0
        serving = self._serving
        while True:
            first = place + HEADER.size
            needed = first + (HEADER.unpack_from(received, place)[0] if first <= len(received) else 0)
            if needed > len(received) or first > len(received):
                break
            frame: Any = received[first:needed]
            if frame[0] == Answer.STORED:
                frame, serving = serving, self._actor.serve.remote()
            arrived[number] = next(_arrivals), frame
            number, place = number + 1, needed
        rest, needed = [received[place:]], needed - place
        self.arrived, self._answered, self._pieces, self._needed, self._serving = (
            arrived,
            number,
            rest,
            needed,
            serving,
        )

    def _end(self, error: Exception) -> None:
        self._error, self.is_over = error, True

    def _obituary(self) -> str:
        """Why there are no more answers."""
        if not self._ray.is_initialized():
            return "Ray was shut down"
        try:
            self._ray.get(self._serving, timeout=_OBITUARY)
        except death_errors(self._ray) as error:
            return str(error)
        except self._ray.exceptions.RayError as error:
            return f"{self._error}: {error}"
        return str(self._error)

    def close(self) -> None:
        """Ends the connection."""
        self.is_over, self._error = True, ConnectionResetError("the connection was closed")
        self._selector.close()
        self.socket.close()
