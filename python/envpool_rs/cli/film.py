"""Writes videos: GIF by Pillow, other formats by ffmpeg."""

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
"""File name suffixes of videos."""


class Film(Protocol):
    """Protocol of video writers."""

    def add(self, frame: Frame) -> None:
        """Adds a frame ``(height, width, 3)``, which has the size of the first frame."""

    def close(self) -> None:
        """Writes the remaining data of the video."""


def film(path: Path, frames_per_second: int) -> Film:
    """Opens a video writer for ``path``, selected by its suffix.

    Args:
        path: the output file; an existing file is replaced.
        frames_per_second: playback rate.

    Raises:
        ValueError: for another suffix.
        ImportError: if the required writer is not installed.
        OSError: if the folder does not exist.
    """
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{str(path)!r}: expected a name that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{str(path)!r}: there is no folder {str(path.absolute().parent)!r}")
    if path.suffix.lower() == ".gif":
        return GifFilm(path, frames_per_second)
    return FfmpegFilm(path, frames_per_second)


class GifFilm:
    """Writer of a GIF that repeats forever. It keeps all frames in memory until ``close``, one byte per pixel."""

    def __init__(self, path: Path, frames_per_second: int) -> None:
        """Stores the settings; the file is not opened yet.

        Args:
            path: the output file.
            frames_per_second: playback rate; frame durations in GIF are multiples of 10 ms.

        Raises:
            ImportError: if Pillow is not installed.
        """
        try:
            from PIL import Image
        except ImportError as error:
            raise ImportError("films in GIF need Pillow: pip install 'envpool_rs[film]'") from error
        self._image: Any = Image
        self._path, self._milliseconds = path, 1000 / frames_per_second
        self._frames: list[Any] = []

    def add(self, frame: Frame) -> None:
        """Adds a frame ``(height, width, 3)``, which has the size of the first frame."""
        self._frames.append(self._image.fromarray(frame).quantize(colors=256))

    def close(self) -> None:
        """Writes the file, if there are frames."""
        if self._frames:
            first, *rest = self._frames
            first.save(self._path, save_all=True, append_images=rest, duration=self._milliseconds, loop=0)
            self._frames = []


class FfmpegFilm:
    """Writer of a video that ffmpeg encodes while frames are added."""

    def __init__(self, path: Path, frames_per_second: int) -> None:
        """Stores the settings; ffmpeg is not started yet.

        Args:
            path: the output file.
            frames_per_second: playback rate.

        Raises:
            ImportError: if ffmpeg is not installed.
        """
        self._program = _ffmpeg()
        self._path, self._rate = path, frames_per_second
        self._process: subprocess.Popen[bytes] | None = None

    def add(self, frame: Frame) -> None:
        """Adds a frame ``(height, width, 3)``, which has the size of the first frame.

        Raises:
            OSError: if ffmpeg failed.
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
            OSError: if ffmpeg failed, with its error output.
        """
        process, self._process = self._process, None
        if process is None:
            return
        _, said = process.communicate()
        if process.returncode != 0:
            raise OSError(f"ffmpeg could not write {str(self._path)!r}: {said.decode(errors='replace').strip()}")

    def _start(self, height: int, width: int) -> subprocess.Popen[bytes]:
        raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(self._rate), "-i", "-"]
        # Video players require an even width and height and this pixel format.
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
