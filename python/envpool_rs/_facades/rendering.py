"""Renders the environments of a pool, and shows frames in a window."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from envpool_rs._arguments import alternatives, array, optional_integer
from envpool_rs._spec.options import DEPTH_MODES, check_camera, render_modes

if TYPE_CHECKING:
    import numpy.typing as npt

    from envpool_rs._spec.spec import EnvSpec


_MAX_SIZE = (1600, 900)
"""Maximum width and height of the window; larger montages are scaled down."""


class Window:
    """Window that shows frames at a limited frame rate. After the user closes the window, it is not opened again."""

    def __init__(self, title: str, frames_per_second: int) -> None:
        self._title = title
        self._interval = 1 / max(1, frames_per_second)
        self._next = 0.0
        self._root: Any = None
        self._label: Any = None
        self._closed = False

    def show(self, pictures: npt.NDArray[np.uint8]) -> None:
        """Shows frames ``(n, height, width, 3)`` next to each other, after the previous frames' display time.

        Raises:
            ImportError: if this Python has no ``tkinter``.
            RuntimeError: if there is no display.
        """
        if self._closed or len(pictures) == 0:
            return
        tkinter = _import_tkinter()
        try:
            if self._root is None:
                self._open(tkinter)
            image = tkinter.PhotoImage(master=self._root, data=ppm(tiled(pictures)), format="PPM")
            self._label.configure(image=image)
            self._label.image = image  # reference that keeps the image alive, because Tk holds none
            self._root.update()
        except tkinter.TclError as error:
            if self._root is None:
                raise RuntimeError(
                    f"render_mode='human' needs a screen: {error}; use 'rgb_array' without one"
                ) from error
            self._closed = True
        self._wait()

    def close(self) -> None:
        """Closes the window. A second call does nothing."""
        root, self._root = self._root, None
        if root is not None and not self._closed:
            root.destroy()
        self._closed = True

    def _open(self, tkinter: Any) -> None:
        root = tkinter.Tk(className="envpool_rs")
        root.title(self._title)
        self._label = tkinter.Label(root, borderwidth=0)
        self._label.pack()
        self._root = root

    def _wait(self) -> None:
        now = time.monotonic()
        time.sleep(max(0.0, self._next - now))
        self._next = max(now, self._next) + self._interval


def _import_tkinter() -> Any:
    try:
        import tkinter
    except ImportError as error:
        raise ImportError(
            "render_mode='human' needs tkinter, which this Python was built without (Debian: python3-tk); "
            "use render_mode='rgb_array'"
        ) from error
    return tkinter


def tiled(pictures: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Arranges frames ``(n, height, width, 3)`` in a grid, and halves its resolution until the grid fits the window."""
    count, height, width, _ = pictures.shape
    columns = math.ceil(math.sqrt(count * height / width * _MAX_SIZE[0] / _MAX_SIZE[1]))
    columns = min(max(columns, 1), count)
    rows = math.ceil(count / columns)
    columns = math.ceil(count / rows)
    step = (
        max(1, math.ceil(columns * width / _MAX_SIZE[0]), math.ceil(rows * height / _MAX_SIZE[1])) if count > 1 else 1
    )
    small = pictures[:, ::step, ::step]
    _, height, width, _ = small.shape
    page = np.zeros((rows * columns, height, width, 3), np.uint8)
    page[:count] = small
    joined: npt.NDArray[np.uint8] = page.reshape(rows, columns, height, width, 3).swapaxes(1, 2)
    return joined.reshape(rows * height, columns * width, 3)


def ppm(picture: npt.NDArray[np.uint8]) -> bytes:
    """Encodes a frame ``(height, width, 3)`` in the portable pixmap format."""
    height, width, _ = picture.shape
    return b"P6 %d %d 255 " % (width, height) + np.ascontiguousarray(picture).tobytes()


