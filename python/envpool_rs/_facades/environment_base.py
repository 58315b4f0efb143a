"""The class that vector environments and environments in processes derive from."""

from __future__ import annotations

from typing import Any

import gymnasium

try:
    import gym
except ImportError:
    gym = None

EnvironmentBase: Any = gymnasium.Env if gym is None else gym.Env
"""Legacy gym's ``Env`` where gym is installed, gymnasium's otherwise."""
