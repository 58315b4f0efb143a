"""Pictures in a terminal: two pixels in each letter, above and below."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_RESERVED_LINES = 2


def size_in_terminal(width: int, height: int) -> tuple[int, int]:
    """The largest size, in pixels, in which a picture fits the terminal; its height is even.

    Args:
        width: the picture's own.
        height: the picture's own.
    """
    terminal = shutil.get_terminal_size()
    columns, lines = max(terminal.columns, 2), max(terminal.lines - _RESERVED_LINES, 1)
    scale = min(columns / width, 2 * lines / height, 1.0)
    return max(1, int(width * scale)), max(2, int(height * scale) // 2 * 2)


def half_blocks(picture: npt.NDArray[np.uint8]) -> str:
    """A picture ``(height, width, 3)`` of even height as lines of coloured letters.

    Colours are written where they change only.
    """
    lines = []
    for upper, lower in zip(picture[::2].tolist(), picture[1::2].tolist(), strict=True):
        line, before = [], None
        for colors in zip(upper, lower, strict=True):
            if colors != before:
                (r, g, b), (r2, g2, b2) = colors
                line.append(f"\x1b[38;2;{r};{g};{b};48;2;{r2};{g2};{b2}m")
                before = colors
            line.append("▀")
        lines.append("".join(line) + "\x1b[0m")
    return "\n".join(lines)
