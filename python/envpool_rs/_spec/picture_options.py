"""Options of tasks with cameras: gymnasium's names for them, and what EnvPool has unless told otherwise."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from envpool_rs._spec.installed import TaskBase, ids_of, tasks_with
from envpool_rs._spec.option_values import is_same
from envpool_rs._spec.render_options import RENDER_OPTIONS

if TYPE_CHECKING:
    from envpool_rs._core import OptionDescription

_SHARED = ("render_width", "render_height", "render_camera_id")
"""Options of rendering that the environment has to know, which draws its pictures itself."""

_ALIASES = {"width": "render_width", "height": "render_height", "camera_id": "render_camera_id"}
"""gymnasium's names."""

_CAMERA = {
    "lookat": "camera_lookat",
    "distance": "camera_distance",
    "azimuth": "camera_azimuth",
    "elevation": "camera_elevation",
    "orthographic": "camera_orthographic",
}
"""Fields of a camera that a free one has, and the options that say the same."""

_WITHOUT_EFFECT = ("type", "fixedcamid", "trackbodyid")
"""Fields that gymnasium's renderer overwrites, or that a free camera does not look at."""

_CONFIG = "default_camera_config"
_FLAGS = "visual_options"


def has_cameras(task_id: TaskBase) -> bool:
    """Whether a task of the extension (any of several) has cameras."""
    return any(each in tasks_with("from_pixels") for each in ids_of(task_id))


def named_here(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """``options`` of a task by the names that they have here.

    Raises:
        TypeError: for a ``default_camera_config`` or ``visual_options`` of another kind.
        ValueError: for an unknown field of a camera, and where two names of an option have different values.
    """
    if not has_cameras(task_id):
        return options
    own = dict(options)
    for alias, name in _ALIASES.items():
        if alias in own:
            _add(own, name, own.pop(alias), alias)
    config = own.pop(_CONFIG, None)
    if config is not None:
        if not isinstance(config, Mapping):
            raise TypeError(f"{_CONFIG}={config!r}: expected a dict of a camera's fields, or None")
        for field, value in config.items():
            if field not in _CAMERA and field not in _WITHOUT_EFFECT:
                known = ", ".join([*_CAMERA, *_WITHOUT_EFFECT])
                raise ValueError(f"{_CONFIG}: a camera has no field {field!r}; expected some of {known}")
            if field in _CAMERA:
                _add(own, _CAMERA[field], _plain(value), f"{_CONFIG}[{field!r}]")
        # It takes the place of the robot's own as a whole.
        own.setdefault("gymnasium_v5_render_camera", False)
    if isinstance(own.get(_FLAGS), Mapping):
        own[_FLAGS] = _pairs(own[_FLAGS])
    return own


def _pairs(flags: Mapping[Any, Any]) -> list[int]:
    """Numbers of flags, each followed by its value."""
    try:
        pairs = [(operator.index(flag), _bit(value)) for flag, value in flags.items()]
    except TypeError:
        expected = "a dict of numbers of mjtVisFlag, each with True or False, or None"
        raise TypeError(f"{_FLAGS}={flags!r}: expected {expected}") from None
    return [number for pair in pairs for number in pair]


def _bit(value: Any) -> int:
    return int(value) if isinstance(value, (bool, np.bool_)) else operator.index(value)


def _plain(value: Any) -> Any:
    """A field's value as options have it: ``orthographic`` is a bool, and points are lists."""
    return value.tolist() if hasattr(value, "tolist") else value


def _add(options: dict[str, Any], name: str, value: Any, alias: str) -> None:
    if value is None:
        return
    if options.get(name) is not None and not is_same(options[name], value):
        raise ValueError(f"{alias}={value!r} and {name}={options[name]!r} contradict each other: expected one of them")
    options[name] = value


def of_environment(task_id: TaskBase, dialect: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that the extension takes: all but those of rendering, and of these the ones that environments with
    cameras have to know.
    """
    filmed = has_cameras(task_id)
    own = {
        name: value
        for name, value in options.items()
        if name not in RENDER_OPTIONS or (filmed and name in _SHARED and value is not None)
    }
    if dialect == "envpool" and isinstance(task_id, str) and task_id in tasks_with("default_camera"):
        # A camera that follows the robot; where there is none, EnvPool places one as gymnasium does for version 5 only.
        own.setdefault("default_camera", "track")
        own.setdefault("gymnasium_v5_render_camera", task_id.endswith("-v5"))
    return own


def gymnasium_descriptions(task_id: str) -> list[OptionDescription]:
    """What there is to say of the options of a task with cameras that gymnasium calls otherwise."""
    if not has_cameras(task_id):
        return []
    described = [
        _description("width", "int", "gymnasium's name for render_width"),
        _description("height", "int", "gymnasium's name for render_height"),
        _description("camera_id", "int", "gymnasium's name for render_camera_id"),
    ]
    if task_id in tasks_with("default_camera"):
        described.append(_description(_CONFIG, "dict", "gymnasium's: a free camera's lookat, distance and so on"))
    return described


def _description(name: str, kind: str, doc: str) -> OptionDescription:
    return {
        "name": name,
        "default": "None",
        "kind": f"{kind} or None",
        "allowed": None,
        "values": [],
        "each_episode": False,
        "doc": doc,
    }
