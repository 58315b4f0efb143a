"""Calls of actors over TCP connections, in a twentieth of the time of Ray's calls, and the actors' end of both.

Requests and replies are pickles; `_core.FrameConnection` authenticates the connections and carries the frames.
"""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

import cloudpickle
import numpy as np

from envpool_rs._core import FrameCall, FrameConnection, FrameListener, wait_for_replies
from envpool_rs._workers.serialization import RemoteTraceback, dumps, failure_bytes
from envpool_rs._workers.worker_process import block_interrupts
from envpool_rs.ray.cluster import death_errors, import_ray

LARGEST_COPIED = 64 * 1024
"""Maximum size in bytes of what travels in a message by Ray's calls. Ray passes larger values through its object store,
and returns views of them.
"""

LARGEST_REPLY = 2 << 20
"""Maximum size in bytes of replies over the driver's connection: for larger ones, Ray's object store is faster."""

# Times in seconds.
_CONNECT_TIMEOUT = 5.0  # for an actor to be reached
_FIRST_REPLY_TIMEOUT = 30.0  # for the first reply of a busy actor
_DEATH_CAUSE_TIMEOUT = 10.0  # for Ray to report why an actor's process ended
_ACCEPT_TIMEOUT = 20.0  # for the driver to connect
_AUTHENTICATION_TIMEOUT = 2.0  # for a client to authenticate as the driver
_POLL_INTERVAL = 0.02  # between looks at a restarted actor's socket

_MAX_IN_PROGRESS = 2
"""Maximum number of requests in progress per actor."""

# Kinds of the frame with an actor's reply: `FrameKind` in src/transport/stream.
_VALUE = 1  # a pickled value
_ERROR = 2  # the bytes of an `EnvFailure`
_STORED = 3  # empty: the value is in Ray's object store, and the serving call returns it

_PLAIN = frozenset({type(None), int, float, bool, str, bytes})


def is_plain(arguments: Sequence[Any]) -> bool:
    """Returns whether arguments pickle identically everywhere: numbers, text, numeric arrays, and containers."""
    for value in arguments:
        if type(value) is list:
            plain = all(type(each) in _PLAIN or isinstance(each, np.generic) for each in value)
        elif type(value) is dict:
            plain = is_plain([*value, *value.values()])
        else:
            plain = type(value) in _PLAIN or (isinstance(value, np.ndarray) and value.dtype != object)
        if not plain:
            return False
    return True


def packed(value: Any) -> Any:
    """Packs a value for Ray: as bytes if it is small and of plain types, because Ray serialises everything else slowly;
    otherwise unchanged.
    """
    try:
        message = pickle.dumps(value, 5)
    except Exception:
        return value  # objects of classes that are pickled by value: Ray supports them
    return message if len(message) <= LARGEST_COPIED or type(value) is bytes else value


def unpack(message: Any) -> Any:
    """Unpacks a message made by `packed`. Arrays are writable only if the message was small."""
    return pickle.loads(message) if type(message) is bytes else message


class ConnectionEnded(RuntimeError):  # noqa: N818 - says what happened
    """Raised if the connection is lost: the actor's process ended, or can no longer be reached."""


def wait_for(
    connections: Sequence[DirectConnection], calls: Sequence[FrameCall], at_least: int, timeout: float | None
) -> list[int]:
    """Waits for ``at_least`` replies, or ``timeout`` seconds; returns positions of completed calls by arrival."""
    end = None if timeout is None else time.monotonic() + timeout
    while True:
        reached = [connection.attend() for connection in connections]
        all_reached = all(reached)
        patience = DirectConnection.PATIENCE if all_reached else _POLL_INTERVAL
        start = time.monotonic()
        left = patience if end is None else min(max(0.0, end - start), patience)
        over = wait_for_replies(connections, calls, at_least, left)
        now = time.monotonic()
        if len(over) >= at_least or (end is not None and now >= end):
            return over
        if all_reached and now - start >= patience:
            for connection in connections:
                connection.check()