class RenderMixin:
    """``render()`` based on the ``draw_pictures`` and ``draw_texts`` of a pool.

    Attributes:
        render_mode: the format of ``render()``: ``"rgb_array"``, ``"depth_array"``, ``"rgbd_tuple"``, ``"ansi"``,
            ``"human"``, or ``None``.
    """

    _spec: EnvSpec
    _window: Window | None = None
    draw_pictures: Any
    draw_texts: Any

    render_mode: str | None = None

    def _render_rows(
        self, env_ids: npt.NDArray[Any] | None, mode: str | None = None, camera_id: int | None = None
    ) -> Any:
        """Renders environments in the format of ``mode``; returns ``None`` for frames shown in the window.

        The result is an array of images ``(n, height, width, 3)`` or of depth images ``(n, height, width)``, a tuple of
        both arrays, or a list of strings.
        """
        options = self._spec.rendering
        mode = options.mode if mode is None else mode
        if mode is None:
            raise self._not_rendered()
        if mode == "ansi":
            return self.draw_texts(env_ids)
        if mode in DEPTH_MODES:
            both = self.draw_pictures(env_ids, options.width, options.height, camera_id, True)
            return both if mode == "rgbd_tuple" else both[1]
        pictures = self.draw_pictures(env_ids, options.width, options.height, camera_id)
        if mode == "rgb_array":
            return pictures
        if self._window is None:
            self._window = Window(self._spec.id, self._spec.pool.render_fps)
        self._window.show(pictures)
        return None

    def _render_each(self, env_ids: npt.NDArray[Any] | None) -> tuple[Any, ...] | None:
        """Renders environments with ``_render_rows``; returns a frame for each, ``None`` if shown in the window."""
        pictures = self._render_rows(env_ids)
        if self._spec.rendering.mode == "rgbd_tuple":
            return tuple(zip(*pictures, strict=True))
        return None if pictures is None else tuple(pictures)

    def _not_rendered(self) -> Exception:
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
    """``render()`` of EnvPool: frames of selected environments, as one array."""

    def render(self, env_ids: Any = None, camera_id: int | None = None) -> Any:
        """Renders environments, none of which may be in flight.

        Args:
            env_ids: an id, or ``(n,)`` ids; ``None`` for the pool's ``render_env_id`` (0).
            camera_id: index of a camera of the MuJoCo model; -1 for the task's default camera; ``None`` for the pool's
                ``render_camera_id``.

        Returns:
            ``(n, height, width, 3)`` uint8 in the mode ``"rgb_array"``; ``(n, height, width)`` float32 in
                ``"depth_array"``; a tuple of both in ``"rgbd_tuple"``; a list of ``n`` strings in ``"ansi"``; ``None``
                in ``"human"``, which shows them in a window.

        Raises:
            NotImplementedError: if the task renders nothing.
            RuntimeError: if the pool was made without ``render_mode``; if an environment is in flight, has failed or
                was never reset; after ``close``.
            IndexError: for an id, or a camera, that does not exist.
        """
        return self._render_rows(self._selected_ids(env_ids), None, self._camera(camera_id))

    def _camera(self, camera_id: Any) -> int | None:
        """Checks a ``camera_id``; tasks with cameras check its range themselves."""
        if self._spec.pool.has_cameras:
            return optional_integer("camera_id", camera_id)
        check_camera("camera_id", camera_id)
        return None

    def _selected_ids(self, env_ids: Any) -> npt.NDArray[Any]:
        return np.atleast_1d(array("env_ids", self._spec.rendering.env_id if env_ids is None else env_ids))


class LegacyRenderMixin(EnvPoolRenderMixin):
    """``render()`` of EnvPool and of gym before 0.26. This method has the mode as an argument."""

    def render(self, env_ids: Any = None, camera_id: int | None = None, *, mode: str | None = None) -> Any:
        """Renders environments, as `EnvPoolRenderMixin.render` does.

        Args:
            env_ids: an id, or ``(n,)`` ids; ``None`` for the pool's ``render_env_id`` (0). A str is taken for the mode.
            camera_id: index of a camera, as in `EnvPoolRenderMixin.render`.
            mode: the format, one of the values of ``render_mode``; ``None`` for the pool's ``render_mode``.

        Raises:
            Exception: the exceptions of `EnvPoolRenderMixin.render`, and ``ValueError`` for a mode that the task does
                not support.
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
            raise self._not_rendered()
        return self._render_rows(self._selected_ids(env_ids), mode, camera_id)


class VectorRenderMixin(RenderMixin):
    """``render()`` of gymnasium's vector environments: one frame for each environment, in order."""

    def render(self, env_ids: Any = None) -> tuple[Any, ...] | None:
        """Renders environments, none of which may be in flight.

        Args:
            env_ids: ``(n,)`` ids; ``None`` for all environments.

        Returns:
            For each environment an image ``(height, width, 3)`` uint8 in the mode ``"rgb_array"``; a depth image
                ``(height, width)`` float32 in ``"depth_array"``; a tuple of image and depth image in ``"rgbd_tuple"``;
                a str in ``"ansi"``; ``None`` in ``"human"``, which shows all frames in a window.

        Raises:
            NotImplementedError: if the task renders nothing.
            RuntimeError: if the pool was made without ``render_mode``; if an environment is in flight, has failed or
                was never reset; after ``close``.
            IndexError: for an id that does not exist.
        """
        return self._render_each(None if env_ids is None else np.atleast_1d(array("env_ids", env_ids)))
