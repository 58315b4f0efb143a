"""Translates between this package's names of options and tasks and those of EnvPool, gymnasium and MetaWorld.

Synonyms with equal values (``height`` for Catch's ``rows``) are in the extension's table of tasks; here are names whose
values differ (``size`` for FrozenLake's map), and options that another library combines in one option.
"""

from __future__ import annotations

import functools
import operator
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from operator import itemgetter
from typing import Any

import numpy as np

from envpool_rs import _core
from envpool_rs._arguments import alternatives, bounded, integer, is_series
from envpool_rs._errors import UnknownNameError
from envpool_rs._spec.assets import ASSETS, METAWORLD, take_base_path
from envpool_rs._spec.highway_config import CONFIG, from_highway_config, names_in_config
from envpool_rs._spec.options import MAX_DEPTH, TaskBase, has_cameras, ids_of, is_same, task_limits, tasks_with

_FROZEN_LAKE = ("SFFF", "FHFH", "FFFH", "HFFG")  # the smaller map, whose upper left corner is that of a smaller `size`


def _lake(size: Any) -> dict[str, Any]:
    side = integer("size", size)
    if side in (4, 8):
        return {"desc": None, "map_name": f"{side}x{side}"}
    if side not in (1, 2, 3):
        raise ValueError(f"size={side}: expected 1, 2, 3, 4 or 8")
    return {"desc": [row[:side] for row in _FROZEN_LAKE[:side]], "map_name": None}


def _lake_size(config: Mapping[str, Any]) -> int | None:
    rows, name = config["desc"], config["map_name"]
    if rows is None:
        return 4 if "4x4" in (name, name[0] if isinstance(name, list) else None) else 8
    # The option is one map, or has a map for each environment, or is a choice of several.
    for each in (rows, *rows) if is_series(rows) else ():
        if isinstance(each, (list, tuple)) and all(isinstance(row, str) for row in each) and "choice" not in each:
            return len(each) or None
    return None


@functools.cache
def _synonyms(task_id: str, whose: str | None = None) -> dict[str, str]:
    """Returns other libraries' names of a task's options, each with this package's name."""
    return {name: own for name, (own, owner) in _core.other_names(task_id).items() if whose in (owner, None)}


def from_envpool_names(base: TaskBase, given: dict[str, Any]) -> tuple[TaskBase, dict[str, Any]]:
    """Returns a task and its options, with EnvPool's names replaced by this package's.

    If both names are given and contradict each other, the name with the task's default value is dropped: it comes from
    a configuration in which the user changed the other. Several tasks accept this package's names only.
    """
    options = from_highway_config(base, given)
    if not isinstance(base, str):
        return base, options
    if base in tasks_with(METAWORLD.option) and options.get("task_name") is not None:
        return metaworld_id(options.pop("task_name")), options
    for name, default, tasks in _core.envpool_options(base):
        if name in options and tasks:
            return tasks[integer(name, options.pop(name), 0, len(tasks) - 1)], options
        if name in options:  # FrozenLake's size, which sets its map
            _replace(options, name, default, _lake, _lake_size)
    given_names = {name: own for name, own in _synonyms(base, "EnvPool").items() if name in options}
    presets = _core.Spec(base, "envpool", {}).config if given_names else {}
    for name, own in given_names.items():
        _replace(options, name, presets[own], partial(dict.fromkeys, [own]), itemgetter(own))
    return base, options


def _replace(
    options: dict[str, Any],
    name: str,
    default: Any,
    to_own: Callable[[Any], dict[str, Any]],
    from_own: Callable[[dict[str, Any]], Any],
) -> None:
    """Replaces EnvPool's ``name`` in ``options`` by this package's options."""
    value, preset = options.pop(name), to_own(default)
    mine = {**preset, **{each: options[each] for each in preset if each in options}}
    if value is None or is_same(from_own(mine), value):
        return
    if is_same(mine, preset):
        options.update(to_own(value))
    elif not is_same(value, default):
        text = ", ".join(f"{each}={mine[each]!r}" for each in mine)
        raise ValueError(f"{name}={value!r} and {text} contradict each other: expected one of them")


