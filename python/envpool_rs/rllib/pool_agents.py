"""Splits a pool's arrays by environment and agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete, Tuple
from gymnasium.vector.utils import concatenate, create_empty_array

from envpool_rs._core import AgentRows, only_action_arrays, only_actions
from envpool_rs.rllib.rllib_types import ONLY_AGENT, AgentID, EnvID, MultiEnvDict

ROW_INFOS = frozenset({"env_id", "players", "elapsed_step"})
"""Infos of EnvPool's interface that identify rows and do not describe an environment."""


def rows(batch: Any, space: Any = None) -> list[Any]:
    """Splits a batch into one observation per environment: views of arrays, and Python numbers for scalars.

    Args:
        batch: observations of several environments. A dict has a batch for each key. A tuple has a batch for each
            component of a tuple space; for a space without components, it has one object for each environment.
        space: the observation space of one environment. Without it, every tuple is split by components.
    """
    if isinstance(batch, dict):
        columns = [rows(part, _part(space, key)) for key, part in batch.items()]
        return [dict(zip(batch, values, strict=True)) for values in zip(*columns, strict=True)]
    if isinstance(batch, tuple):
        if space is not None and not isinstance(space, Tuple):
            return list(batch)
        return list(
            zip(*(rows(part, _part(space, agent_index)) for agent_index, part in enumerate(batch)), strict=True)
        )
    return batch.tolist() if batch.ndim == 1 else list(batch)


def _part(space: Any, key: Any) -> Any:
    return None if space is None else space[key]


def info_rows(infos: dict[str, Any], count: int) -> list[dict[str, Any]] | None:
    """Returns each environment's info; ``None`` if all are empty.

    Args:
        infos: a pool's infos, with an entry for each environment; ``_key`` masks mark valid entries.
        count: number of environments in the batch.
    """
    keys = [key for key in infos if key not in ROW_INFOS and not key.startswith("_")]
    if not keys:
        return None
    columns = [(key, rows_of_info(infos[key], count), infos.get(f"_{key}")) for key in keys]
    return [{key: values[row] for key, values, mask in columns if mask is None or mask[row]} for row in range(count)]


def rows_of_info(values: Any, count: int) -> list[Any]:
    """Returns the value of one info for each environment; the rows of an environment's players form one array."""
    if isinstance(values, dict):
        columns = {key: rows_of_info(part, count) for key, part in values.items()}
        return [{key: column[row] for key, column in columns.items()} for row in range(count)]
    array = np.asarray(values)
    if len(array) != count:
        array = array.reshape(count, -1, *array.shape[1:])
    return array.tolist() if array.ndim == 1 else list(array)


_MAX_REUSED_BYTES = 1 << 20
"""Maximum size of observations, in bytes, whose arrays and dicts are reused: they are copied once and not freed."""

_MAX_REUSED_RESULTS = 2
"""Number of results whose arrays and dicts are reused. Usually, the caller still uses the last result while the next
one is made.
"""

_MISSES_PER_RETRY = 256
"""Number of polls without a reusable result after which a new result replaces a stored one that the caller still holds.
"""


