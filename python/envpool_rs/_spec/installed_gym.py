"""Legacy gym, where it is installed: which classes interfaces for old programs are made of."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import gymnasium
from gymnasium import spaces as gymnasium_spaces

from envpool_rs._spec.spaces import build_space
from envpool_rs._spec.spec import EnvSpec

try:
    import gym
except ImportError:
    gym = None

EnvironmentBase: Any = gymnasium.Env if gym is None else gym.Env
"""Legacy gym's ``Env`` where gym is installed, gymnasium's otherwise: what interfaces for old programs derive from, so
that wrappers of the gym that there is take them."""

ENVIRONMENT_BASES: tuple[Any, ...] = (gymnasium.vector.VectorEnv, gymnasium.Env) if gym is None else (gym.Env,)
"""What EnvPool's own interface for old programs derives from: without gym it is that for gymnasium, as EnvPool's."""

SPACES: ModuleType = gymnasium_spaces if gym is None else gym.spaces
"""The module with the classes of spaces: gym's, or gymnasium's where there is no gym."""


def _has_five_values() -> bool:
    """Whether the installed gym steps to five values; without gym, the newer format."""
    if gym is None:
        return True
    major, minor = (int(part) for part in gym.__version__.split(".")[:2])
    return (major, minor) >= (0, 26)


FIVE_VALUES = _has_five_values()
"""Whether ``step`` returns ``terminated`` and ``truncated`` unless ``gym_reset_return_info`` asks for something
else."""


class GymEnvSpec(EnvSpec):
    """The specification of a pool behind the gym interface: its spaces are of the classes of ``SPACES``, as EnvPool's
    ``spec.action_space`` is gym's and ``spec.gymnasium_action_space`` gymnasium's.
    """

    @property
    def observation_space(self) -> Any:
        """Observation space of one environment, one of gym's classes where gym is installed."""
        return build_space(self.pool.observation, SPACES)

    @property
    def action_space(self) -> Any:
        """Action space of one environment, one of gym's classes where gym is installed."""
        return build_space(self.pool.action, SPACES)