def to_envpool_names(task_id: str, config: Mapping[str, Any]) -> dict[str, Any]:
    if task_id not in task_limits():  # `task_id` names several tasks
        return {}
    sizes = {name: default if tasks else _lake_size(config) for name, default, tasks in _core.envpool_options(task_id)}
    return {**sizes, **{name: config[own] for name, own in _synonyms(task_id, "EnvPool").items()}}


def pool_options(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options that have an effect, with ``env_seed`` and ``base_path`` by this package's names."""
    kept = dict(options)
    take_base_path(task_id, kept)
    if "from_pixels" in kept and not has_cameras(task_id):
        pixels = kept.pop("from_pixels")
        if pixels is not None and not (isinstance(pixels, int) and pixels == 0):
            reason = "this task does not observe pictures of itself"
            raise ValueError(f"from_pixels={pixels!r}: expected None or False ({reason})")
    env_seed = kept.pop("env_seed", None)
    if env_seed is not None and not (is_series(env_seed) and hasattr(env_seed, "__len__")):
        raise TypeError(f"env_seed={env_seed!r}: expected a list of ints or None")
    if env_seed is not None:
        env_seed = list(bounded("env_seed", env_seed))
    if env_seed:
        if is_series(kept.get("seed")):
            raise ValueError("seed is a list, and env_seed is given too: expected one of them")
        num_envs = kept.get("num_envs", len(ids_of(task_id)))
        if isinstance(num_envs, (int, np.integer)) and len(env_seed) != num_envs:
            raise ValueError(f"env_seed has {len(env_seed)} entries: expected num_envs={num_envs}")
        kept["seed"] = [integer(f"env_seed[{index}]", each) for index, each in enumerate(env_seed)]
    return kept


VISUAL_FLAGS = "visual_options"  # gymnasium's option with MuJoCo's flags, which the extension takes as a list
CAMERA_CONFIG = "default_camera_config"  # gymnasium's option with the fields of a camera

# Fields of a camera that apply to a free camera, whose options are named by them, and fields that do not apply or that
# gymnasium's renderer overwrites.
_OF_FREE_CAMERAS = ("lookat", "distance", "azimuth", "elevation", "orthographic")
CAMERA_FIELDS = {field: f"camera_{field}" for field in _OF_FREE_CAMERAS}
_WITHOUT_EFFECT = ("type", "fixedcamid", "trackbodyid")

_MAZE = "maze_map"
_CELLS = (0, 1, "g", "r", "c")  # cells of Gymnasium-Robotics' mazes: free, wall, goal, start, and both
_NUMBERS = (int, float, np.number)


def from_gymnasium_names(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options of a task with cameras, with gymnasium's names replaced by this package's."""
    if not has_cameras(task_id):
        return options
    own = dict(options)
    if is_series(own.get(_MAZE)):
        own[_MAZE] = _maze_rows(own[_MAZE])
    if np.any(own.get("recurrent_info_in_obs", False)) and own.get("max_episode_steps") is not None:
        own.setdefault("horizon", own["max_episode_steps"])
    for alias, name in _synonyms(ids_of(task_id)[0], "gymnasium").items():
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
                # numpy's values become those of options: ``orthographic`` a bool, points lists.
                plain = value.tolist() if hasattr(value, "tolist") else value
                _add(own, CAMERA_FIELDS[field], plain, f"{CAMERA_CONFIG}[{field!r}]")
        # A camera configuration that the user gives replaces the robot's own configuration entirely.
        own.setdefault("gymnasium_v5_render_camera", False)
    flags = own.get(VISUAL_FLAGS)
    if isinstance(flags, Mapping):
        try:
            on = [bool(value) if isinstance(value, np.bool_) else value for value in flags.values()]
            pairs = [map(operator.index, pair) for pair in zip(flags, on, strict=True)]
            own[VISUAL_FLAGS] = [int(number) for pair in pairs for number in pair]
        except TypeError:
            expected = "a dict of numbers of mjtVisFlag, each with True or False, or None"
            raise TypeError(f"{VISUAL_FLAGS}={flags!r}: expected {expected}") from None
    return own


def _maze_rows(maze: Any, depth: int = MAX_DEPTH) -> list[Any]:
    """Returns the rows of one or several mazes as strings, if rows are lists of cells, as in Gymnasium-Robotics."""
    rows: list[Any] = []
    for given in bounded(_MAZE, maze):
        row = list(bounded(_MAZE, given)) if is_series(given) and depth else given
        if is_series(row) and all(
            isinstance(cell, _NUMBERS) or (isinstance(cell, str) and len(cell) == 1) for cell in row
        ):
            for cell in row:
                if cell not in (*_CELLS, "0", "1") or isinstance(cell, (bool, np.bool_)):
                    raise ValueError(f"{_MAZE} has the cell {cell!r}: expected {alternatives(_CELLS)}")
            rows.append("".join(str(int(cell) if isinstance(cell, _NUMBERS) else cell) for cell in row))
        else:
            rows.append(_maze_rows(row, depth - 1) if is_series(row) and depth else row)
    return rows


def _add(options: dict[str, Any], name: str, value: Any, alias: str) -> None:
    if value is None:
        return
    if options.get(name) is not None and not is_same(options[name], value):
        raise ValueError(f"{alias}={value!r} and {name}={options[name]!r} contradict each other: expected one of them")
    options[name] = value


@contextmanager
def restoring_given_names(options: Mapping[str, Any]) -> Iterator[None]:
    """Context manager that re-raises errors about ``options`` with EnvPool's and gymnasium's names that it contains."""
    try:
        yield
    except (TypeError, ValueError, OSError) as error:
        text = _with_given_name(str(error), options)
        if text is None:
            raise
        raise type(error)(text) from None


def _with_given_name(message: str, options: Mapping[str, Any]) -> str | None:
    """Returns a message with the name that the user gave; ``None`` if the message is about another option."""
    flags, config = options.get(VISUAL_FLAGS), options.get(CAMERA_CONFIG)
    if isinstance(flags, Mapping) and message.startswith(f"{VISUAL_FLAGS}=["):
        return f"{VISUAL_FLAGS}={dict(flags)!r}{message[message.index(']: ') + 1 :]}"
    fields = [field for field in CAMERA_FIELDS if isinstance(config, Mapping) and field in config]
    given = {f"{CAMERA_CONFIG}[{field!r}]": [CAMERA_FIELDS[field]] for field in fields}
    for name, value in options.items():
        is_empty = is_series(value) and hasattr(value, "__len__") and not any(True for _ in value)
        if value is not None and not is_empty:
            given[name] = _targets().get(name, [])
    given.update((place, [own]) for place, own in names_in_config(options.get(CONFIG)))
    for name, own_names in given.items():
        for own in own_names:
            is_about_own = message.startswith((f"{own}=", f"{own}[", f"{own} "))
            # If the user gave both names, the value in the message shows which of the two names the message is about.
            if is_about_own and not (own in options and message.startswith(f"{own}={options[own]!r}:")):
                return name + message.removeprefix(own)
    return None


@functools.cache
def _targets() -> dict[str, list[str]]:
    """Returns this package's option names for which each name of another library may stand in some task."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for task_id in task_limits():
        for name, own in _synonyms(task_id).items():
            found[name][own] = None
    named = [asset.option for asset in ASSETS if asset.takes_base_path]
    return {"base_path": named, "env_seed": ["seed"], **{name: list(own) for name, own in found.items()}}


METAWORLD_NAMES = _core.family_names("metaworld")["tasks"]
"""Names of all tasks; the place of a name is EnvPool's info ``task_id``."""


def metaworld_id(name: str) -> str:
    """Returns the id of a task: ``MetaWorld/DrawerOpen-v3`` for ``drawer-open-v3``."""
    if name not in METAWORLD_NAMES:
        some = f"{', '.join(METAWORLD_NAMES[:3])}, ..., {METAWORLD_NAMES[-1]}"
        raise UnknownNameError(f"Unknown MetaWorld task_name: {name}; expected one of {some}")
    return "MetaWorld/" + "".join(part.capitalize() for part in name.removesuffix("-v3").split("-")) + "-v3"
