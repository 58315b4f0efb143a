"""Adapter that gives PettingZoo's parallel environments gymnasium's interface: agents are rows, or keys of a dict."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from envpool_rs._nested import fold_space, map_leaves
from envpool_rs._workers.agent_results import as_bool, parts, possible_agents, present_agents, reward_of
from envpool_rs._workers.env_wrapper import Adapter

_ARRAY_SPACES = (spaces.Box, spaces.Discrete, spaces.MultiBinary, spaces.MultiDiscrete)

_RESET_RESULTS = ("observations", "infos")
_STEP_RESULTS = ("observations", "rewards", "terminations", "truncations", "infos")


@dataclass(frozen=True)
class AgentSpaces:
    """Agents of one environment, and the spaces of one of its rows.

    Attributes:
        agents: all agents that may be present, in the order of rows.
        shared: whether agents share one observation space and one action space, so that each has a row.
        observation_space: if ``shared``, the observation space of every agent, otherwise a ``Dict`` of spaces by agent.
        action_space: if ``shared``, the action space of every agent, otherwise a ``Dict`` of spaces by agent.
    """

    agents: tuple[Any, ...]
    shared: bool
    observation_space: Any
    action_space: Any

    @classmethod
    def of(cls, env: Any) -> AgentSpaces:
        """Returns the agents of a PettingZoo parallel environment, with their spaces.

        Raises:
            ValueError: for an environment without ``possible_agents``, for agents that infos cannot name, and for
                observations that are not arrays.
        """
        agents = possible_agents(env)
        observation = {agent: env.observation_space(agent) for agent in agents}
        action = {agent: env.action_space(agent) for agent in agents}
        for agent, space in observation.items():
            fold_space(space, partial(_check_leaf, agent))
        first = agents[0]
        shared = isinstance(action[first], _ARRAY_SPACES) and all(
            observation[agent] == observation[first] and action[agent] == action[first] for agent in agents
        )
        if shared:
            return cls(agents, True, observation[first], action[first])
        return cls(agents, False, _dict_space(observation), _dict_space(action))


def _dict_space(parts: dict[Any, Any]) -> spaces.Dict:
    # An OrderedDict keeps the order of agents; gymnasium sorts the keys of a plain dict.
    return spaces.Dict(OrderedDict(parts))


def _check_leaf(agent: Any, space: Any) -> None:
    if not isinstance(space, _ARRAY_SPACES):
        raise ValueError(
            f"observation_space({agent!r}) contains {space}: expected Box, Discrete, MultiBinary and MultiDiscrete, in "
            "Dict and Tuple to any depth; a wrapper may convert it"
        )


class ParallelEnvAdapter(Adapter):
    """A ``pettingzoo.ParallelEnv`` with gymnasium's interface.

    An observation is a pair: the observations of all agents in ``possible_agents``, and their rewards ``(players,)``
    float64. Agents that share their spaces have a row each in every array; otherwise observations are a dict by agent.
    Absent agents have zeros. Rewards are part of the observation because shared memory has one reward per environment.

    Infos have ``agent_mask`` (agents that act next), ``agent_terminated`` and ``agent_truncated`` (agents that leave in
    this step), each ``(players,)`` bool, and the agents' own infos by agent. The episode ends when no agent is left. It
    is terminated if every agent was terminated, and truncated otherwise.

    Args:
        env: the PettingZoo environment.

    Attributes:
        agent_spaces: the agents of ``env`` and their spaces.
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.agent_spaces = AgentSpaces.of(env)
        self._index = {agent: index for index, agent in enumerate(self.agent_spaces.agents)}
        players = len(self._index)
        space = self.agent_spaces.observation_space
        rows = (players,) if self.agent_spaces.shared else ()
        self._rows = fold_space(space, lambda leaf: np.zeros((*rows, *leaf.shape), leaf.dtype))
        packed = fold_space(space, lambda leaf: _space_of_rows(leaf, rows), _dict_space, spaces.Tuple)
        self.observation_space = spaces.Tuple((packed, spaces.Box(-np.inf, np.inf, (players,), np.float64)))
        self.action_space = self.agent_spaces.action_space
        self.metadata: dict[str, Any] = dict(getattr(env, "metadata", None) or {})
        self._was_truncated = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts a new episode."""
        observations, infos = parts("reset", self.env.reset(seed=seed, options=options), _RESET_RESULTS)
        self._was_truncated = False
        mask = self._mask(present_agents(self.env))
        none = np.zeros_like(mask)
        return self._packed(observations, {}, mask), self._info(infos, mask, none, none.copy())

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Steps the environment with the actions of the agents that are present."""
        acting = present_agents(self.env)
        keyed = isinstance(action, Mapping)
        result = self.env.step({agent: action[agent if keyed else self._index[agent]] for agent in acting})
        observations, rewards, terminations, truncations, infos = parts("step", result, _STEP_RESULTS)
        terminated = self._mask(_ended_agents("terminations", terminations, acting))
        truncated = self._mask(_ended_agents("truncations", truncations, acting)) & ~terminated
        mask = self._mask(present_agents(self.env)) & ~(terminated | truncated)
        self._was_truncated |= bool(truncated.any())
        over = not mask.any()
        packed = self._packed(observations, rewards, mask)
        info = self._info(infos, mask, terminated, truncated)
        return packed, 0.0, over and not self._was_truncated, over and self._was_truncated, info

    def _mask(self, agents: Any) -> npt.NDArray[np.bool_]:
        mask = np.zeros(len(self._index), np.bool_)
        for agent in agents:
            mask[self._place(agent)] = True
        return mask

    def _place(self, agent: Any) -> int:
        try:
            return self._index[agent]
        except (KeyError, TypeError):  # a list is no key
            known = ", ".join(map(repr, self._index))
            raise ValueError(f"agent {agent!r} is not in possible_agents: expected one of {known}") from None

    def _packed(
        self, observations: Mapping[Any, Any], rewards: Mapping[Any, Any], mask: npt.NDArray[np.bool_]
    ) -> tuple[Any, npt.NDArray[np.float64]]:
        map_leaves(lambda rows: rows.fill(0), self._rows)
        for agent in (each for each, is_present in zip(self._index, mask, strict=True) if is_present):
            if agent not in observations:
                raise ValueError(f"observations lack {agent!r}: expected one of each agent in agents")
        for agent, value in observations.items():
            path = f"observations[{agent!r}]"
            if self.agent_spaces.shared:
                _store(self._rows, self._place(agent), value, path)
            else:
                self._place(agent)
                _store(self._rows[agent], (), value, path)
        own = np.zeros(len(self._index))
        for agent, reward in rewards.items():
            own[self._place(agent)] = reward_of(agent, reward)
        return self._rows, own

    def _info(
        self,
        infos: Mapping[Any, Any] | None,
        mask: npt.NDArray[np.bool_],
        terminated: npt.NDArray[np.bool_],
        truncated: npt.NDArray[np.bool_],
    ) -> dict[str, Any]:
        own = {str(agent): info for agent, info in (infos or {}).items() if as_bool("infos", agent, info, "a dict")}
        return {**own, "agent_mask": mask, "agent_terminated": terminated, "agent_truncated": truncated}


