"""External environments, which control their own loop: RLlib's interfaces, and their conversion to ``BaseEnv``."""

from __future__ import annotations

import functools
import queue
import threading
import uuid
from collections import deque
from collections.abc import Mapping
from typing import Any, ClassVar

from envpool_rs._arguments import mapping
from envpool_rs.rllib import base_env
from envpool_rs.rllib.base_env import ALL, ASYNC_RESET_RETURN, ONLY_AGENT, AgentID, EnvID, MultiAgentDict

_BY_AGENTS = "a dict by agents"
_THREAD_CHECK_INTERVAL = 0.1  # seconds between a waiting poll's checks that the thread is alive
_STOP_TIMEOUT = 1.0  # seconds in which the thread of a stopped environment must end


class ExternalEnvStopped(RuntimeError):  # noqa: N818 - no error: it reports to a thread that polling has ended
    """Raised in an external environment's thread after its ``BaseEnv`` was stopped; ``run`` need not catch it."""

    def __init__(self, message: str = "the BaseEnv of this external environment is stopped") -> None:
        super().__init__(message)


class ExternalEpisode:
    """Results and actions exchanged by the threads of an episode and of polls; notifies ``news`` of results."""

    def __init__(self, news: threading.Condition, training_enabled: bool, multiagent: bool) -> None:
        self._news = news
        self._training_enabled = training_enabled
        self._multiagent = multiagent
        self._items: deque[dict[str, Any]] = deque()
        self.action_queue: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.waiting_thread: int | None = None  # the thread that waits for an action
        self.cur_reward: Any = {} if multiagent else None  # since the last result
        self.cur_info: Any = {}  # for the next result
        self.done_agents: dict[Any, bool] = {}

    def get_data(self) -> dict[str, Any] | None:
        return self._items.popleft() if self._items else None

    def exchange(self, observation: Any, **more: Any) -> Any:
        """Sends an observation, and waits for the answer: an action, or ``None`` to an action that was logged."""
        with self._news:
            if self.waiting_thread is not None:
                raise RuntimeError("another thread waits for an action of this episode: play an episode in one thread")
            self.waiting_thread = threading.get_ident()
            self.send(observation, over=False, **more)
        answer = self.action_queue.get()
        if answer is ExternalEnvStopped:
            raise ExternalEnvStopped
        return answer

    def send(self, observation: Any, over: bool, **more: Any) -> None:
        info, multiagent = self.cur_info, self._multiagent
        if not self._training_enabled and multiagent:
            info = {agent: {**info.get(agent, {}), "training_enabled": False} for agent in {**observation, **info}}
        elif not self._training_enabled:
            info = {**info, "training_enabled": False}
        ended, cut_off = ({**self.done_agents, ALL: over}, {ALL: False}) if multiagent else (over, False)
        item = {"obs": observation, "reward": self.cur_reward, "info": info, "terminated": ended, "truncated": cut_off}
        self._items.append({**item, **more})
        self.cur_reward, self.cur_info = {} if multiagent else None, {}
        self._news.notify_all()


