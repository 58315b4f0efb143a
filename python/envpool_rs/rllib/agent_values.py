"""Stores the last results of environments, and results that a poll has not returned yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from envpool_rs.rllib.rllib_types import ALL, COMMON, AgentID, EnvID, MultiAgentDict, MultiEnvDict, first_rewards, flags

_PARTS = 5
_MANY_LAYERS = 64


class LastValues:
    """Last observations, rewards, flags and infos of every environment, collected from polls and resets.

    Results are stored unmerged and merged on demand, because ``poll`` is called often and ``last`` rarely.
    """

    def __init__(self) -> None:
        self._layers: list[tuple[Mapping[Any, Any], ...]] = []

    def record(self, result: tuple[Mapping[Any, Any], ...], complete: bool = False) -> None:
        """Stores a result.

        Args:
            result: dicts by environment: observations, rewards, terminated, truncated, infos.
            complete: whether the result contains all environments, and so replaces all earlier results.
        """
        if complete:
            self._layers = [result]
            return
        self._layers.append(result)
        if len(self._layers) > _MANY_LAYERS:
            self._layers = [self.merged()]

    def record_reset(self, observations: MultiEnvDict, infos: MultiEnvDict) -> None:
        """Stores the result of a reset, which contains no rewards.

        Args:
            observations: observations by environment; an exception if the reset failed.
            infos: infos by environment.
        """
        self.record((observations, infos))

    def forget(self) -> None:
        """Discards all stored results."""
        self._layers = []

    def keep(self, env_ids: Collection[EnvID]) -> None:
        """Discards the results of all environments except ``env_ids``."""
        self._layers = [tuple({k: v for k, v in part.items() if k in env_ids} for part in self.merged())]

    def merged(self) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
        """Returns observations, rewards, terminated flags, truncated flags and infos by environment, in new outer
        dicts.
        """
        parts: list[MultiEnvDict] = [{} for _ in range(_PARTS)]
        for layer in self._layers:
            for part, values in zip(parts, layer if len(layer) >= _PARTS else _after_reset(*layer), strict=False):
                part.update(values)
        return parts[0], parts[1], parts[2], parts[3], parts[4]


def _after_reset(
    observations: Mapping[Any, Any], infos: Mapping[Any, Any]
) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
    """Expands a reset's result to the five parts of a step's result: without rewards, and with all flags false."""
    agents = {env_id: [] if isinstance(each, Exception) else list(each) for env_id, each in observations.items()}
    rewards = {env_id: dict.fromkeys(ids) for env_id, ids in agents.items()}
    terminated, truncated = (
        {env_id: {**dict.fromkeys(ids, False), ALL: False} for env_id, ids in agents.items()} for _ in range(2)
    )
    return dict(observations), rewards, terminated, truncated, dict(infos)


AgentResult = tuple[Any, MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict]
"""Observations (or an exception), rewards, terminated, truncated, infos of one environment."""


def failed_result(error: Exception) -> AgentResult:
    """Returns the poll result of an environment that failed and was recreated."""
    return error, {}, {ALL: True}, {ALL: True}, {}


class AgentValues:
    """Results of one environment, collected for the next poll.

    An agent's rewards (summed) and flags are stored until the agent is observed or the episode ends.

    Attributes:
        ready: observed agents, whose actions are expected.
        done: agents that finished this episode.
        known: all agents seen so far, in any episode.
        over: whether the episode ended, or the environment failed.
    """

    def __init__(self, strict: bool, zero_rewards: bool = False) -> None:
        """Creates the state of an environment before its first reset.

        Args:
            strict: whether results have the form of RLlib 2.60 where that differs from RLlib's documentation.
            zero_rewards: whether rewards after a reset are 0.0 in RLlib's form, instead of missing.
        """
        self._strict = strict
        self._zero_rewards = zero_rewards
        self.known: dict[AgentID, None] = {}
        self._clear()

    def _clear(self) -> None:
        self.ready: set[AgentID] = set()
        self.done: set[AgentID] = set()
        self.over = False
        self._seen: set[AgentID] = set()
        self._rewards: MultiAgentDict = {}
        self._flags: tuple[MultiAgentDict, MultiAgentDict] = ({}, {})

    def begin(self, observations: Any, infos: Any, name: str) -> AgentResult:
        """Records the result of a reset; returns the environment's part of a poll's result.

        Args:
            observations: observations by agent; an exception if the reset failed.
            infos: infos by agent.
            name: the environment's name in errors.
        """
        self._clear()
        if isinstance(observations, Exception):
            return self.fail(observations)
        _check_dicts(name, "reset", {"observations": observations, "infos": infos})
        self._record_agents(observations)
        agents = [] if self._strict else list(observations)
        rewards = first_rewards(observations, self._strict, self._zero_rewards)
        self._seen.update(observations)
        return observations, rewards, flags(agents, False, False), flags(agents, False, False), infos

    def fail(self, error: Exception) -> AgentResult:
        """Returns the poll result of an environment that failed and was recreated."""
        self._clear()
        return failed_result(error)

    def observe(self, result: Any, name: str) -> AgentResult:
        """Records the result of a step; returns the environment's part of a poll's result.

        Args:
            result: the result of ``step``.
            name: the environment's name in errors.

        Raises:
            ValueError: for a result of another form.
        """
        observations, rewards, terminated, truncated, infos = _checked_step(result, name)
        self._record_agents(observations)
        for agent, reward in rewards.items():
            self._rewards[agent] = self._rewards.get(agent, 0.0) + reward if agent in self._rewards else reward
        for step_flags, new in zip(self._flags, (terminated, truncated), strict=True):
            for agent, flag in new.items():
                step_flags[agent] = bool(step_flags.get(agent) or flag)
        self.done.update(
            agent for step_flags in self._flags for agent, flag in step_flags.items() if flag and agent != ALL
        )
        self.over = self._flags[0][ALL] or self._flags[1][ALL]
        self.ready -= self.done
        return observations, self._released_rewards(observations), *self._released_flags(observations), infos

    def _record_agents(self, observations: Any) -> None:
        self.ready = set(observations)
        self.known.update(dict.fromkeys(observations))

    def _released_rewards(self, observations: Any) -> MultiAgentDict:
        if self.over:
            released, self._rewards = self._rewards, {}
        else:
            released = {agent: self._rewards.pop(agent) for agent in observations if agent in self._rewards}
        if not self._strict:
            for agent in observations:
                # An agent that appears for the first time has no reward yet, because its part of the episode starts
                # with this step.
                released.setdefault(agent, 0.0 if agent in self._seen else None)
        self._seen.update(observations)
        return released

    def _released_flags(self, observations: Any) -> tuple[MultiAgentDict, MultiAgentDict]:
        released = []
        for step_flags in self._flags:
            everybody = step_flags.pop(ALL)
            agents = [agent for agent in (list(step_flags) if self.over else observations) if agent in step_flags]
            values = {agent: step_flags.pop(agent) for agent in agents}
            if not self._strict:
                values = {**dict.fromkeys(observations, False), **values}
            released.append({**values, ALL: everybody})
        return released[0], released[1]


def _check_dicts(name: str, method: str, values: dict[str, Any]) -> None:
    for part, value in values.items():
        if not isinstance(value, dict):
            raise ValueError(f"{method}() of {name} returned the {part} {value!r}: expected a dict by agents")


def _checked_step(result: Any, name: str) -> AgentResult:
    if not isinstance(result, tuple) or len(result) != 5:  # noqa: PLR2004
        raise ValueError(
            f"step() of {name} returned {result!r}: "
            "expected dicts of observations, rewards, terminated, truncated, infos"
        )
    parts = ("observations", "rewards", "terminated flags", "truncated flags", "infos")
    _check_dicts(name, "step", dict(zip(parts, result, strict=True)))
    observations, _, terminated, truncated, infos = result
    for part, value in (("terminated", terminated), ("truncated", truncated)):
        if ALL not in value:
            raise ValueError(
                f"step() of {name} returned the {part} flags {value!r}: expected one for {ALL!r} among them"
            )
    strangers = set(infos) - set(observations) - {COMMON}
    if strangers:
        raise ValueError(
            f"step() of {name} returned infos of {sorted(strangers, key=str)}: expected infos of observed agents "
            f"{sorted(observations, key=str)}, and {COMMON!r}"
        )
    return result
