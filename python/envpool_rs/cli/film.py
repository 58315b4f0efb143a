"""Pictures into a film: GIF by Pillow, anything else by ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Frame = npt.NDArray[np.uint8]

FORMATS = (".gif", ".mp4", ".webm")
"""Ends of names that are films."""


class Film(Protocol):
    """A film that is being written."""

    def add(self, frame: Frame) -> None:
        """Adds a picture ``(height, width, 3)``, as large as the first."""

    def close(self) -> None:
        """Writes what is left."""


def film(path: Path, frames_per_second: int) -> Film:
    """A film to be written to ``path``, by the kind of file that its name ends with.

    Args:
        path: where to; a file that is there is replaced.
        frames_per_second: at which it is to be seen.

    Raises:
        ValueError: for a name that ends otherwise.
        ImportError: where what writes such files is not installed.
        OSError: for a folder that is not there.
    """
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{str(path)!r}: expected a name that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{str(path)!r}: there is no folder {str(path.absolute().parent)!r}")
    if path.suffix.lower() == ".gif":
        return GifFilm(path, frames_per_second)
    return FfmpegFilm(path, frames_per_second)


class GifFilm:
    """A GIF that repeats for ever. Its pictures stay in memory until it is closed, at a byte for each pixel."""

    def __init__(self, path: Path, frames_per_second: int) -> None:
        """Opens no file yet.

        Args:
            path: where to.
            frames_per_second: at which it is to be seen; files know hundredths of a second only.

        Raises:
            ImportError: where Pillow is not installed.
        """
        try:
            from PIL import Image
        except ImportError as error:
            raise ImportError("films in GIF need Pillow: pip install 'envpool_rs[film]'") from error
        self._image: Any = Image
        self._path, self._milliseconds = path, 1000 / frames_per_second
        self._frames: list[Any] = []

    def add(self, frame: Frame) -> None:
        """Adds a picture ``(height, width, 3)``, as large as the first."""
        self._frames.append(self._image.fromarray(frame).quantize(colors=256))

    def close(self) -> None:
        """Writes the file, if there are pictures."""
        if self._frames:
            first, *rest = self._frames
            first.save(self._path, save_all=True, append_images=rest, duration=self._milliseconds, loop=0)
            self._frames = []


class FfmpegFilm:
    """A film that ffmpeg writes while it is made."""

    def __init__(self, path: Path, frames_per_second: int) -> None:
        """Starts nothing yet.

        Args:
            path: where to.
            frames_per_second: at which it is to be seen.

        Raises:
            ImportError: where there is no ffmpeg.
        """
        self._program = _ffmpeg()
        self._path, self._rate = path, frames_per_second
        self._process: subprocess.Popen[bytes] | None = None

    def add(self, frame: Frame) -> None:
        """Adds a picture ``(height, width, 3)``, as large as the first.

        Raises:
            OSError: where ffmpeg gave up.
        """
        if self._process is None:
            self._process = self._start(*frame.shape[:2])
        pipe = self._process.stdin
        try:
            if pipe is not None:
                pipe.write(frame.tobytes())
        except BrokenPipeError:
            self.close()

    def close(self) -> None:
        """Waits until the file is written.

        Raises:
            OSError: where ffmpeg gave up, with what it said.
        """
        process, self._process = self._process, None
        if process is None:
            return
        _, said = process.communicate()
        if process.returncode != 0:
            raise OSError(f"ffmpeg could not write {str(self._path)!r}: {said.decode(errors='replace').strip()}")

    def _start(self, height: int, width: int) -> subprocess.Popen[bytes]:
        raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(self._rate), "-i", "-"]
        # Players want even sides and this pixel format.
        made = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", str(self._path)]
        command = [self._program, "-y", "-loglevel", "error", *raw, *made]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)


def _ffmpeg() -> str:
    try:
        import imageio_ffmpeg
    except ImportError:
        program = shutil.which("ffmpeg")
    else:
        program = imageio_ffmpeg.get_ffmpeg_exe()
    if program is None:
        raise ImportError("films other than GIF need ffmpeg: pip install 'envpool_rs[film]', or install the program")
    return program
