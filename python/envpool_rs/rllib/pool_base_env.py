"""Pools of this package as RLlib's ``BaseEnv`` and ``MultiAgentEnv``, and ``convert_to_base_env`` for all kinds."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NoReturn, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Discrete, MultiBinary, MultiDiscrete
from gymnasium.vector import AutoresetMode

from envpool_rs._arguments import flag, integer, mapping
from envpool_rs._core import AgentRows, only_action_arrays, only_actions
from envpool_rs._facades.interfaces import GymnasiumInterface, VectorInterface
from envpool_rs._facades.pool import NativePool
from envpool_rs._make.make import make_vec
from envpool_rs._nested import map_leaves
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs.ray.actors import import_ray
from envpool_rs.rllib import base_env, environments
from envpool_rs.rllib.base_env import ONLY_AGENT, AgentResults, EnvPhase, MultiAgentDict, MultiEnvDict, Options, Poll
from envpool_rs.rllib.environments import MultiAgentEnv, Step, batched_actions, split_rows
from envpool_rs.rllib.external_env import ExternalEnv, ExternalEnvWrapper
from envpool_rs.vector import BaseVectorEnv

# Environments (for all, the list of all environments itself), observation, reward, terminated, truncated and info of a
# pool's result; after a reset, the reward and the flags are `None`.
Batch: TypeAlias = tuple[list[int], Any, Any, Any, Any, dict[str, Any]]


class PoolBaseEnv(base_env.IndexedBaseEnv):
    """Pool of :func:`envpool_rs.make_gymnasium`, :func:`envpool_rs.make_vec` or ``make_python`` as a ``BaseEnv``.

    Each call may send actions to a subset of environments, but must send actions to all agents of these environments.
    In an asynchronous pool, a poll waits for ``batch_size`` environments, single environments are reset without seed
    and options, only when their episodes have ended, and asynchronous pools need autoreset. No other code may step the
    pool. Environments of a pool cannot be recreated: ``try_restart`` only schedules a reset.
    """

    _space_prefix = "single_"

    def __init__(self, pool: Any, *, strict_rllib: bool = False) -> None:
        if pool.is_async and pool.metadata["autoreset_mode"] is AutoresetMode.DISABLED:
            why = "since single environments of asynchronous pools reset by themselves only"
            expected = f"expected 'next_step' or 'same_step', {why}"
            raise ValueError(f"the pool is asynchronous with autoreset_mode='disabled': {expected}")
        super().__init__(pool, pool.num_envs, strict_rllib)
        self.pool = pool
        self._is_async = pool.is_async
        self._autoreset_only = ("single environments of an asynchronous pool", "") if pool.is_async else None
        self._values = PoolValues(pool.spec, self._everyone, pool.is_async, strict_rllib)
        self._agents = [self._values] * self.num_envs
        self._batches: list[Batch] = []
        self._was_reset = False

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Steps the environments in ``action_dict``; an asynchronous pool only starts the steps. Actions that the pool
        rejects raise ValueError, and no environment is stepped.
        """
        self._check_open()
        phases = self._phases
        if phases.count(EnvPhase.POLLED) + phases.count(EnvPhase.RESET) == self.num_envs:
            actions = self._values.actions_of_all(action_dict)
            if actions is not None:
                return self._step_array(self._everyone, actions)
        return super().send_actions(action_dict)

    def _step(self, actions: dict[int, Any]) -> None:
        self._step_array(list(actions), self._values.joined(actions.values()))

    def _step_array(self, ids: list[int], actions: Any) -> None:
        if self._is_async:
            self.pool.send(actions, np.array(ids, dtype=np.int32))
            self._set_phases(ids, EnvPhase.IN_FLIGHT)
            return
        some = () if ids is self._everyone else (np.array(ids, dtype=np.int32),)
        try:
            result = self.pool.step(actions, *some)
        except Exception as error:
            # Other exceptions are rejections of the actions, after which no environment was stepped.
            if isinstance(error, RuntimeError) or hasattr(error, "env_id"):
                self._set_phases(ids, EnvPhase.DONE)
                with contextlib.suppress(Exception):  # stores the rows of environments that did not fail
                    result = self.pool.recv()
                    if "env_id" in result[-1]:
                        self._store_batch(_received(result))
            raise
        self._store_batch((ids, *result))

    def _store_batch(self, batch: Batch) -> None:
        self._set_phases(batch[0], EnvPhase.UNPOLLED)
        self._batches.append(batch)

    def _collect(self) -> None:
        if self._is_async and not self._was_reset:
            self._was_reset = True
            self.pool.async_reset()
            self._set_phases(self._everyone, EnvPhase.IN_FLIGHT)
        super()._collect()
        if not self._batches and not self._unpolled and self._phases.count(EnvPhase.IN_FLIGHT):
            self._batches.append(_received(self.pool.recv()))

    def _release(self, result: Poll | None = None) -> Poll:
        batches, self._batches = self._batches, []
        if len(batches) == 1 and not self._unpolled and len(batches[0][0]) == self.num_envs:
            # `last` keeps only the batch: if it kept the dicts, they could not be freed until the next poll.
            values, batch = self._values, batches[0]
            self._last = [lambda: values.to_poll(batch)[0]]
            return self._polled(batch)
        polled = [self._polled(batch) for batch in batches]
        for later in polled[1:]:
            for part, new in zip(polled[0], later, strict=True):
                part.update(new)
        for index in self._unpolled:  # a reset replaces the rows of earlier steps
            self._next_episodes.pop(index, None)
        return super()._release(polled[0] if polled else None)

    def _polled(self, batch: Batch) -> Poll:
        poll, over, first_results = self._values.to_poll(batch)
        self._set_phases(batch[0], EnvPhase.POLLED, discard=False)
        for index in over:
            self._phases[index] = EnvPhase.DONE
        self._next_episodes.update(first_results)
        return poll

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> AgentResults | None:
        every = len(ids) == self.num_envs
        observation, info = self.pool._reset_envs(None if every else np.array(ids, dtype=np.int32), seeds, options)
        self._was_reset = True
        if every:
            self._batches = []
        if self._is_async:
            self._set_phases(self._everyone, EnvPhase.IN_FLIGHT)
            self._batches.append(_received((observation, None, None, None, info)))
            return None
        return self._values.first_results(ids, observation, info)

    def _autoreset(self, index: int) -> None:
        # With next-step autoreset, the step after an episode's end resets the environment and ignores the action.
        action = {agent: base_env.agent_space(self.action_space, agent).sample() for agent in self._values.agents}
        self._step_array([index], self._values.joined([action]))

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        """Renders environments; those that render into a window have the frame ``None``."""
        is_native = isinstance(self.pool, NativePool)
        drawn = self.pool._render_rows(np.array(ids)) if is_native else self.pool.render(ids)
        if is_native and self.pool.render_mode == "rgbd_tuple":
            drawn = list(zip(*drawn, strict=True))
        return [None] * len(ids) if drawn is None else drawn


