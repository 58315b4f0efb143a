"""Converts vectors of single-agent environments to RLlib's interface for many agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envpool_rs.rllib.agent_values import AgentResult, failed_result
from envpool_rs.rllib.indexed_base_env import EnvPhase, SteppedBaseEnv, as_list_or_dict
from envpool_rs.rllib.pool_agents import rows
from envpool_rs.rllib.rllib_types import ONLY_AGENT, Poll, first_rewards, flags


class SingleAgentBaseEnv(SteppedBaseEnv):
    """Base class for numbered environments with one agent each, named ``"agent0"``."""

    def _step_result(
        self, observation: Any, reward: Any = None, terminated: Any = False, truncated: Any = False, info: Any = None
    ) -> AgentResult:
        """Returns the poll result of one environment.

        Args:
            observation: the observation; an exception if the environment failed and was recreated.
            reward: ``None`` after a reset.
            terminated: whether the episode was terminated.
            truncated: whether it was truncated.
            info: the info.
        """
        if isinstance(observation, Exception):
            return failed_result(observation)
        rewards = {ONLY_AGENT: reward}
        if reward is None:
            rewards = first_rewards([ONLY_AGENT], self.strict_rllib, zero=True)
        ended = flags([ONLY_AGENT], bool(terminated), self.strict_rllib)
        cut_off = flags([ONLY_AGENT], bool(truncated), self.strict_rllib)
        return {ONLY_AGENT: observation}, rewards, ended, cut_off, {ONLY_AGENT: info}

    def _reset_results(self, ids: Sequence[int], observations: Sequence[Any], infos: Any) -> dict[int, AgentResult]:
        """Returns the poll results of environments that were reset."""
        return {
            index: self._step_result(observation, info=info)
            for index, observation, info in zip(ids, observations, infos, strict=True)
        }


class VectorEnvWrapper(SingleAgentBaseEnv):
    """RLlib ``VectorEnv`` (of this package or ray's) as a ``BaseEnv``.

    A vector with the method ``step_at`` accepts actions for a subset of its environments. Every other vector steps all
    environments at once: each must have an action, and environments whose episode has ended must be reset before.
    """

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        """Wraps a vector without resetting it.

        Args:
            vector_env: the vector.
            strict_rllib: whether results of ``poll`` have the form of RLlib 2.60 where that differs from its
                documentation.
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
            step = self.vector_env.step_at
            self._store_each(actions, lambda index: self._step_result(*step(index, actions[index])))
            return
        missing = sorted(set(range(self.num_envs)) - set(actions))
        if missing:
            raise ValueError(
                f"action_dict has no actions for environments {missing}: {type(self.vector_env).__name__} steps all "
                f"{self.num_envs} at once"
            )
        rows = self.vector_env.vector_step([actions[index] for index in range(self.num_envs)])
        for index, row in enumerate(zip(*rows, strict=True)):
            self._store(index, self._step_result(*row))

    def _reset(
        self, ids: Sequence[int], seeds: Sequence[int | None], options: Mapping[str, Any] | None
    ) -> dict[int, AgentResult]:
        if len(ids) == self.num_envs and not self._steps_single_environments:
            each = None if options is None else [options] * len(ids)
            seed_list = None if None in seeds else list(seeds)
            return self._reset_results(ids, *self.vector_env.vector_reset(seeds=seed_list, options=each))
        pairs = [self._reset_at(index, seed, options) for index, seed in zip(ids, seeds, strict=True)]
        return self._reset_results(ids, *zip(*pairs, strict=True))

    def _reset_at(self, index: int, seed: int | None, options: Mapping[str, Any] | None) -> tuple[Any, Any]:
        result = self.vector_env.reset_at(index, seed=seed, options=options)
        return (result, {}) if isinstance(result, Exception) else result

    def _recreate(self, index: int) -> None:
        self.vector_env.restart_at(index)

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """Returns the environment objects, if there are any."""
        return as_list_or_dict(self.vector_env.get_sub_environments(), as_dict)

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        return [self.vector_env.try_render_at(index) for index in ids]

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

    Each call may send actions to a subset of environments. With ``wait_num`` or ``timeout``, a poll returns the
    environments that have finished.
    """

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        """Wraps a vector without resetting it.

        Args:
            vector_env: the vector.
            strict_rllib: whether results of ``poll`` have the form of RLlib 2.60 where that differs from its
                documentation.
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
        """Returns new results: see :meth:`BaseEnv.poll`. The first poll resets all environments."""
        self._check_open()
        if not self._unpolled and EnvPhase.IN_FLIGHT in self._phases:
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
        """Stores the results of environments that did not fail; failed environments must be reset."""
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
            reward = reward.item() if reward.ndim == 0 else reward
            self._store(index, self._step_result(observation, reward, terminated, truncated, info))

    def _reset(
        self, ids: Sequence[int], seeds: Sequence[int | None], options: Mapping[str, Any] | None
    ) -> dict[int, AgentResult]:
        keywords: dict[str, Any] = {} if options is None else {"options": options}
        if None not in seeds:
            keywords["seed"] = list(seeds)
        observations, infos = self.vector_env.reset(list(ids), return_info=True, **keywords)
        return self._reset_results(ids, rows(observations), infos)

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        frames = self.vector_env.render()
        return [frames[index] for index in ids]

    def _close(self) -> None:
        if not self.vector_env.is_closed:
            self.vector_env.close()
