"""The implementation of ``BaseEnv`` that all conversions share: phases, checks, and results between two polls.

A conversion of one kind of environment implements a few hooks: how environments are stepped and reset, and how results
are received.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any, TypeAlias

from envpool_rs._arguments import mapping, optional_integer
from envpool_rs.rllib.base_env import (
    ALL,
    ASYNC_RESET_RETURN,
    COMMON,
    ONLY_AGENT,
    AgentID,
    BaseEnv,
    EnvID,
    LastResult,
    MultiAgentDict,
    MultiEnvDict,
    Poll,
)

AgentResult: TypeAlias = tuple[Any, MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict]
"""Observations (or an exception), rewards, terminated flags, truncated flags and infos of one environment by agent."""

AgentResults: TypeAlias = dict[int, AgentResult]
"""Results by environment."""

Options: TypeAlias = Mapping[str, Any] | None
"""Options of a reset."""


def first_rewards(agents: Any, strict: bool, zero: bool) -> MultiAgentDict:
    """Returns rewards of agents whose episode just started: ``None``; with ``strict``, what RLlib 2.60 returns (0.0 for
    environments with one agent, otherwise no entry).
    """
    if not strict:
        return dict.fromkeys(agents)
    return dict.fromkeys(agents, 0.0) if zero else {}


def flags(agents: Any, value: bool, strict: bool) -> MultiAgentDict:
    """Returns the same flag for ``"__all__"`` and every agent; with ``strict``, for ``"__all__"`` only."""
    return {ALL: value} if strict else {**dict.fromkeys(agents, value), ALL: value}


def failed_result(error: Exception) -> AgentResult:
    """Returns the poll result of an environment that failed and was recreated."""
    return error, {}, {ALL: True}, {ALL: True}, {}


class LastValues:
    """Last values of every environment, collected from polls and resets.

    They are stored unmerged and merged on demand, because ``poll`` is called often and ``last`` rarely.
    """

    _MAX_LAYERS = 64

    def __init__(self, num_envs: int | None = None) -> None:
        self._num_envs = num_envs
        self._layers: list[Sequence[Mapping[Any, Any]] | Callable[[], Sequence[Mapping[Any, Any]]]] = []

    def record(self, *values: Mapping[Any, Any]) -> None:
        """Stores a poll's result, or the observations and infos of a reset."""
        if len(values[0]) == self._num_envs:
            self._layers = []
        self._layers.append(values)
        if len(self._layers) > self._MAX_LAYERS:
            self._layers = [self.merged()]

    def record_on_demand(self, result: Callable[[], Poll]) -> None:
        """Replaces all values by a poll's result that is computed only if it is needed."""
        self._layers = [result]

    def keep(self, env_ids: Collection[EnvID]) -> None:
        """Discards the values of all environments except ``env_ids``."""
        self._layers = [tuple({k: v for k, v in part.items() if k in env_ids} for part in self.merged())]

    def merged(self) -> LastResult:
        """Returns the last values of every environment, in new outer dicts."""
        merged: LastResult = ({}, {}, {}, {}, {})
        for layer in self._layers:
            values = layer() if callable(layer) else layer
            for part, new in zip(merged, values if len(values) >= len(merged) else _after_reset(*values), strict=False):
                part.update(new)
        return merged


def _after_reset(observations: Mapping[Any, Any], infos: Mapping[Any, Any]) -> Sequence[Mapping[Any, Any]]:
    """Returns a reset's values in the form of a poll's result: no rewards, and all flags false."""
    agents = {env_id: [] if isinstance(each, Exception) else list(each) for env_id, each in observations.items()}
    rewards = {env_id: dict.fromkeys(ids) for env_id, ids in agents.items()}
    terminated, truncated = ({env_id: flags(ids, False, False) for env_id, ids in agents.items()} for _ in range(2))
    return observations, rewards, terminated, truncated, infos


