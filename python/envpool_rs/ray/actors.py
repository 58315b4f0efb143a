"""Ray clusters and their actors: ``ActorGroup`` starts, calls, restarts and kills actors, ``ActorMethods`` runs the
calls in them.

Calls are made by Ray or over TCP connections, in a twentieth of the time. Requests and replies are pickles;
`_core.FrameConnection` authenticates the connections and carries the frames.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import os
import pickle
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

import cloudpickle
import numpy as np

from envpool_rs._arguments import mapping, number
from envpool_rs._core import FrameCall, FrameConnection, FrameListener, wait_for_replies
from envpool_rs._workers.serialization import RemoteTraceback, dumps, failure_bytes
from envpool_rs._workers.worker_process import block_interrupts

OLDEST = (2, 50)  # oldest supported release of ray, as in the extra `ray`
LARGEST_COPIED = 64 * 1024  # bytes in a message by Ray's calls: Ray returns views of larger values, in its object store
LARGEST_REPLY = 2 << 20  # bytes of a reply over the driver's connection: for larger ones, the object store is faster
_MAX_IN_PROGRESS = 2  # requests per actor

# Times in seconds.
_CONNECT_TIMEOUT = 5.0  # for an actor to be reached
_FIRST_REPLY_TIMEOUT = 30.0  # for the first reply of a busy actor
_DEATH_CAUSE_TIMEOUT = 10.0  # for Ray to report why an actor's process ended
_ACCEPT_TIMEOUT = 20.0  # for the driver to connect
_AUTHENTICATION_TIMEOUT = 2.0  # for a client to authenticate as the driver
_POLL_INTERVAL = 0.02  # between looks at a restarted actor's socket

# Kinds of the frame with an actor's reply: `FrameKind` in src/transport/stream.
_VALUE = 1  # a pickled value
_ERROR = 2  # the bytes of an `EnvFailure`
_STORED = 3  # empty: the value is in Ray's object store, and the serving call returns it

_PLAIN = frozenset({type(None), int, float, bool, str, bytes})


def installed_ray() -> tuple[Any, str]:
    """Imports ray; returns it and its version: ``None`` for an old one and a missing one, whose version is empty."""
    try:
        ray = importlib.import_module("ray")
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        return None, ""
    version = str(getattr(ray, "__version__", ""))  # Python also imports a folder named `ray`
    return ray if tuple(map(int, re.findall(r"\d+", version)[:2])) >= OLDEST else None, version


def import_ray(user: str = __package__) -> Any:
    """Imports and returns ``ray``; raises an ImportError if it is not installed, too old, or broken."""
    ray, version = installed_ray()
    if ray is None:
        fault = f"ray {version} is too old" if version else f"{user} needs ray, which is not installed"
        oldest = ".".join(map(str, OLDEST))
        raise ImportError(f"{fault}; expected ray {oldest} or later: pip install 'envpool_rs[ray]'")
    return ray


def connect(ray_options: Mapping[str, Any] | None) -> Any:
    """Starts Ray or joins the cluster in ``RAY_ADDRESS``, unless this process is connected; returns ``ray``."""
    ray = import_ray()
    if ray_options is not None:
        mapping("ray_options", ray_options, "a dict of arguments for ray.init")
    if not ray.is_initialized():
        ray.init(**(ray_options or {}))
    return ray


def check_cpus(name: str, value: Any) -> float:
    """Checks a number of CPUs, GPUs or seconds: finite, and 0 or more."""
    return number(name, value, "a number, 0 or more", lambda cpus: math.isfinite(cpus) and cpus >= 0)


def max_actors(ray: Any, cpus_each: float) -> int:
    """Returns the number of actors with ``cpus_each`` CPUs each that fit the cluster, at least one."""
    total = ray.cluster_resources().get("CPU", 0.0)
    return max(1, int(total // cpus_each) if cpus_each > 0 else int(total))


def check_room(ray: Any, num_actors: int, cpus_each: float, gpus_each: float = 0) -> None:
    """Rejects more actors than the whole cluster has resources for, because Ray would wait for them forever."""
    resources = ray.cluster_resources()
    for resource, each in (("CPU", cpus_each), ("GPU", gpus_each)):
        total, requested = resources.get(resource, 0.0), num_actors * each
        if requested > total:
            need = f"{each:g} {resource}s each need {requested:g} {resource}s"
            raise ValueError(f"num_actors={num_actors} with {need}: the cluster has {total:g}")


def split(things: Sequence[Any], parts: int) -> list[Any]:
    """Splits a sequence into consecutive parts of equal length, up to a difference of one."""
    size, more = divmod(len(things), parts)
    ends = [part * size + min(part, more) for part in range(parts + 1)]
    return [things[first:end] for first, end in pairwise(ends)]


class ActorDied(RuntimeError):  # noqa: N818
    """Raised if an actor died and its environments are lost. ``actor`` is the number of the actor, and ``env_ids`` is
    the range of its environments' ids.
    """

    def __init__(self, actor: int, env_ids: range, reason: str, advice: str) -> None:
        cause = reason.strip().splitlines()[0] if reason.strip() else "no reason known"
        names = f"{env_ids[0]} to {env_ids[-1]}" if len(env_ids) > 1 else f"{env_ids[0]}"
        super().__init__(f"actor {actor} died ({cause}): environments {names} are lost; {advice}")
        self.actor, self.env_ids = actor, env_ids

    @classmethod
    def of(cls, actor: int, env_ids: range, error: BaseException, losses: int, advice: str) -> ActorDied:
        """Makes the error for an actor that is not restarted, from the cause and the number of consecutive losses."""
        how = f"it died {losses} times without an answer in between" if losses > 1 else advice
        died = cls(actor, env_ids, str(error), how)
        died.__cause__ = error
        return died

    def again(self) -> ActorDied:
        """Returns a copy of the error to raise again, so that tracebacks do not grow."""
        died = ActorDied.__new__(ActorDied)
        RuntimeError.__init__(died, *self.args)
        died.actor, died.env_ids, died.__cause__ = self.actor, self.env_ids, self.__cause__
        return died


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
    """Pickles a small value for Ray, which serialises slowly; returns other values unchanged."""
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


def _deaths(ray: Any) -> tuple[type[BaseException], ...]:
    """Returns the exception classes that ``ray.get`` raises if an actor, process, node or stored reply was lost."""
    names = ("RayActorError", "ObjectLostError", "NodeDiedError", "WorkerCrashedError", "OutOfMemoryError")
    return tuple(getattr(ray.exceptions, name) for name in names)


class DirectConnection(FrameConnection):
    """Driver's end of the connection to an actor's `ActorMethods`; an actor replies to calls in order."""

    # Ctrl-C may raise an exception at any time. The extension sends and receives, so that no data are lost and no reply
    # is assigned to the wrong call; a later call continues.
    PATIENCE: ClassVar[float] = 1.0  # seconds without a reply after which Ray is asked whether the actor is alive

    def __new__(cls, ray: Any, actor: Any) -> Any:
        return super().__new__(cls)

    def __init__(self, ray: Any, actor: Any) -> None:
        """Asks an actor to listen for a connection, without waiting; `reach` makes the connection."""
        self._ray, self._actor = ray, actor
        self._key = os.urandom(32)
        self._listening = actor.listen.remote(None, self._key)
        self._serving: Any = None
        self._stored: dict[int, Any] = {}  # replies in Ray's object store, by the number of the call
        self._lock = threading.Lock()

    def reach(self) -> None:
        """Waits until the actor listens, and connects to it; raises ``OSError``, or Ray's error for a dead actor."""
        host, port = self._ray.get(self._listening)
        self.connect(host, port, _CONNECT_TIMEOUT)
        self._serving = self._serving or self._actor.serve.remote()
        if not self.authenticate(self._key, _FIRST_REPLY_TIMEOUT):
            raise ConnectionRefusedError(f"something else than the actor listens at {host} port {port}")

    def attend(self) -> bool:
        """Connects if the actor listens now, and stores a large reply; returns whether it is (or cannot be) reached."""
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
        if self.end is not None or self._serving is None:
            return
        if not self._ray.is_initialized():
            self.close("Ray was shut down")
        elif self._ray.wait([self._serving], timeout=0)[0]:
            with contextlib.suppress(Exception):
                if self._ray.get(self._serving) is not None:  # a large reply
                    return
            self.close("the actor does not answer any more")

    def _death_cause(self) -> str:
        if not self._ray.is_initialized():
            return "Ray was shut down"
        try:
            self._ray.get(self._serving or self._listening, timeout=_DEATH_CAUSE_TIMEOUT)
        except _deaths(self._ray) as error:
            return str(error)
        except Exception as error:  # Ray has no information, or this process joined another cluster
            return f"{self.end}: {error}"
        return str(self.end)


