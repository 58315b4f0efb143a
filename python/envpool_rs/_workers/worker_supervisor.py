"""Worker processes that die: noticed, told of, made anew where asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from envpool_rs._core import Caller
from envpool_rs._workers.all_rows import AllRows
from envpool_rs._workers.env_failure import EnvFailure, WorkerDied
from envpool_rs._workers.group_arguments import Ids
from envpool_rs._workers.recovery import Recovery
from envpool_rs._workers.steps import Steps
from envpool_rs._workers.worker_process import WorkerProcess
from envpool_rs._workers.worker_processes import WorkerProcesses

_FINISHED = 3


class Asked(NamedTuple):
    """What an environment was asked for.

    Attributes:
        operation: ``"step"``, ``"reset"``, or a call's.
        keywords: of a reset, pickled; None for none.
        seed: of a reset, as it was given.
    """

    operation: str
    keywords: bytes | None = None
    seed: int | None = None


_STEP = Asked("step")


class WorkerSupervisor:
    """Notices worker processes that die, tells of their environments, and makes them anew where asked.

    Args:
        caller: the asking side of the shared block.
        processes: the worker processes.
        worker_of: the worker of each environment; -1 for those that none hosts.
        rows: the block's rows.
        recovery: the books of what is lost.

    Attributes:
        requests: requests that are no steps, by environment, until they are taken.
        lost: failures of requests that were lost with their worker, until they are taken.
        eventful: whether sends must ask ``check_reachable`` or ``send_due_resets`` first.
    """

    def __init__(
        self,
        caller: Caller,
        processes: WorkerProcesses,
        worker_of: Sequence[int],
        rows: AllRows,
        recovery: Recovery,
    ) -> None:
        self._caller = caller
        self._processes = processes
        self._worker_of = worker_of
        self._rows = rows
        self._recovery = recovery
        self._telling: dict[int, bool] = {}  # requests in flight that tell of a loss: whether they answer a step
        self._abandoned: set[int] = set()
        self._dead: dict[int, WorkerDied] = {}
        self.requests: dict[int, Asked] = {}
        self.lost: dict[int, EnvFailure] = {}
        self.eventful = False

    def look_after_processes(self) -> None:
        """Finds processes that have died; requests they took with them are finished, or sent again to a new process."""
        for process in self._processes:
            if process.worker not in self._dead and not process.alive:
                self._take_death(process)

    def _take_death(self, process: WorkerProcess) -> None:
        lost = self._caller.lose_worker(process.worker)
        losses = self._recovery.note_loss(process.worker, process.env_ids)
        error = process.death()
        self.eventful = True
        if losses:
            self._bury(process.worker, lost, error.again(losses))
        else:
            self._make_anew(process, lost, error)

    def _bury(self, worker: int, lost: list[int], error: WorkerDied) -> None:
        self._dead[worker] = error
        self._lose(lost, error)

    def _lose(self, env_ids: Iterable[int], error: WorkerDied) -> None:
        self.lost.update((env_id, EnvFailure.lost(env_id, self.operation(env_id), error)) for env_id in env_ids)

    def operation(self, env_id: int) -> str:
        """What an environment was last asked for."""
        return self.requests.get(env_id, _STEP).operation

    def _make_anew(self, process: WorkerProcess, lost: list[int], error: WorkerDied) -> None:
        self._caller.renew_worker(process.worker)
        try:
            self._processes.renew(process.worker, self._rows)
        except Exception as failed:
            error.__cause__ = failed
            self._bury(process.worker, lost, error)
            return
        self._recovery.counts[process.worker] += 1
        again = [env_id for env_id in lost if self.operation(env_id) in ("step", "reset")]
        if again:
            self._caller.take(again, False)
        for env_id in process.env_ids:
            self._telling.pop(env_id, None)
            if env_id in again:
                self._reset_anew(env_id)
        self._lose((env_id for env_id in lost if env_id not in again), error)

    def _reset_anew(self, env_id: int) -> None:
        """Sends the reset that answers the request which the dead process took with it."""
        asked = self.requests.get(env_id, _STEP)
        self._caller.send_resets([env_id], self._recovery.seeds_of_resets([env_id], [asked.seed]), asked.keywords)
        self._recovery.set_owing([env_id], False)
        self._telling[env_id] = asked.operation == "step"

    # Results that nobody takes

    def abandon(self, env_ids: Iterable[int]) -> None:
        """Nobody will take the results of these environments, which are in flight."""
        self._abandoned.update(env_ids)
        self.eventful = True

    def drop_abandoned(self) -> None:
        """Drops abandoned results that have come."""
        if not self._abandoned:
            return
        states = self._caller.states()
        finished = [env_id for env_id in self._abandoned if states[env_id] == _FINISHED]
        if finished:
            self.drop(np.array(finished, np.int64))
            self._abandoned.difference_update(finished)

    def drop(self, ids: Ids) -> None:
        """Drops results that have come. A restart is told of by the next step then."""
        self._caller.take(ids, False)
        self.forget_requests(ids)
        for env_id in ids.tolist():
            self.lost.pop(env_id, None)
            if self._telling.pop(env_id, False):
                self._recovery.set_owing([env_id], True)
                self.eventful = True

    def awaited_ids(self) -> Ids:
        """Who is in flight, but for abandoned requests."""
        self.drop_abandoned()
        flying: Ids = np.flatnonzero(self._caller.states())
        return np.setdiff1d(flying, list(self._abandoned)).astype(np.int64) if self._abandoned else flying

    def take_back(self, ids: Ids) -> None:
        """Somebody waits for these again, abandoned or not."""
        self._abandoned.difference_update(ids.tolist())

    def awaited(self, ids: Ids | None, count: int | None) -> int:
        """How many requests of ``ids`` (None: all) there are to wait for, at most ``count``."""
        self.drop_abandoned()
        states = self._caller.states()
        if self._abandoned:
            states[list(self._abandoned)] = 0
        awaited = int(np.count_nonzero(states if ids is None else states[ids]))
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
        recovery = self._recovery
        owed = recovery.owing([env_id for env_id in env_ids if 0 <= env_id < len(self._worker_of)])
        if not owed:
            self.eventful = bool(
                self._dead or self._abandoned or self._telling or recovery.is_any_owing or recovery.is_unproven
            )
            return None
        self.check_sendable(env_ids)
        if len(actions) != len(env_ids):
            raise ValueError(f"{len(actions)} actions for {len(env_ids)} environments: expected one for each")
        stepped = [k for k, env_id in enumerate(env_ids) if env_id not in owed]
        for env_id in owed:
            self._reset_anew(env_id)
        chosen = actions[stepped] if isinstance(actions, np.ndarray) else [actions[k] for k in stepped]
        return np.array([env_ids[k] for k in stepped], np.int64), chosen

    def check_sendable(self, env_ids: list[int]) -> None:
        """Refuses ids that a send would refuse, where there are several sends of which none must be made then.

        Raises:
            IndexError, ValueError, RuntimeError: naming the id.
        """
        states = self._caller.states()
        seen: set[int] = set()
        for index, env_id in enumerate(env_ids):
            if not 0 <= env_id < len(states):
                raise IndexError(f"ids[{index}] is {env_id}: expected an integer from 0 to {len(states) - 1}")
            if env_id in seen:
                raise ValueError(f"environment {env_id} is named twice: expected each once")
            if states[env_id]:
                raise RuntimeError(f"environment {env_id} is in flight: its last request must be taken first")
            seen.add(env_id)

    def note_resets(self, env_ids: list[int], seeds: Sequence[int | None] | None, keywords: bytes | None) -> None:
        """Remembers resets that were asked for."""
        if seeds is None:
            self.requests.update(dict.fromkeys(env_ids, Asked("reset", keywords)))
        else:
            each = zip(env_ids, seeds, strict=True)
            self.requests.update((env_id, Asked("reset", keywords, seed)) for env_id, seed in each)
        self._recovery.note_seeds(env_ids, seeds)
        if self._recovery.is_any_owing:
            owed = self._recovery.owing(env_ids)
            self._telling.update(dict.fromkeys(owed, False))
            self._recovery.set_owing(owed, False)

    def note_calls(self, env_ids: list[int], operation: str, payloads: Sequence[Any]) -> None:
        """Remembers calls that were asked for."""
        self.requests.update(dict.fromkeys(env_ids, Asked(operation)))
        if operation == "seed":
            seeds = [int(each) if isinstance(each, (int, np.integer)) else None for each in payloads]
            self._recovery.note_seeds(env_ids, seeds)

    # After waits

    def note_completed(self, done: Ids) -> None:
        """Remembers which workers have completed requests since they were made anew."""
        if self._recovery.is_unproven:
            self._recovery.note_answers([env_id for env_id in done.tolist() if env_id not in self.lost])

    def complete(self, steps: Steps) -> None:
        """Forgets the requests of ``steps``, and marks those rows that tell of a restart."""
        if self.requests:
            self.forget_requests(steps.ids)
        if not self._telling:
            return
        for k, env_id in enumerate(steps.ids.tolist()):
            truncated = self._telling.pop(env_id, None)
            if truncated is None or env_id in steps.failures:
                continue
            steps.tell_of_restart(k, truncated=truncated)

    def forget_requests(self, ids: Ids) -> None:
        """Of environments whose results were taken."""
        for env_id in ids.tolist():
            self.requests.pop(env_id, None)
