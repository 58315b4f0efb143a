"""Adapts pools to PufferLib's interface of native environments. Importing this module imports PufferLib."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._known_attributes import KnownAttributes, all_attributes
from envpool_rs._make.make import make

try:
    from pufferlib import PufferEnv as PufferLibEnv
except ImportError as error:
    hint = "pip install --no-deps pufferlib gym"
    raise ImportError(f"envpool_rs.pufferlib needs PufferLib 3: {hint} ({error})") from error

__all__ = ["PufferEnv"]


class PufferEnv(KnownAttributes, PufferLibEnv):  # type: ignore[misc]
    """PufferLib environment whose pool writes results into PufferLib's buffers: ``pufferlib.vector.make(PufferEnv,
    env_args=["CartPole-v1", 64])``.

    ``buf`` are PufferLib's buffers, or ``None`` to allocate new ones. ``seed`` gives environment ``i`` the seed ``seed
    + i``. ``options`` are those of ``envpool_rs.make``, except ``autoreset_mode`` and ``batch_size``. ``pool`` runs the
    environments; all buffers have ``num_agents`` rows, environments times players.

    Autoreset happens in the same step, as in PufferLib's own environments: ``terminals`` and ``truncations`` report the
    episode's end, and the observation is the first of the next episode. For each ended episode, infos have a dict with
    ``episode_return`` and ``episode_length``.
    """

    pool: Any
    single_observation_space: Any
    single_action_space: Any
    num_agents: int
    infos: list[dict[str, Any]]

    def __init__(
        self, task_id: str, num_envs: int = 1, *, buf: Mapping[str, Any] | None = None, seed: int = 0, **options: Any
    ) -> None:
        fixed = {"autoreset_mode": "same_step", "record_episode_statistics": True, "batch_size": num_envs}
        for name in fixed.keys() & options.keys():
            raise ValueError(f"{name}={options[name]!r}: PufferLib expects {fixed[name]!r}")
        self.pool = make(task_id, "gymnasium", num_envs=num_envs, seed=seed, **fixed, **options)
        self.single_observation_space = self.pool.observation_space
        self.single_action_space = self.pool.action_space
        self.num_agents = num_envs * self.pool.spec.rows
        if not getattr(self.single_observation_space, "shape", None):
            self.pool.close()
            has = f"task_id={task_id!r} has observations {self.single_observation_space}"
            raise ValueError(f"{has}: PufferLib's native environments have a Box of one dimension or more")
        with all_attributes(self):
            super().__init__(buf)
        self.infos = []

    def reset(self, seed: int | None = None) -> tuple[npt.NDArray[Any], list[dict[str, Any]]]:
        """Starts an episode in every environment; returns the buffer of observations, and an empty list of infos. A
        ``seed`` of ``None`` continues the random streams; an int gives environment ``i`` the seed ``seed + i``.
        """
        self.observations[:], _ = self.pool.reset(seed=seed)
        self.rewards[:] = 0
        self.terminals[:] = self.truncations[:] = False
        self.masks[:] = True
        return self.observations, []

    def step(self, actions: npt.NDArray[Any]) -> tuple[Any, ...]:
        """Steps all environments with actions ``(num_agents, ...)``; returns the buffers of observations, rewards,
        terminals and truncations, and a list with a dict for each ended episode.
        """
        self.observations[:], self.rewards[:], terminated, truncated, info = self.pool.step(actions)
        players = self.num_agents // len(terminated)
        self.terminals[:], self.truncations[:] = np.repeat(terminated, players), np.repeat(truncated, players)
        episode = info.get("episode", {"r": (), "l": ()})
        self.infos = [
            {"episode_return": float(episode["r"][row]), "episode_length": int(episode["l"][row])}
            for row in np.flatnonzero(episode["l"])
        ]
        return self.observations, self.rewards, self.terminals, self.truncations, self.infos

    def close(self) -> None:
        """Frees all environments."""
        self.pool.close()
