"""PettingZoo's ``ParallelEnv`` for tasks with several players, and vector environments with a row per player."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from envpool_rs._arguments import array, flag, mapping
from envpool_rs._facades.agent_vector_env import AgentVectorEnv
from envpool_rs._facades.environments import info_row
from envpool_rs._facades.episode_options import SingleOptions
from envpool_rs._facades.normalization import Normalization
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._make.make import make_vec
from envpool_rs._make.single_env import SinglePool
from envpool_rs._nested import rows_of_batch

try:
    from pettingzoo import ParallelEnv
except ImportError as error:
    hint = "pip install 'envpool_rs[pettingzoo]'"
    raise ImportError(f"envpool_rs.pettingzoo needs PettingZoo: {hint} ({error})") from error

__all__ = ["AgentVectorEnv", "PoolParallelEnv", "make_agent_vec", "parallel_env"]

_ARRAY_SPACES = (spaces.Box, spaces.Discrete, spaces.MultiBinary, spaces.MultiDiscrete)


def make_agent_vec(
    env: str | Callable[[], Any] | Sequence[Callable[[], Any]],
    num_envs: int | None = None,
    *,
    record_episode_statistics: bool = False,
    **options: Any,
) -> AgentVectorEnv:
    """Makes a gymnasium vector environment with a row for each agent, as SuperSuit's ``pettingzoo_env_to_vec_env_v1``
    and ``concat_vec_envs_v1`` do.

    Args:
        env: a native task with several players; or a list of functions, each of which makes a PettingZoo
            ``ParallelEnv``; or one such function for all environments. Environments made by functions run in worker
            processes.
        num_envs: number of environments (by default the number of functions, or 1).
        record_episode_statistics: whether ``info["episode"]`` reports the ended episodes of each agent.
        options: those of ``envpool_rs.make_vec``, except ``batch_size`` and ``autoreset_mode``; the autoreset mode is
            ``"same_step"``.

    Returns an environment with ``num_envs * agents`` rows, for ``envpool_rs.sb3.VecEnv`` or any other user of
    gymnasium's interface. Agents with different spaces raise a ``ValueError``.
    """
    mode = options.setdefault("autoreset_mode", "same_step")
    if mode != "same_step":
        raise ValueError(f"autoreset_mode={mode!r}: expected 'same_step'; use make_vec for other modes")
    records = flag("record_episode_statistics", record_episode_statistics)
    pool = make_vec(env, num_envs, **options)
    try:
        return AgentVectorEnv(pool, records)
    except BaseException:
        pool.close()
        raise


def parallel_env(task_id: str, **options: Any) -> PoolParallelEnv:
    """Makes one environment of a native task with two or more players, with PettingZoo's ``ParallelEnv`` interface.
    ``options`` are those of ``envpool_rs.make_vec``, except ``num_envs``, ``autoreset_mode`` and ``batch_size``.
    """
    return PoolParallelEnv(task_id, **options)


class PoolParallelEnv(SingleOptions, KnownAttributes, ParallelEnv):  # type: ignore[misc, unused-ignore]
    """PettingZoo ``ParallelEnv`` that plays a pool of one native environment; the arguments are those of
    :func:`parallel_env`.

    All agents are present in every step, and leave together when the episode ends: ``agents`` is ``possible_agents``
    during an episode, otherwise empty. If all players share one space, their names are ``agent_0``, ``agent_1``, ...;
    otherwise the task names its players. ``metadata`` has ``name``, ``render_modes``, ``render_fps`` and
    ``is_parallelizable``.
    """

    render_mode: str | None
    # PettingZoo's ``parallel_api_test`` and its wrappers assign these, without effect on environments in general.
    max_cycles: int
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]

    def __init__(self, task_id: str, **options: Any) -> None:
        for name, value in {"num_envs": 1, "autoreset_mode": "disabled", "batch_size": 0}.items():
            if options.get(name, value) != value:
                raise ValueError(f"{name}={options[name]!r}: expected {value!r}; use make_vec for other pools")
        self._pool: Any = make_vec(task_id, **{**options, "num_envs": 1, "autoreset_mode": "disabled"})
        spec = self._pool.spec
        if spec.players == 1:
            self._pool.close()
            raise ValueError(f"task_id={task_id!r}: expected a task with two or more players; use make_vec")
        self._calls = SinglePool(self._pool)
        self._ids: list[str] = spec.agents
        self._has_rows: bool = spec.rows == spec.players
        self.possible_agents = [*self._ids]
        self.agents: list[str] = []
        self.observation_spaces, self.action_spaces = (
            dict.fromkeys(self._ids, space) if self._has_rows else dict(space.spaces)
            for space in (self._pool.single_observation_space, self._pool.single_action_space)
        )
        self.metadata = {"name": spec.task_id, "is_parallelizable": True, **self._pool.metadata}
        del self.metadata["autoreset_mode"]
        self.render_mode = self._pool.render_mode
        self._actions_of: Callable[[Mapping[str, Any]], tuple[Any, ...]] = itemgetter(*self._ids)
        self._in_arrays = all(isinstance(each, _ARRAY_SPACES) for each in self.observation_spaces.values())
        self._last: dict[str, Any] | None = None

    @property
    def normalization(self) -> Normalization | None:
        """Statistics of normalisation, as pools have them; ``None`` if results are not normalised."""
        return self._pool.normalization  # type: ignore[no-any-return]

    def observation_space(self, agent: str) -> Any:
        """Returns an agent's observation space, the same object in each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Returns an agent's action space, the same object in each call."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Starts a new episode; returns observations and infos by agent. A ``seed`` of ``None`` continues the
        environment's random stream. ``options`` are those of the task that may change, for this episode alone, and its
        reset options; unknown ones are ignored with a warning, because PettingZoo's own tests give such.
        """
        own = self._pool.spec.pool
        known = {*own.episode_options, *own.reset_options}
        given = dict(mapping("options", options or {}, "a dict or None"))
        for name in given.keys() - known:
            warnings.warn(f"reset(options={{{name!r}: ...}}): the task has no such option; ignored", stacklevel=2)
            del given[name]
        observation, info = self._calls.reset(seed, given or None)
        self.agents = [*self._ids]
        self._last = self._by_agent(observation)
        return self._last.copy(), self._infos(info)

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Runs one step with an action of each agent; returns observations, rewards, terminations, truncations and
        infos by agent, empty dicts after the episode's end. Raises a ``RuntimeError`` before the first ``reset``, a
        ``ValueError`` for a missing or an unknown agent or an action outside the agent's action space, and a
        ``TypeError`` for actions of the wrong type.
        """
        if not self.agents:
            if self._last is None:
                raise RuntimeError("step(): the environment has no state yet; call reset first")
            return {}, {}, {}, {}, {}
        try:
            chosen = self._actions_of(actions)
        except (KeyError, TypeError, IndexError):  # arrays raise an IndexError
            chosen = ()
        if not chosen or len(actions) != len(self._ids):
            expected = f"a dict with an action of each of {', '.join(map(repr, self._ids))}"
            faults = [f"lacks {agent!r}" for agent in self._ids if agent not in mapping("actions", actions, expected)]
            faults += [f"has {agent!r}" for agent in actions if agent not in self._ids]
            raise ValueError(f"actions {faults[0]}: expected {expected}")
        observation, reward, terminated, truncated, info = self._calls.step(self._batched(chosen))
        terminations, truncations = (dict.fromkeys(self._ids, bool(flags[0])) for flags in (terminated, truncated))
        self._last = self._by_agent(observation)
        if terminated[0] or truncated[0]:
            self.agents = []
        rewards = dict(zip(self._ids, reward.tolist(), strict=True))
        return self._last.copy(), rewards, terminations, truncations, self._infos(info)

    def _batched(self, chosen: tuple[Any, ...]) -> Any:
        try:
            if self._has_rows:
                return np.array(chosen)
        except ValueError:  # actions of different shapes
            chosen = tuple(array(f"actions[{agent!r}]", each) for agent, each in zip(self._ids, chosen, strict=True))
            shapes = sorted({action.shape for action in chosen})
            raise ValueError(f"actions have the shapes {shapes}: expected one shape") from None
        named = zip(self._ids, chosen, strict=True)
        return {agent: array(f"actions[{agent!r}]", action)[None] for agent, action in named}

    def _by_agent(self, observation: Any) -> dict[str, Any]:
        if self._in_arrays:
            if self._has_rows:
                return dict(zip(self._ids, observation, strict=True))
            return {agent: observation[agent][0] for agent in self._ids}
        if self._has_rows:
            space = self._pool.single_observation_space
            return {agent: rows_of_batch(space, observation, row) for row, agent in enumerate(self._ids)}
        return {agent: rows_of_batch(self.observation_spaces[agent], observation[agent], 0) for agent in self._ids}

    def _infos(self, info: dict[str, Any]) -> dict[str, dict[str, Any]]:
        return {agent: info_row(info, 0, player, len(self._ids)) for player, agent in enumerate(self._ids)}

    def state(self) -> npt.NDArray[Any]:
        """Returns the observations of all agents, flattened and concatenated, like ``state()`` of mpe2's environments.
        Raises a ``RuntimeError`` before the first ``reset``, and a ``NotImplementedError`` for observations that are
        not arrays.
        """
        if not self._in_arrays:
            raise NotImplementedError("state(): expected observations that are arrays")
        if self._last is None:
            raise RuntimeError("state(): the environment has no state yet; call reset first")
        return np.concatenate([self._last[agent] for agent in self._ids], axis=None)

    def render(self) -> Any:
        """Returns a frame in the format of ``render_mode``: an image ``(height, width, 3)`` uint8, for example. Raises
        a ``NotImplementedError`` if the task renders nothing, and a ``RuntimeError`` without ``render_mode`` or before
        the first ``reset``.
        """
        frames = self._pool.render()
        return None if frames is None else frames[0]

    def close(self) -> None:
        self._pool.close()
