"""EnvPool's interface for legacy gym over Python environments."""

from __future__ import annotations

from collections import OrderedDict
from types import ModuleType
from typing import Any

from gymnasium import spaces

from envpool_rs._facades.gym_facade import GymInterface
from envpool_rs._nested import fold_space
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._spec.installed_gym import ENVIRONMENT_BASES, SPACES
from envpool_rs._spec.spec import EnvSpec


class PythonGymEnvPool(GymInterface, PythonPool, *ENVIRONMENT_BASES):  # type: ignore[misc]
    """EnvPool's gym interface over Python environments, in the format of the installed gym.

    It corresponds to :class:`envpool_rs.pools.GymEnvPool`. Its spaces are those of one environment.
    """

    def _set_up(self, spec: EnvSpec) -> None:
        super()._set_up(spec)
        self.metadata = {**self.metadata, "render.modes": [], "render_modes": [], **spec.metadata}
        self.observation_space = self.single_observation_space = space_of_gym(spec.observation_space, SPACES)
        self.action_space = self.single_action_space = space_of_gym(spec.action_space, SPACES)


def space_of_gym(space: Any, gym_spaces: ModuleType) -> Any:
    """Converts a gymnasium space to legacy gym's class."""

    def leaf(space: Any) -> Any:
        if isinstance(space, spaces.Box):
            return gym_spaces.Box(space.low, space.high, space.shape, space.dtype)
        if isinstance(space, spaces.Discrete):
            # gym's releases before 0.23 have no argument `start`.
            return gym_spaces.Discrete(int(space.n), **({"start": int(space.start)} if space.start else {}))
        if isinstance(space, spaces.MultiDiscrete):
            return gym_spaces.MultiDiscrete(space.nvec)
        return gym_spaces.MultiBinary(space.n) if isinstance(space, spaces.MultiBinary) else space

    if gym_spaces is spaces:
        return space

    def of_dict(parts: Any) -> Any:
        return gym_spaces.Dict(OrderedDict(parts))

    return fold_space(space, leaf, of_dict, lambda parts: gym_spaces.Tuple([*parts]))
