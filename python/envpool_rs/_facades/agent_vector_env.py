"""Vector environment whose rows are the agents of a pool's environments."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv

from envpool_rs._arguments import seeds_of
from envpool_rs._facades.environments import PLAYER_INFOS
from envpool_rs._facades.episode_options import PoolOptions
from envpool_rs._facades.normalization import Normalization
from envpool_rs._facades.pool import EnvPoolMixin
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import leaves as leaves_of
from envpool_rs._nested import object_array, rows_of_batch

_ENDINGS = ("final_obs", "final_info", "episode")  # infos about an episode's end, which are made for each agent
_FLAGS = ("agent_terminated", "agent_truncated")  # infos of Python environments: the agents that leave in this step


class AgentVectorEnv(PoolOptions, KnownAttributes, VectorEnv[Any, Any, Any]):
    """gymnasium's vector interface with a row for each agent of a synchronous ``pool`` with gymnasium's vector
    interface in same-step autoreset mode, whose ``agents`` share one observation space and one action space: row ``env
    * len(agents) + agent``, and ``num_envs`` rows.

    Each row has its own flags and infos; with ``record_episode_statistics``, ``info["episode"]`` has return ``r``,
    length ``l`` and seconds ``t`` of each agent's ended episodes. With agents that leave before the end of their
    environment's episode, a row ends when its agent leaves: ``info["final_obs"]`` has the agent's last observation.
    Until the environment's next episode, the row contains zeros and ``info["agent_mask"]`` is false. The row ends a
    second time when the environment's episode ends.
    """

    __del__ = EnvPoolMixin.__del__
    pool: Any
    agents: list[str]
    config: dict[str, Any]

    def __init__(self, pool: Any, record_episode_statistics: bool = False) -> None:
        mode = pool.metadata.get("autoreset_mode")
        if mode is not AutoresetMode.SAME_STEP:
            raise ValueError(f"autoreset_mode is {mode}: expected AutoresetMode.SAME_STEP")
        if pool.is_async:
            raise ValueError("batch_size is below num_envs: expected a pool that steps all environments at once")
        spec = pool.spec
        if spec.rows != spec.players:
            own = f"the agents {', '.join(spec.agents)} have spaces of their own"
            expected = "agents that share one observation space and one action space"
            raise ValueError(f"{own}: expected {expected}; wrappers such as SuperSuit's pad them")
        self.pool, self.spec, self.agents = pool, spec, spec.agents
        self.num_envs = pool.num_envs * len(self.agents)
        for name in ("metadata", "render_mode", "observation_space", "action_space"):
            setattr(self, name, getattr(pool, name))
        self.single_observation_space = pool.single_observation_space
        self.single_action_space = pool.single_action_space
        self.config = {"record_episode_statistics": record_episode_statistics}
        self._players = len(self.agents)
        self._records = record_episode_statistics
        self._present = np.ones(self.num_envs, np.bool_)
        self._returns = np.zeros(self.num_envs)
        self._lengths = np.zeros(self.num_envs, np.int64)
        self._starts = np.full(self.num_envs, time.perf_counter())

    def reset(self, *, seed: Any = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode in every environment; returns observations and infos, with a row for each agent.

        A ``seed`` of ``None`` continues the random streams; an int gives row ``r`` the seed ``seed + r``; a sequence
        has an entry for each row. The seed of an environment is that of its first agent. ``options`` are those of the
        environments' reset, without a mask.
        """
        if options is not None and "reset_mask" in options:
            raise ValueError("options['reset_mask']: expected no mask; the rows of an environment are reset together")
        if seed is not None:
            seed = seeds_of(seed, range(self.num_envs), f"num_envs={self.num_envs}")[:: self._players]
        observation, info = self.pool.reset(seed=seed, options=options)
        rows = self._rows_of(info)
        self._present = rows.get("agent_mask", np.ones(self.num_envs, np.bool_)).copy()
        self._returns[:], self._lengths[:], self._starts[:] = 0, 0, time.perf_counter()
        return observation, rows

    def step(self, actions: Any) -> tuple[Any, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Steps all environments with an action for each row; actions of absent agents are ignored.

        Returns observations, rewards, terminated, truncated and infos, with a row for each agent.
        """
        observation, reward, terminated, truncated, info = self.pool.step(actions)
        ended = np.repeat(terminated | truncated, self._players)
        if not info and not ended.any():  # the usual step of tasks without infos
            if self._records:
                self._returns += reward
                self._lengths += 1
            return observation, reward, ended, ended.copy(), {}
        terminated, truncated = (np.repeat(flags, self._players) for flags in (terminated, truncated))
        rows = self._rows_of(info)
        final_info = self._rows_of(info.get("final_info", {}))
        # Environments whose process was restarted have ended an episode without a last observation.
        has_finals = np.zeros_like(ended)
        has_finals[:] = np.repeat(info["_final_obs"], self._players) if "_final_obs" in info else False
        leaves = np.zeros_like(ended)
        if "agent_mask" in info:
            # The flags of all agents: those of `final_info` for ended episodes.
            own = [np.where(has_finals, final_info.get(name, False), info[name].reshape(-1)) for name in _FLAGS]
            leaves = (own[0] | own[1]) & ~ended
            # Agents that have no flags of their own end with their environment's episode.
            terminated = np.where(own[0] | own[1], own[0], terminated)
            truncated = np.where(own[0] | own[1], own[1], truncated)
        reported = has_finals | leaves
        if reported.any():
            finals = np.full(self.num_envs, None, dtype=object)
            space, players = self.single_observation_space, self._players
            for row in np.flatnonzero(has_finals).tolist():
                finals[row] = rows_of_batch(space, info["final_obs"][row // players], row % players)
            for row in np.flatnonzero(leaves).tolist():
                finals[row] = rows_of_batch(space, observation, row)
            for leaf in leaves_of(observation) if leaves.any() else ():
                leaf[leaves] = 0
            for key, values in rows.items():
                if isinstance(values, np.ndarray):
                    final_info.setdefault(key, np.zeros_like(values))[leaves] = values[leaves]
            rows["final_obs"], rows["_final_obs"] = finals, reported
            rows["final_info"], rows["_final_info"] = final_info, reported.copy()
        if self._records:
            self._record(rows, reward, ended | leaves)
        if "agent_mask" in rows:
            self._present = rows["agent_mask"].copy()
            for name in _FLAGS:
                del rows[name], rows[f"_{name}"]
        return observation, reward, terminated, truncated, rows

    def _record(self, rows: dict[str, Any], reward: npt.NDArray[Any], finished: npt.NDArray[np.bool_]) -> None:
        self._returns += reward
        self._lengths += self._present
        # An absent agent has no episode of its own.
        reported = finished & (self._lengths > 0)
        if reported.any():
            seconds = np.round(time.perf_counter() - self._starts, 6)
            values = {"r": self._returns, "l": self._lengths, "t": seconds}
            rows["episode"] = {key: np.where(reported, each, 0) for key, each in values.items()}
            rows["episode"].update({f"_{key}": reported.copy() for key in values})
            rows["_episode"] = reported
        self._returns[finished], self._lengths[finished], self._starts[finished] = 0, 0, time.perf_counter()

    def _rows_of(self, info: Mapping[str, Any]) -> dict[str, Any]:
        rows: dict[str, Any] = {}
        for key, values in info.items():
            if key.removeprefix("_") in _ENDINGS or key.removeprefix("_") in self.agents:
                continue
            if key == "agent_mask" or key in _FLAGS:
                rows[key] = values.reshape(-1)
            elif key in PLAYER_INFOS and values.shape[1:2] == (self._players,):
                rows[key] = values.reshape(-1, *values.shape[2:]).copy()
            elif isinstance(values, Mapping):
                rows[key] = self._rows_of(values)
            else:
                has_players = len(values) == self.num_envs and self._players > 1
                rows[key] = values.copy() if has_players else np.repeat(values, self._players, axis=0)
        for index, agent in enumerate(self.agents):
            if isinstance(info.get(agent), Mapping):
                self._merge(rows, info[agent], index)
        return rows

    def _merge(self, rows: dict[str, Any], info: Mapping[str, Any], index: int) -> None:
        """Adds the infos of one agent of each environment to the infos of all rows."""
        for key, values in info.items():
            if isinstance(values, Mapping):
                self._merge(rows.setdefault(key, {}), values, index)
                continue
            column = rows.get(key)
            if column is None:
                column = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            elif column.dtype != values.dtype or column.shape[1:] != values.shape[1:]:
                column = object_array(column)
            column[index :: self._players] = object_array(values) if column.dtype == object else values
            rows[key] = column

    @property
    def normalization(self) -> Normalization | None:
        """Statistics of normalisation, as pools have them; ``None`` if results are not normalised."""
        return getattr(self.pool, "normalization", None)

    # Methods that call the pool's environments.

    def call(self, name: str, /, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Calls a method of each environment, or reads an attribute; returns the result for each row."""
        return self._repeated(self.pool.call(name, *args, **kwargs))

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Returns an attribute of each row's environment."""
        return self._repeated(self.pool.get_attr(name))

    def _repeated(self, values: Any) -> tuple[Any, ...]:
        return tuple(value for value in values for _ in self.agents)

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute of each environment: to one value for all, or to a list's or tuple's entry for each row, of
        which that of an environment's first agent counts.
        """
        self.pool.set_attr(name, values[:: self._players] if isinstance(values, (list, tuple)) else values)

    def render(self) -> tuple[Any, ...] | None:
        """Returns a frame of each row's environment."""
        frames = self.pool.render()
        return None if frames is None else self._repeated(frames)

    def close_extras(self, **kwargs: Any) -> None:
        self.pool.close(**kwargs)
