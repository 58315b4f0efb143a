"""Closes environments before their processes end."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from envpool_rs._workers.answer_flags import LOST
from envpool_rs._workers.env_failure import EnvFailure
from envpool_rs._workers.serialization import dumps, loads
from envpool_rs._workers.worker_process import WorkerProcess, end_all

_LOOK_SECONDS = 0.02
_IDLE, _FINISHED = 0, 3


def close_envs(
    caller: Any, processes: Iterable[WorkerProcess], worker_of: Sequence[int], deadline: float, *, terminate: bool
) -> list[EnvFailure]:
    """Closes each environment as soon as its pending request has finished, until ``deadline``.

    Args:
        caller: the caller's side of the shared block.
        processes: the worker processes; dead ones are skipped.
        worker_of: the worker of each environment.
        deadline: a time of ``time.monotonic``, in seconds.
        terminate: end processes with an environment in flight at once.

    Returns: the failures that environments raised.
    """
    closing = _Closing(caller, list(processes), worker_of)
    if terminate:
        closing.terminate_busy()
    while closing.go_on() and time.monotonic() < deadline:
        closing.wait()
    return closing.failures


class _Closing:
    def __init__(self, caller: Any, processes: list[WorkerProcess], worker_of: Sequence[int]) -> None:
        self._caller = caller
        self._processes = processes
        self._unasked = set(range(len(worker_of)))
        self._asked: set[int] = set()
        self._worker_of = worker_of
        self.failures: list[EnvFailure] = []

    def terminate_busy(self) -> None:
        states = self._caller.states()
        busy = {env_id for env_id in self._unasked if states[env_id] not in (_IDLE, _FINISHED)}
        end_all([process for process in self._processes if busy.intersection(process.env_ids)], 0.0)
        # Environments hosted by the caller itself are not stepped any more.
        self._unasked -= {env_id for env_id in busy if self._worker_of[env_id] < 0}

    def go_on(self) -> bool:
        """Sends ``close`` to idle environments; returns whether any is left to wait for."""
        self._drop_dead()
        states = self._caller.states()
        for env_id in list(self._unasked):
            if states[env_id] in (_IDLE, _FINISHED) and self._ask(env_id, is_idle=states[env_id] == _IDLE):
                self._unasked.discard(env_id)
                self._asked.add(env_id)
        return bool(self._asked or self._unasked)

    def _ask(self, env_id: int, *, is_idle: bool) -> bool:
        """Sends ``close`` to one environment; returns False if a waiting thread is just taking its result."""
        with suppress(RuntimeError):
            if not is_idle:
                self._caller.take(np.array([env_id]))
            self._caller.send_call(env_id, dumps(("close", None)))
            return True
        return False

    def _drop_dead(self) -> None:
        for process in self._processes:
            if not process.alive:
                self._unasked.difference_update(process.env_ids)
                self._asked.difference_update(process.env_ids)

    def wait(self) -> None:
        # Waits for all of them: the caller's own environments run during this wait.
        waited = np.array(sorted(self._asked | self._unasked), np.int64)
        for env_id in self._caller.wait(waited, len(waited), _LOOK_SECONDS).tolist():
            if env_id not in self._asked:
                continue
            flags = self._caller.take(np.array([env_id]))[4]
            self._asked.discard(env_id)
            if not flags[0] & LOST:
                self._take_answer(env_id)

    def _take_answer(self, env_id: int) -> None:
        try:
            answer = loads(self._caller.message(env_id))
        except Exception as error:
            answer = EnvFailure.of(env_id, "close", error)
        if isinstance(answer, EnvFailure):
            self.failures.append(answer)
