"""A window for ``render_mode="human"``, through Python's own ``tkinter``."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

_LARGEST = (1600, 900)
"""Width and height beyond which several pictures are shown smaller."""


class Window:
    """Shows pictures, at most so many a second. Closed by its user, it stays closed."""

    def __init__(self, title: str, frames_per_second: int) -> None:
        """Opens no window yet.

        Args:
            title: its title.
            frames_per_second: at which pictures follow each other.
        """
        self._title = title
        self._interval = 1 / max(1, frames_per_second)
        self._next = 0.0
        self._root: Any = None
        self._label: Any = None
        self._closed = False

    def show(self, pictures: npt.NDArray[np.uint8]) -> None:
        """Shows pictures beside each other, and waits for as long as the last ones are to be seen.

        Args:
            pictures: ``(n, height, width, 3)``.

        Raises:
            ImportError: where this Python has no ``tkinter``.
            RuntimeError: where there is no screen.
        """
        if self._closed or len(pictures) == 0:
            return
        tkinter = _import_tkinter()
        try:
            if self._root is None:
                self._open(tkinter)
            image = tkinter.PhotoImage(master=self._root, data=ppm(tiled(pictures)), format="PPM")
            self._label.configure(image=image)
            self._label.image = image  # Tk itself keeps no reference
            self._root.update()
        except tkinter.TclError as error:
            if self._root is None:
                raise RuntimeError(
                    f"render_mode='human' needs a screen: {error}; use 'rgb_array' without one"
                ) from error
            self._closed = True
        self._wait()

    def close(self) -> None:
        """Closes the window; closing twice is allowed."""
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
    """Pictures ``(n, height, width, 3)`` in rows and columns of one, with every other pixel left out until it fits a
    screen.
    """
    count, height, width, _ = pictures.shape
    columns = math.ceil(math.sqrt(count * height / width * _LARGEST[0] / _LARGEST[1]))
    columns = min(max(columns, 1), count)
    rows = math.ceil(count / columns)
    columns = math.ceil(count / rows)
    step = max(1, math.ceil(columns * width / _LARGEST[0]), math.ceil(rows * height / _LARGEST[1])) if count > 1 else 1
    small = pictures[:, ::step, ::step]
    _, height, width, _ = small.shape
    page = np.zeros((rows * columns, height, width, 3), np.uint8)
    page[:count] = small
    joined: npt.NDArray[np.uint8] = page.reshape(rows, columns, height, width, 3).swapaxes(1, 2)
    return joined.reshape(rows * height, columns * width, 3)


def ppm(picture: npt.NDArray[np.uint8]) -> bytes:
    """A picture ``(height, width, 3)`` in the portable pixmap format."""
    height, width, _ = picture.shape
    return b"P6 %d %d 255 " % (width, height) + np.ascontiguousarray(picture).tobytes()
