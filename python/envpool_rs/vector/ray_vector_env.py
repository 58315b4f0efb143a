"""Vector environments whose environments run in Ray actors, or in worker processes of the actors."""

from __future__ import annotations

import math
import os
import pickle
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from envpool_rs._arguments import MAKES, flag, functions, is_series
from envpool_rs._core import Losses
from envpool_rs._nested import map_leaves
from envpool_rs._workers import EnvFailure, WorkerDied
from envpool_rs._workers.hosted_envs import seed_environment
from envpool_rs._workers.serialization import exception_bytes
from envpool_rs.ray.actors import ActorGroup, split_evenly
from envpool_rs.ray.calls import ActorDied
from envpool_rs.ray.cluster import check_cpus, check_room, connect, death_errors, import_ray, max_actors
from envpool_rs.ray.direct import ActorMethods
from envpool_rs.vector.base_vector_env import BaseVectorEnv
from envpool_rs.vector.env_worker import Arguments, BackendEnvWorker, DummyEnvWorker, EnvBackend, LocalFailure
from envpool_rs.vector.results import StepBatch, Taken, batch_steps, concatenate_batches, reorder_rows
from envpool_rs.vector.subproc_vector_env import SubprocEnvWorker, SubprocVectorEnv

_WORD = (1 << 64) - 1
"""Mask of the engine's seeds: environments' may be negative or longer than unsigned integers of 64 bits."""


@dataclass(eq=False)
class ActorRequest:
    """A request to an actor."""

    actor: int
    ids: list[int]
    is_reset: bool
    arguments: tuple[Any, ...]
    call: Any  # None if the call is made when its reply is taken
    restarts: int  # of the actor, when the request was sent
    reply: Any = None  # a `StepBatch` or a list; None until it was taken

    def reply_of(self, env_id: int) -> Any:
        """Returns the part of an actor's reply that belongs to one environment."""
        self.reply = rows_of(self.reply)
        return self.reply[self.ids.index(env_id)]


def select_actions(actions: Any, positions: list[int]) -> Any:
    """Returns the actions at the given indices, as an array or a list."""
    if len(positions) == len(actions) and positions == list(range(len(actions))):
        return actions
    return actions[positions] if isinstance(actions, np.ndarray) else [actions[position] for position in positions]


def after_restart(reply: Any, *, is_reset: bool) -> Any:
    """Returns the reply to a request that was lost: from the reply to the reset of a restarted environment."""
    # The row of a lost step is the first observation of a new episode, with reward 0 and truncated set.
    if isinstance(reply, EnvFailure):
        return reply
    return reply._replace(truncated=not is_reset, info={**reply.info, "restarted": True})


def rows_of(reply: Any) -> list[Any]:
    """Returns the single results in the reply of an actor."""
    return reply.rows() if isinstance(reply, StepBatch) else reply


def writable_batch(batch: StepBatch) -> StepBatch:
    """Returns a batch with writable arrays: arrays from Ray are read-only."""
    if batch.rewards.flags.writeable:
        return batch
    return StepBatch(
        map_leaves(np.copy, batch.observations),
        batch.rewards.copy(),
        batch.terminated.copy(),
        batch.truncated.copy(),
        batch.four_values.copy(),
        batch.infos,
    )


