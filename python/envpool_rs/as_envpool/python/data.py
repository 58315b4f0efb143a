"""EnvPool's conversions of array specifications and of dotted names."""

from __future__ import annotations

from typing import Any

from gymnasium import spaces

from envpool_rs._spec.spaces import ArraySpec, dm_array, field_name, tuple_type

__all__ = [
    "ACTION_THRESHOLD",
    "dm_spec_transform",
    "gym_spec_transform",
    "gymnasium_spec_transform",
    "to_namedtuple",
    "to_nested_dict",
]

ACTION_THRESHOLD = 2**20
"""Number of values below which EnvPool treats an integer array as discrete."""


def to_nested_dict(flatten_dict: dict[str, Any], generator: type = dict) -> Any:
    """Converts a dict with dotted keys to nested dicts, each made by ``generator``."""
    nested = generator()
    for key, value in flatten_dict.items():
        *outer, last = key.split(".")
        place = nested
        for part in outer:
            known = place.spaces if isinstance(place, spaces.Dict) else place
            if part not in known:
                place[part] = generator()
            place = place[part]
        place[last] = value
    return nested


def to_namedtuple(name: str, hdict: dict[str, Any]) -> Any:
    """Converts a dict and its nested dicts to namedtuples, the outer one of class ``name``."""
    values = [to_namedtuple(key, value) if isinstance(value, dict) else value for key, value in hdict.items()]
    return tuple_type(field_name(name), [field_name(key) for key in hdict])(*values)


def dm_spec_transform(name: str, spec: ArraySpec, spec_type: str) -> Any:
    """Returns the dm_env spec of an array; both types of spec, ``"obs"`` and ``"act"``, treat discrete values alike."""
    return dm_array(name, spec)


def gym_spec_transform(name: str, spec: ArraySpec, spec_type: str) -> Any:
    """Returns the gymnasium space of an array; both types of spec, ``"obs"`` and ``"act"``, are alike."""
    discrete = spec.discrete_range
    if discrete is not None:
        least, most = discrete
        return spaces.Discrete(most - least + 1, start=least)
    shape = [size for size in spec.shape if size != -1]
    if spec.dtype.kind == "b":
        return spaces.MultiBinary(shape)
    return spaces.Box(spec.minimum, spec.maximum, shape, spec.dtype.type)


gymnasium_spec_transform = gym_spec_transform
