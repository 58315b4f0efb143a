"""Python environments spread over worker processes behind one shared block."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from multiprocessing.context import BaseContext
from typing import Any

import numpy as np

from envpool_rs._arguments import choice
from envpool_rs._workers.answer_flags import LOST, PLAIN_INFO, UNUSUAL
from envpool_rs._workers.env_failure import EnvFailure
from envpool_rs._workers.group_arguments import WAKE_UPS, Ids, checked_ids, checked_seeds
from envpool_rs._workers.hosted_envs import HostOptions
from envpool_rs._workers.recovery import Recovery
from envpool_rs._workers.serialization import ByValue, dumps, loads
from envpool_rs._workers.steps import Steps
from envpool_rs._workers.worker_envs import WorkerEnvs
from envpool_rs._workers.worker_supervisor import WorkerSupervisor

_LOOK_SECONDS = 0.1
"""How often a waiting group looks after its processes at least."""


class WorkerGroup:
    """Python environments spread over worker processes (and, where asked, the caller's own), behind one shared block.

    Args:
        env_fns: callables that make one environment each.
        num_workers: worker processes; None for one on each available core, at most one for each environment.
        caller_share: the calling process hosts and steps a share of the environments itself, beside the workers
            (then one fewer by default).
        context: multiprocessing's start method or context; None for its default.
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
        restarts: the books of what is lost; ``restarts.counts`` tells how often each worker was made anew.

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
        lenient: bool = False,
        adapt: bool = True,
        restart: bool = False,
        wrap: Callable[[Any], Any] | None = None,
        daemon: bool = True,
        pin_offset: int = -1,
        wake_up: str = "auto",
        start: bool = True,
    ) -> None:
        choice("wake_up", wake_up, WAKE_UPS)
        self._look_at = 0.0
        self._caller: Any = None
        self._envs = WorkerEnvs(
            env_fns,
            HostOptions(lenient, adapt, None if wrap is None else ByValue("wrap", wrap)),
            num_workers=num_workers,
            caller_share=caller_share,
            context=context,
            daemon=daemon,
            pin_offset=pin_offset,
            wake_up=wake_up,
        )
        self._processes = self._envs.processes
        self.num_envs = self._envs.num_envs
        self.num_workers = self._envs.num_workers
        self.worker_of = self._envs.worker_of
        self.restarts = Recovery(self.num_envs, self.num_workers, restart=restart)
        self._all = np.arange(self.num_envs)
        if start:
            self.initialize()

    # Making the environments

    def initialize(self) -> None:
        """Waits until every environment is made. Once they are, it does nothing.

        Raises:
            Exception: what a factory raised, naming the environment; all processes are ended first.
        """
        if self._caller is not None:
            return
        self._check_mine()
        self._envs.make()
        made, rows, caller = self._envs.made, self._envs.rows, self._envs.caller
        assert made is not None and rows is not None and caller is not None  # they are made now
        self.observation_spaces = made.observation_spaces
        self.action_spaces = made.action_spaces
        self.descriptions = made.descriptions
        self._structures = [layout.structure for layout in made.layouts]
        self._uniform = made.uniform
        self._supervisor = WorkerSupervisor(caller, self._processes, self.worker_of, rows, self.restarts)
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
        if self._supervisor.eventful:
            self._supervisor.check_reachable(every := self._every(ids))
            ids, actions = self._supervisor.send_due_resets(every, actions) or (ids, actions)
        self._caller.send_steps(ids, actions, dumps)

    def send_resets(self, ids: Any, seeds: Any = None, options: Any = None, **keywords: Any) -> None:
        """Asks environments for ``reset(seed=..., options=..., **keywords)``; what is None is left out.

        Raises: as ``send_steps``.
        """
        self._check_usable()
        ids = checked_ids(ids)
        every = self._every(ids)
        seeds = checked_seeds(seeds, len(every))
        if options is not None:
            keywords["options"] = options
        data = dumps(keywords) if keywords else None
        self._supervisor.check_reachable(every)
        self._caller.send_resets(ids, self.restarts.seeds_of_resets(every, seeds), data)
        self._supervisor.note_resets(every, seeds, data)

    def send_calls(self, ids: Any, operation: str, payloads: Any = None) -> None:
        """Asks environments for something else.

        Args:
            ids: environments, each once; None for all.
            operation: ``"get_attr"`` (payload: the name), ``"set_attr"`` ((name, value)), ``"call"`` ((name, args,
                keywords)), ``"apply"`` ((function, args): calls ``function(env, *args)``), ``"render"`` (keywords or
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
        self._supervisor.check_reachable(every)
        self._supervisor.check_sendable(every)
        for env_id, message in zip(every, messages, strict=True):
            self._caller.send_call(env_id, message)
        self._supervisor.note_calls(every, operation, payloads)

    def wait(self, ids: Any = None, count: int | None = None, timeout: float | None = None) -> Ids:
        """Blocks until ``count`` requests have finished, or ``timeout`` seconds have passed.

        Ctrl-C loses nothing: requests stay in flight.

        Args:
            ids: the environments to wait for; None for all that are in flight.
            count: None for all of them. Never more than are in flight.
            timeout: None for no limit.

        Returns: int64, the environments whose requests have finished and are not yet taken, in order of completion.
        """
        self._check_usable()
        now = time.monotonic()
        if now > self._look_at:
            # Also where requests of other workers keep filling the batches.
            self._look_at = now + _LOOK_SECONDS
            self._supervisor.look_after_processes()
        ids = checked_ids(ids)
        if count is None or self._supervisor.eventful:
            count = self._supervisor.awaited(ids, count)
        deadline = None if timeout is None else time.monotonic() + timeout
        done: Ids = self._caller.wait(ids, count, timeout)
        while len(done) < count:
            self._supervisor.look_after_processes()
            count = self._supervisor.awaited(ids, count)
            remaining = None if deadline is None else deadline - time.monotonic()
            if len(done) >= count or (remaining is not None and remaining <= 0):
                break
            done = self._caller.wait(ids, count, remaining)
        if self._supervisor.eventful:
            self._supervisor.note_completed(done)
        return done

    def take_steps(self, ids: Any = None) -> Steps:
        """The results of finished steps and resets, in the order of ``ids`` (None: all).

        Args:
            ids: environments, each once; None for all.

        Raises:
            RuntimeError: for an environment that has not finished.
        """
        self._check_usable()
        every = checked_ids(ids)
        every = self._all if every is None else every
        leaves, rewards, terminated, truncated, flags, flags_of_any = self._caller.take(every)
        steps = Steps(every, leaves if self._uniform else None, rewards, terminated, truncated, flags, self._structures)
        if flags_of_any & PLAIN_INFO:
            steps.infos = self._caller.infos(every)
        if flags_of_any & UNUSUAL or not self._uniform:
            steps.read_messages(self._caller, self._supervisor.lost)
        self._supervisor.complete(steps)
        return steps

    def take_values(self, ids: Any = None) -> list[Any]:
        """The results of finished calls in the order of ``ids``; failures are left as EnvFailure objects.

        Raises: as ``take_steps``.
        """
        self._check_usable()
        every = checked_ids(ids)
        every = self._all if every is None else every
        flags = self._caller.take(every, False)[4]
        values = [self._value(*each) for each in zip(every.tolist(), flags.tolist(), strict=True)]
        self._supervisor.forget_requests(every)
        return values

    def _value(self, env_id: int, flags: int) -> Any:
        if flags & LOST:
            return self._supervisor.lost.pop(env_id)
        try:
            return loads(self._caller.message(env_id))
        except Exception as error:
            return EnvFailure.of(env_id, self._supervisor.operation(env_id), error)

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
            self._supervisor.abandon(every.tolist())
            raise
        values = self.take_values(every)
        for value in values:
            if isinstance(value, EnvFailure):
                raise value.raised()
        return values

    def discard(self, ids: Any = None) -> None:
        """Waits for what is in flight of ``ids`` (None: all), and drops the results."""
        wanted = self._every(checked_ids(ids))
        busy = np.intersect1d(self.in_flight, np.array(wanted, np.int64))
        if len(busy):
            self._supervisor.take_back(busy)
            self.wait(busy, len(busy))
            self._supervisor.drop(busy)

    @property
    def in_flight(self) -> Ids:
        """int64, the environments whose requests are not yet taken."""
        self._check_usable()
        self._supervisor.drop_abandoned()
        return np.flatnonzero(self._caller.states())

    @property
    def awaited_ids(self) -> Ids:
        """int64, those in flight whose results somebody is to take: without the calls that were given up."""
        self._check_usable()
        return self._supervisor.awaited_ids()

    def is_ready(self, env_id: int) -> bool:
        """Whether an environment can be asked for something: no request of it is in flight."""
        self._check_usable()
        self._supervisor.drop_abandoned()
        return bool(self._caller.states()[checked_ids([env_id])][0] == 0)

    def _every(self, ids: Ids | None) -> list[int]:
        return list(range(self.num_envs)) if ids is None else ids.tolist()

    # Checks

    def _check_usable(self) -> None:
        # Whether it is another process is the extension's to see.
        if self._caller is None or self._envs.ended:
            self._check_mine()
            raise RuntimeError("the environments are not initialized: call initialize() first")

    def _check_mine(self) -> None:
        if self._envs.ended:
            raise RuntimeError("the environments are closed")
        if not self._envs.is_mine:
            raise RuntimeError("these environments belong to the parent process: a forked child cannot use them")

    # Ending

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called, or the environments could not be made."""
        return self._envs.ended

    def close(self, timeout: float = 5.0, terminate: bool = False) -> None:
        """Closes the environments and ends all processes. The second call does nothing.

        Args:
            timeout: seconds that environments have to finish what they are doing and to close. Then processes are
                terminated, then killed.
            terminate: processes with an environment in flight are terminated at once.

        Raises:
            Exception: the first that an environment's ``close`` raised, after all processes have ended.
        """
        for failure in self._envs.end(timeout, terminate=terminate):
            raise failure.raised()
