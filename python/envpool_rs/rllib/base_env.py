"""RLlib's interface ``BaseEnv``, and the implementation of its protocol that all conversions share: a conversion only
implements how one kind of environment is stepped and reset. Also RLlib's own base classes, if it is installed.
"""

from __future__ import annotations

import importlib
import operator
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import repeat
from typing import Any, TypeAlias

import gymnasium

from envpool_rs._arguments import bounded, mapping, optional_integer
from envpool_rs.ray.actors import OLDEST, installed_ray

EnvID: TypeAlias = Any  # an int, or a str if environments come and go (external episodes)
AgentID: TypeAlias = Any  # an int or a str
MultiAgentDict: TypeAlias = dict[Any, Any]  # by agent
MultiEnvDict: TypeAlias = dict[Any, Any]  # by environment and agent; an exception replaces a failed environment's dict
Options: TypeAlias = Mapping[str, Any] | None  # of a reset
MakeEnv: TypeAlias = Callable[[int], Any] | None  # makes the environment at an index
# Observations, rewards, terminated flags, truncated flags and infos; in a poll also off-policy actions.
LastResult: TypeAlias = tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]
Poll: TypeAlias = tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]
# One environment's part of a poll: the observations are an exception if it failed and was recreated.
AgentResult: TypeAlias = tuple[Any, MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict]
AgentResults: TypeAlias = dict[int, AgentResult]

ALL = "__all__"  # key of an environment's flag in a dict of flags by agent
COMMON = "__common__"  # key of infos that belong to no single agent
ONLY_AGENT = "agent0"  # id of the agent of an environment with one agent

ASYNC_RESET_RETURN = "async_reset_return"
"""Return value of ``try_reset`` (twice) if a later ``poll`` returns the reset's result."""

ASYNC_RESET_REQUEST = ASYNC_RESET_RETURN
"""RLlib's documented name of :data:`ASYNC_RESET_RETURN`."""


def _has_rllib() -> bool:
    """Returns whether a usable RLlib is installed; raises the import error of an installed ray."""
    ray, version = installed_ray()
    if ray is None:
        if version:
            need = f"needs {'.'.join(map(str, OLDEST))} or later to give RLlib its environments, and does without RLlib"
            warnings.warn(f"ray {version} is installed: envpool_rs.rllib {need}", RuntimeWarning, stacklevel=2)
        return False
    try:
        importlib.import_module("ray.rllib.env.base_env")
    except ModuleNotFoundError as error:
        # A requirement of RLlib is missing if ray was installed without the extra `rllib`; ray's own modules never are.
        if error.name is None or error.name.partition(".")[0] == "ray":
            raise
        return False
    return True


uses_ray: bool = _has_rllib()
"""Whether the classes of ``envpool_rs.rllib`` are subclasses of RLlib's."""


def _rllib_class(module: str, name: str, otherwise: type) -> Any:
    return getattr(importlib.import_module(f"ray.rllib.env.{module}"), name) if uses_ray else otherwise


RayBaseEnv = _rllib_class("base_env", "BaseEnv", object)
RayVectorEnv = _rllib_class("vector_env", "VectorEnv", object)
RayMultiAgentEnv = _rllib_class("multi_agent_env", "MultiAgentEnv", gymnasium.Env)
RayExternalEnv = _rllib_class("external_env", "ExternalEnv", threading.Thread)
RayExternalMultiAgentEnv = _rllib_class("external_multi_agent_env", "ExternalMultiAgentEnv", threading.Thread)


class Convertible:
    """Mixin with RLlib's method ``to_base_env``; a class implements ``_to_base_env``, with its arguments in order."""

    _to_base_env: Callable[..., Any]

    def to_base_env(
        self,
        make_env: MakeEnv = None,
        num_envs: int = 1,
        remote_envs: bool = False,
        remote_env_batch_wait_ms: float = 0,
        restart_failed_sub_environments: bool = False,
        *,
        strict_rllib: bool = False,
    ) -> Any:
        """Converts to a ``BaseEnv``, with the arguments of :func:`envpool_rs.rllib.convert_to_base_env`. Only a
        ``MultiAgentEnv`` uses all arguments: vectors make and restart their own environments. An external environment,
        which opens its own episodes, raises a ValueError for several or remote environments, and a RuntimeError if it
        was converted before.
        """
        options = make_env, num_envs, remote_envs, remote_env_batch_wait_ms, restart_failed_sub_environments
        return self._to_base_env(*options, strict_rllib)