def _ended_agents(name: str, ends: Mapping[Any, Any], acting: list[Any]) -> list[Any]:
    """Returns the agents among ``acting`` whose episodes end."""
    return [agent for agent in acting if as_bool(name, agent, ends.get(agent), "a bool")]


def _space_of_rows(space: Any, rows: tuple[int, ...]) -> spaces.Box:
    """Returns a box with the given shape and dtype for rows of agents; the bounds of the box are not used."""
    dtype = np.dtype(space.dtype)
    low, high = (0, 1) if dtype.kind == "b" else (-np.inf, np.inf)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype.name)
        low, high = limits.min, limits.max
    return spaces.Box(low, high, (*rows, *space.shape), space.dtype)


def _store(rows: Any, index: Any, value: Any, path: str) -> None:
    """Writes an agent's observation into its row of each array.

    Raises:
        ValueError: for an observation of another structure, shape or dtype, naming its path.
    """
    if isinstance(rows, dict):
        if not isinstance(value, Mapping) or value.keys() != rows.keys():
            raise ValueError(f"{path} is {value!r}: expected a dict with the keys {', '.join(map(repr, rows))}")
        for key, part in rows.items():
            _store(part, index, value[key], f"{path}[{key!r}]")
        return
    if isinstance(rows, tuple):
        if not isinstance(value, (tuple, list)) or len(value) != len(rows):
            raise ValueError(f"{path} is {value!r}: expected a tuple of length {len(rows)}")
        for place, part in enumerate(rows):
            _store(part, index, value[place], f"{path}[{place}]")
        return
    given = np.asarray(value)
    row = rows[index] if isinstance(index, int) else rows
    shape, dtype = np.shape(row), rows.dtype
    if given.shape != shape or not np.can_cast(given.dtype, dtype, "same_kind"):
        raise ValueError(
            f"{path} has shape {given.shape} and dtype {given.dtype}: expected shape {shape} and dtype {dtype}, as "
            "observation_space declares"
        )
    rows[index] = given
