"""RLlib's ``VectorEnv`` and ``MultiAgentEnv``; vectors and single environments, also in Ray actors, as ``BaseEnv``."""

from __future__ import annotations

import contextlib
import logging
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from operator import methodcaller
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Tuple
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import concatenate, create_empty_array, iterate

from envpool_rs._arguments import integer, number
from envpool_rs._facades.environments import info_row
from envpool_rs.ray.actors import import_ray
from envpool_rs.rllib import base_env
from envpool_rs.rllib.base_env import AgentID, AgentResults, EnvPhase, IndexedBaseEnv, MakeEnv, MultiAgentDict, Options

logger = logging.getLogger(__name__)

MAX_CONSECUTIVE_FAILURES = 10  # of an environment, without a successful step or reset in between
_INTERRUPT_INTERVAL = 0.5  # seconds after which waiting for environments lets Python handle Ctrl-C
_CLOSE_TIMEOUT = 2.0  # seconds in which environments must close before their actors are killed

VectorStep: TypeAlias = tuple[list[Any], list[float], list[bool], list[bool], list[dict[str, Any]]]
Step: TypeAlias = tuple[MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict]


class SubEnvironments:
    """Environments ``envs``, existing ones and those of ``make_env``; ``discard`` ends one that is recreated."""

    def __init__(
        self,
        make_env: MakeEnv,
        existing_envs: Sequence[Any],
        num_envs: int,
        restart_failed: bool,
        discard: Callable[[Any], None] = methodcaller("close"),
    ) -> None:
        self._make_env = make_env
        self._restart_failed = restart_failed
        self._discard = discard
        num_envs = integer("num_envs", num_envs, 1)
        self._failures = [0] * num_envs  # of each environment in a row
        if len(existing_envs) > num_envs:
            raise ValueError(f"existing_envs has {len(existing_envs)} entries: expected at most num_envs={num_envs}")
        self.envs = [*existing_envs, *[None] * (num_envs - len(existing_envs))]
        for index in range(len(existing_envs), num_envs):
            self.restart(index)

    def restart(self, index: int) -> None:
        if not callable(self._make_env):
            make = self._make_env
            raise ValueError(f"make_env={make!r}: expected a function that makes the environment at index {index}")
        if self.envs[index] is not None:
            try:
                self._discard(self.envs[index])
            except Exception as error:
                logger.warning("closing environment %d before it is recreated failed: %s", index, error)
        self.envs[index] = self._make_env(index)

    def attempt(self, index: int, method: str, function: Callable[[], Any]) -> Any:
        """Calls ``function``, an environment's method; returns the exception of a failure if it recreates it."""
        try:
            result = function()
        except Exception as error:  # which has no `add_note` in Python 3.10
            notes = [*getattr(error, "__notes__", ()), f"raised by {method}() of environment {index!r}"]
            error.__notes__ = notes  # type: ignore[attr-defined, unused-ignore]
            if not self._restart_failed:
                raise
            self._failures[index] += 1
            if self._failures[index] > MAX_CONSECUTIVE_FAILURES:
                often = f"{self._failures[index]} times in a row, most recently in {method}()"
                raise RuntimeError(f"environment {index} failed {often}: it is not recreated") from error
            logger.warning("environment %d failed in %s() and is recreated", index, method, exc_info=error)
            self.restart(index)
            return error
        self._failures[index] = 0
        return result

    def call(self, index: int, method: str, /, *arguments: Any, **keywords: Any) -> Any:
        return self.attempt(index, method, lambda: getattr(self.envs[index], method)(*arguments, **keywords))

    def close(self) -> None:
        call_each(lambda environment: environment.close(), [each for each in self.envs if hasattr(each, "close")])


def call_each(function: Callable[[Any], Any], values: Iterable[Any]) -> list[Any]:
    """Returns a function's results for each value; raises the first exception after all calls."""
    results, failures = [], []
    for value in values:
        try:
            results.append(function(value))
        except Exception as error:
            failures.append(error)
    if failures:
        raise failures[0]
    return results


