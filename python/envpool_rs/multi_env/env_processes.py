"""Environments in worker processes, restarted if a process dies."""

from __future__ import annotations

import contextlib
import os
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from multiprocessing.context import BaseContext
from typing import Any, NoReturn, TypeVar

import numpy as np

from envpool_rs._workers import EnvFailure, WorkerDied, WorkerGroup
from envpool_rs._workers.serialization import exit_text
from envpool_rs.multi_env.env_requests import STEP, Request, RequestReplies, loss_error, weak_callback
from envpool_rs.multi_env.hosted_env import HostedEnv
from envpool_rs.multi_env.step_results import env_result

Result = TypeVar("Result")


WAIT_SECONDS = 0.05
"""Time in seconds that a thread waits for replies before it checks whether other threads need the workers."""

POLL_SECONDS = (5e-5, 1e-3)
"""Shortest and longest pause, in seconds, between a thread's checks if several threads use the workers."""

CLOSE_SECONDS = 5.0
"""Time in seconds that environments have for closing."""

INTERRUPTED_SECONDS = 1.0
"""Time in seconds that environments have for closing if an interrupted call is still in flight; short, because the user
pressed Ctrl-C.
"""


class EnvProcesses:
    """Environments in worker processes behind one block of shared memory.

    If a process dies, it is restarted with its environments, each environment is reset, and its request is sent again.
    If the new process dies before it replies, an error is raised, and the next request restarts the process again.
    Several threads may use the processes at once, for different environments.

    Attributes:
        restarts: the number of restarts of each environment after deaths of its process.
        observation_spaces: observation space of each environment, once all environments are made.
        action_spaces: action space of each environment, once all environments are made.
        descriptions: ``metadata``, ``spec``, ``reward_range`` and ``render_mode`` of each environment.
    """

    def __init__(
        self, env_fns: Sequence[Callable[[], Any]], num_workers: int | None, context: str | BaseContext | None
    ) -> None:
        """Stores the arguments; starts no process.

        Args:
            env_fns: functions that make the environments.
            num_workers: number of processes; ``None`` for one per environment.
            context: how processes are started, as in multiprocessing.
        """
        self._env_fns = list(env_fns)
        self._num_workers = len(self._env_fns) if num_workers is None else num_workers
        self._context = context
        self._group: WorkerGroup | None = None
        self._all_ids = np.arange(len(self._env_fns))
        self._autoreset_envs: set[int] = set()  # environments whose worker performs autoreset
        self._open = set(range(len(self._env_fns)))
        self._lock = threading.RLock()
        # Only one thread at a time uses the group: every access, including waits, holds this lock.
        self._use = threading.Lock()
        self._is_contended = False
        self._pid = os.getpid()
        self._deaths: dict[int, WorkerDied] = {}  # restarted environments without a reply so far
        self._warnings: list[str] = []
        self.is_initialized = False
        self.restarts = [0] * len(self._env_fns)
        self.observation_spaces: list[Any] = []
        self.action_spaces: list[Any] = []
        self.descriptions: list[dict[str, Any]] = []

    # --- starting -----------------------------------------------------------------------------------------------------

    @property
    def is_started(self) -> bool:
        """Whether the processes were started."""
        return self._group is not None

    def start(self) -> None:
        """Starts the processes, which make the environments; does not wait for them."""
        with self._lock:
            if self._group is None:
                self._group = self._new_group()

    def _new_group(self) -> WorkerGroup:
        # With these options, results of environments are unchanged, and environments have their own interface, gym's or
        # gymnasium's.
        return WorkerGroup(
            self._env_fns,
            num_workers=self._num_workers,
            context=self._context,
            lenient=True,
            adapt=False,
            restart="retry",
            on_restart=weak_callback(self._record_restart),
            wrap=HostedEnv,
            wrap_restarted=HostedEnv.restarted,
            start=False,
        )

    def initialize(self) -> None:
        """Waits until all environments are made; restarts processes that died meanwhile, once.

        Raises:
            Exception: an exception of the first ``env_fn`` that raised, naming its environment. All processes are
                ended.
            RuntimeError: if a process died twice in a row.
        """
        with self._lock:
            if self._group is None or self.is_initialized:
                return
            if self._group.closed:  # the last attempt failed
                self._group = self._new_group()
            self._group = self._with_environments(self._group)
            self.observation_spaces = list(self._group.observation_spaces)
            self.action_spaces = list(self._group.action_spaces)
            self.descriptions = list(self._group.descriptions)
            self.is_initialized = True
        self._warn()

    def _with_environments(self, group: WorkerGroup) -> WorkerGroup:
        """Waits until a group's environments are made and returns the group; if a process died meanwhile, returns a new
        group.
        """
        try:
            group.initialize()
        except WorkerDied as first:
            group = self._new_group()
            try:
                group.initialize()
            except WorkerDied as death:
                reason = "a process died twice in a row while it made its environment"
                raise RuntimeError(f"{reason}: {death}") from death
            for env in first.env_ids:
                self._count_restart(env, first)
        return group

    # --- requests -----------------------------------------------------------------------------------------------------

    def submit_steps(self, envs: Sequence[int], actions: Sequence[Any], terminated: Sequence[bool] | None) -> Request:
        """Sends actions to environments.

        Args:
            envs: environments, in ascending order.
            actions: an action for each environment.
            terminated: whether the last step of each environment was terminal, so that the next step first resets the
                environment; ``None`` for environments without autoreset.
        """
        if len(self._autoreset_envs) != (0 if terminated is None else len(self._env_fns)):
            self._delegate_resets(envs, terminated)
        ids = self._array(envs)
        self._send(envs, lambda group: group.send_steps(ids, actions))
        return Request(envs, STEP)

    def submit_calls(self, envs: Sequence[int], operation: str, arguments: Sequence[Any]) -> Request:
        """Sends a call to environments.

        Args:
            envs: environments, in ascending order.
            operation: an operation of ``WorkerGroup.send_calls``.
            arguments: the call's argument for each environment.
        """
        ids = self._array(envs)
        self._send(envs, lambda group: group.send_calls(ids, operation, arguments))
        return Request(envs, operation)

    def _delegate_resets(self, envs: Sequence[int], terminated: Sequence[bool] | None) -> None:
        """Switches autoreset on or off in the environments whose setting differs from the requested one."""
        enables = terminated is not None
        flags = [False] * len(envs) if terminated is None else terminated
        changes = {
            env: bool(flag)
            for env, flag in zip(envs, flags, strict=True)
            if (env in self._autoreset_envs) is not enables
        }
        if changes:
            calls: list[Any] = [("set_autoreset", (enables, flag), {}) for flag in changes.values()]
            answers = self._collect(self.submit_calls(list(changes), "call", calls))
            change = self._autoreset_envs.update if enables else self._autoreset_envs.difference_update
            change(answers.results)

    def _array(self, envs: Sequence[int]) -> np.ndarray[Any, Any]:
        # Environments are ascending and unique, so a list of full length contains all of them.
        return self._all_ids if len(envs) == len(self._all_ids) else np.array(envs, np.int64)

    def _send(self, envs: Sequence[int], send: Callable[[WorkerGroup], None]) -> None:
        if len(self._open) != len(self._env_fns):
            for env in envs:
                if env not in self._open:
                    raise ValueError(f"environment {env} is closed")
        group = self._workers
        try:
            self._locked(send)
        except WorkerDied:
            raise
        except RuntimeError:
            # `group` has sent no request of this call. Environments in flight still run requests whose caller was
            # interrupted.
            left = [env for env in envs if not group.is_ready(env)]
            if not left:
                raise
            for env in left:
                self._finished([env], group.discard)
            self._locked(send)

    @property
    def _workers(self) -> WorkerGroup:
        assert self._group is not None  # `submit_steps` and `submit_calls` start the processes
        return self._group

    def _locked(self, send: Callable[[WorkerGroup], None]) -> None:
        self._is_contended = self._is_contended or self._use.locked()
        with self._use:
            send(self._workers)

    # --- replies ------------------------------------------------------------------------------------------------------

    def collect(self, request: Request) -> RequestReplies:
        """Waits for the replies to a submitted request, and returns them."""
        answers = self._collect(request)
        self._warn()
        return answers

    def step(self, env: int, action: Any) -> Any:
        """Steps one environment; returns the result of the environment's ``step``.

        Raises:
            Exception: an exception of the environment.
            RuntimeError: if its process died twice in a row.
        """
        answers = self.collect(self.submit_steps([env], [action], None))
        if answers.errors:
            raise answers.errors[env]
        assert answers.steps is not None  # the request was a step
        return env_result(answers.steps, 0)

    def call(self, env: int, operation: str, argument: Any) -> Any:
        """Runs an operation other than a step in one environment.

        Raises:
            Exception: an exception of the environment.
            RuntimeError: if its process died twice in a row.
        """
        answers = self.collect(self.submit_calls([env], operation, [argument]))
        if answers.errors:
            raise answers.errors[env]
        return answers.results[env]

    def _collect(self, request: Request) -> RequestReplies:
        answers, group, envs = RequestReplies(), self._workers, request.envs
        if request.operation == STEP:
            answers.steps = self._finished(envs, group.take_steps)
            failures = answers.steps.failures
        else:
            values = dict(zip(envs, self._finished(envs, group.take_values), strict=True))
            failures = {env: value for env, value in values.items() if isinstance(value, EnvFailure)}
            answers.results = {env: value for env, value in values.items() if env not in failures}
        if failures or self._deaths:
            for env in envs:
                self._record_reply(env, failures.get(env), answers)
        return answers

    def _finished(self, envs: Sequence[int], take: Callable[[np.ndarray[Any, Any]], Result]) -> Result:
        """Waits until all environments have replied, and returns the result of ``take``. Other threads may use the
        workers during the wait.
        """
        ids, group = self._array(envs), self._workers
        pause, longest = POLL_SECONDS
        while True:
            self._is_contended = self._is_contended or self._use.locked()
            with self._use:
                done = group.wait(ids, len(envs), 0.0 if self._is_contended else WAIT_SECONDS)
                if len(done) == len(envs):
                    return take(ids)
                flying = set(group.in_flight.tolist())
                for env in envs:
                    if env not in flying:
                        raise RuntimeError(f"environment {env} is in use by another thread, which took its answer")
            if self._is_contended:
                time.sleep(pause)
                pause = min(2 * pause, longest)

    # --- deaths -------------------------------------------------------------------------------------------------------

    def _record_restart(self, death: WorkerDied) -> None:
        """Records the restart of a process; the worker group calls this method inside its own methods."""
        for env in death.env_ids:
            self._deaths.setdefault(env, death)
            self._autoreset_envs.discard(env)

    def _record_reply(self, env: int, failure: EnvFailure | None, answers: RequestReplies) -> None:
        death = self._deaths.get(env)
        # An `EnvFailure` without a traceback means a lost process; an environment itself may raise any exception, even
        # WorkerDied.
        if failure is not None and isinstance(failure.exception, WorkerDied) and not failure.traceback:
            answers.errors[env] = loss_error(env, failure.exception, death)
            return
        if death is not None:
            self._count_restart(env, self._deaths.pop(env))
        if failure is not None:
            answers.errors[env] = failure.raised()

    def _count_restart(self, env: int, death: WorkerDied) -> None:
        self.restarts[env] += 1
        self._warnings.append(
            f"environment {env}: its process died ({exit_text(death.exitcode)}); it was restarted and reset "
            f"(restart {self.restarts[env]})"
        )

    def _warn(self) -> None:
        # Warnings are issued last, so that the call's work is complete even if warnings are turned into errors.
        messages, self._warnings = self._warnings, []
        for message in messages:
            warnings.warn(message, RuntimeWarning, stacklevel=4)

    def __reduce__(self) -> NoReturn:
        raise TypeError("cannot copy or pickle environments that live in worker processes")

    # --- end ----------------------------------------------------------------------------------------------------------

    def close(self, envs: Sequence[int]) -> None:
        """Closes environments, and ends processes without open environments. In a forked process, this method does
        nothing.

        Raises:
            Exception: the exception of the first environment that failed to close, after all are closed.
        """
        if os.getpid() != self._pid:
            return
        with self._lock:
            leaving = set(envs)
            if self._group is None or not self.is_initialized or not self._open - leaving:
                self._open -= leaving
                self._end()
                return
            # An environment that still runs an interrupted call is not closed; it ends with the group's processes.
            reachable = [env for env in envs if self._group.is_ready(env)]
            request = self.submit_calls(reachable, "close", [None] * len(reachable))
            self._open -= leaving
            answers = self._collect(request)
        errors = {env: error for env, error in answers.errors.items() if not isinstance(error.__cause__, WorkerDied)}
        if errors:
            raise errors[min(errors)]

    def _end(self) -> None:
        """Ends the processes if no environment is open."""
        if self._group is None or self._open:
            return
        if not self.is_initialized:
            with contextlib.suppress(Exception):
                self._group.close(terminate=True)
            return
        with self._use:
            self._group.close(INTERRUPTED_SECONDS if len(self._group.in_flight) else CLOSE_SECONDS)
