"""Shared part of conversions with environments 0, 1, ...: phases of environments, and checks."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any

from envpool_rs._arguments import mapping, optional_integer
from envpool_rs.rllib.agent_values import LastValues
from envpool_rs.rllib.base_env import BaseEnv
from envpool_rs.rllib.rllib_types import ONLY_AGENT, AgentID, EnvID, MultiEnvDict


class EnvPhase(IntEnum):
    """Phase of an environment, which says what it waits for."""

    UNRESET = 0
    """Never reset: the next poll resets it."""
    POLLED = 1
    """Its observation was polled: actions are expected."""
    RESET = 2
    """Its observation was returned by ``try_reset``: actions are expected, and a poll would return it again."""
    UNPOLLED = 3
    """It has results that were not polled yet."""
    IN_FLIGHT = 4
    """A step or reset is in flight."""
    DONE = 5
    """Its episode ended, or it failed: it must be reset."""


class IndexedBaseEnv(BaseEnv):
    """Environments 0, 1, ..., each with its phase.

    Attributes:
        num_envs: number of environments.
        strict_rllib: whether ``poll`` has the form of RLlib 2.60 where that differs from its documentation.
    """

    def __init__(self, num_envs: int, strict_rllib: bool) -> None:
        """Starts with unreset environments.

        Args:
            num_envs: number of environments.
            strict_rllib: whether ``poll`` has RLlib's own form.
        """
        self.num_envs = num_envs
        self.strict_rllib = strict_rllib
        self._phases = [EnvPhase.UNRESET] * num_envs
        self._last = LastValues()
        self._stopped = False

    def _check_open(self) -> None:
        if self._stopped:
            raise RuntimeError(f"this {type(self).__name__} is stopped")

    def _checked_id(self, name: str, env_id: EnvID) -> int:
        try:
            index = operator.index(env_id)
        except TypeError:
            index = -1
        if not 0 <= index < self.num_envs or isinstance(env_id, bool):
            raise IndexError(f"{name}={env_id!r}: expected an environment from 0 to {self.num_envs - 1}")
        return index

    def _checked_ids(self, env_id: EnvID | None) -> list[int]:
        return list(range(self.num_envs)) if env_id is None else [self._checked_id("env_id", env_id)]

    @staticmethod
    def _checked_reset(seed: Any, options: Any) -> int | None:
        """Returns the seed as a plain int.

        Raises:
            TypeError: for a seed of another type, or options that are no dict.
            ValueError: for a negative seed.
        """
        if options is not None:
            mapping("options", options, "a dict or None")
        return optional_integer("seed", seed, 0)

    def _checked_actions(self, action_dict: Any) -> dict[int, Mapping[AgentID, Any]]:
        """Returns actions by environments, all of which expect actions."""
        mapping("action_dict", action_dict, "a dict {env_id: {agent_id: action}}")
        checked: dict[int, Mapping[AgentID, Any]] = {}
        for env_id, actions in action_dict.items():
            index = self._checked_id("action_dict's key", env_id)
            mapping(f"action_dict[{env_id!r}]", actions, "a dict {agent_id: action}")
            self._check_phase(index)
            checked[index] = actions
        return checked

    def _check_phase(self, index: int) -> None:
        turn = self._phases[index]
        if turn is EnvPhase.DONE:
            raise ValueError(f"environment {index} is already done and takes no actions: try_reset({index}) first")
        if turn is EnvPhase.UNRESET:
            raise RuntimeError(f"environment {index} was not reset yet: poll() or try_reset({index}) first")
        if turn in (EnvPhase.UNPOLLED, EnvPhase.IN_FLIGHT):
            raise RuntimeError(f"environment {index} has been sent actions already: poll() first")

    def _only_action(self, index: int, actions: Mapping[AgentID, Any]) -> Any:
        """Returns the action of an environment with one agent."""
        if len(actions) != 1 or ONLY_AGENT not in actions:
            raise ValueError(
                f"action_dict[{index}] has actions of {sorted(actions, key=str)}: expected one of {ONLY_AGENT!r} alone"
            )
        return actions[ONLY_AGENT]

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents of all environments."""
        return {ONLY_AGENT}

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        return {index: [ONLY_AGENT] for index in range(self.num_envs)}

    def last(self) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
        """Returns the last observations, rewards, terminated flags, truncated flags and infos of every environment."""
        return self._last.merged()

    def stop(self) -> None:
        """Frees everything. A second call does nothing."""
        if not self._stopped:
            self._stopped = True
            self._close()

    def _close(self) -> None:
        """Frees everything."""
        raise NotImplementedError


def as_list_or_dict(values: Iterable[Any], as_dict: bool) -> Any:
    """Returns values as a list, or as a dict by index."""
    return dict(enumerate(values)) if as_dict else list(values)