class VectorEnv(base_env.Convertible, base_env.RayVectorEnv):  # type: ignore[misc]
    """Several environments with one agent each, stepped together with a list of actions. Derive from this class, or use
    :meth:`vectorize_gym_envs`. ``observation_space`` and ``action_space`` are the spaces of one environment.
    ``index=None`` means the first environment.
    """

    def __init__(self, observation_space: Any, action_space: Any, num_envs: int) -> None:
        self.observation_space = observation_space
        self.action_space = action_space
        self.num_envs = num_envs

    @staticmethod
    def vectorize_gym_envs(
        make_env: MakeEnv = None,
        existing_envs: Sequence[Any] | None = None,
        num_envs: int = 1,
        action_space: Any = None,
        observation_space: Any = None,
        restart_failed_sub_environments: bool = False,
    ) -> VectorizedGymEnv:
        """Makes a vector of single environments with gymnasium's interface. ``existing_envs`` come first; the others
        are made by ``make_env``, a function of the index; without it, a missing environment raises a ValueError. Spaces
        are the first environment's by default. ``restart_failed_sub_environments`` recreates an environment that raised
        an exception.
        """
        vector = VectorizedGymEnv(make_env, existing_envs or [], num_envs, restart_failed_sub_environments)
        first = vector.envs[0]
        spaces = observation_space or first.observation_space, action_space or first.action_space
        VectorEnv.__init__(vector, *spaces, len(vector.envs))
        return vector

    def vector_reset(
        self, *, seeds: list[int] | None = None, options: list[dict[str, Any]] | None = None
    ) -> tuple[list[Any], list[dict[str, Any]]]:
        """Starts an episode in every environment, with its seed and options; returns lists of observations, infos."""
        raise NotImplementedError

    def reset_at(self, index: int | None = None, *, seed: int | None = None, options: Options = None) -> Any:
        """Starts an episode in one environment; returns its observation (the exception, if it failed) and info."""
        raise NotImplementedError

    def restart_at(self, index: int | None = None) -> None:
        """Closes and recreates one environment; raises a ValueError without ``make_env``."""
        raise NotImplementedError

    def vector_step(self, actions: list[Any]) -> VectorStep:
        """Steps every environment; returns lists of observations, rewards, terminated flags, truncated flags, infos."""
        raise NotImplementedError

    def get_sub_environments(self) -> list[Any]:
        """Returns the environment objects, if there are any."""
        return []

    def try_render_at(self, index: int | None = None) -> Any:
        """Renders one environment."""
        return None

    def _to_base_env(self, *options: Any) -> VectorEnvWrapper:
        return VectorEnvWrapper(self, strict_rllib=options[-1])


