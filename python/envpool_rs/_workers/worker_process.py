"""The parent's side of worker processes: started, looked after, ended."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from envpool_rs._core import SharedBlock
from envpool_rs._workers.all_rows import AllRows
from envpool_rs._workers.env_failure import EnvFailure, WorkerDied
from envpool_rs._workers.hosted_envs import EnvReport, HostOptions
from envpool_rs._workers.process_handle import ProcessHandle
from envpool_rs._workers.serialization import dumps, loads
from envpool_rs._workers.worker_main import WorkerStart, worker_main

# Between looks at processes that are asked to end.
_LOOK_SECONDS = 0.002
_TERMINATE_SECONDS = 1.0
_CAN_MASK = hasattr(signal, "pthread_sigmask")
_ADVICE = (
    ". Their process imports the main module again: it has to be a file, with all that starts processes under"
    " if __name__ == '__main__'; context='fork' does without"
)


class WorkerProcess:
    """One worker's process.

    Args:
        context: multiprocessing's, by which it is started.
        block: the shared block.
        worker: its number.
        env_ids: the environments that it hosts.
        env_fns: their factories.
        options: how they are made and played.
        daemon: multiprocessing's flag: may not have children of its own, ends with the parent.
        core: the core it runs on; None for any.
        rows: the block's rows where they are known; None to tell the process later, by ``connection``.

    Attributes:
        connection: the caller's end of the pipe that is used until the process serves.

    Raises:
        TypeError: for a factory that cannot be pickled where it has to be, naming its index.
    """

    def __init__(
        self,
        context: BaseContext,
        block: SharedBlock,
        worker: int,
        env_ids: Sequence[int],
        env_fns: Sequence[Callable[[], Any]],
        options: HostOptions,
        *,
        daemon: bool,
        core: int | None,
        rows: AllRows | None = None,
    ) -> None:
        self.worker = worker
        self.env_ids = list(env_ids)
        self.connection, theirs = context.Pipe()
        start = WorkerStart(block, worker, env_ids, env_fns, options, theirs, core, rows)
        name = f"envpool_rs worker {worker}"
        make: Callable[..., BaseProcess] = context.Process  # type: ignore[attr-defined]
        self._process = make(target=worker_main, args=(start,), name=name, daemon=daemon)
        try:
            self._process.start()
            self._handle = ProcessHandle(self._process)
            _keep_from_multiprocessing(self._process)
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
        """The process's number."""
        return self._pid

    @property
    def exitcode(self) -> int | None:
        """Its exit code once it has ended, the negated signal's number if a signal ended it."""
        if self._exitcode is None and not self._released:
            self._exitcode = self._process.exitcode
        return self._exitcode

    def reports(self) -> list[EnvReport]:
        """What its environments say of themselves.

        Raises:
            WorkerDied: if it ended before it could tell.
            Exception: what a factory raised, naming the environment.
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

    def tell(self, rows: AllRows) -> None:
        """Tells it of the block's rows, after which it serves."""
        try:
            self.connection.send_bytes(dumps(rows))
        except OSError:
            self._ended_within(_TERMINATE_SECONDS)
            raise self.death("") from None

    def dismiss(self) -> None:
        """Tells it to leave, if it is still waiting to be told of the rows."""
        try:
            self.connection.send_bytes(dumps(None))
        except (OSError, ValueError):
            return

    def death(self, why: str = "") -> WorkerDied:
        """The error for its end; its cause is what a factory raised, if one did."""
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
        """Whether it runs."""
        return not self._released and self.exitcode is None and not self._handle.has_ended()

    def terminate(self) -> None:
        """Asks it to end at once."""
        if not self._released:
            self._handle.terminate()

    def kill(self) -> None:
        """Ends it at once."""
        if not self._released:
            self._handle.kill()

    def release(self) -> None:
        """Gives back what is left of a process that has ended."""
        self.connection.close()
        if not self._released and not self.alive:
            self._released = True
            self._handle.close()
            with suppress(ValueError):  # not known to have ended, where somebody else waited for it
                self._process.close()

    def _ended_within(self, seconds: float) -> bool:
        return _have_ended([self], seconds)


def start_multiprocessing(context: BaseContext) -> None:
    """Starts multiprocessing's own processes."""
    # They processes come first: starting them lets interrupts through again, or would keep them out for good.
    method = context.get_start_method()
    if method == "fork" or not _CAN_MASK:
        return
    from multiprocessing import forkserver, resource_tracker

    resource_tracker.ensure_running()
    if method == "forkserver":
        forkserver.ensure_running()


def _keep_from_multiprocessing(process: BaseProcess) -> None:
    # A fork of the calling process that exits would terminate all daemons that multiprocessing knows of, and an exit
    # without close would wait for all others. The group's finalizer ends them, in the right process.
    known = getattr(multiprocessing.process, "_children", None)
    if isinstance(known, set):
        known.discard(process)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Holds Ctrl-C back: from a process until it is set up to take it, from this one until it has noted the process."""
    handler = signal.getsignal(signal.SIGINT)
    came: list[Any] = []
    is_main = threading.current_thread() is threading.main_thread() and callable(handler)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if _CAN_MASK else None
    try:
        if is_main:  # another thread may take the signal, whatever the mask of this one
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
    """Ends processes: all have ``seconds`` to end by themselves, are then terminated, then killed. Idempotent.

    Ctrl-C, or any other exception meanwhile, kills them.
    """
    try:
        if not _have_ended(processes, seconds):
            for process in processes:
                process.terminate()
            _have_ended(processes, _TERMINATE_SECONDS)
    finally:
        for process in processes:
            process.kill()
        _have_ended(processes, _TERMINATE_SECONDS)
        for process in processes:
            process.release()


def _have_ended(processes: Sequence[WorkerProcess], seconds: float) -> bool:
    # Not by join: it waits for a pipe that children of the environments may hold open.
    deadline = time.monotonic() + seconds
    while any(process.alive for process in processes):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_LOOK_SECONDS)
    return True


def context_of(context: str | BaseContext | None) -> BaseContext:
    """The context of multiprocessing for that name.

    Raises:
        ValueError: for a name that this platform has no start method of.
        TypeError: for what is neither a name nor a context.
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
