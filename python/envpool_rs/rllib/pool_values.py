"""Converts a pool's batches to results of polls, which are dicts by environment and agent."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from envpool_rs._nested import map_leaves
from envpool_rs.rllib.pool_agents import ROW_INFOS, PoolAgents, info_rows
from envpool_rs.rllib.rllib_types import (
    COMMON,
    ONLY_AGENT,
    MultiAgentDict,
    MultiEnvDict,
    Poll,
    ReadOnlyDict,
    first_rewards,
    flags,
)

_MIN_ROWS_PER_EXCEPTION = 8
"""A result's rewards share one dict if at most one reward in this number differs from the most common reward."""


class Batch(NamedTuple):
    """Rows of some environments, returned by a pool.

    Attributes:
        ids: the environments; for all environments, the list ``all_envs`` itself.
        observation: the pool's observations.
        reward: ``None`` after a reset.
        terminated: ``None`` after a reset.
        truncated: ``None`` after a reset.
        info: the pool's info.
    """

    ids: list[int]
    observation: Any
    reward: Any
    terminated: Any
    truncated: Any
    info: dict[str, Any]


class PollResult(NamedTuple):
    """A batch in the form of a poll's result, by environment and agent.

    Attributes:
        poll: the result of a poll.
        over: environments whose episodes ended.
        starts: initial observations and infos of new episodes, under same-step autoreset.
    """

    poll: Poll
    over: list[int]
    first_results: dict[int, tuple[MultiAgentDict, MultiAgentDict]]


