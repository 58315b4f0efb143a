"""The environments of one actor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.actor_methods import ActorMethods
from envpool_rs.ray.operation import Answer, LocalIds, Operation, Past, SetState
from envpool_rs.ray.share_rows import ShareRows, joined, taken


class EnvShare(ActorMethods):
    """A native pool that plays operations; an actor is one of these in a process of its own."""

    def __init__(self, spec: EnvSpec, past: Past | None = None) -> None:
        """Makes the environments, unreset unless they have a past.

        Args:
            spec: what to make; a synchronous pool.
            past: what others had been through, whose place these take.
        """
        methods: dict[str, Callable[..., Any]] = {"play": self.play_asked, "get_state": self.get_state}
        methods["set_state"] = self.set_state
        super().__init__(methods, self._beginnings(), beside=True)
        self._pool: Any = _pool_class(spec)(spec)
        self._size = len(self._pool)
        self._mode = str(spec.pool.config["autoreset_mode"])
        if past is not None:
            self._live_through(past)

    def _beginnings(self) -> dict[str, Any]:
        return {}

    def _live_through(self, past: Past) -> None:
        if past.states is not None:
            self._pool.set_state(list(past.states))
        for operation in past.operations:
            if isinstance(operation, SetState):
                self.set_state(operation.states, operation.ids)
            else:
                self._reset(operation) if operation.is_reset else self._step(operation)

    def play_asked(self, number: int, *fields: Any) -> Answer:
        """`play`, for the driver.

        Args:
            number: of the operation, counted through the actor's life; calls are played in their order here.
            fields: of the operation.
        """
        return self.play(Operation(*fields))

    def play(self, operation: Operation) -> Answer:
        """Steps or resets environments.

        Args:
            operation: checked by whoever sends it.
        """
        answer = self._reset(operation) if operation.is_reset else self._step(operation)
        if operation.snapshot and not answer.failed:
            answer.states = self._states()
        return answer

    def get_state(self, ids: LocalIds | None) -> list[bytes]:
        """Snapshots of environments."""
        states: list[bytes] = self._pool.get_state(ids)
        return states

    def set_state(self, states: Sequence[bytes], ids: LocalIds | None) -> None:
        """Restores snapshots."""
        self._pool.set_state(list(states), ids)

    def _states(self) -> list[bytes] | None:
        try:
            return self.get_state(None)
        except RuntimeError:
            return None  # An environment has failed, and has no state until it is reset.

    def _step(self, operation: Operation) -> Answer:
        if operation.lost is not None:
            return self._step_around_lost(operation, operation.lost)
        return self._result(lambda: self._pool.step(operation.actions, operation.ids))

    def _reset(self, operation: Operation) -> Answer:
        def reset() -> Any:
            how = {"all_rows": operation.all_rows}
            observation, infos = self._pool.reset_envs(operation.ids, operation.seeds, operation.options, **how)
            return self._as_step(
                observation, infos, self._size if operation.all_rows else len(self._ids(operation.ids))
            )

        return self._result(reset)

    def _ids(self, ids: LocalIds | None) -> LocalIds:
        return np.arange(self._size, dtype=np.int32) if ids is None else ids

    def _result(self, play: Callable[[], Any]) -> Answer:
        try:
            return Answer(_without_ids(play()))
        except RuntimeError as error:
            panic: Any = error
            if not hasattr(error, "env_ids"):
                raise
            rest = _without_ids(self._pool.recv()) if panic.others else None
            return Answer(rest, panic.env_ids, panic.reason)

    def _step_around_lost(self, operation: Operation, lost: npt.NDArray[np.bool_]) -> Answer:
        ids = self._ids(operation.ids)
        stepped = np.flatnonzero(~lost)
        told = ShareRows(ids[lost].astype(np.int64), *self._lost_rows(ids[lost]))
        if not len(stepped):
            return Answer(_fields(told))
        actions = taken(operation.actions, stepped, len(ids))
        answer = self._step(Operation(False, ids[stepped], actions))
        if answer.result is None:
            return Answer(_fields(told), answer.failed, answer.message)
        well = np.array([each for each in ids[stepped] if each not in answer.failed], np.int64)
        both = joined([told, ShareRows(well, *answer.result)])
        place = {int(each): row for row, each in enumerate(both.ids)}
        order = np.array([place[int(each)] for each in ids if int(each) in place], np.int64)
        return Answer(_fields(both.taken(order)), answer.failed, answer.message)

    def _lost_rows(self, ids: LocalIds) -> tuple[Any, ...]:
        """The first observations of new episodes, in rows that end the ones that were lost: reward 0, truncated.

        What follows is as after any truncation: the next step resets (to the same observation), the user does, or, in
        same-step mode, the new episode goes on.
        """
        before = self._pool.get_state(ids)
        observation, infos = self._pool.reset_envs(ids)
        if self._mode != "same_step":
            self._pool.set_state(before, ids)
        row = _without_ids(self._as_step(observation, infos, len(ids)))
        return (*row[:3], np.ones(len(ids), np.bool_), row[4])

    def _as_step(self, observation: Any, infos: dict[str, Any], count: int) -> tuple[Any, ...]:
        spec = self._pool.spec.pool
        rewards = np.zeros(count * spec.players, np.float64 if spec.dialect == "gymnasium" else np.float32)
        return observation, rewards, np.zeros(count, np.bool_), np.zeros(count, np.bool_), infos


def _pool_class(spec: EnvSpec) -> Any:
    if spec.pool.dialect == "gymnasium":
        from envpool_rs._facades.vector_facade import VectorEnv

        return VectorEnv
    from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool

    return GymnasiumEnvPool


def _without_ids(result: tuple[Any, ...]) -> Any:
    """A step's result without the ids in its infos, which are the driver's to count."""
    infos = {key: value for key, value in result[4].items() if key not in ("env_id", "players")}
    return (*result[:4], infos)


def _fields(rows: ShareRows) -> Any:
    return rows.observation, rows.rewards, rows.terminated, rows.truncated, rows.infos
