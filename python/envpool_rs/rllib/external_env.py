"""RLlib's interfaces for external environments, which control their own loop, with one agent or many."""

from __future__ import annotations

import threading
import uuid
from typing import TYPE_CHECKING, Any, ClassVar

from envpool_rs.rllib.external_episode import ExternalEnvStopped, ExternalEpisode
from envpool_rs.rllib.rllib_types import ConversionOptions, Convertible, RayExternalEnv

if TYPE_CHECKING:
    from envpool_rs.rllib.base_env import BaseEnv
from envpool_rs.rllib.rllib_types import MultiAgentDict, RayExternalMultiAgentEnv


class ExternalEnv(Convertible, RayExternalEnv):  # type: ignore[misc]
    """Environment that requests actions instead of being stepped: a server, a robot, a log.

    Derive from this class and override ``run``, which the conversion starts in its own thread: ``start_episode``, then
    ``get_action`` (or ``log_action``) and ``log_returns`` for each step, then ``end_episode``. Several episodes may be
    open; each belongs to one thread. With ray installed it is a subclass of ``ray.rllib.env.external_env.ExternalEnv``.

    Attributes:
        observation_space: the observation space.
        action_space: the action space.
    """

    multiagent: ClassVar[bool] = False

    def __init__(self, action_space: Any, observation_space: Any, max_concurrent: int | None = None) -> None:
        """Stores the spaces; the thread is started later, by the conversion to a ``BaseEnv``.

        Args:
            action_space: the action space.
            observation_space: the observation space.
            max_concurrent: obsolete; must be ``None``.
        """
        if max_concurrent is not None:
            raise ValueError(f"max_concurrent={max_concurrent!r}: expected None (RLlib has given it up)")
        threading.Thread.__init__(self, daemon=True)
        self.action_space = action_space
        self.observation_space = observation_space
        self._episodes: dict[str, ExternalEpisode] = {}
        self._finished: set[str] = set()
        self._results_avail_condition = threading.Condition()
        self._users: dict[int, threading.Thread] = {}
        self._stopping = False

    def run(self) -> None:
        """Runs episodes in an endless loop. Override this method.

        If ``run`` raises an exception, ``poll`` raises it; if ``run`` returns, ``poll`` raises an error.
        """
        raise NotImplementedError(f"{type(self).__name__} has no run(): override it to play episodes")

    def start_episode(self, episode_id: str | None = None, training_enabled: bool = True) -> str:
        """Opens an episode.

        Args:
            episode_id: the id, which becomes the environment's id; ``None`` for a new one.
            training_enabled: whether to learn from the episode; if not, infos contain ``"training_enabled": False``.

        Returns:
            The episode's id.

        Raises:
            ValueError: for an id that was used already.
        """
        self._enter()
        episode_id = uuid.uuid4().hex if episode_id is None else episode_id
        with self._results_avail_condition:
            if episode_id in self._finished:
                raise ValueError(f"episode_id is {episode_id!r}: this episode has already completed")
            if episode_id in self._episodes:
                raise ValueError(f"episode_id is {episode_id!r}: this episode has already started")
            self._episodes[episode_id] = ExternalEpisode(
                self._results_avail_condition, training_enabled, self.multiagent
            )
        return episode_id

    def get_action(self, episode_id: str, observation: Any) -> Any:
        """Sends an observation, and waits for the action.

        Args:
            episode_id: the episode.
            observation: the current observation.

        Returns:
            The action from ``send_actions``.

        Raises:
            ValueError: for an episode that was not started, or has ended.
        """
        return self._get(episode_id).wait_for_action(observation)

    def log_action(self, episode_id: str, observation: Any, action: Any) -> None:
        """Logs an observation and an off-policy action; returns after a poll has returned both.

        Args:
            episode_id: the episode.
            observation: the observation.
            action: the action taken.

        Raises:
            ValueError: for an episode that was not started, or has ended.
        """
        self._get(episode_id).log_action(observation, action)

    def log_returns(self, episode_id: str, reward: Any, info: Any = None) -> None:
        """Adds to the reward of the last action.

        Args:
            episode_id: the episode.
            reward: the reward to add.
            info: the info of the next observation.

        Raises:
            ValueError: for an episode that was not started, or has ended.
            TypeError: for a reward that cannot be converted to a float.
        """
        episode = self._get(episode_id)
        episode.cur_reward = validate_reward(reward) + (episode.cur_reward or 0.0)
        if info:
            episode.cur_info = info

    def end_episode(self, episode_id: str, observation: Any) -> None:
        """Sends the last observation, and closes the episode.

        Args:
            episode_id: the episode.
            observation: the final observation.

        Raises:
            ValueError: for an episode that was not started, or has ended.
        """
        episode = self._get(episode_id)
        with self._results_avail_condition:
            self._finished.add(episode_id)
            episode.end(observation)

    def _enter(self) -> None:
        """Records that the current thread runs episodes."""
        if self._stopping:
            raise ExternalEnvStopped("the BaseEnv of this external environment is stopped")
        thread = threading.current_thread()
        self._users[threading.get_ident()] = thread

    def _get(self, episode_id: str) -> ExternalEpisode:
        self._enter()
        if episode_id in self._finished:
            raise ValueError(f"episode_id is {episode_id!r}: this episode has already completed")
        episode = self._episodes.get(episode_id)
        if episode is None:
            raise ValueError(f"episode_id is {episode_id!r}: no such episode was started")
        return episode

    def all_threads_wait(self) -> bool:
        """Returns whether every episode thread, including the thread of ``run``, waits for an action.

        If so, no new result can appear until actions are sent.
        """
        waiting = {episode.waiting_thread for episode in list(self._episodes.values())}
        playing = {ident for ident, thread in list(self._users.items()) if thread.is_alive()}
        return self.ident in waiting and playing <= waiting

    def stop(self) -> None:
        """Stops the environment: raises :class:`ExternalEnvStopped` in all episode threads that wait for an action."""
        self._stopping = True
        for episode in list(self._episodes.values()):
            episode.stop()

    def _to_base_env(self, options: ConversionOptions) -> BaseEnv:
        from envpool_rs.rllib.external_env_wrapper import ExternalEnvWrapper

        if options.num_envs != 1:
            raise ValueError(
                f"num_envs={options.num_envs}: expected 1, since an external environment opens its own episodes"
            )
        if options.remote_envs:
            raise ValueError("remote_envs=True: expected False, since an external environment is in control itself")
        return ExternalEnvWrapper(self, strict_rllib=options.strict_rllib)


def validate_reward(reward: Any, name: str = "reward") -> Any:
    """Checks that a reward can be converted to a float; returns the reward unchanged.

    Raises:
        TypeError: for a value that cannot be converted to a float.
    """
    try:
        float(reward)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={reward!r}: expected a number") from None
    return reward


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
        """Logs observations and off-policy actions; returns after a poll has returned them.

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
