"""Converts external environments to the interface for many environments."""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping
from typing import Any

from envpool_rs._arguments import mapping
from envpool_rs.rllib.agent_values import LastValues
from envpool_rs.rllib.base_env import BaseEnv
from envpool_rs.rllib.external_episode import ExternalEnvStopped
from envpool_rs.rllib.rllib_types import (
    ALL,
    ASYNC_RESET_RETURN,
    ONLY_AGENT,
    AgentID,
    EnvID,
    MultiEnvDict,
    Poll,
    RayExternalMultiAgentEnv,
    uses_ray,
)

_THREAD_CHECK_INTERVAL = 0.1
"""Interval in seconds at which a waiting poll checks that the thread is alive."""

_STOP_TIMEOUT = 1.0
"""Time in seconds in which the thread of a stopped environment must end."""


class ExternalEnvWrapper(BaseEnv):
    """``ExternalEnv`` or ``ExternalMultiAgentEnv`` (of this package or ray's) as a ``BaseEnv``.

    Each open episode is one environment of the ``BaseEnv``.

    Attributes:
        external_env: the environment.
        strict_rllib: whether results of ``poll`` have the form of RLlib 2.60 where that differs from RLlib's
            documentation.
    """

    def __init__(self, external_env: Any, *, strict_rllib: bool = False) -> None:
        """Starts the environment's thread.

        Args:
            external_env: the environment.
            strict_rllib: whether results of ``poll`` have the form of RLlib 2.60 where that differs from its
                documentation.

        Raises:
            RuntimeError: if the environment's thread was started before.
        """
        if external_env.ident is not None:
            raise RuntimeError(f"{type(external_env).__name__} was converted before: its thread starts once")
        self.external_env = external_env
        self.strict_rllib = strict_rllib
        self._multiagent = getattr(external_env, "multiagent", False) or (
            uses_ray and isinstance(external_env, RayExternalMultiAgentEnv)
        )
        self._last = LastValues()
        self._failure: BaseException | None = None
        self._waiting: dict[EnvID, Any] = {}
        self._logged: set[EnvID] = set()
        self._seen: dict[EnvID, set[AgentID]] = {}
        self._stopped = False
        external_env.run = functools.partial(self._run, external_env.run)
        external_env.start()

    def _run(self, run: Any) -> None:
        try:
            run()
        except ExternalEnvStopped:
            pass
        except BaseException as error:
            self._failure = error
        finally:
            with self.external_env._results_avail_condition:
                self.external_env._results_avail_condition.notify_all()

    def poll(self) -> Poll:
        """Waits until an episode has new results: see :meth:`BaseEnv.poll`.

        Raises:
            RuntimeError: if the environment's thread has ended, with its exception as the cause; or if every thread
                waits for an action, so that no event can follow.
        """
        news = self.external_env._results_avail_condition
        with news:
            while True:
                if self._stopped:
                    raise RuntimeError("this ExternalEnvWrapper is stopped")
                alive = self.external_env.is_alive()
                result = self._collect()
                if result[0]:
                    self._last.record(result)
                    self._last.keep({*self.external_env._episodes, *result[0]})
                    return result
                self._check_thread(alive)
                news.wait(_THREAD_CHECK_INTERVAL)

    def _check_thread(self, alive: bool) -> None:
        name = type(self.external_env).__name__
        if not alive:
            how = "returned" if self._failure is None else f"raised {self._failure!r}"
            raise RuntimeError(f"the thread of {name} has ended: its run() {how}") from self._failure
        all_threads_wait = getattr(self.external_env, "all_threads_wait", None)
        if all_threads_wait is not None and self._waiting and all_threads_wait():
            raise RuntimeError(
                f"{name} waits for actions of episodes {sorted(self._waiting, key=str)}, and has nothing to tell until "
                "then: send_actions first"
            )

    def _collect(self) -> Poll:
        result: Poll = ({}, {}, {}, {}, {}, {})
        for episode_id, episode in list(self.external_env._episodes.items()):
            item = episode.get_data()
            if item is not None:
                self._show(episode_id, episode, item, result)
        return result

    def _show(self, episode_id: EnvID, episode: Any, item: dict[str, Any], result: Poll) -> None:
        values = self._values_of_agents(item) if self._multiagent else self._values_of_one(item)
        observations, rewards, terminated, truncated, infos = values
        seen = self._seen.setdefault(episode_id, set())
        for agent in observations:
            if rewards.get(agent) is None:
                first = agent not in seen and not self.strict_rllib
                rewards[agent] = None if first else 0.0
        seen.update(observations)
        for part, value in zip(result, (observations, rewards, terminated, truncated, infos), strict=False):
            part[episode_id] = value
        if "off_policy_action" in item:
            action = item["off_policy_action"]
            result[5][episode_id] = action if self._multiagent else {ONLY_AGENT: action}
            self._logged.add(episode_id)
            _answer(episode, None)
        elif terminated[ALL] or truncated[ALL]:
            del self.external_env._episodes[episode_id]
            del self._seen[episode_id]
            self._logged.discard(episode_id)
        else:
            self._logged.discard(episode_id)
            self._waiting[episode_id] = set(observations)

    def _values_of_one(self, item: dict[str, Any]) -> tuple[Any, ...]:
        flags = [
            {ALL: item[name]} if self.strict_rllib else {ONLY_AGENT: item[name], ALL: item[name]}
            for name in ("terminated", "truncated")
        ]
        return {ONLY_AGENT: item["obs"]}, {ONLY_AGENT: item["reward"]}, *flags, {ONLY_AGENT: item["info"]}

    @staticmethod
    def _values_of_agents(item: dict[str, Any]) -> tuple[Any, ...]:
        agents = item["obs"]
        flags = [{**dict.fromkeys(agents, item[name][ALL]), **item[name]} for name in ("terminated", "truncated")]
        infos = {**{agent: {} for agent in agents}, **item["info"]}
        return agents, dict(item["reward"]), *flags, infos

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Sends actions to waiting episodes. Actions for episodes that logged off-policy actions are ignored.

        Args:
            action_dict: ``{episode_id: {agent_id: action}}``.

        Raises:
            TypeError: for another form.
            ValueError: for an episode that is not open, or an agent that was not observed.
            RuntimeError: for an episode without a request since its last action.
        """
        if self._stopped:
            raise RuntimeError("this ExternalEnvWrapper is stopped")
        mapping("action_dict", action_dict, "a dict {env_id: {agent_id: action}}")
        with self.external_env._results_avail_condition:
            episode_ids = [
                episode_id for episode_id in action_dict if self._check_asked(episode_id, action_dict[episode_id])
            ]
            for episode_id in episode_ids:
                del self._waiting[episode_id]
                actions = action_dict[episode_id]
                episode = self.external_env._episodes[episode_id]
                _answer(episode, dict(actions) if self._multiagent else actions[ONLY_AGENT])

    def _check_asked(self, episode_id: EnvID, actions: Any) -> bool:
        """Checks actions for an episode; returns whether the episode waits for them.

        If the episode does not wait for the actions, the caller ignores them.
        """
        if not isinstance(actions, Mapping):
            raise TypeError(f"action_dict[{episode_id!r}]={actions!r}: expected a dict {{agent_id: action}}")
        if episode_id in self._logged:
            return False
        if episode_id not in self.external_env._episodes:
            expected = sorted(self._waiting, key=str)
            raise ValueError(f"action_dict's key={episode_id!r}: expected open episodes, {expected}; it may be done")
        if episode_id not in self._waiting:
            raise RuntimeError(
                f"episode {episode_id!r} did not ask for actions since it was answered last: poll() first"
            )
        agents = self._waiting[episode_id]
        strangers = [agent for agent in actions if agent not in agents]
        if strangers or (not self._multiagent and len(actions) != 1):
            raise ValueError(
                f"action_dict[{episode_id!r}] has actions of {sorted(actions, key=str)}: expected agents "
                f"{sorted(agents, key=str)}"
            )
        return True

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Does nothing: an external environment starts its episodes itself, and later polls return their observations.

        Returns:
            :data:`ASYNC_RESET_RETURN`, twice.
        """
        return ASYNC_RESET_RETURN, ASYNC_RESET_RETURN

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents that the spaces declare, or else the agents observed so far."""
        if not self._multiagent:
            return {ONLY_AGENT}
        return {agent for agents in self._agents_of_environments().values() for agent in agents} | self._named_agents()

    def _named_agents(self) -> set[AgentID]:
        spaces = getattr(self.action_space, "spaces", self.action_space)
        return set(spaces) if isinstance(spaces, Mapping) else set()

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        if not self._multiagent:
            return {episode_id: [ONLY_AGENT] for episode_id in list(self.external_env._episodes)}
        named = self._named_agents()
        return {
            episode_id: sorted(named | self._seen.get(episode_id, set()), key=str)
            for episode_id in list(self.external_env._episodes)
        }

    @property
    def observation_space(self) -> Any:
        """Observation space of the environment."""
        return self.external_env.observation_space

    @property
    def action_space(self) -> Any:
        """Action space of the environment."""
        return self.external_env.action_space

    def last(self) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
        """Returns the last observations, rewards, terminated flags, truncated flags and infos of every open episode.

        Episodes that ended in the last poll are included.
        """
        return self._last.merged()

    def stop(self) -> None:
        """Ends the environment's threads, by raising an exception in those that wait for an action."""
        if self._stopped:
            return
        self._stopped = True
        with self.external_env._results_avail_condition:
            if hasattr(self.external_env, "stop"):
                self.external_env.stop()
            self.external_env._results_avail_condition.notify_all()
        if threading.current_thread() is not self.external_env:
            self.external_env.join(_STOP_TIMEOUT)


def _answer(episode: Any, action: Any) -> None:
    """Passes an action to the episode's thread; episodes of ray's class receive it by a queue."""
    getattr(episode, "answer", episode.action_queue.put)(action)