class BaseEnv(Convertible, RayBaseEnv):  # type: ignore[misc, valid-type]
    """Environments whose agents act as soon as they are ready. Derive from this class for another kind of environment.
    ``poll`` returns new results of all ready agents; ``send_actions`` sends their actions. There is no autoreset:
    ``try_reset`` starts the next episode. Every value is a dict of dicts, ``{env_id: {agent_id: value}}``.
    """

    def _to_base_env(self, *options: Any) -> BaseEnv:
        return self

    def poll(self) -> Poll:
        """Returns new results of the ready agents. Every observation is returned exactly once. The result has six dicts
        by environment and agent: observations, rewards (``None`` at the start of an episode), terminated and truncated
        flags (with ``"__all__"`` for the environment), infos, and off-policy actions, which agents took on their own.
        An environment that failed and was recreated has the exception as observation.
        """
        raise NotImplementedError

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Sends actions of agents that a ``poll`` (or a reset) returned as ready."""
        raise NotImplementedError

    def try_reset(self, env_id: EnvID = None, *, seed: int | None = None, options: Options = None) -> tuple[Any, Any]:
        """Starts a new episode in one environment (``None``: in all). Without a seed the random streams continue; if
        all environments are reset, environment ``i`` gets ``seed + i``. Returns observations and infos by environment
        and agent, also for one environment; or :data:`ASYNC_RESET_RETURN` twice if a later ``poll`` returns the result.
        """
        return None, None

    def try_restart(self, env_id: EnvID = None) -> None:
        """Closes and recreates an environment (``None``: all), which must then be reset."""

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """Returns the environment objects, if there are any: a list, or a dict by environment."""
        return {} if as_dict else []

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents of all environments: agents that they declare, and agents observed so far."""
        return set()

    def try_render(self, env_id: EnvID = None) -> Any:
        """Renders an environment and returns what its ``render`` returns; for ``None``, a dict by environment."""
        return None

    def stop(self) -> None:
        """Frees all resources. A second call does nothing."""
        for environment in self.get_sub_environments():
            if hasattr(environment, "close"):
                environment.close()

    @property
    def observation_space(self) -> Any:
        """Observation space of one agent, or of all agents of one environment by their ids."""
        return self._space_of_all("observation")

    @property
    def action_space(self) -> Any:
        """Action space of one agent, or of all agents of one environment by their ids."""
        return self._space_of_all("action")

    def _space_of_all(self, kind: str) -> Any:
        raise NotImplementedError

    def last(self) -> LastResult:
        """Returns what ``poll`` and ``try_reset`` returned last: observations, rewards, both flags and infos."""
        raise NotImplementedError(f"{type(self).__name__} does not keep what it returned last")

    def action_space_sample(self, agent_id: Iterable[AgentID] | None = None) -> MultiEnvDict:
        """Returns random actions of some agents (``None`` or an empty list: all); refuses unknown agents."""
        return self._sample("action", agent_id)

    def observation_space_sample(self, agent_id: Iterable[AgentID] | None = None) -> MultiEnvDict:
        """Returns random observations, as :meth:`action_space_sample` returns actions."""
        return self._sample("observation", agent_id)

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        agents = sorted(self.get_agent_ids(), key=str)
        return dict.fromkeys(self.get_sub_environments(as_dict=True), agents)

    def _space(self, kind: str, env_id: EnvID, agent_id: AgentID) -> Any:
        return agent_space(self.action_space if kind == "action" else self.observation_space, agent_id)

    def _sample(self, kind: str, agent_id: Iterable[AgentID] | None) -> MultiEnvDict:
        agent_ids = [agent_id] if isinstance(agent_id, str) else list(bounded("agent_id", agent_id or ()))
        agents = self._agents_of_environments()
        known = {agent for ids in agents.values() for agent in ids}
        for each in agent_ids:
            if each not in known:
                raise ValueError(f"agent_id contains {each!r}: expected agents among {sorted(known, key=str)}")
        samples: MultiEnvDict = {}
        for env_id, ids in agents.items():
            chosen = [each for each in ids if not agent_ids or each in agent_ids]
            samples[env_id] = {each: self._space(kind, env_id, each).sample() for each in chosen}
        return samples


def agent_space(space: Any, agent_id: AgentID) -> Any:
    """Returns an agent's space: the agent's entry in a dict by agents, or the space that all agents share."""
    spaces = getattr(space, "spaces", space)
    return spaces[agent_id] if isinstance(spaces, Mapping) and agent_id in spaces else space


