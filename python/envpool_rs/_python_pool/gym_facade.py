"""EnvPool's interface for legacy gym over Python environments."""

from __future__ import annotations

from envpool_rs._facades.gym_facade import GymInterface
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._python_pool.results import space_of_gym
from envpool_rs._spec.installed_gym import ENVIRONMENT_BASES, SPACES
from envpool_rs._spec.spec import EnvSpec


class PythonGymEnvPool(GymInterface, PythonPool, *ENVIRONMENT_BASES):  # type: ignore[misc]
    """EnvPool's gym interface over Python environments, in the format of the installed gym.

    It corresponds to :class:`envpool_rs.pools.GymEnvPool`.

    Attributes:
        observation_space: observation space of one environment; also ``single_observation_space``.
        action_space: action space of one environment; also ``single_action_space``.
    """

    def _set_up(self, spec: EnvSpec) -> None:
        super()._set_up(spec)
        self.metadata = {**self.metadata, "render.modes": [], "render_modes": [], **spec.metadata}
        self.observation_space = self.single_observation_space = space_of_gym(spec.observation_space, SPACES)
        self.action_space = self.single_action_space = space_of_gym(spec.action_space, SPACES)
