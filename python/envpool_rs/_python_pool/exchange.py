"""Requests to the environments of a pool and what they answer, in batches."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from envpool_rs._python_pool.env_ids import Ids
from envpool_rs._python_pool.first_seeds import FirstSeeds
from envpool_rs._python_pool.lanes import Lanes
from envpool_rs._python_pool.options import PoolOptions
from envpool_rs._python_pool.rows import Rows
from envpool_rs._workers import Steps, WorkerGroup


class Exchange:
    """Sends requests and receives batches: of the oldest request, or, where the pool is asynchronous, of whoever
    finished first.

    Attributes:
        lanes: what is known of each environment.
        is_async: whether batches hold whoever finishes first.
    """

    def __init__(self, group: WorkerGroup, options: PoolOptions) -> None:
        """Begins with nothing in flight.

        Args:
            group: the environments, idle.
            options: the pool's.
        """
        self.lanes = Lanes(options.num_envs, options.autoreset_mode)
        self.is_async = options.is_async
        self._group = group
        self._pid = os.getpid()
        self._timeout = options.timeout
        self._copy = options.copy
        self._batch_size = options.batch_size
        self._first_seeds = FirstSeeds(options.first_seeds())
        # One thread may send while another receives: whatever the group notes is noted by one at a time.
        self._books = threading.Lock()
        # Requests in the order they were sent (synchronous pools), and rows left of batches in which some failed.
        self._sent: deque[Ids] = deque()
        self._kept: deque[Rows] = deque()

    # What is refused

    def check_usable(self) -> None:
        """Refuses use after ``close`` and in a forked child.

        Raises:
            RuntimeError: saying which.
        """
        if os.getpid() != self._pid:
            raise RuntimeError("this pool belongs to the parent process: make another one after the fork")
        if self._group.closed:
            raise RuntimeError("this pool is closed")

    def check_receivable(self) -> None:
        """Refuses to wait for a batch that cannot become complete.

        Raises:
            RuntimeError: saying what is missing.
        """
        if self._kept:
            return
        if self.is_async:
            self._check_enough_in_flight(0)
        elif not self._sent:
            raise RuntimeError("recv: nothing has been sent")

    def check_exchangeable(self, count: int) -> None:
        """Refuses to send a request of ``count`` environments and to wait at once, where that could not return it.

        Raises:
            RuntimeError: saying why.
        """
        if self.is_async:
            self._check_enough_in_flight(count)
        elif self.lanes.count_flying():
            raise RuntimeError("results of an earlier send are waiting: recv them first")

    def _check_enough_in_flight(self, more: int) -> None:
        flying, needed = self.lanes.count_flying() + more, self._batch_size
        if flying < needed:
            raise RuntimeError(f"recv: {flying} environments are in flight, fewer than batch_size={needed}: send first")

    # Sending

    def send_steps(self, ids: Ids, actions: npt.NDArray[Any] | list[Any]) -> None:
        """Sends actions, checked, to environments that can be stepped. Those that have never been reset are reset.

        Args:
            ids: environments.
            actions: one for each.
        """
        fresh = self.lanes.fresh(ids)
        try:
            with self._books:
                if fresh is None:
                    self._group.send_steps(ids, actions)
                    self._launched(ids)
                else:
                    self._send_steps_and_resets(ids, actions, fresh)
        except BaseException:
            self._correct_books()
            raise

    def _send_steps_and_resets(self, ids: Ids, actions: Any, fresh: npt.NDArray[np.bool_]) -> None:
        rows = np.flatnonzero(~fresh)
        played = actions[rows] if isinstance(actions, np.ndarray) else [actions[row] for row in rows]
        self._group.send_steps(ids[rows], played)
        self._reset(ids[fresh], None, None)
        self._launched(ids)

    def send_resets(self, ids: Ids, seeds: Sequence[int | None] | None, options: Mapping[str, Any] | None) -> None:
        """Sends resets.

        Args:
            ids: environments.
            seeds: one for each (``None``: go on, or the first seed), or ``None``.
            options: the environments' own reset options.
        """
        try:
            with self._books:
                self._reset(ids, seeds, options)
                self._launched(ids)
        except BaseException:
            self._correct_books()
            raise

    def _reset(self, ids: Ids, seeds: Sequence[int | None] | None, options: Mapping[str, Any] | None) -> None:
        self._group.send_resets(ids, self._first_seeds.merged(ids, seeds), options)
        self._first_seeds.forget(ids)

    def _launched(self, ids: Ids) -> None:
        self.lanes.launch(ids)
        if not self.is_async:
            self._sent.append(ids)

    def _correct_books(self) -> None:
        """Notes who is in flight indeed: an interrupt may come between a request, or a result, and its note."""
        if self.closed or os.getpid() != self._pid:
            return
        with self._books:
            flying = self._group.awaited_ids
            self.lanes.land(self.lanes.every)
            self.lanes.launch(np.concatenate([flying, *(rows.ids for rows in self._kept)]))
            if not self.is_async:
                self._sent = self._still_sent(flying)

    def _still_sent(self, flying: Ids) -> deque[Ids]:
        """Requests in flight: those that were noted, and last whoever is in flight without a note."""
        # Requests of no environment stay.
        left = [(ids, np.isin(ids, flying)) for ids in self._sent]
        noted = [ids if every.all() else ids[every] for ids, every in left if every.any() or not len(ids)]
        missing = np.setdiff1d(flying, np.concatenate([flying[:0], *noted]))
        if len(missing):
            noted.append(self.lanes.every if len(missing) == len(self.lanes.every) else missing)
        return deque(noted)

    @property
    def is_plain(self) -> bool:
        """Whether a step of all environments needs nothing but their actions, in a synchronous pool at rest."""
        at_rest = self.lanes.all_running and not self._sent and not self._kept
        return at_rest and not self.is_async and self._timeout is None

    def exchange(self, actions: npt.NDArray[Any] | list[Any]) -> Steps | Rows:
        """Steps all environments of a pool that ``is_plain``.

        Args:
            actions: one for each, checked.

        Raises:
            Exception: as :meth:`receive`.
        """
        try:
            with self._books:
                steps = self._group.exchange(actions, self._copy)
                if steps is None:
                    self._launched(self.lanes.every)
        except BaseException:
            self._correct_books()
            raise
        if steps is None:
            return self.receive(latest=True)
        self.lanes.settle(steps)
        return steps

    # Receiving

    def receive(self, latest: bool = False) -> Steps | Rows:
        """The next batch.

        Args:
            latest: in a synchronous pool, that of the latest request instead of the oldest. Where nothing else is in
                flight, requests of no environment may be left.

        Raises:
            TimeoutError: where it takes longer than the pool's ``timeout``; it can be received later.
            Exception: what an environment raised; the rows of the others come with the next call.
        """
        if self._kept:
            kept = self._kept.popleft()
            self.lanes.land(kept.ids)
            return kept
        try:
            return self._received(latest)
        except BaseException:
            self._correct_books()
            raise

    def _received(self, latest: bool) -> Steps:
        if self.is_async:
            ids = self._waited(None, self._batch_size)
        else:
            ids = self._sent[-1 if latest else 0]
            self._waited(ids, len(ids))
        shared = not self._copy and ids is self.lanes.every
        with self._books:
            steps = self._group.take_steps(None, copy=False) if shared else self._group.take_steps(ids)
            if not self.is_async:
                self._sent.pop() if latest else self._sent.popleft()
        if steps.failures:
            self._raise_failures(steps)
        self.lanes.settle(steps)
        # Last, so that a sender in another thread finds everything settled.
        self.lanes.land(ids)
        return steps

    def _waited(self, ids: Ids | None, count: int) -> Ids:
        done = self._group.wait(ids, count, self._timeout)
        if len(done) < count:
            late = np.setdiff1d(self.lanes.flying() if ids is None else ids, done)
            who = f"environment {late[0]} has" if len(late) == 1 else f"environments {', '.join(map(str, late))} have"
            raise TimeoutError(f"{who} not finished within timeout={self._timeout} s: recv() goes on waiting")
        return done

    def _raise_failures(self, steps: Steps) -> NoReturn:
        """Raises what the first environment raised, and keeps the rows of the others for the next batch."""
        failed = np.array(sorted(steps.failures))
        kept = Rows(steps, np.flatnonzero(~np.isin(steps.ids, failed)))
        if len(kept.ids):
            self.lanes.settle(kept)
            self._kept.append(kept)
        self.lanes.fail(failed)
        # The others stay in flight: a sender in another thread must not take them for free.
        self.lanes.land(failed)
        error = steps.failures[int(failed[0])].raised()
        _add_advice(error, failed, len(kept.ids))
        raise error

    def drain(self) -> None:
        """Waits for what is in flight and throws it away.

        Raises:
            TimeoutError: as for :meth:`receive`; then nothing has changed.
        """
        self._correct_books()
        if not self.lanes.count_flying():
            return
        kept = [index for rows in self._kept for index in rows.ids]
        ids = np.setdiff1d(self.lanes.flying(), kept)
        if len(ids):
            self._waited(ids, len(ids))
            self._group.take_steps(ids)
        self._sent.clear()
        self._kept.clear()
        self.lanes.land(self.lanes.every)

    # Everything else

    def call(self, ids: Ids, operation: str, payloads: list[Any] | None) -> tuple[Any, ...]:
        """What environments answer to anything that is neither step nor reset.

        Args:
            ids: environments, none of them in flight.
            operation: what is asked, as :meth:`envpool_rs.workers.WorkerGroup.send_calls` has it.
            payloads: arguments, one for each environment.
        """
        return tuple(self._group.call(ids, operation, payloads))

    def shown_leaves(self) -> list[npt.NDArray[Any]]:
        """Copies of the observations that environments showed last, an array for each leaf."""
        return [leaf.copy() for leaf in self._group.shared_leaves or []]

    @property
    def closed(self) -> bool:
        """Whether the environments are closed."""
        return self._group.closed

    def close(self, **how: Any) -> None:
        """Closes the environments; does nothing in a forked child.

        Args:
            how: ``timeout`` and ``terminate``.
        """
        if self._pid == os.getpid():
            self._group.close(**how)


def _add_advice(error: BaseException, failed: npt.NDArray[Any], kept: int) -> None:
    if hasattr(error, "add_note"):  # from Python 3.11 on
        others = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        rest = f"; recv() gives the results of the other {kept}" if kept else ""
        error.add_note(f"environment {failed[0]}{others} failed: reset it to go on with it{rest}")
