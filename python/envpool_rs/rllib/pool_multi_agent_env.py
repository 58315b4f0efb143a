"""One native environment with several players as RLlib's environment with many agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from envpool_rs._make.make import make_vec
from envpool_rs.rllib.base_env import agent_space
from envpool_rs.rllib.multi_agent_env import MultiAgentEnv
from envpool_rs.rllib.multi_env_dict import ALL, COMMON, MultiAgentDict
from envpool_rs.rllib.pool_agents import PoolAgents
from envpool_rs.rllib.pool_rows import info_rows


class PoolMultiAgentEnv(MultiAgentEnv):
    """A task with several players, such as ``SimpleSpread-v3``, as a ``MultiAgentEnv``: what RLlib's new API stack
    takes.

    All players act in every step, and their episode ends for all at once. Players that share a space are
    ``"agent_0"``, ``"agent_1"``, ...; those with spaces of their own keep their names.
    """

    def __init__(self, task_id: str, **options: Any) -> None:
        """Makes the environment, unreset.

        Args:
            task_id: the task.
            options: the environment's options.

        Raises:
            ValueError: for an unknown task, or a value that is not allowed.
        """
        self._pool = make_vec(task_id, num_envs=1, autoreset_mode="disabled", **options)
        self._rows = PoolAgents(self._pool.spec, [0])
        self.agents = list(self._rows.ids)
        self.possible_agents = list(self._rows.ids)
        spaces = self._pool.single_observation_space, self._pool.single_action_space
        self.observation_spaces, self.action_spaces = (
            {agent: agent_space(space, agent) for agent in self.agents} for space in spaces
        )
        super().__init__()

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[MultiAgentDict, MultiAgentDict]:
        """Begins an episode.

        Args:
            seed: ``None`` to go on with the generator.
            options: reset options.
        """
        observation, info = self._pool.reset(seed=seed, options=options)
        return self._rows.observations([0], observation)[0], self._infos(info)

    def step(
        self, action_dict: MultiAgentDict
    ) -> tuple[MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict]:
        """Plays a step.

        Args:
            action_dict: an action of every agent.

        Raises:
            ValueError: for other agents, or an action that is not allowed.
        """
        if set(action_dict) != set(self.agents):
            raise ValueError(
                f"action_dict has actions of {sorted(action_dict, key=str)}: expected one of each of {self.agents}"
            )
        observation, reward, terminated, truncated, info = self._pool.step(self._rows.actions([action_dict]))
        return (
            self._rows.observations([0], observation)[0],
            self._rows.by_agents([0], reward.tolist())[0],
            dict.fromkeys([*self.agents, ALL], bool(terminated[0])),
            dict.fromkeys([*self.agents, ALL], bool(truncated[0])),
            self._infos(info),
        )

    def _infos(self, info: dict[str, Any]) -> MultiAgentDict:
        rows = info_rows(info, 1)
        infos: MultiAgentDict = {agent: {} for agent in self.agents}
        return infos if rows is None else {**infos, COMMON: rows[0]}

    @property
    def np_random_seed(self) -> int:
        """The seed that the generator was last given."""
        return int(np.asarray(self._pool.np_random_seed[0]))

    def close(self) -> None:
        """Frees the environment."""
        self._pool.close()