class PolledBaseEnv(BaseEnv):
    """Base class of all conversions.

    A result is stored until a poll returns it. Subclasses implement the hooks ``_collect``, ``_checked_actions``,
    ``_step``, ``_space_of_all`` and ``_close``.
    """

    def __init__(self, strict_rllib: bool, last: LastValues) -> None:
        self.strict_rllib = strict_rllib
        self._last = last
        self._unpolled: dict[EnvID, tuple[Any, ...]] = {}
        self._stopped = False

    def _collect(self) -> None:
        """Receives results and stores them in ``_unpolled``."""
        raise NotImplementedError

    def _checked_actions(self, action_dict: Any) -> dict[Any, Any]:
        """Checks actions by environment and agent; returns each environment's actions in the form that ``_step`` takes.

        No action has been sent before all have been checked.
        """
        raise NotImplementedError

    def _step(self, actions: dict[Any, Any]) -> None:
        """Steps some environments, or starts their steps; stores the results that it receives."""
        raise NotImplementedError

    def _space_of_all(self, kind: str) -> Any:
        """Returns the ``"observation"`` or ``"action"`` space of all environments."""
        raise NotImplementedError

    def _close(self) -> None:
        """Frees all resources; ``stop`` calls it once."""
        raise NotImplementedError

    def _check_open(self) -> None:
        if self._stopped:
            raise RuntimeError(f"this {type(self).__name__} is stopped")

    def poll(self) -> Poll:
        self._check_open()
        self._collect()
        return self._release()

    def _release(self, result: Poll | None = None) -> Poll:
        """Adds the stored results to ``result``, and returns it."""
        result = result or ({}, {}, {}, {}, {}, {})
        for env_id, values in self._unpolled.items():
            for part, value in zip(result, values, strict=False):
                part[env_id] = value
        self._unpolled = {}
        self._last.record(*result)
        return result

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Steps the environments in ``action_dict``, ``{env_id: {agent_id: action}}``, or starts their steps.

        An exception of an environment is raised after all of them were stepped; the other environments' results are
        stored. If the actions of one environment are refused, no environment is stepped.

        Raises:
            TypeError: for anything but a dict of dicts.
            IndexError: for an unknown environment with a number.
            ValueError: for an unknown episode, an environment whose episode has ended, an agent that is not ready, or a
                missing action.
            RuntimeError: for an environment whose result of the last actions was not polled.
        """
        self._check_open()
        actions = self._checked_actions(action_dict)
        if actions:
            self._step(actions)

    def last(self) -> LastResult:
        return self._last.merged()

    @property
    def observation_space(self) -> Any:
        return self._space_of_all("observation")

    @property
    def action_space(self) -> Any:
        return self._space_of_all("action")

    def stop(self) -> None:
        if not self._stopped:
            self._stopped = True
            self._close()


class EnvPhase(IntEnum):
    """Phase of an environment: the call that the environment waits for."""

    UNRESET = 0
    """The environment was never reset; the next poll resets it."""
    POLLED = 1
    """A poll returned the environment's observation; actions are expected."""
    RESET = 2
    """``try_reset`` returned the environment's observation; actions are expected, and until then a poll returns it
    again.
    """
    UNPOLLED = 3
    """The environment has results that no poll has returned yet."""
    IN_FLIGHT = 4
    """A step or reset of the environment is in flight."""
    DONE = 5
    """The environment's episode ended, or the environment failed; it must be reset."""


