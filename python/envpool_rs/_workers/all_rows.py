"""The shared rows of a whole group, as every process must know them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class AllRows:
    """What every process must know of the block's rows.

    Attributes:
        layouts: for each environment its leaves (dtype, shape).
        final_rows: whether there is a second set for last observations.
        spaces: the observation spaces as the caller got them, pickled, of all environments.
    """

    layouts: list[list[tuple[str, tuple[int, ...]]]]
    final_rows: bool
    spaces: list[bytes | None]
