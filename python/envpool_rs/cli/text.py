"""Formats text for users, shows progress on a terminal, and parses arguments of the command line."""

from __future__ import annotations

import argparse
import math
import shutil
import textwrap
import time
from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, TextIO

from envpool_rs._nested import fold_space, parts_of_descriptor

if TYPE_CHECKING:
    from envpool_rs._core import SpaceDescriptor


def line_width() -> int:
    """Returns the width of lines in characters: the terminal's, between 80 and 120."""
    return min(max(shutil.get_terminal_size().columns, 80), 120)


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """Formats a table with aligned columns, of which those with numbers in ``right`` are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    line = "  ".join(f"{{:{'>' if column in right else '<'}{width}}}" for column, width in enumerate(widths))
    return "\n".join(line.format(*row).rstrip() for row in [header, ["-" * width for width in widths], *rows])


def wrapped(text: str, first: str = "", later: str = "") -> str:
    """Wraps a text at the width of lines, which begin with ``first`` and ``later``."""
    return textwrap.fill(
        text, line_width(), initial_indent=first, subsequent_indent=later or " " * len(first), break_on_hyphens=False
    )


def rate_text(per_second: float) -> str:
    """Formats a rate with three digits: ``123 M``, ``12.3 M``, ``4.56 k``."""
    value, unit = per_second, ""
    for larger in ("k", "M", "G"):
        # A value that would be rounded to 1000 uses the next larger unit.
        if value < 999.5:  # noqa: PLR2004
            break
        value, unit = value / 1000, larger
    return f"{three_digits(value)} {unit}".rstrip()


def three_digits(value: float) -> str:
    """Formats a value with three digits: ``0.123``, ``1.23``, ``12.3``, ``123``, ``1234``."""
    for limit, digits in ((0.9995, 3), (9.995, 2), (99.95, 1)):
        if value < limit:
            return f"{value:.{digits}f}"
    return f"{value:.0f}"


def space_text(space: SpaceDescriptor) -> str:
    """Formats a space without its bounds: ``float32[4]``, ``Discrete(2)``, ``{key: float32[3], ...}``."""

    def leaf(part: SpaceDescriptor) -> str:
        if part[0] == "box":
            return array_text(part[4], part[3])
        if part[0] == "text":
            return f"Text({part[1]})"
        if part[0] == "multi_binary":
            return f"MultiBinary({', '.join(map(str, part[1]))})"
        if part[0] == "multi_discrete":
            return f"MultiDiscrete({part[1]})"
        assert part[0] == "discrete"
        return f"Discrete({part[1]}, start={part[2]})" if part[2] else f"Discrete({part[1]})"

    text: str = fold_space(
        space,
        leaf,
        lambda parts: "{" + ", ".join(f"{key}: {part}" for key, part in parts.items()) + "}",
        lambda parts: "(" + ", ".join(parts) + ")",
        parts_of_descriptor,
    )
    return text


def array_text(dtype: str, shape: tuple[int, ...]) -> str:
    """Formats dtype and shape: ``float32[10, 5]``; only the dtype for a scalar."""
    return f"{dtype}[{', '.join(map(str, shape))}]" if shape else dtype


def bounds_text(space: SpaceDescriptor) -> str:
    """Formats the bounds of a box, such as ``-1.0 to 1.0``; returns an empty string for other spaces."""
    if space[0] != "box":
        return ""
    bounds = []
    for bound in space[1:3]:
        texts = [f"{number:.4g}" for number in (bound if isinstance(bound, list) else [bound])]
        bounds.append(texts[0] if len(set(texts)) == 1 else f"[{', '.join(texts)}]")
    return " to ".join(bounds)


def positive_int(text: str) -> int:
    """Parses an integer of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected an integer from 1 on")
    return int(text)


def positive_float(text: str) -> float:
    """Parses a finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number above 0")
    return number


def matching_tasks(pattern: str, tasks: Sequence[str]) -> list[str]:
    """Returns the tasks that match a glob (``Cart*``) or contain the pattern, case-insensitively."""
    lower = pattern.lower()
    glob = any(character in lower for character in "*?[")
    return [task for task in tasks if (fnmatchcase(task.lower(), lower) if glob else lower in task.lower())]


REDRAW = 0.1  # minimum time between two updates of a live line, in seconds


class LiveLine(AbstractContextManager["LiveLine"]):
    """Shows progress on a terminal in one line, redrawn at most ten times a second; pipes get permanent lines only."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live, self._drawn, self._next = stream.isatty(), False, 0.0

    def show(self, text: str) -> None:
        """Replaces the line by ``text``, cut to the terminal's width, unless the last update was too recent."""
        now = time.perf_counter()
        if self._live and now >= self._next:
            self._next = now + REDRAW
            width = shutil.get_terminal_size().columns - 1
            self._drawn = True  # set first, because an interrupt may follow at once
            print(f"\r\x1b[2K{text[:width]}", end="", file=self._stream, flush=True)

    def keep(self, text: str) -> None:
        """Writes a permanent line in place of the live line."""
        self.clear()
        print(text, file=self._stream, flush=True)

    def clear(self) -> None:
        """Removes the live line."""
        if self._drawn:
            print("\r\x1b[2K", end="", file=self._stream, flush=True)
            self._drawn = False
        self._next = 0.0

    def __exit__(self, *_: object) -> None:
        self.clear()