class IndexedBaseEnv(PolledBaseEnv):
    """Base class for environments 0, 1, ..., which are reset by their caller.

    Subclasses implement the hooks ``_reset``, ``_render`` and, where they differ from the default, ``_reset_one``,
    ``_recreate`` and ``_environments``.
    """

    def __init__(self, num_envs: int, strict_rllib: bool) -> None:
        super().__init__(strict_rllib, LastValues(num_envs))
        self.num_envs = num_envs
        self._everyone: list[EnvID] = list(range(num_envs))
        self._phases = bytearray([EnvPhase.UNRESET]) * num_envs
        self._next_episodes: AgentResults = {}  # results of the resets that same-step autoreset has made

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> AgentResults | None:
        """Resets some environments; returns their results, or ``None`` if later polls return them."""
        raise NotImplementedError

    def _reset_one(self, index: int, seed: int | None, options: Options) -> AgentResults | None:
        """Resets the only environment that the caller of ``try_reset`` named, as `_reset` does."""
        return self._reset([index], None if seed is None else [seed], options)

    def _check_restarts_alone(self, index: int) -> None:
        """Raises ValueError if a single environment cannot be restarted."""

    def _recreate(self, index: int) -> None:
        """Closes and recreates an environment; does nothing for an environment that this object did not make."""

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        """Returns the frames of some environments."""
        raise NotImplementedError

    def _environments(self) -> Sequence[Any]:
        """Returns the environment objects, if there are any in this process."""
        return ()

    def _checked_id(self, name: str, env_id: EnvID) -> int:
        try:
            index = operator.index(env_id)
        except TypeError:
            index = -1
        if not 0 <= index < self.num_envs or isinstance(env_id, bool):
            raise IndexError(f"{name}={env_id!r}: expected an environment from 0 to {self.num_envs - 1}")
        return index

    def _checked_ids(self, env_id: EnvID | None) -> list[int]:
        return self._everyone if env_id is None else [self._checked_id("env_id", env_id)]

    def _checked_actions(self, action_dict: Any) -> dict[Any, Any]:
        mapping("action_dict", action_dict, "a dict {env_id: {agent_id: action}}")
        checked: dict[int, Mapping[AgentID, Any]] = {}
        for env_id, actions in action_dict.items():
            index = self._checked_id("action_dict's key", env_id)
            mapping(f"action_dict[{env_id!r}]", actions, "a dict {agent_id: action}")
            self._check_expects_actions(index)
            checked[index] = actions
        return {index: self._actions_of(index, actions) for index, actions in checked.items()}

    def _check_expects_actions(self, index: int) -> None:
        phase = self._phases[index]
        if phase == EnvPhase.DONE:
            raise ValueError(f"environment {index} is already done and takes no actions: try_reset({index}) first")
        if phase == EnvPhase.UNRESET:
            raise RuntimeError(f"environment {index} was not reset yet: poll() or try_reset({index}) first")
        if phase in (EnvPhase.UNPOLLED, EnvPhase.IN_FLIGHT):
            raise RuntimeError(f"environment {index} has been sent actions already: poll() first")

    def _actions_of(self, index: int, actions: Mapping[AgentID, Any]) -> Any:
        """Checks the agents that act in one environment; returns its actions in the form that `_step` takes: here the
        action of the only agent.
        """
        if len(actions) != 1 or ONLY_AGENT not in actions:
            raise ValueError(
                f"action_dict[{index}] has actions of {sorted(actions, key=str)}: expected one of {ONLY_AGENT!r} alone"
            )
        return actions[ONLY_AGENT]

    def _set_phases(self, ids: Iterable[int], phase: EnvPhase, *, discard: bool = True) -> None:
        """Sets the phase of environments, and discards their results that no poll has returned."""
        if ids is self._everyone:
            self._phases = bytearray([phase]) * self.num_envs
            self._unpolled = {} if discard else self._unpolled
            return
        for index in ids:
            self._phases[index] = phase
        if discard and self._unpolled:
            for index in ids:
                self._unpolled.pop(index, None)

    def _store(self, index: int, result: AgentResult, phase: EnvPhase = EnvPhase.UNPOLLED) -> None:
        """Stores a result until a poll returns it."""
        self._unpolled[index] = result
        self._phases[index] = phase

    def _store_each(self, ids: Iterable[int], result_of: Callable[[int], AgentResult]) -> None:
        """Computes and stores the results of environments in order, then raises the first exception.

        Environments that raised an exception must be reset.
        """
        failure: Exception | None = None
        for index in ids:
            try:
                self._store(index, result_of(index))
            except Exception as error:
                self._set_phases([index], EnvPhase.DONE)
                failure = failure or error
        if failure is not None:
            raise failure

    def _collect(self) -> None:
        """Resets environments that were never reset."""
        if not self._phases.count(EnvPhase.UNRESET):
            return
        ids = [index for index, phase in enumerate(self._phases) if phase == EnvPhase.UNRESET]
        for index, result in (self._reset(ids, None, None) or {}).items():
            self._store(index, result)

    def _release(self, result: Poll | None = None) -> Poll:
        for index, (_, _, terminated, truncated, _) in self._unpolled.items():
            self._phases[index] = EnvPhase.DONE if terminated[ALL] or truncated[ALL] else EnvPhase.POLLED
        self._unpolled = {index: self._unpolled[index] for index in sorted(self._unpolled)}
        return super()._release(result)

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        self._check_open()
        ids = self._checked_ids(env_id)
        if options is not None:
            mapping("options", options, "a dict or None")
        number = optional_integer("seed", seed, 0)
        if env_id is None:
            results = self._reset(ids, None if number is None else [number + index for index in ids], options)
        elif number is None and options is None and self._has_next_episode(ids[0]):
            results = {ids[0]: self._next_episodes[ids[0]]}
        else:
            results = self._reset_one(ids[0], number, options)
        for index in ids if self._next_episodes else ():
            self._next_episodes.pop(index, None)
        if results is None:
            return ASYNC_RESET_RETURN, ASYNC_RESET_RETURN
        observations, infos = {}, {}
        for index, result in results.items():
            observations[index], infos[index] = result[0], result[4]
            if isinstance(result[0], Exception):
                self._set_phases([index], EnvPhase.DONE)
            else:
                self._store(index, result, EnvPhase.RESET)
        self._last.record(observations, infos)
        return observations, infos

    def _has_next_episode(self, index: int) -> bool:
        return index in self._next_episodes and self._phases[index] == EnvPhase.DONE

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Closes and recreates an environment (``None``: all), if this object made it; the next poll resets it.

        Raises:
            ValueError: without the function that makes environments; for a single environment of a vector or pool that
                resets single environments only by itself.
        """
        self._check_open()
        ids = self._checked_ids(env_id)
        if env_id is not None:
            self._check_restarts_alone(ids[0])
        for index in ids:
            self._recreate(index)
            self._next_episodes.pop(index, None)
            self._set_phases([index], EnvPhase.UNRESET)

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        return dict(enumerate(self._environments())) if as_dict else list(self._environments())

    def get_agent_ids(self) -> set[AgentID]:
        return {ONLY_AGENT}

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        return {index: [ONLY_AGENT] for index in range(self.num_envs)}

    def try_render(self, env_id: EnvID | None = None) -> Any:
        self._check_open()
        ids = self._checked_ids(env_id)
        frames = dict(zip(ids, self._render(ids), strict=True))
        return frames if env_id is None else frames[ids[0]]


class AgentsBaseEnv(IndexedBaseEnv):
    """Base class for environments with any number of agents each, which may appear and disappear."""

    def __init__(self, num_envs: int, strict_rllib: bool, *, zero_rewards: bool = False) -> None:
        super().__init__(num_envs, strict_rllib)
        self._agents = [AgentValues(f"environment {index}", strict_rllib, zero_rewards) for index in range(num_envs)]

    def _actions_of(self, index: int, actions: Mapping[AgentID, Any]) -> Any:
        agents = self._agents[index]
        for agent in actions:
            if agent in agents.done:
                raise ValueError(f"action_dict[{index}] has an action of {agent!r}: this agent is done")
            if agent not in agents.ready:
                ready = sorted(agents.ready, key=str)
                raise ValueError(f"action_dict[{index}] has an action of {agent!r}: expected agents among {ready}")
        return dict(actions)

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents of all environments: agents that they declare, and agents observed so far."""
        return {agent for agents in self._agents_of_environments().values() for agent in agents}

    def _declared_agents(self) -> list[Iterable[AgentID]]:
        """Returns the agents that each environment declares."""
        raise NotImplementedError

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        pairs = zip(self._declared_agents(), self._agents, strict=True)
        return {index: sorted({*declared, *agents.known}, key=str) for index, (declared, agents) in enumerate(pairs)}