class PoolAgents:
    """Agents of each environment of a pool.

    The only player of an environment is ``"agent0"``, as in RLlib. Players that share a space have a row each, and are
    named ``"agent_0"``, ``"agent_1"``, ...; players with different spaces have the task's names.

    Attributes:
        ids: the agents' ids, in the order of rows.
    """

    def __init__(self, spec: Any, everyone: list[EnvID]) -> None:
        self._all_envs = everyone
        self._rows: list[AgentRows] = []
        self._misses = 0
        self._own_spaces = spec.players > 1 and spec.rows == 1
        self.ids: list[AgentID] = [ONLY_AGENT]
        if spec.players > 1:
            self.ids = spec.agents
        self._observation_space = spec.observation_space
        self._action_space = spec.action_space
        self._acts_by_numbers = isinstance(spec.action_space, (Box, Discrete, MultiBinary, MultiDiscrete))
        self._acts_by_integers = spec.players == 1 and isinstance(spec.action_space, Discrete)
        self._acts_by_arrays = spec.players == 1 and isinstance(spec.action_space, Box)
        self._action_of = itemgetter(*self.ids)

    def observations(self, ids: Iterable[EnvID], batch: Any) -> MultiEnvDict:
        """Returns observations by environments and agents.

        Args:
            ids: the environments of the rows; for all environments, the list ``everyone`` itself.
            batch: the pool's observations.
        """
        if ids is self._all_envs and len(self.ids) == 1 and _has_small_rows(batch):
            again = self._reused_rows(batch)
            if again is not None:
                return again
        values = rows(batch, self._observation_space)
        return dict(zip(ids, values, strict=True)) if self._own_spaces else self.by_agents(ids, values)

    def _reused_rows(self, batch: Any) -> MultiEnvDict | None:
        """Returns observations of all environments in reused arrays and dicts, if the caller no longer holds any of
        them.

        For callers that keep every result, reuse is attempted only rarely, which saves time.
        """
        for earlier in self._rows:
            reused = earlier.shown(batch)
            if reused is not None:
                return reused
        self._misses += 1
        if len(self._rows) < _MAX_REUSED_RESULTS or self._misses % _MISSES_PER_RETRY == 0:
            rows = AgentRows(self._all_envs, ONLY_AGENT, batch)
            self._rows = [rows, *self._rows[: _MAX_REUSED_RESULTS - 1]]
            return rows.shown(batch)
        return None

    def by_agents(self, ids: Iterable[EnvID], values: list[Any]) -> MultiEnvDict:
        """Groups values with an entry for each player by environments and agents."""
        count = len(self.ids)
        if count == 1:
            return {index: {ONLY_AGENT: value} for index, value in zip(ids, values, strict=True)}
        players = range(0, len(values), count)
        return {
            index: dict(zip(self.ids, values[start : start + count], strict=True))
            for index, start in zip(ids, players, strict=True)
        }

    def actions_of_all(self, action_dict: Any, everyone: list[EnvID]) -> Any:
        """Converts the actions of all environments by a fast path in Rust; returns ``None`` for a dict that the fast
        path does not support.

        Args:
            action_dict: the given actions.
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
        actions_of_envs = list(action_dict.values())
        expected = len(self.ids)
        if not all(type(each) is dict and len(each) == expected for each in actions_of_envs):
            return None
        try:
            return self.actions(actions_of_envs)
        except KeyError:
            return None

    def actions(self, of_environments: Iterable[Mapping[AgentID, Any]]) -> Any:
        """Converts actions by environment and agent to the arrays that the pool's ``step`` takes.

        Args:
            of_environments: for each environment, the actions of all agents.

        Raises:
            KeyError: for an agent without an action.
            ValueError: for actions that do not form an array, or do not fit their space.
        """
        chosen = list(map(self._action_of, of_environments))
        if len(self.ids) == 1:
            return _array(chosen) if self._acts_by_numbers else self._batched(chosen)
        if self._own_spaces:
            return {agent: _array(column) for agent, column in zip(self.ids, zip(*chosen, strict=True), strict=True)}
        return _array([action for actions in chosen for action in actions])

    def _batched(self, actions: list[Any]) -> Any:
        """Batches actions of a space whose values are not single arrays, such as a dict or tuple space."""
        try:
            out: Any = create_empty_array(self._action_space, len(actions))
            return concatenate(self._action_space, actions, out)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ValueError(f"action_dict has actions that do not fit {self._action_space}: {error!r}") from error


def _has_small_rows(batch: Any) -> bool:
    return (
        isinstance(batch, np.ndarray) and batch.ndim > 1 and batch.dtype != object and batch.nbytes <= _MAX_REUSED_BYTES
    )


def _array(actions: Any) -> Any:
    """Returns an array of actions.

    Raises:
        ValueError: for actions of different shapes.
    """
    try:
        return np.array(actions)
    except ValueError as error:
        shapes = sorted({np.shape(action) for action in actions})
        raise ValueError(f"action_dict has actions of shapes {shapes}: expected one shape") from error
