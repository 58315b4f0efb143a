"""Starts, monitors, restarts and ends the worker processes of a group."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from multiprocessing.connection import wait as wait_for_any
from multiprocessing.context import BaseContext
from typing import Any

from envpool_rs._core import SharedBlock
from envpool_rs._workers.group_arguments import available_cores
from envpool_rs._workers.hosted_envs import EnvReport, HostOptions
from envpool_rs._workers.observation_layout import RowLayouts
from envpool_rs._workers.serialization import ByValue
from envpool_rs._workers.worker_main import WorkerStart
from envpool_rs._workers.worker_process import WorkerProcess, block_interrupts, end_all, start_multiprocessing

_LOOK_SECONDS = 0.05


class WorkerProcesses:
    """All worker processes of a group: starts, monitors, restarts and ends them.

    Args:
        context: multiprocessing's context that starts the processes.
        block: the shared block.
        worker_of: the worker of each environment; -1 for environments without a worker.
        env_fns: the factories of all environments.
        options: how environments are made and run.
        daemon: whether the processes are daemonic.
        pin_offset: worker w runs on the available core ``pin_offset + w``; -1 for any core.
    """

    def __init__(
        self,
        context: BaseContext,
        block: SharedBlock,
        worker_of: Sequence[int],
        env_fns: Sequence[ByValue],
        options: HostOptions,
        *,
        daemon: bool,
        pin_offset: int,
    ) -> None:
        self._context = context
        self._block = block
        self._worker_of = list(worker_of)
        self._env_fns = env_fns
        self._options = options
        self._daemon = daemon
        self._pin_offset = pin_offset
        self._processes: list[WorkerProcess] = []
        self._pid = os.getpid()
        self._ended = False
        self._unreported: list[WorkerProcess] = []

    def __iter__(self) -> Iterator[WorkerProcess]:
        return iter(self._processes)

    def __getitem__(self, worker: int) -> WorkerProcess:
        return self._processes[worker]

    def start(self) -> None:
        """Starts all processes; does not wait for their environments."""
        start_multiprocessing(self._context)
        for worker in range(max(self._worker_of) + 1):
            with block_interrupts():
                self._processes.append(self._start(worker, None))
                self._unreported.append(self._processes[-1])

    def _start(self, worker: int, rows: RowLayouts | None) -> WorkerProcess:
        env_ids = [env_id for env_id, each in enumerate(self._worker_of) if each == worker]
        core = None
        if self._pin_offset >= 0:
            cores = available_cores()
            core = cores[(self._pin_offset + worker) % len(cores)]
        makers = [self._env_fns[env_id] for env_id in env_ids]
        start = WorkerStart(self._block, worker, env_ids, makers, self._options, core, rows)
        return WorkerProcess(self._context, start, daemon=self._daemon)

    def reports(self) -> dict[int, EnvReport]:
        """Waits until all environments are made; returns their descriptions by environment id.

        Raises:
            Exception: a factory's exception, or WorkerDied.
        """
        reports: dict[int, EnvReport] = {}
        waiting = {process.connection: process for process in self._processes}
        while waiting:
            ready: Sequence[Any] = wait_for_any(list(waiting), _LOOK_SECONDS)
            if not ready:
                ready = [connection for connection, process in waiting.items() if not process.alive]
            for connection in ready:
                process = waiting.pop(connection)
                reports.update(zip(process.env_ids, process.reports(), strict=True))
                self._unreported.remove(process)
        return reports

    def kill_unreported(self) -> None:
        """Kills processes that have not reported their environments yet."""
        for process in self._unreported:
            process.kill()

    def serve(self, rows: RowLayouts) -> None:
        """Sends the layout of the rows to all processes, which then start to serve requests."""
        for process in self._processes:
            process.send_rows(rows)

    def restart(self, worker: int, rows: RowLayouts) -> None:
        """Restarts a worker's process; the new process serves requests as soon as its environments are made.

        Raises:
            RuntimeError: if another thread or the interpreter's exit is ending all processes.
        """
        start_multiprocessing(self._context)
        with block_interrupts():
            self._check_not_ended()
            process = self._start(worker, rows)
            self._processes[worker].release()
            self._processes[worker] = process
        if self._ended:  # another thread ended the processes during the restart
            end_all([process], 0.0)
            self._check_not_ended()

    def _check_not_ended(self) -> None:
        if self._ended:
            raise RuntimeError("the worker processes are being ended")

    def end(self, seconds: float) -> None:
        """Ends all processes: waits ``seconds`` for them to exit, then terminates, then kills them."""
        if os.getpid() != self._pid:
            return
        self._ended = True
        try:
            self._block.close()
            for process in self._processes:
                process.request_exit()
        finally:
            end_all(self._processes, seconds)