class VectorizedGymEnv(SubEnvironments, VectorEnv):
    """List of single environments that can be stepped, reset and recreated individually."""

    def step_at(self, index: int, action: Any) -> tuple[Any, Any, Any, Any, Any]:
        """Steps one environment; returns what its ``step`` returns, or the exception as observation if recreated."""
        result = self.call(index, "step", action)
        if isinstance(result, Exception):
            return result, 0.0, True, True, {}
        result = _checked("step", index, result)
        if not isinstance(result[4], dict):
            raise ValueError(f"step() of environment {index} returned the info {result[4]!r}: expected a dict")
        return result  # type: ignore[no-any-return]

    def vector_step(self, actions: list[Any]) -> VectorStep:
        # An exception is raised after all environments were stepped.
        if len(actions) != self.num_envs:
            raise ValueError(f"actions has {len(actions)} entries: expected num_envs={self.num_envs}")
        rows = call_each(lambda index: self.step_at(index, actions[index]), range(self.num_envs))
        observations, rewards, terminated, truncated, infos = (list(column) for column in zip(*rows, strict=True))
        return observations, rewards, terminated, truncated, infos

    def reset_at(self, index: int | None = None, *, seed: int | None = None, options: Options = None) -> Any:
        index = index or 0
        result = self.call(index, "reset", seed=seed, options=options)
        if isinstance(result, Exception):
            return result, {}
        return _checked("reset", index, result)

    def vector_reset(
        self, *, seeds: list[int] | None = None, options: list[dict[str, Any]] | None = None
    ) -> tuple[list[Any], list[dict[str, Any]]]:
        """Starts an episode in every environment; recreates failed ones, if enabled, until their reset succeeds."""
        rows: list[tuple[Any, dict[str, Any]]] = []
        while len(rows) < self.num_envs:
            index = len(rows)
            row = self.reset_at(index, seed=seeds and seeds[index], options=options and options[index])  # type: ignore[arg-type]
            if not isinstance(row[0], Exception):  # after ten failures, SubEnvironments raises an error
                rows.append(row)
        return [observation for observation, _ in rows], [info for _, info in rows]

    def restart_at(self, index: int | None = None) -> None:
        self.restart(index or 0)

    def get_sub_environments(self) -> list[Any]:
        return self.envs

    def try_render_at(self, index: int | None = None) -> Any:
        return self.envs[index or 0].render()


def _checked(method: str, index: int, result: Any) -> Any:
    expected = "observation, reward, terminated, truncated, info" if method == "step" else "observation, info"
    if not isinstance(result, tuple) or len(result) != len(expected.split()):
        returned = f"{len(result)} values" if isinstance(result, tuple) else f"a {type(result).__name__}"
        raise ValueError(f"{method}() of environment {index} returned {returned}: expected {expected}")
    return result


class _OfVector(IndexedBaseEnv):
    """Base class of the conversions of a vector."""

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        super().__init__(vector_env, self._count(vector_env), strict_rllib)
        self.vector_env = vector_env

    def _count(self, vector_env: Any) -> int:
        return vector_env.num_envs  # type: ignore[no-any-return]

    def _check_complete(self, given: Iterable[int], remedy: str = "") -> None:
        if missing := sorted({*self._everyone}.difference(given)):
            rule = f"{type(self.vector_env).__name__} steps all {self.num_envs} at once{remedy}"
            raise ValueError(f"action_dict has no actions for environments {missing}: {rule}")


class VectorEnvWrapper(_OfVector):
    """RLlib ``VectorEnv`` (of this package or ray's) as a ``BaseEnv``. A vector with the method ``step_at`` accepts
    actions for a subset of its environments. Every other vector steps all environments at once: each must have an
    action, and environments whose episode has ended must be reset before.
    """

    def _call(self, index: int, method: str, *arguments: Any, **keywords: Any) -> Any:
        return getattr(self.vector_env, f"{method}_at")(index, *arguments, **keywords)

    def _step(self, actions: dict[int, Any]) -> None:
        if hasattr(self.vector_env, "step_at"):
            return super()._step(actions)
        self._check_complete(actions)
        columns = self.vector_env.vector_step([actions[index] for index in self._everyone])
        for index, row in enumerate(zip(*columns, strict=True)):
            self._store(index, self._result(index, "step", row))

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> AgentResults | None:
        if len(ids) == self.num_envs and not hasattr(self.vector_env, "step_at"):
            each = None if options is None else [options] * len(ids)
            return self._began(ids, zip(*self.vector_env.vector_reset(seeds=seeds, options=each), strict=True))
        return super()._reset(ids, seeds, options)

    def _recreate(self, index: int) -> None:
        self.vector_env.restart_at(index)

    def _environments(self) -> Sequence[Any]:
        return self.vector_env.get_sub_environments()  # type: ignore[no-any-return]

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        return [self.vector_env.try_render_at(index) for index in ids]

    def _close(self) -> None:
        closing = [self.vector_env] if hasattr(self.vector_env, "close") else self._environments()
        call_each(lambda each: each.close(), [each for each in closing if hasattr(each, "close")])


