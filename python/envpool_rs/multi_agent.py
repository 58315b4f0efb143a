"""gymnasium environments of several players with ``Tuple`` spaces, as lbforaging, rware and EPyMARL have them.

An import of this module registers the names of these packages with gymnasium, in place of their own environments:
``gymnasium.make("envpool_rs.multi_agent:Foraging-8x8-2p-3f-v3")`` imports it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.envs import registration
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from envpool_rs._arguments import array, integer
from envpool_rs._facades.environments import info_row
from envpool_rs._facades.episode_options import PoolOptions, SingleOptions
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._make.make import make_vec
from envpool_rs._make.single_env import SinglePool
from envpool_rs._nested import object_array, rows_of_batch
from envpool_rs._spec.options import render_metadata
from envpool_rs._tasks.option_names import registered_names

__all__ = ["MultiAgentEnv", "MultiAgentVectorEnv"]


class _Players:
    """Spaces, observations and actions of a pool's players, as tuples with an element for each player."""

    def __init__(self, pool: Any) -> None:
        spec = pool.spec
        self.agents: list[str] = spec.agents
        self.count: int = spec.players
        self._has_rows: bool = spec.rows == spec.players
        self.observations, self.actions = (
            (space,) * self.count if self._has_rows else tuple(space.spaces.values())
            for space in (pool.single_observation_space, pool.single_action_space)
        )

    def split(self, batch: Any) -> tuple[Any, ...]:
        """Returns the observations of each player, with a row for each environment."""
        if not self._has_rows:
            return tuple(batch[agent] for agent in self.agents)
        space = self.observations[0]
        return tuple(rows_of_batch(space, batch, slice(player, None, self.count)) for player in range(self.count))

    def joined(self, actions: Any, num_envs: int, *, is_single: bool = False) -> Any:
        """Returns a pool's actions for those of each player, of one environment without an axis if ``is_single``."""
        try:
            given = [] if isinstance(actions, (str, Mapping)) else list(actions)
        except TypeError:
            given = []
        if len(given) != self.count:
            raise ValueError(f"actions={actions!r}: expected {self.count} of them, one for each player")
        arrays = [array(f"actions[{player}]", action) for player, action in enumerate(given)]
        for player, (action, space) in enumerate(zip(arrays, self.actions, strict=True)):
            shape = (*(() if is_single else (num_envs,)), *(space.shape or ()))
            if action.shape != shape:
                raise ValueError(f"actions[{player}] has the shape {action.shape}: expected {shape}")
        if is_single:
            arrays = [action[None] for action in arrays]
        if self._has_rows:
            return np.stack(arrays, axis=1).reshape(num_envs * self.count, *arrays[0].shape[1:])
        return dict(zip(self.agents, arrays, strict=True))


