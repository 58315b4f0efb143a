"""Main function of a worker process."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for_any
from typing import Any

from envpool_rs._core import SharedBlock
from envpool_rs._workers.hosted_envs import EnvCreationError, HostedEnvs, HostOptions
from envpool_rs._workers.observation_layout import RowLayouts
from envpool_rs._workers.serialization import dumps, loads


@dataclass
class WorkerStart:
    """Arguments of a worker process.

    Attributes:
        block: the shared block.
        worker: this worker's number.
        env_ids: the environments that the worker hosts.
        env_fns: the factories of these environments.
        options: options for making and running environments.
        core: the CPU core that the worker is pinned to; None for no pinning.
        rows: the layout of the block's rows if they are allocated already, as for a restarted worker; None to receive
            the layout through the pipe.
        connection: the worker's end of the pipe, used until the worker serves requests; opened by `WorkerProcess`.
    """

    block: SharedBlock
    worker: int
    env_ids: Sequence[int]
    env_fns: Sequence[Callable[[], Any]]
    options: HostOptions
    core: int | None
    rows: RowLayouts | None
    connection: Connection | None = None


def worker_main(start: WorkerStart) -> None:
    """Makes the environments, sends their descriptions to the parent, then runs requests until the block is closed."""
    # Excludes the objects that the process inherited by fork from garbage collection. Collecting them would copy all
    # their memory pages and run the caller's finalisers a second time.
    gc.freeze()
    _ignore_interrupts()
    block = SharedBlock.attach(start.block.fd)
    watch_parent(block)
    if start.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {start.core})
    envs = HostedEnvs(start.env_ids, start.env_fns, start.options, is_restarted=start.rows is not None)
    connection = start.connection
    assert connection is not None  # the parent opened it
    try:
        envs.make()
    except EnvCreationError as not_made:
        connection.send_bytes(not_made.failure)
        return
    try:
        _serve(start, connection, block, envs)
    finally:
        envs.close_all()


def _serve(start: WorkerStart, connection: Connection, block: SharedBlock, envs: HostedEnvs) -> None:
    rows = start.rows if start.rows is not None else _report_envs(connection, envs)
    if rows is None:
        return  # the caller no longer needs the environments
    connection.close()
    block.allocate(rows.layouts, rows.final_rows)
    # Excludes modules and environments from garbage collection: they live as long as the process, and scanning them
    # takes 2 to 5 % of the time of cheap steps.
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
    # Ctrl-C signals all processes of the terminal; the parent handles it, so workers ignore it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Restores the default action: the parent's handler, inherited by fork, could prevent termination of a hanging
    # worker.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})


GRACE_SECONDS = 2.0
_LOOK_SECONDS = 0.5


def watch_parent(block: SharedBlock) -> None:
    """Starts a thread that ends this process after its parent died.

    The environments get 2 s to close first.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    threading.Thread(target=_watch, args=(parent.pid, parent.sentinel, block), daemon=True, name="parent_watch").start()


def _watch(pid: int, sentinel: int, block: SharedBlock) -> None:
    _await_death(pid, sentinel)
    block.close()
    time.sleep(GRACE_SECONDS)
    os._exit(1)


def _await_death(pid: int, sentinel: int) -> None:
    # The parent's sentinel is an end of a pipe, which workers forked later may hold open; so the parent's pid is
    # watched as well.
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    except (AttributeError, OSError):
        _poll_for_death(sentinel)
        return
    wait_for_any([handle, sentinel])


def _poll_for_death(sentinel: int) -> None:
    parent = os.getppid()
    while not wait_for_any([sentinel], _LOOK_SECONDS) and os.getppid() == parent:
        pass
