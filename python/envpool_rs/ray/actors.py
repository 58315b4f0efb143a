"""The Ray actors of a pool: ``ActorGroup`` starts, calls, restarts and kills actors, ``EnvActor`` is one of them."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from envpool_rs import _core
from envpool_rs._facades.environments import seed_list
from envpool_rs._spec.assets import check_assets
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.plugins import portable
from envpool_rs._workers.serialization import RemoteTraceback, failure_bytes, load_failure
from envpool_rs._workers.worker_process import block_interrupts
from envpool_rs.ray.cluster import ActorOptions, check_room, death_errors, max_actors, wait_until_ready
from envpool_rs.ray.direct import ActorMethods, ConnectionEnded, DirectConnection, is_plain, packed, unpack, wait_for

if TYPE_CHECKING:
    from envpool_rs._core import Layout

_ADVICE = "recreate the pool, or make it with on_actor_death='resume'"

_MAX_CONCURRENCY = 2
"""Maximum number of requests in progress per asynchronous actor, for Ray's calls."""


class ActorDied(RuntimeError):  # noqa: N818
    """Raised if an actor died and its environments are lost.

    ``actor`` is the number of the actor, and ``env_ids`` is the range of its environments' ids.
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


def split_evenly(things: Sequence[Any], parts: int) -> list[Any]:
    """Splits a sequence into consecutive parts of equal length, up to a difference of one."""
    size, more = divmod(len(things), parts)
    ends = [part * size + min(part, more) for part in range(parts + 1)]
    return [things[first:end] for first, end in pairwise(ends)]


def _session(ray: Any) -> tuple[str, str]:
    # Job numbers are unique within a cluster, and a node runs many jobs, so only both ids together are unique.
    context = ray.get_runtime_context()
    return context.get_job_id(), context.get_node_id()


class ActorGroup:
    """Client of the actors of one driver: starts, calls, restarts and kills them.

    Calls use direct connections, or Ray and the actors' generic method ``call``. An actor runs its calls in order.
    """

    connections: list[DirectConnection] | None = None
    """Direct connections to the actors; ``None`` if Ray makes the calls. One thread may call while another waits."""

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
        self.deaths: tuple[type[BaseException], ...] = (*death_errors(ray), ConnectionEnded)
        """Exception classes that report a lost actor or a lost reply."""

    def start(self, arguments: Sequence[tuple[Any, ...]], direct: bool) -> list[Any]:
        """Starts an actor for each tuple of arguments, and connects to it when it is ready; returns their replies."""
        try:
            self.actors.extend(self._remote.remote(*each) for each in arguments)
            replies = self._wait_until_ready(self.actors)
            # Ray makes the calls if its own traffic is encrypted, which direct calls must not circumvent, and if actors
            # cannot be reached otherwise, because of a firewall.
            if direct and os.environ.get("RAY_USE_TLS", "0") in ("", "0"):
                self._connect()
        except BaseException:
            self.close()
            raise
        return replies

    def _connect(self) -> None:
        connections = [DirectConnection(self._ray, actor) for actor in self.actors]
        try:
            for connection in connections:
                connection.reach()
            self.connections = connections
        except BaseException as error:
            for connection in connections:
                connection.close()
            if not isinstance(error, OSError):
                raise

    def _wait_until_ready(self, actors: Sequence[Any]) -> list[Any]:
        replies = [getattr(actor, self._method).remote() for actor in actors]
        return wait_until_ready(self._ray, replies, self._start_timeout)

    def restart(self, index: int, arguments: tuple[Any, ...]) -> None:
        """Replaces a lost actor, without waiting for the new one."""
        self._ray.kill(self.actors[index])  # the actor may still run if only its connection or a reply was lost
        self.actors[index] = self._remote.remote(*arguments)
        if self.connections is not None:
            # The connection is made when the actor listens; calls are queued until then.
            self.connections[index].close()
            self.connections[index] = DirectConnection(self._ray, self.actors[index])

    def wait_for_restart(self, index: int) -> Any:
        """Waits until a new actor is ready, and returns its reply; kills the actor if that fails."""
        try:
            return self._wait_until_ready([self.actors[index]])[0]
        except BaseException:
            self._ray.kill(self.actors[index])
            raise

    @property
    def is_direct(self) -> bool:
        return self.connections is not None

    def is_connected(self, roughly: bool = False) -> bool:
        """Returns whether Ray was not shut down; another ``ray.init`` does not connect the group again."""
        # With ``roughly``, it is not checked that the connection was not replaced by another one, which takes 6 µs: for
        # callers whose Ray calls would then fail.
        return bool(self._ray.is_initialized()) and (roughly or _session(self._ray) == self._session)

    def call(self, actor: int, method: str, *arguments: Any) -> Any:
        """Calls a method of an actor, without waiting for the reply; returns a handle of the call."""
        if self.connections is not None:
            return self.connections[actor].call(method, arguments)
        message = packed((method, arguments)) if is_plain(arguments) else (method, arguments)
        return self.actors[actor].call.remote(message)

    def call_once(self, calls: dict[int, Any], number: int, actor: int, method: str, *arguments: Any) -> None:
        """Calls a method of an actor and adds the handle to ``calls``, unless a call with this number exists."""
        # An interrupt leaves one of three states: the call was made and recorded; it was neither made nor recorded; or
        # it was recorded and made in part, and calling this method again makes the rest.
        if self.connections is None:
            with block_interrupts():
                if number not in calls:
                    calls[number] = self.call(actor, method, *arguments)
        elif number in calls:
            self.connections[actor].flush()
        else:
            self.connections[actor].call(method, arguments, calls, number)

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
        """Kills the actors, and closes the connections, also for threads that wait for replies."""
        if self.closed:
            return
        self.closed = True
        for connection in self.connections or ():
            connection.close()
        if self.is_connected():
            for actor in self.actors:
                self._ray.kill(actor)


def _recorded(error: BaseException) -> tuple[str, bytes]:
    """Returns an exception's message and bytes, which the extension keeps as long as it needs them."""
    return str(error), failure_bytes(-1, "call", error)


