"""Vector environments whose environments run in Ray actors, or in worker processes of the actors."""

from __future__ import annotations

import math
import os
import pickle
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from envpool_rs._arguments import MAKES, flag, functions, is_series
from envpool_rs._core import Losses
from envpool_rs._workers import EnvFailure, WorkerDied, hosted_envs
from envpool_rs._workers.worker_process import without_failures
from envpool_rs.ray import actors
from envpool_rs.vector import env_worker
from envpool_rs.vector.base_vector_env import BaseVectorEnv, SubprocVectorEnv
from envpool_rs.vector.env_worker import BackendEnvWorker, DummyEnvWorker, StepBatch, SubprocEnvWorker, Taken


def select_actions(actions: Any, positions: list[int]) -> Any:
    """Returns the actions at the given indices, as an array or a list."""
    if len(positions) == len(actions) and positions == list(range(len(actions))):
        return actions
    return actions[positions] if isinstance(actions, np.ndarray) else [actions[position] for position in positions]


def rows_of(reply: Any) -> list[Any]:
    """Returns the single results in the reply of an actor."""
    return reply.rows() if isinstance(reply, StepBatch) else reply


class ActorVectorEnv(actors.ActorMethods):
    """Vector environment inside an actor's process, which runs the driver's requests."""

    # Environment ids are those of the driver, which are unique among all actors.

    def __init__(
        self,
        first: int,
        env_fns: Sequence[bytes],
        sub_worker_fn: bytes,
        no_warning: bool,
        restart: bool,
        owed: Mapping[int, int | None] | None = None,
    ) -> None:
        """Stores the arguments; ``owed`` has seeds of a lost actor's environments, which the next request resets."""
        self._first = first
        self._all = list(range(first, first + len(env_fns)))
        self._env_fns, self._sub_worker_fn = env_fns, sub_worker_fn
        self._no_warning, self._restart = no_warning, restart
        self._owed = dict(owed or {})
        super().__init__({name: getattr(self, name) for name in ("steps", "resets", "ask", "close")})

    def make(self) -> list[Any]:
        try:
            env_fns, kind = [pickle.loads(each) for each in self._env_fns], pickle.loads(self._sub_worker_fn)
            if kind is SubprocEnvWorker:
                # Processes are spawned instead of forked: the threads of Ray's process would not exist in a fork.
                options: dict[str, Any] = {"context": "spawn", "restart": self._restart}
            elif kind is DummyEnvWorker:
                # `num_workers=0` hosts the environments in this process, by the worker group's host instead of
                # `DummyVectorEnv`: the host runs the same loop in two thirds of the time.
                options = {"num_workers": 0, "caller_steps": True}
            else:
                options = {"worker_fn": kind}
            make = BaseVectorEnv if "worker_fn" in options else SubprocVectorEnv
            self._vector = make(env_fns, no_warning=self._no_warning, **options)
        except Exception as error:
            return [self._failure_of_all("make", error)]
        self._executor = self._vector._executor
        return list(self._executor.observation_spaces)

    def steps(self, ids: Sequence[int] | None, actions: Any) -> Taken:
        """Steps each environment; those that a restart has lost are reset instead."""
        ids = self._all if ids is None else ids
        owed = [env_id for env_id in ids if env_id in self._owed] if self._owed else []
        if not owed:
            taken = self._steps(ids, actions)
        else:
            # The row of a lost step is the first observation of a new episode, with reward 0 and truncated set.
            rows = {
                env_id: row if isinstance(row, EnvFailure) else row._replace(truncated=True)
                for env_id, row in zip(owed, rows_of(self.resets(owed, None, {})), strict=True)
            }
            others = [env_id for env_id in ids if env_id not in rows]
            if others:
                chosen = select_actions(actions, [row for row, env_id in enumerate(ids) if env_id not in rows])
                rows.update(zip(others, rows_of(self._steps(others, chosen)), strict=True))
            taken = self._batched(ids, [rows[env_id] for env_id in ids])
        if isinstance(taken, StepBatch):
            for env_id, info in zip(ids, taken.infos, strict=True):
                info["env_id"] = env_id
        return taken

    def _steps(self, ids: Sequence[int], actions: Any) -> Taken:
        self._executor.send_steps(self._local(ids), actions)
        return self._taken(ids, is_reset=False)

    def resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, keywords: Mapping[str, Any]) -> Taken:
        restarted = self._owed.keys() & ids
        if restarted:
            seeds = [
                self._owed.pop(env_id, None) if seed is None else seed
                for env_id, seed in zip(ids, seeds or [None] * len(ids), strict=True)
            ]
        self._executor.send_resets(self._local(ids), seeds, **keywords)
        taken = self._taken(ids, is_reset=True)
        for env_id, row in zip(ids, rows_of(taken), strict=True) if restarted else ():
            self._owed.pop(env_id, None)
            if env_id in restarted and not isinstance(row, EnvFailure):
                row.info["restarted"] = True
        return taken

    def _taken(self, ids: Sequence[int], *, is_reset: bool) -> Taken:
        taken = self._executor.take(self._local(ids), is_reset=is_reset)
        return taken if isinstance(taken, StepBatch) else self._batched(ids, self._described(taken))

    def _batched(self, ids: Sequence[int], rows: list[Any]) -> Taken:
        if any(isinstance(each, EnvFailure) for each in rows):
            return rows
        return env_worker.batch_steps(rows, self._executor.observation_spaces[ids[0] - self._first])

    def ask(self, ids: Sequence[int], function: Callable[..., Any], arguments: env_worker.Arguments) -> list[Any]:
        """Runs `EnvBackend.apply`; returns its value for each environment, or a failure."""
        local = self._local(ids)
        if function is hosted_envs.seed:
            seeds = [seed for (seed,) in arguments]
            self._executor.record_seeds(local, seeds)
            self._owed.update((env_id, seed) for env_id, seed in zip(ids, seeds, strict=True) if env_id in self._owed)
        return self._described(self._executor.apply(local, function, arguments))

    def close(self) -> Any:
        """Closes the environments; returns ``None`` or a failure."""
        try:
            self._vector.close()
        except Exception as error:
            return self._failure_of_all("close", error)
        return None

    def _local(self, ids: Sequence[int]) -> list[int]:
        return [env_id - self._first for env_id in ids]

    def _failure_of_all(self, operation: str, error: Exception) -> EnvFailure:
        """Returns the failure of an operation on all environments, for the environment that the error names."""
        failure = env_worker.LocalFailure(getattr(error, "env_id", 0), operation, error)
        described: EnvFailure = self._described([failure])[0]
        return described

    def _described(self, values: Sequence[Any]) -> list[Any]:
        """Returns the values, with failures replaced by picklable ones that contain the driver's ids."""
        described = list(values)
        for index, failure in enumerate(values):
            if not isinstance(failure, EnvFailure):
                continue
            error = failure.exception
            if isinstance(error, WorkerDied):
                error = WorkerDied(f"{error} (counted within an actor whose environments begin at {self._first})")
            env_id, local = failure.env_id + self._first, f"environment {failure.env_id}: "
            if error.args and isinstance(error.args[0], str) and error.args[0].startswith(local):
                error.args = (f"environment {env_id}: {error.args[0].removeprefix(local)}", *error.args[1:])
            described[index] = EnvFailure.of(env_id, failure.operation, error)
            described[index].traceback = failure.traceback or described[index].traceback
        return described


