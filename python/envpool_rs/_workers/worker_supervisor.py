"""Worker processes that die: noticed, told of, made anew where asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from envpool_rs._core import Caller
from envpool_rs._workers.all_rows import AllRows
from envpool_rs._workers.env_failure import EnvFailure, WorkerDied
from envpool_rs._workers.group_arguments import Ids
from envpool_rs._workers.restarts import Restarts
from envpool_rs._workers.steps import Steps
from envpool_rs._workers.worker_process import WorkerProcess
from envpool_rs._workers.worker_processes import WorkerProcesses

_STEP = ("step", None)
_FINISHED = 3


class WorkerSupervisor:
    """Notices worker processes that die, tells of their environments, and makes them anew where asked.

    Args:
        caller: the asking side of the shared block.
        processes: the worker processes.
        worker_of: the worker of each environment; -1 for those that none hosts.
        rows: the block's rows.
        restarts: the books of the restart policy; None: dead workers stay dead.

    Attributes:
        requests: requests that are no steps, by environment, until they are taken: the operation, and a reset's
            keywords.
        lost: failures of requests that were lost with their worker, until they are taken.
        eventful: whether sends must ask ``check_reachable`` or ``send_due_resets`` first.
    """

    def __init__(
        self,
        caller: Caller,
        processes: WorkerProcesses,
        worker_of: Sequence[int],
        rows: AllRows,
        restarts: Restarts | None,
    ) -> None:
        self._caller = caller
        self._processes = processes
        self._worker_of = worker_of
        self._rows = rows
        self._restarts = restarts
        self._abandoned: set[int] = set()
        self._dead: dict[int, WorkerDied] = {}
        self.requests: dict[int, tuple[str, bytes | None]] = {}
        self.lost: dict[int, EnvFailure] = {}
        self.eventful = False

    def look_after_processes(self) -> None:
        """Finds processes that have died; requests they took with them are finished, or sent again to a new process."""
        for process in self._processes:
            if process.worker not in self._dead and not process.alive:
                self._take_death(process)

    def _take_death(self, process: WorkerProcess) -> None:
        lost = self._caller.lose_worker(process.worker)
        restarts = self._restarts
        again = restarts is not None and process.worker not in restarts.unproven
        twice = " (a second time in a row, without a request completed between)"
        error = process.death("" if again or restarts is None else twice)
        self.eventful = True
        if again:
            self._make_anew(process, lost, error)
            return
        self._bury(process.worker, lost, error)

    def _bury(self, worker: int, lost: list[int], error: WorkerDied) -> None:
        self._dead[worker] = error
        self._lose(lost, error)

    def _lose(self, env_ids: Iterable[int], error: WorkerDied) -> None:
        self.lost.update((env_id, EnvFailure.lost(env_id, self.operation(env_id), error)) for env_id in env_ids)

    def operation(self, env_id: int) -> str:
        """What an environment was last asked for."""
        return self.requests.get(env_id, _STEP)[0]

    def _make_anew(self, process: WorkerProcess, lost: list[int], error: WorkerDied) -> None:
        restarts = self._books()
        self._caller.renew_worker(process.worker)
        try:
            self._processes.renew(process.worker, self._rows)
        except Exception as failed:
            error.__cause__ = failed
            self._bury(process.worker, lost, error)
            return
        restarts.counts[process.worker] += 1
        restarts.unproven.add(process.worker)
        again = [env_id for env_id in lost if self.operation(env_id) in ("step", "reset")]
        if again:
            self._caller.take(again, False)
        for env_id in process.env_ids:
            restarts.answers.pop(env_id, None)
            if env_id in again:
                self._reset_anew(env_id)
            else:
                restarts.untold.add(env_id)
        self._lose((env_id for env_id in lost if env_id not in again), error)

    def _reset_anew(self, env_id: int) -> None:
        """Sends the reset that answers the request which the dead process took with it."""
        restarts = self._books()
        operation, keywords = self.requests.get(env_id, _STEP)
        restarts.forget([env_id])
        restarts.answers[env_id] = operation == "step"
        self._caller.send_resets([env_id], [restarts.seed_of(env_id, self._worker_of[env_id])], keywords)

    def _books(self) -> Restarts:
        assert self._restarts is not None  # only a restart policy asks for them
        return self._restarts

    # Results that nobody takes

    def abandon(self, env_ids: Iterable[int]) -> None:
        """Nobody will take the results of these environments, which are in flight."""
        self._abandoned.update(env_ids)
        self.eventful = True

    def drop_abandoned(self) -> None:
        """Drops abandoned results that have come."""
        if not self._abandoned:
            return
        phases = self._caller.phases()
        finished = [env_id for env_id in self._abandoned if phases[env_id] == _FINISHED]
        if finished:
            self.drop(np.array(finished, np.int64))
            self._abandoned.difference_update(finished)

    def drop(self, ids: Ids) -> None:
        """Drops results that have come. A restart is told of by the next step then."""
        self._caller.take(ids, False)
        self.forget_requests(ids)
        for env_id in ids.tolist():
            self.lost.pop(env_id, None)
            if self._restarts is not None and self._restarts.answers.pop(env_id, False):
                self._restarts.untold.add(env_id)
                self.eventful = True

    def awaited_ids(self) -> Ids:
        """Who is in flight, but for abandoned requests."""
        self.drop_abandoned()
        flying: Ids = np.flatnonzero(self._caller.phases())
        return np.setdiff1d(flying, list(self._abandoned)).astype(np.int64) if self._abandoned else flying

    def take_back(self, ids: Ids) -> None:
        """Somebody waits for these again, abandoned or not."""
        self._abandoned.difference_update(ids.tolist())

    def awaited(self, ids: Ids | None, count: int | None) -> int:
        """How many requests of ``ids`` (None: all) there are to wait for, at most ``count``."""
        self.drop_abandoned()
        phases = self._caller.phases()
        if self._abandoned:
            phases[list(self._abandoned)] = 0
        awaited = int(np.count_nonzero(phases if ids is None else phases[ids]))
        return awaited if count is None else min(count, awaited)

    # Before sends

    def check_reachable(self, env_ids: Iterable[int]) -> None:
        """Refuses environments whose worker is dead.

        Raises:
            WorkerDied: naming the worker and its environments.
        """
        self.drop_abandoned()
        if not self._dead:
            return
        for env_id in env_ids:
            death = self._dead.get(self._worker_of[env_id]) if 0 <= env_id < len(self._worker_of) else None
            if death is not None:
                raise EnvFailure.lost(env_id, "step", death).raised()

    def send_due_resets(self, env_ids: list[int], actions: Any) -> tuple[Ids, Any] | None:
        """Resets those that owe it to a restart; answers with the others and their actions. None: nothing was sent.

        Raises:
            IndexError, ValueError, RuntimeError: for environments that cannot be stepped; nothing is sent then.
        """
        restarts = self._restarts
        if restarts is None or restarts.untold.isdisjoint(env_ids):
            self.eventful = bool(self._dead or self._abandoned or (restarts is not None and restarts.untold))
            return None
        self.check_sendable(env_ids)
        if len(actions) != len(env_ids):
            raise ValueError(f"{len(actions)} actions for {len(env_ids)} environments: expected one for each")
        owed = [env_id for env_id in env_ids if env_id in restarts.untold]
        stepped = [k for k, env_id in enumerate(env_ids) if env_id not in restarts.untold]
        for env_id in owed:
            self._reset_anew(env_id)
        chosen = actions[stepped] if isinstance(actions, np.ndarray) else [actions[k] for k in stepped]
        return np.array([env_ids[k] for k in stepped], np.int64), chosen

    def check_sendable(self, env_ids: list[int]) -> None:
        """Refuses ids that a send would refuse, where there are several sends of which none must be made then.

        Raises:
            IndexError, ValueError, RuntimeError: naming the id.
        """
        phases = self._caller.phases()
        seen: set[int] = set()
        for index, env_id in enumerate(env_ids):
            if not 0 <= env_id < len(phases):
                raise IndexError(f"ids[{index}] is {env_id}: expected an integer from 0 to {len(phases) - 1}")
            if env_id in seen:
                raise ValueError(f"environment {env_id} is named twice: expected each once")
            if phases[env_id]:
                raise RuntimeError(f"environment {env_id} is in flight: its last request must be taken first")
            seen.add(env_id)

    def note_resets(self, env_ids: list[int], seeds: Sequence[int | None] | None, keywords: bytes | None) -> None:
        """Remembers resets that were asked for."""
        self.requests.update((env_id, ("reset", keywords)) for env_id in env_ids)
        restarts = self._restarts
        if restarts is not None:
            restarts.note_seeds(env_ids, seeds)
            restarts.answers.update((env_id, False) for env_id in env_ids if env_id in restarts.untold)
            restarts.forget(env_ids)

    def note_calls(self, env_ids: list[int], operation: str, payloads: Sequence[Any]) -> None:
        """Remembers calls that were asked for."""
        self.requests.update((env_id, (operation, None)) for env_id in env_ids)
        if self._restarts is not None and operation == "seed":
            seeds = [int(each) if isinstance(each, (int, np.integer)) else None for each in payloads]
            self._restarts.note_seeds(env_ids, seeds)

    # After waits

    def note_completed(self, done: Ids) -> None:
        """Remembers which workers have completed requests since they were made anew."""
        if self._restarts is not None and self._restarts.unproven:
            completed = {self._worker_of[env_id] for env_id in done.tolist() if env_id not in self.lost}
            self._restarts.unproven -= completed

    def complete(self, steps: Steps) -> None:
        """Forgets the requests of ``steps``, and marks those rows that tell of a restart."""
        if self.requests:
            self.forget_requests(steps.ids)
        restarts = self._restarts
        if restarts is None or not restarts.answers:
            return
        for k, env_id in enumerate(steps.ids.tolist()):
            truncated = restarts.answers.pop(env_id, None)
            if truncated is None or env_id in steps.failures:
                continue
            steps.tell_of_restart(k, truncated=truncated)

    def forget_requests(self, ids: Ids) -> None:
        """Of environments whose results were taken."""
        for env_id in ids.tolist():
            self.requests.pop(env_id, None)
