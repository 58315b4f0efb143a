"""EnvPool's interface for legacy gym over Python environments."""

from __future__ import annotations

from typing import Any

from envpool_rs._facades.interfaces import GymMixin
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._python_pool.results import space_of_gym
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._spec.installed_gym import ENVIRONMENT_BASES, FIVE_VALUES, SPACES
from envpool_rs._workers.worker_envs import WorkerEnvs


class PythonGymEnvPool(GymMixin, PythonPool, *ENVIRONMENT_BASES):  # type: ignore[misc]
    """EnvPool's gym interface over Python environments, in the format of the installed gym.

    It corresponds to :class:`envpool_rs.pools.GymEnvPool`.

    Attributes:
        observation_space: observation space of one environment; also ``single_observation_space``.
        action_space: action space of one environment; also ``single_action_space``.
    """

    def __new__(cls, envs: WorkerEnvs, spec: PythonEnvSpec) -> Any:
        five_values = FIVE_VALUES and spec.config_dict()["gym_reset_return_info"]
        return cls._create(envs, spec, "gymnasium" if five_values else "gym")

    def __init__(self, envs: WorkerEnvs, spec: PythonEnvSpec) -> None:
        super().__init__(envs, spec)
        self.metadata = {"render.modes": [], "render_modes": [], **self.metadata}
        self.observation_space = self.single_observation_space = space_of_gym(spec.observation_space, SPACES)
        self.action_space = self.single_action_space = space_of_gym(spec.action_space, SPACES)
