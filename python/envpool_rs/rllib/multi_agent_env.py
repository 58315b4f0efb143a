"""RLlib's interface for one environment with many agents, and its implementation by native environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from envpool_rs._make.vectorization import make_vec
from envpool_rs.rllib.base_env import agent_space
from envpool_rs.rllib.pool_agents import PoolAgents, info_rows
from envpool_rs.rllib.rllib_types import (
    ALL,
    COMMON,
    AgentID,
    ConversionOptions,
    Convertible,
    MultiAgentDict,
    RayMultiAgentEnv,
    agents_of,
    uses_ray,
)

if TYPE_CHECKING:
    from envpool_rs.rllib.base_env import BaseEnv


class MultiAgentEnv(Convertible, RayMultiAgentEnv):  # type: ignore[misc]
    """Environment with independent agents. Derive from this class.

    Actions and all parts of a result are dicts by agent. An agent acts after an observation of it was returned; agents
    may appear and disappear during an episode. With ray installed it is a subclass of
    ``ray.rllib.env.multi_agent_env.MultiAgentEnv``.

    Attributes:
        agents: the current agents.
        possible_agents: all agents that may ever exist.
        observation_spaces: observation spaces by agent, or ``None``.
        action_spaces: action spaces by agent, or ``None``.
        observation_space: the shared space of all agents, or one dict space by agents.
        action_space: the shared space of all agents, or one dict space by agents.
    """

    observation_spaces: dict[AgentID, Any] | None = None
    action_spaces: dict[AgentID, Any] | None = None
    agents: list[AgentID] = []  # noqa: RUF012 - replaced, never changed
    possible_agents: list[AgentID] = []  # noqa: RUF012
    observation_space: Any = None
    action_space: Any = None

    def __init__(self) -> None:
        """Fills in the agents from ``_agent_ids``, which older environments set."""
        super().__init__()
        if not hasattr(self, "_agent_ids"):
            self._agent_ids: set[AgentID] = set()
        self.agents = self.agents or list(self._agent_ids)
        self.possible_agents = self.possible_agents or list(self.agents)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[MultiAgentDict, MultiAgentDict]:
        """Starts an episode. Override this method, and call it first to seed ``np_random``.

        Args:
            seed: ``None`` continues the random stream.
            options: reset options.

        Returns:
            Observations of the agents that act next, and infos.
        """
        super().reset(seed=seed, options=options)
        return {}, {}

    def step(
        self, action_dict: MultiAgentDict
    ) -> tuple[MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict]:
        """Steps the environment with actions of some agents.

        Args:
            action_dict: actions by agent.

        Returns:
            Observations of the agents that act next; rewards; terminated and truncated flags, both with ``"__all__"``;
            infos, only of observed agents and under ``"__common__"``.
        """
        raise NotImplementedError

    def render(self) -> Any:
        """Renders the environment; does nothing by default."""
        return None

    def get_observation_space(self, agent_id: AgentID) -> Any:
        """Returns the observation space of an agent."""
        if self.observation_spaces is not None:
            return self.observation_spaces[agent_id]
        return agent_space(self.observation_space, agent_id)

    def get_action_space(self, agent_id: AgentID) -> Any:
        """Returns the action space of an agent."""
        if self.action_spaces is not None:
            return self.action_spaces[agent_id]
        return agent_space(self.action_space, agent_id)

    @property
    def num_agents(self) -> int:
        """Number of current agents."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """Number of possible agents."""
        return len(self.possible_agents)

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents: those of ``_agent_ids`` if it is set, otherwise all possible agents."""
        return agents_of(self)

    def with_agent_groups(self, groups: dict[str, list[AgentID]], obs_space: Any = None, act_space: Any = None) -> Any:
        """Applies RLlib's wrapper that merges several agents into one.

        Args:
            groups: agents by the group's name.
            obs_space: the groups' observation space.
            act_space: the groups' action space.

        Raises:
            ImportError: without RLlib.
        """
        if not uses_ray:
            raise ImportError("with_agent_groups needs RLlib: pip install 'envpool_rs[ray]'")
        return super().with_agent_groups(groups, obs_space, act_space)

    def _to_base_env(self, options: ConversionOptions) -> BaseEnv:
        make_env, num_envs, remote, batch_wait, restart, strict = options
        if remote:
            from envpool_rs.rllib.remote_base_env import RemoteBaseEnv

            return RemoteBaseEnv(make_env, num_envs, True, batch_wait, [self], restart, strict_rllib=strict)
        from envpool_rs.rllib.multi_agent_env_wrapper import MultiAgentEnvWrapper

        return MultiAgentEnvWrapper(make_env, [self], num_envs, restart, strict_rllib=strict)


class PoolMultiAgentEnv(MultiAgentEnv):
    """Task with several players, such as ``SimpleSpread-v3``, as a ``MultiAgentEnv`` for RLlib's new API stack.

    All players act in every step, and all their episodes end together. Players that share a space are named
    ``"agent_0"``, ``"agent_1"``, ...; players with different spaces have the task's names.
    """

    def __init__(self, task_id: str, **options: Any) -> None:
        """Makes the environment without resetting it.

        Args:
            task_id: the task.
            options: the environment's options.

        Raises:
            ValueError: for an unknown task, or a value that is not allowed.
        """
        self._pool = make_vec(task_id, num_envs=1, autoreset_mode="disabled", **options)
        self._rows = PoolAgents(self._pool.spec, [0])
        self.agents = list(self._rows.ids)
        self.possible_agents = list(self._rows.ids)
        spaces = self._pool.single_observation_space, self._pool.single_action_space
        self.observation_spaces, self.action_spaces = (
            {agent: agent_space(space, agent) for agent in self.agents} for space in spaces
        )
        super().__init__()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[MultiAgentDict, MultiAgentDict]:
        """Starts an episode.

        Args:
            seed: ``None`` continues the random stream.
            options: reset options.
        """
        observation, info = self._pool.reset(seed=seed, options=options)
        return self._rows.observations([0], observation)[0], self._infos(info)

    def step(
        self, action_dict: MultiAgentDict
    ) -> tuple[MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict]:
        """Runs one step.

        Args:
            action_dict: an action of every agent.

        Raises:
            ValueError: for other agents, or an action that is not allowed.
        """
        if set(action_dict) != set(self.agents):
            raise ValueError(
                f"action_dict has actions of {sorted(action_dict, key=str)}: expected one of each of {self.agents}"
            )
        observation, reward, terminated, truncated, info = self._pool.step(self._rows.actions([action_dict]))
        return (
            self._rows.observations([0], observation)[0],
            self._rows.by_agents([0], reward.tolist())[0],
            dict.fromkeys([*self.agents, ALL], bool(terminated[0])),
            dict.fromkeys([*self.agents, ALL], bool(truncated[0])),
            self._infos(info),
        )

    def _infos(self, info: dict[str, Any]) -> MultiAgentDict:
        rows = info_rows(info, 1)
        infos: MultiAgentDict = {agent: {} for agent in self.agents}
        return infos if rows is None else {**infos, COMMON: rows[0]}

    @property
    def np_random_seed(self) -> int:
        """Seed of the last seeded reset."""
        return int(np.asarray(self._pool.np_random_seed[0]))

    def close(self) -> None:
        """Frees the environment."""
        self._pool.close()
