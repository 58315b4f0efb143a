"""``FrameRing``: a ring buffer that stores each frame once and assembles stacks of frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

ZEROS = -1
"""Frame number of a frame of zeros, with which stacks are padded."""

_FIRST_EXTRA = -2
"""Frame number of the first extra frame; later ones count down."""


class FrameRing:
    """Frames of several environments, each stored once.

    A frame number of 0 or more is a time; its frames are in row ``time % rows``. A negative number is a frame of zeros
    or an extra frame: a frame that is in no row, such as the last frame of an episode that was reset in the same step.

    Attributes:
        frames: the stored frames, ``(rows, num_envs, ...)``.
        stack_num: number of frames of a stack.
        joins: whether stacks join frames along a frame's first axis, like EnvPool's; otherwise stacks have an
            additional first axis.
    """

    def __init__(
        self, rows: int, num_envs: int, frame_shape: tuple[int, ...], dtype: Any, stack_num: int, joins: bool
    ) -> None:
        self.frames = np.zeros((rows, num_envs, *frame_shape), dtype)
        self.stack_num = stack_num
        self.joins = joins
        self._extras: dict[int, npt.NDArray[Any]] = {}
        self._extras_of_row: dict[int, list[int]] = {}
        self._next_extra = _FIRST_EXTRA

    @property
    def nbytes(self) -> int:
        """Number of bytes of all frames."""
        return self.frames.nbytes + sum(frame.nbytes for frame in self._extras.values())

    @property
    def extra_count(self) -> int:
        """Number of extra frames."""
        return len(self._extras)

    def add_extra(self, row: int, frame: npt.NDArray[Any]) -> int:
        """Stores an extra frame until row ``row`` of the ring is reused; returns the frame's number."""
        number, self._next_extra = self._next_extra, self._next_extra - 1
        self._extras[number] = frame
        self._extras_of_row.setdefault(row, []).append(number)
        return number

    def free_extra(self, row: int, number: int) -> None:
        """Frees an extra frame that belongs to a row of the ring, because no stack contains it."""
        self._extras_of_row[row].remove(number)
        del self._extras[number]

    def forget(self, row: int) -> None:
        """Frees the extra frames that belong to a row of the ring, which is about to be reused."""
        for number in self._extras_of_row.pop(row, ()):
            del self._extras[number]

    def stacks(self, sources: npt.NDArray[np.int64], envs: npt.NDArray[Any], time: int) -> npt.NDArray[Any]:
        """Returns copies of the stacks with frame numbers ``(m, stack_num)``, oldest first, of environments ``(m,)``.

        Raises:
            RuntimeError: for a frame that newer frames have replaced.
        """
        rows = len(self.frames)
        oldest = int(sources[sources >= 0].min(initial=time))
        if oldest <= time - rows:
            raise RuntimeError(f"a stack contains the frame of time {oldest}, which newer frames have replaced")
        stacks = self.frames[sources % rows, envs[:, None]]
        if (sources < 0).any():
            stacks[sources == ZEROS] = 0
            for index, place in np.argwhere(sources <= _FIRST_EXTRA).tolist():
                stacks[index, place] = self._extras[int(sources[index, place])]
        return self._joined(stacks)

    def view(self, sources: npt.NDArray[np.int64], time: int) -> npt.NDArray[Any] | None:
        """Returns the newest stacks of all environments, with frame numbers ``(num_envs, stack_num)``, as a view;
        ``None`` if their frames are not consecutive rows.
        """
        row, depth = time % len(self.frames), self.stack_num
        if row < depth - 1 or not (sources == np.arange(time - depth + 1, time + 1)).all():
            return None
        return self._joined(self.frames[row - depth + 1 : row + 1].swapaxes(0, 1))

    def _joined(self, stacks: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if not self.joins:
            return stacks
        return stacks.reshape(len(stacks), self.stack_num * stacks.shape[2], *stacks.shape[3:])