class MultiAgentEnv(SingleOptions, KnownAttributes, gymnasium.Env):
    """One native environment whose spaces, observations and rewards have an element for each player.

    ``observation_space`` and ``action_space`` are ``Tuple`` spaces, and ``n_agents`` is the number of players. ``step``
    takes a sequence of actions and returns a tuple of observations and a list of float rewards. There is no autoreset.
    ``options`` are those of ``envpool_rs.make_vec``, except ``num_envs``, ``batch_size`` and ``autoreset_mode``.
    """

    metadata = {"render_modes": ["human", "rgb_array", "ansi"]}  # noqa: RUF012
    n_agents: int

    def __init__(self, task_id: str, **options: Any) -> None:
        for name, value in {"num_envs": 1, "autoreset_mode": "disabled", "batch_size": 0}.items():
            if options.get(name, value) != value:
                raise ValueError(f"{name}={options[name]!r}: expected {value!r}; use MultiAgentVectorEnv for pools")
        self._pool: Any = make_vec(task_id, **{**options, "num_envs": 1, "autoreset_mode": "disabled"})
        self._players = _Players(self._pool)
        self._calls = SinglePool(self._pool)
        self._seed: int | None = None
        self.n_agents = self._players.count
        self.observation_space = spaces.Tuple(self._players.observations)
        self.action_space = spaces.Tuple(self._players.actions)
        self.metadata, self.render_mode = render_metadata(self._pool.spec.pool), self._pool.render_mode

    def seed(self, seed: int | None = None) -> None:
        """Seeds the random stream of the next ``reset``: ``seed(s)``, ``reset()`` equal ``reset(seed=s)``."""
        if seed is not None:
            self._seed = integer("seed", seed, 0, 2**63 - 1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Starts an episode; the seed ``None`` continues the random stream."""
        super().reset(seed=seed)
        observation, info = self._calls.reset(self._seed if seed is None else seed, options)
        self._seed = None
        return self._first(observation), info_row(info, 0)

    def step(  # type: ignore[override]
        self, action: Any
    ) -> tuple[tuple[Any, ...], list[float], bool, bool, dict[str, Any]]:
        """Runs one step with an action of each player."""
        joined = self._players.joined(action, 1, is_single=True)
        observation, reward, terminated, truncated, info = self._calls.step(joined)
        return self._first(observation), reward.tolist(), bool(terminated[0]), bool(truncated[0]), info_row(info, 0)

    def _first(self, batch: Any) -> tuple[Any, ...]:
        rows = zip(self._players.observations, self._players.split(batch), strict=True)
        return tuple(rows_of_batch(space, each, 0) for space, each in rows)

    def render(self) -> Any:
        """Returns a frame in the format of ``render_mode``, as ``envpool_rs.pools.SingleEnv.render`` does."""
        frames = self._pool.render()
        return None if frames is None else frames[0]

    def close(self) -> None:
        self._pool.close()


class MultiAgentVectorEnv(PoolOptions, KnownAttributes, gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Pool of native environments with several players, as a vector environment of :class:`MultiAgentEnv`.

    Observations and actions are tuples with an array for each player, whose rows are the environments. Rewards are
    float64 ``(num_envs, n_agents)``. ``options`` are those of ``envpool_rs.make_vec``, except ``batch_size``.
    ``info["final_obs"]`` has a tuple for each ended episode. With ``record_episode_statistics``, ``info["episode"]``
    has the team's return ``r``, the sum of the players' returns ``r_agents`` ``(num_envs, n_agents)``.
    """

    pool: Any
    n_agents: int

    def __init__(self, task_id: str, num_envs: int = 1, **options: Any) -> None:
        if options.get("batch_size", 0) != 0:
            raise ValueError(f"batch_size={options['batch_size']!r}: expected 0; use envpool_rs.make_vec")
        options.pop("vectorization_mode", None)  # gymnasium's make_vec adds it
        self.pool = make_vec(task_id, num_envs, **options)
        self._players = _Players(self.pool)
        self.num_envs = self.pool.num_envs
        self.n_agents = self._players.count
        self.single_observation_space = spaces.Tuple(self._players.observations)
        self.single_action_space = spaces.Tuple(self._players.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.metadata, self.render_mode = self.pool.metadata, self.pool.render_mode
        self._records: bool = self.pool.config["record_episode_statistics"]
        self._returns = np.zeros((self.num_envs, self.n_agents))

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        observation, info = self.pool.reset(seed=seed, options=options)
        self._returns[(options or {}).get("reset_mask", slice(None))] = 0
        return self._players.split(observation), info

    def step(
        self, actions: Sequence[Any]
    ) -> tuple[tuple[Any, ...], npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        joined = self._players.joined(actions, self.num_envs)
        observation, reward, terminated, truncated, info = self.pool.step(joined)
        if self.metadata.get("autoreset_mode") is AutoresetMode.SAME_STEP and "final_obs" in info:
            info["final_obs"] = object_array([self._final(each) for each in info["final_obs"]])
        rewards = reward.reshape(self.num_envs, self.n_agents)
        if self._records:
            self._returns += rewards
            ended = terminated | truncated
            if "episode" in info:
                returns = np.where(ended[:, None], self._returns, 0)
                info["episode"] |= {"r": returns.sum(axis=1), "r_agents": returns}
            self._returns[ended] = 0
        return self._players.split(observation), rewards, terminated, truncated, info

    def _final(self, observation: Any) -> tuple[Any, ...] | None:
        if observation is None:
            return None
        if isinstance(observation, dict):
            return tuple(observation.values())
        return tuple(
            rows_of_batch(self._players.observations[0], observation, player) for player in range(self.n_agents)
        )

    def render(self) -> Any:
        return self.pool.render()

    def close_extras(self, **kwargs: Any) -> None:
        self.pool.close()


def _register() -> None:
    # gymnasium's own `register` scans all ids for other versions of each.
    registration.registry.update(
        {
            name: GymnasiumEnvSpec(
                id=name,
                entry_point="envpool_rs.multi_agent:MultiAgentEnv",
                vector_entry_point="envpool_rs.multi_agent:MultiAgentVectorEnv",
                disable_env_checker=True,
                kwargs={"task_id": name},
            )
            for name in registered_names()
        }
    )


_register()
