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
    # Sorts no keys: a plain dict would be sorted by key, but the arrays have the environment's order.
    return fold_space(
        descriptor,
        lambda leaf: _leaf_space(leaf, spaces),
        lambda parts: spaces.Dict(OrderedDict(parts)),
        spaces.Tuple,
        parts_of_descriptor,
    )


def _leaf_space(descriptor: SpaceDescriptor, spaces: ModuleType) -> Any:
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
        minimum, maximum = (_scalar_or_array(bound, space[3], kind) for bound in space[1:3])
    elif space is not None and space[0] == "discrete":
        minimum, maximum = space[2], space[2] + space[1] - 1
    elif space is not None and space[0] == "multi_binary":
        minimum, maximum = 0, 1
    elif space is not None and space[0] == "multi_discrete":
        minimum, maximum = 0, np.asarray(space[1], dtype=kind).reshape(space[2]) - 1
    return ArraySpec(kind, list(shape), minimum, maximum)


def _scalar_or_array(bound: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    values = np.asarray(bound, dtype=np.float64).astype(dtype)
    flat = values.reshape(-1)
    return flat[0].item() if flat.size and (flat == flat[0]).all() else values.reshape(shape)


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
    """Imports ``dm_env``, which only the dm interface needs."""
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


def nested_tuple(typename: str, values: dict[str, Any]) -> Any:
    """Makes a namedtuple of ``values``; dotted keys (``"players.env_id"``) become nested namedtuples."""
    nested: dict[str, Any] = {}
    for key, value in values.items():
        head, _, rest = key.partition(".")
        if rest:
            nested.setdefault(head, {})[rest] = value
        else:
            nested[head] = value
    fields = [nested_tuple(key, value) if isinstance(value, dict) else value for key, value in nested.items()]
    return tuple_type(field_name(typename), map(field_name, nested))(*fields)


def tuple_type(name: str, fields: Iterable[str]) -> Any:
    """Returns the one namedtuple class with these fields; pytree types in a jax program must not change."""
    return _tuple_type(name, tuple(fields))


_tuple_type = functools.cache(namedtuple)


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
        raise ValueError(
            "autoreset_mode='same_step': a dm_env time step has no place for the last observation; "
            "expected 'next_step' or 'disabled'"
        )
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
        fields = map(_as_tuple, state._fields[2:], rest) if is_nested else rest
        return state(env_id, players(players_env_id), *fields)

    return make


def _as_tuple(name: str, value: Any) -> Any:
    """Converts nested dicts to namedtuples, as EnvPool does; returns all other values unchanged."""
    if not isinstance(value, dict):
        return value
    parts = [_as_tuple(key, part) for key, part in value.items()]
    return tuple_type(field_name(name), map(field_name, value))(*parts)
