"""Legacy gym, where it is installed: which of the two libraries' classes interfaces for old programs are made of."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import gymnasium
from gymnasium import spaces as gymnasium_spaces

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
