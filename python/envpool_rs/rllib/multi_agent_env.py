"""Environments with many agents: RLlib's ``MultiAgentEnv``, its conversion to ``BaseEnv``, and native tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from envpool_rs._make.make import make_vec
from envpool_rs.rllib.base_env import (
    ALL,
    COMMON,
    AgentID,
    BaseEnv,
    ConversionOptions,
    Convertible,
    EnvID,
    MultiAgentDict,
    RayMultiAgentEnv,
    agent_space,
    uses_ray,
)
from envpool_rs.rllib.polled_base_env import AgentResult, AgentResults, AgentsBaseEnv, Options
from envpool_rs.rllib.pool_base_env import PoolValues, info_rows
from envpool_rs.rllib.remote_base_env import RemoteBaseEnv
from envpool_rs.rllib.vector_env import SubEnvironments

Step = tuple[MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict]


def is_multi_agent_env(environment: Any) -> bool:
    """Returns whether an environment is a ``MultiAgentEnv``, of this package or ray's."""
    return isinstance(environment, RayMultiAgentEnv)


def _agents_of(environment: Any) -> set[AgentID]:
    """Returns the agents that an RLlib environment declares, in any supported way."""
    named = getattr(environment, "_agent_ids", None) or getattr(environment, "possible_agents", None)
    return set(named or getattr(environment, "agents", None) or ())


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
        """Starts an episode; returns observations of the agents that act next, and infos.

        Override this method, and call it first to seed ``np_random``. Without a seed, the random stream continues.
        """
        super().reset(seed=seed, options=options)
        return {}, {}

    def step(self, action_dict: MultiAgentDict) -> Step:
        """Steps the environment with actions of some agents.

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
        return _agents_of(self)

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
            return RemoteBaseEnv(make_env, num_envs, True, batch_wait, [self], restart, strict_rllib=strict)
        return MultiAgentEnvWrapper(make_env, [self], num_envs, restart, strict_rllib=strict)


class MultiAgentEnvWrapper(AgentsBaseEnv):
    """``MultiAgentEnv`` environments (of this package or ray's) as one ``BaseEnv``.

    Each call may send actions to a subset of environments, and to a subset of each environment's ready agents.
    ``existing_envs`` come first; ``make_env``, a function of the index, makes the others.
    """

    def __init__(
        self,
        make_env: Callable[[int], Any] | None,
        existing_envs: Sequence[Any],
        num_envs: int,
        restart_failed_sub_environments: bool = False,
        *,
        strict_rllib: bool = False,
    ) -> None:
        self._made = SubEnvironments(make_env, existing_envs, num_envs, restart_failed_sub_environments)
        for index, environment in enumerate(self._made.envs):
            if not is_multi_agent_env(environment):
                raise TypeError(f"environment {index} is a {type(environment).__name__}: expected a MultiAgentEnv")
        super().__init__(num_envs, strict_rllib)

    def _step(self, actions: dict[int, Any]) -> None:
        self._store_each(actions, lambda index: self._step_one(index, actions[index]))

    def _step_one(self, index: int, actions: dict[AgentID, Any]) -> AgentResult:
        agents = self._agents[index]
        result = self._made.call(index, "step", actions)
        return agents.fail(result) if isinstance(result, Exception) else agents.step(result)

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> AgentResults:
        each = zip(ids, seeds or repeat(None), strict=False)
        return {index: self._reset_at(index, seed, options) for index, seed in each}

    def _reset_at(self, index: int, seed: int | None, options: Options) -> AgentResult:
        result = self._made.call(index, "reset", seed=seed, options=options)
        if isinstance(result, Exception):
            return self._agents[index].fail(result)
        if not isinstance(result, tuple) or len(result) != 2:  # noqa: PLR2004
            raise ValueError(f"reset() of environment {index} returned {result!r}: expected observations and infos")
        return self._agents[index].begin(*result)

    def _recreate(self, index: int) -> None:
        self._made.restart(index)

    def _environments(self) -> Sequence[Any]:
        return self._made.envs

    def _declared_agents(self) -> list[Iterable[AgentID]]:
        return [_agents_of(environment) for environment in self._made.envs]

    def _space(self, kind: str, env_id: EnvID, agent_id: AgentID) -> Any:
        return getattr(self._made.envs[env_id], f"get_{kind}_space")(agent_id)

    def _space_of_all(self, kind: str) -> Any:
        return getattr(self._made.envs[0], f"{kind}_space")

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        return [self._made.envs[index].render() for index in ids]

    def _close(self) -> None:
        self._made.close()


class PoolMultiAgentEnv(MultiAgentEnv):
    """Task with several players, such as ``SimpleSpread-v3``, as a ``MultiAgentEnv`` for RLlib's new API stack.

    All players act in every step, and all their episodes end together. Players that share a space are named
    ``"agent_0"``, ``"agent_1"``, ...; players with different spaces have the task's names. The environment is made by
    the task's name and options, and is not reset yet.
    """

    def __init__(self, task_id: str, **options: Any) -> None:
        self._pool = make_vec(task_id, num_envs=1, autoreset_mode="disabled", **options)
        self._values = PoolValues(self._pool.spec, [0])
        self.agents = list(self._values.agents)
        self.possible_agents = list(self._values.agents)
        spaces = self._pool.single_observation_space, self._pool.single_action_space
        self.observation_spaces, self.action_spaces = (
            {agent: agent_space(space, agent) for agent in self.agents} for space in spaces
        )
        super().__init__()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[MultiAgentDict, MultiAgentDict]:
        """Starts an episode; returns observations and infos of all players."""
        observation, info = self._pool.reset(seed=seed, options=options)
        return self._values.observations([0], observation)[0], self._infos(info)

    def step(self, action_dict: MultiAgentDict) -> Step:
        """Runs one step, with an action of every player.

        Raises:
            ValueError: for other agents, or an action that is not allowed.
        """
        if set(action_dict) != set(self.agents):
            raise ValueError(
                f"action_dict has actions of {sorted(action_dict, key=str)}: expected one of each of {self.agents}"
            )
        observation, reward, terminated, truncated, info = self._pool.step(self._values.actions([action_dict]))
        return (
            self._values.observations([0], observation)[0],
            self._values.by_agents([0], reward.tolist())[0],
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
