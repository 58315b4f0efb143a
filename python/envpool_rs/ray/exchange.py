"""What goes to the actors of a pool and what comes back, in the order that its contract asks for."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from envpool_rs._python_pool.env_ids import Ids
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.lanes import Lanes
from envpool_rs.ray.operation import Operation
from envpool_rs.ray.remote_share import RemoteCall
from envpool_rs.ray.share_rows import ShareRows, joined


class RayExchange:
    """Requests and results of a pool over actors.

    Synchronous pools answer each request with its own rows, in the order asked; asynchronous ones with ``batch_size``
    rows of the actors that answered first.

    Attributes:
        lanes: the environments by number.
    """

    def __init__(self, actors: Actors, num_envs: int, batch_size: int, mode: str, rows: int) -> None:
        """Begins with environments that have never been reset.

        Args:
            actors: the environments.
            num_envs: how many.
            batch_size: rows of one result.
            mode: of autoreset.
            rows: of an environment in actions.
        """
        self.lanes = Lanes(num_envs, mode)
        self._actors = actors
        self._batch_size = batch_size
        self._is_async = batch_size < num_envs
        self._rows = rows
        # Synchronous: each request's ids in the order asked, and its calls. Asynchronous: calls, and rows of answers
        # that did not fit the last batch.
        self._requests: deque[tuple[Ids, list[RemoteCall]]] = deque()
        self._calls: list[RemoteCall] = []
        self._arrived: deque[ShareRows] = deque()
        self._kept: deque[ShareRows] = deque()

    # Checks.

    def check_receivable(self) -> None:
        """Refuses to wait for what will not come.

        Raises:
            RuntimeError: where nothing, or less than ``batch_size``, is in flight.
        """
        if not self._kept and self._is_async:
            self._check_enough_in_flight(0)
        elif not self._kept and not self._requests:
            raise RuntimeError("recv: nothing has been sent")

    def check_exchangeable(self, more: int) -> None:
        """Refuses to send and receive in one call where that would return something else.

        Args:
            more: environments about to be sent.

        Raises:
            RuntimeError: where results are waiting, or too few would be in flight.
        """
        if self._is_async:
            if not self._kept:
                self._check_enough_in_flight(more)
        elif self._requests or self._kept:
            raise RuntimeError("results of an earlier send are waiting: recv them first")

    def _check_enough_in_flight(self, more: int) -> None:
        flying, needed = self.lanes.count_flying() + more, self._batch_size
        if flying < needed:
            raise RuntimeError(f"recv: {flying} environments are in flight, fewer than batch_size={needed}: send first")

    # Requests.

    def send_steps(self, actions: Any, ids: Ids | None) -> None:
        """Asks for steps.

        Args:
            actions: checked.
            ids: whose; ``None`` for all, in order.
        """
        calls = []
        for share, places, local in self._actors.division(ids):
            part = self._actors.part(actions, ids, share, places, self._rows)
            calls.append(self._actors.send(share, Operation(False, local, part)))
        self._launched(self.lanes.every if ids is None else ids, calls)

    def send_resets(
        self,
        ids: Ids,
        seeds: Sequence[int | None] | None,
        options: dict[str, Any] | None,
        all_rows: bool = False,
    ) -> None:
        """Asks for resets.

        Args:
            ids: whose.
            seeds: one for each, ``None`` to go on with the generator; or ``None`` for all.
            options: the environments' own.
            all_rows: whether to return a row for every environment.
        """
        calls = []
        for share, places, local in self._actors.division(ids, everyone=all_rows):
            own = None if seeds is None else [seeds[place] for place in places]
            calls.append(self._actors.send(share, Operation(True, local, None, own, options, all_rows)))
        self._launched(self.lanes.every if all_rows else ids, calls)

    def _launched(self, ids: Ids, calls: list[RemoteCall]) -> None:
        self.lanes.launch(ids)
        if self._is_async:
            self._calls.extend(calls)
        else:
            self._requests.append((ids, calls))

    # Results.

    def receive(self) -> ShareRows:
        """The next results.

        Raises:
            RuntimeError: where environments panicked, or were lost with their actor.
        """
        rows = self._kept.popleft() if self._kept else self._batch() if self._is_async else self._oldest()
        self.lanes.land(rows.ids)
        self.lanes.settle(rows)
        restarted = self._actors.restarted[rows.ids]
        if restarted.any():
            self._actors.restarted[rows.ids] = False
            rows.infos = {**rows.infos, "restarted": restarted}
        return rows

    def _oldest(self) -> ShareRows:
        ids, calls = self._requests[0]
        self._actors.wait_for_all(calls)
        self._requests.popleft()
        parts = list(self._rows_of(calls))
        failure = self._failure(calls)
        rows = joined(parts) if parts else None
        if rows is not None and len(calls) > 1:
            rows = _in_order(rows, ids)
        if failure is not None:
            if rows is not None and len(rows):
                self._kept.append(self._owned(rows, len(parts)))
            raise failure
        assert rows is not None
        return self._owned(rows, len(parts))

    def _batch(self) -> ShareRows:
        while self._count_arrived() < self._batch_size:
            call = self._actors.wait_for_first(self._calls)
            self._calls.remove(call)
            self._arrived.extend(self._rows_of([call]))
            failure = self._failure([call])
            if failure is not None:
                if self._count_arrived():
                    self._kept.append(self._first_arrived(min(self._batch_size, self._count_arrived())))
                raise failure
        return self._first_arrived(self._batch_size)

    def _count_arrived(self) -> int:
        return sum(map(len, self._arrived))

    def _first_arrived(self, missing: int) -> ShareRows:
        parts: list[ShareRows] = []
        while missing:
            part = self._arrived.popleft()
            if len(part) > missing:
                self._arrived.appendleft(part.taken(np.arange(missing, len(part))))
                part = part.taken(np.arange(missing))
            parts.append(part)
            missing -= len(part)
        return self._owned(joined(parts), len(parts))

    def _owned(self, rows: ShareRows, parts: int) -> ShareRows:
        return rows.writable() if parts == 1 and self._actors.copy else rows

    def _rows_of(self, calls: Sequence[RemoteCall]) -> Iterator[ShareRows]:
        for call in calls:
            answer = call.answer
            if answer is not None and answer.result is not None:
                ids = call.ids
                if answer.failed:
                    ids = ids[~np.isin(ids - call.share.first, answer.failed)]
                yield ShareRows(ids, *answer.result)

    def _failure(self, calls: Sequence[RemoteCall]) -> BaseException | None:
        """What is to be raised of these calls; environments that failed are noted as such."""
        failed: list[tuple[int, str]] = []
        error: BaseException | None = None
        for call in calls:
            if call.error is not None:
                self._failed(call.ids)
                error = error or call.error
            elif call.answer is not None and call.answer.failed:
                ids = np.array(call.answer.failed) + call.share.first
                self._failed(ids)
                failed.extend((int(each), call.answer.message) for each in ids)
        if error is not None or not failed:
            return error
        index, message = min(failed)
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        others = sum(len(call.ids) for call in calls) - len(failed)
        rest = f"; recv() gives the results of the other {others}" if others and not self._is_async else ""
        panic: Any = RuntimeError(f"environment {index} panicked{more}: {message}. Reset it to go on with it{rest}")
        panic.env_ids, panic.reason, panic.others = sorted(each for each, _ in failed), message, others
        return panic  # type: ignore[no-any-return]

    def _failed(self, ids: Ids) -> None:
        self.lanes.land(ids)
        self.lanes.fail(ids)

    def drain(self) -> None:
        """Waits for what is in flight and throws it away."""
        calls = [*self._calls, *(call for _, calls in self._requests for call in calls)]
        self._actors.wait_for_all(calls)
        self._requests.clear()
        self._calls.clear()
        self._arrived.clear()
        self._kept.clear()
        self.lanes.land(self.lanes.every)


def _in_order(rows: ShareRows, ids: Ids) -> ShareRows:
    """Rows in the order of ``ids``, some of which may have none."""
    if len(rows) == len(ids) and (rows.ids == ids).all():
        return rows
    place = {index: row for row, index in enumerate(rows.ids.tolist())}
    return rows.taken(np.array([place[index] for index in ids.tolist() if index in place], np.int64))
