"""Native pools behind RLlib's interface for many agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from envpool_rs.rllib.base_env import agent_space
from envpool_rs.rllib.indexed_base_env import IndexedBaseEnv, Turn
from envpool_rs.rllib.multi_env_dict import (
    ASYNC_RESET_RETURN,
    COMMON,
    ONLY_AGENT,
    AgentID,
    EnvID,
    MultiAgentDict,
    MultiEnvDict,
    Poll,
    ReadOnlyDict,
    first_rewards,
    flags,
)
from envpool_rs.rllib.pool_agents import PoolAgents
from envpool_rs.rllib.pool_rows import ABOUT_ROWS, info_rows

Batch = tuple[list[int], Any, Any, Any, Any, dict[str, Any]]
"""Environments; their observations, rewards (``None`` after a reset), terminated, truncated and info, by rows."""


class PoolBaseEnv(IndexedBaseEnv):
    """A pool of :func:`envpool_rs.make_gymnasium`, :func:`envpool_rs.make_vec` or ``make_python`` as a ``BaseEnv``.

    Any environments may be sent actions, of all of their agents at once. In a pool with asynchronous batches, a poll
    waits for as many environments as a batch has.

    Dicts are what a poll spends its time on. So flags and infos of environments with nothing special to tell are shared
    by all of them, and refuse to be written to.
    """

    def __init__(self, pool: Any, *, strict_rllib: bool = False) -> None:
        """Wraps a pool, unreset.

        Args:
            pool: the pool. It must not be stepped by others meanwhile.
            strict_rllib: whether ``poll`` has the form of RLlib 2.60 where that departs from its documentation.

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
        self._agents = PoolAgents(pool.spec)
        self._codes = bytearray([Turn.UNRESET]) * self.num_envs
        self._batches: list[Batch] = []
        self._last_batch: Batch | None = None
        self._resets: dict[int, tuple[MultiAgentDict, MultiAgentDict]] = {}
        self._next_episodes: dict[int, tuple[MultiAgentDict, MultiAgentDict]] = {}
        self._everyone = list(range(self.num_envs))
        self._flag = {value: ReadOnlyDict(flags(self._agents.ids, value, strict_rllib)) for value in (False, True)}
        self._no_info = self._info_of_agents(None, ReadOnlyDict)
        self._going_on = dict.fromkeys(self._everyone, self._flag[False])
        self._no_infos = dict.fromkeys(self._everyone, self._no_info)

    # --- actions ---------------------------------------------------------------------------------------------------

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Plays a step in the environments that are sent actions; in an asynchronous pool, begins to.

        Args:
            action_dict: ``{env_id: {agent_id: action}}``, with actions of all agents of an environment.

        Raises:
            IndexError: for an environment that there is not.
            ValueError: for one that is done, for other agents, or an action that the pool refuses; then nothing was
                played.
            RuntimeError: for one that was not polled since it was sent actions last.
        """
        self._check_open()
        codes = self._codes
        try:
            if (
                codes.count(Turn.SHOWN) + codes.count(Turn.RESET) == self.num_envs
                and list(action_dict) == self._everyone
            ):
                self._play(None, self._agents.actions(action_dict.values(), self.num_envs))
                return
        except (KeyError, TypeError, AttributeError):
            pass  # told below, by name
        except ValueError:
            self._check_agents(self._checked_actions(action_dict))
            raise
        checked = self._checked_actions(action_dict)
        self._check_agents(checked)
        if checked:
            self._play(list(checked), self._agents.actions(checked.values(), len(checked)))

    def _check_agents(self, checked: dict[int, Mapping[AgentID, Any]]) -> None:
        for index, actions in checked.items():
            if set(actions) != set(self._agents.ids):
                raise ValueError(
                    f"action_dict[{index}] has actions of {sorted(actions, key=str)}: expected one of each of "
                    f"{self._agents.ids}"
                )

    def _check_turn(self, index: int) -> None:
        self._turns[index] = Turn(self._codes[index])
        super()._check_turn(index)

    def _play(self, ids: list[int] | None, actions: Any) -> None:
        env_id = None if ids is None else np.array(ids, dtype=np.int32)
        sent = self._everyone if ids is None else ids
        if self._is_async:
            self.pool.send(actions, np.array(sent, dtype=np.int32))
            self._set(sent, Turn.WAITING)
        else:
            try:
                result = self.pool.step(actions) if env_id is None else self.pool.step(actions, env_id)
            except Exception as error:
                # An environment's own exception tells whose it is; all others are refusals, and nothing was played.
                if isinstance(error, RuntimeError) or hasattr(error, "env_id"):
                    self._keep_the_others(sent)
                raise
            self._batches.append((sent, *result))
            self._set(sent, Turn.NEWS)
        if self._resets:
            self._resets = {index: reset for index, reset in self._resets.items() if self._codes[index] == Turn.RESET}

    def _keep_the_others(self, sent: list[int]) -> None:
        """An environment has failed. The others have played: the pool hands out their rows now, where it says whose
        they are; and whoever has none has to be reset.
        """
        self._set(sent, Turn.DONE)
        try:
            observation, reward, terminated, truncated, info = self.pool.recv()
        except Exception:
            return
        if "env_id" in info:
            ids = info["env_id"].tolist()
            self._batches.append((ids, observation, reward, terminated, truncated, info))
            self._set(ids, Turn.NEWS)

    def _set(self, ids: list[int], turn: Turn) -> None:
        if ids is self._everyone:
            self._codes = bytearray([turn]) * self.num_envs
            return
        for index in ids:
            self._codes[index] = turn

    # --- polls -----------------------------------------------------------------------------------------------------

    def poll(self) -> Poll:
        """What is new: see :meth:`BaseEnv.poll`. The first poll resets.

        Raises:
            RuntimeError: where fewer environments of an asynchronous pool are under way than its batches have.
        """
        self._check_open()
        if self._codes.count(Turn.UNRESET):
            self._begin()
        if self._is_async and not self._batches and not self._resets and self._codes.count(Turn.WAITING):
            self._receive()
        batches, self._batches = self._batches, []
        if len(batches) == 1 and not self._resets:
            result = self._shown(batches[0])
            if len(result[0]) == self.num_envs:
                # The batch instead of its many dicts, which would be kept from being freed until the next poll.
                self._last.forget()
                self._last_batch = batches[0]
                return result
        else:
            result = ({}, {}, {}, {}, {}, {})
            for batch in batches:
                for part, values in zip(result, self._shown(batch), strict=True):
                    part.update(values)
            self._show_resets(result)
        self._last.record(result)
        return result

    def last(self) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
        """The last observations, rewards, terminated flags, truncated flags and infos of every environment."""
        before = ({}, {}, {}, {}, {}) if self._last_batch is None else self._values(self._last_batch, {})
        for part, values in zip(before, self._last.merged(), strict=False):
            part.update(values)
        return before[:5]

    def _begin(self) -> None:
        unreset = [index for index, code in enumerate(self._codes) if code == Turn.UNRESET]
        if self._is_async and len(unreset) == self.num_envs:
            self.pool.async_reset()
            self._set(self._everyone, Turn.WAITING)
            return
        observation, info = self.pool._reset(np.array(unreset, dtype=np.int32), None, None)
        self._batches.append((unreset, observation, None, None, None, info))
        self._set(unreset, Turn.NEWS)

    def _receive(self) -> None:
        observation, reward, terminated, truncated, info = self.pool.recv()
        ids = info["env_id"].tolist()
        self._batches.append((ids, observation, reward, terminated, truncated, info))

    def _shown(self, batch: Batch) -> Poll:
        """A batch as a poll shows it; from then on it is the turn of its environments."""
        ids, _, _, terminated, truncated, _ = batch
        for index in self._next_episodes.keys() & ids if self._next_episodes else ():
            del self._next_episodes[index]
        result = self._values(batch, self._next_episodes)
        self._set(ids, Turn.SHOWN)
        if terminated is not None:
            for row in (terminated | truncated).nonzero()[0].tolist():
                self._codes[ids[row]] = Turn.DONE
        return result

    def _values(self, batch: Batch, begun: dict[int, tuple[MultiAgentDict, MultiAgentDict]]) -> Poll:
        """A batch by environments and agents; ``begun`` receives what episodes begin with that a step began."""
        ids, observation, reward, terminated, truncated, info = batch
        observations = self._agents.observations(ids, observation)
        infos = self._infos(ids, info)
        if reward is None:
            return observations, self._first_rewards(ids), self._flags(ids), self._flags(ids), infos, {}
        rewards = self._rewards(ids, reward)
        result: Poll = observations, rewards, self._flags(ids), self._flags(ids), infos, {}
        over = (terminated | truncated).nonzero()[0].tolist()
        if over:
            self._end(batch, over, result, begun)
        if self._is_async:
            for row in np.flatnonzero(info["elapsed_step"] == 0).tolist():
                rewards.update(self._first_rewards([ids[row]]))
        return result

    def _rewards(self, ids: list[int], reward: npt.NDArray[Any]) -> MultiEnvDict:
        """Rewards; shared where they are the same for all, as they are at most steps of many tasks."""
        if len(self._agents.ids) == 1 and reward.tobytes() == reward[:1].tobytes() * len(ids):
            return dict.fromkeys(ids, ReadOnlyDict({ONLY_AGENT: reward[0].item()}))
        return self._agents.by_agents(ids, reward.tolist())

    def _flags(self, ids: list[int]) -> MultiEnvDict:
        return self._going_on.copy() if ids is self._everyone else dict.fromkeys(ids, self._flag[False])

    def _first_rewards(self, ids: list[int]) -> MultiEnvDict:
        single = len(self._agents.ids) == 1
        return {index: first_rewards(self._agents.ids, self.strict_rllib, zero=single) for index in ids}

    def _infos(self, ids: list[int], info: dict[str, Any]) -> MultiEnvDict:
        own = None if info.keys() <= ABOUT_ROWS else {key: info[key] for key in info if not key.startswith("final_")}
        rows = None if own is None else info_rows(own, len(ids))
        if rows is None:
            return self._no_infos.copy() if ids is self._everyone else dict.fromkeys(ids, self._no_info)
        return {index: self._info_of_agents(row, dict) for index, row in zip(ids, rows, strict=True)}

    def _info_of_agents(self, info: dict[str, Any] | None, kind: type[dict[Any, Any]]) -> MultiAgentDict:
        """An environment's info by agents: what belongs to no agent in particular is common to all."""
        if len(self._agents.ids) == 1:
            return kind({ONLY_AGENT: kind(info or {})})
        infos = {agent: kind() for agent in self._agents.ids}
        return kind({**infos, COMMON: info} if info else infos)

    def _end(self, batch: Batch, over: list[int], result: Poll, begun: MultiEnvDict) -> None:
        """Tells which episodes ended; under same-step autoreset, their last observations are in the info."""
        ids, _, _, terminated, truncated, info = batch
        observations, _, all_terminated, all_truncated, infos, _ = result
        finals = info.get("final_obs")
        last_infos = None if finals is None else info_rows(info["final_info"], len(ids))
        for row in over:
            index = ids[row]
            all_terminated[index] = self._flag[bool(terminated[row])]
            all_truncated[index] = self._flag[bool(truncated[row])]
            if finals is not None:
                begun[index] = observations[index], infos[index]
                observations[index] = self._final_observation(finals[row])
                last = None if last_infos is None else last_infos[row]
                infos[index] = self._info_of_agents(last, dict)

    def _final_observation(self, final: Any) -> MultiAgentDict:
        if len(self._agents.ids) > 1 and not isinstance(final, dict):
            return dict(zip(self._agents.ids, final, strict=True))
        return final if len(self._agents.ids) > 1 else {ONLY_AGENT: _plain(final)}

    def _show_resets(self, result: Poll) -> None:
        for index, (observations, infos) in self._resets.items():
            shown = (observations, self._first_rewards([index])[index], self._flag[False], self._flag[False], infos)
            for part, value in zip(result, shown, strict=False):
                part[index] = value
            self._codes[index] = Turn.SHOWN
            self._next_episodes.pop(index, None)
        self._resets = {}

    # --- resets ----------------------------------------------------------------------------------------------------

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Begins new episodes: see :meth:`BaseEnv.try_reset`.

        Returns:
            Observations and infos; :data:`ASYNC_RESET_RETURN` twice for all environments of an asynchronous pool, and
            for one under next-step autoreset.

        Raises:
            ValueError: for one environment of an asynchronous pool, unless its episode has ended, or with seed or
                options.
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
            # Next-step autoreset: the step after the last one resets, whatever its action.
            action = self._agents.actions([self._any_actions()], 1)
            self.pool.send(action, np.array(ids, dtype=np.int32))
            self._codes[ids[0]] = Turn.WAITING
            return ASYNC_RESET_RETURN, ASYNC_RESET_RETURN
        else:
            seeds = None if number is None else [number]
            observation, info = self.pool._reset(np.array(ids, dtype=np.int32), seeds, options)
            observations = self._agents.observations(ids, observation)
            infos = self._infos(ids, info)
        self._handed_out(observations, infos)
        return observations, infos

    def _any_actions(self) -> MultiAgentDict:
        return {agent: agent_space(self.action_space, agent).sample() for agent in self._agents.ids}

    def _check_async_reset(self, index: int, seed: int | None, options: Any) -> None:
        if seed is not None or options is not None or self._codes[index] != Turn.DONE:
            raise ValueError(
                f"env_id is {index} (seed={seed!r}, options={options!r}): single environments of an asynchronous pool "
                "are reset without seed and options, and only when their episodes have ended"
            )

    def _reset_all(self, seed: int | None, options: Mapping[str, Any] | None) -> tuple[Any, Any]:
        observation, info = self.pool._reset(None, seed, options)
        self._batches, self._resets, self._next_episodes = [], {}, {}
        if self._is_async:
            self._set(self._everyone, Turn.WAITING)
            self._batches.append((info["env_id"].tolist(), observation, None, None, None, info))
            return ASYNC_RESET_RETURN, ASYNC_RESET_RETURN
        observations = self._agents.observations(self._everyone, observation)
        infos = self._infos(self._everyone, info)
        self._handed_out(observations, infos)
        return observations, infos

    def _handed_out(self, observations: MultiEnvDict, infos: MultiEnvDict) -> None:
        for index, observation in observations.items():
            self._next_episodes.pop(index, None)
            self._resets[index] = observation, infos[index]
            self._codes[index] = Turn.RESET
        self._last.record_reset(observations, infos)

    # --- the rest --------------------------------------------------------------------------------------------------

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Lets environments begin anew with the next poll. A pool's environments have no objects to be made again.

        Args:
            env_id: the environment; ``None`` for all.
        """
        self._check_open()
        ids = self._checked_ids(env_id)
        if self._is_async:
            if env_id is not None:
                raise ValueError(f"env_id is {env_id}: expected None, since the pool is asynchronous")
            self._reset_all(None, None)
            return
        for index in ids:
            self._next_episodes.pop(index, None)
            self._resets.pop(index, None)
            self._codes[index] = Turn.UNRESET

    def get_agent_ids(self) -> set[AgentID]:
        """The agents of all environments."""
        return set(self._agents.ids)

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        return dict.fromkeys(self._everyone, self._agents.ids)

    @property
    def observation_space(self) -> Any:
        """The observation space of one agent; of all agents of one environment where they differ."""
        return self.pool.single_observation_space

    @property
    def action_space(self) -> Any:
        """The action space of one agent; of all agents of one environment where they differ."""
        return self.pool.single_action_space

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Draws one environment written in Python (returning what it drew) or all (by environment).

        Raises:
            NotImplementedError: for native pools.
        """
        self._check_open()
        ids = self._checked_ids(env_id)
        drawn = dict(zip(ids, self.pool.render(ids), strict=True))
        return drawn if env_id is None else drawn[ids[0]]

    def _close(self) -> None:
        self.pool.close()


def _plain(value: Any) -> Any:
    """A row as :func:`rows` has it: a plain number where it is one."""
    if isinstance(value, tuple):
        return tuple(_plain(part) for part in value)
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else value
