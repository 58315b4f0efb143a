"""Render options of a pool: checks, and the render modes of a task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from envpool_rs import _core
from envpool_rs._arguments import alternatives, optional_integer
from envpool_rs._spec.installed import TaskBase, ids_of, tasks_with

RENDER_OPTIONS = frozenset(each["name"] for each in _core.options_of_python() if each["name"].startswith("render_"))
"""Options that control rendering of a pool."""

_CAMERA_TASK_OPTIONS = ("render_width", "render_height", "render_camera_id")
"""Render options that an environment with cameras needs, since it renders its own frames."""


DEPTH_MODES = ("depth_array", "rgbd_tuple")
"""Values of ``render_mode`` that include depth."""


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
        """Validates the render options in ``options`` for the task of ``spec``.

        Raises:
            ValueError: for a value that is not allowed; names the allowed values.
            TypeError: for a value of the wrong type.
        """
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


def has_cameras(task_id: TaskBase) -> bool:
    """Returns whether a task, or any of several tasks, has selectable cameras."""
    return any(each in tasks_with("from_pixels") for each in ids_of(task_id))


def extension_options(task_id: TaskBase, dialect: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options that the Rust extension accepts, without render options that the task's environments do not
    need.
    """
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
    """Rejects a camera index for a task without cameras.

    Raises:
        ValueError: for anything but ``None`` and -1.
    """
    optional_integer(name, camera_id, -1, -1, allowed="None or -1 (there are no cameras)")