def _received(result: tuple[Any, Any, Any, Any, dict[str, Any]]) -> Batch:
    return result[-1]["env_id"].tolist(), *result


class ReadOnlyDict(dict[Any, Any]):
    """Read-only dict that several environments share in one result; its copies, also by pickle, are plain dicts."""

    def _reject_write(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this dict is shared by all environments of the poll: write to a copy, dict(...), instead")

    __setitem__ = __delitem__ = __ior__ = _reject_write
    clear = pop = popitem = setdefault = update = _reject_write

    def __copy__(self) -> dict[Any, Any]:
        return dict(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


_MAX_REUSED_BYTES = 1 << 20  # of observations whose arrays and dicts are reused: they are copied once and not freed
_MAX_REUSED_RESULTS = 2  # usually, the caller still uses the last result while the next one is made
_MISSES_PER_RETRY = 256  # polls until a new result replaces a reusable one that the caller still holds
ROW_INFOS = frozenset({"env_id", "players", "elapsed_step"})  # of EnvPool's interface, which only identify rows
_MIN_ROWS_PER_EXCEPTION = 8  # rewards share a dict if at most one in this number differs from the most common reward


class PoolValues:
    """Converts a pool's arrays to dicts by environment and agent, and dicts of actions to arrays."""

    def __init__(self, spec: Any, everyone: list[Any], is_async: bool = False, strict: bool = False) -> None:
        # In the order of rows; players that share a space have a row each, others have their own spaces.
        self.agents: list[Any] = spec.agents if spec.players > 1 else [ONLY_AGENT]
        self._everyone = everyone
        self._is_async = is_async
        self._strict = strict
        self._single = len(self.agents) == 1
        self._own_spaces = spec.players > 1 and spec.rows == 1
        self._reusable: list[AgentRows] = []
        self._misses = 0
        self._observation_space = spec.observation_space
        self._action_space = spec.action_space
        self._acts_by_numbers = isinstance(spec.action_space, (Box, Discrete, MultiBinary, MultiDiscrete))
        self._acts_by_integers = spec.players == 1 and isinstance(spec.action_space, Discrete)
        self._acts_by_arrays = spec.players == 1 and isinstance(spec.action_space, Box)
        self._action_of = itemgetter(*self.agents)
        self._flag = {value: ReadOnlyDict(base_env.flags(self.agents, value, strict)) for value in (False, True)}
        self._not_over = dict.fromkeys(everyone, self._flag[False])
        self._no_info = self._info_of_agents(None, ReadOnlyDict)
        self._no_infos = dict.fromkeys(everyone, self._no_info)

    def ids(self, declared: Iterable[Any]) -> list[Any]:
        return self.agents

    def first_results(self, ids: list[int], observation: Any, info: dict[str, Any]) -> AgentResults:
        observations, infos = self.observations(ids, observation), self._infos(ids, info)
        return {index: self._first_result(observations[index], infos[index]) for index in ids}

    def _first_result(self, observations: MultiAgentDict, infos: MultiAgentDict) -> base_env.AgentResult:
        return observations, self._first_rewards(), self._flag[False], self._flag[False], infos

    def _first_rewards(self) -> MultiAgentDict:
        return base_env.first_rewards(self.agents, self._strict, zero=self._single)

    def to_poll(self, batch: Batch) -> tuple[Poll, list[int], AgentResults]:
        """Returns a batch as a poll's result, the environments whose episodes ended, and same-step resets' results."""
        ids, observation, reward, terminated, truncated, info = batch
        observations, infos = self.observations(ids, observation), self._infos(ids, info)
        over = self._not_over if ids is self._everyone else dict.fromkeys(ids, self._flag[False])
        all_terminated, all_truncated = over.copy(), over.copy()
        first_results: AgentResults = {}
        ended: list[int] = []
        if reward is None:
            rewards = {index: self._first_rewards() for index in ids}
        else:
            rewards, ended = self._rewards(ids, reward), (terminated | truncated).nonzero()[0].tolist()
        last_infos: list[dict[str, Any]] | None = None
        if ended and "final_obs" in info:
            last_infos = info_rows(info["final_info"], len(ids)) or [{}] * len(ids)
        for row in ended:
            index = ids[row]
            all_terminated[index] = self._flag[bool(terminated[row])]
            all_truncated[index] = self._flag[bool(truncated[row])]
            if last_infos is not None:
                first_results[index] = self._first_result(observations[index], infos[index])
                final = info["final_obs"][row]
                if self._single:
                    final = {ONLY_AGENT: map_leaves(_plain, final)}
                elif not isinstance(final, dict):
                    final = dict(zip(self.agents, final, strict=True))
                observations[index], infos[index] = final, self._info_of_agents(last_infos[row], dict)
        if self._is_async and reward is not None:
            for row in np.flatnonzero(info["elapsed_step"] == 0).tolist():
                rewards[ids[row]] = self._first_rewards()
        poll: Poll = observations, rewards, all_terminated, all_truncated, infos, {}
        return poll, [ids[row] for row in ended], first_results

    def _rewards(self, ids: list[int], reward: npt.NDArray[Any]) -> MultiEnvDict:
        """Returns rewards; environments with the most common reward share one dict, because most are often equal."""
        if not self._single or not ids:
            return self.by_agents(ids, reward.tolist())
        bits = reward.view(f"u{reward.itemsize}")  # 0.0 differs from -0.0, a nan equals itself
        # The most common reward is probably one that two of the first three rows share.
        first, *others = bits[:3].tolist()
        usual = 0 if len(others) < 2 or first in others else 1  # noqa: PLR2004
        different = (bits != bits[usual]).nonzero()[0]
        if len(different) * _MIN_ROWS_PER_EXCEPTION > len(ids):
            return self.by_agents(ids, reward.tolist())
        keys = self._not_over if ids is self._everyone else ids  # a dict's keys are copied faster than a list
        rewards: MultiEnvDict = dict.fromkeys(keys, ReadOnlyDict({ONLY_AGENT: reward[usual].item()}))
        for row in different:
            rewards[ids[row]] = {ONLY_AGENT: reward[row].item()}
        return rewards

    def _infos(self, ids: list[int], info: dict[str, Any]) -> MultiEnvDict:
        """Returns infos by environment and agent; all environments share one dict if all infos are empty."""
        own = None if info.keys() <= ROW_INFOS else {key: info[key] for key in info if not key.startswith("final_")}
        rows = None if own is None else info_rows(own, len(ids))
        if rows is None:
            return self._no_infos.copy() if ids is self._everyone else dict.fromkeys(ids, self._no_info)
        return {index: self._info_of_agents(row, dict) for index, row in zip(ids, rows, strict=True)}

    def _info_of_agents(self, info: dict[str, Any] | None, kind: type[dict[Any, Any]]) -> MultiAgentDict:
        """Returns an environment's info by agents; several agents share entries that belong to none of them."""
        if self._single:
            return kind({ONLY_AGENT: kind(info or {})})
        infos = {agent: kind() for agent in self.agents}
        return kind({**infos, base_env.COMMON: info} if info else infos)

    def observations(self, ids: Iterable[Any], batch: Any) -> MultiEnvDict:
        """Returns observations by environment and agent, if possible in a result that the caller no longer holds."""
        is_array = isinstance(batch, np.ndarray) and batch.ndim > 1 and batch.dtype != object
        if ids is self._everyone and self._single and is_array and batch.nbytes <= _MAX_REUSED_BYTES:
            for earlier in self._reusable:
                reused = earlier.shown(batch)
                if reused is not None:
                    return reused
            self._misses += 1
            if len(self._reusable) < _MAX_REUSED_RESULTS or self._misses % _MISSES_PER_RETRY == 0:
                rows = AgentRows(self._everyone, ONLY_AGENT, batch)
                self._reusable = [rows, *self._reusable[: _MAX_REUSED_RESULTS - 1]]
                new = rows.shown(batch)
                if new is not None:
                    return new
        values = split_rows(batch, self._observation_space)
        return dict(zip(ids, values, strict=True)) if self._own_spaces else self.by_agents(ids, values)

    def by_agents(self, ids: Iterable[Any], values: list[Any]) -> MultiEnvDict:
        count = len(self.agents)
        if count == 1:
            return {index: {ONLY_AGENT: value} for index, value in zip(ids, values, strict=True)}
        players = range(0, len(values), count)
        return {
            index: dict(zip(self.agents, values[start : start + count], strict=True))
            for index, start in zip(ids, players, strict=True)
        }

    def actions(self, index: int | None, actions: Mapping[Any, Any]) -> Any:
        if set(actions) != set(self.agents):
            name = "action_dict" if index is None else f"action_dict[{index}]"
            raise ValueError(f"{name} has actions of {sorted(actions, key=str)}: expected one of each of {self.agents}")
        return actions

    def actions_of_all(self, action_dict: Any) -> Any:
        """Converts the actions of all environments; returns ``None`` for a dict that is no such fast case."""
        everyone = self._everyone
        converted: Any = None
        if self._acts_by_integers:
            converted = only_actions(action_dict, ONLY_AGENT, everyone)
        elif self._acts_by_arrays:
            converted = only_action_arrays(action_dict, ONLY_AGENT, everyone, self._action_space.shape)
        if converted is not None or type(action_dict) is not dict or list(action_dict) != everyone:
            return converted
        actions_of_envs = list(action_dict.values())
        expected = len(self.agents)
        if not all(type(each) is dict and len(each) == expected for each in actions_of_envs):
            return None
        try:
            return self.joined(actions_of_envs)
        except KeyError:
            return None

    def joined(self, of_environments: Iterable[Mapping[Any, Any]]) -> Any:
        """Joins environments' actions to the pool's arrays; raises a KeyError if one is missing, or a ValueError."""
        chosen = list(map(self._action_of, of_environments))
        if self._single:
            return _array(chosen) if self._acts_by_numbers else batched_actions(self._action_space, chosen)
        if self._own_spaces:
            return {agent: _array(column) for agent, column in zip(self.agents, zip(*chosen, strict=True), strict=True)}
        return _array([action for actions in chosen for action in actions])


def _plain(value: Any) -> Any:
    """Converts a scalar in a row to a Python number, as ``split_rows`` does."""
    return value.item() if np.ndim(value) == 0 and hasattr(value, "item") else value


def info_rows(infos: dict[str, Any], count: int) -> list[dict[str, Any]] | None:
    """Returns each environment's info in a pool's infos, which ``_key`` mask; ``None`` if all are empty."""
    keys = [key for key in infos if key not in ROW_INFOS and not key.startswith("_")]
    if not keys:
        return None
    columns = [(key, _rows_of_info(infos[key], count), infos.get(f"_{key}")) for key in keys]
    return [{key: values[row] for key, values, mask in columns if mask is None or mask[row]} for row in range(count)]


def _rows_of_info(values: Any, count: int) -> list[Any]:
    """Returns the value of one info for each environment; the rows of an environment's players form one array."""
    if isinstance(values, dict):
        columns = {key: _rows_of_info(part, count) for key, part in values.items()}
        return [{key: column[row] for key, column in columns.items()} for row in range(count)]
    array = np.asarray(values)
    if len(array) != count:
        array = array.reshape(count, -1, *array.shape[1:])
    return array.tolist() if array.ndim == 1 else list(array)


def _array(actions: Any) -> Any:
    try:
        return np.array(actions)
    except ValueError as error:
        shapes = sorted({np.shape(action) for action in actions})
        raise ValueError(f"action_dict has actions of shapes {shapes}: expected one shape") from error


class PoolMultiAgentEnv(MultiAgentEnv):
    """Task with several players, such as ``SimpleSpread-v3``, as a ``MultiAgentEnv`` for RLlib's new API stack. All
    players act in every step, and all their episodes end together. Players that share a space are named ``"agent_0"``,
    ``"agent_1"``, ...; players with different spaces have the task's names. The environment is made by the task's name
    and options, and is not reset yet.
    """

    def __init__(self, task_id: str, **options: Any) -> None:
        self._pool = make_vec(task_id, num_envs=1, autoreset_mode="disabled", **options)
        self._values = PoolValues(self._pool.spec, [0])
        self.agents = list(self._values.agents)
        self.possible_agents = list(self._values.agents)
        observation, action = self._pool.single_observation_space, self._pool.single_action_space
        self.observation_spaces = {agent: base_env.agent_space(observation, agent) for agent in self.agents}
        self.action_spaces = {agent: base_env.agent_space(action, agent) for agent in self.agents}
        super().__init__()

    def reset(self, *, seed: int | None = None, options: Options = None) -> tuple[MultiAgentDict, MultiAgentDict]:
        """Starts an episode; returns observations and infos of all players."""
        observation, info = self._pool.reset(seed=seed, options=options)
        return self._values.observations([0], observation)[0], self._infos(info)

    def step(self, action_dict: MultiAgentDict) -> Step:
        """Runs one step, with an action of every player; raises a ValueError for other agents or a refused action."""
        sent = self._values.joined([self._values.actions(None, action_dict)])
        observation, reward, terminated, truncated, info = self._pool.step(sent)
        return (
            self._values.observations([0], observation)[0],
            self._values.by_agents([0], reward.tolist())[0],
            base_env.flags(self.agents, bool(terminated[0]), False),
            base_env.flags(self.agents, bool(truncated[0]), False),
            self._infos(info),
        )

    def _infos(self, info: dict[str, Any]) -> MultiAgentDict:
        rows = info_rows(info, 1)
        infos: MultiAgentDict = {agent: {} for agent in self.agents}
        return infos if rows is None else {**infos, base_env.COMMON: rows[0]}

    @property
    def np_random_seed(self) -> int:
        """Seed of the last seeded reset."""
        return int(np.asarray(self._pool.np_random_seed[0]))

    def close(self) -> None:
        self._pool.close()


_BASE_ENVS = base_env.RayBaseEnv if base_env.uses_ray else base_env.BaseEnv

# Classes of objects that already contain all environments, and their conversions.
_WRAPPERS: tuple[tuple[Any, Callable[..., Any]], ...] = (
    (base_env.RayExternalEnv if base_env.uses_ray else ExternalEnv, ExternalEnvWrapper),
    (base_env.RayVectorEnv if base_env.uses_ray else environments.VectorEnv, environments.VectorEnvWrapper),
    ((GymnasiumInterface, VectorInterface, PythonPool), PoolBaseEnv),
    (gymnasium.vector.VectorEnv, environments.GymnasiumBaseEnv),
    (BaseVectorEnv, environments.StackedBaseEnv),
)


def convert_to_base_env(
    env: Any,
    make_env: base_env.MakeEnv = None,
    num_envs: int = 1,
    remote_envs: bool = False,
    remote_env_batch_wait_ms: float = 0,
    restart_failed_sub_environments: bool = False,
    policy_config: Mapping[str, Any] | None = None,
    *,
    strict_rllib: bool = False,
) -> Any:
    """Converts an environment to a ``BaseEnv``, RLlib's interface for many environments with many agents.

    Args:
        env: a ``gymnasium.Env``; a ``gymnasium.vector.VectorEnv``; a pool of ``make_gymnasium``, ``make_vec`` or
            ``make_python``; a vector of ``envpool_rs.vector``; a ``BaseEnv``, ``VectorEnv``, ``MultiAgentEnv``,
            ``ExternalEnv`` or ``ExternalMultiAgentEnv``, of this package or ray's; with ``remote_envs`` also a Ray
            actor.
        make_env: function that makes the environment at an index; required for single environments with ``num_envs``
            above 1, and to recreate failed environments.
        num_envs: required number of environments, ``env`` included.
        remote_envs: whether each environment runs in its own Ray actor. ``make_env`` makes them; ``env`` then only
            provides the spaces.
        remote_env_batch_wait_ms: how long a poll waits for more than one remote environment (milliseconds).
        restart_failed_sub_environments: whether an environment that raised an exception is closed and recreated, and a
            poll returns the exception instead of an observation; if not, the exception is raised.
        policy_config: accepted for compatibility; not used.
        strict_rllib: whether ``poll`` has the form of RLlib 2.60 where that differs from its documentation: rewards at
            the start of an episode are 0.0 or missing, and flags of agents are omitted.

    Raises:
        TypeError: for another kind of environment, or an argument of the wrong type.
        ValueError: for arguments that the kind of environment does not support.
        ImportError: for ``remote_envs`` without ray.
    """
    if make_env is not None and not callable(make_env):
        raise TypeError(f"make_env={make_env!r}: expected a function of the environment's index, or None")
    integer("num_envs", num_envs, 1)
    flag("remote_envs", remote_envs)
    if policy_config is not None:
        mapping("policy_config", policy_config, "a dict or None")
    environments.check_wait(remote_env_batch_wait_ms)
    restart, kind = restart_failed_sub_environments, type(env).__name__
    wrapper = next((wrapper for kinds, wrapper in _WRAPPERS if isinstance(env, kinds)), None)
    if remote_envs:
        if num_envs == 1:
            raise ValueError("remote_envs=True with num_envs=1: expected at least 2 environments to spread over actors")
        if wrapper is not None or isinstance(env, _BASE_ENVS):
            expected = "expected a single environment (gymnasium.Env, MultiAgentEnv) or a Ray actor"
            raise ValueError(f"remote_envs=True for a {kind}: {expected}")
        multiagent = environments.is_multi_agent_env(env)
        if hasattr(getattr(env, "_is_multi_agent", None), "remote"):  # an actor of RLlib
            multiagent = bool(import_ray("remote_envs=True").get(env._is_multi_agent.remote()))
        return environments.RemoteBaseEnv(
            make_env, num_envs, multiagent, remote_env_batch_wait_ms, [env], restart, strict_rllib=strict_rllib
        )
    if isinstance(env, _BASE_ENVS):
        return env
    if wrapper is not None:
        own, why = 1, "an external environment opens its own episodes"
        if wrapper is not ExternalEnvWrapper:
            own = len(env) if wrapper is environments.StackedBaseEnv else env.num_envs
            why = f"env has {own} environments"
        if num_envs not in (1, own):
            raise ValueError(f"num_envs={num_envs}: expected {own}, since {why}")
        return wrapper(env, strict_rllib=strict_rllib)
    if environments.is_multi_agent_env(env):
        return environments.MultiAgentEnvWrapper(make_env, [env], num_envs, restart, strict_rllib=strict_rllib)
    if isinstance(env, gymnasium.Env):
        vector = environments.VectorEnv.vectorize_gym_envs(make_env, [env], num_envs, None, None, restart)
        return environments.VectorEnvWrapper(vector, strict_rllib=strict_rllib)
    raise TypeError(
        f"env is a {kind}: expected a gymnasium.Env, a gymnasium.vector.VectorEnv, a pool of make_gymnasium, make_vec "
        "or make_python, a BaseVectorEnv, or RLlib's BaseEnv, VectorEnv, MultiAgentEnv, ExternalEnv or "
        "ExternalMultiAgentEnv"
    )
