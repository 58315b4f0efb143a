"""EnvPool's interface for legacy gym over Python environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from envpool_rs.gym_facade import BASES, FIVE_VALUES, SPACES
from envpool_rs.python_pool.dialects import space_of_gym
from envpool_rs.python_pool.gymnasium_facade import EnvPoolDialect
from envpool_rs.python_pool.rows import Rows
from envpool_rs.python_pool.spec import PythonEnvSpec
from envpool_rs.workers import Steps, WorkerGroup


class PythonGymEnvPool(EnvPoolDialect, *BASES):  # type: ignore[misc]
    """EnvPool's gym interface over Python environments, in the format of the gym that is installed: as
    :class:`envpool_rs.gym_facade.GymEnvPool`.

    Attributes:
        observation_space: observation space of one environment; also ``single_observation_space``.
        action_space: action space of one environment; also ``single_action_space``.
    """

    reward_range = (-float("inf"), float("inf"))

    def __init__(self, group: WorkerGroup, spec: PythonEnvSpec) -> None:
        """Takes over environments that have been made.

        Args:
            group: the environments, idle.
            spec: their specification; its ``gym_reset_return_info`` decides the format.
        """
        super().__init__(group, spec)
        self._return_info = bool(spec.config_dict()["gym_reset_return_info"])
        self._five_values = FIVE_VALUES and self._return_info
        self.metadata = {"render.modes": [], "render_modes": [], **self.metadata}
        self.observation_space = self.single_observation_space = space_of_gym(spec.observation_space, SPACES)
        self.action_space = self.single_action_space = space_of_gym(spec.action_space, SPACES)
        self._next_seed: Any = None

    def seed(self, seed: Any = None) -> list[Any]:
        """Seeds the environments at the next ``reset()`` that names no seed, as gym before 0.26 does.

        Args:
            seed: an int, where environment ``i`` gets ``seed + i``; a list of ``num_envs`` ints; or ``None``, to go on
                with the generators.
        """
        self._next_seed = seed
        return [seed]

    def reset(
        self,
        env_id: Any = None,
        *,
        seed: Any = None,
        options: Mapping[str, Any] | None = None,
        return_info: bool | None = None,
    ) -> Any:
        """Resets environments now, cancelling an autoreset that is due.

        Args:
            env_id: ids ``(n,)``; ``None`` for all.
            seed: ``None`` to go on with the generators; an int, where environment ``i`` gets ``seed + i``; or a
                sequence with an entry for each environment asked for.
            options: ``reset_mask`` (``(num_envs,)`` booleans) in the place of ``env_id``, and what the environments'
                own ``reset`` takes as options.
            return_info: whether to return ``(obs, info)``; ``None`` for what gym's version says.

        Returns:
            ``obs`` or ``(obs, info)``, ``n`` rows.
        """
        if seed is None and env_id is None:
            seed, self._next_seed = self._next_seed, None
        return_info = self._return_info if return_info is None else return_info
        return self._reset(env_id, seed, options, return_info=return_info)

    def _step_result(self, steps: Steps | Rows) -> Any:
        rewards, infos = steps.rewards.astype(np.float32), self._infos(steps)
        if self._five_values:
            return self._observations(steps), rewards, steps.terminated, steps.truncated, infos
        infos["TimeLimit.truncated"] = steps.truncated
        return self._observations(steps), rewards, steps.terminated | steps.truncated, infos

    def _reset_result(self, steps: Steps | Rows, *, return_info: bool = True, masked: bool = False) -> Any:
        return (self._observations(steps), self._infos(steps)) if return_info else self._observations(steps)
