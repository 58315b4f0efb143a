"""Python environments spread over worker processes behind one shared block."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import wait as wait_for_any
from multiprocessing.context import BaseContext
from multiprocessing.util import Finalize
from typing import Any

import numpy as np

from envpool_rs.workers.all_rows import AllRows
from envpool_rs.workers.available_cores import available_cores
from envpool_rs.workers.env_failure import EnvFailure, WorkerDied, loaded_failure
from envpool_rs.workers.hosted_envs import EnvNotMadeError, EnvReport, HostedEnvs, HostOptions
from envpool_rs.workers.observation_layout import ObservationLayout
from envpool_rs.workers.serialization import ByValue, dumps, loads
from envpool_rs.workers.steps import Steps
from envpool_rs.workers.transport import (
    FAILED,
    FINAL,
    IS_CALL,
    LOST,
    MESSAGE,
    OBSERVATION_IN_ROW,
    REWARD_IN_MESSAGE,
    Caller,
    SharedBlock,
)
from envpool_rs.workers.worker_process import WorkerProcess, context_of, end_all

_AUTORESETS = ("disabled", "next_step", "same_step")
_WAKE_UPS = ("auto", "futex", "poll")
# A row with one of these needs more than its arrays.
_UNUSUAL = MESSAGE | FAILED | LOST | FINAL | REWARD_IN_MESSAGE | IS_CALL
_LOOK_SECONDS = 0.05


class WorkerGroup:
    """Python environments spread over worker processes (and, where asked, the caller's own), behind one shared block.

    Args:
        env_fns: callables that make one environment each.
        num_workers: worker processes; None for one on each available core, at most one for each environment.
        caller_share: the calling process hosts and steps a share of the environments itself, beside the workers
            (then one fewer by default).
        context: multiprocessing's start method or context; None for its default.
        autoreset: ``"disabled"``, ``"next_step"`` or ``"same_step"``.
        lenient: keep exactly what environments return: an observation of another dtype or structure than its space's
            travels as the object that it is. False: cast as numpy's "same_kind" allows, refuse all else.
        adapt: give environments of legacy gym and dm_env gymnasium's interface.
        restart: make dead workers anew.
        wrap: applied to each environment after its factory, in the process that hosts it.
        daemon: worker processes are daemonic: they may not have children of their own by multiprocessing.
        pin_offset: pin worker w to the available core ``pin_offset + w``; -1 for no pinning.
        wake_up: ``"auto"``, ``"futex"`` or ``"poll"``.
        start: wait until all environments are made. False: processes are started, ``initialize`` is called later.

    Raises:
        ValueError, TypeError: for arguments out of range, naming them; for a factory that cannot be pickled.
        Exception: what a factory raised.
    """

    def __init__(
        self,
        env_fns: Sequence[Callable[[], Any]],
        *,
        num_workers: int | None = None,
        caller_share: bool = False,
        context: str | BaseContext | None = None,
        autoreset: str = "disabled",
        lenient: bool = False,
        adapt: bool = True,
        restart: bool = False,
        wrap: Callable[[Any], Any] | None = None,
        daemon: bool = True,
        pin_offset: int = -1,
        wake_up: str = "auto",
        start: bool = True,
    ) -> None:
        env_fns = _checked_env_fns(env_fns)
        _check_choice("autoreset", autoreset, _AUTORESETS)
        _check_choice("wake_up", wake_up, _WAKE_UPS)
        self.num_envs = len(env_fns)
        self.num_workers = _worker_count(num_workers, self.num_envs, caller_share)
        self.worker_of = _shares(self.num_envs, self.num_workers, caller_share)
        self._env_fns = [ByValue(f"env_fns[{index}]", function) for index, function in enumerate(env_fns)]
        wrapped = None if wrap is None else ByValue("wrap", wrap)
        self._options = HostOptions(autoreset, lenient, adapt, wrapped)
        self._context = context_of(context)
        self._daemon = daemon
        self._pin_offset = pin_offset
        self._restart = restart
        self._block = SharedBlock(self.worker_of, wake_up=wake_up)
        self._pid = os.getpid()
        self._closed = False
        self._caller: Any = None
        self._own: HostedEnvs | None = None
        self._processes: list[WorkerProcess] = []
        self._finalizer: Finalize | None = None
        self._lost: dict[int, EnvFailure] = {}
        self._dead: dict[int, WorkerDied] = {}
        self._finalizer = Finalize(self, _end_without_close, (self._block, self._processes, self._pid), exitpriority=20)
        try:
            for worker in range(self.num_workers):
                self._processes.append(self._start_worker(worker))
            if start:
                self.initialize()
        except BaseException:
            self._abandon()
            raise

    def _start_worker(self, worker: int, rows: AllRows | None = None) -> WorkerProcess:
        ids = self._ids_of(worker)
        core = None
        if self._pin_offset >= 0:
            cores = available_cores()
            core = cores[(self._pin_offset + worker) % len(cores)]
        env_fns = [self._env_fns[env_id] for env_id in ids]
        return WorkerProcess(
            self._context, self._block, worker, ids, env_fns, self._options, daemon=self._daemon, core=core, rows=rows
        )

    def _ids_of(self, worker: int) -> list[int]:
        return [env_id for env_id, each in enumerate(self.worker_of) if each == worker]

    def _abandon(self) -> None:
        self._closed = True
        for process in self._processes:
            process.dismiss()
        end_all(self._processes, 1.0)
        if self._own is not None:
            self._own.close_all()

    # --- making the environments

    def initialize(self) -> None:
        """Waits until every environment is made. Once they are, it does nothing.

        Raises:
            Exception: what a factory raised, naming the environment; all processes are ended first.
        """
        if self._caller is not None:
            return
        self._check_usable(initialized=False)
        try:
            self._make_own()
            reports = self._await_reports()
            self._allocate(reports)
        except BaseException:
            self._abandon()
            raise

    def _make_own(self) -> None:
        ids = self._ids_of(-1)
        if not ids:
            return
        own = HostedEnvs(ids, [self._env_fns[env_id] for env_id in ids], self._options)
        try:
            own.make()
        except EnvNotMadeError as not_made:
            raise loaded_failure(not_made.failure, ids[0], "make").raised() from None
        self._own = own

    def _await_reports(self) -> list[EnvReport]:
        reports: dict[int, EnvReport] = {}
        if self._own is not None:
            reports.update(zip(self._ids_of(-1), self._own.reports(), strict=True))
        waiting = {process.connection: process for process in self._processes}
        while waiting:
            ready = wait_for_any(list(waiting), _LOOK_SECONDS)
            if not ready:
                ready = [connection for connection, process in waiting.items() if not process.alive]
            for connection in ready:
                process = waiting.pop(connection)
                reports.update(zip(process.env_ids, process.reports(), strict=True))
        return [reports[env_id] for env_id in range(self.num_envs)]

    def _allocate(self, reports: list[EnvReport]) -> None:
        self.observation_spaces = [_loaded(report.observation_space) for report in reports]
        self.action_spaces = [_loaded(report.action_space) for report in reports]
        self.descriptions = [
            {name: _loaded(value) for name, value in report.description.items()} for report in reports
        ]
        layouts = [ObservationLayout.of(space) for space in self.observation_spaces]
        self._structures = [layout.structure for layout in layouts]
        self._uniform = all(layout == layouts[0] for layout in layouts) and layouts[0].structure is not None
        rows = AllRows(
            [layout.rows for layout in layouts],
            self._options.autoreset == "same_step",
            [report.observation_space for report in reports],
        )
        self._block.allocate(rows.layouts, rows.final_rows)
        self._rows = rows
        for process in self._processes:
            process.tell(rows)
        host = None if self._own is None else self._own.host(self._block, rows)
        self._caller = Caller(self._block, host)

    # --- asynchronous primitives

    def send_steps(self, ids: Any, actions: Any) -> None:
        """Asks environments for a step.

        Args:
            ids: environments, each once; None for all.
            actions: an array [len(ids), ...] or a sequence, one for each.

        Raises:
            IndexError, ValueError: for wrong ids, or another number of actions.
            RuntimeError: for an environment that is in flight, or lost (WorkerDied); nothing is sent then.
        """
        self._check_usable()
        ids = self._ids(ids)
        self._check_alive(ids)
        self._caller.send_steps(ids, actions, dumps)

    def send_resets(self, ids: Any, seeds: Any = None, options: Any = None, **keywords: Any) -> None:
        """Asks environments for ``reset(seed=..., options=..., **keywords)``; what is None is left out.

        Raises: as ``send_steps``.
        """
        self._check_usable()
        ids = self._ids(ids)
        self._check_alive(ids)
        if options is not None:
            keywords["options"] = options
        self._caller.send_resets(ids, seeds, dumps(keywords) if keywords else None)

    def send_calls(self, ids: Any, operation: str, payloads: Any = None) -> None:
        """Asks environments for something else.

        Args:
            ids: environments, each once; None for all.
            operation: ``"get_attr"`` (payload: the name), ``"set_attr"`` ((name, value)), ``"call"`` ((name, args,
                keywords)), ``"render"`` (keywords or None), ``"seed"`` (the seed), ``"close"``.
            payloads: one for each environment; None for None everywhere.

        Raises: as ``send_steps``.
        """
        self._check_usable()
        ids = self._ids(ids)
        self._check_alive(ids)
        every = list(range(self.num_envs)) if ids is None else ids.tolist()
        payloads = [None] * len(every) if payloads is None else payloads
        for env_id, payload in zip(every, payloads, strict=True):
            self._caller.send_call(env_id, dumps((operation, payload)))

    def wait(self, ids: Any = None, count: int | None = None, timeout: float | None = None) -> np.ndarray[Any, Any]:
        """Blocks until ``count`` requests have finished, or ``timeout`` seconds have passed.

        Args:
            ids: the environments to wait for; None for all that are in flight.
            count: None for all of them.
            timeout: None for no limit.

        Returns: int64, the environments whose requests have finished and are not yet taken, in order of completion.
        """
        self._check_usable()
        ids = self._ids(ids)
        deadline = None if timeout is None else time.monotonic() + timeout
        if count is None:
            count = self._pending(ids)
        done = self._caller.wait(ids, count, timeout)
        while len(done) < count:
            self._look_after_processes()
            remaining = None if deadline is None else deadline - time.monotonic()
            if remaining is not None and remaining <= 0:
                break
            count = min(count, self._pending(ids))
            done = self._caller.wait(ids, count, remaining)
        return done

    def _pending(self, ids: Any) -> int:
        phases = self._caller.phases()
        return int(np.count_nonzero(phases if ids is None else phases[ids]))

    def take_steps(self, ids: Any = None) -> Steps:
        """The results of finished steps and resets, in the order of ``ids`` (None: all).

        Raises:
            RuntimeError: for an environment that has not finished.
        """
        self._check_usable()
        ids = np.arange(self.num_envs) if ids is None else self._ids(ids)
        leaves, rewards, terminated, truncated, flags, elapsed, any_flags = self._caller.take(ids)
        steps = Steps(
            ids, leaves if self._uniform else None, rewards, terminated, truncated, elapsed, flags, self._structures
        )
        if any_flags & _UNUSUAL or not self._uniform:
            self._complete(steps)
        return steps

    def _complete(self, steps: Steps) -> None:
        infos: list[dict[str, Any]] = [{}] * len(steps.ids)
        any_info = False
        for k, env_id in enumerate(map(int, steps.ids)):
            flags = int(steps.flags[k])
            if flags & LOST:
                steps.failures[env_id] = self._lost.pop(env_id)
            elif flags & FAILED:
                steps.failures[env_id] = loaded_failure(self._caller.message(env_id), env_id, "step")
            else:
                if flags & MESSAGE:
                    message = loads(self._caller.message(env_id))
                    steps._messages[k] = message
                    if "info" in message:
                        infos[k], any_info = message["info"], True
                    if "reward" in message:
                        steps.odd_rewards[k] = message["reward"]
                        steps.rewards[k] = np.nan
                if flags & OBSERVATION_IN_ROW and steps.leaves is None:
                    steps._rows[k] = self._caller.rows(env_id)
                if flags & FINAL and "final_observation" not in steps._messages.get(k, {}) and self._structures[env_id] is not None:
                    steps._finals[k] = [each[0] for each in self._caller.final_leaves(np.array([env_id]))]
        if any_info:
            steps.infos = [dict(info) if not info else info for info in infos]

    def take_values(self, ids: Any) -> list[Any]:
        """The results of finished calls in the order of ``ids``; failures are left as EnvFailure objects."""
        self._check_usable()
        ids = np.arange(self.num_envs) if ids is None else self._ids(ids)
        flags = self._caller.take(ids)[4]
        values = []
        for k, env_id in enumerate(map(int, ids)):
            if flags[k] & LOST:
                values.append(self._lost.pop(env_id))
            else:
                values.append(loads(self._caller.message(env_id)))
        return values

    def call(self, ids: Any, operation: str, payloads: Any = None) -> list[Any]:
        """``send_calls``, waits for them, and answers with their results in the order of ``ids``.

        Raises:
            Exception: the first that an environment raised, after all are done.
        """
        self.send_calls(ids, operation, payloads)
        ids = np.arange(self.num_envs) if ids is None else self._ids(ids)
        self.wait(ids, len(ids))
        values = self.take_values(ids)
        for value in values:
            if isinstance(value, EnvFailure):
                raise value.raised()
        return values

    @property
    def in_flight(self) -> np.ndarray[Any, Any]:
        """int64, the environments whose requests are not yet taken."""
        return np.flatnonzero(self._caller.phases())

    def is_ready(self, env_id: int) -> bool:
        """Whether an environment can be asked for something: nothing of it is in flight."""
        return not self._caller.phases()[env_id]

    # --- processes

    def _look_after_processes(self) -> None:
        for process in self._processes:
            if process.worker not in self._dead and not process.alive:
                self._take_death(process)

    def _take_death(self, process: WorkerProcess) -> None:
        error = WorkerDied.of(process.worker, process.pid, process.env_ids, process.exitcode)
        self._dead[process.worker] = error
        for env_id in self._caller.lose_worker(process.worker):
            self._lost[env_id] = EnvFailure.lost(env_id, "step", error)

    def _check_alive(self, ids: Any) -> None:
        if not self._dead:
            return
        for env_id in range(self.num_envs) if ids is None else ids:
            death = self._dead.get(self.worker_of[env_id])
            if death is not None:
                raise EnvFailure.lost(int(env_id), "step", death).raised()

    # --- checks

    def _ids(self, ids: Any) -> np.ndarray[Any, Any] | None:
        return None if ids is None else np.asarray(ids, dtype=np.int64)

    def _check_usable(self, *, initialized: bool = True) -> None:
        if self._closed:
            raise RuntimeError("the environments are closed")
        if os.getpid() != self._pid:
            raise RuntimeError("these environments belong to the parent process: a forked child cannot use them")
        if initialized and self._caller is None:
            raise RuntimeError("the environments are not initialized: call initialize() first")

    # --- ending

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called, or initializing failed."""
        return self._closed

    def close(self, timeout: float = 5.0, terminate: bool = False) -> None:
        """Closes the environments and ends all processes. The second call does nothing.

        Args:
            timeout: seconds that environments have to finish what they are doing and to close. Then processes are
                terminated, then killed.
            terminate: do not wait for environments that are in flight.

        Raises:
            Exception: the first that an environment's ``close`` raised, after all processes have ended.
        """
        if self._closed or os.getpid() != self._pid:
            return
        failures: list[EnvFailure] = []
        deadline = time.monotonic() + (0.0 if terminate else timeout)
        try:
            if self._caller is not None:
                failures = self._close_envs(deadline)
        finally:
            self._closed = True
            if self._caller is not None:
                self._caller.close()
            for process in self._processes:
                process.dismiss()
            end_all(self._processes, max(0.1, deadline - time.monotonic()))
            if self._finalizer is not None:
                self._finalizer.cancel()
        for failure in failures:
            raise failure.raised()

    def _close_envs(self, deadline: float) -> list[EnvFailure]:
        caller, failures = self._caller, []
        asked: set[int] = set()
        closed: set[int] = set()
        lost = {env_id for env_id, worker in enumerate(self.worker_of) if worker in self._dead}
        while True:
            self._look_after_processes()
            lost = {env_id for env_id, worker in enumerate(self.worker_of) if worker in self._dead}
            phases = caller.phases()
            for env_id in range(self.num_envs):
                if env_id in asked or env_id in lost:
                    continue
                if phases[env_id] == 3:
                    caller.take(np.array([env_id]))
                    phases[env_id] = 0
                if phases[env_id] == 0:
                    caller.send_call(env_id, dumps(("close", None)))
                    asked.add(env_id)
            if len(closed | lost) == self.num_envs or time.monotonic() >= deadline:
                return failures
            for env_id in caller.wait(None, 1, 0.02):
                flags = caller.take(np.array([env_id]))[4]
                if int(env_id) in asked:
                    closed.add(int(env_id))
                    if not flags[0] & LOST:
                        value = loads(caller.message(int(env_id)))
                        if isinstance(value, EnvFailure):
                            failures.append(value)


def _end_without_close(block: Any, processes: list[WorkerProcess], pid: int) -> None:
    if os.getpid() != pid:
        return
    try:
        Caller(block).close()
    except Exception:
        pass
    for process in processes:
        process.dismiss()
    end_all(processes, 0.5)


def _loaded(data: bytes | None) -> Any:
    return None if data is None else loads(data)


def _checked_env_fns(env_fns: Any) -> list[Callable[[], Any]]:
    functions = list(env_fns)
    if not functions:
        raise ValueError("env_fns is empty: expected at least one callable that makes an environment")
    for index, function in enumerate(functions):
        if not callable(function):
            raise TypeError(f"env_fns[{index}] is {function!r}: expected a callable that makes an environment")
    return functions


def _check_choice(name: str, value: object, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ValueError(f"{name}={value!r}: expected {', '.join(map(repr, allowed))}")


def _worker_count(num_workers: int | None, num_envs: int, caller_share: bool) -> int:
    if num_workers is None:
        cores = len(available_cores())
        return min(num_envs, cores) if not caller_share else min(num_envs - 1, cores - 1)
    if isinstance(num_workers, bool) or not isinstance(num_workers, (int, np.integer)):
        raise TypeError(f"num_workers={num_workers!r}: expected an integer or None")
    least = 0 if caller_share else 1
    if not least <= num_workers:
        raise ValueError(f"num_workers={num_workers}: expected an integer from {least} to {num_envs}")
    return min(int(num_workers), num_envs - 1 if caller_share else num_envs)


def _shares(num_envs: int, num_workers: int, caller_share: bool) -> list[int]:
    """The worker of each environment, in even shares; -1 for the caller's, which is the last."""
    shares = num_workers + (1 if caller_share else 0)
    workers = [env_id * shares // num_envs for env_id in range(num_envs)]
    return [worker if worker < num_workers else -1 for worker in workers]
