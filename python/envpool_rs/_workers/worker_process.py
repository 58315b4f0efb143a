"""Starts, monitors, restarts and ends worker processes, on behalf of the parent process."""

from __future__ import annotations

import multiprocessing
import os
import select
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.connection import wait as wait_for_any
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from envpool_rs._core import SharedBlock
from envpool_rs._workers.hosted_envs import EnvReport, HostOptions, WorkerStart, worker_main
from envpool_rs._workers.observations import RowLayouts
from envpool_rs._workers.serialization import ByValue, EnvFailure, WorkerDied, dumps, loads

_LOOK_SECONDS = 0.002


class ProcessHandle:
    """Checks whether a process that this process started has ended, and sends signals to it."""

    # The system reuses a pid as soon as the process has been reaped: by code that reaps all children of this process,
    # or by the fork server. A pidfd (Linux 5.3) always refers to the same process. Without pidfds, only the pid of a
    # current child is trusted.

    def __init__(self, process: BaseProcess) -> None:
        self._process = process
        self._descriptor = _descriptor_of(process.pid)

    def has_ended(self) -> bool:
        """Returns whether the process has ended, even if other code has reaped it."""
        if self._process.exitcode is not None:
            return True
        if self._descriptor is not None:
            ends = select.poll()
            ends.register(self._descriptor, select.POLLIN)
            return bool(ends.poll(0))
        return os.name == "posix" and not self._has_its_number()

    def _has_its_number(self) -> bool:
        # The pid is checked in addition to multiprocessing's state, which reports a child as alive forever if other
        # code has reaped the child.
        number = self._process.pid or 0
        try:
            if hasattr(os, "waitid") and not self._is_of_a_server():
                os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            else:
                os.kill(number, 0)
        except (ChildProcessError, ProcessLookupError):
            return False
        except OSError:
            return True
        return True

    def _is_of_a_server(self) -> bool:
        """Returns whether the process is a child of multiprocessing's fork server instead of the current process."""
        return getattr(self._process, "_start_method", None) == "forkserver"

    def await_exitcode(self, seconds: float) -> None:
        """Waits until the fork server has reported an ended process's exit code; does nothing for other processes."""
        end = time.monotonic() + seconds
        while self._is_of_a_server() and self._process.exitcode is None and time.monotonic() < end:
            time.sleep(_LOOK_SECONDS)

    def terminate(self) -> None:
        """Sends SIGTERM to the process."""
        self._signal("SIGTERM")

    def kill(self) -> None:
        """Sends SIGKILL to the process."""
        self._signal("SIGKILL")

    def _signal(self, name: str) -> None:
        if self.has_ended():
            return
        if self._descriptor is None:
            (self._process.terminate if name == "SIGTERM" else self._process.kill)()
            return
        try:
            signal.pidfd_send_signal(self._descriptor, getattr(signal, name))
        except ProcessLookupError:
            return

    def close(self) -> None:
        """Closes the pidfd."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __del__(self) -> None:
        """Closes the pidfd, as `close` does."""
        self.close()


def _descriptor_of(pid: int | None) -> int | None:
    if pid is None or not hasattr(os, "pidfd_open") or not hasattr(signal, "pidfd_send_signal"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:  # old kernel, no permission, no descriptor left, or the process has ended
        return None


# Seconds between checks of processes that were asked to end.
_TERMINATE_SECONDS = 1.0
_CAN_MASK = hasattr(signal, "pthread_sigmask")
_ADVICE = (
    ". Their process imports the main module again: it has to be a file, with all that starts processes under"
    " if __name__ == '__main__'; context='fork' does without"
)


class WorkerProcess:
    """Process of one worker, which runs Python environments."""

    def __init__(self, context: BaseContext, start: WorkerStart, *, daemon: bool) -> None:
        self.worker = start.worker
        self.env_ids = list(start.env_ids)
        self.connection, theirs = context.Pipe()
        start = replace(start, connection=theirs)
        name = f"envpool_rs worker {self.worker}"
        make: Callable[..., BaseProcess] = context.Process  # type: ignore[attr-defined]
        self._process = make(target=worker_main, args=(start,), name=name, daemon=daemon)
        try:
            self._process.start()
            self._handle = ProcessHandle(self._process)
            _unregister_from_multiprocessing(self._process)
        except BaseException:
            self.connection.close()
            if self._process.pid is not None:
                self._process.kill()
            raise
        finally:
            theirs.close()
        self._pid = self._process.pid
        self._advice = "" if context.get_start_method() == "fork" else _ADVICE
        self._exitcode: int | None = None
        self._released = False

    @property
    def pid(self) -> int | None:
        """The process's pid."""
        return self._pid

    @property
    def exitcode(self) -> int | None:
        """The process's exit code once it has ended; the negated signal number if a signal ended it."""
        if self._exitcode is None and not self._released:
            self._exitcode = self._process.exitcode
        return self._exitcode

    def reports(self) -> list[EnvReport]:
        """Waits for the descriptions of the process's environments, and returns them."""
        try:
            answer = loads(self.connection.recv_bytes()) if self.connection.poll() else None
        except (EOFError, OSError):
            answer = None
        if isinstance(answer, EnvFailure):
            raise answer.raised()
        if answer is None:
            self._ended_within(_TERMINATE_SECONDS)
            raise self.death(f" before they were made{self._advice}")
        reports: list[EnvReport] = answer
        return reports

    def send_rows(self, rows: RowLayouts) -> None:
        """Sends the layout of the block's rows; the process then serves."""
        try:
            self.connection.send_bytes(dumps(rows))
        except OSError:
            self._ended_within(_TERMINATE_SECONDS)
            raise self.death("") from None

    def request_exit(self) -> None:
        """Asks the process to exit if it still waits for the layout of the rows."""
        try:
            self.connection.send_bytes(dumps(None))
        except (OSError, ValueError):
            return

    def death(self, why: str = "") -> WorkerDied:
        """Returns the ``WorkerDied`` error that reports the end of the process."""
        if not self._released and self._handle.has_ended():
            self._handle.await_exitcode(_TERMINATE_SECONDS)
        error = WorkerDied.of(self.worker, self.pid, self.env_ids, self.exitcode, why)
        try:
            answer = loads(self.connection.recv_bytes()) if self.connection.poll() else None
        except (EOFError, OSError):
            answer = None
        if isinstance(answer, EnvFailure):
            error.__cause__ = answer.raised()
        return error

    @property
    def alive(self) -> bool:
        """Whether the process is running."""
        return not self._released and self.exitcode is None and not self._handle.has_ended()

    def terminate(self) -> None:
        """Sends SIGTERM to the process."""
        if not self._released:
            self._handle.terminate()

    def kill(self) -> None:
        """Sends SIGKILL to the process."""
        if not self._released:
            self._handle.kill()

    def release(self) -> None:
        """Releases the resources of a process that has ended."""
        self.connection.close()
        if not self._released and not self.alive:
            self._released = True
            self._handle.close()
            with suppress(ValueError):  # other code reaped the process, so it does not count as ended
                self._process.close()

    def _ended_within(self, seconds: float) -> bool:
        return _wait_for_exit([self], seconds)


