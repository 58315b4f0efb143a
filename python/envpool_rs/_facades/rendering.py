"""What pools show of their environments: pictures as arrays, text, or a window."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from envpool_rs._arguments import alternatives, array, optional_integer
from envpool_rs._spec.render_options import DEPTH_MODES, check_camera, render_modes

if TYPE_CHECKING:
    import numpy.typing as npt

    from envpool_rs._facades.window import Window
    from envpool_rs._spec.spec import EnvSpec


class RenderMixin:
    """``render()`` over the ``draw_pictures`` and ``draw_texts`` of a pool.

    Attributes:
        render_mode: ``"rgb_array"``, ``"depth_array"``, ``"rgbd_tuple"``, ``"ansi"``, ``"human"``, or ``None``: what
            ``render()`` gives.
    """

    _spec: EnvSpec
    _window: Window | None = None
    draw_pictures: Any
    draw_texts: Any

    render_mode: str | None = None

    def _show(self, env_ids: npt.NDArray[Any] | None, mode: str | None = None, camera_id: int | None = None) -> Any:
        """Pictures ``(n, height, width, 3)``, how far away their pixels are ``(n, height, width)``, a tuple of both, a
        list of texts, or ``None`` for what was shown in the window.
        """
        options = self._spec.rendering
        mode = options.mode if mode is None else mode
        if mode is None:
            raise self._undrawn()
        if mode == "ansi":
            return self.draw_texts(env_ids)
        if mode in DEPTH_MODES:
            both = self.draw_pictures(env_ids, options.width, options.height, camera_id, True)
            return both if mode == "rgbd_tuple" else both[1]
        pictures = self.draw_pictures(env_ids, options.width, options.height, camera_id)
        if mode == "rgb_array":
            return pictures
        if self._window is None:
            from envpool_rs._facades.window import Window

            self._window = Window(self._spec.id, self._spec.pool.render_fps)
        self._window.show(pictures)
        return None

    def _show_each(self, env_ids: npt.NDArray[Any] | None) -> tuple[Any, ...] | None:
        """Draws environments as ``_show`` does; returns an entry for each, or ``None`` where a window shows them."""
        shown = self._show(env_ids)
        if self._spec.rendering.mode == "rgbd_tuple":
            return tuple(zip(*shown, strict=True))
        return None if shown is None else tuple(shown)

    def _undrawn(self) -> Exception:
        modes = render_modes(self._spec.pool)
        if not modes:
            return NotImplementedError(f"render(): {self._spec.task_id} draws no pictures")
        return RuntimeError(
            f"render(): this pool was made without render_mode; give {alternatives(modes)} when it is made"
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
            camera_id: one of the model's cameras (MuJoCo), -1 for none of them; ``None`` for the one that the pool was
                made with.

        Returns:
            ``(n, height, width, 3)`` uint8 in the mode ``"rgb_array"``; ``(n, height, width)`` float32 in
            ``"depth_array"``; a tuple of both in ``"rgbd_tuple"``; a list of ``n`` strings in ``"ansi"``; ``None`` in
            ``"human"``, which shows them in a window.

        Raises:
            NotImplementedError: where the task draws nothing.
            RuntimeError: where the pool was made without ``render_mode``; where an environment is in flight, has failed
                or has never been reset; after ``close``.
            IndexError: for an id, or a camera, that does not exist.
        """
        return self._show(self._chosen(env_ids), None, self._camera(camera_id))

    def _camera(self, camera_id: Any) -> int | None:
        """A camera of the call, which tasks with cameras look at themselves."""
        if self._spec.pool.has_cameras:
            return optional_integer("camera_id", camera_id)
        check_camera("camera_id", camera_id)
        return None

    def _chosen(self, env_ids: Any) -> npt.NDArray[Any]:
        return np.atleast_1d(array("env_ids", self._spec.rendering.env_id if env_ids is None else env_ids))


class LegacyRenderMixin(EnvPoolRenderMixin):
    """``render()`` as EnvPool has it, and as gym before 0.26 has it, which names the mode in the call."""

    def render(self, env_ids: Any = None, camera_id: int | None = None, *, mode: str | None = None) -> Any:
        """Shows environments, none of which may be in flight.

        Args:
            env_ids: an id, or ``(n,)`` ids; ``None`` for the ``render_env_id`` that the pool was made with (0). A str
                is taken for the mode.
            camera_id: one of the model's cameras (MuJoCo), -1 for none of them; ``None`` for the one that the pool was
                made with.
            mode: as ``render_mode``; ``None`` for that which the pool was made with.

        Returns:
            ``(n, height, width, 3)`` uint8 in the mode ``"rgb_array"``; ``(n, height, width)`` float32 in
            ``"depth_array"``; a tuple of both in ``"rgbd_tuple"``; a list of ``n`` strings in ``"ansi"``; ``None`` in
            ``"human"``, which shows them in a window.

        Raises:
            Exception: as EnvPool's; ``ValueError`` for a mode that the task does not know.
        """
        if isinstance(env_ids, str):
            env_ids, mode = None, env_ids
        if mode is None:
            return super().render(env_ids, camera_id)
        camera_id = self._camera(camera_id)
        modes = render_modes(self._spec.pool)
        if modes and mode not in modes:
            raise ValueError(f"mode={mode!r}: expected {alternatives(modes)}")
        if not modes:
            raise self._undrawn()
        return self._show(self._chosen(env_ids), mode, camera_id)


class VectorRenderMixin(RenderMixin):
    """``render()`` as gymnasium's vector environments have it: of all environments, one after the other."""

    def render(self, env_ids: Any = None) -> tuple[Any, ...] | None:
        """Shows environments, none of which may be in flight.

        Args:
            env_ids: ``(n,)`` ids; ``None`` for all environments.

        Returns:
            A picture ``(height, width, 3)`` uint8 of each environment in the mode ``"rgb_array"``; how far away its
            pixels are, ``(height, width)`` float32, in ``"depth_array"``; both in ``"rgbd_tuple"``; its text in
            ``"ansi"``; ``None`` in ``"human"``, which shows all of them in a window.

        Raises:
            NotImplementedError: where the task draws nothing.
            RuntimeError: where the pool was made without ``render_mode``; where an environment is in flight, has failed
                or has never been reset; after ``close``.
            IndexError: for an id that does not exist.
        """
        return self._show_each(None if env_ids is None else np.atleast_1d(array("env_ids", env_ids)))
