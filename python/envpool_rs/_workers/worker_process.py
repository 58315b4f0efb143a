"""``WorkerProcess``: starts, monitors and ends one worker process, on behalf of the parent process."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from envpool_rs._workers.env_failure import EnvFailure, WorkerDied
from envpool_rs._workers.hosted_envs import EnvReport
from envpool_rs._workers.observation_layout import RowLayouts
from envpool_rs._workers.process_handle import ProcessHandle
from envpool_rs._workers.serialization import dumps, loads
from envpool_rs._workers.worker_main import WorkerStart, worker_main

# Seconds between checks of processes that were asked to end.
_LOOK_SECONDS = 0.002
_TERMINATE_SECONDS = 1.0
_CAN_MASK = hasattr(signal, "pthread_sigmask")
_ADVICE = (
    ". Their process imports the main module again: it has to be a file, with all that starts processes under"
    " if __name__ == '__main__'; context='fork' does without"
)


class WorkerProcess:
    """Process of one worker, which runs Python environments.

    Args:
        context: multiprocessing's context that starts the process.
        start: arguments of the worker's main function, without the connection.
        daemon: multiprocessing's flag: whether the process ends with the parent and may not have child processes.

    Attributes:
        connection: the caller's end of the pipe, used until the process serves.

    Raises:
        TypeError: for a factory that must be pickled and cannot be, naming its index.
    """

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
        """Waits for the descriptions of the process's environments, and returns them.

        Raises:
            WorkerDied: if the process ended before it reported.
            Exception: a factory's exception, naming the environment.
        """
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
        """Returns the ``WorkerDied`` error that reports the end of the process.

        The error's cause is the exception that a factory raised, if any.
        """
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

    Ctrl-C or any other exception during the wait kills the processes at once.
    """
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
    """Returns multiprocessing's context for a start method, or the given context.

    Raises:
        ValueError: for a name that is not a start method of this platform.
        TypeError: for a value that is neither a name nor a context.
    """
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
