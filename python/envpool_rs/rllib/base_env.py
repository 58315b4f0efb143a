"""RLlib's most general interface: many environments with many agents, used through ``poll`` and ``send_actions``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from envpool_rs.rllib.rllib_types import AgentID, ConversionOptions, Convertible, EnvID, MultiEnvDict, Poll, RayBaseEnv


class BaseEnv(Convertible, RayBaseEnv):  # type: ignore[misc]
    """Environments whose agents act as soon as they are ready.

    ``poll`` returns new results of all ready agents; ``send_actions`` sends their actions. There is no autoreset:
    ``try_reset`` starts the next episode after an episode ended. Every value is a dict of dicts, ``{env_id: {agent_id:
    value}}``.

    Derive from this class to support another kind of environment, as the classes returned by
    :func:`envpool_rs.rllib.convert_to_base_env` do. With ray installed it is a subclass of
    ``ray.rllib.env.base_env.BaseEnv``.
    """

    def _to_base_env(self, options: ConversionOptions) -> BaseEnv:
        return self

    def poll(self) -> Poll:
        """Returns new results of the ready agents. Every observation is returned exactly once.

        Returns:
            Six dicts by environment and agent: observations, rewards (``None`` at the start of an episode), terminated
                and truncated flags (with ``"__all__"`` for the environment), infos, and off-policy actions. Agents took
                off-policy actions on their own; ``send_actions`` need not reply to them. If an environment failed and
                was recreated, its entry in the observations is the exception that it raised.
        """
        raise NotImplementedError

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Sends actions of agents that a ``poll`` (or a reset) returned as ready.

        Args:
            action_dict: actions by environment and agent.
        """
        raise NotImplementedError

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Starts new episodes.

        Args:
            env_id: the environment; ``None`` for all.
            seed: ``None`` continues the random streams; an int reseeds them. If all environments are reset, environment
                ``i`` gets ``seed + i``.
            options: the environments' reset options.

        Returns:
            Observations and infos by environment and agent, also for one environment; or :data:`ASYNC_RESET_RETURN`
                twice if a later ``poll`` returns the result.
        """
        return None, None

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Closes and recreates environments, which must then be reset.

        Args:
            env_id: the environment; ``None`` for all.
        """

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """Returns the environment objects, if there are any.

        Args:
            as_dict: whether to return ``{env_id: environment}`` instead of a list.
        """
        return {} if as_dict else []

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents of all environments."""
        return set()

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Renders an environment.

        Args:
            env_id: the environment; ``None`` for all.

        Returns:
            The return value of the environment's ``render``; for all environments, a dict by environment.
        """
        return None

    def stop(self) -> None:
        """Frees all resources. A second call does nothing."""
        for environment in self.get_sub_environments():
            if hasattr(environment, "close"):
                environment.close()

    @property
    def observation_space(self) -> Any:
        """Observation space of one agent, or of all agents of one environment by their ids."""
        raise NotImplementedError

    @property
    def action_space(self) -> Any:
        """Action space of one agent, or of all agents of one environment by their ids."""
        raise NotImplementedError

    def last(self) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
        """Returns the last observations, rewards, terminated flags, truncated flags and infos of every environment.

        The method returns the values that ``poll`` and ``try_reset`` returned last.
        """
        raise NotImplementedError(f"{type(self).__name__} does not keep what it returned last")

    def action_space_sample(self, agent_id: Iterable[AgentID] | None = None) -> MultiEnvDict:
        """Returns random actions by environment and agent.

        Args:
            agent_id: the agents that act; ``None`` or an empty list for all.

        Raises:
            ValueError: for an unknown agent.
        """
        return self._sample("action", agent_id)

    def observation_space_sample(self, agent_id: Iterable[AgentID] | None = None) -> MultiEnvDict:
        """Returns random observations by environment and agent.

        Args:
            agent_id: the agents that observe; ``None`` or an empty list for all.

        Raises:
            ValueError: for an unknown agent.
        """
        return self._sample("observation", agent_id)

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        agents = sorted(self.get_agent_ids(), key=str)
        return dict.fromkeys(self.get_sub_environments(as_dict=True), agents)

    def _space(self, kind: str, env_id: EnvID, agent_id: AgentID) -> Any:
        """Returns an agent's space: its entry in the environment's spaces by agent, or the space shared by all
        agents.
        """
        space = self.action_space if kind == "action" else self.observation_space
        return agent_space(space, agent_id)

    def _sample(self, kind: str, agent_id: Iterable[AgentID] | None) -> MultiEnvDict:
        agent_ids = [agent_id] if isinstance(agent_id, str) else list(agent_id or ())
        agents = self._agents_of_environments()
        known = {agent for ids in agents.values() for agent in ids}
        for each in agent_ids:
            if each not in known:
                raise ValueError(f"agent_id contains {each!r}: expected agents among {sorted(known, key=str)}")
        return {
            env_id: {
                each: self._space(kind, env_id, each).sample() for each in ids if not agent_ids or each in agent_ids
            }
            for env_id, ids in agents.items()
        }


def agent_space(space: Any, agent_id: AgentID) -> Any:
    """Returns an agent's space: the agent's entry in a dict by agents, or the space that all agents share."""
    spaces = getattr(space, "spaces", space)
    if isinstance(spaces, Mapping) and agent_id in spaces:
        return spaces[agent_id]
    return space
