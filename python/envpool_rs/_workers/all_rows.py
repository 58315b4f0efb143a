"""Layout of a whole group's shared rows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RowLayouts:
    """Layout of the block's rows, sent to every worker process.

    Attributes:
        layouts: the leaves (dtype, shape) of each environment.
        final_rows: whether there is a second set of rows for final observations.
        spaces: the pickled observation space of each environment, as the caller received it.
    """

    layouts: list[list[tuple[str, tuple[int, ...]]]]
    final_rows: bool
    spaces: list[bytes | None]
