"""The class that vector environments derive from: legacy gym's Env where gym is installed, gymnasium's otherwise."""

from __future__ import annotations

import gymnasium

try:
    import gym
except ImportError:
    gym = None

Env: type = gymnasium.Env if gym is None else gym.Env