class StackedBaseEnv(_OfVector):
    """``BaseVectorEnv`` (``DummyVectorEnv``, ``SubprocVectorEnv``, ...) as a ``BaseEnv``. Each call may send actions to
    a subset of environments. With ``wait_num`` or ``timeout``, a poll returns the environments that have finished.
    """

    def _count(self, vector_env: Any) -> int:
        return len(vector_env)

    def _space_of_all(self, kind: str) -> Any:
        return super()._space_of_all(kind)[0]

    def _collect(self) -> None:
        if not self._unpolled and EnvPhase.IN_FLIGHT in self._phases:
            self._store_rows(self.vector_env.step(None))
        super()._collect()

    def _step(self, actions: dict[int, Any]) -> None:
        ids = list(actions)
        self._set_phases(ids, EnvPhase.IN_FLIGHT)
        try:
            result = self.vector_env.step(list(actions.values()), ids)
        except Exception:
            # Stores the results of environments that did not fail; failed environments must be reset.
            if self.vector_env.waiting_id:
                self._store_rows(self.vector_env.step(None))
            lost = {index for index in ids if self._phases[index] == EnvPhase.IN_FLIGHT}
            self._set_phases(lost.difference(self.vector_env.waiting_id), EnvPhase.DONE)
            raise
        self._store_rows(result)

    def _store_rows(self, result: Any) -> None:
        observations, rewards, terminated, *truncated, infos = result
        for row, observation in enumerate(split_rows(observations)):
            info = dict(infos[row])
            index = int(info.pop("env_id"))
            ended = bool(terminated[row])
            cut_off = bool(truncated[0][row]) if truncated else ended and bool(info.get("TimeLimit.truncated"))
            reward = rewards[row].item() if rewards[row].ndim == 0 else rewards[row]
            outcome = observation, reward, ended and (bool(truncated) or not cut_off), cut_off, info
            self._store(index, self._result(index, "step", outcome))

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> AgentResults:
        keywords: dict[str, Any] = {} if options is None else {"options": options}
        if seeds is not None:
            keywords["seed"] = list(seeds)
        observations, infos = self.vector_env.reset(list(ids), return_info=True, **keywords)
        return self._began(ids, zip(split_rows(observations), infos, strict=True))

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        frames = self.vector_env.render()
        return [frames[index] for index in ids]

    def _close(self) -> None:
        if not self.vector_env.is_closed:
            self.vector_env.close()


