"""Spaces, array specs, and the fields of dm_env's time steps."""

from __future__ import annotations

import functools
import keyword
import re
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces as gymnasium_spaces

from envpool_rs._nested import fold_space, parts_of_descriptor

if TYPE_CHECKING:
    from envpool_rs import _core
    from envpool_rs._core import SpaceDescriptor


@dataclass(frozen=True)
class ArraySpec:
    """Specification of one array of a step's input or output, as in EnvPool.

    ``shape`` is that of one environment; ``-1`` stands for the number of players, also in the shape of scalars.
    ``minimum`` and ``maximum`` are inclusive: scalars or arrays of the shape of one observation or action.
    ``is_discrete`` is EnvPool's flag for discrete values of a non-integer dtype; false for every array of this package.
    """

    dtype: np.dtype[Any]
    shape: list[int]
    minimum: Any
    maximum: Any
    is_discrete: bool = False

    @property
    def discrete_range(self) -> tuple[int, int] | None:
        """Smallest and largest value of a scalar array of a discrete space; ``None`` for all other arrays."""
        if self.dtype.kind not in "iu" or np.prod(np.abs(self.shape)) != 1:
            return None
        if np.size(self.minimum) != 1 or np.size(self.maximum) != 1 or np.max(self.maximum) >= _MAX_DISCRETE_VALUES:
            return None
        return int(np.min(self.minimum)), int(np.max(self.maximum))

    @property
    def as_tuple(self) -> tuple[Any, ...]:
        """EnvPool's tuple: dtype, shape, bounds common to all elements, bounds of each element, ``is_discrete``."""
        each = tuple([] if np.ndim(bound) == 0 else np.ravel(bound).tolist() for bound in (self.minimum, self.maximum))
        every = _dtype_range(self.dtype) if any(each) else (self.minimum, self.maximum)
        return self.dtype, list(self.shape), every, each, self.is_discrete


_MAX_DISCRETE_VALUES = 2**20  # number of values below which EnvPool treats an integer array as discrete


def build_space(descriptor: SpaceDescriptor, spaces: ModuleType = gymnasium_spaces) -> Any:
    """Makes the space of one environment from the extension's description, of gymnasium's classes or gym's."""
    if descriptor[0] in ("dict", "tuple"):
        # A plain dict would be sorted by key, but the arrays have the environment's order.
        leaf = functools.partial(build_space, spaces=spaces)
        return fold_space(
            descriptor, leaf, lambda parts: spaces.Dict(OrderedDict(parts)), spaces.Tuple, parts_of_descriptor
        )
    if descriptor[0] == "box":
        _, low, high, shape, dtype = descriptor
        kind = np.dtype(dtype)
        # Bounds are converted here, because Box warns about every float64 bound of a float32 space.
        values = [np.asarray(bound, dtype=np.float64).astype(kind) for bound in (low, high)]
        bounds = [np.full(shape, each, kind) if each.size == 1 else each.reshape(shape) for each in values]
        return spaces.Box(*bounds, shape, kind.type)
    if descriptor[0] == "text":
        return spaces.Text(descriptor[1], min_length=0, charset=descriptor[2])
    if descriptor[0] == "multi_binary":
        shape = descriptor[1]
        return spaces.MultiBinary(shape[0] if len(shape) == 1 else list(shape))
    if descriptor[0] == "multi_discrete":
        _, counts, shape, _ = descriptor
        return spaces.MultiDiscrete(np.asarray(counts, dtype=np.int64).reshape(shape))
    assert descriptor[0] == "discrete"
    _, n, start, _ = descriptor
    # gym's releases before 0.23 have no argument `start`.
    return spaces.Discrete(n, start=start) if start else spaces.Discrete(n)


def array_spec(dtype: str, shape: tuple[int, ...], space: SpaceDescriptor | None = None) -> ArraySpec:
    """Returns the ``ArraySpec`` of one array, with the bounds of its box or discrete space, or else of its dtype."""
    kind = np.dtype(dtype)
    minimum, maximum = _dtype_range(kind)
    if space is not None and space[0] == "box":
        bounds = [np.asarray(bound, dtype=np.float64).astype(kind) for bound in space[1:3]]
        are_equal = [each.size > 0 and (each == each.flat[0]).all() for each in bounds]
        minimum, maximum = (
            each.flat[0].item() if equal else each.reshape(space[3])
            for each, equal in zip(bounds, are_equal, strict=True)
        )
    elif space is not None and space[0] == "discrete":
        minimum, maximum = space[2], space[2] + space[1] - 1
    elif space is not None and space[0] == "multi_binary":
        minimum, maximum = 0, 1
    elif space is not None and space[0] == "multi_discrete":
        minimum, maximum = 0, np.asarray(space[1], dtype=kind).reshape(space[2]) - 1
    return ArraySpec(kind, list(shape), minimum, maximum)