class ActorVectorEnv(ActorMethods):
    """Vector environment inside an actor's process, which runs the driver's requests."""

    # Environment ids are those of the driver, which are unique among all actors.

    def __init__(
        self, first: int, env_fns: Sequence[bytes], sub_worker_fn: bytes, no_warning: bool, restart: bool
    ) -> None:
        """Stores the arguments; `make` makes the environments."""
        self._first = first
        self._all = list(range(first, first + len(env_fns)))
        self._env_fns = env_fns
        self._sub_worker_fn = sub_worker_fn
        self._no_warning, self._restart = no_warning, restart
        super().__init__({name: getattr(self, name) for name in ("steps", "resets", "ask", "close")})

    def make(self) -> list[Any]:
        """Makes the environments."""
        try:
            env_fns = [pickle.loads(each) for each in self._env_fns]
            self._vector = _vector(env_fns, pickle.loads(self._sub_worker_fn), self._no_warning, self._restart)
        except Exception as error:
            return [self._failure_of_all("make", error)]
        self._executor = self._vector._executor
        return list(self._executor.observation_spaces)

    def steps(self, ids: Sequence[int] | None, actions: Any) -> Taken:
        """Steps each environment."""
        ids = self._all if ids is None else ids
        self._executor.send_steps(self._local(ids), actions)
        taken = self._taken(ids, is_reset=False)
        if isinstance(taken, StepBatch):
            for env_id, info in zip(ids, taken.infos, strict=True):
                info["env_id"] = env_id
        return taken

    def resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, keywords: Mapping[str, Any]) -> Taken:
        """Resets environments."""
        self._executor.send_resets(self._local(ids), seeds, **keywords)
        return self._taken(ids, is_reset=True)

    def _taken(self, ids: Sequence[int], *, is_reset: bool) -> Taken:
        local = self._local(ids)
        self._executor.wait_all(local)
        taken = self._executor.take(local, is_reset=is_reset)
        if isinstance(taken, StepBatch):
            return taken
        rows = self._described(taken)
        if any(isinstance(each, EnvFailure) for each in rows):
            return rows
        return batch_steps(rows, self._executor.observation_spaces[local[0]])

    def ask(self, ids: Sequence[int], function: Callable[..., Any], arguments: Arguments) -> list[Any]:
        """Runs `EnvBackend.apply`; returns its value for each environment, or a failure."""
        local = self._local(ids)
        if function is seed_environment:
            self._executor.record_seeds(local, [seed for (seed,) in arguments])
        return self._described(self._executor.apply(local, function, arguments))

    def close(self) -> Any:
        """Closes the environments; returns ``None`` or a failure."""
        try:
            self._vector.close()
        except Exception as error:
            return self._failure_of_all("close", error)
        return None

    def _failure_of_all(self, operation: str, error: Exception) -> EnvFailure:
        """Returns the failure of an operation on all environments, for the environment that the error names."""
        env_id = getattr(error, "env_id", 0)
        _renumber(error, env_id, env_id + self._first)
        return EnvFailure.of(env_id + self._first, operation, error)

    def _local(self, ids: Sequence[int]) -> list[int]:
        return [env_id - self._first for env_id in ids]

    def _described(self, values: Sequence[Any]) -> list[Any]:
        """Returns the values, with failures replaced by picklable ones that contain the driver's ids."""
        return [self._failure(each) if isinstance(each, EnvFailure) else each for each in values]

    def _failure(self, failure: EnvFailure) -> EnvFailure:
        env_id, error = failure.env_id + self._first, failure.exception
        if isinstance(failure, LocalFailure):
            _renumber(error, failure.env_id, env_id)
            return EnvFailure.of(env_id, failure.operation, error)
        if isinstance(error, WorkerDied):
            error = WorkerDied(f"{error} (counted within an actor whose environments begin at {self._first})")
        _renumber(error, failure.env_id, env_id)
        described = (exception_bytes(error), type(error).__name__, str(error))
        return EnvFailure(env_id, failure.operation, *described, failure.traceback)


def _vector(env_fns: list[Callable[[], Any]], sub_worker_fn: Any, no_warning: bool, restart: bool) -> BaseVectorEnv:
    if sub_worker_fn is SubprocEnvWorker:
        # Processes are spawned instead of forked, because the threads of Ray's process would not exist in a fork.
        return SubprocVectorEnv(env_fns, no_warning=no_warning, context="spawn", restart=restart)
    if sub_worker_fn is DummyEnvWorker:
        # `num_workers=0` hosts the environments in this process, by the worker group's host instead of
        # `DummyVectorEnv`: the host runs the same loop in two thirds of the time.
        return SubprocVectorEnv(env_fns, no_warning=no_warning, num_workers=0, caller_steps=True)
    return BaseVectorEnv(env_fns, sub_worker_fn, no_warning=no_warning)


def _renumber(error: BaseException, local: int, env_id: int) -> None:
    """Replaces the environment's number at the start of an error's message: the actor's number by the driver's."""
    name = f"environment {local}: "
    if error.args and isinstance(error.args[0], str) and error.args[0].startswith(name):
        error.args = (f"environment {env_id}: " + error.args[0].removeprefix(name), *error.args[1:])


_ADVICE = "recreate them"