def start_multiprocessing(context: BaseContext) -> None:
    """Starts the helper processes of multiprocessing: its resource tracker and its fork server."""
    # The helper processes are started before interrupts are blocked. Starting them later would unblock interrupts, or
    # they would inherit the blocked signal mask permanently.
    method = context.get_start_method()
    if method == "fork" or not _CAN_MASK:
        return
    from multiprocessing import forkserver, resource_tracker

    resource_tracker.ensure_running()
    if method == "forkserver":
        forkserver.ensure_running()


def _unregister_from_multiprocessing(process: BaseProcess) -> None:
    # The process is removed from multiprocessing's list of children. A fork of the calling process would terminate all
    # listed daemons when it exits, and the caller's own exit without `close` would wait for all other children. The
    # group's finalizer ends them instead, in the right process.
    children = getattr(multiprocessing.process, "_children", None)
    if isinstance(children, set):
        children.discard(process)


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Context manager that blocks Ctrl-C while a process is started, until the process is recorded and itself ignores
    Ctrl-C.
    """
    handler = signal.getsignal(signal.SIGINT)
    came: list[Any] = []
    is_main = threading.current_thread() is threading.main_thread() and callable(handler)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if _CAN_MASK else None
    try:
        if is_main:  # otherwise another thread may receive the signal in spite of this thread's mask
            signal.signal(signal.SIGINT, lambda *arguments: came.append(arguments))
        yield
    finally:
        if is_main:
            signal.signal(signal.SIGINT, handler)
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if came and callable(handler):
            handler(*came[0])


def end_all(processes: Sequence[WorkerProcess], seconds: float) -> None:
    """Ends processes: waits ``seconds`` for them to exit, then terminates, then kills them. Repeated calls have no
    effect.
    """
    # Ctrl-C or any other exception during the wait kills the processes at once.
    try:
        if not _wait_for_exit(processes, seconds):
            for process in processes:
                process.terminate()
            _wait_for_exit(processes, _TERMINATE_SECONDS)
    finally:
        for process in processes:
            process.kill()
        _wait_for_exit(processes, _TERMINATE_SECONDS)
        for process in processes:
            process.release()


def _wait_for_exit(processes: Sequence[WorkerProcess], seconds: float) -> bool:
    # `join` is not used, because it waits for a pipe that child processes of the environments may hold open.
    deadline = time.monotonic() + seconds
    while any(process.alive for process in processes):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_LOOK_SECONDS)
    return True


def resolve_context(context: str | BaseContext | None) -> BaseContext:
    """Returns multiprocessing's context for a start method, or the given context."""
    methods = multiprocessing.get_all_start_methods()
    if context is None:
        return multiprocessing.get_context()
    if isinstance(context, BaseContext):
        return context
    if not isinstance(context, str):
        raise TypeError(f"context is of type {type(context).__name__}: expected a start method's name or a context")
    if context not in methods:
        raise ValueError(f"context={context!r}: expected {', '.join(map(repr, methods))}, a context or None")
    return multiprocessing.get_context(context)


_REPORT_SECONDS = 0.05


class WorkerProcesses:
    """All worker processes of a group: starts, monitors, restarts and ends them."""

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
        """Waits until all environments are made; returns their descriptions by environment id."""
        reports: dict[int, EnvReport] = {}
        waiting = {process.connection: process for process in self._processes}
        while waiting:
            ready: Sequence[Any] = wait_for_any(list(waiting), _REPORT_SECONDS)
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
        """Restarts a worker's process; the new process serves requests as soon as its environments are made."""
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


_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def available_cores() -> list[int]:
    """Returns the cores that this process may run on, in order; at most as many as the control group's CPU quota
    allows.
    """
    affinity = getattr(os, "sched_getaffinity", None)
    cores = list(range(os.cpu_count() or 1)) if affinity is None else sorted(affinity(0))
    return cores[: max(1, min(len(cores), _quota_cores(len(cores))))]


def _quota_cores(otherwise: int) -> int:
    try:
        quota, period = _QUOTA.read_text().split()[:2]
        return otherwise if quota == "max" else int(quota) // int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return otherwise
