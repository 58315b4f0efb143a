"""A window that shows frames."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt


_MAX_SIZE = (1600, 900)  # maximum width and height of the window; larger montages are scaled down


class Window:
    """Window that shows frames at a limited frame rate. After the user closes the window, it is not opened again."""

    def __init__(self, title: str, frames_per_second: int) -> None:
        self._title, self._interval = title, 1 / max(1, frames_per_second)
        self._root: Any = None
        self._label: Any = None
        self._next, self._closed = 0.0, False

    def show(self, pictures: npt.NDArray[np.uint8]) -> None:
        """Shows frames ``(n, height, width, 3)`` next to each other, after the previous frames' display time."""
        if self._closed or len(pictures) == 0:
            return
        try:
            import tkinter
        except ImportError as error:
            missing = "tkinter, which this Python was built without (Debian: python3-tk)"
            raise ImportError(f"render_mode='human' needs {missing}; use render_mode='rgb_array'") from error
        try:
            if self._root is None:
                root = tkinter.Tk(className="envpool_rs")
                root.title(self._title)
                self._label = tkinter.Label(root, borderwidth=0)
                self._label.pack()
                self._root = root
            image = tkinter.PhotoImage(master=self._root, data=ppm(tiled(pictures)), format="PPM")
            self._label.configure(image=image)
            self._label.image = image  # reference that keeps the image alive, because Tk holds none
            self._root.update()
        except tkinter.TclError as error:
            if self._root is None:
                text = f"render_mode='human' needs a screen: {error}; use 'rgb_array' without one"
                raise RuntimeError(text) from error
            self._closed = True
        now = time.monotonic()
        time.sleep(max(0.0, self._next - now))
        self._next = max(now, self._next) + self._interval

    def close(self) -> None:
        """Closes the window. A second call does nothing."""
        root, self._root = self._root, None
        if root is not None and not self._closed:
            root.destroy()
        self._closed = True


def tiled(pictures: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Arranges frames ``(n, height, width, 3)`` in a grid, and halves its resolution until the grid fits the window."""
    count, height, width, _ = pictures.shape
    columns = math.ceil(math.sqrt(count * height / width * _MAX_SIZE[0] / _MAX_SIZE[1]))
    columns = min(max(columns, 1), count)
    rows = math.ceil(count / columns)
    columns = math.ceil(count / rows)
    step = max(1, math.ceil(columns * width / _MAX_SIZE[0]), math.ceil(rows * height / _MAX_SIZE[1]))
    small = pictures[:, ::step, ::step] if count > 1 else pictures
    _, height, width, _ = small.shape
    page = np.zeros((rows * columns, height, width, 3), np.uint8)
    page[:count] = small
    joined: npt.NDArray[np.uint8] = page.reshape(rows, columns, height, width, 3).swapaxes(1, 2)
    return joined.reshape(rows * height, columns * width, 3)


def ppm(picture: npt.NDArray[np.uint8]) -> bytes:
    return b"P6 %d %d 255 " % (picture.shape[1], picture.shape[0]) + picture.tobytes()
