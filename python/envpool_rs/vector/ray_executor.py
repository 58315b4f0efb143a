"""Backend of environments in Ray actors, each of which hosts several environments."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from envpool_rs._workers.recovery import RecoveryTracker
from envpool_rs.ray.actor_calls import ActorCalls, ActorDied, RayCalls
from envpool_rs.ray.cluster import Session, death_errors, wait_until_ready
from envpool_rs.ray.direct_calls import calls_to
from envpool_rs.vector.actor_requests import (
    ActorRequest,
    select_actions,
    truncated_step,
    with_restart_flag,
    writable_batch,
)
from envpool_rs.vector.executor import EnvBackend, EnvironmentFailure, Failure, is_failure
from envpool_rs.vector.hosted_vector import ActorVectorEnv
from envpool_rs.vector.step_result import StepBatch, StepResult, concatenate_batches, reorder_rows

_ADVICE = "recreate them"


class RayBackend(EnvBackend):
    """Backend of environments in the actors of a Ray cluster.

    One call to an actor serves all its environments. In asynchronous mode each environment has its own call, and an
    actor runs these calls one after the other.

    Attributes:
        lists: for each actor the ids of its environments.
        is_direct: whether actors are called over the driver's own connections.
    """

    def __init__(
        self,
        ray: Any,
        env_fns: Sequence[Sequence[bytes]],
        sub_worker_fn: bytes,
        *,
        cpus: float,
        gpus: float,
        one_by_one: bool,
        restart: bool,
        no_warning: bool,
        start_timeout: float,
        direct: bool,
    ) -> None:
        """Starts the actors, and makes the environments there.

        Args:
            ray: the module, connected to a cluster.
            env_fns: for each actor the pickled functions that make its environments.
            sub_worker_fn: the pickled function that makes their workers within the actor.
            cpus: CPUs of each actor.
            gpus: GPUs of each actor.
            one_by_one: whether each request to an actor is for a single environment.
            restart: whether dead actors, and their dead worker processes, are restarted.
            no_warning: whether to silence warnings of the environments.
            start_timeout: seconds to wait for the actors.
            direct: whether to call actors over the driver's own connections, if they can be reached.

        Raises:
            RuntimeError: if actors do not start in time.
            Exception: the exception of an environment's factory, naming the environment.
        """
        self._ray = ray
        self._session = Session(ray)
        self._hosted = ray.remote(ActorVectorEnv).options(
            num_cpus=cpus, num_gpus=gpus, max_restarts=0, max_task_retries=0
        )
        self._env_fns, self._sub_worker_fn = env_fns, sub_worker_fn
        self._no_warning, self._restart = no_warning, restart
        self._one_by_one = one_by_one
        self._start_timeout = start_timeout
        starts = np.cumsum([0, *map(len, env_fns)]).tolist()
        self.lists = [list(range(*each)) for each in pairwise(starts)]
        self._actor_of = [actor for actor, ids in enumerate(self.lists) for _ in ids]
        self._requests: dict[int, ActorRequest] = {}
        self._arrived: dict[int, None] = {}
        self._recovery = RecoveryTracker(len(self._actor_of), len(env_fns), restart=restart)
        self._dead: dict[int, ActorDied] = {}
        self._actors = [self._start(actor) for actor in range(len(env_fns))]
        self._calls: ActorCalls = RayCalls(ray, self._actors)
        self._spaces = self._make_envs(range(len(env_fns)))
        try:
            self._calls = calls_to(ray, self._actors, direct)
        except BaseException:
            self._end()
            raise
        self.is_direct = self._calls.is_direct

    def _start(self, actor: int) -> Any:
        first = self.lists[actor][0]
        options = {"no_warning": self._no_warning, "restart": self._restart}
        return self._hosted.remote(first, self._env_fns[actor], self._sub_worker_fn, **options)

    def _make_envs(self, actors: Iterable[int]) -> list[Any]:
        refs = [self._actors[actor].make.remote() for actor in actors]
        try:
            wait_until_ready(self._ray, refs, self._start_timeout)
            spaces = [space for part in self._ray.get(refs) for space in part]
            for space in spaces:
                if is_failure(space):
                    raise space.raised()
        except BaseException:
            self._end()
            raise
        return spaces

    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        """Sends steps with one call for each actor."""
        for actor, positions in self._division(ids):
            chosen = [ids[position] for position in positions]
            self._send(actor, chosen, False, (select_actions(actions, positions),))

    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, keywords: Mapping[str, Any]) -> None:
        """Sends resets with one call for each actor."""
        self._recovery.record_seeds(ids, seeds)
        for actor, positions in self._division(ids):
            own = None if seeds is None else [seeds[position] for position in positions]
            self._send(actor, [ids[position] for position in positions], True, (own, dict(keywords)))

    def _call_actor(self, request: ActorRequest) -> Any:
        if request.is_reset:
            return self._calls.call(request.actor, "resets", request.ids, *request.arguments)
        ids = None if request.ids == self.lists[request.actor] else request.ids
        return self._calls.call(request.actor, "steps", ids, *request.arguments)

    def _division(self, ids: Sequence[int]) -> list[tuple[int, list[int]]]:
        if self._one_by_one:
            return [(self._actor_of[env_id], [position]) for position, env_id in enumerate(ids)]
        positions: dict[int, list[int]] = {}
        for position, env_id in enumerate(ids):
            positions.setdefault(self._actor_of[env_id], []).append(position)
        return list(positions.items())

    def _send(self, actor: int, ids: list[int], is_reset: bool, arguments: tuple[Any, ...]) -> None:
        self._check_connected(roughly=self.is_direct)
        request = ActorRequest(actor, ids, is_reset, arguments, None, self._recovery.counts[actor])
        owing = self._recovery.is_any_owing and self._recovery.owing(ids)
        if actor not in self._dead and not owing:
            request.call = self._call_actor(request)
        self._requests.update(dict.fromkeys(ids, request))

    def wait(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        """Waits for the first replies.

        Returns at once if ``ids`` contains all environments, because `take_steps` and `take_resets` also wait.
        """
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
            for call in self._calls.answered(list(calls), at_least, timeout):
                self._arrived.update(dict.fromkeys(calls[call].ids))

    def _requests_of(self, ids: Sequence[int]) -> list[ActorRequest]:
        return list(dict.fromkeys(self._requests[env_id] for env_id in ids))

    def take_steps(self, ids: Sequence[int]) -> StepBatch | list[StepResult | Failure]:
        """Returns the steps of all environments: the actors' batches concatenated; or single results if a request
        failed or shapes differ.
        """
        requests = self._fetch(ids)
        batches = [request.reply for request in requests if isinstance(request.reply, StepBatch)]
        answered = [env_id for request in requests for env_id in request.ids]
        whole = len(batches) == len(requests) and len(answered) == len(ids)
        batch = concatenate_batches(batches) if whole and batches else None
        rows: list[StepResult | Failure] = [] if batch else [self._requests[env_id].reply_of(env_id) for env_id in ids]
        self._forget(ids)
        if batch is None:
            return rows
        if answered == list(ids):
            return batch if len(batches) > 1 else writable_batch(batch)
        position = {env_id: row for row, env_id in enumerate(answered)}
        return reorder_rows(batch, [position[env_id] for env_id in ids])

    def take_resets(
        self, ids: Sequence[int]
    ) -> tuple[Any, list[dict[str, Any]]] | list[tuple[Any, dict[str, Any]] | Failure]:
        """Returns an observation and an info, or a failure, for each environment."""
        self._fetch(ids)
        results = [self._requests[env_id].reply_of(env_id) for env_id in ids]
        self._forget(ids)
        return results

    def discard(self, ids: Sequence[int]) -> None:
        """Waits for sent requests, and drops their results."""
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
            answers = self._calls.answers(calls) if None not in calls else None
        except self._calls.deaths:
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
                answer = self._recovered_reply(request) if request.call is None else self._calls.answer(request.call)
                self._recovery.note_answers(request.ids)
                return answer
            except self._calls.deaths as error:
                # Requests to one actor that were lost together count as one loss, so the actor is restarted only for
                # the first of them.
                if request.restarts == self._recovery.counts[request.actor]:
                    self._handle_loss(request.actor, error)
                request.call, request.restarts = None, self._recovery.counts[request.actor]
        operation = "reset" if request.is_reset else "step"
        died = self._dead[request.actor]
        return [EnvironmentFailure(env_id, operation, died.again()) for env_id in request.ids]

    def _check_connected(self, roughly: bool = False) -> None:
        if not self._session.is_open(roughly):
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
        self._ray.kill(self._actors[actor])  # the actor may be alive if only its connection was lost
        self._actors[actor] = self._start(actor)
        made = self._actors[actor].make.remote()
        failures: tuple[type[BaseException], ...] = (RuntimeError, *death_errors(self._ray))
        try:
            wait_until_ready(self._ray, [made], self._start_timeout)
            if any(map(is_failure, self._ray.get(made))):
                self._dead[actor] = self._death(actor, error)
            else:
                self._calls.join(actor)
                self._recovery.counts[actor] += 1
        except failures as again:
            self._ray.kill(self._actors[actor])
            self._dead[actor] = self._death(actor, error)
            self._dead[actor].__cause__ = again

    def _death(self, actor: int, error: BaseException, losses: int = 1) -> ActorDied:
        ids = self.lists[actor]
        return ActorDied.of(actor, range(ids[0], ids[-1] + 1), error, losses, _ADVICE)

    def _recovered_reply(self, request: ActorRequest) -> list[Any]:
        """Returns the reply to a request after its actor was restarted.

        For the restarted environments, the reply contains the first observation of a new episode.
        """
        restarted = self._recovery.owing(request.ids)
        if request.is_reset:
            seeds, keywords = request.arguments
            seeds = self._recovery.seeds_of_resets(request.ids, seeds)
            answers = self._call_now(request.actor, "resets", request.ids, seeds, keywords)
            self._recovery.set_owing(restarted, False)
            return [
                with_restart_flag(each) if env_id in restarted else each
                for env_id, each in zip(request.ids, answers, strict=True)
            ]
        positions = [position for position, env_id in enumerate(request.ids) if env_id not in restarted]
        results: dict[int, Any] = {}
        seeds = self._recovery.seeds_of_resets(restarted, None)
        for env_id, answer in zip(
            restarted, self._call_now(request.actor, "resets", restarted, seeds, {}), strict=True
        ):
            results[env_id] = answer if is_failure(answer) else truncated_step(*answer)
        if positions:
            rest = [request.ids[position] for position in positions]
            answered = self._call_now(request.actor, "steps", rest, select_actions(request.arguments[0], positions))
            results.update(zip(rest, answered.rows() if isinstance(answered, StepBatch) else answered, strict=True))
        self._recovery.set_owing(restarted, False)
        return [results[env_id] for env_id in request.ids]

    def _call_now(self, actor: int, method: str, *arguments: Any) -> Any:
        return self._calls.answer(self._calls.call(actor, method, *arguments))

    def apply(self, operation: str, ids: Sequence[int], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Runs an operation in all actors at once."""
        self._check_connected()
        if operation == "seed_environment":
            self._recovery.record_seeds(ids, [seed for (seed,) in arguments])
        values: list[Any] = [None] * len(ids)
        pending = []
        for actor, positions in self._division(ids):
            chosen, own = [ids[position] for position in positions], [arguments[position] for position in positions]
            pending.append((actor, positions, chosen, self._calls.call(actor, "ask", operation, chosen, own)))
        for actor, positions, chosen, call in pending:
            for position, value in zip(positions, self._asked(actor, operation, chosen, call), strict=True):
                values[position] = value
        return values

    def _asked(self, actor: int, operation: str, ids: Sequence[int], call: Any) -> Any:
        try:
            return self._calls.answer(call)
        except self._calls.deaths as error:
            if actor not in self._dead:
                self._handle_loss(actor, error)
            died = self._death(actor, error)
            return [EnvironmentFailure(env_id, operation, died.again()) for env_id in ids]

    def observation_spaces(self) -> Sequence[Any]:
        """Returns the spaces that the actors reported."""
        return self._spaces

    def close(self) -> None:
        """Closes all environments and ends the actors; then raises the first failure."""
        failures = []
        if self._session.is_open():
            for call in [self._calls.call(actor, "close") for actor in range(len(self._actors))]:
                try:
                    failures.append(self._calls.answer(call))
                except self._calls.deaths:
                    continue
        self._end()
        for failure in failures:
            if failure is not None:
                raise failure.raised()

    def _end(self) -> None:
        self._calls.close()
        if self._session.is_open():
            for actor in self._actors:
                self._ray.kill(actor)