class Actors(ActorGroup):
    """The actors of a pool, each with a native pool; through this class, the Rust extension sends requests to them."""

    def __init__(self, ray: Any, spec: EnvSpec, options: ActorOptions, layout: Layout) -> None:
        """Starts the actors, and waits until their environments are made; ``layout`` is the whole pool's."""
        config = spec.pool.config
        num_envs = int(config["num_envs"])
        cpus = options["num_cpus_per_actor"]
        count = options["num_actors"] or min(num_envs, max_actors(ray, cpus))
        check_room(ray, count, cpus)
        is_async = 0 < int(config["batch_size"]) < num_envs
        actor_class = PipelinedEnvActor if is_async else EnvActor
        concurrency = _MAX_CONCURRENCY if is_async else 1
        super().__init__(ray, actor_class, options["start_timeout"], num_cpus=cpus, max_concurrency=concurrency)
        self.actor_options = options
        self._spec, self._layout = spec, layout
        self._seeds = seed_list(config["seed"], num_envs)
        self.env_ids: list[range] = split_evenly(range(num_envs), count)
        """Ids of each actor's environments in the whole pool."""
        self._calls: list[dict[int, Any]] = [{} for _ in self.env_ids]
        """Handles of each actor's requests whose replies were not taken, by number."""
        self._sent = [0] * count
        """Number of the last request to each actor."""
        self._losses: dict[int, BaseException] = {}
        """Exceptions that report the death of an actor, until they were passed on."""
        self.start([self._arguments(actor, 1) for actor in range(count)], options["direct"])

    def _arguments(self, actor: int, first_number: int) -> tuple[Any, ...]:
        """Returns the constructor's arguments of an actor whose first request has the given number."""
        env_ids = self.env_ids[actor]
        changes: dict[str, Any] = {"batch_size": 0, "render_env_id": 0, "seed": [self._seeds[each] for each in env_ids]}
        # The pool over the actors normalises results, by statistics of all environments.
        changes |= dict.fromkeys(("normalize_obs", "normalize_reward", "clip_obs", "clip_reward"))
        # The number of an actor's first environment, on which some tasks' levels depend.
        given = self._spec.pool.config.get("first_env")
        if given is not None:
            is_shared = isinstance(given, int)
            changes["first_env"] = given + env_ids[0] if is_shared else [given[each] + env_ids[0] for each in env_ids]
        return portable(self._spec.for_envs(env_ids, **changes)), self._layout, first_number

    def options(self) -> dict[str, Any]:
        """Returns options of the actors with their values."""
        names = ("num_cpus_per_actor", "on_actor_death", "snapshot_interval")
        chosen = {name: value for name, value in self.actor_options.items() if name in names}
        return {"num_actors": len(self.actors), **chosen, "direct": self.is_direct}

    def _check_usable(self, roughly: bool = False) -> None:
        """Raises a RuntimeError if the actors were shut down, by `close` or together with Ray."""
        if self.closed:
            raise RuntimeError("this pool is closed")
        if not self.is_connected(roughly):
            raise RuntimeError("Ray was shut down, and this pool's actors with it: make another pool")

    # Methods that the extension calls: `HostTransport` in src/interop/remote/host_transport.rs.

    def send(self, actor: int, number: int, request: bytes) -> None:
        """Sends a request to an actor, unless the request with this number was sent before."""
        self._check_usable(roughly=self.is_direct)
        if number > self._sent[actor] or number in self._calls[actor]:
            self.call_once(self._calls[actor], number, actor, "play", number, request)
            self._sent[actor] = max(self._sent[actor], number)

    def wait(self, seconds: float) -> list[tuple[int, int, bytes | None, str, bytes]]:
        """Waits up to ``seconds`` for requests to complete; returns actors, numbers, and replies or exceptions."""
        # A request is returned again by each call until `forget`.
        self._check_usable(roughly=self.is_direct)
        requests = {
            call: (actor, number) for actor, calls in enumerate(self._calls) for number, call in list(calls.items())
        }
        if not requests:
            time.sleep(seconds)
            return []
        over: list[tuple[int, int, bytes | None, str, bytes]] = []
        for call in self.answered(list(requests), 1, seconds):
            actor, number = requests[call]
            try:
                over.append((actor, number, self.answers([call])[0], "", b""))
            except self.deaths as error:
                self._check_usable()
                self._losses[actor], self._calls[actor] = error, {}
            except Exception as error:
                over.append((actor, number, None, *_recorded(error)))
        return over

    def forget(self, over: list[tuple[int, int]]) -> None:
        """Discards requests whose replies were taken, by the actor and the number of each."""
        for actor, number in over:
            self._sent[actor] = max(self._sent[actor], number)
            self._calls[actor].pop(number, None)

    def lost(self) -> tuple[int, str, bytes] | None:
        """Returns a lost actor and an error message. Each loss is returned once."""
        for actor, error in list(self._losses.items()):
            payload = (actor, *_recorded(error))
            self._losses.pop(actor, None)
            return payload
        return None

    def renew(self, actor: int, first_number: int) -> tuple[str, bytes] | None:
        """Starts an actor that replaces a lost one, from the given request on; returns the reason of a failure."""
        with block_interrupts():
            try:
                self.restart(actor, self._arguments(actor, first_number))
                self._calls[actor] = {}
            except Exception as error:
                return _recorded(error)
        return None

    def rebuilt(self, env_id: int, payload: bytes, text: str, losses: int, advice: str | None) -> BaseException:
        """Recreates the exception that reports a failure of an environment, from its bytes."""
        # There are no bytes if an environment rejected a request. ``losses`` counts consecutive losses of the
        # environment's actor; 0 if it was not lost. ``advice`` is the remedy to name, unless the exception already
        # contains it.
        if not payload:
            return ValueError(text)
        failure = load_failure(payload, env_id, "call")
        error = failure.exception
        error.__cause__ = RemoteTraceback(failure.traceback)
        if not losses:
            return error
        actor, env_ids = next(each for each in enumerate(self.env_ids) if env_id in each[1])
        return ActorDied.of(actor, env_ids, error, losses, _ADVICE)