@dataclass(eq=False)
class ActorRequest:
    """A request to an actor."""

    actor: int
    ids: list[int]
    method: str  # "steps" or "resets"
    arguments: tuple[Any, ...]
    restarts: int = -1  # of the actor, when the request was sent
    call: Any = None  # None if the actor was lost before
    reply: Any = None  # a `StepBatch` or a list; None until it was taken


class RayBackend:
    """Backend of environments in the actors of a Ray cluster."""

    # One call to an actor serves all its environments. In asynchronous mode each environment has its own call, and an
    # actor runs these calls one after the other.

    def __init__(
        self,
        group: actors.ActorGroup,
        env_fns: Sequence[Sequence[bytes]],
        *options: Any,
        one_by_one: bool,
        restart: bool,
        direct: bool,
    ) -> None:
        """Starts an empty group's actors, with ``options`` for their constructor, and makes the environments there."""
        self._group = group
        self._one_by_one = one_by_one
        starts = np.cumsum([0, *map(len, env_fns)]).tolist()
        self.lists = [list(range(*each)) for each in pairwise(starts)]
        self._arguments = [(first, part, *options, restart) for first, part in zip(starts, env_fns, strict=False)]
        self._actor_of = [actor for actor, ids in enumerate(self.lists) for _ in ids]
        self._requests: dict[int, ActorRequest] = {}
        # The engine's recovery policy, for requests that the engine does not record.
        self._recovery = Losses(len(self._actor_of), restart=restart)
        self._restarts = [0] * len(env_fns)
        self._dead: dict[int, actors.ActorDied] = {}
        self.observation_spaces = [space for part in group.start(self._arguments, direct) for space in part]
        for space in self.observation_spaces:
            if isinstance(space, EnvFailure):
                group.close()
                raise space.raised()
        self.is_direct = group.is_direct

    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        for actor, positions in self._division(ids):
            self._send(actor, [ids[each] for each in positions], "steps", select_actions(actions, positions))

    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, /, **keywords: Any) -> None:
        self.record_seeds(ids, seeds or [None] * len(ids))
        for actor, positions in self._division(ids):
            own = None if seeds is None else [seeds[each] for each in positions]
            self._send(actor, [ids[each] for each in positions], "resets", own, keywords)

    def _division(self, ids: Sequence[int]) -> list[tuple[int, list[int]]]:
        """Returns the actor of each request, and the positions of the request's environments in ``ids``."""
        if self._one_by_one:
            return [(self._actor_of[env_id], [position]) for position, env_id in enumerate(ids)]
        positions: dict[int, list[int]] = {}
        for position, env_id in enumerate(ids):
            positions.setdefault(self._actor_of[env_id], []).append(position)
        return list(positions.items())

    def _send(self, actor: int, ids: list[int], method: str, *arguments: Any) -> None:
        self._check_connected(roughly=self._group.is_direct)
        request = ActorRequest(actor, ids, method, arguments)
        if actor not in self._dead:
            self._call(request)
        self._requests.update(dict.fromkeys(ids, request))

    def _call(self, request: ActorRequest) -> None:
        whole = request.method == "steps" and request.ids == self.lists[request.actor]
        request.restarts = self._restarts[request.actor]
        ids = None if whole else request.ids
        request.call = self._group.call(request.actor, request.method, ids, *request.arguments)

    def wait_some(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        if timeout is None and count == len(ids):
            return list(ids)
        requests = self._requests_of(ids)
        calls = {request.call: request.ids for request in requests if request.call is not None}
        over = [env_id for request in requests if request.call is None for env_id in request.ids]
        if calls:
            if len(over) < count:
                self._group.answered(list(calls), min(count - len(over), len(calls)), timeout)
            answered = self._group.answered(list(calls), 0, 0.0)  # also those that have finished meanwhile
            if not (over or answered):
                answered = self._group.answered(list(calls), 1, None)
            over += [env_id for call in answered for env_id in calls[call]]
        wanted = set(ids)
        return [env_id for env_id in over if env_id in wanted]

    def _requests_of(self, ids: Sequence[int]) -> list[ActorRequest]:
        return list(dict.fromkeys(self._requests[env_id] for env_id in ids))

    def take(self, ids: Sequence[int], replies: list[Any] | None = None, *, is_reset: bool = False) -> Taken:
        requests = self._fetch(ids)
        batches = [request.reply for request in requests if isinstance(request.reply, StepBatch)]
        answered = [env_id for request in requests for env_id in request.ids]
        taken: Taken | None = None
        if batches and len(batches) == len(requests) and len(answered) == len(ids):
            position = {env_id: row for row, env_id in enumerate(answered)}
            order = None if answered == list(ids) else [position[env_id] for env_id in ids]
            taken = env_worker.merge_batches(batches, order)
        if taken is None:
            for request in requests:
                request.reply = rows_of(request.reply)
            own = [(env_id, self._requests[env_id]) for env_id in ids]
            taken = [request.reply[request.ids.index(env_id)] for env_id, request in own]
        if replies is not None:
            replies.append(taken)
        self._forget(ids)
        return taken

    def read(self, ids: Sequence[int], reply: Any) -> Taken:
        taken: Taken = reply
        return taken

    def pending(self, ids: Sequence[int]) -> list[int]:
        return [env_id for env_id in ids if env_id in self._requests]

    def discard(self, ids: Sequence[int]) -> None:
        pending = [env_id for env_id in ids if env_id in self._requests]
        self._fetch(pending)
        self._forget(pending)

    def _forget(self, ids: Sequence[int]) -> None:
        for env_id in ids:
            self._requests.pop(env_id, None)

    def _fetch(self, ids: Sequence[int]) -> list[ActorRequest]:
        requests = self._requests_of(ids)
        missing = [request for request in requests if request.reply is None]
        try:
            calls = [request.call for request in missing]
            answers = self._group.answers(calls) if None not in calls else None
        except self._group.deaths:
            answers = None
        for index, request in enumerate(missing):
            request.reply = self._answer(request) if answers is None else answers[index]
            if self._recovery.is_unproven and request.actor not in self._dead:
                self._recovery.note_answers(request.ids)
        return requests

    def _answer(self, request: ActorRequest) -> Any:
        """Waits for the reply to a request. If the actor is lost and restarted, sends the request to the new one."""
        while request.actor not in self._dead:
            try:
                return self._group.answers([request.call])[0]
            except self._group.deaths as error:
                # Requests to one actor that were lost together count as one loss, so the actor is restarted only for
                # the first of them.
                if request.restarts == self._restarts[request.actor]:
                    self._handle_loss(request.actor, error)
                if request.actor not in self._dead:
                    self._call(request)
        return _failures(request.ids, request.method.removesuffix("s"), self._dead[request.actor])

    def _check_connected(self, roughly: bool = False) -> None:
        if not self._group.is_connected(roughly):
            raise RuntimeError("Ray was shut down: the environments are lost; recreate them")

    def _handle_loss(self, actor: int, error: BaseException) -> None:
        """Restarts a lost actor if it may be and has replied since its last restart; else marks it as lost."""
        self._check_connected()
        ids = self.lists[actor]
        losses = self._recovery.note_loss(actor, ids)
        died = self._death(actor, error, losses)
        if not losses:
            failures: tuple[type[BaseException], ...] = (RuntimeError, *self._group.deaths)
            try:
                # New episodes derive their seeds from the last ones, if there are any, and the number of losses.
                owed = {env_id: self._recovery.next_seed(env_id) for env_id in ids}
                spaces = self._group.restart(actor, (*self._arguments[actor], owed), wait=True)
                if not any(isinstance(space, EnvFailure) for space in spaces):
                    self._restarts[actor] += 1
                    return
            except failures as again:
                died.__cause__ = again
        self._dead[actor] = died

    def _death(self, actor: int, error: BaseException, losses: int = 1) -> actors.ActorDied:
        ids = self.lists[actor]
        return actors.ActorDied.of(actor, range(ids[0], ids[-1] + 1), error, losses, "recreate them")

    def record_seeds(self, ids: Sequence[int], seeds: Sequence[int | None]) -> None:
        for env_id, seed in zip(ids, seeds, strict=True):
            if seed is not None:
                # The engine's seeds have 64 bits; environments' seeds may be negative or longer.
                self._recovery.note_seed(env_id, abs(int(seed)) & (2**64 - 1))

    def apply(self, ids: Sequence[int], function: Callable[..., Any], arguments: env_worker.Arguments) -> list[Any]:
        self._check_connected()
        values: list[Any] = [None] * len(ids)
        pending = []
        for actor, positions in self._division(ids):
            chosen, own = [ids[each] for each in positions], [arguments[each] for each in positions]
            pending.append((actor, positions, chosen, self._group.call(actor, "ask", chosen, function, own)))
        for actor, positions, chosen, call in pending:
            try:
                answers = self._group.answers([call])[0]
            except self._group.deaths as error:
                if actor not in self._dead:
                    self._handle_loss(actor, error)
                answers = _failures(chosen, function.__name__, self._death(actor, error))
            for position, value in zip(positions, answers, strict=True):
                values[position] = value
        return values

    def close(self) -> None:
        failures = []
        if self._group.is_connected():
            for call in [self._group.call(actor, "close") for actor in range(len(self.lists))]:
                with suppress(*self._group.deaths):
                    failures.append(self._group.answers([call])[0])
        self._group.close()
        without_failures(failures)


def _failures(ids: Sequence[int], operation: str, died: actors.ActorDied) -> list[Any]:
    return [env_worker.LocalFailure(env_id, operation, died.again()) for env_id in ids]


# Of Ray's folder: paths of Ray's sockets are some 60 characters longer, and must have fewer than 107 characters.
_MAX_PATH_LENGTH = 40


class RayVectorEnv(BaseVectorEnv):
    """Environments in the actors of a Ray cluster; each actor hosts several environments until `close`; Ray goes on.

    In asynchronous mode each environment has its own requests; environments of one actor are stepped one after the
    other. ``num_actors`` is the number of actors; ``is_direct`` is whether they are called over this process's own
    connections.
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

        ``env_fns`` make one environment each; lambdas and closures too. ``num_cpus`` are for all actors together, each
        of which has ``num_cpu_per_worker`` CPUs and ``num_gpu_per_worker`` GPUs: there are ``floor(num_cpus /
        num_cpu_per_worker)`` actors, at least one and at most one per environment. Ray is started with ``num_cpus`` and
        ``num_gpus``, further arguments ``ray_options`` for ``ray.init``, and the folder ``temp_ray_dir`` for its files;
        ``None`` selects Ray's default, in the system's temporary folder. ``start_timeout`` are seconds to wait for the
        actors. ``no_warning`` silences warnings, including those of the environments. ``sub_worker_fn`` is a subclass
        of `EnvWorker` that makes the environments' workers within an actor.

        With ``restart``, a dead actor, or an actor's dead worker process, is restarted. Its environments start new
        episodes; the first row has ``info["restarted"]``, reward 0, and is truncated. Otherwise, its environments are
        lost, and requests for them raise an error. With ``direct``, actors are called over this process's own TCP
        connections, in a twentieth of the time of Ray's calls. For actors that cannot be reached by TCP (because of a
        firewall between nodes) and clusters with encrypted traffic, Ray's calls are used; `is_direct` reports which.

        Raises ImportError if ray is missing or too old, ValueError for a value that is not allowed, or more actors than
        the cluster has resources for, TypeError for functions that cannot be pickled, naming them, and an ``env_fn``'s
        exception, naming the environment. ``kwargs`` are as for `BaseVectorEnv`.
        """
        self._num_cpus = actors.check_cpus("num_cpus", 1 if num_cpus is None else num_cpus)
        gpus = actors.check_cpus("num_gpus", 0 if num_gpus is None else num_gpus)
        start = {"num_cpus": max(1, math.ceil(self._num_cpus)), "num_gpus": gpus, **(ray_options or {})}
        if "address" in start or "RAY_ADDRESS" in os.environ:
            start = {name: value for name, value in start.items() if name not in ("num_cpus", "num_gpus")}
        elif temp_ray_dir is not None:
            folder = start["_temp_dir"] = str(Path(temp_ray_dir).absolute())
            if len(folder) > _MAX_PATH_LENGTH:
                raise ValueError(
                    f"temp_ray_dir={str(temp_ray_dir)!r}: its {len(folder)} characters are too many for Ray's sockets: "
                    f"expected at most {_MAX_PATH_LENGTH}"
                )
        self._ray_start = start
        self._restart = bool(restart)
        self._direct = flag("direct", direct)
        self._start_timeout = actors.check_cpus("start_timeout", start_timeout)
        self._env_lists = self._lists_of(env_fns)
        super().__init__(
            [function for each in self._env_lists for function in each],
            RayEnvWorker,
            num_cpu_per_worker=actors.check_cpus("num_cpu_per_worker", num_cpu_per_worker),
            num_gpu_per_worker=actors.check_cpus("num_gpu_per_worker", num_gpu_per_worker),
            sub_worker_fn=self._default_sub_worker if sub_worker_fn is None else sub_worker_fn,
            no_warning=no_warning,
            **kwargs,
        )

    @staticmethod
    def _lists_of(env_fns: Any) -> list[list[Any]]:
        """Returns lists of functions, each of which an actor takes as a whole."""
        return [[each] for each in functions("env_fns", env_fns)]

    def _make_executor(self, no_warning: bool) -> env_worker.EnvBackend:
        cloudpickle, pickled = actors.import_ray().cloudpickle, []
        for index, function in enumerate(self._env_fns):
            try:  # by value, if actors cannot import it: a lambda, a closure, a function of a script
                pickled.append(cloudpickle.dumps(function))
            except Exception as error:
                raise TypeError(f"env_fns[{index}]={function!r}: it cannot be pickled: {error}") from error
        left = iter(pickled)
        ray = actors.connect(self._ray_start)
        each = self.num_cpu_per_worker
        wanted = min(len(self._env_lists), max(1, int(self._num_cpus // each) if each > 0 else int(self._num_cpus)))
        available = actors.max_actors(ray, each) if each > 0 else wanted
        if wanted > available and not no_warning:
            warnings.warn(
                f"num_cpus={self._num_cpus:g} asks for {wanted} actors of {each:g} CPUs: the cluster has "
                f"{ray.cluster_resources().get('CPU', 0.0):g} CPUs, and {available} of them are made",
                RuntimeWarning,
                stacklevel=4,
            )
        self.num_actors = min(wanted, available)
        actors.check_room(ray, self.num_actors, each, self.num_gpu_per_worker)
        resources = {"num_cpus": each, "num_gpus": self.num_gpu_per_worker}
        executor = RayBackend(
            actors.ActorGroup(ray, ActorVectorEnv, self._start_timeout, "make", **resources),
            [[next(left) for _ in chain(*lists)] for lists in actors.split(self._env_lists, self.num_actors)],
            ray.cloudpickle.dumps(self.sub_worker_fn),
            no_warning,
            one_by_one=self.is_async,
            restart=self._restart,
            direct=self._direct,
        )
        self.is_direct = executor.is_direct
        self.workers = [RayEnvWorker(executor, env_id, env_fn) for env_id, env_fn in enumerate(self._env_fns)]
        return executor

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in actors")


class RaySubprocVectorEnv(RayVectorEnv):
    """Environments in worker processes of the actors of a Ray cluster: each actor runs a `SubprocVectorEnv` over its
    list of environments. Environment ids continue from one list to the next.
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

    @staticmethod
    def _lists_of(env_fns: Any) -> list[list[Any]]:
        if not is_series(env_fns):
            raise TypeError(f"env_fns={env_fns!r}: expected a list of lists of functions, each of which {MAKES}")
        return [functions(f"env_fns[{index}]", each, MAKES) for index, each in enumerate(env_fns)]


class RayEnvWorker(BackendEnvWorker):
    """Worker for one environment in a Ray actor; made by `RayVectorEnv` or `RaySubprocVectorEnv`."""

    def __init__(self, executor: RayBackend, env_id: int, env_fn: Callable[[], Any]) -> None:
        super().__init__(env_fn)
        self._executor, self._env_id = executor, env_id

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        by_id = {worker._env_id: worker for worker in workers}
        ready = workers[0]._executor.wait_some(list(by_id), min(wait_num, len(by_id)), timeout)
        return [by_id[env_id] for env_id in ready]

    def close_env(self) -> None:
        pass