class ExternalEnv(base_env.Convertible, base_env.RayExternalEnv):  # type: ignore[misc]
    """Environment that requests actions instead of being stepped: a server, a robot, a log. Derive from this class and
    override ``run``, which the conversion starts in its own thread: ``start_episode``, then ``get_action`` (or
    ``log_action``) and ``log_returns`` for each step, then ``end_episode``. Several episodes may be open; each belongs
    to one thread. These methods raise a ValueError for an episode that is not open.
    """

    multiagent: ClassVar[bool] = False

    def __init__(self, action_space: Any, observation_space: Any, max_concurrent: int | None = None) -> None:
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
        """Runs episodes in an endless loop. Override it; ``poll`` raises its exception, or an error if it returns."""
        raise NotImplementedError(f"{type(self).__name__} has no run(): override it to play episodes")

    def start_episode(self, episode_id: str | None = None, training_enabled: bool = True) -> str:
        """Opens an episode and returns its id, which is the environment's id; ``None`` for a new one. Nothing is learnt
        from an episode without ``training_enabled``: its infos contain ``"training_enabled": False``.
        """
        episode_id = uuid.uuid4().hex if episode_id is None else episode_id
        with self._results_avail_condition:
            self._enter(episode_id)
            if episode_id in self._episodes:
                raise ValueError(f"episode_id is {episode_id!r}: this episode has already started")
            episode = ExternalEpisode(self._results_avail_condition, training_enabled, self.multiagent)
            self._episodes[episode_id] = episode
        return episode_id

    def get_action(self, episode_id: str, observation: Any) -> Any:
        """Sends the current observation, waits for the action from ``send_actions``, and returns it."""
        return self._get(episode_id).exchange(observation)

    def log_action(self, episode_id: str, observation: Any, action: Any) -> None:
        """Logs an observation and the off-policy action taken; returns after a poll has returned both."""
        self._get(episode_id).exchange(observation, off_policy_action=action)

    def log_returns(self, episode_id: str, reward: Any, info: Any = None) -> None:
        """Adds a number to the reward of the last action, and sets the info of the next observation."""
        episode = self._get(episode_id)
        episode.cur_reward = _checked_reward("reward", reward) + (episode.cur_reward or 0.0)
        if info:
            episode.cur_info = info

    def end_episode(self, episode_id: str, observation: Any) -> None:
        """Sends the final observation, and closes the episode."""
        episode = self._get(episode_id)
        with self._results_avail_condition:
            self._finished.add(episode_id)
            episode.send(observation, over=True)

    def _enter(self, episode_id: str) -> None:
        if self._stopping:
            raise ExternalEnvStopped
        self._users[threading.get_ident()] = threading.current_thread()
        if episode_id in self._finished:
            raise ValueError(f"episode_id is {episode_id!r}: this episode has already completed")

    def _get(self, episode_id: str) -> ExternalEpisode:
        self._enter(episode_id)
        if episode_id not in self._episodes:
            raise ValueError(f"episode_id is {episode_id!r}: no such episode was started")
        return self._episodes[episode_id]

    def all_threads_wait(self) -> bool:
        """Returns whether all threads of episodes and of ``run`` wait for actions, so that no result can appear."""
        waiting = {episode.waiting_thread for episode in list(self._episodes.values())}
        playing = {ident for ident, thread in list(self._users.items()) if thread.is_alive()}
        return self.ident in waiting and playing <= waiting

    def stop(self) -> None:
        """Stops the environment: raises :class:`ExternalEnvStopped` in all episode threads that wait for an action."""
        self._stopping = True
        for episode in list(self._episodes.values()):
            episode.action_queue.put(ExternalEnvStopped)

    def _to_base_env(self, *options: Any) -> ExternalEnvWrapper:
        _, num_envs, remote_envs, *_, strict = options
        if num_envs != 1:
            raise ValueError(f"num_envs={num_envs}: expected 1, since an external environment opens its own episodes")
        if remote_envs:
            raise ValueError("remote_envs=True: expected False, since an external environment is in control itself")
        return ExternalEnvWrapper(self, strict_rllib=strict)


def _checked_reward(name: str, reward: Any) -> Any:
    try:
        float(reward)
    except (TypeError, ValueError):
        raise TypeError(f"{name}={reward!r}: expected a number") from None
    return reward


