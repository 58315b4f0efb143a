"""A pool's arrays taken apart by environments and agents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Tuple
from gymnasium.vector.utils import concatenate, create_empty_array

from envpool_rs._core import AgentRows, only_action_arrays, only_actions
from envpool_rs.rllib.rllib_types import ONLY_AGENT, AgentID, EnvID, MultiEnvDict

ABOUT_ROWS = frozenset({"env_id", "players", "elapsed_step"})
"""Infos of EnvPool's interface that say which row is whose, and nothing about an environment."""


def rows(batch: Any, space: Any = None) -> list[Any]:
    """The rows of a batch: views of arrays; plain values where rows are single numbers.

    Args:
        batch: observations of several environments.
        space: one environment's space. Where it is neither a dict nor a tuple, a tuple is a batch of objects.
    """
    if isinstance(batch, dict):
        columns = [rows(part, _part(space, key)) for key, part in batch.items()]
        return [dict(zip(batch, values, strict=True)) for values in zip(*columns, strict=True)]
    if isinstance(batch, tuple):
        if space is not None and not isinstance(space, Tuple):
            return list(batch)
        return list(zip(*(rows(part, _part(space, place)) for place, part in enumerate(batch)), strict=True))
    return batch.tolist() if batch.ndim == 1 else list(batch)


def _part(space: Any, key: Any) -> Any:
    return None if space is None else space[key]


def info_rows(infos: dict[str, Any], count: int) -> list[dict[str, Any]] | None:
    """Each environment's info; ``None`` where all are empty.

    Args:
        infos: a pool's, with one entry for each environment; ``_key`` masks say which entries count.
        count: how many environments there are in the batch.
    """
    keys = [key for key in infos if key not in ABOUT_ROWS and not key.startswith("_")]
    if not keys:
        return None
    columns = [(key, rows_of_info(infos[key], count), infos.get(f"_{key}")) for key in keys]
    return [{key: values[row] for key, values, mask in columns if mask is None or mask[row]} for row in range(count)]


def rows_of_info(values: Any, count: int) -> list[Any]:
    """One info's value for each environment (a row per player, where it has one, stays together)."""
    if isinstance(values, dict):
        columns = {key: rows_of_info(part, count) for key, part in values.items()}
        return [{key: column[row] for key, column in columns.items()} for row in range(count)]
    array = np.asarray(values)
    if len(array) != count:
        array = array.reshape(count, -1, *array.shape[1:])
    return array.tolist() if array.ndim == 1 else list(array)


_SMALL = 1 << 20
"""Bytes of observations that may be copied once, and kept from being freed, for the sake of their arrays and dicts."""

_RESULTS = 2
"""Results whose arrays and dicts serve again: while one is made, the last one is mostly still in use."""

_MISSES = 256
"""In so many polls without a result to use again, one is made in the place of one that somebody may have kept."""