def first_rewards(agents: Iterable[AgentID], strict: bool, zero: bool) -> MultiAgentDict:
    """Returns rewards of agents whose episode just started: ``None``; with ``strict`` either 0.0 or no entry."""
    if not strict:
        return dict.fromkeys(agents)
    return dict.fromkeys(agents, 0.0) if zero else {}


def flags(agents: Iterable[AgentID], value: bool, strict: bool) -> MultiAgentDict:
    """Returns the same flag for ``"__all__"`` and every agent; with ``strict``, for ``"__all__"`` only."""
    return {ALL: value} if strict else {**dict.fromkeys(agents, value), ALL: value}


class PolledBaseEnv(BaseEnv):
    """Base class of all conversions of a ``source``: stores each result until a poll returns it."""

    _space_prefix = ""  # of the names of one environment's spaces in ``source``
    _send: Callable[[MultiEnvDict], None]  # checks all actions before it steps any environment

    def __init__(self, source: Any, num_envs: int | None, strict_rllib: bool) -> None:
        self._source = source
        self._size = num_envs  # `None` if environments come and go
        self.strict_rllib = strict_rllib
        self._unpolled: dict[EnvID, tuple[Any, ...]] = {}
        self._last: list[Sequence[Mapping[Any, Any]] | Callable[[], Poll]] = []
        self._stopped = False

    def _space_of_all(self, kind: str) -> Any:
        return getattr(self._source, f"{self._space_prefix}{kind}_space")

    def _check_open(self) -> None:
        if self._stopped:
            raise RuntimeError(f"this {type(self).__name__} is stopped")

    def _release(self, result: Poll | None = None) -> Poll:
        result = result or ({}, {}, {}, {}, {}, {})
        for env_id, values in self._unpolled.items():
            for part, value in zip(result, values, strict=False):
                part[env_id] = value
        self._unpolled = {}
        self._record(*result)
        return result

    def _record(self, *values: Mapping[Any, Any]) -> None:
        """Stores the result of a poll or reset for `last`, which merges results on demand: it is called rarely."""
        if len(values[0]) == self._size:
            self._last = []
        self._last.append(values)
        if len(self._last) > 64:  # noqa: PLR2004 - merges now and then, to free memory
            self._last = [self.last()]

    def last(self) -> LastResult:
        merged: LastResult = ({}, {}, {}, {}, {})
        for layer in self._last:
            for part, new in zip(merged, layer() if callable(layer) else layer, strict=False):
                part.update(new)
        return merged

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Steps the environments in ``action_dict``, ``{env_id: {agent_id: action}}``, or starts their steps.

        An exception of an environment is raised after all of them were stepped; the other environments' results are
        stored. If the actions of one environment are refused, no environment is stepped: TypeError for anything but a
        dict of dicts, IndexError for an unknown number of an environment, ValueError for an unknown or ended episode,
        an agent that is not ready, or a missing action, RuntimeError for an environment whose result of the last
        actions was not polled.
        """
        self._check_open()
        for env_id, actions in mapping("action_dict", action_dict, "a dict {env_id: {agent_id: action}}").items():
            mapping(f"action_dict[{env_id!r}]", actions, "a dict {agent_id: action}")
        self._send(action_dict)

    def stop(self) -> None:
        if not self._stopped:
            self._stopped = True
            self._close()

    def _close(self) -> None:
        self._source.close()


class OneAgent:
    """Converts values of environments with one agent, ``"agent0"``; ``strict_steps`` omits its flags after steps."""

    def __init__(self, strict: bool, strict_steps: bool | None = None) -> None:
        self._strict = strict
        self._strict_steps = strict if strict_steps is None else strict_steps

    def ids(self, declared: Iterable[AgentID]) -> list[AgentID]:
        return [ONLY_AGENT]

    def actions(self, index: int, actions: Mapping[AgentID, Any]) -> Any:
        if len(actions) != 1 or ONLY_AGENT not in actions:
            given = sorted(actions, key=str)
            raise ValueError(f"action_dict[{index}] has actions of {given}: expected one of {ONLY_AGENT!r} alone")
        return actions[ONLY_AGENT]

    def begin(self, result: tuple[Any, Any]) -> AgentResult:
        observation, info = result
        rewards = first_rewards([ONLY_AGENT], self._strict, zero=True)
        terminated, truncated = (flags([ONLY_AGENT], False, self._strict) for _ in range(2))
        return {ONLY_AGENT: observation}, rewards, terminated, truncated, {ONLY_AGENT: info}

    def step(self, result: Sequence[Any]) -> AgentResult:
        observation, reward, terminated, truncated, info = result
        ended, cut_off = (flags([ONLY_AGENT], bool(each), self._strict_steps) for each in (terminated, truncated))
        return {ONLY_AGENT: observation}, {ONLY_AGENT: reward}, ended, cut_off, {ONLY_AGENT: info}


class AgentValues:
    """Sums each agent's rewards, and keeps its flags, until the agent is observed or the episode ends."""

    def __init__(self, index: int, strict: bool, zero_rewards: bool = False) -> None:
        self._name = f"environment {index}"
        self._strict = strict
        self._zero_rewards = zero_rewards  # whether strict first rewards are 0.0
        self._known: set[AgentID] = set()  # all agents observed so far, in any episode

    def ids(self, declared: Iterable[AgentID]) -> list[AgentID]:
        return sorted({*declared, *self._known}, key=str)

    def actions(self, index: int, actions: Mapping[AgentID, Any]) -> Any:
        for agent in actions:
            if agent in self._done or agent not in self._ready:
                ready = f"expected agents among {sorted(self._ready, key=str)}"
                fault = "this agent is done" if agent in self._done else ready
                raise ValueError(f"action_dict[{index}] has an action of {agent!r}: {fault}")
        return dict(actions)

    def begin(self, result: Any) -> AgentResult:
        self._check("reset", result, ("observations", "infos"))
        observations, infos = result
        self._ready: set[AgentID] = set(observations)  # observed agents, whose actions are expected
        self._seen = set(observations)  # agents observed in this episode
        self._done: set[AgentID] = set()  # agents that finished this episode
        self._rewards: MultiAgentDict = {}
        self._flags: tuple[MultiAgentDict, MultiAgentDict] = ({}, {})
        self._known |= self._ready
        rewards = first_rewards(observations, self._strict, self._zero_rewards)
        terminated, truncated = (flags(observations, False, self._strict) for _ in range(2))
        return observations, rewards, terminated, truncated, infos

    def step(self, result: Any) -> AgentResult:
        parts = ("observations", "rewards", "terminated flags", "truncated flags", "infos")
        self._check("step", result, parts)
        observations, rewards, *new_flags, infos = result
        returned = f"step() of {self._name} returned"
        for part, value in zip(parts[2:4], new_flags, strict=True):
            if ALL not in value:
                raise ValueError(f"{returned} the {part} {value!r}: expected one for {ALL!r} among them")
        if unknown := infos.keys() - observations.keys() - {COMMON}:
            expected = f"expected infos of observed agents {sorted(observations, key=str)}, and {COMMON!r}"
            raise ValueError(f"{returned} infos of {sorted(unknown, key=str)}: {expected}")
        for agent, reward in rewards.items():
            self._rewards[agent] = self._rewards[agent] + reward if agent in self._rewards else reward
        for stored, new in zip(self._flags, new_flags, strict=True):
            for agent, flag in new.items():
                stored[agent] = bool(flag) or stored.get(agent, False)
            self._done.update(agent for agent, flag in new.items() if flag and agent != ALL)
        self._ready = set(observations) - self._done
        flags_of_all = [stored.pop(ALL) for stored in self._flags]
        is_over = any(flags_of_all)
        rewards, terminated, truncated = (
            {agent: stored.pop(agent) for agent in (list(stored) if is_over else observations) if agent in stored}
            for stored in (self._rewards, *self._flags)
        )
        for agent in () if self._strict else observations:
            # An agent that appears for the first time has no reward: its part of the episode starts with this step.
            rewards.setdefault(agent, 0.0 if agent in self._seen else None)
            terminated.setdefault(agent, False)
            truncated.setdefault(agent, False)
        terminated[ALL], truncated[ALL] = flags_of_all
        self._known.update(observations)
        self._seen.update(observations)
        return observations, rewards, terminated, truncated, infos

    def _check(self, method: str, result: Any, parts: Sequence[str]) -> None:
        if not isinstance(result, tuple) or len(result) != len(parts):
            raise ValueError(f"{method}() of {self._name} returned {result!r}: expected dicts of {', '.join(parts)}")
        for part, value in zip(parts, result, strict=True):
            if not isinstance(value, dict):
                raise ValueError(f"{method}() of {self._name} returned the {part} {value!r}: expected a dict by agents")