class GymnasiumBaseEnv(_OfVector):
    """``gymnasium.vector.VectorEnv`` as a ``BaseEnv``.

    A step runs all environments, so every environment needs an action, unless it starts a new episode in this step.
    ``try_reset`` of one environment resets it if the vector's autoreset is disabled. With same-step autoreset it
    returns the reset that the vector already made; with next-step autoreset, the poll after the next step returns the
    reset, and seeds, options and ``try_restart`` of one environment are refused. ``try_restart`` only schedules a
    reset.
    """

    _space_prefix = "single_"

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        super().__init__(vector_env, strict_rllib=strict_rllib)
        self._mode = AutoresetMode(vector_env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP))
        self._last_actions: dict[int, Any] = {}
        if self._mode is not AutoresetMode.DISABLED:
            which = f"under autoreset mode {self._mode.name}, single environments"
            self._autoreset_only = which, "; make the vector with autoreset mode DISABLED"

    def _collect(self) -> None:
        if self.num_envs and self._phases.count(EnvPhase.IN_FLIGHT) == self.num_envs:
            self._step({})
        super()._collect()

    def _step(self, actions: dict[int, Any]) -> None:
        waiting = {index for index, phase in enumerate(self._phases) if phase == EnvPhase.IN_FLIGHT}
        self._check_complete({*actions, *waiting}, " (try_reset those that are done)")
        self._last_actions.update(actions)
        for index in sorted(waiting - self._last_actions.keys()):  # the step resets it, whatever the action
            self._last_actions[index] = self.action_space.sample()
        sent = batched_actions(self.action_space, [self._last_actions[index] for index in self._everyone])
        observation, reward, terminated, truncated, info = self.vector_env.step(sent)
        for index, first in enumerate(self._rows(observation, info)):
            outcome = float(reward[index]), bool(terminated[index]), bool(truncated[index])
            if index in waiting:
                self._store(index, self._result(index, "reset", first))
                continue
            last, last_info = first
            if self._mode is AutoresetMode.SAME_STEP and (outcome[1] or outcome[2]):
                self._next_episodes[index] = self._result(index, "reset", first)
                last, final = info["final_obs"][index], info.get("final_info", {})
                last_info = info_row(_without_finals(final), index) if isinstance(final, Mapping) else final[index]
            self._store(index, self._result(index, "step", (last, *outcome, last_info or {})))

    def _rows(self, observation: Any, info: Mapping[str, Any]) -> list[tuple[Any, dict[str, Any]]]:
        own = _without_finals(info)
        rows = iterate(self.vector_env.observation_space, observation)
        return [(row, info_row(own, index)) for index, row in enumerate(rows)]

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> AgentResults:
        if len(ids) < self.num_envs:
            options = {**(options or {}), "reset_mask": np.isin(self._everyone, ids)}
        by_id = dict(zip(ids, seeds or (), strict=False))
        seed = None if seeds is None else [by_id.get(index) for index in self._everyone]
        rows = self._rows(*self.vector_env.reset(seed=seed, options=options))
        return self._began(ids, [rows[index] for index in ids])

    def _autoreset(self, index: int) -> None:
        self._set_phases([index], EnvPhase.IN_FLIGHT)

    def try_render(self, env_id: Any = None) -> Any:
        self._check_open()
        drawn = self.vector_env.render()
        return drawn if env_id is None or drawn is None else drawn[self._checked_id("env_id", env_id)]


def _without_finals(info: Mapping[str, Any]) -> dict[str, Any]:
    return {key: values for key, values in info.items() if key.removeprefix("_") not in ("final_obs", "final_info")}


def split_rows(batch: Any, space: Any = None) -> list[Any]:
    """Splits a batch into one observation per environment of this space: views of arrays, or Python numbers."""
    # A tuple has a batch for each component of a tuple space or an unknown space, otherwise an object per environment.
    if isinstance(batch, dict):
        columns = [split_rows(part, None if space is None else space[key]) for key, part in batch.items()]
        return [dict(zip(batch, values, strict=True)) for values in zip(*columns, strict=True)]
    if isinstance(batch, tuple):
        if space is not None and not isinstance(space, Tuple):
            return list(batch)
        components = [split_rows(part, None if space is None else space[key]) for key, part in enumerate(batch)]
        return list(zip(*components, strict=True))
    return batch.tolist() if batch.ndim == 1 else list(batch)


def batched_actions(space: Any, actions: Sequence[Any]) -> Any:
    """Batches actions for a vector whose environments have the action space ``space``."""
    try:
        out: Any = create_empty_array(space, len(actions))
        return concatenate(space, actions, out)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"action_dict has actions that do not fit {space}: {error!r}") from error


