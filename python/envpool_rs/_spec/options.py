"""Options: tasks that have them, groups of options of every task, values, render options, and arguments of ``make``."""

from __future__ import annotations

import functools
import logging
import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from envpool_rs import _core
from envpool_rs._arguments import alternatives, choice, flag, optional_integer
from envpool_rs._errors import RefusedOptionError

TaskBase: TypeAlias = "str | tuple[tuple[str, dict[str, Any]], ...]"
"""Task of a pool: one of the extension, or several with the options preset for each."""


@functools.cache
def tasks_with(option: str) -> frozenset[str]:
    """Returns the ids of this release's tasks that have a given option."""
    return frozenset(_core.tasks_with_option(option))


@functools.cache
def task_limits() -> dict[str, tuple[int | None, float | None]]:
    """Returns ``max_episode_steps`` and ``reward_threshold`` of each task of this release."""
    return _core.task_limits()


def forget_tasks() -> None:
    """Clears the cached tables of tasks after a library of tasks was loaded."""
    tasks_with.cache_clear()
    task_limits().update(_core.task_limits())


def ids_of(task_id: TaskBase) -> list[str]:
    """Returns the ids of a pool's tasks."""
    return [task_id] if isinstance(task_id, str) else [each for each, _ in task_id]


def all_have(task_id: TaskBase, option: str) -> bool:
    """Returns whether a task, or each of several tasks, has an option."""
    return all(each in tasks_with(option) for each in ids_of(task_id))


def has_cameras(task_id: TaskBase) -> bool:
    """Returns whether a task, or any of several tasks, has selectable cameras."""
    return any(each in tasks_with("from_pixels") for each in ids_of(task_id))


def libraries_of(task_ids: list[str]) -> list[tuple[str, str]]:
    """Returns name and version of the loaded libraries that define the given tasks."""
    return [(name, version) for name, version, _, ids in _core.plugin_libraries() if not set(ids).isdisjoint(task_ids)]


# --- options of every task --------------------------------------------------------------------------------------------

ENGINE_OPTIONS = tuple(each["name"] for each in _core.pool_options())
"""Options of every task that the extension takes, in the order of a configuration."""

_PYTHON_OPTIONS = tuple(each["name"] for each in _core.options_of_python())

RENDER_OPTIONS = frozenset(name for name in _PYTHON_OPTIONS if name.startswith("render_"))
"""Options that control rendering of a pool."""

POOL_WIDE = frozenset({*ENGINE_OPTIONS, *_PYTHON_OPTIONS} - {"max_episode_steps", "reward_threshold", "base_path"})
"""Options of a complete pool rather than of a task."""


def check_env_type(env_type: str) -> None:
    """Raises ``RefusedOptionError``, naming the three interfaces, unless ``env_type`` names one of them."""
    try:
        choice("env_type", env_type, ("gym", "gymnasium", "dm"))
    except ValueError as error:
        raise RefusedOptionError(str(error)) from None


def check_return_info(return_info: Any, env_type: str) -> bool:
    """Returns EnvPool's ``gym_reset_return_info``; if it is ``None``, the behaviour of the installed gym.

    Raises TypeError for anything but a bool, and ValueError for ``False`` if ``env_type`` is not ``"gym"``.
    """
    if return_info is None:
        return env_type != "gym" or _installed_gym_returns_info()
    is_number = type(return_info) is int and return_info in (0, 1)
    returns_info = flag("gym_reset_return_info", bool(return_info) if is_number else return_info)
    if not returns_info and env_type != "gym":
        raise ValueError(f"gym_reset_return_info=False: only env_type='gym' resets without info, not {env_type!r}")
    return returns_info


def _installed_gym_returns_info() -> bool:
    from envpool_rs._spec.installed_gym import FIVE_VALUES  # imported here: it imports gym

    return FIVE_VALUES


# --- values -----------------------------------------------------------------------------------------------------------

MAX_DEPTH = 4
"""Maximum nesting depth of an option's lists: for each environment, a choice of maps, which are lists of rows."""


