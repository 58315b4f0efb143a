"""How a pool shows its environments: the options that say so, checked, and what a task can show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from envpool_rs._arguments import alternatives, optional_integer

if TYPE_CHECKING:
    from envpool_rs import _core
    from envpool_rs._core import PoolOptionDescription

RENDER_OPTIONS: dict[str, PoolOptionDescription] = {
    "render_mode": {
        "name": "render_mode",
        "default": "None",
        "kind": "str or None",
        "values": ["human", "rgb_array", "depth_array", "rgbd_tuple", "ansi"],
        "doc": "what render() gives: a window, pictures, how far away pixels are or both (MuJoCo), or text (toy text)",
    },
    "render_env_id": {
        "name": "render_env_id",
        "default": "0",
        "kind": "int or None",
        "values": [],
        "doc": "the environment that EnvPool's render() shows unless told otherwise",
    },
    "render_width": {
        "name": "render_width",
        "default": "0: the task's",
        "kind": "int or None",
        "values": [],
        "doc": "width of pictures in pixels",
    },
    "render_height": {
        "name": "render_height",
        "default": "0: the task's",
        "kind": "int or None",
        "values": [],
        "doc": "height of pictures in pixels",
    },
    "render_camera_id": {
        "name": "render_camera_id",
        "default": "None",
        "kind": "int or None",
        "values": [],
        "doc": "one of the model's cameras (MuJoCo); None or -1: the task's own",
    },
}
"""The options that say how a pool shows its environments, by name."""


DEPTH_MODES = ("depth_array", "rgbd_tuple")
"""The values of ``render_mode`` that tell how far away things are."""


class RenderOptions(NamedTuple):
    """How a pool shows its environments.

    Attributes:
        mode: ``"rgb_array"``, ``"depth_array"``, ``"rgbd_tuple"``, ``"ansi"``, ``"human"``, or ``None`` for a pool that
            shows nothing.
        env_id: the environment that EnvPool's ``render()`` shows.
        width: of its pictures in pixels; 0 for the task's own.
        height: likewise.
    """

    mode: str | None = None
    env_id: int = 0
    width: int = 0
    height: int = 0

    @classmethod
    def checked(cls, options: Mapping[str, Any], spec: _core.Spec) -> RenderOptions:
        """What ``options`` say, where the task of ``spec`` can do it.

        Raises:
            ValueError: for a value that is not allowed, naming those that are.
            TypeError: for one of the wrong kind.
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


def render_modes(spec: _core.Spec) -> list[str]:
    """The values of ``render_mode`` that a task knows."""
    pictures = ["human", "rgb_array"] if spec.picture_size is not None else []
    return [*pictures, *(DEPTH_MODES if spec.has_cameras else []), *(["ansi"] if spec.has_text else [])]


def render_metadata(spec: _core.Spec) -> dict[str, Any]:
    """``render_modes`` and ``render_fps``, as gymnasium's environments have them in their metadata."""
    modes = render_modes(spec)
    return {"render_modes": modes, **({"render_fps": spec.render_fps} if modes else {})}


def check_camera(name: str, camera_id: Any) -> None:
    """Refuses cameras, for tasks without them.

    Raises:
        ValueError: for anything but ``None`` and -1.
    """
    optional_integer(name, camera_id, -1, -1, allowed="None or -1 (there are no cameras)")
