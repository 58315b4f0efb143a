"""Converts native pools to RLlib's interface for many agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from envpool_rs._facades.rendering import RenderMixin
from envpool_rs.rllib.base_env import agent_space
from envpool_rs.rllib.indexed_base_env import EnvPhase, IndexedBaseEnv
from envpool_rs.rllib.pool_values import Batch, PoolValues
from envpool_rs.rllib.rllib_types import (
    ASYNC_RESET_RETURN,
    AgentID,
    EnvID,
    MultiAgentDict,
    MultiEnvDict,
    Poll,
)


class PoolBaseEnv(IndexedBaseEnv):
    """Pool of :func:`envpool_rs.make_gymnasium`, :func:`envpool_rs.make_vec` or ``make_python`` as a ``BaseEnv``.

    Each call may send actions to a subset of environments, but must send actions to all agents of these environments.
    In an asynchronous pool, a poll waits for ``batch_size`` environments.

    Most of a poll's time is spent on building dicts, so environments with default flags and infos share one read-only
    dict.
    """

    def __init__(self, pool: Any, *, strict_rllib: bool = False) -> None:
        """Wraps a pool without resetting it.

        Args:
            pool: the pool. No other code may step it.
            strict_rllib: whether results of ``poll`` have the form of RLlib 2.60 where that differs from RLlib's
                documentation.

        Raises:
            ValueError: for an asynchronous pool without autoreset.
        """
        if pool.is_async and pool.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            raise ValueError(
                "the pool is asynchronous with autoreset_mode='disabled': expected 'next_step' or 'same_step', since "
                "single environments of asynchronous pools reset by themselves only"
            )
        super().__init__(pool.num_envs, strict_rllib)
        self.pool = pool
        self._is_async = pool.is_async
        self._values = PoolValues(pool.spec, self.num_envs, pool.is_async, strict_rllib)
        self._agents = self._values.agents
        self._everyone = self._values.all_envs
        self._codes = bytearray([EnvPhase.UNRESET]) * self.num_envs
        self._batches: list[Batch] = []
        self._last_batch: Batch | None = None
        self._resets: dict[int, tuple[MultiAgentDict, MultiAgentDict]] = {}
        self._next_episodes: dict[int, tuple[MultiAgentDict, MultiAgentDict]] = {}

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Steps the environments in ``action_dict``; an asynchronous pool only starts the steps.

        Args:
            action_dict: ``{env_id: {agent_id: action}}``, with actions of all agents of an environment.

        Raises:
            IndexError: for an unknown environment.
            ValueError: for an environment whose episode has ended, for missing or unknown agents, or for an action that
                the pool rejects; then no environment is stepped.
            RuntimeError: for an environment whose result of the last actions was not polled.
        """
        self._check_open()
        codes = self._codes
        if codes.count(EnvPhase.POLLED) + codes.count(EnvPhase.RESET) == self.num_envs:
            actions = self._agents.actions_of_all(action_dict, self._everyone)
            if actions is not None:
                self._play(None, actions)
                return
        checked = self._checked_actions(action_dict)
        self._check_agents(checked)
        if checked:
            self._play(list(checked), self._agents.actions(checked.values()))

    def _check_agents(self, checked: dict[int, Mapping[AgentID, Any]]) -> None:
        for index, actions in checked.items():
            if set(actions) != set(self._agents.ids):
                raise ValueError(
                    f"action_dict[{index}] has actions of {sorted(actions, key=str)}: expected one of each of "
                    f"{self._agents.ids}"
                )

    def _check_phase(self, index: int) -> None:
        self._phases[index] = EnvPhase(self._codes[index])
        super()._check_phase(index)

    def _play(self, ids: list[int] | None, actions: Any) -> None:
        env_id = None if ids is None else np.array(ids, dtype=np.int32)
        sent = self._everyone if ids is None else ids
        if self._is_async:
            self.pool.send(actions, np.array(sent, dtype=np.int32))
            self._set(sent, EnvPhase.IN_FLIGHT)
        else:
            try:
                result = self.pool.step(actions) if env_id is None else self.pool.step(actions, env_id)
            except Exception as error:
                # An exception with an environment's id was raised by that environment. Any other exception is a
                # rejection, after which no environment was stepped.
                if isinstance(error, RuntimeError) or hasattr(error, "env_id"):
                    self._store_successful(sent)
                raise
            self._batches.append(Batch(sent, *result))
            self._set(sent, EnvPhase.UNPOLLED)
        if self._resets:
            self._resets = {
                index: reset for index, reset in self._resets.items() if self._codes[index] == EnvPhase.RESET
            }

    def _store_successful(self, sent: list[int]) -> None:
        """Stores the rows of environments that did not fail, for the next poll.

        Environments without a row must be reset.
        """
        self._set(sent, EnvPhase.DONE)
        try:
            observation, reward, terminated, truncated, info = self.pool.recv()
        except Exception:
            return
        if "env_id" in info:
            ids = info["env_id"].tolist()
            self._batches.append(Batch(ids, observation, reward, terminated, truncated, info))
            self._set(ids, EnvPhase.UNPOLLED)

    def _set(self, ids: list[int], phase: EnvPhase) -> None:
        if ids is self._everyone:
            self._codes = bytearray([phase]) * self.num_envs
            return
        for index in ids:
            self._codes[index] = phase

    def poll(self) -> Poll:
        """Returns new results: see :meth:`BaseEnv.poll`. The first poll resets all environments.

        Raises:
            RuntimeError: if fewer environments of an asynchronous pool are in flight than ``batch_size``.
        """
        self._check_open()
        if self._codes.count(EnvPhase.UNRESET):
            self._begin()
        if self._is_async and not self._batches and not self._resets and self._codes.count(EnvPhase.IN_FLIGHT):
            self._receive()
        batches, self._batches = self._batches, []
        if len(batches) == 1 and not self._resets:
            result = self._to_poll(batches[0])
            if len(result[0]) == self.num_envs:
                # `last` stores only the batch: if it stored the dicts, they could not be freed until the next poll.
                self._last.forget()
                self._last_batch = batches[0]
                return result
        else:
            result = ({}, {}, {}, {}, {}, {})
            for batch in batches:
                for part, values in zip(result, self._to_poll(batch), strict=True):
                    part.update(values)
            self._show_resets(result)
        self._last.record(result)
        return result

    def last(self) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
        """Returns the last observations, rewards, terminated flags, truncated flags and infos of every environment."""
        before: Poll = ({}, {}, {}, {}, {}, {})
        if self._last_batch is not None:
            before = self._values.to_poll_result(self._last_batch).poll
        for part, values in zip(before, self._last.merged(), strict=False):
            part.update(values)
        return before[:5]

    def _begin(self) -> None:
        unreset = [index for index, code in enumerate(self._codes) if code == EnvPhase.UNRESET]
        if self._is_async and len(unreset) == self.num_envs:
            self.pool.async_reset()
            self._set(self._everyone, EnvPhase.IN_FLIGHT)
            return
        observation, info = self.pool._reset_envs(np.array(unreset, dtype=np.int32), None, None)
        self._batches.append(Batch(unreset, observation, None, None, None, info))
        self._set(unreset, EnvPhase.UNPOLLED)

    def _receive(self) -> None:
        observation, reward, terminated, truncated, info = self.pool.recv()
        ids = info["env_id"].tolist()
        self._batches.append(Batch(ids, observation, reward, terminated, truncated, info))

    def _to_poll(self, batch: Batch) -> Poll:
        """Converts a batch to a poll's result, and records that its environments expect actions."""
        poll_result = self._values.to_poll_result(batch)
        self._set(batch.ids, EnvPhase.POLLED)
        for index in poll_result.over:
            self._codes[index] = EnvPhase.DONE
        if self._next_episodes:
            for index in self._next_episodes.keys() & batch.ids:
                del self._next_episodes[index]
        self._next_episodes.update(poll_result.first_results)
        return poll_result.poll

    def _show_resets(self, result: Poll) -> None:
        for index, (observations, infos) in self._resets.items():
            reward, flag = self._values.first_rewards([index])[index], self._values.flag[False]
            poll_result = (observations, reward, flag, flag, infos)
            for part, value in zip(result, poll_result, strict=False):
                part[index] = value
            self._codes[index] = EnvPhase.POLLED
            self._next_episodes.pop(index, None)
        self._resets = {}

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Starts new episodes: see :meth:`BaseEnv.try_reset`.

        Returns:
            Observations and infos; :data:`ASYNC_RESET_RETURN` twice for all environments of an asynchronous pool, and
                for a single environment under next-step autoreset.

        Raises:
            ValueError: for a single environment of an asynchronous pool, if its episode has not ended, or if a seed or
                options are given.
        """
        self._check_open()
        ids = self._checked_ids(env_id)
        number = self._checked_reset(seed, options)
        if env_id is None:
            return self._reset_all(number, options)
        if self._is_async:
            self._check_async_reset(ids[0], number, options)
        if number is None and options is None and ids[0] in self._next_episodes:
            observations, infos = (dict(zip(ids, [each], strict=True)) for each in self._next_episodes[ids[0]])
        elif self._is_async:
            # With next-step autoreset, the step after an episode's end resets the environment and ignores the action.
            action = self._agents.actions([self._any_actions()])
            self.pool.send(action, np.array(ids, dtype=np.int32))
            self._codes[ids[0]] = EnvPhase.IN_FLIGHT
            return ASYNC_RESET_RETURN, ASYNC_RESET_RETURN
        else:
            seeds = None if number is None else [number]
            observation, info = self.pool._reset_envs(np.array(ids, dtype=np.int32), seeds, options)
            observations = self._agents.observations(ids, observation)
            infos = self._values.infos(ids, info)
        self._return_reset(observations, infos)
        return observations, infos

    def _any_actions(self) -> MultiAgentDict:
        return {agent: agent_space(self.action_space, agent).sample() for agent in self._agents.ids}

    def _check_async_reset(self, index: int, seed: int | None, options: Any) -> None:
        if seed is not None or options is not None or self._codes[index] != EnvPhase.DONE:
            raise ValueError(
                f"env_id is {index} (seed={seed!r}, options={options!r}): single environments of an asynchronous pool "
                "are reset without seed and options, and only when their episodes have ended"
            )

    def _reset_all(self, seed: int | None, options: Mapping[str, Any] | None) -> tuple[Any, Any]:
        observation, info = self.pool._reset_envs(None, seed, options)
        self._batches, self._resets, self._next_episodes = [], {}, {}
        if self._is_async:
            self._set(self._everyone, EnvPhase.IN_FLIGHT)
            self._batches.append(Batch(info["env_id"].tolist(), observation, None, None, None, info))
            return ASYNC_RESET_RETURN, ASYNC_RESET_RETURN
        observations = self._agents.observations(self._everyone, observation)
        infos = self._values.infos(self._everyone, info)
        self._return_reset(observations, infos)
        return observations, infos

    def _return_reset(self, observations: MultiEnvDict, infos: MultiEnvDict) -> None:
        for index, observation in observations.items():
            self._next_episodes.pop(index, None)
            self._resets[index] = observation, infos[index]
            self._codes[index] = EnvPhase.RESET
        self._last.record_reset(observations, infos)

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Schedules a reset of environments by the next poll; environments of a pool cannot be recreated individually.

        Args:
            env_id: the environment; ``None`` for all.
        """
        self._check_open()
        ids = self._checked_ids(env_id)
        if self._is_async:
            if env_id is not None:
                raise ValueError(f"env_id={env_id}: expected None, since the pool is asynchronous")
            self._reset_all(None, None)
            return
        for index in ids:
            self._next_episodes.pop(index, None)
            self._resets.pop(index, None)
            self._codes[index] = EnvPhase.UNRESET

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents of all environments."""
        return set(self._agents.ids)

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        return dict.fromkeys(self._everyone, self._agents.ids)

    @property
    def observation_space(self) -> Any:
        """Observation space of one agent; of all agents of one environment if agents differ."""
        return self.pool.single_observation_space

    @property
    def action_space(self) -> Any:
        """Action space of one agent; of all agents of one environment if agents differ."""
        return self.pool.single_action_space

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Renders one environment and returns its frame; or renders all, and returns a dict by environment.

        An environment that renders into a window returns ``None``.

        Raises:
            NotImplementedError: if the task renders nothing.
            RuntimeError: if the pool was made without ``render_mode``.
        """
        self._check_open()
        ids = self._checked_ids(env_id)
        is_native = isinstance(self.pool, RenderMixin)
        drawn = self.pool._render_each(np.array(ids)) if is_native else self.pool.render(ids)
        by_env = dict.fromkeys(ids) if drawn is None else dict(zip(ids, drawn, strict=True))
        return by_env if env_id is None else by_env[ids[0]]

    def _close(self) -> None:
        self.pool.close()