def own_copy(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Returns a deep copy of a list, tuple or array; returns any other value unchanged.

    Subclasses of list and tuple are copied by their elements, not by their own methods.
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    if depth == 0 or not isinstance(value, (list, tuple)):
        return value
    if isinstance(value, list):
        return [own_copy(entry, depth - 1) for entry in list.copy(value)]
    return tuple(own_copy(entry, depth - 1) for entry in tuple.__getitem__(value, slice(None)))


def is_same(one: Any, other: Any) -> bool:
    """Returns whether two values are equal, including arrays."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and np.array_equal(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(value, other[key]) for key, value in one.items())
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


def one_for_each(values: list[Any]) -> Any:
    """Packs the values of an option for several environments.

    Numbers become an array, because a list may stand for one value.
    """
    return np.array(values) if all(isinstance(value, (int, float)) for value in values) else values


logger = logging.getLogger("envpool_rs")

ResolvedOption = tuple[str, "bool | str", str]
"""A resolved option: name, value, and reason for the value."""

_SLOW_REASONS = {
    "physics": ("'auto'", "version ", "install one of these versions, or give physics='libmujoco'"),
    "translate": (
        "True",
        "the system refuses",
        "allow this process to make memory executable, or give translate=False",
    ),
}
"""Options whose value may be slower than requested: requested value, first words of the reasons, and remedy."""


def log_resolved(task_id: str, decided: list[ResolvedOption]) -> None:
    """Logs each resolved option of a pool.

    Warns once for each option whose resolved value is slower than requested, if the user can change that.
    """
    for option, value, reason in decided:
        logger.info("%s: %s=%r (%s)", task_id, option, value, reason)
        _, start, _ = _SLOW_REASONS.get(option, ("", None, ""))
        if start is not None and reason.startswith(start):
            _warn(option, value, reason)


@functools.cache
def _warn(option: str, value: bool | str, reason: str) -> None:
    asked, _, remedy = _SLOW_REASONS[option]
    warnings.warn(f"{reason}: {option}={asked} is {value!r}, which is slower; {remedy}", RuntimeWarning, stacklevel=2)


# --- rendering --------------------------------------------------------------------------------------------------------

DEPTH_MODES = ("depth_array", "rgbd_tuple")
"""Values of ``render_mode`` that include depth."""

_CAMERA_TASK_OPTIONS = ("render_width", "render_height", "render_camera_id")
"""Render options that an environment with cameras needs, since it renders its own frames."""


class RenderOptions(NamedTuple):
    """Render options of a pool.

    Attributes:
        mode: ``"rgb_array"``, ``"depth_array"``, ``"rgbd_tuple"``, ``"ansi"``, ``"human"``, or ``None`` for a pool
            without rendering.
        env_id: the environment that EnvPool's ``render()`` shows.
        width: width of frames in pixels; 0 for the task's own.
        height: height of frames in pixels; 0 for the task's own.
    """

    mode: str | None = None
    env_id: int = 0
    width: int = 0
    height: int = 0

    @classmethod
    def checked(cls, options: Mapping[str, Any], spec: _core.Spec) -> RenderOptions:
        """Validates the render options in ``options`` for the task of ``spec``."""
        mode = options.get("render_mode")
        allowed = [None, *render_modes(spec)]
        if not (mode is None or isinstance(mode, str)) or mode not in allowed:
            reason = "" if len(allowed) > 1 else f" ({spec.task_id} draws no pictures)"
            raise ValueError(f"render_mode={mode!r}: expected {alternatives(allowed)}{reason}")
        width, height = (optional_integer(name, options.get(name)) or 0 for name in ("render_width", "render_height"))
        if spec.picture_size is not None:
            spec.picture_size_for(width, height)
        if not spec.has_cameras:
            check_camera("render_camera_id", options.get("render_camera_id"))
        last = int(spec.config["num_envs"]) - 1
        env_id = optional_integer("render_env_id", options.get("render_env_id"), 0, last) or 0
        return cls(mode, env_id, width, height)


def extension_options(task_id: TaskBase, dialect: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options without the render options that the task's environments do not need."""
    filmed = has_cameras(task_id)
    own = {
        name: value
        for name, value in options.items()
        if name not in RENDER_OPTIONS or (filmed and name in _CAMERA_TASK_OPTIONS and value is not None)
    }
    if dialect == "envpool" and isinstance(task_id, str) and task_id in tasks_with("default_camera"):
        # The "track" camera follows the robot. If the model has none, EnvPool places a camera, as gymnasium does for
        # version 5 only.
        own.setdefault("default_camera", "track")
        own.setdefault("gymnasium_v5_render_camera", task_id.endswith("-v5"))
    return own


def render_modes(spec: _core.Spec) -> list[str]:
    """Returns the values of ``render_mode`` that a task supports."""
    pictures = ["human", "rgb_array"] if spec.picture_size is not None else []
    return [*pictures, *(DEPTH_MODES if spec.has_cameras else []), *(["ansi"] if spec.has_text else [])]


def render_metadata(spec: _core.Spec) -> dict[str, Any]:
    """Returns ``render_modes`` and ``render_fps``, as in the metadata of gymnasium's environments."""
    modes = render_modes(spec)
    return {"render_modes": modes, **({"render_fps": spec.render_fps} if modes else {})}


def check_camera(name: str, camera_id: Any) -> None:
    """Rejects a camera index, other than ``None`` and -1, for a task without cameras."""
    optional_integer(name, camera_id, -1, -1, allowed="None or -1 (there are no cameras)")
