"""Translates between this package's option names and those of EnvPool and gymnasium, for arguments, configurations and
help.

Synonyms with equal values (``height`` for Catch's ``rows``) are listed in the extension's table of tasks. This module
handles names whose values differ (``size`` for FrozenLake's map), and options that another library combines in one
option, as gymnasium's ``default_camera_config`` does.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from envpool_rs import _core
from envpool_rs._arguments import alternatives, integer, is_series
from envpool_rs._spec.installed import TaskBase, ids_of, task_limits, tasks_with
from envpool_rs._spec.metaworld_names import id_of
from envpool_rs._spec.option_values import CAMERA_CONFIG, CAMERA_FIELDS, VISUAL_FLAGS, is_same
from envpool_rs._spec.render_options import has_cameras

if TYPE_CHECKING:
    from envpool_rs._core import OptionDescription

_ENVPOOL = "EnvPool"

_LAKES = {"FrozenLake-v1": 4, "FrozenLake8x8-v1": 8}
"""EnvPool's option ``size`` of each FrozenLake task."""

_FROZEN_LAKE = ("SFFF", "FHFH", "FFFH", "HFFG")
"""Map of the smaller FrozenLake task. EnvPool uses its upper left corner for a smaller ``size``."""

_SIZES = "1, 2, 3, 4 or 8"


_PENDULUM = ("Pendulum-v0", "Pendulum-v1")
_VERSION = "version"

_WITHOUT_EFFECT = ("type", "fixedcamid", "trackbodyid")
"""Fields of ``default_camera_config`` that gymnasium's renderer overwrites, or that do not apply to a free camera."""

_MAZE = "maze_map"
_CELLS = (0, 1, "g", "r", "c")
"""Cells of Gymnasium-Robotics' mazes: free, wall, goal, start, and both."""


def _own_name_of(task_id: str, whose: str) -> dict[str, str]:
    """Returns option names of the library ``whose`` that differ from this package's, each with this package's name."""
    return {name: own for name, (own, owner) in _other_names(task_id).items() if owner == whose}


@functools.cache
def _other_names(task_id: str) -> dict[str, tuple[str, str]]:
    return _core.other_names(task_id)


def _lake(size: Any) -> dict[str, Any]:
    side = integer("size", size)
    if side in (4, 8):
        return {"desc": None, "map_name": f"{side}x{side}"}
    if side not in (1, 2, 3):
        raise ValueError(f"size={side}: expected {_SIZES}")
    return {"desc": [row[:side] for row in _FROZEN_LAKE[:side]], "map_name": None}


def _lake_size(config: dict[str, Any]) -> int | None:
    rows, name = config["desc"], config["map_name"]
    if rows is None:
        return 4 if "4x4" in (name, name[0] if isinstance(name, list) else None) else 8
    maps = rows if _is_map(rows) else next((each for each in rows if _is_map(each)), ()) if is_series(rows) else ()
    return len(maps) or None


def _is_map(value: Any) -> bool:
    """Returns whether ``value`` is a single FrozenLake map, not a map for each environment or a choice of several."""
    return isinstance(value, (list, tuple)) and all(isinstance(row, str) for row in value) and "choice" not in value


def from_envpool_names(base: TaskBase, given: dict[str, Any]) -> tuple[TaskBase, dict[str, Any]]:
    """Returns a task and its options, with EnvPool's names replaced by this package's.

    If both names are given and contradict each other, the name with the task's default value is dropped: it comes from
    a configuration in which the user changed the other.

    Args:
        base: the task of the extension, or several tasks, for which only this package's names are accepted.
        given: the given options.

    Raises:
        TypeError: for values of the wrong type.
        ValueError: for a value that is not allowed, and if both names are given and neither has the task's default.
    """
    if not isinstance(base, str):
        return base, given
    options = dict(given)
    if base in _PENDULUM and _VERSION in options:
        return f"Pendulum-v{integer(_VERSION, options.pop(_VERSION), 0, 1)}", options
    if base in _LAKES and "size" in options:
        _rename("size", _LAKES[base], _lake, _lake_size, options)
    if base.startswith("MetaWorld/") and options.get("task_name") is not None:
        return id_of(options.pop("task_name")), options
    for name, own in _own_name_of(base, _ENVPOOL).items():
        if name in options:
            preset = _core.Spec(base, "envpool", {}).config[own]
            _rename(name, preset, functools.partial(_as_dict, own), operator.itemgetter(own), options)
    return base, options


def _as_dict(own: str, value: Any) -> dict[str, Any]:
    return {own: value}


def _rename(
    name: str,
    preset: int,
    own: Callable[[Any], dict[str, Any]],
    convert: Callable[[dict[str, Any]], Any],
    options: dict[str, Any],
) -> None:
    """Replaces EnvPool's name of an option by this package's options.

    Args:
        name: EnvPool's name.
        preset: the default value of EnvPool's option.
        own: function that converts EnvPool's value to this package's options.
        convert: function that converts a configuration to EnvPool's value.
        options: changed in place.
    """
    value = options.pop(name)
    if value is None:
        return
    anyway = own(preset)
    mine = {**anyway, **{each: options[each] for each in anyway if each in options}}
    if is_same(convert(mine), value):
        return
    if is_same(mine, anyway):
        options.update(own(value))
    elif not is_same(value, preset):
        text = ", ".join(f"{each}={mine[each]!r}" for each in mine)
        raise ValueError(f"{name}={value!r} and {text} contradict each other: expected one of them")