class EnvPhase(IntEnum):
    """Phase of an environment: the call that the environment waits for."""

    UNRESET = 0  # the environment was never reset; the next poll resets it
    POLLED = 1  # a poll returned the environment's observation; actions are expected
    RESET = 2  # `try_reset` returned the observation; actions are expected, and until then a poll returns it again
    UNPOLLED = 3  # the environment has results that no poll has returned yet
    IN_FLIGHT = 4  # a step or reset of the environment is in flight
    DONE = 5  # the environment's episode ended, or the environment failed; it must be reset


class IndexedBaseEnv(PolledBaseEnv):
    """Base class for environments 0, 1, ..., which are reset by their caller."""

    # A subclass implements `_call`, or `_step` and `_reset`; it replaces `_agents` if environments have several agents.

    _render: Callable[[Sequence[int]], Sequence[Any]]
    _autoreset: Callable[[int], None]

    def __init__(self, source: Any, num_envs: int, strict_rllib: bool) -> None:
        super().__init__(source, num_envs, strict_rllib)
        self.num_envs = num_envs
        self._agents: Sequence[Any] = [OneAgent(strict_rllib)] * num_envs
        self._everyone: list[EnvID] = list(range(num_envs))
        self._phases = bytearray([EnvPhase.UNRESET]) * num_envs
        self._next_episodes: AgentResults = {}  # results of the resets that same-step autoreset has made
        # If single environments reset only by themselves: which these are, and a remedy; `_autoreset` lets one do so.
        self._autoreset_only: tuple[str, str] | None = None

    def _call(self, index: int, method: str, *arguments: Any, **keywords: Any) -> Any:
        return self._source.call(index, method, *arguments, **keywords)

    def _step(self, actions: dict[int, Any]) -> None:
        self._store_each(actions, lambda index: self._result(index, "step", self._call(index, "step", actions[index])))

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> AgentResults | None:
        """Resets some environments; returns their results, or ``None`` if later polls return them."""
        each = zip(ids, seeds or repeat(None), strict=False)
        return self._began(ids, (self._call(index, "reset", seed=seed, options=options) for index, seed in each))

    def _began(self, ids: list[int], outcomes: Iterable[Any]) -> AgentResults:
        return {index: self._result(index, "reset", each) for index, each in zip(ids, outcomes, strict=True)}

    def _recreate(self, index: int) -> None:
        """Closes and recreates an environment; does nothing for an environment that this object did not make."""

    def _environments(self) -> Sequence[Any]:
        return getattr(self._source, "envs", ())

    def _declared_agents(self) -> Sequence[Iterable[AgentID]]:
        return [()] * self.num_envs

    def _result(self, index: int, method: str, outcome: Any) -> AgentResult:
        # An exception, also as observation, is that of an environment that failed and was recreated.
        failure = outcome[0] if isinstance(outcome, tuple) and outcome else outcome
        if isinstance(failure, Exception):
            return failure, {}, {ALL: True}, {ALL: True}, {}
        agents: OneAgent | AgentValues = self._agents[index]
        return agents.begin(outcome) if method == "reset" else agents.step(outcome)

    def _checked_id(self, name: str, env_id: EnvID) -> int:
        try:
            index = operator.index(env_id)
        except TypeError:
            index = -1
        if not 0 <= index < self.num_envs or isinstance(env_id, bool):
            raise IndexError(f"{name}={env_id!r}: expected an environment from 0 to {self.num_envs - 1}")
        return index

    def _checked_ids(self, env_id: EnvID) -> list[int]:
        self._check_open()
        return self._everyone if env_id is None else [self._checked_id("env_id", env_id)]

    def _set_phases(self, ids: Iterable[int], phase: EnvPhase, *, discard: bool = True) -> None:
        if ids is self._everyone:
            self._phases = bytearray([phase]) * self.num_envs
            self._unpolled = {} if discard else self._unpolled
            return
        for index in ids:
            self._phases[index] = phase
            if discard:
                self._unpolled.pop(index, None)

    def _store(self, index: int, result: AgentResult, phase: EnvPhase = EnvPhase.UNPOLLED) -> None:
        self._unpolled[index] = result
        self._phases[index] = phase

    def _store_each(self, ids: Iterable[int], result_of: Callable[[int], AgentResult]) -> None:
        """Stores the results of environments; raises the first exception, after which an environment must be reset."""
        failures = []
        for index in ids:
            try:
                self._store(index, result_of(index))
            except Exception as error:
                self._set_phases([index], EnvPhase.DONE)
                failures.append(error)
        if failures:
            raise failures[0]

    def _collect(self) -> None:
        """Resets environments that were never reset, and receives results of environments in flight."""
        if self._phases.count(EnvPhase.UNRESET):
            ids = [index for index, phase in enumerate(self._phases) if phase == EnvPhase.UNRESET]
            for index, result in (self._reset(ids, None, None) or {}).items():
                self._store(index, result)

    def poll(self) -> Poll:
        self._check_open()
        self._collect()
        return self._release()

    def _release(self, result: Poll | None = None) -> Poll:
        for index, (_, _, terminated, truncated, _) in self._unpolled.items():
            self._phases[index] = EnvPhase.DONE if terminated[ALL] or truncated[ALL] else EnvPhase.POLLED
        self._unpolled = {index: self._unpolled[index] for index in sorted(self._unpolled)}
        return super()._release(result)

    def _send(self, action_dict: MultiEnvDict) -> None:
        checked = {self._checked_id("action_dict's key", env_id): actions for env_id, actions in action_dict.items()}
        for index in checked:
            phase = self._phases[index]
            if phase == EnvPhase.DONE:
                raise ValueError(f"environment {index} is already done and takes no actions: try_reset({index}) first")
            if phase == EnvPhase.UNRESET:
                raise RuntimeError(f"environment {index} was not reset yet: poll() or try_reset({index}) first")
            if phase in (EnvPhase.UNPOLLED, EnvPhase.IN_FLIGHT):
                raise RuntimeError(f"environment {index} has been sent actions already: poll() first")
        if checked:
            self._step({index: self._agents[index].actions(index, actions) for index, actions in checked.items()})

    def try_reset(self, env_id: EnvID = None, *, seed: int | None = None, options: Options = None) -> tuple[Any, Any]:
        ids = self._checked_ids(env_id)
        if options is not None:
            mapping("options", options, "a dict or None")
        number = optional_integer("seed", seed, 0)
        is_plain = env_id is not None and number is None and options is None
        may_autoreset = is_plain and self._phases[ids[0]] == EnvPhase.DONE
        results: AgentResults | None = None
        if may_autoreset and ids[0] in self._next_episodes:
            results = {ids[0]: self._next_episodes[ids[0]]}
        elif env_id is None or self._autoreset_only is None:
            seeds = None if number is None else [number + index for index in (ids if env_id is None else [0])]
            results = self._reset(ids, seeds, options)
        elif may_autoreset:
            self._autoreset(ids[0])
        else:
            which, remedy = self._autoreset_only
            rule = "are reset without seed and options, and only when their episodes have ended"
            raise ValueError(f"env_id is {ids[0]} (seed={number!r}, options={options!r}): {which} {rule}{remedy}")
        for index in ids if self._next_episodes else ():
            self._next_episodes.pop(index, None)
        if results is None:
            return ASYNC_RESET_RETURN, ASYNC_RESET_RETURN
        for index, result in results.items():
            if isinstance(result[0], Exception):
                self._set_phases([index], EnvPhase.DONE)
            else:
                self._store(index, result, EnvPhase.RESET)
        parts = tuple({index: result[part] for index, result in results.items()} for part in range(5))
        self._record(*parts)
        return parts[0], parts[4]

    def try_restart(self, env_id: EnvID = None) -> None:
        """Closes and recreates an environment (``None``: all), if this object made it; the next poll resets it. Raises
        a ValueError without the function that makes environments, and for a single environment of a vector or pool that
        resets single environments only by itself.
        """
        ids = self._checked_ids(env_id)
        if env_id is not None and self._autoreset_only:
            which = self._autoreset_only[0]
            raise ValueError(f"env_id={ids[0]}: expected None, since {which} reset only by themselves")
        for index in ids:
            self._recreate(index)
            self._next_episodes.pop(index, None)
            self._set_phases([index], EnvPhase.UNRESET)

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        return dict(enumerate(self._environments())) if as_dict else list(self._environments())

    def get_agent_ids(self) -> set[AgentID]:
        return {agent for agents in self._agents_of_environments().values() for agent in agents}

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        each = zip(self._agents, self._declared_agents(), strict=True)
        return {index: agents.ids(declared) for index, (agents, declared) in enumerate(each)}

    def try_render(self, env_id: EnvID = None) -> Any:
        ids = self._checked_ids(env_id)
        frames = dict(zip(ids, self._render(ids), strict=True))
        return frames if env_id is None else frames[ids[0]]