def wait_for(
    connections: Sequence[DirectConnection], calls: Sequence[FrameCall], at_least: int, timeout: float | None
) -> list[int]:
    """Waits for ``at_least`` replies, or ``timeout`` seconds; returns positions of completed calls by arrival."""
    end = math.inf if timeout is None else time.monotonic() + timeout
    while True:
        reached = [connection.attend() for connection in connections]
        all_reached = all(reached)
        patience = DirectConnection.PATIENCE if all_reached else _POLL_INTERVAL
        start = time.monotonic()
        over = wait_for_replies(connections, calls, at_least, min(max(0.0, end - start), patience))
        now = time.monotonic()
        if len(over) >= at_least or now >= end:
            return over
        for connection in connections if all_reached and now - start >= patience else ():
            connection.check()


def _session(ray: Any) -> tuple[str, str]:
    # Job numbers are unique within a cluster, and a node runs many jobs, so only both ids together are unique.
    context = ray.get_runtime_context()
    return context.get_job_id(), context.get_node_id()


class ActorGroup:
    """Client of the actors of one driver: starts, calls, restarts and kills them. An actor runs its calls in order."""

    # ``None`` if Ray makes the calls. One thread may call while another waits.
    connections: list[DirectConnection] | None = None

    def __init__(
        self, ray: Any, actor_class: type, start_timeout: float, method: str = "ready", **options: Any
    ) -> None:
        """Prepares a group without actors; new actors are ready when they have replied to ``method``."""
        self._ray, self._session = ray, _session(ray)
        # Ray does not restart actors. The driver restarts them, because it has the states of their environments.
        self._remote = ray.remote(actor_class).options(max_restarts=0, max_task_retries=0, **options)
        self._start_timeout, self._method = start_timeout, method
        self.closed = False
        self.actors: list[Any] = []
        # The exception classes that report a lost actor or a lost reply.
        self.deaths: tuple[type[BaseException], ...] = (*_deaths(ray), ConnectionEnded)

    def start(self, arguments: Sequence[tuple[Any, ...]], direct: bool) -> list[Any]:
        """Starts an actor for each tuple of arguments, and connects to it when it is ready; returns their replies."""
        try:
            self.actors.extend(self._remote.remote(*each) for each in arguments)
            replies = self._wait_until_ready(self.actors)
            # Ray makes the calls if its own traffic is encrypted, or if actors cannot be reached because of a firewall.
            if direct and os.environ.get("RAY_USE_TLS", "0") in ("", "0"):
                connections = self.connections = [DirectConnection(self._ray, actor) for actor in self.actors]
                try:
                    for connection in connections:
                        connection.reach()
                except OSError:
                    self.connections = None
                    for connection in connections:
                        connection.close()
        except BaseException:
            self.close()
            raise
        return replies

    def _wait_until_ready(self, actors: Sequence[Any]) -> list[Any]:
        """Returns a reply of each new actor; raises its error, or a RuntimeError after the time to start."""
        refs = [getattr(actor, self._method).remote() for actor in actors]
        end = time.monotonic() + self._start_timeout
        waiting = refs
        while waiting:
            ready, waiting = self._ray.wait(waiting, num_returns=1, timeout=max(0.0, end - time.monotonic()))
            self._ray.get(ready)
            if not ready:
                free = f"{self._ray.available_resources().get('CPU', 0.0):g} CPUs of the cluster are free"
                fault = f"did not start within start_timeout={self._start_timeout:g} s"
                raise RuntimeError(f"{len(waiting)} of {len(refs)} actors {fault}: {free}, others are in use")
        return list(self._ray.get(refs))

    def restart(self, index: int, arguments: tuple[Any, ...], wait: bool = False) -> Any:
        """Replaces a lost actor. May wait until the new one is ready and return its reply; kills it if that fails."""
        self._ray.kill(self.actors[index])  # the actor may still run if only its connection or a reply was lost
        self.actors[index] = self._remote.remote(*arguments)
        if self.connections is not None:
            # The connection is made when the actor listens; calls are queued until then.
            self.connections[index].close()
            self.connections[index] = DirectConnection(self._ray, self.actors[index])
        try:
            return self._wait_until_ready([self.actors[index]])[0] if wait else None
        except BaseException:
            self._ray.kill(self.actors[index])
            raise

    @property
    def is_direct(self) -> bool:
        return self.connections is not None

    def is_connected(self, roughly: bool = False) -> bool:
        """Returns whether Ray was not shut down; not ``roughly``, also whether this is the same connection, in 6 µs."""
        return bool(self._ray.is_initialized()) and (roughly or _session(self._ray) == self._session)

    def call(self, actor: int, method: str, *arguments: Any) -> Any:
        if self.connections is not None:
            return self.connections[actor].call(method, arguments)
        message = packed((method, arguments)) if is_plain(arguments) else (method, arguments)
        return self.actors[actor].call.remote(message)

    def answered(self, calls: Sequence[Any], at_least: int, timeout: float | None) -> list[Any]:
        """Waits for ``at_least`` replies, or ``timeout`` seconds; returns the calls that have completed or failed."""
        if self.connections is not None:
            return [calls[index] for index in wait_for(self.connections, calls, at_least, timeout)]
        ready, _ = self._ray.wait(list(calls), num_returns=at_least or len(calls), timeout=timeout)
        return list(ready)

    def answers(self, calls: Sequence[Any]) -> list[Any]:
        """Waits for the replies to calls and returns them; raises one of `deaths`, or a method's exception."""
        if self.connections is not None:
            return [call.connection.answer(call) for call in calls]
        return [unpack(each) for each in self._ray.get(list(calls))]

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        for connection in self.connections or ():
            connection.close()
        if self.is_connected():
            for actor in self.actors:
                self._ray.kill(actor)