class ExternalMultiAgentEnv(ExternalEnv, base_env.RayExternalMultiAgentEnv):  # type: ignore[misc]
    """``ExternalEnv`` whose observations, actions, rewards and infos are dicts by agents: of those that act now. A
    space is shared by all agents, or a dict by agents; both spaces must then have the same agents.
    """

    multiagent: ClassVar[bool] = True

    def __init__(self, action_space: Any, observation_space: Any) -> None:
        if isinstance(action_space, dict) or isinstance(observation_space, dict):
            actors, observers = (set(getattr(each, "keys", tuple)()) for each in (action_space, observation_space))
            if actors != observers:
                acting, observing = (f"agents {sorted(each, key=str)}" for each in (actors, observers))
                raise ValueError(f"action_space has {acting}, observation_space has {observing}: expected the same")
        ExternalEnv.__init__(self, action_space, observation_space)

    def get_action(self, episode_id: str, observation_dict: MultiAgentDict) -> MultiAgentDict:
        return super().get_action(episode_id, mapping("observation_dict", observation_dict, _BY_AGENTS))  # type: ignore[no-any-return]

    def log_action(self, episode_id: str, observation_dict: MultiAgentDict, action_dict: MultiAgentDict) -> None:
        mapping("action_dict", action_dict, _BY_AGENTS)
        super().log_action(episode_id, mapping("observation_dict", observation_dict, _BY_AGENTS), action_dict)

    def log_returns(
        self,
        episode_id: str,
        reward_dict: MultiAgentDict,
        info_dict: MultiAgentDict | None = None,
        multiagent_done_dict: MultiAgentDict | None = None,
    ) -> None:
        """Adds to the rewards of the last actions; sets the infos of the next observations and terminated flags."""
        episode = self._get(episode_id)
        for agent, reward in mapping("reward_dict", reward_dict, _BY_AGENTS).items():
            _checked_reward(f"reward_dict[{agent!r}]", reward)
            episode.cur_reward[agent] = reward + episode.cur_reward.get(agent, 0.0)
        done = mapping("multiagent_done_dict", multiagent_done_dict or {}, _BY_AGENTS)
        episode.done_agents.update({agent: bool(each) for agent, each in done.items()})
        if info_dict:
            episode.cur_info = mapping("info_dict", info_dict, _BY_AGENTS)

    def end_episode(self, episode_id: str, observation_dict: MultiAgentDict) -> None:
        super().end_episode(episode_id, mapping("observation_dict", observation_dict, _BY_AGENTS))


