"""Adapts dm_env's environments to gymnasium's interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from envpool_rs._workers.legacy_gym_adapter import Adapter, _accepted_keywords


class DmEnvAdapter(Adapter):
    """A dm_env environment with gymnasium's interface.

    An episode that ends with discount 0 is terminated; with another discount it is truncated. ``info["discount"]``
    holds every discount that these flags do not express: below 1 within the episode, neither 0 nor 1 at its end. A
    reward of None, as in a first time step, becomes 0.

    Args:
        env: the environment.
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.observation_space = space_of_spec(env.observation_spec())
        self.action_space = space_of_spec(env.action_spec())
        self.metadata: dict[str, Any] = {}
        self.render_mode = None
        self.spec = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Resets. dm_env has no seeding: the seed goes to ``reset(seed=)`` or ``env.seed`` if present."""
        keywords: dict[str, Any] = {}
        if seed is not None:
            if "seed" in (_accepted_keywords(self.env.reset) or ()):
                keywords["seed"] = seed
            elif callable(getattr(self.env, "seed", None)):
                self.env.seed(seed)
        return self.env.reset(**keywords).observation, {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Returns one time step as gymnasium's five values."""
        time_step = self.env.step(action)
        discount = 1.0 if time_step.discount is None else time_step.discount
        last = bool(time_step.last())
        terminated = last and bool(np.all(np.asarray(discount) == 0))
        plain = np.all(np.asarray(discount) == 1) or terminated
        info = {} if plain else {"discount": discount}
        reward = 0.0 if time_step.reward is None else time_step.reward
        return time_step.observation, reward, terminated, last and not terminated, info


def space_of_spec(spec: Any) -> Any:
    """Converts a dm_env spec, or a dict, list or tuple of specs, to a gymnasium space.

    Raises:
        TypeError: for a spec without a counterpart (strings, objects).
    """
    if isinstance(spec, Mapping):
        return spaces.Dict({name: space_of_spec(each) for name, each in spec.items()})
    if isinstance(spec, (list, tuple)):
        return spaces.Tuple(tuple(space_of_spec(each) for each in spec))
    kind = type(spec).__name__
    if kind == "DiscreteArray":
        return spaces.Discrete(int(spec.num_values))
    if kind == "StringArray" or spec.dtype == object:
        raise TypeError(f"spec {spec!r}: expected an array of numbers")
    if spec.dtype == bool:
        return spaces.MultiBinary(spec.shape) if spec.shape else spaces.Box(0, 1, (), np.int8)
    low, high = _bounds(spec)
    return spaces.Box(low, high, spec.shape, spec.dtype)


def _bounds(spec: Any) -> tuple[Any, Any]:
    if hasattr(spec, "minimum"):
        low, high = np.broadcast_to(spec.minimum, spec.shape), np.broadcast_to(spec.maximum, spec.shape)
        return low.astype(spec.dtype), high.astype(spec.dtype)
    if np.issubdtype(spec.dtype, np.integer):
        limits = np.iinfo(spec.dtype)
        return np.full(spec.shape, limits.min, spec.dtype), np.full(spec.shape, limits.max, spec.dtype)
    return np.full(spec.shape, -np.inf, spec.dtype), np.full(spec.shape, np.inf, spec.dtype)
