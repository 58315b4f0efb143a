"""The pool's contract over native pools in the actors of a cluster."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from gymnasium.vector import AutoresetMode

from envpool_rs.envpool_mixin import EnvPoolMixin
from envpool_rs.python_pool.options import check_seeds
from envpool_rs.python_pool.pool import Turn, checked_ids
from envpool_rs.ray.action_batches import ActionBatches
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.env_ledger import EnvLedger, Ids
from envpool_rs.ray.operation import Operation
from envpool_rs.ray.remote_share import RemoteCall
from envpool_rs.ray.share_rows import ShareRows, joined
from envpool_rs.reset_arguments import ResetArguments, Seeds, seed_list
from envpool_rs.spec import EnvSpec


class RayPool(EnvPoolMixin):
    """Native environments in the actors of a Ray cluster, as one pool: ids, seeds, batches, autoreset and errors are those
    of a local pool, and so is every trajectory.

    An answer of an actor is one object; the rows of one ``send`` to an actor arrive together, and asynchronous batches
    take the answers that came first.

    Subclasses say what a step and a reset return. Environments whose actor died are told of by ``info["restarted"]``
    (``(n,)`` booleans), which is there only in batches that have such rows.

    Attributes:
        num_envs: number of environments.
        single_observation_space: observation space of one environment (one player).
        single_action_space: action space of one environment (one player).
        metadata: ``autoreset_mode`` is a ``gymnasium.vector.AutoresetMode``.
    """

    is_vector_env = True
    render_mode: str | None = None

    def __init__(self, spec: EnvSpec, actors: Actors) -> None:
        """Takes over actors that have been started.

        Args:
            spec: the whole pool's specification.
            actors: its environments.
        """
        super().__init__(spec)
        config = spec.pool.config
        mode = str(config["autoreset_mode"])
        self.num_envs = len(self)
        self.single_observation_space: Any = spec.observation_space
        self.single_action_space: Any = spec.action_space
        self.metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode[mode.upper()]}
        self._actors = actors
        self._batch_size = int(config["batch_size"])
        self._is_async = self.is_async
        self._seeds: Seeds = config["seed"]
        self._ledger = EnvLedger(self.num_envs, self._batch_size, mode)
        self._action_batches = ActionBatches(spec)
        self._pid = os.getpid()
        # Synchronous: each request's ids in the order asked, and its calls. Asynchronous: calls, and rows of answers that
        # did not fit the last batch.
        self._requests: deque[tuple[Ids, list[RemoteCall]]] = deque()
        self._calls: list[RemoteCall] = []
        self._arrived: deque[ShareRows] = deque()
        self._kept: deque[ShareRows] = deque()
        # Environments that began anew or were resumed in another actor: their next row tells of it.
        self._restarted = np.zeros(self.num_envs, np.bool_)
        self._sending, self._receiving = Turn(), Turn()

    # What a result looks like: the subclasses' to say.

    def _step_result(self, rows: ShareRows) -> Any:
        raise NotImplementedError

    def _reset_result(self, rows: ShareRows, return_info: bool = True) -> Any:
        raise NotImplementedError

    # The contract of every pool.

    def step(self, action: Any, env_id: Any = None) -> Any:
        """``send`` and ``recv`` in one call.

        Args:
            action: ``(rows, ...)`` array of any integer, bool or float dtype; a dict of arrays for dict spaces.
            env_id: ``(n,)`` integers; ``None`` for all environments, in order.

        Raises:
            ValueError, TypeError, IndexError: for actions or ids that are not allowed.
            RuntimeError: where environments are in flight, have to be reset first, or an actor died for good.
        """
        with self._sending, self._receiving:
            self._check_usable()
            actions, ids = self._checked_step(action, env_id)
            self._check_before_receiving(self.num_envs if ids is None else len(ids))
            self._send_steps(actions, ids)
            return self._step_result(self._receive())

    def send(self, action: Any, env_id: Any = None) -> None:
        """Queues one step of some environments; arguments as for ``step``."""
        with self._sending:
            self._check_usable()
            self._send_steps(*self._checked_step(action, env_id))

    def recv(self, reset: bool = False, return_info: bool = True) -> Any:
        """Waits for the next results: of the oldest ``send``, or, where the pool is asynchronous, of the ``batch_size``
        environments whose actors answered first.

        Args:
            reset: whether to return the shape of a reset's result.
            return_info: whether that has infos (legacy gym).

        Raises:
            RuntimeError: where nothing, or less than ``batch_size``, is in flight, or an actor died for good.
        """
        with self._receiving:
            self._check_usable()
            if not self._kept and self._is_async:
                self._ledger.check_enough_in_flight(0)
            elif not self._kept and not self._requests:
                raise RuntimeError("recv: nothing has been sent")
            rows = self._receive()
            return self._reset_result(rows, return_info) if reset else self._step_result(rows)

    def async_reset(self) -> None:
        """Queues a reset of all environments, to be received in batches."""
        with self._sending:
            self._check_usable()
            self._ledger.check_not_in_flight(self._ledger.all)
            self._send_resets(self._ledger.all, None, None)

    @property
    def config(self) -> dict[str, Any]:
        """All options with their values, those of the actors last."""
        return {**super().config, **self._actors.options()}

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._actors.closed

    def close(self, **how: Any) -> None:
        """Ends all actors; closing twice is allowed. Ray itself goes on.

        Args:
            how: ``timeout`` and ``terminate``, which gymnasium's own vector environments take. Nothing is waited for
                here, so that every value of them is met.

        Raises:
            TypeError: for any other argument.
        """
        unknown = set(how) - {"timeout", "terminate"}
        if unknown:
            raise TypeError(f"close() got unexpected arguments {sorted(unknown)}: expected timeout or terminate")
        if self._pid == os.getpid():
            self._actors.close()

    def get_state(self, env_ids: Any = None) -> list[bytes]:
        """Snapshots of environments with their generators, as a local pool's; ``None`` for all.

        Raises:
            RuntimeError: while work is in flight, or after ``close``.
        """
        with self._sending, self._receiving:
            ids = self._idle(env_ids)
            return self._actors.get_state(ids, self._on_renewal)

    def set_state(self, state: Sequence[bytes], env_ids: Any = None) -> None:
        """Restores snapshots of the same task and options, of this pool or a local one; ``None`` for all environments.

        Raises:
            ValueError: for snapshots that do not fit. Environments of other actors may have changed already.
            RuntimeError: while work is in flight, or after ``close``.
        """
        with self._sending, self._receiving:
            ids = self._idle(env_ids)
            if len(state) != len(ids):
                raise ValueError(f"state has {len(state)} entries: expected {len(ids)}")
            self._actors.set_state(list(state), ids, self._on_renewal)
            self._ledger.land(ids, np.zeros(len(ids), np.bool_))

    def render(self, *_: object, **__: object) -> NoReturn:
        """Pictures are not in this release.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("render(): this release of envpool_rs draws no pictures")

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """The seed that each environment's generator was last given."""
        return tuple(seed_list(self._seeds, self.num_envs))

    @property
    def np_random(self) -> NoReturn:
        """The generators live in the actors, where no numpy ``Generator`` can draw from them.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("np_random: the generators live in the actors; seed them with reset(seed=...)")

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in actors")

    # Checks.

    def _check_usable(self) -> None:
        if os.getpid() != self._pid:
            raise RuntimeError("this pool belongs to the parent process: make another one after the fork")
        self._actors.check_usable()

    def _idle(self, env_ids: Any) -> Ids:
        self._check_usable()
        ids = self._ledger.all if env_ids is None else checked_ids(env_ids, self.num_envs, "env_ids")
        self._ledger.check_not_in_flight(ids)
        return ids

    def _check_before_receiving(self, more: int) -> None:
        if self._is_async:
            if not self._kept:
                self._ledger.check_enough_in_flight(more)
        elif self._requests or self._kept:
            raise RuntimeError("results of an earlier send are waiting: recv them first")

    def _checked_step(self, action: Any, env_id: Any) -> tuple[Any, Ids | None]:
        actions, ids = self._action_batches.read(action, env_id)
        asked = self._ledger.all if ids is None else ids
        self._ledger.check_not_in_flight(asked)
        self._actors.check_alive(asked)
        self._ledger.check_steppable(asked)
        return actions, ids

    # Requests.

    def _send_steps(self, actions: Any, ids: Ids | None) -> None:
        calls = []
        for share, places, local in self._actors.division(ids):
            part = self._actors.part(actions, ids, share, places, self._spec.rows)
            calls.append(self._actors.send(share, Operation(False, local, part)))
        self._launched(self._ledger.all if ids is None else ids, calls)

    def _send_resets(
        self,
        ids: Ids,
        seeds: Sequence[int | None] | None,
        options: dict[str, Any] | None,
        all_rows: bool = False,
    ) -> None:
        calls = []
        for share, places, local in self._actors.division(ids, everyone=all_rows):
            own = None if seeds is None else [seeds[place] for place in places]
            calls.append(self._actors.send(share, Operation(True, local, None, own, options, all_rows)))
        self._launched(self._ledger.all if all_rows else ids, calls)

    def _launched(self, ids: Ids, calls: list[RemoteCall]) -> None:
        self._ledger.launch(ids)
        if self._is_async:
            self._calls.extend(calls)
        else:
            self._requests.append((ids, calls))

    def _reset(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: bool) -> Any:
        arguments = ResetArguments(self.num_envs, env_id, seed, options)
        all_rows = how.pop("all_rows", False)
        with self._sending, self._receiving:
            self._check_usable()
            ids = self._ledger.all if arguments.env_id is None else checked_ids(arguments.env_id, self.num_envs)
            seeds = _seeds_of(arguments.seed, ids)
            self._actors.check_reset_options(arguments.options)
            if arguments.env_id is None:
                self._drain()
            self._ledger.check_not_in_flight(self._ledger.all if all_rows else ids)
            self._actors.check_alive(self._ledger.all if all_rows else ids)
            if all_rows:
                self._check_all_rows(ids)
            self._check_before_receiving(len(ids))
            self._send_resets(ids, seeds, arguments.options, all_rows)
            self._seeds = arguments.seeds_after(self._seeds)
            return self._reset_result(self._receive(), **how)

    def _check_all_rows(self, ids: Ids) -> None:
        if self._is_async:
            raise ValueError("options['reset_mask'] needs a pool whose batch_size is num_envs")
        self._ledger.check_shown(np.setdiff1d(self._ledger.all, ids))

    # Results.

    def _receive(self) -> ShareRows:
        rows = self._kept.popleft() if self._kept else self._batch() if self._is_async else self._oldest()
        self._ledger.land(rows.ids, rows.terminated | rows.truncated)
        restarted = self._restarted[rows.ids]
        if restarted.any():
            self._restarted[rows.ids] = False
            rows.infos = {**rows.infos, "restarted": restarted}
        return rows

    def _oldest(self) -> ShareRows:
        ids, calls = self._requests[0]
        self._actors.wait_for_all(calls, self._on_renewal)
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
        parts: list[ShareRows] = []
        while sum(map(len, self._arrived)) < self._batch_size:
            call = self._actors.wait_for_first(self._calls, self._on_renewal)
            self._calls.remove(call)
            self._arrived.extend(self._rows_of([call]))
            failure = self._failure([call])
            if failure is not None:
                raise failure
        missing = self._batch_size
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
                    if call.operation.all_rows and call.operation.ids is not None:
                        ids = call.operation.ids + call.share.first
                    ids = ids[~np.isin(ids - call.share.first, answer.failed)]
                yield ShareRows(ids, *answer.result)

    def _failure(self, calls: Sequence[RemoteCall]) -> BaseException | None:
        """What is to be raised of these calls; environments that failed are noted as such."""
        failed: list[tuple[int, str]] = []
        error: BaseException | None = None
        for call in calls:
            if call.error is not None:
                self._ledger.fail(call.ids)
                error = error or call.error
            elif call.answer is not None and call.answer.failed:
                ids = np.array(call.answer.failed) + call.share.first
                self._ledger.fail(ids)
                failed.extend((int(each), call.answer.message) for each in ids)
        if error is not None or not failed:
            return error
        index, message = min(failed)
        more = f" (and {len(failed) - 1} more)" if len(failed) > 1 else ""
        others = sum(len(call.ids) for call in calls) - len(failed)
        rest = f"; recv() gives the results of the other {others}" if others and not self._is_async else ""
        return RuntimeError(f"environment {index} panicked{more}: {message}. Reset it to go on with it{rest}")

    def _on_renewal(self, ids: Ids) -> list[int]:
        """Notes that an actor was made anew; returns the last seeds of its environments."""
        self._restarted[ids] = True
        seeds = seed_list(self._seeds, self.num_envs)
        return [seeds[index] for index in ids]

    def _drain(self) -> None:
        """Waits for what is in flight and throws it away."""
        calls = [*self._calls, *(call for _, calls in self._requests for call in calls)]
        self._actors.wait_for_all(calls, self._on_renewal)
        self._requests.clear()
        self._calls.clear()
        self._arrived.clear()
        self._kept.clear()
        self._ledger.in_flight[:] = False


def _in_order(rows: ShareRows, ids: Ids) -> ShareRows:
    """Rows in the order of ``ids``, some of which may have none."""
    if len(rows) == len(ids) and (rows.ids == ids).all():
        return rows
    place = {index: row for row, index in enumerate(rows.ids.tolist())}
    return rows.taken(np.array([place[index] for index in ids.tolist() if index in place], np.int64))


def _seeds_of(seed: int | list[int | None] | None, ids: Ids) -> list[int | None] | None:
    if seed is None:
        return None
    seeds: list[int | None] = [seed + index for index in range(len(ids))] if isinstance(seed, int) else seed
    check_seeds(seeds)
    return seeds


