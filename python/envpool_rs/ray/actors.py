"""``Actors``: starts, calls, restarts and shuts down the Ray actors of a pool."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from envpool_rs._facades.environments import seed_list
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.plugins import portable
from envpool_rs._workers.serialization import RemoteTraceback, failure_bytes, load_failure
from envpool_rs._workers.worker_process import block_interrupts
from envpool_rs.ray.actor_calls import ActorCalls, ActorDied, RayCalls
from envpool_rs.ray.cluster import ActorOptions, Session, check_room, max_actors, wait_until_ready
from envpool_rs.ray.direct_calls import calls_to
from envpool_rs.ray.env_share import THREADS, ActorRecord, EnvActor, PipelinedEnvActor

if TYPE_CHECKING:
    from envpool_rs._core import Layout

_ADVICE = "recreate the pool, or make it with on_actor_death='resume'"

RecordedError = tuple[str, bytes]
"""Message of an exception, and the exception itself as bytes, which the extension keeps as long as it needs them."""


class Actors:
    """The actors of a pool, each with a native pool; through this class, the Rust extension sends requests to them.

    Attributes:
        closed: whether the actors were shut down.
        remote: the driver's record of each actor.
    """

    def __init__(self, ray: Any, spec: EnvSpec, options: ActorOptions, layout: Layout) -> None:
        """Starts the actors, and waits until their environments are made.

        Args:
            ray: the module ``ray``, connected to a cluster.
            spec: the whole pool's specification.
            options: options of the actors, such as their number and the recovery policy.
            layout: result layout of the whole pool.

        Raises:
            ValueError: if the cluster is too small.
            RuntimeError: if the actors do not start in time.
        """
        config = spec.pool.config
        num_envs = int(config["num_envs"])
        cpus = options.num_cpus_per_actor
        count = options.num_actors or min(num_envs, max_actors(ray, cpus))
        check_room(ray, count, cpus)
        self.closed = False
        self.actor_options = options
        self._ray, self._spec, self._layout = ray, spec, layout
        # Ray does not restart actors. The driver restarts them, because it has the states of their environments.
        is_async = 0 < int(config["batch_size"]) < num_envs
        self._remote = ray.remote(PipelinedEnvActor if is_async else EnvActor).options(
            num_cpus=cpus, max_restarts=0, max_task_retries=0, max_concurrency=THREADS if is_async else 1
        )
        self._seeds = seed_list(config["seed"], num_envs)
        self._session = Session(ray)
        self._actors: list[Any] = []
        self._calls: ActorCalls = RayCalls(ray, self._actors)
        self.remote: list[ActorRecord] = []
        first = 0
        try:
            for index in range(count):
                end = first + num_envs // count + (index < num_envs % count)
                self._actors.append(self._make_actor(range(first, end), 1))
                self.remote.append(ActorRecord(index, range(first, end), self._actors[-1]))
                first = end
            wait_until_ready(ray, [actor.ready.remote() for actor in self._actors], options.start_timeout)
            self._calls = calls_to(ray, self._actors, options.direct, views=True)
        except BaseException:
            self.close()
            raise

    def _make_actor(self, env_ids: range, first_number: int) -> Any:
        own = [self._seeds[each] for each in env_ids]
        # The pool over the actors normalises results, by statistics of all environments.
        plain = dict.fromkeys(("normalize_obs", "normalize_reward", "clip_obs", "clip_reward"))
        spec = self._spec.for_envs(env_ids, batch_size=0, seed=own, render_env_id=0, **plain, **self._numbers(env_ids))
        return self._remote.remote(portable(spec), self._layout, first_number)

    def _numbers(self, env_ids: range) -> dict[str, Any]:
        """Returns the option of Procgen's tasks with the number of an actor's first environment, on which levels
        depend; empty for other tasks.
        """
        given = self._spec.pool.config.get("first_env")
        if given is None:
            return {}
        if isinstance(given, int):
            return {"first_env": given + env_ids[0]}
        return {"first_env": [given[each] + env_ids[0] for each in env_ids]}

    @property
    def is_direct(self) -> bool:
        """Whether this process calls actors over its direct connections."""
        return self._calls.is_direct

    def options(self) -> dict[str, Any]:
        """Options of the actors with their values."""
        return {
            "num_actors": len(self.remote),
            "num_cpus_per_actor": self.actor_options.num_cpus_per_actor,
            "on_actor_death": self.actor_options.on_actor_death,
            "snapshot_interval": self.actor_options.snapshot_interval,
            "direct": self.is_direct,
        }

    def _check_usable(self, roughly: bool = False) -> None:
        """Raises an error if the actors were shut down, by `close` or together with Ray.

        Raises:
            RuntimeError: naming the cause.
        """
        if self.closed:
            raise RuntimeError("this pool is closed")
        if not self._session.is_open(roughly):
            raise RuntimeError("Ray was shut down, and this pool's actors with it: make another pool")

    # Methods that the extension calls: `HostTransport` in src/interop/remote/host_transport.rs.

    def send(self, actor_index: int, number: int, request: bytes) -> None:
        """Sends a request to an actor, unless the request was sent before.

        Args:
            actor_index: index of the actor.
            number: number of the request.
            request: the request as bytes.

        Raises:
            RuntimeError: if the actors were shut down.
        """
        self._check_usable(roughly=self.is_direct)
        record = self.remote[actor_index]
        if number > record.sent or number in record.calls:
            self._calls.call_once(record.calls, number, actor_index, "play", number, request)
            record.sent = max(record.sent, number)

    def wait(self, seconds: float) -> list[tuple[int, int, bytes | None, str, bytes]]:
        """Waits for requests to complete.

        Args:
            seconds: maximum time.

        Returns:
            Completed requests: actor, number, and the reply or the exception. A request is returned again by each call
                until `forget`.

        Raises:
            RuntimeError: if the actors were shut down.
        """
        self._check_usable(roughly=self.is_direct)
        requests = {call: (record, number) for record in self.remote for number, call in list(record.calls.items())}
        if not requests:
            time.sleep(seconds)
            return []
        over: list[tuple[int, int, bytes | None, str, bytes]] = []
        for call in self._calls.answered(list(requests), 1, seconds):
            record, number = requests[call]
            try:
                over.append((record.index, number, self._calls.answer(call), "", b""))
            except self._calls.deaths as error:
                self._check_usable()
                record.death, record.calls = error, {}
            except Exception as error:
                over.append((record.index, number, None, *self._record(error)))
        return over

    def forget(self, over: list[tuple[int, int]]) -> None:
        """Discards requests whose replies were taken.

        Args:
            over: the actor and the number of each discarded request.
        """
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
        """Starts an actor that replaces a lost one.

        Args:
            actor_index: index of the actor.
            first_number: number of the first request.

        Returns:
            The reason of a failure, or ``None``.
        """
        record = self.remote[actor_index]
        with block_interrupts():
            try:
                self._ray.kill(record.actor)  # the actor may still run if only its connection or a reply was lost
                self._actors[actor_index] = self._make_actor(record.env_ids, first_number)
                self._calls.join(actor_index)
                record.replaced(self._actors[actor_index])
            except Exception as error:
                return self._record(error)
        return None

    @staticmethod
    def _record(error: BaseException) -> RecordedError:
        return str(error), failure_bytes(-1, "call", error)

    def rebuilt(self, env_id: int, payload: bytes, text: str, losses: int, advice: str | None) -> BaseException:
        """Recreates the exception that reports a failure.

        Args:
            env_id: the environment.
            payload: the exception as bytes; empty if an environment rejected a request.
            text: the message.
            losses: consecutive losses of the environment's actor; 0 if it was not lost.
            advice: the remedy to name in the message, unless the exception already contains it.
        """
        if not payload:
            return ValueError(text)
        failure = load_failure(payload, env_id, "call")
        error = failure.exception
        error.__cause__ = RemoteTraceback(failure.traceback)
        if not losses:
            return error
        record = next(record for record in self.remote if env_id in record.env_ids)
        return ActorDied.of(record.index, record.env_ids, error, losses, _ADVICE)

    def close(self) -> None:
        """Shuts the actors down."""
        if self.closed:
            return
        self.closed = True
        self._calls.close()
        if self._session.is_open():
            for actor in self._actors:
                self._ray.kill(actor)
