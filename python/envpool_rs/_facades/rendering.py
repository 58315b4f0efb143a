"""What pools show of their environments: pictures as arrays, text, or a window."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from envpool_rs import _core
    from envpool_rs._facades.window import Window
    from envpool_rs._spec.spec import EnvSpec

RENDER_OPTIONS = ("render_mode", "render_env_id", "render_width", "render_height", "render_camera_id")
"""Names of the options that say how a pool shows its environments."""


class RenderOptions(NamedTuple):
    """How a pool shows its environments.

    Attributes:
        mode: ``"rgb_array"``, ``"ansi"``, ``"human"``, or ``None`` for a pool that shows nothing.
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
            raise ValueError(f"render_mode={mode!r}: expected {_alternatives(allowed)}{reason}")
        width, height = (_integer(name, options.get(name), 0) for name in ("render_width", "render_height"))
        if spec.picture_size is not None:
            spec.picture_size_for(width, height)
        check_camera("render_camera_id", options.get("render_camera_id"))
        env_id = _integer("render_env_id", options.get("render_env_id"), 0)
        num_envs = int(spec.config["num_envs"])
        if not 0 <= env_id < num_envs:
            raise ValueError(f"render_env_id={env_id}: expected 0 to {num_envs - 1}")
        return cls(mode, env_id, width, height)


def render_modes(spec: _core.Spec) -> list[str]:
    """The values of ``render_mode`` that a task knows."""
    pictures = ["human", "rgb_array"] if spec.picture_size is not None else []
    return [*pictures, *(["ansi"] if spec.has_text else [])]


def render_metadata(spec: _core.Spec) -> dict[str, Any]:
    """``render_modes`` and ``render_fps``, as gymnasium's environments have them in their metadata."""
    modes = render_modes(spec)
    return {"render_modes": modes, **({"render_fps": spec.render_fps} if modes else {})}


def check_camera(name: str, camera_id: Any) -> None:
    """Refuses cameras, which no task of this release has.

    Raises:
        ValueError: for anything but ``None`` and -1.
    """
    if camera_id is not None and _integer(name, camera_id, -1) != -1:
        raise ValueError(f"{name}={camera_id!r}: expected None or -1 (there are no cameras)")


def _integer(name: str, value: Any, default: int) -> int:
    if value is None:
        return default
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r}: expected an int") from None


def _alternatives(values: list[Any]) -> str:
    *most, last = (repr(value) for value in values)
    return f"{', '.join(most)} or {last}" if most else last


class RenderMixin:
    """``render()`` over the ``draw_pictures`` and ``draw_texts`` of a pool.

    Attributes:
        render_mode: ``"rgb_array"``, ``"ansi"``, ``"human"``, or ``None``: what ``render()`` gives.
    """

    _spec: EnvSpec
    _window: Window | None = None
    draw_pictures: Any
    draw_texts: Any

    render_mode: str | None = None

    def _show(self, env_ids: npt.NDArray[Any] | None, mode: str | None = None) -> Any:
        """Pictures ``(n, height, width, 3)``, a list of texts, or ``None`` for what was shown in the window."""
        options = self._spec.rendering
        mode = options.mode if mode is None else mode
        if mode is None:
            raise self._undrawn()
        if mode == "ansi":
            return self.draw_texts(env_ids)
        pictures = self.draw_pictures(env_ids, options.width, options.height)
        if mode == "rgb_array":
            return pictures
        if self._window is None:
            from envpool_rs._facades.window import Window

            self._window = Window(self._spec.id, self._spec.pool.render_fps)
        self._window.show(pictures)
        return None

    def _undrawn(self) -> Exception:
        modes = render_modes(self._spec.pool)
        if not modes:
            return NotImplementedError(f"render(): {self._spec.task_id} draws no pictures")
        return RuntimeError(
            f"render(): this pool was made without render_mode; give {_alternatives(modes)} when it is made"
        )

    def _close_window(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None


class EnvPoolRenderMixin(RenderMixin):
    """``render()`` as EnvPool has it: of chosen environments, as one array."""

    def render(self, env_ids: Any = None, camera_id: int | None = None) -> Any:
        """Shows environments, none of which may be in flight.

        Args:
            env_ids: an id, or ``(n,)`` ids; ``None`` for the ``render_env_id`` that the pool was made with (0).
            camera_id: ``None`` or -1: there are no cameras.

        Returns:
            ``(n, height, width, 3)`` uint8 in the mode ``"rgb_array"``; a list of ``n`` strings in ``"ansi"``; ``None``
            in ``"human"``, which shows them in a window.

        Raises:
            NotImplementedError: where the task draws nothing.
            RuntimeError: where the pool was made without ``render_mode``; where an environment is in flight, has failed
                or has never been reset; after ``close``.
            IndexError: for an id that does not exist.
        """
        check_camera("camera_id", camera_id)
        return self._show(self._chosen(env_ids))

    def _chosen(self, env_ids: Any) -> npt.NDArray[Any]:
        return np.atleast_1d(np.asarray(self._spec.rendering.env_id if env_ids is None else env_ids))


class LegacyRenderMixin(EnvPoolRenderMixin):
    """``render()`` as EnvPool has it, and as gym before 0.26 has it, which names the mode in the call."""

    def render(self, env_ids: Any = None, camera_id: int | None = None, *, mode: str | None = None) -> Any:
        """Shows environments, none of which may be in flight.

        Args:
            env_ids: an id, or ``(n,)`` ids; ``None`` for the ``render_env_id`` that the pool was made with (0). A str
                is taken for the mode.
            camera_id: ``None`` or -1: there are no cameras.
            mode: as ``render_mode``; ``None`` for that which the pool was made with.

        Returns:
            ``(n, height, width, 3)`` uint8 in the mode ``"rgb_array"``; a list of ``n`` strings in ``"ansi"``; ``None``
            in ``"human"``, which shows them in a window.

        Raises:
            Exception: as EnvPool's; ``ValueError`` for a mode that the task does not know.
        """
        if isinstance(env_ids, str):
            env_ids, mode = None, env_ids
        if mode is None:
            return super().render(env_ids, camera_id)
        check_camera("camera_id", camera_id)
        modes = render_modes(self._spec.pool)
        if modes and mode not in modes:
            raise ValueError(f"mode={mode!r}: expected {_alternatives(modes)}")
        if not modes:
            raise self._undrawn()
        return self._show(self._chosen(env_ids), mode)


class VectorRenderMixin(RenderMixin):
    """``render()`` as gymnasium's vector environments have it: of all environments, one after the other."""

    def render(self, env_ids: Any = None) -> tuple[Any, ...] | None:
        """Shows environments, none of which may be in flight.

        Args:
            env_ids: ``(n,)`` ids; ``None`` for all environments.

        Returns:
            A picture ``(height, width, 3)`` uint8 of each environment in the mode ``"rgb_array"``; its text in
            ``"ansi"``; ``None`` in ``"human"``, which shows all of them in a window.

        Raises:
            NotImplementedError: where the task draws nothing.
            RuntimeError: where the pool was made without ``render_mode``; where an environment is in flight, has failed
                or has never been reset; after ``close``.
            IndexError: for an id that does not exist.
        """
        shown = self._show(None if env_ids is None else np.atleast_1d(np.asarray(env_ids)))
        return None if shown is None else tuple(shown)
