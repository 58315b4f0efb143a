"""Observations in EnvPool's dtypes: int32 for int64, float32 for float64."""

from __future__ import annotations

from collections import OrderedDict
from types import ModuleType
from typing import Any

import numpy as np
from gymnasium import spaces

from envpool_rs._nested import folded

SMALLER: dict[np.dtype[Any], Any] = {
    np.dtype(np.int64): np.dtype(np.int32),
    np.dtype(np.float64): np.dtype(np.float32),
}
"""EnvPool's dtypes for gymnasium's."""


def envpool_space(space: Any) -> Any:
    """The space that EnvPool shows for one of gymnasium's.

    Args:
        space: any space; those without arrays stay as they are.
    """
    return folded(space, _envpool_leaf, lambda parts: spaces.Dict(OrderedDict(parts)), spaces.Tuple)


def _envpool_leaf(space: Any) -> Any:
    dtype = SMALLER.get(space.dtype)
    if dtype is None or not isinstance(space, (spaces.Box, spaces.MultiDiscrete)):
        return space
    if isinstance(space, spaces.MultiDiscrete):
        return spaces.MultiDiscrete(space.nvec, dtype=dtype.type, start=space.start)
    return spaces.Box(_bound(space.low, dtype), _bound(space.high, dtype), space.shape, dtype.type)


def _bound(bound: Any, dtype: Any) -> Any:
    # Converted here, because Box warns about bounds that lose precision.
    if dtype.kind == "i":
        limits = np.iinfo(dtype)
        return np.clip(bound, limits.min, limits.max).astype(dtype)
    with np.errstate(over="ignore"):
        return bound.astype(dtype)


def envpool_observation(observation: Any) -> Any:
    """A batch of observations in EnvPool's dtypes.

    Args:
        observation: an array, or a dict or tuple of them; other objects stay as they are.
    """
    if isinstance(observation, (np.ndarray, np.generic)):
        return envpool_array(observation)
    if type(observation) is dict:
        return {key: envpool_observation(part) for key, part in observation.items()}
    if type(observation) is tuple:
        return tuple(envpool_observation(part) for part in observation)
    return observation


def envpool_array(array: Any) -> Any:
    """An array (or scalar of numpy) in EnvPool's dtype. Integers that do not fit int32 stay what they are."""
    dtype = SMALLER.get(array.dtype)
    if dtype is None:
        return array
    with np.errstate(over="ignore"):
        smaller = array.astype(dtype)
    return array if dtype.kind == "i" and (smaller != array).any() else smaller


def space_of_gym(space: Any, gym_spaces: ModuleType) -> Any:
    """A space of gymnasium as one of legacy gym's classes.

    Args:
        space: any space; kinds that gym does not have stay gymnasium's.
        gym_spaces: ``gym.spaces``, or ``gymnasium.spaces``, where everything stays as it is.
    """
    if gym_spaces is spaces:
        return space
    return folded(
        space,
        lambda leaf: _array_space_of_gym(leaf, gym_spaces) or leaf,
        lambda parts: gym_spaces.Dict(OrderedDict(parts)),
        lambda parts: gym_spaces.Tuple([*parts]),
    )


def _array_space_of_gym(space: Any, gym_spaces: ModuleType) -> Any:
    if isinstance(space, spaces.Box):
        return gym_spaces.Box(space.low, space.high, space.shape, space.dtype)
    if isinstance(space, spaces.Discrete):
        # Releases of gym before 0.23 know no `start`.
        start = {"start": int(space.start)} if space.start else {}
        return gym_spaces.Discrete(int(space.n), **start)
    if isinstance(space, spaces.MultiDiscrete):
        return gym_spaces.MultiDiscrete(space.nvec)
    if isinstance(space, spaces.MultiBinary):
        return gym_spaces.MultiBinary(space.n)
    return None