def to_envpool_names(task_id: str, config: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of a configuration that EnvPool names differently, by EnvPool's names.

    Args:
        task_id: the extension's task.
        config: the task's options by this package's names.
    """
    if task_id in _PENDULUM:
        return {_VERSION: int(task_id[-1])}
    if task_id in _LAKES:
        return {"size": _lake_size(config)}
    if task_id not in task_limits():  # `task_id` names several tasks
        return {}
    return {name: config[own] for name, own in _own_name_of(task_id, _ENVPOOL).items()}


def from_gymnasium_names(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of a task with cameras, with gymnasium's names replaced by this package's.

    MetaWorld's recurrent observations show the end of an episode. Their option ``horizon`` is ``max_episode_steps``.

    Raises:
        TypeError: for a ``default_camera_config`` or ``visual_options`` of another type.
        ValueError: for an unknown field of a camera, and if two names of an option have different values.
    """
    if not has_cameras(task_id):
        return options
    own = dict(options)
    if is_series(own.get(_MAZE)):
        own[_MAZE] = _maze_rows(own[_MAZE])
    if np.any(own.get("recurrent_info_in_obs", False)) and own.get("max_episode_steps") is not None:
        own.setdefault("horizon", own["max_episode_steps"])
    for alias, name in _own_name_of(ids_of(task_id)[0], "gymnasium").items():
        if alias in own:
            _add(own, name, own.pop(alias), alias)
    config = own.pop(CAMERA_CONFIG, None)
    if config is not None:
        if not isinstance(config, Mapping):
            raise TypeError(f"{CAMERA_CONFIG}={config!r}: expected a dict of a camera's fields, or None")
        for field, value in config.items():
            if field not in CAMERA_FIELDS and field not in _WITHOUT_EFFECT:
                known = ", ".join([*CAMERA_FIELDS, *_WITHOUT_EFFECT])
                raise ValueError(f"{CAMERA_CONFIG}: a camera has no field {field!r}; expected some of {known}")
            if field in CAMERA_FIELDS:
                _add(own, CAMERA_FIELDS[field], _plain(value), f"{CAMERA_CONFIG}[{field!r}]")
        # A camera configuration that the user gives replaces the robot's own configuration entirely.
        own.setdefault("gymnasium_v5_render_camera", False)
    if isinstance(own.get(VISUAL_FLAGS), Mapping):
        own[VISUAL_FLAGS] = _pairs(own[VISUAL_FLAGS])
    return own


def _maze_rows(maze: Any) -> list[Any]:
    """Returns the rows of a maze as strings, if its rows are lists of cells, as in Gymnasium-Robotics; also those of
    several mazes.
    """
    return [
        "".join(map(_maze_cell, row)) if _is_row_of_cells(row) else _maze_rows(row) if is_series(row) else row
        for row in maze
    ]


def _is_row_of_cells(row: Any) -> bool:
    return is_series(row) and all((isinstance(cell, str) and len(cell) == 1) or _is_number(cell) for cell in row)


def _is_number(cell: Any) -> bool:
    return isinstance(cell, (int, float, np.number))


def _maze_cell(cell: Any) -> str:
    if cell in (*_CELLS, "0", "1") and not isinstance(cell, (bool, np.bool_)):
        return str(int(cell) if _is_number(cell) else cell)
    raise ValueError(f"{_MAZE} has the cell {cell!r}: expected {alternatives(_CELLS)}")


def _pairs(flags: Mapping[Any, Any]) -> list[int]:
    """Returns ``visual_options`` as a flat list of flag numbers, each followed by its value."""
    try:
        pairs = [(operator.index(flag), _bit(value)) for flag, value in flags.items()]
    except TypeError:
        expected = "a dict of numbers of mjtVisFlag, each with True or False, or None"
        raise TypeError(f"{VISUAL_FLAGS}={flags!r}: expected {expected}") from None
    return [number for pair in pairs for number in pair]


def _bit(value: Any) -> int:
    return int(value) if isinstance(value, (bool, np.bool_)) else operator.index(value)


def _plain(value: Any) -> Any:
    """Converts the value of a camera's field to an option's value: ``orthographic`` to a bool, points to lists."""
    return value.tolist() if hasattr(value, "tolist") else value


def _add(options: dict[str, Any], name: str, value: Any, alias: str) -> None:
    if value is None:
        return
    if options.get(name) is not None and not is_same(options[name], value):
        raise ValueError(f"{alias}={value!r} and {name}={options[name]!r} contradict each other: expected one of them")
    options[name] = value


def alias_descriptions(task_id: str) -> list[OptionDescription]:
    """Returns descriptions of the options that EnvPool or gymnasium names differently."""
    if task_id in _LAKES:
        doc = "EnvPool's name for the map: 4 or 8 rows; 1 to 3: a corner of the smaller map"
        return [_description("size", _LAKES[task_id], "int", _SIZES, doc)]
    if task_id in _PENDULUM:
        doc = "EnvPool's name for the task: 0 is Pendulum-v0, 1 is Pendulum-v1"
        return [_description(_VERSION, int(task_id[-1]), "int", "0 or 1", doc)]
    if task_id in tasks_with("default_camera"):
        doc = "gymnasium's option: lookat, distance and so on of a free camera"
        return [_description(CAMERA_CONFIG, None, "dict or None", None, doc)]
    return []


def _description(name: str, default: Any, kind: str, allowed: str | None, doc: str) -> OptionDescription:
    return {
        "name": name,
        "default": default,
        "kind": kind,
        "allowed": allowed,
        "values": [],
        "each_episode": False,
        "doc": doc,
    }