def _dtype_range(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    if dtype.kind == "b":
        return False, True
    limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    number = float if dtype.kind == "f" else int
    return number(limits.min), number(limits.max)


def dm_array(name: str, array: ArraySpec) -> Any:
    """Returns the dm_env spec of one array, for one environment and one player; raises ImportError without dm_env."""
    specs = import_dm_env().specs
    discrete = array.discrete_range
    if discrete is not None and discrete[0] == 0:
        return specs.DiscreteArray(discrete[1] + 1, dtype=array.dtype, name=name)
    shape = [size for size in array.shape if size != -1]
    return specs.BoundedArray(shape, array.dtype, array.minimum, array.maximum, name=name)


def import_dm_env() -> Any:
    try:
        import dm_env
        import dm_env.specs
    except ImportError as error:
        raise ImportError("the dm interface needs dm_env: pip install 'envpool_rs[dm]'") from error
    return dm_env


def field_name(key: str) -> str:
    """Converts a key to a namedtuple's field: words joined by ``_``, after ``x`` if it starts with no letter."""
    name = re.sub(r"\W", "_", key)
    return name if name[:1].isalpha() and not keyword.iskeyword(name) else f"x{name}"


def to_nested_dict(flatten_dict: dict[str, Any], generator: type = dict) -> Any:
    """Converts a dict with dotted keys (``"players.env_id"``) to nested dicts, each made by ``generator``."""
    nested = generator()
    for key, value in flatten_dict.items():
        *outer, last = key.split(".")
        place = nested
        for part in outer:
            if part not in getattr(place, "spaces", place):
                place[part] = generator()
            place = place[part]
        place[last] = value
    return nested


def to_namedtuple(name: str, hdict: Any) -> Any:
    """Converts a dict and its nested dicts to namedtuples, the outer one of class ``name``; no other values."""
    if not isinstance(hdict, dict):
        return hdict
    parts = [to_namedtuple(key, part) for key, part in hdict.items()]
    return tuple_type(field_name(name), map(field_name, hdict))(*parts)


_namedtuple = functools.cache(namedtuple)


def tuple_type(name: str, fields: Iterable[str]) -> Any:
    """Returns the one namedtuple class with these fields; pytree types in a jax program must not change."""
    return _namedtuple(name, tuple(fields))


def timestep_fields(names: list[str]) -> dict[str, str]:
    """Returns the arrays of a dm_env time step's observation, with their dotted paths: ids, observation, infos."""
    ids = ["info:env_id", "info:players.env_id"]
    observation = [name for name in names if name == "obs" or name.startswith("obs:")]
    infos = [name for name in names if name.startswith("info:") and name not in ids]
    paths = {name: name.partition(":")[2].replace(":", ".") for name in [*ids, *observation, *infos]}
    return {name: path or name for name, path in paths.items()}


def check_time_steps(autoreset_mode: str, record_episode_statistics: bool) -> None:
    """Rejects options whose results a dm_env time step cannot represent."""
    if autoreset_mode == "same_step":
        reason = "a dm_env time step has no place for the last observation"
        raise ValueError(f"autoreset_mode='same_step': {reason}; expected 'next_step' or 'disabled'")
    if record_episode_statistics:
        raise ValueError("record_episode_statistics=True: a dm_env time step has no place for them; expected False")


def observation_type(pool: _core.Spec, *more: str) -> Callable[..., Any]:
    """Returns a constructor of a time step's observation from env_id, players' env_id, observation fields and infos."""
    keys = timestep_fields([name for name, _, _ in pool.state_arrays]).values()
    # The fields of a nested dict space arrive as one dict under the name of their first key.
    names = dict.fromkeys(field_name(key.split(".")[0]) for key in keys)
    state = tuple_type("State", [*names, *more])
    players = tuple_type("players", ["env_id"])
    is_nested = any("." in key.removeprefix("players.") for key in keys)

    def make(env_id: Any, players_env_id: Any, *rest: Any) -> Any:
        fields = map(to_namedtuple, state._fields[2:], rest) if is_nested else rest
        return state(env_id, players(players_env_id), *fields)

    return make