class MultiAgentEnv(base_env.Convertible, base_env.RayMultiAgentEnv):  # type: ignore[misc]
    """Environment with independent agents. Derive from this class.

    Actions and all parts of a result are dicts by agent. An agent acts after an observation of it was returned; agents
    may appear and disappear during an episode. ``agents`` are the current agents, ``possible_agents`` all that may
    ever exist. Spaces are ``observation_spaces`` and ``action_spaces`` by agent, or else ``observation_space`` and
    ``action_space``: one space of all agents, or a dict space by agents.
    """

    observation_spaces: dict[AgentID, Any] | None = None
    action_spaces: dict[AgentID, Any] | None = None
    agents: list[AgentID] = []  # noqa: RUF012 - replaced, never changed
    possible_agents: list[AgentID] = []  # noqa: RUF012
    observation_space: Any = None
    action_space: Any = None

    def __init__(self) -> None:
        """Fills in the agents from ``_agent_ids``, which older environments set."""
        super().__init__()
        if not hasattr(self, "_agent_ids"):
            self._agent_ids: set[AgentID] = set()
        self.agents = self.agents or list(self._agent_ids)
        self.possible_agents = self.possible_agents or list(self.agents)

    def reset(self, *, seed: int | None = None, options: Options = None) -> tuple[MultiAgentDict, MultiAgentDict]:
        """Starts an episode; returns observations of the agents that act next, and infos. Override this method, and
        call it first to seed ``np_random``. Without a seed, the random stream continues.
        """
        super().reset(seed=seed, options=options)
        return {}, {}

    def step(self, action_dict: MultiAgentDict) -> Step:
        """Steps the environment with actions of some agents. Returns observations of the agents that act next; rewards;
        terminated and truncated flags, both with ``"__all__"``; infos, only of observed agents and under
        ``"__common__"``.
        """
        raise NotImplementedError

    def render(self) -> Any:
        """Renders the environment; does nothing by default."""
        return None

    def get_observation_space(self, agent_id: AgentID) -> Any:
        """Returns the observation space of an agent."""
        spaces = self.observation_spaces
        return base_env.agent_space(self.observation_space, agent_id) if spaces is None else spaces[agent_id]

    def get_action_space(self, agent_id: AgentID) -> Any:
        """Returns the action space of an agent."""
        spaces = self.action_spaces
        return base_env.agent_space(self.action_space, agent_id) if spaces is None else spaces[agent_id]

    @property
    def num_agents(self) -> int:
        """Number of current agents."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """Number of possible agents."""
        return len(self.possible_agents)

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents: those of ``_agent_ids`` if it is set, otherwise all possible agents."""
        return _agents_of(self)

    def with_agent_groups(self, groups: dict[str, list[AgentID]], obs_space: Any = None, act_space: Any = None) -> Any:
        """Merges the agents of each group, with the groups' spaces, by RLlib's wrapper; needs RLlib."""
        if not base_env.uses_ray:
            raise ImportError("with_agent_groups needs RLlib: pip install 'envpool_rs[ray]'")
        return super().with_agent_groups(groups, obs_space, act_space)

    def _to_base_env(self, *options: Any) -> IndexedBaseEnv:
        make_env, num_envs, remote, batch_wait, restart, strict = options
        if remote:
            return RemoteBaseEnv(make_env, num_envs, True, batch_wait, [self], restart, strict_rllib=strict)
        return MultiAgentEnvWrapper(make_env, [self], num_envs, restart, strict_rllib=strict)


def is_multi_agent_env(environment: Any) -> bool:
    """Returns whether an environment is a ``MultiAgentEnv``, of this package or ray's."""
    return isinstance(environment, base_env.RayMultiAgentEnv if base_env.uses_ray else MultiAgentEnv)


def _agents_of(environment: Any) -> set[AgentID]:
    """Returns the agents that an RLlib environment declares, in any supported way."""
    named = getattr(environment, "_agent_ids", None) or getattr(environment, "possible_agents", None)
    return set(named or getattr(environment, "agents", None) or ())


