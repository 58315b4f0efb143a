"""Python environments spread over worker processes behind one shared block."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from multiprocessing.context import BaseContext
from multiprocessing.util import Finalize
from typing import Any

import numpy as np

from envpool_rs.workers.all_rows import AllRows
from envpool_rs.workers.closing import close_envs
from envpool_rs.workers.env_failure import EnvFailure, WorkerDied, loaded_failure
from envpool_rs.workers.group_arguments import (
    AUTORESETS,
    WAKE_UPS,
    check_choice,
    checked_env_fns,
    checked_ids,
    checked_seeds,
    shares,
    worker_count,
)
from envpool_rs.workers.hosted_envs import EnvNotMadeError, EnvReport, HostedEnvs, HostOptions
from envpool_rs.workers.observation_layout import ObservationLayout
from envpool_rs.workers.restarts import Restarts
from envpool_rs.workers.serialization import ByValue, dumps, loads
from envpool_rs.workers.steps import Steps
from envpool_rs._core import Caller, SharedBlock
from envpool_rs.workers.answer_flags import LOST, UNUSUAL
from envpool_rs.workers.worker_process import WorkerProcess, context_of
from envpool_rs.workers.worker_processes import WorkerProcesses

_Ids = np.ndarray[Any, np.dtype[np.int64]]


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
        restart: make dead workers anew, and reset their environments.
        wrap: applied to each environment after its factory, in the process that hosts it.
        daemon: worker processes are daemonic: they may not have children of their own by multiprocessing.
        pin_offset: pin worker w to the available core ``pin_offset + w``; -1 for no pinning.
        wake_up: ``"auto"``, ``"futex"`` or ``"poll"``.
        start: wait until all environments are made. False: processes are started, ``initialize`` is called later.

    Attributes:
        num_envs: environments.
        num_workers: worker processes.
        worker_of: the worker of each environment; -1 for the caller's own.
        observation_spaces, action_spaces: of each environment, once they are made; None where it declares none.
        descriptions: of each, a dict with metadata, spec, reward_range and render_mode, None where it has none.
        restarts: the books of the restart policy; ``restarts.counts`` tells how often each worker was made anew.

    Raises:
        ValueError, TypeError: for arguments out of range, naming them; for a factory that cannot be pickled.
        Exception: what a factory raised, naming its environment.
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
        functions = checked_env_fns(env_fns)
        check_choice("autoreset", autoreset, AUTORESETS)
        check_choice("wake_up", wake_up, WAKE_UPS)
        self.num_envs = len(functions)
        self.num_workers = worker_count(num_workers, self.num_envs, caller_share)
        self._all = np.arange(self.num_envs)
        self.worker_of = shares(self.num_envs, self.num_workers, caller_share)
        self.restarts = Restarts(self.num_workers)
        self._env_fns = [ByValue(f"env_fns[{index}]", function) for index, function in enumerate(functions)]
        self._options = HostOptions(autoreset, lenient, adapt, None if wrap is None else ByValue("wrap", wrap))
        self._restart = restart
        self._pid = os.getpid()
        self._closed = False
        self._caller: Any = None
        self._own: HostedEnvs | None = None
        # Requests that are no steps, by environment, until they are taken: (operation, arguments).
        self._requests: dict[int, tuple[str, Any]] = {}
        self._lost: dict[int, EnvFailure] = {}
        self._dead: dict[int, WorkerDied] = {}
        self._abandoned: set[int] = set()
        # Whether a send must look at any of these first.
        self._eventful = False
        self._block = SharedBlock(self.worker_of, wake_up=wake_up)
        self._processes = WorkerProcesses(
            context_of(context),
            self._block,
            self.worker_of,
            self._env_fns,
            self._options,
            daemon=daemon,
            pin_offset=pin_offset,
        )
        # At exit it comes before multiprocessing waits for its children; in a fork it does nothing.
        self._finalizer = Finalize(self, self._processes.end, (0.5,), exitpriority=20)
        try:
            self._processes.start()
            if start:
                self.initialize()
        except BaseException:
            self._abandon()
            raise

    def _abandon(self) -> None:
        self._closed = True
        self._finalizer.cancel()
        self._processes.end(1.0)
        if self._own is not None:
            self._own.close_all()

    # Making the environments

    def initialize(self) -> None:
        """Waits until every environment is made. Once they are, it does nothing.

        Raises:
            Exception: what a factory raised, naming the environment; all processes are ended first.
        """
        if self._caller is not None:
            return
        self._check_mine()
        try:
            reports = {**self._made_here(), **self._processes.reports()}
            self._set_up([reports[env_id] for env_id in range(self.num_envs)])
        except BaseException:
            self._abandon()
            raise

    def _made_here(self) -> dict[int, EnvReport]:
        ids = [env_id for env_id, worker in enumerate(self.worker_of) if worker < 0]
        if not ids:
            return {}
        own = HostedEnvs(ids, [self._env_fns[env_id] for env_id in ids], self._options)
        try:
            own.make()
        except EnvNotMadeError as not_made:
            raise loaded_failure(not_made.failure, ids[0], "make").raised() from None
        self._own = own
        return dict(zip(ids, own.reports(), strict=True))

    def _set_up(self, reports: list[EnvReport]) -> None:
        self.observation_spaces = [_loaded(report.observation_space) for report in reports]
        self.action_spaces = [_loaded(report.action_space) for report in reports]
        self.descriptions = [{name: _loaded(data) for name, data in each.description.items()} for each in reports]
        layouts = [ObservationLayout.of(space) for space in self.observation_spaces]
        self._structures = [layout.structure for layout in layouts]
        self._uniform = layouts[0].structure is not None and all(layout == layouts[0] for layout in layouts)
        self._rows = AllRows(
            [layout.rows for layout in layouts],
            self._options.autoreset == "same_step",
            [report.observation_space for report in reports],
        )
        self._block.allocate(self._rows.layouts, self._rows.final_rows)
        caller = Caller(self._block, None if self._own is None else self._own.host(self._block, self._rows))
        self._shared = [self._block.leaf(k) for k in range(len(layouts[0].leaves))] if self._uniform else None
        self._processes.serve(self._rows, caller)
        self._caller = caller

    # Asynchronous primitives

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
        ids = checked_ids(ids)
        if self._eventful:
            ids, actions = self._without_resets(ids, actions)
        self._caller.send_steps(ids, actions, dumps)

    def send_resets(self, ids: Any, seeds: Any = None, options: Any = None, **keywords: Any) -> None:
        """Asks environments for ``reset(seed=..., options=..., **keywords)``; what is None is left out.

        Raises: as ``send_steps``.
        """
        self._check_usable()
        ids = checked_ids(ids)
        every = self._every(ids)
        seeds = checked_seeds(seeds, len(every))
        if self._eventful:
            self._check_reachable(every)
        if options is not None:
            keywords["options"] = options
        data = dumps(keywords) if keywords else None
        self._caller.send_resets(ids, seeds, data)
        self._requests.update((env_id, ("reset", data)) for env_id in every)
        if self._restart:
            self._take_down_resets(every, seeds)

    def send_calls(self, ids: Any, operation: str, payloads: Any = None) -> None:
        """Asks environments for something else.

        Args:
            ids: environments, each once; None for all.
            operation: ``"get_attr"`` (payload: the name), ``"set_attr"`` ((name, value)), ``"call"`` ((name, args,
                keywords)), ``"apply"`` ((function, arguments): ``function(env, *arguments)``), ``"render"`` (keywords or
                None), ``"seed"`` (the seed), ``"close"``.
            payloads: one for each environment; None for None everywhere.

        Raises: as ``send_steps``; TypeError for a payload that cannot be pickled.
        """
        self._check_usable()
        every = self._every(checked_ids(ids))
        payloads = [None] * len(every) if payloads is None else list(payloads)
        if len(payloads) != len(every):
            raise ValueError(f"{len(payloads)} payloads for {len(every)} environments: expected one for each")
        messages = [dumps((operation, payload)) for payload in payloads]
        if self._eventful:
            self._check_reachable(every)
        self._check_sendable(every)
        for env_id, message in zip(every, messages, strict=True):
            self._caller.send_call(env_id, message)
            self._requests[env_id] = (operation, None)
        if self._restart and operation == "seed":
            self.restarts.take_down_seeds(every, payloads)

    def wait(self, ids: Any = None, count: int | None = None, timeout: float | None = None) -> _Ids:
        """Blocks until ``count`` requests have finished, or ``timeout`` seconds have passed.

        Ctrl-C loses nothing: requests stay in flight.

        Args:
            ids: the environments to wait for; None for all that are in flight.
            count: None for all of them. Never more than are in flight.
            timeout: None for no limit.

        Returns: int64, the environments whose requests have finished and are not yet taken, in order of completion.
        """
        self._check_usable()
        ids = checked_ids(ids)
        if count is None or self._eventful:
            count = self._waitable(ids, count)
        deadline = None if timeout is None else time.monotonic() + timeout
        done: _Ids = self._caller.wait(ids, count, timeout)
        while len(done) < count:
            self._look_after_processes()
            count = self._waitable(ids, count)
            remaining = None if deadline is None else deadline - time.monotonic()
            if len(done) >= count or (remaining is not None and remaining <= 0):
                break
            done = self._caller.wait(ids, count, remaining)
        if self.restarts.unproven:
            self._take_down_completed(done)
        return done

    def take_steps(self, ids: Any = None, copy: bool = True) -> Steps:
        """The results of finished steps and resets, in the order of ``ids`` (None: all).

        Args:
            ids: environments, each once; None for all.
            copy: False: where all environments have equal rows, and ``ids`` is None, observations are
                ``shared_leaves`` themselves, which change with the next step.

        Raises:
            RuntimeError: for an environment that has not finished.
        """
        self._check_usable()
        every = self._all if ids is None else checked_ids(ids)
        shared = None if copy or ids is not None else self._shared
        leaves, *arrays, flags_of_any = self._caller.take(every, shared is None)
        steps = Steps(every, (shared or leaves) if self._uniform else None, *arrays, self._structures)
        if flags_of_any & UNUSUAL or not self._uniform:
            steps.read_messages(self._caller, self._lost)
        if self.restarts.answers:
            self._tell_of_restarts(steps)
        if self._requests:
            self._forget_requests(every)
        return steps

    @property
    def shared_leaves(self) -> list[np.ndarray[Any, Any]] | None:
        """The rows of all environments themselves, [num_envs, *shape] for each leaf; None unless all have equal rows."""
        return self._shared

    def take_values(self, ids: Any = None) -> list[Any]:
        """The results of finished calls in the order of ``ids``; failures are left as EnvFailure objects.

        Raises: as ``take_steps``.
        """
        self._check_usable()
        ids = self._all if ids is None else checked_ids(ids)
        flags = self._caller.take(ids)[4]
        values = []
        for env_id, flag in zip(ids.tolist(), flags.tolist(), strict=True):
            operation = self._requests.get(env_id, ("call", None))[0]
            values.append(self._lost.pop(env_id) if flag & LOST else self._value(env_id, operation))
        self._forget_requests(ids)
        return values

    def _value(self, env_id: int, operation: str) -> Any:
        try:
            return loads(self._caller.message(env_id))
        except Exception as error:
            return EnvFailure.of(env_id, operation, error)

    def discard(self, ids: Any = None) -> None:
        """Waits for what is in flight of ``ids`` (None: all), and drops the results."""
        wanted = self._every(checked_ids(ids))
        busy = np.intersect1d(self.in_flight, np.array(wanted, np.int64))
        if len(busy):
            self.wait(busy, len(busy))
            self._drop(busy)

    def _drop(self, ids: _Ids) -> None:
        self._caller.take(ids, False)
        for env_id in ids.tolist():
            self._lost.pop(env_id, None)
            self._requests.pop(env_id, None)
            if self.restarts.answers.pop(env_id, None):
                self.restarts.untold.add(env_id)

    def call(self, ids: Any, operation: str, payloads: Any = None) -> list[Any]:
        """``send_calls``, waits for them, and answers with their results in the order of ``ids``.

        Raises:
            Exception: the first that an environment raised, after all are done.
        """
        self.send_calls(ids, operation, payloads)
        every = np.array(self._every(checked_ids(ids)), np.int64)
        try:
            self.wait(every, len(every))
        except BaseException:
            # Nobody will take these results; they must not be in the way of the next request.
            self._abandoned.update(every.tolist())
            self._eventful = True
            raise
        values = self.take_values(every)
        for value in values:
            if isinstance(value, EnvFailure):
                raise value.raised()
        return values

    @property
    def in_flight(self) -> _Ids:
        """int64, the environments whose requests are not yet taken."""
        self._check_usable()
        self._drop_abandoned()
        return np.flatnonzero(self._caller.phases())

    def is_ready(self, env_id: int) -> bool:
        """Whether an environment can be asked for something: nothing of it is in flight."""
        self._check_usable()
        self._drop_abandoned()
        return not self._caller.phases()[env_id]

    def _every(self, ids: _Ids | None) -> list[int]:
        return list(range(self.num_envs)) if ids is None else ids.tolist()

    def _forget_requests(self, ids: _Ids) -> None:
        for env_id in ids.tolist():
            self._requests.pop(env_id, None)

    # Processes that die

    def _look_after_processes(self) -> None:
        for process in self._processes:
            if process.worker not in self._dead and not process.alive:
                self._take_death(process)

    def _take_death(self, process: WorkerProcess) -> None:
        lost = self._caller.lose_worker(process.worker)
        again = self._restart and process.worker not in self.restarts.unproven
        why = " (a second time in a row, without a request completed between)" if self._restart and not again else ""
        error = process.death(why)
        self._eventful = True
        if again:
            self._make_anew(process, lost, error)
            return
        self._dead[process.worker] = error
        self._lost.update((env_id, EnvFailure.lost(env_id, self._operation(env_id), error)) for env_id in lost)

    def _operation(self, env_id: int) -> str:
        return self._requests.get(env_id, ("step", None))[0]

    def _make_anew(self, process: WorkerProcess, lost: list[int], error: WorkerDied) -> None:
        worker = process.worker
        self.restarts.counts[worker] += 1
        self.restarts.unproven.add(worker)
        again = [env_id for env_id in lost if self._operation(env_id) in ("step", "reset")]
        if again:
            self._caller.take(np.array(again, np.int64))
        self._caller.renew_worker(worker)
        self._processes.renew(worker, self._rows)
        for env_id in process.env_ids:
            self.restarts.answers.pop(env_id, None)
            if env_id in again:
                self._reset_anew(env_id, worker)
                continue
            self.restarts.untold.add(env_id)
            if env_id in lost:
                self._lost[env_id] = EnvFailure.lost(env_id, self._operation(env_id), error)

    def _reset_anew(self, env_id: int, worker: int) -> None:
        """Sends the reset that answers the request which the dead process took with it."""
        operation, keywords = self._requests.get(env_id, ("step", None))
        self.restarts.answers[env_id] = operation == "step"
        self.restarts.forget([env_id])
        self._caller.send_resets(np.array([env_id]), [self.restarts.seed_of(env_id, worker)], keywords)

    def _take_down_resets(self, env_ids: list[int], seeds: Sequence[int | None] | None) -> None:
        self.restarts.take_down_seeds(env_ids, seeds)
        self.restarts.answers.update((env_id, False) for env_id in env_ids if env_id in self.restarts.untold)
        self.restarts.forget(env_ids)

    def _take_down_completed(self, done: _Ids) -> None:
        self.restarts.unproven.difference_update(self.worker_of[env_id] for env_id in done if env_id not in self._lost)

    def _tell_of_restarts(self, steps: Steps) -> None:
        for k, env_id in enumerate(steps.ids.tolist()):
            step = self.restarts.answers.pop(env_id, None)
            if step is None or env_id in steps.failures:
                continue
            steps.tell_of_restart(k, truncated=step)
            if step and self._options.autoreset == "next_step":
                self.restarts.resets_due.add(env_id)
                self._eventful = True

    # Sends that must look twice

    def _check_reachable(self, env_ids: list[int]) -> None:
        self._drop_abandoned()
        for env_id in env_ids:
            death = self._dead.get(self.worker_of[env_id]) if 0 <= env_id < self.num_envs else None
            if death is not None:
                raise EnvFailure.lost(env_id, "step", death).raised()

    def _check_sendable(self, env_ids: list[int]) -> None:
        phases = self._caller.phases()
        if len(set(env_ids)) != len(env_ids):
            twice = next(each for each in env_ids if env_ids.count(each) > 1)
            raise ValueError(f"environment {twice} is named twice: expected each once")
        for index, env_id in enumerate(env_ids):
            if not 0 <= env_id < self.num_envs:
                raise IndexError(f"ids[{index}] is {env_id}: expected an integer from 0 to {self.num_envs - 1}")
            if phases[env_id]:
                raise RuntimeError(f"environment {env_id} is in flight: its last request must be taken first")

    def _without_resets(self, ids: _Ids | None, actions: Any) -> tuple[_Ids | None, Any]:
        """Resets the environments whose turn it is after a restart; the others, and their actions, are left to step."""
        every = self._every(ids)
        self._check_reachable(every)
        restarts = self.restarts
        if restarts.untold.isdisjoint(every) and restarts.resets_due.isdisjoint(every):
            self._eventful = bool(self._dead or restarts.untold or restarts.resets_due or self._abandoned)
            return ids, actions
        self._check_sendable(every)
        if len(actions) != len(every):
            raise ValueError(f"{len(actions)} actions for {len(every)} environments: expected one for each")
        stepped = []
        for k, env_id in enumerate(every):
            if env_id in restarts.untold:
                self._reset_anew(env_id, self.worker_of[env_id])
            elif env_id in restarts.resets_due:
                restarts.resets_due.discard(env_id)
                self._caller.send_resets(np.array([env_id]), None, None)
            else:
                stepped.append(k)
        chosen = actions[stepped] if isinstance(actions, np.ndarray) else [actions[k] for k in stepped]
        return np.array([every[k] for k in stepped], np.int64), chosen

    def _drop_abandoned(self) -> None:
        if not self._abandoned:
            return
        phases = self._caller.phases()
        finished = [env_id for env_id in self._abandoned if phases[env_id] == 3]  # noqa: PLR2004
        if finished:
            self._drop(np.array(finished, np.int64))
            self._abandoned.difference_update(finished)

    def _waitable(self, ids: _Ids | None, count: int | None) -> int:
        """How many requests there are to wait for, at most ``count``."""
        self._drop_abandoned()
        phases = self._caller.phases()
        if self._abandoned:
            phases[list(self._abandoned)] = 0
        waitable = int(np.count_nonzero(phases if ids is None else phases[ids]))
        return waitable if count is None else min(count, waitable)

    # Checks

    def _check_usable(self) -> None:
        if self._caller is None or self._closed or os.getpid() != self._pid:
            self._check_mine()
            raise RuntimeError("the environments are not initialized: call initialize() first")

    def _check_mine(self) -> None:
        if self._closed:
            raise RuntimeError("the environments are closed")
        if os.getpid() != self._pid:
            raise RuntimeError("these environments belong to the parent process: a forked child cannot use them")

    # Ending

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called, or the environments could not be made."""
        return self._closed

    def close(self, timeout: float = 5.0, terminate: bool = False) -> None:
        """Closes the environments and ends all processes. The second call does nothing.

        Args:
            timeout: seconds that environments have to finish what they are doing and to close. Then processes are
                terminated, then killed.
            terminate: processes with an environment in flight are terminated at once.

        Raises:
            Exception: the first that an environment's ``close`` raised, after all processes have ended.
        """
        if self._closed or os.getpid() != self._pid:
            return
        failures: list[EnvFailure] = []
        deadline = time.monotonic() + timeout
        try:
            if self._caller is not None:
                failures = close_envs(self._caller, self._processes, self.worker_of, deadline, terminate=terminate)
        finally:
            self._closed = True
            self._finalizer.cancel()
            self._processes.end(min(1.0, max(0.1, deadline - time.monotonic())))
            if self._own is not None:
                failures += self._own.close_all()
        for failure in failures:
            raise failure.raised()


def _loaded(data: bytes | None) -> Any:
    return None if data is None else loads(data)
