"""The Ray actors of a pool: ``ActorGroup`` starts, calls, restarts and kills actors, ``EnvActor`` is one of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from envpool_rs import _core
from envpool_rs._facades.environments import seed_list
from envpool_rs._spec.assets import check_assets
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.plugins import portable
from envpool_rs._workers.serialization import RemoteTraceback, failure_bytes, load_failure
from envpool_rs._workers.worker_process import block_interrupts
from envpool_rs.ray.calls import ActorCalls, ActorDied, packed, unpack
from envpool_rs.ray.cluster import ActorOptions, Session, check_room, max_actors, wait_until_ready
from envpool_rs.ray.direct import ActorMethods, calls_to

if TYPE_CHECKING:
    from envpool_rs._core import Layout

_ADVICE = "recreate the pool, or make it with on_actor_death='resume'"

_MAX_CONCURRENCY = 2
"""Maximum number of requests in progress per asynchronous actor, for Ray's calls."""

RecordedError = tuple[str, bytes]
"""Message of an exception, and the exception itself as bytes, which the extension keeps as long as it needs them."""


def split_evenly(things: Sequence[Any], parts: int) -> list[Any]:
    """Splits a sequence into consecutive parts of equal length, up to a difference of one."""
    size, more = divmod(len(things), parts)
    ends = [part * size + min(part, more) for part in range(parts + 1)]
    return [things[first:end] for first, end in pairwise(ends)]


class ActorGroup:
    """Client of the actors of one driver: starts, calls, restarts and kills them."""

    calls: ActorCalls
    """Calls of the actors by index, directly or by Ray."""

    def __init__(
        self, ray: Any, actor_class: type, start_timeout: float, method: str = "ready", **options: Any
    ) -> None:
        """Prepares a group without actors; new actors are ready when they have replied to ``method``."""
        self._ray, self._session = ray, Session(ray)
        # Ray does not restart actors. The driver restarts them, because it has the states of their environments.
        self._remote = ray.remote(actor_class).options(max_restarts=0, max_task_retries=0, **options)
        self._start_timeout, self._method = start_timeout, method
        self.closed = False
        self.actors: list[Any] = []
        self.calls = ActorCalls(ray, self.actors)

    def start(self, arguments: Sequence[tuple[Any, ...]], direct: bool) -> list[Any]:
        """Starts an actor for each tuple of arguments, and connects to it when it is ready; returns their replies."""
        try:
            self.actors.extend(self._remote.remote(*each) for each in arguments)
            replies = self._wait_until_ready(self.actors)
            self.calls = calls_to(self._ray, self.actors, direct)
        except BaseException:
            self.close()
            raise
        return replies

    def _wait_until_ready(self, actors: Sequence[Any]) -> list[Any]:
        replies = [getattr(actor, self._method).remote() for actor in actors]
        wait_until_ready(self._ray, replies, self._start_timeout)
        ready: list[Any] = self._ray.get(replies)
        return ready

    def restart(self, index: int, arguments: tuple[Any, ...]) -> None:
        """Replaces a lost actor, without waiting for the new one."""
        self._ray.kill(self.actors[index])  # the actor may still run if only its connection or a reply was lost
        self.actors[index] = self._remote.remote(*arguments)
        self.calls.join(index)

    def wait_for_restart(self, index: int) -> Any:
        """Waits until a new actor is ready, and returns its reply; kills the actor if that fails."""
        try:
            return self._wait_until_ready([self.actors[index]])[0]
        except BaseException:
            self._ray.kill(self.actors[index])
            raise

    @property
    def is_direct(self) -> bool:
        return self.calls.is_direct

    def is_connected(self, roughly: bool = False) -> bool:
        """Returns whether Ray was not shut down, see `Session.is_open`."""
        return self._session.is_open(roughly)

    def close(self) -> None:
        """Kills the actors."""
        if self.closed:
            return
        self.closed = True
        self.calls.close()
        if self.is_connected():
            for actor in self.actors:
                self._ray.kill(actor)