class ActorMethods:
    """Base class of actors: runs calls of methods that a subclass defines, made by Ray or over a connection."""

    def __init__(
        self, methods: dict[str, Callable[..., Any]], begin: dict[str, Callable[..., Any]] | None = None
    ) -> None:
        """Stores the methods that the driver may call, without opening a socket."""
        # ``begin`` has, for some methods, a function that starts a call and returns the function that completes it:
        # further calls can be started in between; or ``None``, if the call must run alone, after all earlier calls.
        self._methods = methods
        self._begin = begin or {}
        self._connection: FrameConnection | None = None
        self._started: deque[Callable[[], Any] | Exception] = deque()  # or the exception that the start has raised
        self._is_alone = False  # whether the last started call must run alone

    def ready(self) -> bool:
        """Does nothing; a reply confirms that the actor was made and is alive."""
        return True

    def call(self, message: Any) -> Any:
        return packed(self.run(*unpack(message)))

    def run(self, method: str, arguments: Sequence[Any]) -> Any:
        return self._methods[method](*arguments)

    def listen(self, host: str | None, key: bytes) -> tuple[str, int]:
        """Opens a socket for a driver that knows the key, by default at this node's address; returns its address."""
        self._key, self._listener = key, FrameListener(host or import_ray().util.get_node_ip_address())
        return self._listener.address

    def serve(self) -> Any:
        """Waits for the driver, and runs its requests until the driver closes the connection. Returns ``None`` then; or
        a reply for Ray's object store, too large for the connection, after which the driver calls this method again.
        """
        # Ray calls this method in the thread of the other calls, so that a single thread uses the environments.
        connection = self._connection
        if connection is None:
            connection = self._listener.accept(self._key, _ACCEPT_TIMEOUT, _AUTHENTICATION_TIMEOUT)
            self._connection = connection
            del self._listener
        while True:
            self._start(connection, wait=True)
            if not self._started:
                connection.close()
                return None
            large = self._answer(connection)
            if large is not None:
                return large

    def _start(self, connection: FrameConnection, wait: bool) -> None:
        """Starts requests that have arrived, as far as they may overlap; may wait for one if none has started."""
        while (wait and not self._started) or (
            self._begin and not self._is_alone and len(self._started) < _MAX_IN_PROGRESS and connection.has_next()
        ):
            request = connection.next()
            if request is None:
                return
            try:
                method, arguments = pickle.loads(request)
                finish = self._begin[method](*arguments) if method in self._begin else None
                self._is_alone = finish is None
                self._started.append(finish or partial(self._methods[method], *arguments))
            except Exception as error:
                self._started.append(error)

    def _answer(self, connection: FrameConnection) -> Any:
        """Replies to the oldest request. If the reply is too large for the connection, returns the reply instead."""
        finish = self._started.popleft()
        self._is_alone = self._is_alone and bool(self._started)
        value: Any = None
        try:
            if isinstance(finish, Exception):
                raise finish
            value = finish()
            self._start(connection, wait=False)
            kind, message = _VALUE, dumps(value)
        except Exception as error:
            value, kind, message = None, _ERROR, failure_bytes(-1, "call", error)
        is_large = value is not None and len(message) > LARGEST_REPLY
        connection.reply(*(_STORED, b"") if is_large else (kind, message))
        return value if is_large else None
