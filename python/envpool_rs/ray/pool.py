"""Pools whose environments run in Ray actors, with gymnasium's interfaces, and these actors."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn, TypedDict

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import is_series
from envpool_rs._facades.environments import FinalInfos, ResetArguments, seed_list
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool, RandomGenerators, VectorEnv
from envpool_rs._facades.interfaces import GymnasiumAttributes
from envpool_rs._facades.pool import EnvPoolMixin
from envpool_rs._spec.assets import check_assets
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.plugins import portable
from envpool_rs._workers.serialization import RemoteTraceback, failure_bytes, load_failure
from envpool_rs._workers.worker_process import block_interrupts
from envpool_rs.ray.actors import LARGEST_COPIED, ActorDied, ActorGroup, ActorMethods, check_room, max_actors, split

if TYPE_CHECKING:
    from envpool_rs._core import Layout

# Options of the local pools that validate arguments and render copies of environments.
_LOCAL_OPTIONS = {"batch_size": 0, "num_threads": 1, "seed": 0, "render_env_id": 0}
_ADVICE = "recreate the pool, or make it with on_actor_death='resume'"
_MAX_CONCURRENCY = 2  # requests in progress per asynchronous actor, for Ray's calls


class ActorOptions(TypedDict, total=False):
    """Options of the actors, as documented by `envpool_rs.ray.make`."""

    num_actors: int | None
    num_cpus_per_actor: float
    on_actor_death: Literal["resume", "new_episode", "raise"]
    snapshot_interval: int
    start_timeout: float
    copy: bool
    direct: bool
    ray_options: Mapping[str, Any] | None


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
        self._is_async = 0 < int(config["batch_size"]) < num_envs
        concurrency = _MAX_CONCURRENCY if self._is_async else 1
        super().__init__(ray, EnvActor, options["start_timeout"], num_cpus=cpus, max_concurrency=concurrency)
        self.actor_options = options
        self._spec, self._layout = spec, layout
        self._seeds = seed_list(config["seed"], num_envs)
        self.env_ids: list[range] = split(range(num_envs), count)  # of each actor, in the whole pool
        # Handles of each actor's requests whose replies were not taken, by number.
        self._calls: list[dict[int, Any]] = [{} for _ in self.env_ids]
        self._sent = [0] * count  # number of the last request to each actor
        self._losses: dict[int, BaseException] = {}  # deaths of actors, until they were passed on
        self.start([self._arguments(actor, 1) for actor in range(count)], options["direct"])

    def _arguments(self, actor: int, first_number: int) -> tuple[Any, ...]:
        env_ids = self.env_ids[actor]
        changes: dict[str, Any] = {"batch_size": 0, "render_env_id": 0, "seed": [self._seeds[each] for each in env_ids]}
        # The pool over the actors normalises results, by statistics of all environments.
        changes |= dict.fromkeys(("normalize_obs", "normalize_reward", "clip_obs", "clip_reward"))
        # The number of an actor's first environment, on which some tasks' levels depend.
        given, start = self._spec.pool.config.get("first_env"), env_ids[0]
        if given is not None:
            own = given if isinstance(given, int) else [given[each] for each in env_ids]
            changes["first_env"] = own + start if isinstance(own, int) else [each + start for each in own]
        return portable(self._spec.for_envs(env_ids, **changes)), self._layout, self._is_async, first_number

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
        calls = self._calls[actor]
        if number <= self._sent[actor] and number not in calls:
            return
        # An interrupt leaves one of three states: the call was made and recorded; it was neither made nor recorded; or
        # it was recorded and made in part, and calling this method again makes the rest.
        if self.connections is None:
            with block_interrupts():
                if number not in calls:
                    calls[number] = self.call(actor, "play", number, request)
        elif number in calls:
            self.connections[actor].flush()
        else:
            self.connections[actor].call("play", (number, request), calls, number)
        self._sent[actor] = max(self._sent[actor], number)

    def wait(self, seconds: float) -> list[tuple[int, int, bytes | None, str, bytes]]:
        """Waits up to ``seconds`` for requests to complete; returns actors, numbers, and replies or exceptions."""
        # A request is returned again by each call until `forget`.
        self._check_usable(roughly=self.is_direct)
        requests: dict[Any, tuple[int, int]] = {}
        for actor, calls in enumerate(self._calls):
            requests.update({call: (actor, number) for number, call in list(calls.items())})
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
        for actor, number in over:
            self._sent[actor] = max(self._sent[actor], number)
            self._calls[actor].pop(number, None)

    def lost(self) -> tuple[int, str, bytes] | None:
        """Returns a lost actor and an error message. Each loss is returned once."""
        for actor, error in list(self._losses.items()):
            payload = (actor, *_recorded(error))
            self._losses.pop(actor, None)  # after all that an interrupt may end
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
        """Recreates the exception that reports a failure of an environment, or of its lost actor, from its bytes."""
        if not payload:  # the environment rejected a request
            return ValueError(text)
        failure = load_failure(payload, env_id, "call")
        error = failure.exception
        error.__cause__ = RemoteTraceback(failure.traceback)
        if not losses:
            return error
        actor, env_ids = next(each for each in enumerate(self.env_ids) if env_id in each[1])
        return ActorDied.of(actor, env_ids, error, losses, _ADVICE)


class EnvActor(ActorMethods):
    """Actor with a native pool that runs the requests of a remote pool; if pipelined, in the order of their numbers."""

    # While a pipelined pool runs one request, the next one is unpacked and queued, and the previous reply is sent.
    # Without this, an actor idles for half a millisecond or more between two of Ray's calls.

    def __init__(self, spec: EnvSpec, layout: Layout, is_pipelined: bool, first_number: int) -> None:
        super().__init__({"play": self.play}, {"play": self._queue} if is_pipelined else None)
        check_assets(spec.pool)
        self._host = _core.RemoteHost(spec.pool, layout)
        self._turns = threading.Condition()
        self._next = {"queue": first_number, "receive": first_number}

    def play(self, number: int, request: bytes) -> bytes:
        return self._host.play(request)

    def run(self, method: str, arguments: Sequence[Any]) -> Any:
        # Ray's calls run in separate threads: they wait until the previous request was queued, and its reply taken.
        if not self._begin:
            return super().run(method, arguments)
        number, request = arguments
        with self._turn("queue", number):
            finish = self._queue(number, request)
            if finish is None:  # operations other than steps
                with self._turn("receive", number):
                    return self.play(number, request)
        with self._turn("receive", number):
            return finish()

    def _queue(self, number: int, request: bytes) -> Callable[[], bytes] | None:
        """Queues steps; returns the function that waits for them, or ``None`` for requests with other operations."""
        return self._host.finish if self._host.begin(request) else None

    @contextmanager
    def _turn(self, name: str, number: int) -> Iterator[None]:
        with self._turns:
            self._turns.wait_for(lambda: self._next[name] == number)
        try:
            yield
        finally:
            with self._turns:
                self._next[name] = number + 1
                self._turns.notify_all()


class RayPool(GymnasiumAttributes, RandomGenerators):
    """Native environments in the actors of a Ray cluster, as one pool.

    Ids, seeds, batches, autoreset, errors and trajectories equal those of a local pool.

    An actor replies to a ``send`` with a single object, so the rows of its environments arrive together; an
    asynchronous batch contains the replies that arrive first. ``info["restarted"]`` (``(n,)`` booleans) marks
    environments whose actor died; it is present only in batches with such rows.
    """

    _is_final_when_closed = True
    _added_infos: ClassVar[tuple[str, ...]] = ("restarted",)
    _actors: Actors

    def __init__(self, spec: EnvSpec, actors: Actors) -> None:
        super().__init__(spec)

    def __new__(cls, spec: EnvSpec, actors: Actors) -> Any:
        """Makes a pool of started actors, which host all environments of the specification."""
        options = actors.actor_options
        policies: dict[str, Any] = {"resume": options["snapshot_interval"], "new_episode": "new_episode", "raise": None}
        recovery = policies[options["on_actor_death"]]
        env_counts = [len(env_ids) for env_ids in actors.env_ids]
        # Results of several actors are joined into new arrays; those of one actor may be read-only views.
        limit = LARGEST_COPIED if not options["copy"] and len(env_counts) == 1 else None
        remote = _core.RemoteSpec(spec.pool, actors, env_counts, recovery=recovery, read_only=limit)
        pool: Any = _core.Pool.__new__(cls, remote, **cls._format(spec), finish=FinalInfos(spec))
        pool._actors = actors
        return pool

    @property
    def config(self) -> dict[str, Any]:
        """All options with their values; options of the actors come last."""
        names = ("num_cpus_per_actor", "on_actor_death", "snapshot_interval")
        chosen = {name: value for name, value in self._actors.actor_options.items() if name in names}
        return {**super().config, "num_actors": len(self._actors.actors), **chosen, "direct": self.is_direct}

    @property
    def is_direct(self) -> bool:
        """Whether this process calls actors over its own connections, not by Ray's calls."""
        return self._actors.is_direct

    def _reset_envs(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: Any) -> Any:
        arguments = ResetArguments(len(self), env_id, seed, options)
        own = arguments.options
        if own:
            # A local pool validates the options before any request is sent, because an actor sees its own environments
            # only. If reset options do not differ, it has one environment for each task and combination of options.
            differ = any(is_series(value) and any(map(is_series, value)) for value in own.values())
            env_ids = arguments.ids()
            if env_ids and all(0 <= each < len(self) for each in env_ids):  # others are refused below
                env_ids = env_ids if differ else self._spec.distinct_envs(env_ids)
                local = self._spec.for_envs(env_ids, **_LOCAL_OPTIONS)
                _core.Pool(local.pool, "gymnasium").reset_envs(options=own)
        return super()._reset_envs(env_id, seed, options, **how)

    def draw_pictures(
        self, env_ids: Any, width: int, height: int, camera: int | None = None, depth: bool = False
    ) -> Any:
        """Renders copies of environments (``None``: all) in this process; returns frames ``(n, height, width, 3)``."""
        pool, ids = self._local_copy(env_ids)
        return pool.draw_pictures(ids, width, height, camera, depth)

    def draw_texts(self, env_ids: Any = None) -> list[str]:
        """Renders environments (``None``: all) as strings, in this process from copies of their states."""
        pool, ids = self._local_copy(env_ids)
        return pool.draw_texts(ids)

    def _set_options(self, options: dict[str, Any], env_ids: Any = None) -> None:
        with self._changed_copy(env_ids) as (pool, ids):
            pool._set_options(options, ids)

    def _get_options(self, env_ids: Any = None) -> dict[str, list[Any]]:
        pool, ids = self._local_copy(env_ids)
        return pool._get_options(ids)

    def _queue_resets(self, env_ids: Any, seeds: Any, options: dict[str, Any] | None) -> None:
        given = np.arange(len(self)) if env_ids is None else np.atleast_1d(np.asarray(env_ids))
        distinct, positions = np.unique(given, return_inverse=True)
        with self._changed_copy(distinct) as (pool, ids):
            pool._queue_resets(ids[positions], seeds, options)

    def _queued_resets(self, env_ids: Any = None) -> list[int]:
        pool, ids = self._local_copy(env_ids)
        return pool._queued_resets(ids)

    def _clear_resets(self, env_ids: Any = None) -> None:
        with self._changed_copy(env_ids) as (pool, ids):
            pool._clear_resets(ids)

    @contextmanager
    def _changed_copy(self, env_ids: Any) -> Iterator[tuple[_core.Pool, npt.NDArray[np.int64]]]:
        """Loads copies of environments, which the caller changes in a local pool, back into the environments."""
        pool, ids = self._local_copy(env_ids)
        yield pool, ids
        self._set_changed_state(pool.get_state(ids), env_ids)

    def _local_copy(self, env_ids: Any) -> tuple[_core.Pool, npt.NDArray[np.int64]]:
        """Returns a local pool with copies of some environments' states, and the copies' ids."""
        states = self.get_state(env_ids)
        env_ids = range(len(states)) if env_ids is None else [int(env_id) for env_id in env_ids]
        pool = _core.Pool(self._spec.for_envs(env_ids or [0], **_LOCAL_OPTIONS).pool, "gymnasium")
        ids = np.arange(len(states))
        pool.set_state(states, ids)
        return pool, ids

    @property
    def np_random(self) -> NoReturn:
        """Raises an AttributeError: the generators are in the actors, where numpy's ``Generator`` has no access."""
        raise AttributeError("np_random: the generators live in the actors; seed them with reset(seed=...)")

    def xla(self) -> Any:
        return EnvPoolMixin.xla(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in actors")


class GymnasiumRayPool(RayPool, GymnasiumEnvPool[Any]):  # type: ignore[misc, override]
    """Pool on a cluster with EnvPool's gymnasium interface, as :class:`envpool_rs.pools.GymnasiumEnvPool`."""


class VectorRayPool(RayPool, VectorEnv[Any]):  # type: ignore[misc]
    """Pool on a cluster with gymnasium's vector interface, as :class:`envpool_rs.pools.VectorEnv`."""
