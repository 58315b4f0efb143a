"""Ends a worker whose parent process has died."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from multiprocessing.connection import wait as wait_for_any

from envpool_rs._core import SharedBlock

GRACE_SECONDS = 2.0
_LOOK_SECONDS = 0.5


def watch_parent(block: SharedBlock) -> None:
    """Starts a thread that waits for the parent's death, then gives the environments 2 s to close and exits."""
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
    # The sentinel is a pipe's end that siblings forked later may hold open, so the process itself is watched, too.
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
