"""Base classes and spaces of the legacy gym interface, with and without an installed gym."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import gymnasium
from gymnasium import spaces as gymnasium_spaces

try:
    import gym
except ImportError:
    gym = None

# Base class of legacy interfaces, of which wrappers of the installed gym accept instances, and those of EnvPool's.
EnvironmentBase: Any = gymnasium.Env if gym is None else gym.Env
ENVIRONMENT_BASES: tuple[Any, ...] = (gymnasium.vector.VectorEnv, gymnasium.Env) if gym is None else (gym.Env,)
SPACES: ModuleType = gymnasium_spaces if gym is None else gym.spaces
FIVE_VALUES = gym is None or tuple(int(part) for part in gym.__version__.split(".")[:2]) >= (0, 26)
"""Whether ``step`` returns ``terminated`` and ``truncated``, unless ``gym_reset_return_info`` overrides it."""
