"""What one environment with many agents returned and nobody has polled yet."""

from __future__ import annotations

from typing import Any

from envpool_rs.rllib.multi_env_dict import ALL, COMMON, AgentID, MultiAgentDict, first_rewards, flags

AgentResult = tuple[Any, MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict]
"""Observations (or an exception), rewards, terminated, truncated, infos of one environment."""


class AgentValues:
    """One environment's results on their way to a poll.

    An agent's reward and flags are kept (rewards summed) until the agent is observed, or the episode ends.

    Attributes:
        ready: agents that were observed, so that actions are expected of them.
        done: agents whose part in this episode has ended.
        known: all agents seen so far, in any episode.
        over: whether the episode ended, or the environment failed.
    """

    def __init__(self, strict: bool, zero_rewards: bool = False) -> None:
        """Nothing has happened yet.

        Args:
            strict: whether results have RLlib's own form.
            zero_rewards: whether that has rewards of 0.0 after a reset, or none at all.
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
        """Takes the result of a reset, and returns what a poll shows of it.

        Args:
            observations: by agent; an exception where the reset failed.
            infos: by agent.
            name: what to call the environment in errors.
        """
        self._clear()
        if isinstance(observations, Exception):
            return self.fail(observations)
        _check_dicts(name, "reset", {"observations": observations, "infos": infos})
        self._meet(observations)
        agents = [] if self._strict else list(observations)
        rewards = first_rewards(observations, self._strict, self._zero_rewards)
        self._seen.update(observations)
        return observations, rewards, flags(agents, False, False), flags(agents, False, False), infos

    def fail(self, error: Exception) -> AgentResult:
        """What a poll shows of an environment that failed and was made anew."""
        self._clear()
        self.over = True
        return error, {}, {ALL: True}, {ALL: True}, {}

    def observe(self, result: Any, name: str) -> AgentResult:
        """Takes the result of a step, and returns what a poll shows of it.

        Args:
            result: what ``step`` returned.
            name: what to call the environment in errors.

        Raises:
            ValueError: for a result of another form.
        """
        observations, rewards, terminated, truncated, infos = _checked_step(result, name)
        self._meet(observations)
        for agent, reward in rewards.items():
            self._rewards[agent] = self._rewards.get(agent, 0.0) + reward if agent in self._rewards else reward
        for kept, new in zip(self._flags, (terminated, truncated), strict=True):
            for agent, flag in new.items():
                kept[agent] = bool(kept.get(agent) or flag)
        self.done.update(agent for kept in self._flags for agent, flag in kept.items() if flag and agent != ALL)
        self.over = self._flags[0][ALL] or self._flags[1][ALL]
        self.ready -= self.done
        return observations, self._released_rewards(observations), *self._released_flags(observations), infos

    def _meet(self, observations: Any) -> None:
        self.ready = set(observations)
        self.known.update(dict.fromkeys(observations))

    def _released_rewards(self, observations: Any) -> MultiAgentDict:
        if self.over:
            released, self._rewards = self._rewards, {}
        else:
            released = {agent: self._rewards.pop(agent) for agent in observations if agent in self._rewards}
        if not self._strict:
            for agent in observations:
                # Who was never seen before had nothing to be rewarded for: its part just started.
                released.setdefault(agent, 0.0 if agent in self._seen else None)
        self._seen.update(observations)
        return released

    def _released_flags(self, observations: Any) -> tuple[MultiAgentDict, MultiAgentDict]:
        released = []
        for kept in self._flags:
            everybody = kept.pop(ALL)
            shown = [agent for agent in (list(kept) if self.over else observations) if agent in kept]
            values = {agent: kept.pop(agent) for agent in shown}
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
