"""EnvPool's interface for legacy gym over Python environments."""

from __future__ import annotations

from typing import Any

import numpy as np

from envpool_rs._facades.gym_facade import GymMixin
from envpool_rs._python_pool.dialects import space_of_gym
from envpool_rs._python_pool.gymnasium_facade import EnvPoolDialect
from envpool_rs._python_pool.rows import Rows
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._spec.installed_gym import FIVE_VALUES, SPACES, EnvironmentBase
from envpool_rs._workers import Steps, WorkerGroup


class PythonGymEnvPool(GymMixin, EnvPoolDialect, EnvironmentBase):  # type: ignore[misc]
    """EnvPool's gym interface over Python environments, in the format of the gym that is installed: as
    :class:`envpool_rs.gym_facade.GymEnvPool`.

    Attributes:
        observation_space: observation space of one environment; also ``single_observation_space``.
        action_space: action space of one environment; also ``single_action_space``.
    """

    def __init__(self, group: WorkerGroup, spec: PythonEnvSpec) -> None:
        """Takes over environments that have been made.

        Args:
            group: the environments, idle.
            spec: their specification; its ``gym_reset_return_info`` decides the format.
        """
        super().__init__(group, spec)
        self._five_values = FIVE_VALUES and bool(spec.config_dict()["gym_reset_return_info"])
        self.metadata = {"render.modes": [], "render_modes": [], **self.metadata}
        self.observation_space = self.single_observation_space = space_of_gym(spec.observation_space, SPACES)
        self.action_space = self.single_action_space = space_of_gym(spec.action_space, SPACES)

    def _step_result(self, steps: Steps | Rows) -> Any:
        rewards, infos = steps.rewards.astype(np.float32), self._infos(steps)
        if self._five_values:
            return self._observations(steps), rewards, steps.terminated, steps.truncated, infos
        infos["TimeLimit.truncated"] = steps.truncated
        return self._observations(steps), rewards, steps.terminated | steps.truncated, infos

    def _reset_result(self, steps: Steps | Rows, *, return_info: bool = True, masked: bool = False) -> Any:
        return (self._observations(steps), self._infos(steps)) if return_info else self._observations(steps)
