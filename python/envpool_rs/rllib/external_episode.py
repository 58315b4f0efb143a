"""One episode of an external environment, shared by the environment's thread and the thread that polls."""

from __future__ import annotations

import queue
import threading
from typing import Any

from envpool_rs.rllib.rllib_types import ALL

_STOPPED = object()


class ExternalEnvStopped(RuntimeError):  # noqa: N818 - no error: it reports to a thread that polling has ended
    """Raised in an external environment's thread after its ``BaseEnv`` was stopped: no more actions will be sent.

    ``run`` need not catch it.
    """


class ExternalEpisode:
    """Exchange of results and actions in one episode.

    Holds at most one result that no poll has returned yet.

    Attributes:
        waiting_thread: the thread that waits for an action, or ``None``.
        cur_reward: the reward since the last polled result (a dict by agent for several agents).
        cur_info: the info for the next result (a dict by agent for several agents).
        done_agents: terminated flags of single agents.
    """

    def __init__(self, news: threading.Condition, training_enabled: bool, multiagent: bool) -> None:
        """Creates an episode without results.

        Args:
            news: condition that is notified of each new result.
            training_enabled: whether to learn from this episode; if not, infos contain ``"training_enabled": False``.
            multiagent: whether observations, rewards and infos are dicts by agent.
        """
        self._news = news
        self._training_enabled = training_enabled
        self._multiagent = multiagent
        self._items: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.action_queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.waiting_thread: int | None = None
        self.cur_info: Any = {}
        self.done_agents: dict[Any, bool] = {}
        self.cur_reward: Any = {} if multiagent else None

    def get_data(self) -> dict[str, Any] | None:
        """Returns the next result that no poll has returned yet, or ``None``."""
        try:
            return self._items.get_nowait()
        except queue.Empty:
            return None

    def wait_for_action(self, observation: Any) -> Any:
        """Sends an observation, and waits for the action.

        Raises:
            ExternalEnvStopped: if the ``BaseEnv`` was stopped.
            RuntimeError: if another thread waits in this episode already.
        """
        self._send_and_wait(observation, {})
        answer = self.action_queue.get()
        if answer is _STOPPED:
            raise ExternalEnvStopped("the BaseEnv of this external environment is stopped")
        return answer

    def log_action(self, observation: Any, action: Any) -> None:
        """Logs an observation and the action taken, and waits until a poll has returned both."""
        self._send_and_wait(observation, {"off_policy_action": action})
        if self.action_queue.get() is _STOPPED:
            raise ExternalEnvStopped("the BaseEnv of this external environment is stopped")

    def end(self, observation: Any) -> None:
        """Sends the last observation."""
        with self._news:
            self._send(observation, True, {})

    def answer(self, action: Any) -> None:
        """Passes an action to the waiting thread."""
        self.waiting_thread = None
        self.action_queue.put(action)

    def stop(self) -> None:
        """Raises :class:`ExternalEnvStopped` in the thread that waits for an action, and in threads that wait later."""
        self.action_queue.put(_STOPPED)

    def _send_and_wait(self, observation: Any, more: dict[str, Any]) -> None:
        with self._news:
            if self.waiting_thread is not None:
                raise RuntimeError("another thread waits for an action of this episode: play an episode in one thread")
            self.waiting_thread = threading.get_ident()
            self._send(observation, False, more)

    def _send(self, observation: Any, over: bool, more: dict[str, Any]) -> None:
        item = {"obs": observation, "reward": self.cur_reward, "info": self._info(observation), **more}
        item["terminated"] = {**self.done_agents, ALL: over} if self._multiagent else over
        item["truncated"] = {ALL: False} if self._multiagent else False
        self.cur_reward = {} if self._multiagent else None
        self.cur_info = {}
        self._items.put(item)
        self._news.notify_all()

    def _info(self, observation: Any) -> Any:
        if self._training_enabled:
            return self.cur_info
        disabled = {"training_enabled": False}
        if self._multiagent:
            return {agent: {**self.cur_info.get(agent, {}), **disabled} for agent in {**observation, **self.cur_info}}
        return {**self.cur_info, **disabled}
