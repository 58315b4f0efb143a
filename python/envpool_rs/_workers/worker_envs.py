"""Makes and ends Python environments in worker processes."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.context import BaseContext
from multiprocessing.util import Finalize
from typing import Any

from envpool_rs._arguments import functions
from envpool_rs._core import EnvHost, SharedBlock
from envpool_rs._workers.env_failure import EnvFailure, load_failure
from envpool_rs._workers.group_arguments import assign_workers, worker_count
from envpool_rs._workers.hosted_envs import EnvCreationError, EnvReport, HostedEnvs, HostOptions
from envpool_rs._workers.observation_layout import ObservationLayout, RowLayouts
from envpool_rs._workers.serialization import ByValue, loads
from envpool_rs._workers.worker_process import resolve_context
from envpool_rs._workers.worker_processes import WorkerProcesses


class WorkerEnvs:
    """Python environments in worker processes (and optionally in the caller's), with one block of shared memory.

    This class makes, describes and ends the environments. Other classes send requests to the environments.

    Args:
        env_fns: callables that make one environment each.
        options: how environments are made and run.
        final_rows: whether to allocate rows for final observations of episodes, for autoreset in the same step.
        num_workers, caller_share, context, daemon, pin_offset, wake_up: as for `WorkerGroup`.

    Attributes:
        num_envs: number of environments.
        num_workers: number of worker processes.
        worker_of: the worker of each environment; -1 for the caller's own.
        block: the shared block.
        processes: the worker processes.
        reports: the environments' descriptions; None until all of them are made.
        rows: the layout of the block's rows; None until all environments are made.
        host: executor of the caller's own environments; None until all are made, or if the caller hosts none.
        ended: whether the environments were ended, or could not be made.

    Raises:
        ValueError, TypeError: for arguments out of range, naming them; for a factory that cannot be pickled.
    """

    def __init__(
        self,
        env_fns: Sequence[Callable[[], Any]],
        options: HostOptions,
        *,
        final_rows: bool = False,
        num_workers: int | None = None,
        caller_share: bool = False,
        context: str | BaseContext | None = None,
        daemon: bool = True,
        pin_offset: int = -1,
        wake_up: str = "auto",
    ) -> None:
        makers = functions("env_fns", env_fns)
        self.num_envs = len(makers)
        self.num_workers = worker_count(num_workers, self.num_envs, caller_share)
        self.worker_of = assign_workers(self.num_envs, self.num_workers, caller_share)
        self.reports: EnvReports | None = None
        self.rows: RowLayouts | None = None
        self.host: EnvHost | None = None
        self._env_fns = [ByValue(f"env_fns[{index}]", function) for index, function in enumerate(makers)]
        self._options = options
        self._final_rows = final_rows
        self._pid = os.getpid()
        self.ended = False
        self._ending = threading.RLock()
        self._own: HostedEnvs | None = None
        self.block = SharedBlock(self.worker_of, wake_up=wake_up)
        self.processes = WorkerProcesses(
            resolve_context(context),
            self.block,
            self.worker_of,
            self._env_fns,
            options,
            daemon=daemon,
            pin_offset=pin_offset,
        )
        # At the interpreter's exit, this finalizer runs before multiprocessing waits for its children; in a forked
        # process it does nothing.
        self._hosts: list[HostedEnvs] = []
        self._finalizer = Finalize(self, _end_unclosed, (self.processes, self._hosts), exitpriority=20)
        try:
            self.processes.start()
        except BaseException as error:
            self.abandon(at_once=not isinstance(error, Exception))
            raise

    def abandon(self, *, at_once: bool = False) -> None:
        """Ends the processes of environments that could not be made or are no longer needed.

        Args:
            at_once: whether to end processes without waiting for environments that are being made.
        """
        self.ended = True
        if at_once:
            self.processes.kill_unreported()
        self.processes.end(1.0)
        self._finalizer.cancel()
        if self._own is not None:
            self._own.close_all()

    def make(self) -> None:
        """Waits until every environment is made.

        Raises:
            Exception: a factory's exception, naming the environment; all processes are ended first.
        """
        try:
            reports = {**self._make_own(), **self.processes.reports()}
            self._set_up(EnvReports([reports[env_id] for env_id in range(self.num_envs)]))
        except BaseException as error:
            self.abandon(at_once=not isinstance(error, Exception))
            raise

    def _make_own(self) -> dict[int, EnvReport]:
        ids = [env_id for env_id, worker in enumerate(self.worker_of) if worker < 0]
        if not ids:
            return {}
        own = HostedEnvs(ids, [self._env_fns[env_id] for env_id in ids], self._options)
        try:
            own.make()
        except EnvCreationError as not_made:
            if isinstance(not_made.__cause__, KeyboardInterrupt):  # Ctrl-C is meant for the caller
                raise not_made.__cause__ from None
            raise load_failure(not_made.failure, ids[0], "make").raised() from None
        self._own = own
        self._hosts.append(own)
        return dict(zip(ids, own.reports(), strict=True))

    def _set_up(self, reports: EnvReports) -> None:
        rows = reports.rows(final_rows=self._final_rows)
        self.block.allocate(rows.layouts, rows.final_rows)
        self.host = None if self._own is None else self._own.host(self.block, rows)
        self.processes.serve(rows)
        self.reports, self.rows = reports, rows

    @property
    def is_owner_process(self) -> bool:
        """Whether this process made the environments; False in a forked child."""
        return os.getpid() == self._pid

    def end(self, timeout: float) -> list[EnvFailure]:
        """Ends all processes, and closes the caller's own environments. A second call only waits for the first.

        Args:
            timeout: seconds for processes to exit, at most one. Then they are terminated, then killed.

        Returns: the failures that the caller's own environments raised.
        """
        if not self.is_owner_process:
            return []
        # During the interpreter's shutdown, the lock may be held by a thread that no longer runs, so it is not waited
        # for.
        if not self._ending.acquire(blocking=not sys.is_finalizing()):
            return []
        try:
            if self.ended:
                return []
            self.ended = True
            self.processes.end(min(1.0, max(0.1, timeout)))
            self._finalizer.cancel()
            return [] if self._own is None else self._own.close_all()
        finally:
            self._ending.release()


def _end_unclosed(processes: WorkerProcesses, hosts: list[HostedEnvs]) -> None:
    """Ends the processes, and closes the caller's own environments, of a group that was not closed."""
    try:
        processes.end(2.0)
    finally:
        for host in hosts:
            host.close_all()


class EnvReports:
    """Descriptions of all environments of a group.

    Args:
        reports: the descriptions, one for each environment.

    Attributes:
        observation_spaces, action_spaces: spaces of each environment; None if it declares no space.
        descriptions: for each environment, a dict with metadata, spec, reward_range, render_mode, and agent_spaces
            of PettingZoo's environments; None for a missing entry.
        layouts: layout of each environment's observations.
        uniform: whether all observations are in rows of one layout.

    Raises:
        Exception: if a space cannot be unpickled in this process, naming its environment.
    """

    def __init__(self, reports: Sequence[EnvReport]) -> None:
        self._reports = reports
        each = list(enumerate(reports))
        self.observation_spaces = [_loaded(env_id, report.observation_space) for env_id, report in each]
        self.action_spaces = [_loaded(env_id, report.action_space) for env_id, report in each]
        self.descriptions = [
            {name: _loaded_or_none(data) for name, data in report.description.items()} for report in reports
        ]
        self.layouts = [ObservationLayout.of(space) for space in self.observation_spaces]
        first = self.layouts[0]
        self.uniform = first.structure is not None and all(layout == first for layout in self.layouts)

    def rows(self, *, final_rows: bool) -> RowLayouts:
        """Returns the layout of the rows; with ``final_rows`` also of rows for final observations of episodes.

        If layouts differ between environments, observations are sent as messages.
        """
        layouts = [layout.rows if self.uniform else [] for layout in self.layouts]
        return RowLayouts(layouts, final_rows, [report.observation_space for report in self._reports])


def _loaded(env_id: int, data: bytes | None) -> Any:
    if data is None:
        return None
    try:
        return loads(data)
    except Exception as error:
        raise EnvFailure.of(env_id, "make", error).raised() from error


def _loaded_or_none(data: bytes | None) -> Any:
    try:
        return None if data is None else loads(data)
    except Exception:
        return None