class DirectConnection(FrameConnection):
    """Driver's end of the connection to an actor's `ActorMethods`; an actor replies to calls in order."""

    # Ray still places actors, ends them, reports why they died, and stores large replies. Ctrl-C may raise an exception
    # at any time. The extension sends and receives, so that no data are lost and no reply is assigned to the wrong
    # call; a later call continues.

    PATIENCE: ClassVar[float] = 1.0
    """Time in seconds without a reply after which the driver asks Ray whether the actor is alive."""

    def __new__(cls, ray: Any, actor: Any) -> Any:
        """Makes an end that is not connected yet."""
        return super().__new__(cls)

    def __init__(self, ray: Any, actor: Any) -> None:
        """Asks an actor to listen for a connection, without waiting; `reach` makes the connection."""
        self._ray, self._actor = ray, actor
        self._key = os.urandom(32)
        self._listening = actor.listen.remote(None, self._key)
        self._serving: Any = None
        self._stored: dict[int, Any] = {}
        """Replies in Ray's object store, by the number of the call."""
        self._lock = threading.Lock()

    def reach(self) -> None:
        """Waits until the actor listens, and connects to it; raises ``OSError``, or Ray's error for a dead actor."""
        host, port = self._ray.get(self._listening)
        self.connect(host, port, _CONNECT_TIMEOUT)
        self._serving = self._serving or self._actor.serve.remote()
        if not self.authenticate(self._key, _FIRST_REPLY_TIMEOUT):
            raise ConnectionRefusedError(f"something else than the actor listens at {host} port {port}")

    def attend(self) -> bool:
        """Connects if the actor listens now; continues a serving call that has returned a reply. Returns whether the
        actor was reached, or cannot be reached.
        """
        if self.has_elsewhere:
            with self._lock, block_interrupts():
                number = self.take_elsewhere()
                if number is not None:
                    self._stored[number] = self._serving
                    self._serving = self._actor.serve.remote()
        if self.is_open or self.end is not None:
            return True
        with self._lock:
            try:
                if not self.is_open and self._ray.wait([self._listening], timeout=0)[0]:
                    self.reach()
            except Exception as error:
                self.close(str(error))
        return self.is_open or self.end is not None

    def call(
        self, method: str, arguments: Sequence[Any], calls: dict[int, Any] | None = None, number: int | None = None
    ) -> FrameCall:
        """Calls a method of the actor, without waiting for the reply; adds the call to ``calls``."""
        for each in list(self._stored):
            if not self.has_reply(each):  # the call was taken and discarded
                self._stored.pop(each, None)
        encode = pickle.dumps if is_plain(arguments) else cloudpickle.dumps
        return self.send_call(encode((method, arguments), 5), calls, number)

    def answer(self, call: FrameCall) -> Any:
        """Waits for a reply and returns its value; raises the method's exception, or `ConnectionEnded`."""
        reply = call.reply()
        if reply is None:
            wait_for([self], [call], 1, None)
            reply = call.reply()
        if reply is None:
            raise ConnectionEnded(self._death_cause())
        kind, message = reply
        if kind == _STORED:
            self.attend()
            with self._lock:  # another thread may be storing the reply
                stored = self._stored[call.number]
            return self._ray.get(stored)
        value = pickle.loads(message)
        if kind == _ERROR:
            raise value.exception from RemoteTraceback(value.traceback)
        return value

    def check(self) -> None:
        """Checks with Ray whether the actor is alive and still serves the connection."""
        if self.end is not None or self._serving is None:
            return
        if not self._ray.is_initialized():
            self.close("Ray was shut down")
        elif self._ray.wait([self._serving], timeout=0)[0] and self._has_ended():
            self.close("the actor does not answer any more")

    def _has_ended(self) -> bool:
        """Returns whether the actor's serving call has ended without leaving a reply in Ray's object store."""
        try:
            return self._ray.get(self._serving) is None
        except Exception:
            return True

    def _death_cause(self) -> str:
        """Returns the reason why no more replies will arrive."""
        if not self._ray.is_initialized():
            return "Ray was shut down"
        try:
            self._ray.get(self._serving or self._listening, timeout=_DEATH_CAUSE_TIMEOUT)
        except death_errors(self._ray) as error:
            return str(error)
        except Exception as error:  # Ray has no information, or this process joined another cluster
            return f"{self.end}: {error}"
        return str(self.end)


