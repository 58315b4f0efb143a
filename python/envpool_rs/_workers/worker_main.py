"""Main function of a worker process."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from envpool_rs._core import SharedBlock
from envpool_rs._workers.all_rows import RowLayouts
from envpool_rs._workers.hosted_envs import EnvCreationError, HostedEnvs, HostOptions
from envpool_rs._workers.parent_watch import watch_parent
from envpool_rs._workers.serialization import dumps, loads


@dataclass
class WorkerStart:
    """Arguments of a worker process.

    Attributes:
        block: the shared block.
        worker: this worker's number.
        env_ids: the environments that it hosts.
        env_fns: their factories.
        options: how they are made and run.
        connection: the worker's end of the pipe, used until the worker serves.
        core: the core it runs on; None for any.
        rows: the layout of the block's rows if they are allocated, as for a restarted worker; None to receive it by
            the pipe.
    """

    block: SharedBlock
    worker: int
    env_ids: Sequence[int]
    env_fns: Sequence[Callable[[], Any]]
    options: HostOptions
    connection: Connection
    core: int | None
    rows: RowLayouts | None


def worker_main(start: WorkerStart) -> None:
    """Makes the environments, reports them, then runs requests until the block closes."""
    # Inherited objects belong to the caller: a collection would copy all their pages and run their finalisers again.
    gc.freeze()
    _ignore_interrupts()
    block = SharedBlock.attach(start.block.fd)
    watch_parent(block)
    if start.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {start.core})
    envs = HostedEnvs(start.env_ids, start.env_fns, start.options, is_restarted=start.rows is not None)
    try:
        envs.make()
    except EnvCreationError as not_made:
        start.connection.send_bytes(not_made.failure)
        return
    try:
        _serve(start, block, envs)
    finally:
        envs.close_all()


def _serve(start: WorkerStart, block: SharedBlock, envs: HostedEnvs) -> None:
    rows = start.rows if start.rows is not None else _report_envs(start.connection, envs)
    if rows is None:
        return  # the caller does not need them any more
    start.connection.close()
    block.allocate(rows.layouts, rows.final_rows)
    # Modules and environments stay alive: scanning them in every collection costs 2 to 5 % of cheap steps.
    gc.collect()
    gc.freeze()
    envs.host(block, rows).serve(start.worker)


def _report_envs(connection: Connection, envs: HostedEnvs) -> RowLayouts | None:
    try:
        connection.send_bytes(dumps(envs.reports()))
        rows: RowLayouts | None = loads(connection.recv_bytes())
    except (EOFError, OSError):
        return None
    return rows


def _ignore_interrupts() -> None:
    # Ctrl-C reaches the whole terminal group; the parent handles it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The parent's handler, inherited by fork, would prevent termination of a hanging worker.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