class MultiAgentEnvWrapper(IndexedBaseEnv):
    """``MultiAgentEnv`` environments (of this package or ray's) as one ``BaseEnv``. Each call may send actions to a
    subset of environments, and to a subset of each environment's ready agents. ``existing_envs`` come first;
    ``make_env``, a function of the index, makes the others.
    """

    def __init__(
        self,
        make_env: MakeEnv,
        existing_envs: Sequence[Any],
        num_envs: int,
        restart_failed_sub_environments: bool = False,
        *,
        strict_rllib: bool = False,
    ) -> None:
        made = SubEnvironments(make_env, existing_envs, num_envs, restart_failed_sub_environments)
        super().__init__(made, len(made.envs), strict_rllib)
        for index, each in enumerate(made.envs):
            if not is_multi_agent_env(each):
                raise TypeError(f"environment {index} is a {type(each).__name__}: expected a MultiAgentEnv")
        self._agents = [base_env.AgentValues(index, strict_rllib) for index in self._everyone]

    def _recreate(self, index: int) -> None:
        self._source.restart(index)

    def _declared_agents(self) -> Sequence[Iterable[AgentID]]:
        return [_agents_of(environment) for environment in self._source.envs]

    def _space_of_all(self, kind: str) -> Any:
        return getattr(self._source.envs[0], f"{kind}_space")

    def _space(self, kind: str, env_id: Any, agent_id: AgentID) -> Any:
        return getattr(self._source.envs[env_id], f"get_{kind}_space")(agent_id)

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        return [self._source.envs[index].render() for index in ids]


