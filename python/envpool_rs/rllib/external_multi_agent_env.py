"""RLlib's interface for external environments with many agents."""

from __future__ import annotations

from typing import Any, ClassVar

from envpool_rs.rllib.external_env import ExternalEnv, validate_reward
from envpool_rs.rllib.rllib_types import MultiAgentDict, RayExternalMultiAgentEnv


class ExternalMultiAgentEnv(ExternalEnv, RayExternalMultiAgentEnv):  # type: ignore[misc]
    """``ExternalEnv`` whose observations, actions, rewards and infos are dicts by agents.

    With ray installed it is a subclass of ``ray.rllib.env.external_multi_agent_env.ExternalMultiAgentEnv``.
    """

    multiagent: ClassVar[bool] = True

    def __init__(self, action_space: Any, observation_space: Any) -> None:
        """Stores the spaces.

        Args:
            action_space: the space that all agents share, or a dict by agents.
            observation_space: the space that all agents share, or a dict by agents.

        Raises:
            ValueError: for dicts with different agents.
        """
        if isinstance(action_space, dict) or isinstance(observation_space, dict):
            actors, observers = (set(getattr(each, "keys", tuple)()) for each in (action_space, observation_space))
            if actors != observers:
                raise ValueError(
                    f"action_space has agents {sorted(actors, key=str)}, observation_space has "
                    f"{sorted(observers, key=str)}: expected the same"
                )
        ExternalEnv.__init__(self, action_space, observation_space)

    def get_action(self, episode_id: str, observation_dict: MultiAgentDict) -> MultiAgentDict:
        """Sends observations, and waits for the actions.

        Args:
            episode_id: the episode.
            observation_dict: observations of the agents that act now.

        Returns:
            Actions by agent.
        """
        return super().get_action(episode_id, _by_agents("observation_dict", observation_dict))  # type: ignore[no-any-return]

    def log_action(self, episode_id: str, observation_dict: MultiAgentDict, action_dict: MultiAgentDict) -> None:
        """Logs observations and off-policy actions; returns after they were polled.

        Args:
            episode_id: the episode.
            observation_dict: observations by agent.
            action_dict: actions by agent.
        """
        _by_agents("action_dict", action_dict)
        super().log_action(episode_id, _by_agents("observation_dict", observation_dict), action_dict)

    def log_returns(
        self,
        episode_id: str,
        reward_dict: MultiAgentDict,
        info_dict: MultiAgentDict | None = None,
        multiagent_done_dict: MultiAgentDict | None = None,
    ) -> None:
        """Adds to the rewards of the last actions.

        Args:
            episode_id: the episode.
            reward_dict: rewards to add, by agent.
            info_dict: infos of the next observations, by agent.
            multiagent_done_dict: terminated flags by agent.
        """
        episode = self._get(episode_id)
        for agent, reward in _by_agents("reward_dict", reward_dict).items():
            validate_reward(reward, f"reward_dict[{agent!r}]")
            episode.cur_reward[agent] = reward + episode.cur_reward.get(agent, 0.0)
        if multiagent_done_dict:
            done = _by_agents("multiagent_done_dict", multiagent_done_dict)
            episode.done_agents.update({agent: bool(each) for agent, each in done.items()})
        if info_dict:
            episode.cur_info = _by_agents("info_dict", info_dict)

    def end_episode(self, episode_id: str, observation_dict: MultiAgentDict) -> None:
        """Sends the last observations, and closes the episode.

        Args:
            episode_id: the episode.
            observation_dict: observations by agent.
        """
        super().end_episode(episode_id, _by_agents("observation_dict", observation_dict))


def _by_agents(name: str, values: Any) -> MultiAgentDict:
    if not isinstance(values, dict):
        raise TypeError(f"{name}={values!r}: expected a dict by agents")
    return values
