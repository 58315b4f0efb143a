"""Environments in worker processes, made anew where a process dies."""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.context import BaseContext
from typing import Any, NoReturn, cast

from envpool_rs._workers import EnvFailure, WorkerDied, WorkerGroup
from envpool_rs._workers.env_failure import exit_text
from envpool_rs._workers.recovery import Recovery, times
from envpool_rs.multi_env.env_requests import STEP, Answers, Place, Request
from envpool_rs.multi_env.replacement import end, is_loss, new_group, replacement
from envpool_rs.multi_env.shared_workers import SharedWorkers
from envpool_rs.multi_env.worker_results import exact_result

Send = Callable[[SharedWorkers, Sequence[int], Sequence[Any]], None]
"""``send(workers, env_ids, arguments)``."""


class EnvProcesses:
    """Environments in worker processes behind one block of shared memory.

    Where a process dies, each of its environments gets a process of its own, is made and reset there, and is asked
    again; a second death in a row is an error, and the next request tries anew.

    Attributes:
        recovery: the books of what is lost; an environment is a place of its own.
        observation_spaces: of each environment, once they are made.
        action_spaces: of each environment, once they are made.
        descriptions: ``metadata``, ``spec``, ``reward_range`` and ``render_mode`` of each environment.
    """

    def __init__(
        self, env_fns: Sequence[Callable[[], Any]], num_workers: int | None, context: str | BaseContext | None
    ) -> None:
        """Notes what is to be started.

        Args:
            env_fns: make the environments.
            num_workers: processes; ``None`` for one for each environment.
            context: how processes are started, as multiprocessing has it.
        """
        self._env_fns = list(env_fns)
        self._num_workers = len(self._env_fns) if num_workers is None else num_workers
        self._context = context
        self._group: WorkerGroup | None = None
        self._places: list[Place] = []
        self._are_together = True
        self._resetting: set[int] = set()  # who was told to reset itself
        self._open = set(range(len(self._env_fns)))
        self._lock = threading.RLock()
        self._pid = os.getpid()
        self._warnings: list[str] = []
        self.recovery = Recovery(len(self._env_fns), len(self._env_fns), restart=True)
        self.observation_spaces: list[Any] = []
        self.action_spaces: list[Any] = []
        self.descriptions: list[dict[str, Any]] = []

    # --- beginning ----------------------------------------------------------------------------------------------------

    @property
    def is_started(self) -> bool:
        """Whether the processes were started."""
        return self._group is not None

    @property
    def is_initialized(self) -> bool:
        """Whether all environments are made."""
        return bool(self._places)

    def start(self) -> None:
        """Starts the processes, which make the environments; does not wait for them."""
        with self._lock:
            if self._group is None:
                self._group = new_group(self._env_fns, self._num_workers, self._context)

    def initialize(self) -> None:
        """Waits until all environments are made; processes that died meanwhile are started once more.

        Raises:
            Exception: that of the first ``env_fn`` that raised, naming its environment. All processes are ended.
            RuntimeError: where a process died twice.
        """
        with self._lock:
            if self._group is None or self.is_initialized:
                return
            if self._group.closed:  # the last attempt failed
                self._group = new_group(self._env_fns, self._num_workers, self._context)
            self._group = self._with_environments(self._group)
            self.observation_spaces = list(self._group.observation_spaces)
            self.action_spaces = list(self._group.action_spaces)
            self.descriptions = list(self._group.descriptions)
            workers = SharedWorkers(self._group)
            self._places = [Place(workers, env_id) for env_id in range(len(self._env_fns))]
        self._warn()

    def _with_environments(self, group: WorkerGroup) -> WorkerGroup:
        """The group once its environments are made; another one where a process died meanwhile."""
        attempts = Recovery(1, 1, restart=True)
        deaths: list[WorkerDied] = []
        while True:
            try:
                group.initialize()
            except WorkerDied as death:
                if losses := attempts.note_loss(0, [0]):
                    what = f"a process died {times(losses)} in a row while it made its environment"
                    raise RuntimeError(f"{what}: {death}") from death
                deaths.append(death)
                group = new_group(self._env_fns, self._num_workers, self._context)
            else:
                for each in deaths:
                    for env in each.env_ids:
                        self._count_restart(env, each)
                return group

    # --- asking -------------------------------------------------------------------------------------------------------

    def begin_steps(self, envs: Sequence[int], actions: Sequence[Any], terminated: Sequence[bool] | None) -> Request:
        """Sends actions.

        Args:
            envs: environments, in ascending order.
            actions: one for each.
            terminated: whether the last step of each was terminal, so that a reset is due; ``None`` where that is not
                the environments' business.
        """
        wanted = terminated is not None
        if len(self._resetting) != (len(self._env_fns) if wanted else 0):
            self._delegate_resets(envs, terminated)
        request = Request(envs, actions, STEP)
        self._send(request, lambda workers, ids, chosen: workers.begin_steps(ids, chosen))
        return request

    def begin_calls(self, envs: Sequence[int], operation: str, arguments: Sequence[Any]) -> Request:
        """Sends what is no step.

        Args:
            envs: environments, in ascending order.
            operation: of ``WorkerGroup.send_calls``.
            arguments: one for each environment.
        """
        request = Request(envs, arguments, operation)
        self._send(request, lambda workers, ids, chosen: workers.begin_calls(ids, operation, chosen))
        return request

    def _send(self, request: Request, send: Send) -> None:
        self._check_open(request.envs)
        if self._are_together:
            try:
                workers = self._places[0].workers
                send(workers, request.envs, request.arguments)
            except WorkerDied as death:
                self._note_death(workers, death)
            else:
                request.parts.append((workers, request.envs))
                return
        for workers, alive in self._by_workers(request.envs):
            self._send_part(request, send, workers, alive)

    def _check_open(self, envs: Sequence[int]) -> None:
        if len(self._open) != len(self._env_fns):
            for env in envs:
                if env not in self._open:
                    raise ValueError(f"environment {env} is closed")

    def _send_part(self, request: Request, send: Send, workers: SharedWorkers, envs: list[int]) -> None:
        while envs:
            try:
                send(workers, [self._places[env].env_id for env in envs], [request.argument(env) for env in envs])
            except WorkerDied as death:
                self._note_death(workers, death)
                envs = [env for env in envs if self._places[env].death is None]
            else:
                request.parts.append((workers, envs))
                return

    def _by_workers(self, envs: Sequence[int]) -> list[tuple[SharedWorkers, list[int]]]:
        parts: dict[int, tuple[SharedWorkers, list[int]]] = {}
        for env in envs:
            place = self._places[env]
            if place.death is None:
                parts.setdefault(id(place.workers), (place.workers, []))[1].append(env)
        return list(parts.values())

    def _delegate_resets(self, envs: Sequence[int], terminated: Sequence[bool] | None) -> None:
        """Tells those environments who do not know yet whether resets are their business."""
        wanted = terminated is not None
        flags = [False] * len(envs) if terminated is None else terminated
        told = {
            env: bool(flag) for env, flag in zip(envs, flags, strict=True) if (env in self._resetting) is not wanted
        }
        if not told:
            return
        calls: list[Any] = [("reset_itself", (wanted, flag), {}) for flag in told.values()]
        answers = self._collect(self.begin_calls(list(told), "call", calls))
        # Who has no process any more is told nothing; its next one resets nothing by itself either.
        change = self._resetting.update if wanted else self._resetting.difference_update
        change(answers.results)

    # --- answers ------------------------------------------------------------------------------------------------------

    def finish(self, request: Request) -> Answers:
        """Waits for the answers; environments whose process died are made anew, reset (unless that is what they were
        asked for) and asked again.
        """
        answers = self._collect(request)
        if not self._are_together:
            for env in request.envs:
                if self._places[env].death is not None:
                    self._ask_again(env, request, answers)
        self._warn()
        return answers

    def _collect(self, request: Request) -> Answers:
        answers = Answers()
        for workers, members in request.parts:
            ids = members if self._are_together else [self._places[env].env_id for env in members]
            if request.operation == STEP:
                steps = workers.finish_steps(ids)
                answers.batches.append((members, steps))
                if steps.failures:
                    for env, env_id in zip(members, ids, strict=True):
                        if env_id in steps.failures:
                            self._take_failure(env, steps.failures[env_id], answers)
            else:
                for env, value in zip(members, workers.finish_calls(ids), strict=True):
                    if isinstance(value, EnvFailure):
                        self._take_failure(env, value, answers)
                    else:
                        answers.results[env] = value
        return answers

    def call(self, env: int, operation: str, argument: Any) -> Any:
        """Asks one environment for what is no step.

        Raises:
            Exception: what the environment raised.
            RuntimeError: where its process died twice in a row.
        """
        answers = self.finish(self.begin_calls([env], operation, [argument]))
        if answers.errors:
            raise answers.errors[env]
        return answers.results[env]

    def step(self, env: int, action: Any) -> Any:
        """Steps one environment; what its ``step`` returned.

        Raises:
            Exception: what the environment raised.
            RuntimeError: where its process died twice in a row.
        """
        answers = self.finish(self.begin_steps([env], [action], None))
        if answers.errors:
            raise answers.errors[env]
        return answers.results[env] if answers.results else exact_result(answers.batches[0][1], 0)

    def _take_failure(self, env: int, failure: EnvFailure, answers: Answers) -> None:
        if is_loss(failure):
            self._note_death(self._places[env].workers, cast("WorkerDied", failure.exception))
        else:
            failure.env_id = env
            answers.errors[env] = failure.raised()

    # --- deaths -------------------------------------------------------------------------------------------------------

    def _note_death(self, workers: SharedWorkers, death: WorkerDied) -> None:
        with self._lock:
            self._are_together = False
            for place in self._places:
                if place.workers is workers and place.env_id in death.env_ids:
                    place.death = death

    def _ask_again(self, env: int, request: Request, answers: Answers) -> None:
        death = self._places[env].death
        assert death is not None  # or it would not have to be asked again
        try:
            while not (losses := self.recovery.note_loss(env, [env])):
                try:
                    answers.results[env] = self._made_anew(env, request)
                except WorkerDied as again:
                    again.__cause__ = death
                    death = again
                except Exception as error:
                    answers.errors[env] = error
                    return
                else:
                    return
        finally:
            self.recovery.note_answers([env])  # what comes next is tried anew
        how = f"its process died {times(losses)} in a row ({exit_text(death.exitcode)})"
        answers.errors[env] = RuntimeError(f"environment {env}: {how}")
        answers.errors[env].__cause__ = death

    def _made_anew(self, env: int, request: Request) -> Any:
        """The answer of a new environment in a new process, which takes the place of the dead one."""
        argument = request.argument(env)
        workers, answer = replacement(self._env_fns[env], self._context, request.operation, argument)
        self._move(env, workers)
        if isinstance(answer, EnvFailure):
            answer.env_id = env
            raise answer.raised()
        return answer

    def _move(self, env: int, workers: SharedWorkers) -> None:
        with self._lock:
            old = self._places[env]
            self._places[env] = Place(workers, 0)
            self._resetting.discard(env)
            if old.death is not None:
                self._count_restart(env, old.death)
            if not self._is_used(old.workers):
                end(old.workers.group)

    def _count_restart(self, env: int, death: WorkerDied) -> None:
        self.recovery.counts[env] += 1
        self._warnings.append(
            f"environment {env}: its process died ({exit_text(death.exitcode)}); it was made anew and reset "
            f"(restart {self.recovery.counts[env]})"
        )

    def _warn(self) -> None:
        # Last of all: where warnings are errors, nothing is left half done.
        messages, self._warnings = self._warnings, []
        for message in messages:
            warnings.warn(message, RuntimeWarning, stacklevel=4)

    def _is_used(self, workers: SharedWorkers) -> bool:
        return any(self._places[env].workers is workers for env in self._open)

    def __reduce__(self) -> NoReturn:
        raise TypeError("cannot copy or pickle environments that live in worker processes")

    # --- end ----------------------------------------------------------------------------------------------------------

    def close(self, envs: Sequence[int]) -> None:
        """Closes environments, and ends those processes that nobody needs any more. In a forked child it does nothing.

        Raises:
            Exception: what the first environment raised that failed to close, after all are closed.
        """
        if os.getpid() != self._pid:
            return
        with self._lock:
            if not self.is_initialized:
                self._open.difference_update(envs)
                if self._group is not None and not self._open:
                    end(self._group)
                return
            errors: list[BaseException] = []
            ended = {id(self._places[env].workers): self._places[env].workers for env in envs}
            for workers in ended.values():
                members = [env for env in envs if self._places[env].workers is workers]
                try:
                    self._close_with(workers, members)
                except Exception as error:
                    errors.append(error)
        if errors:
            raise errors[0]

    def _close_with(self, workers: SharedWorkers, envs: list[int]) -> None:
        leaving = set(envs)
        if not any(self._places[env].workers is workers for env in self._open - leaving):
            self._open -= leaving
            workers.close()
            return
        # One that hangs in an interrupted call ends with the last of its group.
        places = self._places
        reachable = [e for e in envs if places[e].death is None and not workers.is_busy(places[e].env_id)]
        request = self.begin_calls(reachable, "close", [None] * len(reachable))
        self._open -= leaving
        answers = self._collect(request)
        if answers.errors:
            raise answers.errors[min(answers.errors)]