class RayBackend:
    """Backend of environments in the actors of a Ray cluster."""

    # One call to an actor serves all its environments. In asynchronous mode each environment has its own call, and an
    # actor runs these calls one after the other.

    def __init__(
        self,
        group: ActorGroup,
        env_fns: Sequence[Sequence[bytes]],
        sub_worker_fn: bytes,
        *,
        one_by_one: bool,
        restart: bool,
        no_warning: bool,
        direct: bool,
    ) -> None:
        """Starts the actors of an empty group, and makes the environments there."""
        self._group = group
        self._one_by_one = one_by_one
        starts = np.cumsum([0, *map(len, env_fns)]).tolist()
        self.lists = [list(range(*each)) for each in pairwise(starts)]
        self._arguments = [
            (first, part, sub_worker_fn, no_warning, restart) for first, part in zip(starts, env_fns, strict=False)
        ]
        self._actor_of = [actor for actor, ids in enumerate(self.lists) for _ in ids]
        self._requests: dict[int, ActorRequest] = {}
        self._arrived: dict[int, None] = {}
        # The engine's recovery policy, for requests that the engine does not record.
        self._recovery = Losses(len(self._actor_of), restart=restart)
        self._restarts = [0] * len(env_fns)
        self._dead: dict[int, ActorDied] = {}
        self.observation_spaces = [space for part in group.start(self._arguments, direct) for space in part]
        for space in self.observation_spaces:
            if isinstance(space, EnvFailure):
                group.close()
                raise space.raised()
        self.is_direct = group.is_direct

    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        for actor, positions in self._division(ids):
            chosen = [ids[position] for position in positions]
            self._send(actor, chosen, False, (select_actions(actions, positions),))

    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, /, **keywords: Any) -> None:
        self.record_seeds(ids, seeds or [None] * len(ids))
        for actor, positions in self._division(ids):
            own = None if seeds is None else [seeds[position] for position in positions]
            self._send(actor, [ids[position] for position in positions], True, (own, keywords))

    def _call_actor(self, request: ActorRequest) -> Any:
        if request.is_reset:
            return self._group.calls.call(request.actor, "resets", request.ids, *request.arguments)
        ids = None if request.ids == self.lists[request.actor] else request.ids
        return self._group.calls.call(request.actor, "steps", ids, *request.arguments)

    def _division(self, ids: Sequence[int]) -> list[tuple[int, list[int]]]:
        if self._one_by_one:
            return [(self._actor_of[env_id], [position]) for position, env_id in enumerate(ids)]
        positions: dict[int, list[int]] = {}
        for position, env_id in enumerate(ids):
            positions.setdefault(self._actor_of[env_id], []).append(position)
        return list(positions.items())

    def _send(self, actor: int, ids: list[int], is_reset: bool, arguments: tuple[Any, ...]) -> None:
        self._check_connected(roughly=self.is_direct)
        request = ActorRequest(actor, ids, is_reset, arguments, None, self._restarts[actor])
        owing = self._recovery.is_any_owing and self._recovery.owing(ids)
        if actor not in self._dead and not owing:
            request.call = self._call_actor(request)
        self._requests.update(dict.fromkeys(ids, request))

    def wait_all(self, ids: Sequence[int]) -> None:
        pass

    def wait_some(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        if timeout is None and count == len(ids):
            return list(ids)
        wanted = set(ids)
        end = None if timeout is None else time.monotonic() + timeout
        self._record_completed(ids, 0, 0.0)
        while (finished := len(wanted & self._arrived.keys())) < count:
            left = None if end is None else max(0.0, end - time.monotonic())
            if left == 0.0 and finished:
                break
            self._record_completed(ids, 1, left or None)
        return [env_id for env_id in self._arrived if env_id in wanted]

    def _record_completed(self, ids: Sequence[int], at_least: int, timeout: float | None) -> None:
        """Records which environments have replied, in order of completion as far as Ray reports it."""
        requests = self._requests_of([env_id for env_id in ids if env_id not in self._arrived])
        calls = {request.call: request for request in requests if request.call is not None}
        for request in requests:
            if request.call is None:
                self._arrived.update(dict.fromkeys(request.ids))
        if calls:
            for call in self._group.calls.answered(list(calls), at_least, timeout):
                self._arrived.update(dict.fromkeys(calls[call].ids))

    def _requests_of(self, ids: Sequence[int]) -> list[ActorRequest]:
        return list(dict.fromkeys(self._requests[env_id] for env_id in ids))

    def take(self, ids: Sequence[int], *, is_reset: bool = False) -> Taken:
        requests = self._fetch(ids)
        batches = [request.reply for request in requests if isinstance(request.reply, StepBatch)]
        answered = [env_id for request in requests for env_id in request.ids]
        whole = len(batches) == len(requests) and len(answered) == len(ids)
        batch = concatenate_batches(batches) if whole and batches else None
        rows = [] if batch else [self._requests[env_id].reply_of(env_id) for env_id in ids]
        self._forget(ids)
        if batch is None:
            return rows
        if answered == list(ids):
            return batch if len(batches) > 1 else writable_batch(batch)
        position = {env_id: row for row, env_id in enumerate(answered)}
        return reorder_rows(batch, [position[env_id] for env_id in ids])

    def discard(self, ids: Sequence[int]) -> None:
        pending = [env_id for env_id in ids if env_id in self._requests]
        self._fetch(pending)
        self._forget(pending)

    def _forget(self, ids: Sequence[int]) -> None:
        for env_id in ids:
            self._requests.pop(env_id, None)
            self._arrived.pop(env_id, None)

    def _fetch(self, ids: Sequence[int]) -> list[ActorRequest]:
        """Returns the requests of these environments, with their replies."""
        requests = self._requests_of(ids)
        missing = [request for request in requests if request.reply is None]
        try:
            calls = [request.call for request in missing]
            answers = self._group.calls.answers(calls) if None not in calls else None
        except self._group.calls.deaths:
            answers = None
        if answers is None:
            for request in missing:
                request.reply = self._answer(request)
        else:
            for request, answer in zip(missing, answers, strict=True):
                request.reply = answer
                if self._recovery.is_unproven:
                    self._recovery.note_answers(request.ids)
        return requests

    def _answer(self, request: ActorRequest) -> Any:
        """Waits for the reply to a request; if the actor was lost, recovers and returns the reply of the recovery
        policy.
        """
        while request.actor not in self._dead:
            try:
                answer = (
                    self._recovered_reply(request)
                    if request.call is None
                    else self._group.calls.answers([request.call])[0]
                )
                self._recovery.note_answers(request.ids)
                return answer
            except self._group.calls.deaths as error:
                # Requests to one actor that were lost together count as one loss, so the actor is restarted only for
                # the first of them.
                if request.restarts == self._restarts[request.actor]:
                    self._handle_loss(request.actor, error)
                request.call, request.restarts = None, self._restarts[request.actor]
        operation = "reset" if request.is_reset else "step"
        died = self._dead[request.actor]
        return [LocalFailure(env_id, operation, died.again()) for env_id in request.ids]

    def _check_connected(self, roughly: bool = False) -> None:
        if not self._group.is_connected(roughly):
            raise RuntimeError("Ray was shut down: the environments are lost; recreate them")

    def _handle_loss(self, actor: int, error: BaseException) -> None:
        """Restarts a lost actor if restarts are enabled and it has replied since its last restart; otherwise marks it
        as lost.
        """
        self._check_connected()
        losses = self._recovery.note_loss(actor, self.lists[actor])
        if losses:
            self._dead[actor] = self._death(actor, error, losses)
            return
        failures: tuple[type[BaseException], ...] = (RuntimeError, *death_errors(import_ray()))
        try:
            self._group.restart(actor, self._arguments[actor])
            spaces = self._group.wait_for_restart(actor)
        except failures as again:
            self._dead[actor] = self._death(actor, error)
            self._dead[actor].__cause__ = again
            return
        if any(isinstance(space, EnvFailure) for space in spaces):
            self._dead[actor] = self._death(actor, error)
        else:
            self._restarts[actor] += 1

    def _death(self, actor: int, error: BaseException, losses: int = 1) -> ActorDied:
        ids = self.lists[actor]
        return ActorDied.of(actor, range(ids[0], ids[-1] + 1), error, losses, _ADVICE)

    def _recovered_reply(self, request: ActorRequest) -> list[Any]:
        """Returns the reply to a request after its actor was restarted."""
        restarted = self._recovery.owing(request.ids)
        if request.is_reset:
            seeds, keywords = request.arguments
            reset, results = request.ids, {}
        else:
            seeds, keywords = None, {}
            reset, results = restarted, self._steps_of_others(request, restarted)
        if restarted:
            # A new episode without a seed of the caller derives it from the last seed, if there is one, and the number
            # of losses.
            seeds = [
                self._recovery.next_seed(env_id) if seed is None and env_id in restarted else seed
                for env_id, seed in zip(reset, seeds or [None] * len(reset), strict=True)
            ]
        for env_id, reply in zip(
            reset, rows_of(self._call_now(request.actor, "resets", reset, seeds, keywords)), strict=True
        ):
            results[env_id] = after_restart(reply, is_reset=request.is_reset) if env_id in restarted else reply
        self._recovery.set_owing(restarted, False)
        return [results[env_id] for env_id in request.ids]

    def _steps_of_others(self, request: ActorRequest, restarted: list[int]) -> dict[int, Any]:
        positions = [position for position, env_id in enumerate(request.ids) if env_id not in restarted]
        if not positions:
            return {}
        others = [request.ids[position] for position in positions]
        reply = self._call_now(request.actor, "steps", others, select_actions(request.arguments[0], positions))
        return dict(zip(others, rows_of(reply), strict=True))

    def _call_now(self, actor: int, method: str, *arguments: Any) -> Any:
        return self._group.calls.answers([self._group.calls.call(actor, method, *arguments)])[0]

    def record_seeds(self, ids: Sequence[int], seeds: Sequence[int | None]) -> None:
        for env_id, seed in zip(ids, seeds, strict=True):
            if seed is not None:
                self._recovery.note_seed(env_id, abs(int(seed)) & _WORD)

    def apply(self, ids: Sequence[int], function: Callable[..., Any], arguments: Arguments) -> list[Any]:
        self._check_connected()
        values: list[Any] = [None] * len(ids)
        pending = []
        for actor, positions in self._division(ids):
            chosen, own = [ids[position] for position in positions], [arguments[position] for position in positions]
            pending.append((actor, positions, chosen, self._group.calls.call(actor, "ask", chosen, function, own)))
        for actor, positions, chosen, call in pending:
            for position, value in zip(positions, self._asked(actor, function.__name__, chosen, call), strict=True):
                values[position] = value
        return values

    def _asked(self, actor: int, operation: str, ids: Sequence[int], call: Any) -> Any:
        try:
            return self._group.calls.answers([call])[0]
        except self._group.calls.deaths as error:
            if actor not in self._dead:
                self._handle_loss(actor, error)
            died = self._death(actor, error)
            return [LocalFailure(env_id, operation, died.again()) for env_id in ids]

    def close(self) -> None:
        failures = []
        if self._group.is_connected():
            for call in [self._group.calls.call(actor, "close") for actor in range(len(self.lists))]:
                try:
                    failures.append(self._group.calls.answers([call])[0])
                except self._group.calls.deaths:
                    continue
        self._group.close()
        for failure in failures:
            if failure is not None:
                raise failure.raised()


_MAX_PATH_LENGTH = 40
"""Maximum length of Ray's folder: paths of Ray's sockets are some 60 characters longer, and must have fewer than 107
characters.
"""


class RayVectorEnv(BaseVectorEnv):
    """Environments in the actors of a Ray cluster; each actor hosts several environments until `close`; Ray goes on.

    In asynchronous mode each environment has its own requests; environments of one actor are stepped one after the
    other.

    Attributes:
        num_actors: number of actors.
        is_direct: whether actors are called over this process's own connections.
    """

    num_actors: int
    is_direct: bool

    _default_sub_worker: Callable[..., Any] = DummyEnvWorker

    def __init__(
        self,
        env_fns: Iterable[Any],
        num_cpus: float | None = 1,
        num_gpus: float | None = 0,
        no_warning: bool = False,
        temp_ray_dir: str | os.PathLike[str] | None = None,
        num_cpu_per_worker: float = 1,
        num_gpu_per_worker: float = 0,
        *,
        sub_worker_fn: Callable[..., Any] | None = None,
        restart: bool = False,
        start_timeout: float = 60.0,
        ray_options: Mapping[str, Any] | None = None,
        direct: bool = True,
        **kwargs: Any,
    ) -> None:
        """Starts Ray, unless this process is connected to a cluster, and then the actors.

        Args:
            env_fns: functions that make one environment each; lambdas and closures too.
            num_cpus: CPUs for all actors together. The number of actors is ``floor(num_cpus / num_cpu_per_worker)``, at
                least one and at most one per environment. Ray is started with this number.
            num_gpus: GPUs that Ray is started with.
            no_warning: whether to silence warnings, including those of the environments.
            temp_ray_dir: the folder for Ray's files, if this process starts Ray; ``None`` selects Ray's default, in the
                system's temporary folder.
            num_cpu_per_worker: CPUs that Ray reserves for each actor.
            num_gpu_per_worker: GPUs that Ray reserves for each actor.
            sub_worker_fn: subclass of `EnvWorker` that makes the environments' workers within an actor.
            restart: whether a dead actor, or an actor's dead worker process, is restarted. Its environments start new
                episodes; the first row has ``info["restarted"]``, reward 0, and is truncated. If false, its
                environments are lost, and requests for them raise an error.
            start_timeout: seconds to wait for the actors to start.
            ray_options: further arguments for ``ray.init``.
            direct: whether actors are called over this process's own TCP connections, in a twentieth of the time of
                Ray's calls. For actors that cannot be reached by TCP (because of a firewall between nodes) and clusters
                with encrypted traffic, Ray's calls are used; `is_direct` reports which calls are used.
            kwargs: as for `BaseVectorEnv`.

        Raises:
            ImportError: if ray is missing or too old.
            ValueError: for a value that is not allowed, or more actors than the cluster has resources for.
            TypeError: for functions that cannot be pickled, naming them.
            Exception: an ``env_fn``'s exception, naming the environment.
        """
        cpus = check_cpus("num_cpus", 1 if num_cpus is None else num_cpus)
        gpus = check_cpus("num_gpus", 0 if num_gpus is None else num_gpus)
        self._ray_start = {"num_cpus": max(1, math.ceil(cpus)), "num_gpus": gpus, **(ray_options or {})}
        self._temp_ray_dir = temp_ray_dir
        self._num_cpus = cpus
        self._restart = bool(restart)
        self._direct = flag("direct", direct)
        self._start_timeout = check_cpus("start_timeout", start_timeout)
        super().__init__(
            self._flat(env_fns),
            RayEnvWorker,
            num_cpu_per_worker=check_cpus("num_cpu_per_worker", num_cpu_per_worker),
            num_gpu_per_worker=check_cpus("num_gpu_per_worker", num_gpu_per_worker),
            sub_worker_fn=self._default_sub_worker if sub_worker_fn is None else sub_worker_fn,
            no_warning=no_warning,
            **kwargs,
        )

    def _flat(self, env_fns: Any) -> Any:
        """Returns the functions as one flat list."""
        return env_fns

    def _sizes(self, count: int) -> list[int]:
        """Returns the number of environments of each of ``count`` actors."""
        return [len(each) for each in split_evenly(self._env_fns, count)]

    def _most_actors(self) -> int:
        """Returns the maximum number of actors: one per environment."""
        return len(self._env_fns)

    def _make_executor(self, offered: dict[str, Any]) -> EnvBackend:
        env_fns = _pickled(import_ray(), self._env_fns)
        quiet = bool(offered["no_warning"])
        ray = connect(_start_options(self._ray_start, self._temp_ray_dir))
        self.num_actors = self._count_actors(ray, quiet)
        remaining = iter(env_fns)
        resources = {"num_cpus": self.num_cpu_per_worker, "num_gpus": self.num_gpu_per_worker}
        executor = RayBackend(
            ActorGroup(ray, ActorVectorEnv, self._start_timeout, "make", **resources),
            [[next(remaining) for _ in range(size)] for size in self._sizes(self.num_actors)],
            ray.cloudpickle.dumps(self.sub_worker_fn),
            one_by_one=self.is_async,
            restart=self._restart,
            no_warning=quiet,
            direct=self._direct,
        )
        self.is_direct = executor.is_direct
        self.workers = [RayEnvWorker(executor, env_id, env_fn) for env_id, env_fn in enumerate(self._env_fns)]
        return executor

    def _count_actors(self, ray: Any, quiet: bool) -> int:
        each = self.num_cpu_per_worker
        num_actors = min(self._most_actors(), max(1, int(self._num_cpus // each) if each > 0 else int(self._num_cpus)))
        total = ray.cluster_resources().get("CPU", 0.0)
        available = max_actors(ray, each) if each > 0 else num_actors
        if num_actors > available and not quiet:
            warnings.warn(
                f"num_cpus={self._num_cpus:g} asks for {num_actors} actors of {each:g} CPUs: the cluster has {total:g} "
                f"CPUs, and {available} of them are made",
                RuntimeWarning,
                stacklevel=5,
            )
        count = min(num_actors, available)
        check_room(ray, count, each, self.num_gpu_per_worker)
        return count

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in actors")

    def close(self) -> None:
        try:
            super().close()
        finally:
            for worker in self.workers:
                worker.is_closed = True


def _pickled(ray: Any, env_fns: Sequence[Any]) -> list[bytes]:
    """Pickles the functions; functions that actors cannot import (lambdas, closures, a script's functions) by value."""
    pickled = []
    for index, function in enumerate(env_fns):
        try:
            pickled.append(ray.cloudpickle.dumps(function))
        except Exception as error:
            raise TypeError(f"env_fns[{index}]={function!r}: it cannot be pickled: {error}") from error
    return pickled


def _start_options(options: Mapping[str, Any], temp_ray_dir: Any) -> dict[str, Any]:
    """Returns the arguments for ``ray.init``."""
    if "address" in options or "RAY_ADDRESS" in os.environ:
        return {name: value for name, value in options.items() if name not in ("num_cpus", "num_gpus")}
    if temp_ray_dir is None:
        return dict(options)
    folder = Path(temp_ray_dir).absolute()
    if len(str(folder)) > _MAX_PATH_LENGTH:
        raise ValueError(
            f"temp_ray_dir={str(temp_ray_dir)!r}: its {len(str(folder))} characters are too many for Ray's sockets: "
            f"expected at most {_MAX_PATH_LENGTH}"
        )
    return {**options, "_temp_dir": str(folder)}


class RaySubprocVectorEnv(RayVectorEnv):
    """Environments in worker processes of the actors of a Ray cluster.

    Each actor runs a `SubprocVectorEnv` over its list of environments. Environment ids continue from one list to the
    next.
    """

    _default_sub_worker: Callable[..., Any] = SubprocEnvWorker

    def __init__(
        self,
        env_fns: Iterable[Sequence[Callable[[], Any]]],
        num_cpus: float | None,
        num_gpus: float | None = 0,
        no_warning: bool = False,
        temp_ray_dir: str | os.PathLike[str] | None = None,
        num_cpu_per_worker: float = 1,
        num_gpu_per_worker: float = 0,
        **kwargs: Any,
    ) -> None:
        """Starts Ray, unless this process is connected to a cluster, and then the actors and their processes.

        ``env_fns`` has a list of functions for each actor, of any length; an actor takes several lists if there are
        fewer actors than lists. The other arguments and the exceptions are those of `RayVectorEnv`;
        ``sub_worker_fn=DummyEnvWorker`` steps the environments in the actors' own processes.
        """
        super().__init__(
            env_fns, num_cpus, num_gpus, no_warning, temp_ray_dir, num_cpu_per_worker, num_gpu_per_worker, **kwargs
        )

    def _flat(self, env_fns: Any) -> Any:
        if not is_series(env_fns):
            raise TypeError(f"env_fns={env_fns!r}: expected a list of lists of functions, each of which {MAKES}")
        self._env_lists = [functions(f"env_fns[{index}]", each, MAKES) for index, each in enumerate(env_fns)]
        return [function for each in self._env_lists for function in each]

    def _most_actors(self) -> int:
        return len(self._env_lists)

    def _sizes(self, count: int) -> list[int]:
        return [sum(map(len, part)) for part in split_evenly(self._env_lists, count)]


class RayEnvWorker(BackendEnvWorker):
    """Worker for one environment in a Ray actor; made by `RayVectorEnv` or `RaySubprocVectorEnv`."""

    def __init__(self, executor: RayBackend, env_id: int, env_fn: Callable[[], Any]) -> None:
        """Creates the worker of environment ``env_id`` of a backend."""
        super().__init__(env_fn)
        self._executor, self._env_id = executor, env_id

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        by_id = {worker._env_id: worker for worker in workers}
        ready = workers[0]._executor.wait(list(by_id), min(wait_num, len(by_id)), timeout)
        return [by_id[env_id] for env_id in ready]

    def close_env(self) -> None:
        pass