class EnvActor(ActorMethods):
    """Actor with a native pool that runs the requests of a remote pool."""

    def __init__(self, spec: EnvSpec, layout: Layout, first_number: int = 1) -> None:
        """Makes the environments of a synchronous pool without resetting them."""
        super().__init__({"play": self.play})
        check_assets(spec.pool)
        self._host = _core.RemoteHost(spec.pool, layout)

    def play(self, number: int, request: bytes) -> bytes:
        """Runs a request and returns the reply, both in the extension's format."""
        return self._host.play(request)


class PipelinedEnvActor(EnvActor):
    """Pipelined variant of `EnvActor`, which runs requests in the order of their numbers."""

    # While the pool runs one request, the next one is unpacked and queued, and the previous reply is sent. Without the
    # pipeline, an actor idles for half a millisecond or more between two of Ray's calls.

    def __init__(self, spec: EnvSpec, layout: Layout, first_number: int = 1) -> None:
        super().__init__(spec, layout)
        self._begin = {"play": self._queue}
        self._turns = threading.Condition()
        self._to_queue = self._to_receive = first_number

    def call(self, message: Any) -> Any:
        # A direct connection starts steps in order and runs requests with other operations alone. Ray's calls run in
        # separate threads, so they wait until the previous request was queued, and until its reply was taken.
        _, (number, request) = unpack(message)
        with self._turn("_to_queue", number):
            finish = self._queue(number, request)
            if finish is None:  # operations other than steps
                with self._turn("_to_receive", number):
                    return packed(self.play(number, request))
        with self._turn("_to_receive", number):
            return packed(finish())

    def _queue(self, number: int, request: bytes) -> Callable[[], bytes] | None:
        """Queues steps; returns the function that waits for them, or ``None`` for requests with other operations."""
        return self._host.finish if self._host.begin(request) else None

    @contextmanager
    def _turn(self, name: str, number: int) -> Iterator[None]:
        with self._turns:
            self._turns.wait_for(lambda: getattr(self, name) == number)
        try:
            yield
        finally:
            with self._turns:
                setattr(self, name, number + 1)
                self._turns.notify_all()