class PoolAgents:
    """The agents of each environment of a pool.

    One player is ``"agent0"``, as RLlib calls it. Players that share a space have a row each, and are ``"agent_0"``,
    ``"agent_1"``, ...; players with spaces of their own keep their names.

    Attributes:
        ids: their ids, in the order of rows.
    """

    def __init__(self, spec: Any, everyone: list[EnvID]) -> None:
        """Names the agents.

        Args:
            spec: the pool's specification.
            everyone: all environments.
        """
        self._everyone = everyone
        self._rows: list[AgentRows] = []
        self._misses = 0
        self._own_spaces = spec.players > 1 and spec.rows == 1
        self.ids: list[AgentID] = [ONLY_AGENT]
        if self._own_spaces:
            self.ids = list(spec.observation_space.spaces)
        elif spec.players > 1:
            self.ids = [f"agent_{player}" for player in range(spec.players)]
        self._observation_space = spec.observation_space
        self._action_space = spec.action_space
        self._acts_by_numbers = isinstance(spec.action_space, (Box, Discrete, MultiBinary, MultiDiscrete))
        self._acts_by_integers = spec.players == 1 and isinstance(spec.action_space, Discrete)
        self._acts_by_arrays = spec.players == 1 and isinstance(spec.action_space, Box)
        self._action_of = itemgetter(*self.ids)

    def observations(self, ids: Iterable[EnvID], batch: Any) -> MultiEnvDict:
        """Observations by environments and agents.

        Args:
            ids: whose rows they are; the list of all itself where they are all.
            batch: the pool's.
        """
        if ids is self._everyone and len(self.ids) == 1 and _has_small_rows(batch):
            again = self._rows_again(batch)
            if again is not None:
                return again
        values = rows(batch, self._observation_space)
        return dict(zip(ids, values, strict=True)) if self._own_spaces else self.by_agents(ids, values)

    def _rows_again(self, batch: Any) -> MultiEnvDict | None:
        """Observations of all in the arrays and dicts of an earlier result, if nobody holds any part of one any more.

        Whoever keeps every result is not kept waiting by further attempts, but for one in a while.
        """
        for earlier in self._rows:
            again = earlier.shown(batch)
            if again is not None:
                return again
        self._misses += 1
        if len(self._rows) < _RESULTS or self._misses % _MISSES == 0:
            made = AgentRows(self._everyone, ONLY_AGENT, batch)
            self._rows = [made, *self._rows[: _RESULTS - 1]]
            return made.shown(batch)
        return None

    def by_agents(self, ids: Iterable[EnvID], values: list[Any]) -> MultiEnvDict:
        """Values with an entry for each player, by environments and agents."""
        count = len(self.ids)
        if count == 1:
            return {index: {ONLY_AGENT: value} for index, value in zip(ids, values, strict=True)}
        players = range(0, len(values), count)
        return {
            index: dict(zip(self.ids, values[start : start + count], strict=True))
            for index, start in zip(ids, players, strict=True)
        }

    def actions_of_all(self, action_dict: Any, everyone: list[EnvID]) -> Any:
        """Actions of all environments as a pool takes them, the quick way; ``None`` unless all is as it should be.

        Args:
            action_dict: whatever was sent.
            everyone: all environments.
        """
        if self._acts_by_integers:
            integers = only_actions(action_dict, ONLY_AGENT, everyone)
            if integers is not None:
                return integers
        if self._acts_by_arrays:
            arrays = only_action_arrays(action_dict, ONLY_AGENT, everyone, self._action_space.shape)
            if arrays is not None:
                return arrays
        if type(action_dict) is not dict or list(action_dict) != everyone:
            return None
        given = list(action_dict.values())
        expected = len(self.ids)
        if not all(type(each) is dict and len(each) == expected for each in given):
            return None
        try:
            return self.actions(given)
        except KeyError:
            return None

    def actions(self, of_environments: Iterable[Mapping[AgentID, Any]]) -> Any:
        """Actions as a pool takes them.

        Args:
            of_environments: actions of all agents, of each environment.

        Raises:
            KeyError: for an agent without an action.
            ValueError: for actions that fit no array, or not their space.
        """
        chosen = list(map(self._action_of, of_environments))
        if len(self.ids) == 1:
            return _array(chosen) if self._acts_by_numbers else self._batched(chosen)
        if self._own_spaces:
            return {agent: _array(column) for agent, column in zip(self.ids, zip(*chosen, strict=True), strict=True)}
        return _array([action for actions in chosen for action in actions])

    def _batched(self, actions: list[Any]) -> Any:
        """Actions of a dict, a tuple or any other space that is no array."""
        try:
            out: Any = create_empty_array(self._action_space, len(actions))
            return concatenate(self._action_space, actions, out)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ValueError(f"action_dict has actions that do not fit {self._action_space}: {error!r}") from error


def _has_small_rows(batch: Any) -> bool:
    return isinstance(batch, np.ndarray) and batch.ndim > 1 and batch.dtype != object and batch.nbytes <= _SMALL


def _array(actions: Any) -> Any:
    """An array of actions.

    Raises:
        ValueError: for actions of different shapes.
    """
    try:
        return np.array(actions)
    except ValueError as error:
        shapes = sorted({np.shape(action) for action in actions})
        raise ValueError(f"action_dict has actions of shapes {shapes}: expected one shape") from error
