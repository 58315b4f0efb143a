"""RLlib's lowest interface: many environments, many agents, polled and answered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from envpool_rs.rllib.rllib_types import AgentID, EnvID, MultiEnvDict, Poll, RayBaseEnv


class BaseEnv(RayBaseEnv):  # type: ignore[misc]
    """Environments with agents that act whenever they are ready.

    ``poll`` returns what is new of all agents that are ready; ``send_actions`` answers them. Ended episodes are begun
    anew by ``try_reset``, never by themselves. Every value is a dict of dicts, ``{env_id: {agent_id: value}}``.

    Derive from it for an environment of another kind; the classes that :func:`envpool_rs.rllib.convert_to_base_env`
    returns do. With ray installed it is a subclass of ``ray.rllib.env.base_env.BaseEnv``.
    """

    def to_base_env(
        self,
        make_env: Callable[[int], Any] | None = None,
        num_envs: int = 1,
        remote_envs: bool = False,
        remote_env_batch_wait_ms: int = 0,
        restart_failed_sub_environments: bool = False,
    ) -> BaseEnv:
        """This environment itself, whatever the arguments say: it is converted already.

        Args:
            make_env: not used.
            num_envs: not used.
            remote_envs: not used.
            remote_env_batch_wait_ms: not used.
            restart_failed_sub_environments: not used.
        """
        return self

    def poll(self) -> Poll:
        """What is new of the agents that are ready. Every observation is returned once.

        Returns:
            Six dicts by environment and agent: observations, rewards (``None`` where an episode just started),
            terminated and truncated flags (with ``"__all__"`` for the environment), infos, and actions that agents took
            without being asked, which ``send_actions`` need not answer. Where an environment failed and was made anew,
            its observation is the exception.
        """
        raise NotImplementedError

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Answers agents that a ``poll`` (or a reset) showed as ready.

        Args:
            action_dict: actions by environment and agent.
        """
        raise NotImplementedError

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Begins new episodes.

        Args:
            env_id: the environment; ``None`` for all.
            seed: ``None`` to go on with the generators; an int begins them anew. Of all environments, the one at index
                ``i`` gets ``seed + i``.
            options: the environments' reset options.

        Returns:
            Observations and infos by environment and agent, also for one environment; or :data:`ASYNC_RESET_RETURN`
            twice where the result comes with a later ``poll``.
        """
        return None, None

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Closes environments and makes them anew; they have to be reset then.

        Args:
            env_id: the environment; ``None`` for all.
        """

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """The environments' own objects, as far as there are any.

        Args:
            as_dict: whether to return ``{env_id: environment}`` instead of a list.
        """
        return {} if as_dict else []

    def get_agent_ids(self) -> set[AgentID]:
        """The agents of all environments."""
        return set()

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Draws an environment.

        Args:
            env_id: the environment; ``None`` for all.

        Returns:
            What it drew, if it returns anything; by environment where all were asked.
        """
        return None

    def stop(self) -> None:
        """Frees everything. Stopping twice is allowed."""
        for environment in self.get_sub_environments():
            if hasattr(environment, "close"):
                environment.close()

    @property
    def observation_space(self) -> Any:
        """The observation space of one agent, or of all agents of one environment by their ids."""
        raise NotImplementedError

    @property
    def action_space(self) -> Any:
        """The action space of one agent, or of all agents of one environment by their ids."""
        raise NotImplementedError

    def last(self) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
        """The last observations, rewards, terminated flags, truncated flags and infos that were returned of every
        environment, be it by ``poll`` or by ``try_reset``.
        """
        raise NotImplementedError(f"{type(self).__name__} does not keep what it returned last")

    def action_space_sample(self, agent_id: Iterable[AgentID] | None = None) -> MultiEnvDict:
        """Random actions by environment and agent.

        Args:
            agent_id: the agents that act; ``None`` or an empty list for all.

        Raises:
            ValueError: for an agent that no environment has.
        """
        return self._sample("action", agent_id)

    def observation_space_sample(self, agent_id: Iterable[AgentID] | None = None) -> MultiEnvDict:
        """Random observations by environment and agent.

        Args:
            agent_id: the agents that observe; ``None`` or an empty list for all.

        Raises:
            ValueError: for an agent that no environment has.
        """
        return self._sample("observation", agent_id)

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        agents = sorted(self.get_agent_ids(), key=str)
        return dict.fromkeys(self.get_sub_environments(as_dict=True), agents)

    def _space(self, kind: str, env_id: EnvID, agent_id: AgentID) -> Any:
        """The space of an agent: of the environment's own if it has one for each, or the one that all share."""
        space = self.action_space if kind == "action" else self.observation_space
        return agent_space(space, agent_id)

    def _sample(self, kind: str, agent_id: Iterable[AgentID] | None) -> MultiEnvDict:
        wanted = [agent_id] if isinstance(agent_id, str) else list(agent_id or ())
        agents = self._agents_of_environments()
        known = {agent for ids in agents.values() for agent in ids}
        for each in wanted:
            if each not in known:
                raise ValueError(f"agent_id contains {each!r}: expected agents among {sorted(known, key=str)}")
        return {
            env_id: {each: self._space(kind, env_id, each).sample() for each in ids if not wanted or each in wanted}
            for env_id, ids in agents.items()
        }


def agent_space(space: Any, agent_id: AgentID) -> Any:
    """The part of a space that belongs to an agent: its entry in a dict by agents, or all of it."""
    spaces = getattr(space, "spaces", space)
    if isinstance(spaces, Mapping) and agent_id in spaces:
        return spaces[agent_id]
    return space
