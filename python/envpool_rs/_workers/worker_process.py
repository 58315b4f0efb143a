"""Worker processes of Python environments: starts, watches, restarts and ends them; ``WorkerGroup``: their client."""

from __future__ import annotations

import multiprocessing
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait as wait_for_any
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, Literal, NoReturn

import numpy as np

from envpool_rs._arguments import array, bounded, choice, entries, functions, integer, optional_integer, shown, text
from envpool_rs._core import EnvHost, SharedBlock, WorkerClient, Workers
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import object_array, zip_leaves
from envpool_rs._workers import serialization
from envpool_rs._workers.hosted_envs import EnvReport, HostedEnvs, HostOptions, worker_main
from envpool_rs._workers.reset_schedule import ResetSchedule
from envpool_rs._workers.serialization import ByValue, EnvFailure, RowLayouts, WorkerDied

_LOOK_SECONDS = 0.002


class ProcessHandle:
    """Checks whether a process that this process started has ended, and sends signals to it."""

    # The system reuses a pid as soon as the process has been reaped: by code that reaps all children of this process,
    # or by the fork server. A pidfd (Linux 5.3) always refers to the same process. Without pidfds, only the pid of a
    # current child is trusted.

    _descriptor: int | None = None
    _exitcode: int | None = None
    _released = False

    def __init__(self, process: BaseProcess) -> None:
        self._process = process
        self.pid = process.pid
        # Whether the process is a child of multiprocessing's fork server instead of the current process.
        self._is_of_a_server = getattr(process, "_start_method", None) == "forkserver"
        if process.pid is not None and hasattr(os, "pidfd_open") and hasattr(signal, "pidfd_send_signal"):
            with suppress(OSError):  # old kernel, no permission, no descriptor left, or the process has ended
                self._descriptor = os.pidfd_open(process.pid)

    @property
    def exitcode(self) -> int | None:
        """The process's exit code once it has ended; the negated signal number if a signal ended it."""
        if self._exitcode is None and not self._released:
            self._exitcode = self._process.exitcode
        return self._exitcode

    def has_ended(self) -> bool:
        """Returns whether the process has ended, even if other code has reaped it."""
        if self._released or self.exitcode is not None:
            return True
        if self._descriptor is not None:
            ends = select.poll()
            ends.register(self._descriptor, select.POLLIN)
            return bool(ends.poll(0))
        if os.name != "posix":
            return False
        # The pid is checked in addition to multiprocessing's state, which reports a child as alive forever if other
        # code has reaped the child.
        try:
            if hasattr(os, "waitid") and not self._is_of_a_server:
                os.waitid(os.P_PID, self.pid or 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            else:
                os.kill(self.pid or 0, 0)
        except (ChildProcessError, ProcessLookupError):
            return True
        except OSError:
            pass
        return False

    def await_exitcode(self, seconds: float) -> None:
        """Waits until the fork server has reported an ended process's exit code; does nothing for other processes."""
        end = time.monotonic() + seconds
        while self._is_of_a_server and not self._released and self.exitcode is None and time.monotonic() < end:
            time.sleep(_LOOK_SECONDS)

    def terminate(self) -> None:
        self._signal("SIGTERM", self._process.terminate)

    def kill(self) -> None:
        self._signal("SIGKILL", self._process.kill)

    def _signal(self, name: str, send: Callable[[], None]) -> None:
        if not self.has_ended():
            if self._descriptor is None:
                send()
            else:
                with suppress(ProcessLookupError):
                    signal.pidfd_send_signal(self._descriptor, getattr(signal, name))

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    __del__ = close


# Seconds between checks of processes that were asked to end.
_TERMINATE_SECONDS = 1.0
_CAN_MASK = hasattr(signal, "pthread_sigmask")
_ADVICE = (
    ". Their process imports the main module again: it has to be a file, with all that starts processes under"
    " if __name__ == '__main__'; context='fork' does without"
)


class WorkerProcess(ProcessHandle):
    def __init__(
        self,
        context: BaseContext,
        worker: int,
        envs: HostedEnvs,
        *,
        block: SharedBlock,
        rows: RowLayouts | None,
        core: int | None,
        daemon: bool,
    ) -> None:
        self.worker = worker
        self.env_ids = envs.env_ids
        self._advice = "" if context.get_start_method() == "fork" else _ADVICE
        self.connection, theirs = context.Pipe()
        name = f"envpool_rs worker {worker}"
        make: Callable[..., BaseProcess] = context.Process  # type: ignore[attr-defined]
        process = make(target=worker_main, args=(block, worker, envs, rows, core, theirs), name=name, daemon=daemon)
        try:
            process.start()
            super().__init__(process)
            # The process is removed from multiprocessing's list of children. A fork of the calling process would
            # terminate all listed daemons when it exits, and the caller's own exit without `close` would wait for all
            # other children. The group's finalizer ends them instead, in the right process.
            getattr(multiprocessing.process, "_children", set()).discard(process)
        except BaseException:
            self.connection.close()
            if process.pid is not None:
                process.kill()
            raise
        finally:
            theirs.close()

    def _received(self) -> Any:
        """Returns what the process has sent; ``None`` if there is nothing."""
        with suppress(EOFError, OSError):
            return serialization.loads(self.connection.recv_bytes()) if self.connection.poll() else None

    def reports(self) -> list[EnvReport]:
        """Returns the descriptions of the process's environments, which it has sent unless it has ended."""
        answer = self._received()
        if isinstance(answer, EnvFailure):
            raise answer.raised()
        if answer is None:
            _wait_for_exit([self], _TERMINATE_SECONDS)
            raise self.death(f" before they were made{self._advice}")
        reports: list[EnvReport] = answer
        return reports

    def send_rows(self, rows: RowLayouts | None) -> None:
        """Sends the layout of the block's rows; the process then serves. ``None`` ends a process that waits for it."""
        try:
            self.connection.send_bytes(serialization.dumps(rows))
        except (OSError, ValueError):
            if rows is not None:
                _wait_for_exit([self], _TERMINATE_SECONDS)
                raise self.death() from None

    def death(self, why: str = "") -> WorkerDied:
        if self.has_ended():
            self.await_exitcode(_TERMINATE_SECONDS)
        error = WorkerDied.of(self.worker, self.pid, self.env_ids, self.exitcode, why)
        answer = self._received()
        if isinstance(answer, EnvFailure):
            error.__cause__ = answer.raised()
        return error

    def release(self) -> None:
        self.connection.close()
        if not self._released and self.has_ended():
            self._released = True
            self.close()
            with suppress(ValueError):  # other code reaped the process, so it does not count as ended
                self._process.close()


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


@contextmanager
def block_interrupts() -> Iterator[None]:
    """Blocks Ctrl-C while a process is started, until the process is recorded and itself ignores Ctrl-C."""
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
    """Ends processes: waits ``seconds`` for them to exit, then terminates, then kills them."""
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
    while any(not process.has_ended() for process in processes):
        if time.monotonic() >= deadline:
            return False
        time.sleep(_LOOK_SECONDS)
    return True


_REPORT_SECONDS = 0.05


class WorkerEnvs:
    """Python environments in worker processes (and optionally in the caller's), with one block of shared memory."""

    # Supervises the processes for the extension, which refers to exceptions stored here by numbers. There are
    # `num_workers` processes (None: one per available core), at most one per environment; with `caller_share` the
    # caller hosts a share, too. Workers are `daemon`ic: multiprocessing lets them have no child processes. Worker `w`
    # is pinned to the available core `pin_offset + w`; -1 pins none. `keeps_queues`: restarted processes get queues of
    # resets. `on_restart` is called with the `WorkerDied` of
    # each restarted worker, during a call of another method. An exception of a factory names its environment.

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
        on_restart: Callable[[WorkerDied], None] | None = None,
        keeps_queues: bool = False,
    ) -> None:
        makers = functions("env_fns", env_fns)
        self.num_envs = len(makers)
        # There are at most the requested number of processes, and no process without an environment.
        own = 1 if caller_share else 0
        wanted = len(available_cores()) - own
        if num_workers is not None:
            wanted = integer("num_workers", num_workers, 1 - own, kind="an int or None")
        self.num_workers = min(wanted, self.num_envs - own)
        # Workers have even, contiguous shares; -1 is the caller's share, the last one.
        shares = [env_id * (self.num_workers + own) // self.num_envs for env_id in range(self.num_envs)]
        self.worker_of = [share if share < self.num_workers else -1 for share in shares]
        self.block = SharedBlock(self.worker_of, wake_up=choice("wake_up", wake_up, ("auto", "futex", "poll")))
        self.processes: list[WorkerProcess] = []
        self.restarts = [0] * self.num_workers
        self.ended = False
        self._env_fns = [ByValue(f"env_fns[{index}]", function) for index, function in enumerate(makers)]
        self._options = options
        self._final_rows = final_rows
        if not isinstance(context, (BaseContext, type(None))):
            method = text("context", context, "a start method's name, a context or None")
            method = choice("context", method, multiprocessing.get_all_start_methods())
            self._context: BaseContext = multiprocessing.get_context(method)
        else:
            self._context = context or multiprocessing.get_context()
        self._daemon = daemon
        self._pin_offset = pin_offset
        self._on_restart = on_restart
        self._pid = os.getpid()
        self._ending = threading.RLock()
        self._unreported: list[WorkerProcess] = []
        self._deaths: list[WorkerDied] = []
        self._renewed: set[int] = set()
        # For restarted processes: options of later episodes and queued resets by environment, and how many of these
        # were taken since they were stored.
        self.options: dict[int, dict[str, Any]] = {}
        self.queues: dict[int, list[Any]] = {}
        self.taken: Any = self._context.RawArray("Q", self.num_envs) if keeps_queues else None
        self._rows: RowLayouts | None = None
        self._host: EnvHost | None = None
        self._own = self._hosted(-1)
        # At the interpreter's exit, this finalizer runs before multiprocessing waits for its children; in a forked
        # process it does nothing.
        self._finalizer = Finalize(self, _end_processes, (self.block, self.processes, 2.0, self._own), exitpriority=20)
        try:
            start_multiprocessing(self._context)
            for worker in range(self.num_workers):
                with block_interrupts():
                    self.processes.append(self._start(worker, None))
                    self._unreported.append(self.processes[-1])
        except BaseException as error:
            self.shut_down(1.0, at_once=not isinstance(error, Exception))
            raise

    def _hosted(self, worker: int, *, is_restarted: bool = False) -> HostedEnvs:
        env_ids = [env_id for env_id, each in enumerate(self.worker_of) if each == worker]
        makers = [self._env_fns[env_id] for env_id in env_ids]
        hosted = HostedEnvs(env_ids, makers, self._options, is_restarted=is_restarted, taken=self.taken)
        for env_id in (self.options.keys() | self.queues.keys()) & set(env_ids):
            schedule = hosted.schedules[env_id] = ResetSchedule(self.taken, env_id)
            schedule.run("set", self.options.get(env_id, {}))
            schedule.run("queue", self.queue_of(env_id))
        return hosted

    def queue_of(self, env_id: int) -> list[Any]:
        """Returns the stored resets of an environment that it has not taken."""
        return self.queues.get(env_id, [])[self.taken[env_id] :] if self.taken is not None else []

    def store_queue(self, env_id: int, resets: list[Any]) -> None:
        """Stores the resets in the queue of an environment that is not in flight."""
        if self.taken is not None:
            self.queues[env_id], self.taken[env_id] = resets, 0

    def _start(self, worker: int, rows: RowLayouts | None) -> WorkerProcess:
        cores = available_cores() if self._pin_offset >= 0 else []
        return WorkerProcess(
            self._context,
            worker,
            self._hosted(worker, is_restarted=rows is not None),
            block=self.block,
            rows=rows,
            core=cores[(self._pin_offset + worker) % len(cores)] if cores else None,
            daemon=self._daemon,
        )

    def make(self) -> None:
        try:
            reports = self._made()
            self.descriptions = [
                {name: _loaded(env_id, name, data) for name, data in reports[env_id].items()}
                for env_id in range(self.num_envs)
            ]
            self.observation_spaces = [each.pop("observation_space") for each in self.descriptions]
            self.action_spaces = [each.pop("action_space") for each in self.descriptions]
            self.layouts = [serialization.ObservationLayout.of(space) for space in self.observation_spaces]
            first = self.layouts[0]
            # Whether all environments store their observations in rows of one layout.
            self.uniform = first.structure is not None and all(layout == first for layout in self.layouts)
            self._rows = rows = RowLayouts(self.layouts, self.uniform, self._final_rows)
            self.block.allocate(rows.of_envs, rows.final_rows)
            if self._own.env_ids:
                self._host = self._own.host(self.block, rows)
            for process in self.processes:
                process.send_rows(rows)
        except BaseException as error:
            self.shut_down(1.0, at_once=not isinstance(error, Exception))
            raise

    def _made(self) -> dict[int, EnvReport]:
        """Makes the caller's environments, and waits for those of the processes; returns reports by environment."""
        not_made = self._own.make()
        if not_made is not None:
            if isinstance(not_made[1], KeyboardInterrupt):  # Ctrl-C is meant for the caller
                raise not_made[1]
            raise serialization.load_failure(not_made[0], self._own.env_ids[0], "make").raised()
        reports = dict(zip(self._own.env_ids, self._own.reports(), strict=True))
        waiting = {process.connection: process for process in self.processes}
        while waiting:
            ready: Sequence[Any] = wait_for_any(list(waiting), _REPORT_SECONDS)
            for connection in ready or [each for each, process in waiting.items() if process.has_ended()]:
                process = waiting.pop(connection)
                reports.update(zip(process.env_ids, process.reports(), strict=True))
                self._unreported.remove(process)
        return reports

    def workers(self) -> Workers:
        """Returns the environments for a pool or client of the extension, once they are made."""
        return Workers(self.block, self, self._host)

    @property
    def is_owner_process(self) -> bool:
        """Whether this process made the environments; False in a forked child."""
        return os.getpid() == self._pid

    def shut_down(self, timeout: float, *, at_once: bool = False) -> list[EnvFailure]:
        """Ends all processes, and closes the caller's own environments. A second call only waits for the first."""
        # With `at_once`, processes that have not made their environments yet are killed.
        if not self.is_owner_process:
            return []
        # During the interpreter's shutdown, the lock may be held by a thread that no longer runs, so it is not waited
        # for.
        if not self._ending.acquire(blocking=not sys.is_finalizing()):
            return []
        try:
            for process in self._unreported if at_once else ():
                process.kill()
            if not self.ended:
                self.ended = True
                _end_processes(self.block, self.processes, min(1.0, max(0.1, timeout)))
                self._finalizer.cancel()
            return self._own.close_all()
        finally:
            self._ending.release()

    # The extension calls the following methods.

    def lost(self, known: list[int]) -> tuple[int, str, bytes] | None:
        """Returns a worker whose process has ended, the error message, and the number of its exception, if any has."""
        for process in self.processes:
            if process.worker not in known and process.has_ended():
                return process.worker, *self._record_death(process.death())
        return None

    def _record_death(self, death: WorkerDied) -> tuple[str, bytes]:
        self._deaths.append(death)
        return str(death), (len(self._deaths) - 1).to_bytes(8, "little")

    def renew(self, worker: int) -> tuple[str, bytes] | None:
        """Restarts a worker's process. Returns the message and the number of the exception if that fails."""
        self._renewed.discard(worker)
        with block_interrupts():
            try:
                self._restart(worker)
            except Exception as failed:
                death = self._last_death(worker)
                death.__cause__ = failed
                return self._record_death(death)
            self._renewed.add(worker)
            self.restarts[worker] += 1
            if self._on_restart is not None:
                self._on_restart(self._last_death(worker))
        return None

    def _restart(self, worker: int) -> None:
        start_multiprocessing(self._context)
        process = None if self.block.closing else self._start(worker, self._rows)
        if process is not None:
            self.processes[worker].release()
            self.processes[worker] = process
        if self.block.closing:
            if process is not None:  # another thread ended the processes during the restart
                end_all([process], 0.0)
            raise RuntimeError("the worker processes are being ended")

    def failure_to_renew(self, worker: int) -> tuple[str, bytes] | None:
        """Returns the failure that the last :meth:`renew` reported, for a caller that Ctrl-C interrupted."""
        return None if worker in self._renewed else self._record_death(self._last_death(worker))

    def _last_death(self, worker: int) -> WorkerDied:
        return next(death for death in reversed(self._deaths) if death.worker == worker)

    def unreadable(self, env_id: int, error: Exception) -> bytes:
        """Returns the failure of an environment whose message cannot be unpickled here, as bytes."""
        return serialization.failure_bytes(env_id, "step", error)

    def close_request(self) -> bytes | None:
        """Returns the message that closes an environment; None if this process must not close environments."""
        return serialization.dumps(("close", None)) if self.is_owner_process and not self.ended else None

    def dead_workers(self) -> list[int]:
        return [process.worker for process in self.processes if process.has_ended()]

    def terminate(self, env_ids: list[int]) -> None:
        """Ends the processes that host any of these environments, without waiting for running requests."""
        end_all([process for process in self.processes if not set(env_ids).isdisjoint(process.env_ids)], 0.0)

    def end(self, seconds: float, replies: list[tuple[int, bytes]]) -> list[bytes]:
        """Ends all processes; returns the failures of environments that could not be closed, as bytes."""
        values = [serialization.loaded_value(reply, env_id, "close") for env_id, reply in replies]
        return [
            serialization.dumps(value) for value in [*values, *self.shut_down(seconds)] if isinstance(value, EnvFailure)
        ]

    def rebuilt(self, env_id: int, payload: bytes, text: str, losses: int, advice: str | None) -> BaseException:
        # `payload` holds an `EnvFailure`, or for a lost environment (`losses` in a row, at least one) the number of a
        # stored exception; `text` is the message if it is empty; `advice` becomes a note of the exception.
        if payload or losses:
            error = self.failure(env_id, payload, text, losses).raised()
        else:
            error = RuntimeError(f"environment {env_id}: {text}")
        if advice is not None and hasattr(error, "add_note"):  # Python 3.11 or later
            error.add_note(advice)
        return error

    def failure(self, env_id: int, payload: bytes, text: str, losses: int) -> EnvFailure:
        if losses:
            death = self._deaths[int.from_bytes(payload, "little")].again(losses)
            return EnvFailure(env_id, "step", death, "WorkerDied", str(death), "")
        if payload:
            return serialization.load_failure(payload, env_id, "step")
        return EnvFailure(env_id, "step", RuntimeError(text), "RuntimeError", text, "")


def _end_processes(
    block: SharedBlock, processes: Sequence[WorkerProcess], seconds: float, own: HostedEnvs | None = None
) -> None:
    """Ends all processes: waits ``seconds`` for them to exit, then terminates, then kills them; closes ``own``."""
    try:
        block.close()
        for process in processes:
            process.send_rows(None)
    finally:
        try:
            end_all(processes, seconds)
        finally:
            if own is not None:
                own.close_all()


def _loaded(env_id: int, name: str, data: bytes | None) -> Any:
    """Returns an entry of an environment's description; None if it cannot be unpickled here, except for a space."""
    value = None if data is None else serialization.loaded_value(data, env_id, "make")
    if not isinstance(value, EnvFailure):
        return value
    if name in ("observation_space", "action_space"):
        raise value.raised()
    return None


def available_cores() -> list[int]:
    """Returns the cores that this process may run on, at most as many as the control group's CPU quota allows."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = list(range(os.cpu_count() or 1)) if affinity is None else sorted(affinity(0))
    with suppress(OSError, ValueError, ZeroDivisionError):  # the quota "max" is no number
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()[:2]
        return cores[: max(1, int(quota) // int(period))]
    return cores


Ids = np.ndarray[Any, np.dtype[np.int64]]  # of environments


class Steps:
    """The results of a step or reset of k environments; row k belongs to ``ids[k]``.

    ``leaves`` are the observations as one new array ``[k, *shape]`` for each leaf; None unless all environments have
    equal spaces that are stored in rows. Rows whose observation was sent as a message hold no valid data. ``rewards``
    (float64) are 0 after a reset, and NaN for the rows of ``odd_rewards``, which are not numbers (arrays, None).
    ``terminated``, ``truncated`` and ``four_values`` are bools; the last is true if the step returned old gym's four
    values, and None if no step did so. ``infos`` has a dict for each row; None if all are empty. ``failures`` are by
    environment its exception or the loss of its worker; rows of these environments hold no valid data. ``restarted``
    are the environments whose worker was restarted; in their rows, the observation is the first of the new episode,
    the reward is 0 and truncated is True.
    """

    def __init__(self, ids: Any, replies: Any, structures: list[Any], *, uniform: bool) -> None:
        leaves, self.rewards, self.terminated, self.truncated, self.four_values, self.infos, *rest = replies
        self.ids = ids
        self.leaves: list[np.ndarray[Any, Any]] | None = leaves if uniform else None
        self._structures = structures
        self._messages: dict[int, dict[str, Any]] = rest[0]
        self.failures: dict[int, EnvFailure] = rest[1]
        self.restarted: list[int] = [int(ids[row]) for row in rest[2]]
        self.odd_rewards = {row: each["reward"] for row, each in self._messages.items() if "reward" in each}
        for row in self.odd_rewards:
            self.rewards[row] = np.nan

    def observations(self) -> Any:
        """Returns all observations as one batch, as :func:`stacked` does."""
        if self.leaves is not None and not self._by_message():
            return serialization.nest_leaves(self._structures[0], self.leaves)
        return stacked([self.observation(k) for k in range(len(self.ids))])

    @property
    def in_rows(self) -> bool:
        """Whether all observations are in rows of one layout, so that ``observations`` need not stack them."""
        return self.leaves is not None and not self.failures and not (self._messages and self._by_message())

    def _by_message(self) -> bool:
        return any("observation" in message for message in self._messages.values())

    def observation(self, k: int) -> Any:
        """Returns row k's observation as the environment returned it; None after a failure. The arrays are copies."""
        if self.failures and self.ids[k] in self.failures:
            return None
        message = self._messages.get(k)
        if message is not None and "observation" in message:
            return message["observation"]
        structure = self._structures[int(self.ids[k])]
        if structure is None or self.leaves is None:
            return None
        row = [leaf[k] for leaf in self.leaves]
        return serialization.nest_leaves(
            structure, [each.copy() if isinstance(each, np.ndarray) else each for each in row]
        )

    def has_four_values(self, k: int) -> bool:
        """Returns whether row k's step returned old gym's four values."""
        return self.four_values is not None and bool(self.four_values[k])

    def reward(self, k: int) -> Any:
        """Returns row k's reward as the environment returned it."""
        return self.odd_rewards[k] if k in self.odd_rewards else self.rewards[k]


def stacked(observations: list[Any]) -> Any:
    """Stacks observations into one batch, dicts and tuples leaf by leaf; others become an array of objects."""

    def stack(*parts: Any) -> np.ndarray[Any, Any]:
        with suppress(ValueError):  # arrays of different shapes
            arrays = [np.asarray(each) for each in parts]
            if all(array.dtype != object for array in arrays):
                return np.stack(arrays)
        return object_array(parts)

    return zip_leaves(stack, *observations) if observations else np.empty(0, dtype=object)


_PLAIN = 6  # length of a step's replies if all environments replied with rows and infos only
_MAX_WAIT = 86400.0  # seconds that the system's clocks accept for one wait


class WorkerGroup(KnownAttributes):
    """Python environments distributed among worker processes, which exchange data through one block of shared memory.

    ``options`` are those of `WorkerEnvs`. Environments of legacy gym and dm_env are adapted to gymnasium's interface,
    unless ``adapt`` is false. ``wrap`` is applied to each new environment, in the process that hosts it;
    ``wrap_restarted`` instead in restarted workers. A ``lenient`` group passes on observations exactly as environments
    return them: those that differ from their space in dtype or structure are sent as objects. Otherwise they are cast
    if numpy's "same_kind" rule allows it, and rejected if not. With ``restart``, dead workers are restarted and their
    environments reset; with ``"retry"``, lost requests are sent again to the new environments, which are not reset.
    Unless ``start`` is false, the constructor waits until all environments are made; otherwise ``initialize`` must be
    called later.

    ``restarts`` are the numbers of restarts of each worker's process. ``worker_of`` is the worker of each environment,
    -1 for the caller's own. ``observation_spaces`` and ``action_spaces`` have the space of each environment, None if it
    declares none, and ``descriptions`` a dict with its metadata, spec, reward_range and render_mode (None if missing),
    once all environments are made.
    """

    num_envs: int
    num_workers: int
    restarts: list[int]
    worker_of: Any
    observation_spaces: list[Any]
    action_spaces: list[Any]
    descriptions: list[dict[str, Any]]

    def __init__(
        self,
        env_fns: Sequence[Callable[[], Any]],
        *,
        lenient: bool = False,
        adapt: bool = True,
        restart: bool | Literal["retry"] = False,
        wrap: Callable[[Any], Any] | None = None,
        wrap_restarted: Callable[[Any], Any] | None = None,
        start: bool = True,
        **options: Any,
    ) -> None:
        self._client: WorkerClient | None = None
        recovery: dict[Any, Literal["new_episode", "retry"]] = {True: "new_episode", "retry": "retry"}
        self._recovery = recovery.get(restart)
        pairs = (("wrap", wrap), ("wrap_restarted", wrap_restarted))
        wraps = [None if each is None else ByValue(name, each) for name, each in pairs]
        self._envs = WorkerEnvs(env_fns, HostOptions(lenient, adapt, *wraps), **options)
        self._processes, self.restarts = self._envs.processes, self._envs.restarts
        self.num_envs = self._envs.num_envs
        self.num_workers = self._envs.num_workers
        self.worker_of = self._envs.worker_of
        self._all = np.arange(self.num_envs)
        self._all_list = self._all.tolist()
        if start:
            self.initialize()

    def initialize(self) -> None:
        """Waits until every environment is made, once; raises a factory's exception after all processes have ended."""
        if self._client is not None:
            return
        self._check_owner_process()
        self._envs.make()
        self.observation_spaces = self._envs.observation_spaces
        self.action_spaces = self._envs.action_spaces
        self.descriptions = self._envs.descriptions
        self._structures = [layout.structure for layout in self._envs.layouts]
        self._uniform = self._envs.uniform
        self._client = WorkerClient(
            self._envs.workers(),
            self.num_envs,
            leaves=self._envs.layouts[0].rows if self._uniform else [],
            recovery=self._recovery,
            dumps=serialization.dumps,
        )

    # `ids` are environments, each once; None for all. Methods raise IndexError or ValueError for wrong ids, and
    # RuntimeError for an environment that is in flight, or lost (WorkerDied); then no request is sent.

    def send_steps(self, ids: Any, actions: Any) -> None:
        """Sends a step to environments; ``actions`` are an array ``[len(ids), ...]`` or a sequence, one for each."""
        self._usable().send_steps(self._ids(ids), actions)

    def _ids(self, ids: Any) -> Any:
        """Returns ids as the client takes them; ``None`` for a list of all in order, since it needs no conversion."""
        if ids is None or (type(ids) is list and ids == self._all_list and type(ids[0]) is int):
            return None
        numbers = ids if type(ids) is np.ndarray and ids.ndim else np.atleast_1d(array("ids", ids))
        if numbers.size and numbers.dtype.kind not in "iu":
            raise TypeError(f"ids={shown(ids)}: expected integers")
        return numbers

    def send_resets(self, ids: Any, seeds: Any = None, /, **keywords: Any) -> None:
        """Sends ``reset(seed=..., **keywords)`` to environments; seeds and options that are None are omitted."""
        client, ids = self._usable(), self._ids(ids)
        if keywords.get("options", self) is None:
            del keywords["options"]
        if seeds is not None:
            count = self.num_envs if ids is None else len(ids)
            seeds = [
                optional_integer(f"seeds[{index}]", seed, -(2**63), 2**63 - 1, allowed="an integer of 64 bits")
                for index, seed in enumerate(entries("seeds", seeds, count, f"one for each of {count} environments"))
            ]
        client.send_resets(ids, seeds, serialization.dumps(keywords) if keywords else None)

    def send_calls(self, ids: Any, operation: str, payloads: Any = None) -> None:
        """Sends an operation other than step or reset to environments, with a payload for each (default None).

        Operations and their payloads are ``"get_attr"`` (the name), ``"set_attr"`` ((name, value)), ``"call"`` ((name,
        args, keywords)), ``"apply"`` ((function, args): calls ``function(env, *args)``), ``"render"`` (keywords or
        None), ``"seed"`` (the seed), and ``"close"``. Raises TypeError for a payload that cannot be pickled.
        """
        client, ids = self._usable(), self._ids(ids)
        client.send_calls(ids, self._messages(ids, operation, payloads))

    def _messages(self, ids: Ids | None, operation: str, payloads: Any) -> list[bytes]:
        count = self.num_envs if ids is None else len(ids)
        payloads = [None] * count if payloads is None else list(bounded("payloads", payloads))
        if len(payloads) != count:
            raise ValueError(f"{len(payloads)} payloads for {count} environments: expected one for each")
        return [serialization.dumps((operation, payload)) for payload in payloads]

    def wait(self, ids: Any = None, count: int | None = None, timeout: float | None = None) -> Ids:
        """Blocks until ``count`` requests have finished (None: those of all ``ids``), or ``timeout`` seconds passed.

        Returns the environments (int64) whose requests have finished and are not yet taken, in order of completion.
        Here ``ids=None`` stands for all that are in flight. After Ctrl-C all requests remain in flight; calls that it
        left have no result, and are not waited for.
        """
        client, ids = self._usable(), self._ids(ids)
        limit = None if timeout is None else min(timeout, _MAX_WAIT)
        client.wait(ids, self.num_envs if count is None else count, limit)  # a count excludes calls that were left
        return client.completed(ids, count)

    def wait_all(self, ids: Any = None) -> None:
        """Blocks until all requests to ``ids`` (None: all) have finished."""
        self._usable().wait(self._ids(ids))

    # `replies` is an empty list for the client's reply, which `read_steps` converts: an exception that Ctrl-C raises
    # after the reply was taken does not lose it, because no Python code runs between the two.

    def take_steps(self, ids: Any = None, replies: list[Any] | None = None) -> Steps:
        """Returns the results of steps and resets in the order of ``ids``; RuntimeError if one has not finished."""
        client, ids = self._usable(), self._ids(ids)
        replies = [] if replies is None else replies
        replies.extend(map(client.take, (ids,)))
        return Steps(self._all if ids is None else ids, replies[0], self._structures, uniform=self._uniform)

    def step(self, actions: Any, replies: list[Any] | None = None) -> tuple[Any, ...] | Steps:
        """Steps all environments and waits: ``send_steps``, ``wait`` and ``take_steps`` in one call.

        Returns ``(observations, rewards, terminated, truncated, four_values, infos)`` if no environment failed or
        reported anything but an info; infos are an array of dicts, each with ``env_id``. Otherwise the ``Steps``.
        """
        return self.read_steps(self._all, self._run("step", actions, [] if replies is None else replies))

    def read_steps(self, ids: Any, reply: Any) -> tuple[Any, ...] | Steps:
        """Returns the results in a reply to ``step`` or ``take_steps``, as ``step`` does."""
        structure = self._structures[0]
        if len(reply) == _PLAIN and structure is not None:
            leaves, rewards, terminated, truncated, four_values, infos = reply
            observations = leaves[0] if structure == 0 else serialization.nest_leaves(structure, leaves)
            return observations, rewards, terminated, truncated, four_values, infos
        return Steps(ids, reply, self._structures, uniform=self._uniform)

    def reset(self, ids: Any) -> Any:
        """Resets environments and waits: ``send_resets``, ``wait`` and ``take_steps`` in one call.

        Returns the observations if no environment failed or reported anything else, otherwise the ``Steps``.
        """
        ids = np.array(ids)
        replies: Any = self._run("reset", ids, [])
        structure = self._structures[0]
        if type(replies) is list and structure is not None:
            return replies[0] if structure == 0 else serialization.nest_leaves(structure, replies)
        return Steps(ids, replies, self._structures, uniform=self._uniform)

    def _run(self, method: str, argument: Any, replies: list[Any]) -> Any:
        """Calls a method of the client, without the check of `_usable` whether this process is a fork."""
        # The client refuses calls in a forked process, too; reading the id of the process takes a quarter microsecond.
        client = self._usable() if self._client is None or self._envs.ended else self._client
        try:
            replies.extend(map(getattr(client, method), (argument,)))
            return replies[0]
        except RuntimeError:
            self._usable()
            raise

    def take_values(self, ids: Any = None) -> list[Any]:
        """Returns the results of finished calls in the order of ``ids``; a failure is an EnvFailure object."""
        client, ids = self._usable(), self._ids(ids)
        return self._values(ids, client.take_values(ids))

    def _values(self, ids: Ids | None, replies: list[Any]) -> list[Any]:
        every = range(self.num_envs) if ids is None else ids.tolist()
        pairs = zip(every, replies, strict=True)
        return [
            serialization.loaded_value(each, env_id, "call") if isinstance(each, bytes) else each
            for env_id, each in pairs
        ]

    def call(self, ids: Any, operation: str, payloads: Any = None) -> list[Any]:
        """Sends calls, and returns their results in the order of ``ids``, or raises the first exception after all."""
        client, ids = self._usable(), self._ids(ids)
        return without_failures(self._values(ids, client.call(ids, self._messages(ids, operation, payloads))))

    def discard(self, ids: Any = None) -> None:
        """Waits for pending requests to ``ids`` (None: all), and discards their results."""
        client, requested = self._usable(), self._ids(ids)
        in_flight = client.in_flight
        busy = in_flight if requested is None else in_flight[np.isin(in_flight, requested)]
        if len(busy):
            client.wait(busy)
            client.discard(client.completed(busy))  # without calls that were interrupted, whose replies are dropped

    @property
    def in_flight(self) -> Ids:
        """The environments (int64) with a request whose result was not taken yet."""
        return self._usable().in_flight

    def is_ready(self, env_id: int) -> bool:
        """Returns whether an environment accepts a request, because no request to it is in flight."""
        return env_id not in self.in_flight

    def record_seeds(self, ids: Sequence[int], seeds: Sequence[int | None]) -> None:
        """Records seeds that calls have set; seeds of episodes after the loss of a worker are derived from them."""
        client = self._usable()
        for env_id, seed in zip(ids, seeds, strict=True):
            if seed is not None:
                client.note_seed(env_id, seed)

    def _usable(self) -> WorkerClient:
        if self._client is None or self._envs.ended or not self._envs.is_owner_process:
            self._check_owner_process()
            raise RuntimeError("the environments are not initialized: call initialize() first")
        return self._client

    def _check_owner_process(self) -> None:
        if self._envs.ended:
            raise RuntimeError("the environments are closed")
        if not self._envs.is_owner_process:
            raise RuntimeError("these environments belong to the parent process: a forked child cannot use them")

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called, or the environments could not be made."""
        return self._envs.ended

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in worker processes")

    def __enter__(self) -> WorkerGroup:
        return self

    def __exit__(self, *exception: object) -> None:
        if not self.closed:
            self.close()

    def close(self, timeout: float = 5.0, terminate: bool = False) -> None:
        """Closes the environments and ends all processes. The second call does nothing.

        Environments have ``timeout`` seconds to finish pending requests and to close. Then processes are terminated,
        then killed; with ``terminate``, those with an environment in flight are terminated at once. Raises the first
        exception of an environment's ``close``, after all processes have ended.
        """
        failures = self._envs.shut_down(timeout) if self._client is None else self._client.end(timeout, terminate)
        without_failures(failures)


def without_failures(values: Sequence[Any]) -> list[Any]:
    """Returns the results of environments; raises the first failure among them."""
    for value in values:
        if isinstance(value, EnvFailure):
            raise value.raised()
    return list(values)