class AgentValues:
    """Values of one environment's agents between two polls.

    An agent's rewards (summed) and flags are stored until the agent is observed or the episode ends.

    Attributes:
        ready: observed agents, whose actions are expected.
        done: agents that finished this episode.
        known: all agents seen so far, in any episode.
        over: whether the episode ended, or the environment failed.
    """

    def __init__(self, name: str, strict: bool, zero_rewards: bool = False) -> None:
        self._name = name
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

    def begin(self, observations: Any, infos: Any) -> AgentResult:
        """Takes the result of a reset; returns the environment's part of a poll's result."""
        self._clear()
        self._check_dicts("reset", {"observations": observations, "infos": infos})
        self._observe(observations)
        agents = [] if self._strict else list(observations)
        rewards = first_rewards(observations, self._strict, self._zero_rewards)
        self._seen.update(observations)
        return observations, rewards, flags(agents, False, False), flags(agents, False, False), infos

    def fail(self, error: Exception) -> AgentResult:
        """Takes the exception of an environment that was recreated; returns its part of a poll's result."""
        self._clear()
        return failed_result(error)

    def step(self, result: Any) -> AgentResult:
        """Takes the result of a step; returns the environment's part of a poll's result.

        Raises:
            ValueError: for a result of another form.
        """
        observations, rewards, terminated, truncated, infos = self._checked_step(result)
        self._observe(observations)
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

    def _observe(self, observations: Any) -> None:
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
            flag_of_all = step_flags.pop(ALL)
            agents = [agent for agent in (list(step_flags) if self.over else observations) if agent in step_flags]
            values = {agent: step_flags.pop(agent) for agent in agents}
            if not self._strict:
                values = {**dict.fromkeys(observations, False), **values}
            released.append({**values, ALL: flag_of_all})
        return released[0], released[1]

    def _check_dicts(self, method: str, values: dict[str, Any]) -> None:
        for part, value in values.items():
            if not isinstance(value, dict):
                raise ValueError(f"{method}() of {self._name} returned the {part} {value!r}: expected a dict by agents")

    def _checked_step(self, result: Any) -> AgentResult:
        parts = ("observations", "rewards", "terminated flags", "truncated flags", "infos")
        if not isinstance(result, tuple) or len(result) != len(parts):
            raise ValueError(
                f"step() of {self._name} returned {result!r}: "
                "expected dicts of observations, rewards, terminated, truncated, infos"
            )
        self._check_dicts("step", dict(zip(parts, result, strict=True)))
        observations, _, terminated, truncated, infos = result
        for part, value in (("terminated", terminated), ("truncated", truncated)):
            if ALL not in value:
                raise ValueError(
                    f"step() of {self._name} returned the {part} flags {value!r}: expected one for {ALL!r} among them"
                )
        unknown = set(infos) - set(observations) - {COMMON}
        if unknown:
            raise ValueError(
                f"step() of {self._name} returned infos of {sorted(unknown, key=str)}: expected infos of observed "
                f"agents {sorted(observations, key=str)}, and {COMMON!r}"
            )
        return result