@dataclass(eq=False)
class ActorRecord:
    """Record of the environments and the requests of one actor."""

    index: int
    env_ids: range
    """Ids of its environments in the whole pool."""
    calls: dict[int, Any] = field(default_factory=dict)
    """Handles of requests whose replies were not taken, by number."""
    sent: int = 0
    """Number of the last sent request."""
    death: BaseException | None = None
    """Exception that reports the actor's death, until it was passed on."""


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
        self.remote = [ActorRecord(*each) for each in enumerate(split_evenly(range(num_envs), count))]
        self.start([self._arguments(record.env_ids, 1) for record in self.remote], options["direct"])

    def _arguments(self, env_ids: range, first_number: int) -> tuple[Any, ...]:
        """Returns the arguments of the actor with some environments, whose first request has the given number."""
        own = [self._seeds[each] for each in env_ids]
        # The pool over the actors normalises results, by statistics of all environments.
        plain = dict.fromkeys(("normalize_obs", "normalize_reward", "clip_obs", "clip_reward"))
        spec = self._spec.for_envs(env_ids, batch_size=0, seed=own, render_env_id=0, **plain, **self._numbers(env_ids))
        return portable(spec), self._layout, first_number

    def _numbers(self, env_ids: range) -> dict[str, Any]:
        """Returns the option with the number of an actor's first environment, on which some tasks' levels depend."""
        given = self._spec.pool.config.get("first_env")
        if given is None:
            return {}
        if isinstance(given, int):
            return {"first_env": given + env_ids[0]}
        return {"first_env": [given[each] + env_ids[0] for each in env_ids]}

    def options(self) -> dict[str, Any]:
        """Returns options of the actors with their values."""
        names = ("num_cpus_per_actor", "on_actor_death", "snapshot_interval")
        chosen = {name: value for name, value in self.actor_options.items() if name in names}
        return {"num_actors": len(self.remote), **chosen, "direct": self.is_direct}

    def _check_usable(self, roughly: bool = False) -> None:
        """Raises a RuntimeError if the actors were shut down, by `close` or together with Ray."""
        if self.closed:
            raise RuntimeError("this pool is closed")
        if not self.is_connected(roughly):
            raise RuntimeError("Ray was shut down, and this pool's actors with it: make another pool")

    # Methods that the extension calls: `HostTransport` in src/interop/remote/host_transport.rs.

    def send(self, actor_index: int, number: int, request: bytes) -> None:
        """Sends a request to an actor, unless the request with this number was sent before."""
        self._check_usable(roughly=self.is_direct)
        record = self.remote[actor_index]
        if number > record.sent or number in record.calls:
            self.calls.call_once(record.calls, number, actor_index, "play", number, request)
            record.sent = max(record.sent, number)

    def wait(self, seconds: float) -> list[tuple[int, int, bytes | None, str, bytes]]:
        """Waits up to ``seconds`` for requests to complete; returns actors, numbers, and replies or exceptions."""
        # A request is returned again by each call until `forget`.
        self._check_usable(roughly=self.is_direct)
        requests = {call: (record, number) for record in self.remote for number, call in list(record.calls.items())}
        if not requests:
            time.sleep(seconds)
            return []
        over: list[tuple[int, int, bytes | None, str, bytes]] = []
        for call in self.calls.answered(list(requests), 1, seconds):
            record, number = requests[call]
            try:
                over.append((record.index, number, self.calls.answers([call])[0], "", b""))
            except self.calls.deaths as error:
                self._check_usable()
                record.death, record.calls = error, {}
            except Exception as error:
                over.append((record.index, number, None, *self._record(error)))
        return over

    def forget(self, over: list[tuple[int, int]]) -> None:
        """Discards requests whose replies were taken, by the actor and the number of each."""
        for actor_index, number in over:
            record = self.remote[actor_index]
            record.sent = max(record.sent, number)
            record.calls.pop(number, None)

    def lost(self) -> tuple[int, str, bytes] | None:
        """Returns a lost actor and an error message. Each loss is returned once."""
        record = next((record for record in self.remote if record.death is not None), None)
        if record is None:
            return None
        death = record.death
        assert death is not None  # `_find_lost` has stored the reason
        payload = (record.index, *self._record(death))
        record.death = None
        return payload

    def renew(self, actor_index: int, first_number: int) -> RecordedError | None:
        """Starts an actor that replaces a lost one, from the given request on; returns the reason of a failure."""
        record = self.remote[actor_index]
        with block_interrupts():
            try:
                self.restart(actor_index, self._arguments(record.env_ids, first_number))
                record.calls = {}
            except Exception as error:
                return self._record(error)
        return None

    @staticmethod
    def _record(error: BaseException) -> RecordedError:
        return str(error), failure_bytes(-1, "call", error)

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
        record = next(record for record in self.remote if env_id in record.env_ids)
        return ActorDied.of(record.index, record.env_ids, error, losses, _ADVICE)


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
        _, arguments = unpack(message)
        return packed(self._play_in_turn(*arguments))

    def _queue(self, number: int, request: bytes) -> Callable[[], bytes] | None:
        """Queues steps; returns the function that waits for them, or ``None`` for requests with other operations."""
        return self._host.finish if self._host.begin(request) else None

    def _play_in_turn(self, number: int, request: bytes) -> bytes:
        """Runs a request after all requests with smaller numbers."""
        with self._turn("_to_queue", number):
            finish = self._queue(number, request)
            if finish is None:  # operations other than steps
                with self._turn("_to_receive", number):
                    return self.play(number, request)
        with self._turn("_to_receive", number):
            return finish()

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