class PoolValues:
    """Converts batches of a pool to results of polls.

    Attributes:
        agents: the agents of rows.
        everyone: the list of all environments.
    """

    def __init__(self, spec: Any, num_envs: int, is_async: bool, strict: bool) -> None:
        self.all_envs = list(range(num_envs))
        self.agents = PoolAgents(spec, self.all_envs)
        self._is_async = is_async
        self._strict = strict
        self._single = len(self.agents.ids) == 1
        self.flag = {value: ReadOnlyDict(flags(self.agents.ids, value, strict)) for value in (False, True)}
        self._no_info = self._info_of_agents(None, ReadOnlyDict)
        self._going_on = dict.fromkeys(self.all_envs, self.flag[False])
        self._no_infos = dict.fromkeys(self.all_envs, self._no_info)

    def to_poll_result(self, batch: Batch) -> PollResult:
        """Converts a batch to a poll's result."""
        ids, observation, reward, terminated, truncated, info = batch
        observations = self.agents.observations(ids, observation)
        infos = self.infos(ids, info)
        if reward is None:
            return PollResult(
                (observations, self.first_rewards(ids), self._flags(ids), self._flags(ids), infos, {}), [], {}
            )
        rewards = self._rewards(ids, reward)
        poll_result = PollResult((observations, rewards, self._flags(ids), self._flags(ids), infos, {}), [], {})
        over = (terminated | truncated).nonzero()[0]
        if len(over):
            self._end(batch, over, poll_result)
        if self._is_async:
            for row in np.flatnonzero(info["elapsed_step"] == 0).tolist():
                rewards.update(self.first_rewards([ids[row]]))
        return poll_result

    def _rewards(self, ids: list[int], reward: npt.NDArray[Any]) -> MultiEnvDict:
        """Returns rewards by environment and agent; environments with the most common reward share one dict.

        Sharing saves time, because in many tasks most rewards are equal.
        """
        if not self._single or not ids:
            return self.agents.by_agents(ids, reward.tolist())
        bits = reward.view(
            f"u{reward.itemsize}"
        )  # compares bits, which distinguish 0.0 from -0.0 and make a nan equal itself
        usual = _usual_row(bits)
        others = (bits != bits[usual]).nonzero()[0]
        if len(others) * _MIN_ROWS_PER_EXCEPTION > len(ids):
            return self.agents.by_agents(ids, reward.tolist())
        keys = self._going_on if ids is self.all_envs else ids  # a dict's keys are copied faster than a list
        rewards: MultiEnvDict = dict.fromkeys(keys, ReadOnlyDict({ONLY_AGENT: reward[usual].item()}))
        for row in others:
            rewards[ids[row]] = {ONLY_AGENT: reward[row].item()}
        return rewards

    def _flags(self, ids: list[int]) -> MultiEnvDict:
        return self._going_on.copy() if ids is self.all_envs else dict.fromkeys(ids, self.flag[False])

    def first_rewards(self, ids: list[int]) -> MultiEnvDict:
        """Returns rewards of environments whose episodes just started."""
        return {index: first_rewards(self.agents.ids, self._strict, zero=self._single) for index in ids}

    def infos(self, ids: list[int], info: dict[str, Any]) -> MultiEnvDict:
        """Returns infos by environment and agent; all environments share one dict if all infos are empty."""
        own = None if info.keys() <= ROW_INFOS else {key: info[key] for key in info if not key.startswith("final_")}
        rows = None if own is None else info_rows(own, len(ids))
        if rows is None:
            return self._no_infos.copy() if ids is self.all_envs else dict.fromkeys(ids, self._no_info)
        return {index: self._info_of_agents(row, dict) for index, row in zip(ids, rows, strict=True)}

    def _info_of_agents(self, info: dict[str, Any] | None, kind: type[dict[Any, Any]]) -> MultiAgentDict:
        """Returns an environment's info by agents; entries that belong to no agent get the key that all agents
        share.
        """
        if self._single:
            return kind({ONLY_AGENT: kind(info or {})})
        infos = {agent: kind() for agent in self.agents.ids}
        return kind({**infos, COMMON: info} if info else infos)

    def _end(self, batch: Batch, over: npt.NDArray[np.intp], poll_result: PollResult) -> None:
        """Sets flags of ended episodes in the result.

        With same-step autoreset, also replaces the observations of ended episodes by the final ones.
        """
        rows = over.tolist()
        _, _, all_terminated, all_truncated, _, _ = poll_result.poll
        flag, ids = self.flag, batch.ids
        for row, terminated, truncated in zip(
            rows, batch.terminated[over].tolist(), batch.truncated[over].tolist(), strict=True
        ):
            index = ids[row]
            poll_result.over.append(index)
            all_terminated[index] = flag[terminated]
            all_truncated[index] = flag[truncated]
        if "final_obs" in batch.info:
            self._show_finals(batch, rows, poll_result)

    def _show_finals(self, batch: Batch, rows: list[int], poll_result: PollResult) -> None:
        observations, _, _, _, infos, _ = poll_result.poll
        finals = batch.info["final_obs"]
        last_infos = info_rows(batch.info["final_info"], len(batch.ids))
        for row in rows:
            index = batch.ids[row]
            poll_result.first_results[index] = observations[index], infos[index]
            observations[index] = self._final_observation(finals[row])
            infos[index] = self._info_of_agents(None if last_infos is None else last_infos[row], dict)

    def _final_observation(self, final: Any) -> MultiAgentDict:
        if self._single:
            return {ONLY_AGENT: _plain(final)}
        return final if isinstance(final, dict) else dict(zip(self.agents.ids, final, strict=True))


def _usual_row(reward: npt.NDArray[Any]) -> int:
    """Returns the index of a row whose reward is probably the most common: a reward shared by two of the first three
    rows, if any.
    """
    first, *others = reward[:3].tolist()
    return 0 if len(others) < 2 or first in others else 1  # noqa: PLR2004


def _plain(value: Any) -> Any:
    """Converts scalars in a row to Python numbers, as :func:`envpool_rs.rllib.pool_agents.rows` does."""
    return map_leaves(lambda part: part.item() if np.ndim(part) == 0 and hasattr(part, "item") else part, value)
