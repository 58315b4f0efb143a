"""The class that environments derive from: legacy gym's where gym is installed, gymnasium's otherwise."""

from __future__ import annotations

from typing import Any

import gymnasium

try:
    import gym
except ImportError:
    gym = None

EnvironmentBase: Any = gymnasium.Env if gym is None else gym.Env
