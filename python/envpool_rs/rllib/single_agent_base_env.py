"""Environments with one agent each, behind the interface for many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envpool_rs.rllib.indexed_base_env import IndexedBaseEnv, Turn
from envpool_rs.rllib.multi_env_dict import ALL, ONLY_AGENT, EnvID, MultiEnvDict, Poll, first_rewards, flags

StepResult = tuple[Any, Any, Any, Any, Any]
"""Observation, reward (``None`` after a reset), terminated, truncated, info. The observation is an exception where the
environment failed."""


class SingleAgentBaseEnv(IndexedBaseEnv):
    """Numbered environments with one agent each, ``"agent0"``.

    What derives from it says how some of the environments are stepped and reset.
    """

    def __init__(self, num_envs: int, strict_rllib: bool) -> None:
        """Begins with unreset environments.

        Args:
            num_envs: how many environments there are.
            strict_rllib: whether ``poll`` has RLlib's own form.
        """
        super().__init__(num_envs, strict_rllib)
        self._news: dict[int, StepResult] = {}

    def _step(self, actions: dict[int, Any]) -> None:
        """Plays a step in some environments, and takes the results over with :meth:`_take`."""
        raise NotImplementedError

    def _reset(
        self, ids: Sequence[int], seed: int | None, options: Mapping[str, Any] | None
    ) -> dict[int, tuple[Any, Any]]:
        """Resets some environments; the one at index ``i`` gets ``seed + i``.

        Returns:
            Observation (or the exception) and info of each; environments whose reset comes later are missing.
        """
        raise NotImplementedError

    def _take(self, index: int, result: StepResult) -> None:
        """Keeps a result until it is polled."""
        self._news[index] = result
        self._turns[index] = Turn.NEWS

    def _begin(self) -> None:
        """Resets what was never reset."""
        unreset = [index for index, turn in enumerate(self._turns) if turn is Turn.UNRESET]
        if unreset:
            for index, (observation, info) in self._reset(unreset, None, None).items():
                self._take(index, (observation, None, False, False, info))

    def poll(self) -> Poll:
        """What is new: see :meth:`BaseEnv.poll`. The first poll resets."""
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
        self._turns[index] = Turn.DONE if done else Turn.SHOWN

    def _flags(self, value: Any) -> dict[Any, Any]:
        return flags([ONLY_AGENT], bool(value), self.strict_rllib)

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Plays a step in the environments that are sent actions.

        Args:
            action_dict: ``{env_id: {"agent0": action}}``.

        Raises:
            IndexError: for an environment that there is not.
            ValueError: for one that is done, or for other agents than ``"agent0"``.
            RuntimeError: for one that was not polled since it was sent actions last.
        """
        self._check_open()
        checked = self._checked_actions(action_dict)
        actions = {index: self._only_action(index, actions) for index, actions in checked.items()}
        if actions:
            self._step(actions)
        for index in actions:
            # A result of try_reset that was answered is no news any more.
            if self._turns[index] is not Turn.NEWS:
                self._news.pop(index, None)

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Begins new episodes: see :meth:`BaseEnv.try_reset`."""
        self._check_open()
        ids = self._checked_ids(env_id)
        number = self._checked_reset(seed, options)
        if number is not None and env_id is not None:
            number -= ids[0]
        return self._handed_out(self._reset(ids, number, options))

    def _handed_out(self, begun: dict[int, tuple[Any, Any]]) -> tuple[MultiEnvDict, MultiEnvDict]:
        """What ``try_reset`` returns of new episodes; noted, so that actions are expected, and polls may show it."""
        observations, infos = {}, {}
        for index, (observation, info) in begun.items():
            failed = isinstance(observation, Exception)
            observations[index] = observation if failed else {ONLY_AGENT: observation}
            infos[index] = {} if failed else {ONLY_AGENT: info}
            self._news.pop(index, None)
            self._turns[index] = Turn.DONE if failed else Turn.RESET
            if not failed:
                self._news[index] = (observation, None, False, False, info)
        self._last.record_reset(observations, infos)
        return observations, infos
