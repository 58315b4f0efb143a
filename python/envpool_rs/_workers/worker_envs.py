"""Makes and ends Python environments in worker processes, and supervises the processes for the extension."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.context import BaseContext
from multiprocessing.util import Finalize
from typing import Any

from envpool_rs._arguments import functions, integer
from envpool_rs._core import EnvHost, SharedBlock
from envpool_rs._workers.hosted_envs import EnvCreationError, EnvReport, HostedEnvs, HostOptions
from envpool_rs._workers.observations import ObservationLayout, RowLayouts
from envpool_rs._workers.serialization import ByValue, EnvFailure, WorkerDied, dumps, failure_bytes, load_failure, loads
from envpool_rs._workers.worker_process import (
    WorkerProcesses,
    available_cores,
    block_interrupts,
    end_all,
    resolve_context,
)


class WorkerEnvs:
    """Python environments in worker processes (and optionally in the caller's), with one block of shared memory."""

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
        """Ends the processes of environments that could not be made or are no longer needed."""
        self.ended = True
        if at_once:
            self.processes.kill_unreported()
        self.processes.end(1.0)
        self._finalizer.cancel()
        if self._own is not None:
            self._own.close_all()

    def make(self) -> None:
        """Waits until every environment is made."""
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
        """Ends all processes, and closes the caller's own environments. A second call only waits for the first."""
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
    """Descriptions of all environments of a group."""

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
        """Returns the layout of the rows; with ``final_rows`` also of rows for final observations of episodes."""
        # If layouts differ between environments, observations are sent as messages.
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


class Supervisor:
    """Supervises the worker processes of a pool on behalf of the Rust extension."""

    # This object stores exceptions; the extension refers to them by numbers.

    def __init__(self, envs: WorkerEnvs, on_restart: Callable[[WorkerDied], None] | None = None) -> None:
        self._envs = envs
        self._on_restart = on_restart
        self._deaths: list[WorkerDied] = []
        self._renewed: set[int] = set()
        self.restarts = [0] * envs.num_workers

    def lost(self, known: list[int]) -> tuple[int, str, bytes] | None:
        """Returns a worker whose process has ended, the error message, and the number of its exception; None if all are
        alive.
        """
        for process in self._envs.processes:
            if process.worker not in known and not process.alive:
                return process.worker, *self._record_death(process.death())
        return None

    def _record_death(self, death: WorkerDied) -> tuple[str, bytes]:
        self._deaths.append(death)
        return str(death), (len(self._deaths) - 1).to_bytes(8, "little")

    def renew(self, worker: int) -> tuple[str, bytes] | None:
        """Restarts a worker's process. Returns None; if the restart fails, returns the message and the number of the
        exception.
        """
        assert self._envs.rows is not None  # set because all environments are made
        self._renewed.discard(worker)
        with block_interrupts():
            try:
                self._envs.processes.restart(worker, self._envs.rows)
            except Exception as failed:
                death = self._last_death(worker)
                death.__cause__ = failed
                return self._record_death(death)
            self._renewed.add(worker)
            self.restarts[worker] += 1
            if self._on_restart is not None:
                self._on_restart(self._last_death(worker))
        return None

    def failure_to_renew(self, worker: int) -> tuple[str, bytes] | None:
        """Returns the failure that the last :meth:`renew` reported, for a caller that an exception such as
        KeyboardInterrupt interrupted.
        """
        return None if worker in self._renewed else self._record_death(self._last_death(worker))

    def _last_death(self, worker: int) -> WorkerDied:
        return next(death for death in reversed(self._deaths) if death.worker == worker)

    def unreadable(self, env_id: int, error: Exception) -> bytes:
        """Returns the failure of an environment whose message cannot be unpickled here, as bytes."""
        return failure_bytes(env_id, "step", error)

    def close_request(self) -> bytes | None:
        """Returns the message that closes an environment; None if this process must not close environments."""
        return dumps(("close", None)) if self._envs.is_owner_process and not self._envs.ended else None

    def dead_workers(self) -> list[int]:
        """Returns the workers whose processes have ended."""
        return [process.worker for process in self._envs.processes if not process.alive]

    def terminate(self, env_ids: list[int]) -> None:
        """Ends the processes that host any of these environments, without waiting for running requests."""
        end_all([process for process in self._envs.processes if not set(env_ids).isdisjoint(process.env_ids)], 0.0)

    def end(self, seconds: float, replies: list[tuple[int, bytes]]) -> list[bytes]:
        """Ends all processes."""
        values = [loaded_value(reply, env_id, "close") for env_id, reply in replies]
        return [dumps(value) for value in [*values, *self._envs.end(seconds)] if isinstance(value, EnvFailure)]

    def rebuilt(self, env_id: int, payload: bytes, text: str, losses: int, advice: str | None) -> BaseException:
        """Builds the exception that reports a failure."""
        # `payload` holds an `EnvFailure`, or for a lost environment (`losses` in a row, at least one) the number of a
        # stored exception; `text` is the message if it is empty; `advice` becomes a note of the exception.
        error = self._raised(env_id, payload, text, losses)
        if advice is not None and hasattr(error, "add_note"):  # Python 3.11 or later
            error.add_note(advice)
        return error

    def _raised(self, env_id: int, payload: bytes, text: str, losses: int) -> BaseException:
        if payload or losses:
            return self.failure(env_id, payload, text, losses).raised()
        return RuntimeError(f"environment {env_id}: {text}")

    def failure(self, env_id: int, payload: bytes, text: str, losses: int) -> EnvFailure:
        """Builds the ``EnvFailure`` that bytes and text describe."""
        if losses:
            return EnvFailure.lost(env_id, "step", self._deaths[int.from_bytes(payload, "little")].again(losses))
        if payload:
            return load_failure(payload, env_id, "step")
        return EnvFailure(env_id, "step", RuntimeError(text), "RuntimeError", text, "")


def value_of(answer: bytes, env_id: int, operation: str) -> Any:
    """Returns the value that an environment returned for a call."""
    value = loaded_value(answer, env_id, operation)
    if isinstance(value, EnvFailure):
        raise value.raised()
    return value


def loaded_value(answer: bytes, env_id: int, operation: str) -> Any:
    """Returns the value that an environment returned for a call, or its ``EnvFailure``."""
    try:
        return loads(answer)
    except Exception as error:
        return EnvFailure.of(env_id, operation, error)


def worker_count(num_workers: int | None, num_envs: int, caller_share: bool) -> int:
    """Returns the number of worker processes: at most the requested number, and no process without an environment."""
    most = num_envs - 1 if caller_share else num_envs
    if num_workers is None:
        return min(most, len(available_cores()) - (1 if caller_share else 0))
    least = 0 if caller_share else 1
    return min(integer("num_workers", num_workers, least, kind="an int or None"), most)


def assign_workers(num_envs: int, num_workers: int, caller_share: bool) -> list[int]:
    """Returns the worker of each environment, in even, contiguous shares; -1 for the caller's share, the last one."""
    parts = num_workers + (1 if caller_share else 0)
    parts_of = [env_id * parts // num_envs for env_id in range(num_envs)]
    return [part if part < num_workers else -1 for part in parts_of]