class ActorMethods:
    """Base class of actors: runs calls of methods that a subclass defines, made by Ray or over a connection."""

    # `serve` runs in the thread in which Ray calls the actor's methods, so that environments are used by a single
    # thread with either kind of call.

    def __init__(
        self,
        methods: dict[str, Callable[..., Any]],
        begin: dict[str, Callable[..., Callable[[], Any] | None]] | None = None,
    ) -> None:
        """Stores the methods that the driver may call, without opening a socket."""
        # ``begin`` has, for some methods, a function that starts a call and returns another function, which completes
        # the call; further calls can be started in between. If it returns ``None``, the call must run alone, after all
        # earlier calls.
        self._methods = methods
        self._begin = begin or {}
        self._connection: FrameConnection | None = None
        self._started: deque[Callable[[], Any]] = deque()
        self._is_alone = False
        """Whether the last started call must run alone."""

    def ready(self) -> bool:
        """Does nothing; a reply confirms that the actor was made and is alive."""
        return True

    def call(self, message: Any) -> Any:
        """Calls a method, given as a packed tuple of its name and its arguments; returns its result, packed."""
        method, arguments = unpack(message)
        return packed(self._methods[method](*arguments))

    def listen(self, host: str | None, key: bytes) -> tuple[str, int]:
        """Opens a socket for a driver that knows the key, by default at this node's address; returns its address."""
        self._key, self._listener = key, FrameListener(host or import_ray().util.get_node_ip_address())
        return self._listener.address

    def serve(self) -> Any:
        """Waits for the driver, and runs its requests until the driver closes the connection."""
        # Returns ``None`` after the connection was closed; or a reply that is too large for the connection, so that it
        # is returned through Ray's object store. Then the method must be called again to continue.
        connection = self._connection
        if connection is None:
            connection = self._listener.accept(self._key, _ACCEPT_TIMEOUT, _AUTHENTICATION_TIMEOUT)
            self._connection = connection
            del self._listener
        while True:
            if not self._started:
                request = connection.next()
                if request is None:
                    connection.close()
                    return None
                self._start(request)
            self._start_arrived(connection)
            large = self._answer(connection)
            if large is not None:
                return large

    def _start(self, request: bytes) -> None:
        try:
            method, arguments = pickle.loads(request)
            finish = self._begin[method](*arguments) if method in self._begin else None
            self._is_alone = finish is None
            self._started.append(finish or partial(self._methods[method], *arguments))
        except Exception as error:
            self._started.append(partial(_raise, error))

    def _start_arrived(self, connection: FrameConnection) -> None:
        """Starts requests that have already arrived, as far as they may overlap."""
        while self._begin and not self._is_alone and len(self._started) < _MAX_IN_PROGRESS and connection.has_next():
            request = connection.next()
            if request is None:
                return
            self._start(request)

    def _answer(self, connection: FrameConnection) -> Any:
        """Replies to the oldest request. If the reply is too large for the connection, returns the reply instead."""
        finish = self._started.popleft()
        self._is_alone = self._is_alone and bool(self._started)
        value: Any
        try:
            value = finish()
            self._start_arrived(connection)
            kind, message = _VALUE, dumps(value)
        except Exception as error:
            value, kind, message = None, _ERROR, failure_bytes(-1, "call", error)
        is_large = value is not None and len(message) > LARGEST_REPLY
        connection.reply(*(_STORED, b"") if is_large else (kind, message))
        return value if is_large else None


def _raise(error: Exception) -> None:
    raise error