class RemoteBaseEnv(IndexedBaseEnv):
    """Environments that each run in their own Ray actor; ``actors`` has the actors' handles.

    A poll returns the results of ready environments, at least one, without waiting for the slowest. Resets are
    asynchronous. Ray is started if it is not running.

    ``make_env`` makes the environment at an index, in its actor; or actors, if ``existing_envs`` contains an actor.
    ``existing_envs`` are actors; or one local environment, which provides the spaces and is not run. The other
    arguments are those of :func:`envpool_rs.rllib.convert_to_base_env`.
    """

    def __init__(
        self,
        make_env: MakeEnv,
        num_envs: int,
        multiagent: bool = False,
        remote_env_batch_wait_ms: float = 0,
        existing_envs: Sequence[Any] = (),
        restart_failed_sub_environments: bool = False,
        *,
        strict_rllib: bool = False,
    ) -> None:
        check_wait(remote_env_batch_wait_ms)
        num_envs = integer("num_envs", num_envs, 1)
        self._ray = import_ray("remote_envs=True")
        if not self._ray.is_initialized():
            self._ray.init(include_dashboard=False)
        handles = [each for each in existing_envs if isinstance(each, self._ray.actor.ActorHandle)]
        make = make_env
        if not handles and callable(make_env):
            actor_class = self._ray.remote(num_cpus=0)(_actor_class())

            def make(index: int) -> Any:
                try:
                    return actor_class.remote(make_env, index)
                except TypeError as error:
                    fault = "which cannot be sent to another process"
                    raise TypeError(f"make_env is {make_env!r}, {fault}: {error}") from error

        made = SubEnvironments(make, handles, num_envs, restart_failed_sub_environments, self._ray.kill)
        super().__init__(made, num_envs, strict_rllib)
        self.actors = made.envs
        one = base_env.OneAgent(strict_rllib, strict_steps=False)
        self._agents = [base_env.AgentValues(i, strict_rllib, True) if multiagent else one for i in range(num_envs)]
        self._multiagent = multiagent
        self._has_own_actors = bool(handles)
        self._shown: Any = existing_envs[0] if existing_envs and not handles else SimpleNamespace()  # has the spaces
        self._batch_wait = remote_env_batch_wait_ms / 1000
        self._pending: dict[Any, tuple[int, str]] = {}

    def _request(self, index: int, method: str, *arguments: Any, **keywords: Any) -> None:
        self._pending[getattr(self.actors[index], method).remote(*arguments, **keywords)] = index, method
        self._set_phases([index], EnvPhase.IN_FLIGHT)

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> None:
        self._pending = {ref: request for ref, request in self._pending.items() if request[0] not in ids}
        for index, seed in zip(ids, seeds or repeat(None), strict=False):
            self._request(index, "reset", seed=seed, options=options)

    def _step(self, actions: dict[int, Any]) -> None:
        for index, message in actions.items():
            self._request(index, "step", message)

    def _collect(self) -> None:
        super()._collect()
        refs = list(self._pending)
        count, wait = len(refs), self._ray.wait
        # Waits for at least one finished request, unless none is in flight or other results are available.
        ready: list[Any] = []
        if refs:
            ready, _ = wait(refs, num_returns=count, timeout=0 if self._unpolled else self._batch_wait)
        while refs and not ready and not self._unpolled:
            if wait(refs, num_returns=1, timeout=_INTERRUPT_INTERVAL)[0]:
                ready, _ = wait(refs, num_returns=count, timeout=0)
        finished = {index: (method, ref) for ref in ready for index, method in [self._pending.pop(ref)]}
        self._store_each(finished, lambda index: self._received(index, *finished[index]))

    def _received(self, index: int, method: str, ref: Any) -> base_env.AgentResult:
        def outcome() -> Any:
            try:
                result = self._ray.get(ref)
            except self._ray.exceptions.RayActorError as error:
                raise RuntimeError(f"the Ray actor of environment {index} died: {error}") from error
            return _checked(method, index, result)

        return self._result(index, method, self._source.attempt(index, method, outcome))

    def _recreate(self, index: int) -> None:
        self._source.restart(index)
        self._pending = {ref: request for ref, request in self._pending.items() if request[0] != index}

    def _declared_agents(self) -> Sequence[Iterable[AgentID]]:
        if not self._multiagent:
            return super()._declared_agents()
        declared: list[Iterable[AgentID]] = self._ray.get([actor.get_agent_ids.remote() for actor in self.actors])
        return declared

    def _space(self, kind: str, env_id: Any, agent_id: AgentID) -> Any:
        if not self._multiagent or self._has_own_actors:
            return super()._space(kind, env_id, agent_id)
        return self._ray.get(getattr(self.actors[env_id], f"get_{kind}_space").remote(agent_id))

    def _space_of_all(self, kind: str) -> Any:
        name = f"{kind}_space"
        if not hasattr(self._shown, name):
            setattr(self._shown, name, self._ray.get(getattr(self.actors[0], name).remote()))
        return getattr(self._shown, name)

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        frames: list[Any] = self._ray.get([self.actors[index].render.remote() for index in ids])
        return frames

    def _close(self) -> None:
        closing = [actor.close.remote() for actor in self.actors if hasattr(actor, "close")]
        if closing and self._ray.is_initialized():
            self._ray.wait(closing, num_returns=len(closing), timeout=_CLOSE_TIMEOUT)
        for actor in self.actors:
            with contextlib.suppress(Exception):  # Ray may have been shut down before
                self._ray.kill(actor)


def check_wait(remote_env_batch_wait_ms: Any) -> None:
    """Checks a waiting time: a finite number of milliseconds, 0 or more."""
    expected = "a number of milliseconds, 0 or more"
    number("remote_env_batch_wait_ms", remote_env_batch_wait_ms, expected, lambda wait: 0 <= wait < math.inf)


def _actor_class() -> type:
    """Returns a local class, which Ray sends by value: its actors import neither this package nor RLlib."""

    class RemoteEnvActor:
        def __init__(self, make_env: Callable[[int], Any], index: int) -> None:
            self._env = make_env(index)

    def forwarded(name: str) -> Callable[..., Any]:
        def call(actor: Any, *arguments: Any, **keywords: Any) -> Any:
            value = getattr(actor._env, name, None) if name == "close" else getattr(actor._env, name)
            return value(*arguments, **keywords) if callable(value) else value

        return call

    names = ["reset", "step", "render", "close", "observation_space", "action_space", "get_agent_ids"]
    for name in (*names, "get_observation_space", "get_action_space"):
        setattr(RemoteEnvActor, name, forwarded(name))
    return RemoteEnvActor