class ExternalEnvWrapper(base_env.PolledBaseEnv):
    """``ExternalEnv`` or ``ExternalMultiAgentEnv`` (of this package or ray's) as a ``BaseEnv``. Each open episode is
    one environment of the ``BaseEnv``. ``try_reset`` does nothing: an external environment starts its episodes itself,
    and later polls return their observations. ``last`` includes episodes that ended in the last poll. The thread of
    ``external_env`` is started once.
    """

    def __init__(self, external_env: Any, *, strict_rllib: bool = False) -> None:
        if external_env.ident is not None:
            raise RuntimeError(f"{type(external_env).__name__} was converted before: its thread starts once")
        super().__init__(external_env, None, strict_rllib)
        self.external_env = external_env
        self._news: threading.Condition = external_env._results_avail_condition
        is_rays = base_env.uses_ray and isinstance(external_env, base_env.RayExternalMultiAgentEnv)
        self._multiagent = is_rays or getattr(external_env, "multiagent", False)
        spaces = getattr(self.action_space, "spaces", self.action_space)
        of_agents = set(spaces) if isinstance(spaces, Mapping) else set()
        self._named_agents: set[AgentID] = of_agents if self._multiagent else {ONLY_AGENT}
        self._failure: BaseException | None = None
        self._waiting: dict[EnvID, set[AgentID]] = {}  # the agents that episodes wait for
        self._logged: set[EnvID] = set()
        self._seen: dict[EnvID, set[AgentID]] = {}  # the agents observed in each open episode
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
            with self._news:
                self._news.notify_all()

    def poll(self) -> base_env.Poll:
        """Waits until an episode has new results, and returns them. Raises a RuntimeError if the environment's thread
        has ended, with its exception as the cause; or if every thread waits for an action, so that no event can follow.
        """
        episodes = self.external_env._episodes
        with self._news:
            while True:
                self._check_open()
                is_alive = self.external_env.is_alive()
                for episode_id, episode in list(episodes.items()):
                    item = episode.get_data()
                    if item is not None:
                        self._unpolled[episode_id] = self._result(episode_id, episode, item)
                if self._unpolled:
                    break
                name = type(self.external_env).__name__
                if not is_alive:
                    how = "returned" if self._failure is None else f"raised {self._failure!r}"
                    raise RuntimeError(f"the thread of {name} has ended: its run() {how}") from self._failure
                if self._waiting and getattr(self.external_env, "all_threads_wait", bool)():
                    waits = f"waits for actions of episodes {sorted(self._waiting, key=str)}"
                    raise RuntimeError(f"{name} {waits}, and has nothing to tell until then: send_actions first")
                self._news.wait(_THREAD_CHECK_INTERVAL)
            result = self._release()
            current = {*episodes, *result[0]}
            self._last = [tuple({k: v for k, v in part.items() if k in current} for part in self.last())]
            return result

    def _result(self, episode_id: EnvID, episode: Any, item: dict[str, Any]) -> tuple[Any, ...]:
        both = item["terminated"], item["truncated"]
        if self._multiagent:
            observations, rewards = item["obs"], dict(item["reward"])
            terminated, truncated = ({**dict.fromkeys(observations, each[ALL]), **each} for each in both)
            infos = {**{agent: {} for agent in observations}, **item["info"]}
        else:
            observations, rewards, infos = ({ONLY_AGENT: item[part]} for part in ("obs", "reward", "info"))
            terminated, truncated = (base_env.flags([ONLY_AGENT], each, self.strict_rllib) for each in both)
        seen = self._seen.setdefault(episode_id, set())
        for agent in observations:
            if rewards.get(agent) is None:
                rewards[agent] = None if agent not in seen and not self.strict_rllib else 0.0
        seen.update(observations)
        self._logged.discard(episode_id)
        values = observations, rewards, terminated, truncated, infos
        if "off_policy_action" in item:
            action = item["off_policy_action"]
            self._logged.add(episode_id)
            self._answer(episode, None)
            return *values, action if self._multiagent else {ONLY_AGENT: action}
        if terminated[ALL] or truncated[ALL]:
            del self.external_env._episodes[episode_id]
            del self._seen[episode_id]
        else:
            self._waiting[episode_id] = set(observations)
        return values

    def send_actions(self, action_dict: base_env.MultiEnvDict) -> None:
        """Sends actions to waiting episodes. Actions for episodes that logged off-policy actions are ignored. Raises a
        TypeError for anything but a dict of dicts, a ValueError for an episode that is not open or an agent that was
        not observed, and a RuntimeError for an episode without a request since its last action.
        """
        with self._news:
            super().send_actions(action_dict)

    def _send(self, action_dict: base_env.MultiEnvDict) -> None:
        sent = {episode_id: actions for episode_id, actions in action_dict.items() if episode_id not in self._logged}
        for episode_id, actions in sent.items():
            if episode_id not in self.external_env._episodes:
                expected = f"expected open episodes, {sorted(self._waiting, key=str)}; it may be done"
                raise ValueError(f"action_dict's key={episode_id!r}: {expected}")
            if episode_id not in self._waiting:
                fault = "did not ask for actions since it was answered last"
                raise RuntimeError(f"episode {episode_id!r} {fault}: poll() first")
            agents = self._waiting[episode_id]
            if not agents.issuperset(actions) or (not self._multiagent and len(actions) != 1):
                given, expected = sorted(actions, key=str), f"expected agents {sorted(agents, key=str)}"
                raise ValueError(f"action_dict[{episode_id!r}] has actions of {given}: {expected}")
        for episode_id, actions in sent.items():
            del self._waiting[episode_id]
            episode = self.external_env._episodes[episode_id]
            self._answer(episode, dict(actions) if self._multiagent else actions[ONLY_AGENT])

    @staticmethod
    def _answer(episode: Any, action: Any) -> None:
        episode.waiting_thread = None
        episode.action_queue.put(action)

    def try_reset(self, env_id: EnvID = None, *, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:
        return ASYNC_RESET_RETURN, ASYNC_RESET_RETURN

    def get_agent_ids(self) -> set[AgentID]:
        return self._named_agents.union(*self._seen.values())

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        episodes, named = list(self.external_env._episodes), self._named_agents
        return {episode: sorted(named.union(self._seen.get(episode, ())), key=str) for episode in episodes}

    def _close(self) -> None:
        with self._news:
            if hasattr(self.external_env, "stop"):
                self.external_env.stop()
            self._news.notify_all()
        if threading.current_thread() is not self.external_env:
            self.external_env.join(_STOP_TIMEOUT)
