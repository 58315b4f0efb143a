"""The driver's end of a connection by which it calls an actor's methods directly."""

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

from envpool_rs._workers.env_failure import RemoteTraceback
from envpool_rs.ray.actor_calls import are_plain
from envpool_rs.ray.cluster import death_errors
from envpool_rs.ray.frames import HEADER, framed, prove
from envpool_rs.ray.messages import Answer, frame_value

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

    def __init__(self, connection: DirectConnection, pieces: list[memoryview]) -> None:
        """Stands for a call that is about to be made.

        Args:
            connection: by which.
            pieces: what is to be sent.
        """
        self._connection, self.pieces = connection, pieces
        # How many there were before; none until it is made.
        self.number = -1
        self._value: Any = None
        self._failure: Any = None
        self._is_known = False

    def is_over(self) -> bool:
        """Whether there is an answer, or never will be one."""
        return self._is_known or self.number in self._connection.arrived or self._connection.is_over

    def arrival(self) -> int:
        """A number that is larger the later the answer came."""
        return self._connection.arrived.get(self.number, (-1, b""))[0]

    def answer(self) -> Any:
        """The answer, waited for.

        Raises:
            ConnectionEnded: if there will never be one.
            Exception: what the method raised.
        """
        if not self._is_known:
            # Known before the connection forgets it: an interrupt may come in between.
            known = self._connection.answer(self.number)
            self._value, self._failure, self._is_known = *known, True
            self._connection.forget(self.number)
        if self._failure is not None:
            raise self._failure.exception from RemoteTraceback(self._failure.traceback)
        return self._value


class DirectConnection:
    """A connection to an actor's `DirectServer`. One thread may call while another receives answers.

    A signal's handler may raise anywhere between two instructions (Ctrl-C). So whatever was received or sent is taken
    down within one instruction, or again from the beginning; nothing is lost, and no answer is taken for another's.

    Attributes:
        socket: non-blocking; ``None`` until the actor is reached. Until then calls are kept.
        arrived: answers that nobody has taken, by the number of the call: the order of arrival, and the frame.
        is_over: whether nothing can come any more.
    """

    PATIENCE: ClassVar[float] = 1.0
    """Seconds of silence after which Ray is asked whether the actor lives."""

    def __init__(self, ray: Any, actor: Any, views: bool = False) -> None:
        """Has an actor listen, and does not wait for it: see `reach`.

        Args:
            ray: the module.
            actor: its handle.
            views: whether large arrays in answers are shown where they were received, and may not be written to.
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

    # Reaching the actor.

    def reach(self) -> None:
        """Connects, once the actor listens.

        Raises:
            OSError: where it cannot be reached.
            Exception: what Ray says where it does not live.
        """
        address = self._ray.get(self._listening)
        connection = socket.create_connection(address, timeout=_CONNECTING)
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.settimeout(_PROVING)
            self._serving = self._serving or self._actor.serve.remote()
            if not prove(connection, self._key, b"driver", b"actor"):
                raise ConnectionRefusedError(f"something else than the actor listens at {address}")
            connection.settimeout(0.0)
            self._selector.register(connection, selectors.EVENT_READ)
        except BaseException:
            connection.close()
            raise
        self.socket = connection
        self._send_rest()

    def try_to_reach(self, timeout: float) -> None:
        """Connects if the actor listens within ``timeout`` seconds; where it cannot be reached, the connection ends."""
        try:
            if self._ray.wait([self._listening], timeout=timeout)[0]:
                self.reach()
        except Exception as error:
            self._end(error)

    # Calling.

    def call(self, method: str, arguments: Sequence[Any]) -> DirectCall:
        """Calls a method."""
        call = self.prepared(method, arguments)
        self.make(call)
        return call

    def prepared(self, method: str, arguments: Sequence[Any]) -> DirectCall:
        """A call that has not been made."""
        dumps = pickle.dumps if are_plain(arguments) else cloudpickle.dumps
        return DirectCall(self, [memoryview(piece) for piece in framed(dumps((method, arguments), 5))])

    def make(self, call: DirectCall) -> None:
        """Makes a call, once."""
        with self._sending:
            if call.pieces:
                pieces = [*self._unsent, *call.pieces]
                self._unsent, call.number, self._called, call.pieces = pieces, self._called, self._called + 1, []
            self._send_all()

    def take_up(self) -> None:
        """Goes on with what an interrupt has left: sends what is unsent, and takes apart what was received."""
        self._send_rest()
        if self._missing() <= 0:
            self.take_in()

    def _send_rest(self) -> None:
        if self._unsent and self.socket is not None:
            with self._sending:
                self._send_all()

    def _send_all(self) -> None:
        while self._unsent and self.socket is not None and not self.is_over:
            self._send(self.socket)

    def _send(self, connection: socket.socket) -> None:
        """Sends what it can, without waiting for ever: the actor may be waiting for its answers to be received."""
        self._note_sent()
        try:
            # One instruction, see above.
            self._sent.extend(map(connection.send, self._unsent[:1]))
        except BlockingIOError:
            self._wait_to_send(connection)
        except OSError as error:
            self._end(error)
        self._note_sent()

    def _note_sent(self) -> None:
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
                self.take_in()

    # Answers.

    def answer(self, number: int) -> tuple[Any, Any]:
        """The answer to a call, waited for, until it is forgotten: a value, or the failure of the method.

        Raises:
            ConnectionEnded: if there will never be one.
        """
        self._send_rest()
        while number not in self.arrived:
            if self.is_over:
                raise ConnectionEnded(self._obituary())
            self.receive(self.PATIENCE)
        _, frame = self.arrived[number]
        if not isinstance(frame, bytes):
            return self._ray.get(frame), None
        if frame[0] == Answer.ERROR:
            return None, pickle.loads(memoryview(frame)[1:])
        return frame_value(frame, self._views), None

    def forget(self, number: int) -> None:
        """Lets go of an answer."""
        with self._receiving:
            self.arrived.pop(number, None)

    def receive(self, timeout: float) -> None:
        """Waits until something has come, and takes it in."""
        if self.socket is None:
            self.try_to_reach(timeout)
        elif self._missing() <= 0 or self._selector.select(timeout):
            self.take_in()
        elif timeout:
            self.check()

    def check(self) -> None:
        """Asks Ray whether the actor lives, and still serves."""
        if self.is_over or self._serving is None:
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

    def take_in(self) -> None:
        """Receives what there is."""
        with self._receiving:
            missing = self._missing()
            try:
                if missing > 0 and self.socket is not None and not self.is_over:
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

    # The end.

    def _end(self, error: Exception) -> None:
        self._error, self.is_over = error, True

    def _obituary(self) -> str:
        """Why there are no more answers."""
        if not self._ray.is_initialized():
            return "Ray was shut down"
        try:
            self._ray.get(self._serving or self._listening, timeout=_OBITUARY)
        except death_errors(self._ray) as error:
            return str(error)
        except Exception as error:  # Ray has no news, or is another session's.
            return f"{self._error}: {error}"
        return str(self._error)

    def close(self) -> None:
        """Ends the connection; whoever waits for an answer is told so."""
        self.is_over, self._error = True, ConnectionResetError("the connection was closed")
        if self.socket is not None:
            self.socket.close()
