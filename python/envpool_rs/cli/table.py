"""Tables and numbers for people."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """A table in aligned columns.

    Args:
        header: a name for each column.
        rows: cells.
        right: columns whose cells are aligned to the right.
    """
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    rule = ["-" * width for width in widths]
    lines = [_aligned(row, widths, right) for row in [header, rule, *rows]]
    return "\n".join(lines)


def _aligned(row: Sequence[str], widths: Sequence[int], right: Collection[int]) -> str:
    cells = [
        cell.rjust(width) if column in right else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def rate_text(per_second: float) -> str:
    """A rate in three digits: ``123 M``, ``12.3 M``, ``4.56 k``."""
    value, unit = per_second, ""
    for larger in ("k", "M", "G"):
        # What would round to 1000 belongs to the next unit.
        if value < 999.5:  # noqa: PLR2004
            break
        value, unit = value / 1000, larger
    return f"{three_digits(value)} {unit}".rstrip()


def three_digits(value: float) -> str:
    """``0.123``, ``1.23``, ``12.3``, ``123``, ``1234``."""
    for limit, digits in ((0.9995, 3), (9.995, 2), (99.95, 1)):
        if value < limit:
            return f"{value:.{digits}f}"
    return f"{value:.0f}"
