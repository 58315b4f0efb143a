"""Converts vectors of single-agent environments to RLlib's interface for many agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envpool_rs.rllib.indexed_base_env import EnvPhase, IndexedBaseEnv, as_list_or_dict
from envpool_rs.rllib.pool_agents import rows
from envpool_rs.rllib.rllib_types import ALL, ONLY_AGENT, EnvID, MultiEnvDict, Poll, first_rewards, flags

StepResult = tuple[Any, Any, Any, Any, Any]
"""Observation, reward (``None`` after a reset), terminated, truncated, info.

The observation of a failed environment is an exception.
"""


class SingleAgentBaseEnv(IndexedBaseEnv):
    """Numbered environments with one agent each, ``"agent0"``.

    Subclasses implement steps and resets of some of the environments.
    """

    def __init__(self, num_envs: int, strict_rllib: bool) -> None:
        """Starts with unreset environments.

        Args:
            num_envs: number of environments.
            strict_rllib: whether ``poll`` has RLlib's own form.
        """
        super().__init__(num_envs, strict_rllib)
        self._news: dict[int, StepResult] = {}

    def _step(self, actions: dict[int, Any]) -> None:
        """Steps some environments, and passes the results to :meth:`_take`."""
        raise NotImplementedError

    def _reset(
        self, ids: Sequence[int], seed: int | None, options: Mapping[str, Any] | None
    ) -> dict[int, tuple[Any, Any]]:
        """Resets some environments; the one at index ``i`` gets ``seed + i``.

        Returns:
            Observation (or the exception) and info of each; environments with a deferred reset are missing.
        """
        raise NotImplementedError

    def _take(self, index: int, result: StepResult) -> None:
        """Stores a result until it is polled."""
        self._news[index] = result
        self._phases[index] = EnvPhase.UNPOLLED

    def _begin(self) -> None:
        """Resets environments that were never reset."""
        unreset = [index for index, turn in enumerate(self._phases) if turn is EnvPhase.UNRESET]
        if unreset:
            for index, (observation, info) in self._reset(unreset, None, None).items():
                self._take(index, (observation, None, False, False, info))

    def poll(self) -> Poll:
        """Returns new results: see :meth:`BaseEnv.poll`. The first poll resets."""
        self._check_open()
        self._begin()
        result: Poll = ({}, {}, {}, {}, {}, {})
        for index in sorted(self._news):
            self._show(index, self._news[index], result)
        self._news = {}
        self._last.record(result, complete=len(result[0]) == self.num_envs)
        return result

    def _show(self, index: int, news: StepResult, result: Poll) -> None:
        observation, reward, terminated, truncated, info = news
        failed = isinstance(observation, Exception)
        done = failed or terminated or truncated
        observations, rewards, all_terminated, all_truncated, infos, _ = result
        observations[index] = observation if failed else {ONLY_AGENT: observation}
        all_terminated[index] = {ALL: True} if failed else self._flags(terminated)
        all_truncated[index] = {ALL: True} if failed else self._flags(truncated)
        infos[index] = {} if failed else {ONLY_AGENT: info}
        if failed:
            rewards[index] = {}
        elif reward is None:
            rewards[index] = first_rewards([ONLY_AGENT], self.strict_rllib, zero=True)
        else:
            rewards[index] = {ONLY_AGENT: reward}
        self._phases[index] = EnvPhase.DONE if done else EnvPhase.POLLED

    def _flags(self, value: Any) -> dict[Any, Any]:
        return flags([ONLY_AGENT], bool(value), self.strict_rllib)

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Steps the environments in ``action_dict``.

        Args:
            action_dict: ``{env_id: {"agent0": action}}``.

        Raises:
            IndexError: for an unknown environment.
            ValueError: for one whose episode has ended, or for other agents than ``"agent0"``.
            RuntimeError: for one that was not polled since its last actions.
        """
        self._check_open()
        checked = self._checked_actions(action_dict)
        actions = {index: self._only_action(index, actions) for index, actions in checked.items()}
        if actions:
            self._step(actions)
        for index in actions:
            # A result of try_reset whose action was sent is not polled any more.
            if self._phases[index] is not EnvPhase.UNPOLLED:
                self._news.pop(index, None)

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Starts new episodes: see :meth:`BaseEnv.try_reset`."""
        self._check_open()
        ids = self._checked_ids(env_id)
        number = self._checked_reset(seed, options)
        if number is not None and env_id is not None:
            number -= ids[0]
        return self._return_reset(self._reset(ids, number, options))

    def _return_reset(self, starts: dict[int, tuple[Any, Any]]) -> tuple[MultiEnvDict, MultiEnvDict]:
        """Returns ``try_reset``'s result for new episodes; records that actions are expected, and that polls may
        return it.
        """
        observations, infos = {}, {}
        for index, (observation, info) in starts.items():
            failed = isinstance(observation, Exception)
            observations[index] = observation if failed else {ONLY_AGENT: observation}
            infos[index] = {} if failed else {ONLY_AGENT: info}
            self._news.pop(index, None)
            self._phases[index] = EnvPhase.DONE if failed else EnvPhase.RESET
            if not failed:
                self._news[index] = (observation, None, False, False, info)
        self._last.record_reset(observations, infos)
        return observations, infos


class VectorEnvWrapper(SingleAgentBaseEnv):
    """RLlib ``VectorEnv`` (of this package or ray's) as a ``BaseEnv``.

    A vector of single environments, which has ``step_at``, accepts actions for a subset of them. Every other vector
    steps all at once: it needs an action for each, and ended episodes must have been reset.
    """

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        """Wraps a vector without resetting it.

        Args:
            vector_env: the vector.
            strict_rllib: whether ``poll`` has RLlib's own form.
        """
        super().__init__(vector_env.num_envs, strict_rllib)
        self.vector_env = vector_env
        self._steps_single_environments = hasattr(vector_env, "step_at")

    @property
    def observation_space(self) -> Any:
        """Observation space of one environment."""
        return self.vector_env.observation_space

    @property
    def action_space(self) -> Any:
        """Action space of one environment."""
        return self.vector_env.action_space

    def _step(self, actions: dict[int, Any]) -> None:
        if self._steps_single_environments:
            self._step_single_environments(actions)
            return
        missing = sorted(set(range(self.num_envs)) - set(actions))
        if missing:
            raise ValueError(
                f"action_dict has no actions for environments {missing}: {type(self.vector_env).__name__} steps all "
                f"{self.num_envs} at once"
            )
        rows = self.vector_env.vector_step([actions[index] for index in range(self.num_envs)])
        for index, row in enumerate(zip(*rows, strict=True)):
            self._take(index, row)

    def _step_single_environments(self, actions: dict[int, Any]) -> None:
        """Steps environments in order. Raises an exception after all were stepped; stores the others' results."""
        failure: Exception | None = None
        for index, action in actions.items():
            try:
                self._take(index, self.vector_env.step_at(index, action))
            except Exception as error:
                self._phases[index] = EnvPhase.DONE
                self._news.pop(index, None)
                failure = failure or error
        if failure is not None:
            raise failure

    def _reset(
        self, ids: Sequence[int], seed: int | None, options: Mapping[str, Any] | None
    ) -> dict[int, tuple[Any, Any]]:
        if len(ids) == self.num_envs and not self._steps_single_environments:
            seeds = None if seed is None else [seed + index for index in ids]
            each = None if options is None else [options] * len(ids)
            return dict(
                zip(ids, zip(*self.vector_env.vector_reset(seeds=seeds, options=each), strict=True), strict=True)
            )
        return {index: self._reset_at(index, None if seed is None else seed + index, options) for index in ids}

    def _reset_at(self, index: int, seed: int | None, options: Mapping[str, Any] | None) -> tuple[Any, Any]:
        result = self.vector_env.reset_at(index, seed=seed, options=options)
        return (result, {}) if isinstance(result, Exception) else result

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Closes and recreates environments; the next poll resets them.

        Args:
            env_id: the environment; ``None`` for all.

        Raises:
            ValueError: without ``make_env``.
        """
        self._check_open()
        for index in self._checked_ids(env_id):
            self.vector_env.restart_at(index)
            self._phases[index] = EnvPhase.UNRESET
            self._news.pop(index, None)

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """Returns the environments' own objects, if there are any."""
        return as_list_or_dict(self.vector_env.get_sub_environments(), as_dict)

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Renders one environment (returning its frame) or all (a dict by environment)."""
        self._check_open()
        if env_id is None:
            return {index: self.vector_env.try_render_at(index) for index in range(self.num_envs)}
        return self.vector_env.try_render_at(self._checked_id("env_id", env_id))

    def _close(self) -> None:
        if hasattr(self.vector_env, "close"):
            self.vector_env.close()
            return
        for environment in self.vector_env.get_sub_environments():
            if hasattr(environment, "close"):
                environment.close()


TIME_LIMIT = "TimeLimit.truncated"


def is_stacked(env: Any) -> bool:
    """Returns whether an environment is a ``BaseVectorEnv`` of ``envpool_rs.vector``, without importing that module."""
    return any(
        each.__name__ == "BaseVectorEnv" and each.__module__.startswith("envpool_rs.vector.")
        for each in type(env).__mro__
    )


class StackedBaseEnv(SingleAgentBaseEnv):
    """``BaseVectorEnv`` (``DummyVectorEnv``, ``SubprocVectorEnv``, ...) as a ``BaseEnv``.

    Each call may send actions to a subset of environments. With ``wait_num`` or ``timeout``, a poll returns those that
    have finished.
    """

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        """Wraps a vector without resetting it.

        Args:
            vector_env: the vector.
            strict_rllib: whether ``poll`` has RLlib's own form.
        """
        super().__init__(len(vector_env), strict_rllib)
        self.vector_env = vector_env

    @property
    def observation_space(self) -> Any:
        """Observation space of the first environment."""
        return self.vector_env.observation_space[0]

    @property
    def action_space(self) -> Any:
        """Action space of the first environment."""
        return self.vector_env.action_space[0]

    def poll(self) -> Poll:
        """Returns new results: see :meth:`BaseEnv.poll`. The first poll resets."""
        self._check_open()
        if not self._news and EnvPhase.IN_FLIGHT in self._phases:
            self._take_all(self.vector_env.step(None))
        return super().poll()

    def _step(self, actions: dict[int, Any]) -> None:
        ids = list(actions)
        for index in ids:
            self._phases[index] = EnvPhase.IN_FLIGHT
        try:
            result = self.vector_env.step(list(actions.values()), ids)
        except Exception:
            self._store_successful(ids)
            raise
        self._take_all(result)

    def _store_successful(self, sent: list[int]) -> None:
        """Stores the results of environments that did not fail; failed ones must be reset."""
        if self.vector_env.waiting_id:
            self._take_all(self.vector_env.step(None))
        for index in sent:
            if self._phases[index] is EnvPhase.IN_FLIGHT and index not in self.vector_env.waiting_id:
                self._phases[index] = EnvPhase.DONE

    def _take_all(self, result: Any) -> None:
        observations, rewards, *flags, infos = result
        for row, observation in enumerate(rows(observations)):
            info = dict(infos[row])
            terminated = bool(flags[0][row])
            if len(flags) > 1:
                truncated = bool(flags[1][row])
            else:
                truncated = terminated and bool(info.get(TIME_LIMIT))
                terminated = terminated and not truncated
            reward = rewards[row]
            index = int(info.pop("env_id"))
            self._take(index, (observation, reward.item() if reward.ndim == 0 else reward, terminated, truncated, info))

    def _reset(
        self, ids: Sequence[int], seed: int | None, options: Mapping[str, Any] | None
    ) -> dict[int, tuple[Any, Any]]:
        keywords: dict[str, Any] = {} if options is None else {"options": options}
        if seed is not None:
            keywords["seed"] = [seed + index for index in ids]
        observations, infos = self.vector_env.reset(list(ids), return_info=True, **keywords)
        return dict(zip(ids, zip(rows(observations), infos, strict=True), strict=True))

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """Returns none: the environments may be in other processes."""
        return super().get_sub_environments(as_dict)

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Resets environments with the next poll.

        Args:
            env_id: the environment; ``None`` for all.
        """
        self._check_open()
        for index in self._checked_ids(env_id):
            self._phases[index] = EnvPhase.UNRESET
            self._news.pop(index, None)

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Renders one environment (returning its frame) or all (a dict by environment)."""
        self._check_open()
        drawn = dict(enumerate(self.vector_env.render()))
        return drawn if env_id is None else drawn[self._checked_id("env_id", env_id)]

    def _close(self) -> None:
        if not self.vector_env.is_closed:
            self.vector_env.close()
