"""Results of a step of several environments: four lists."""

from __future__ import annotations

import contextlib
from typing import Any

FourLists = tuple[list[Any], list[Any], list[Any], list[Any]]
"""``(observations, rewards, terminals, infos)``, with an entry for each environment."""


class StepLists:
    """The result lists of a step, filled row by row, and the errors of environments that failed.

    Attributes:
        lists: ``(observations, rewards, terminals, infos)``; ``None`` for environments that were not stepped.
        errors: by position.
    """

    def __init__(self, length: int) -> None:
        """Creates lists of ``None``.

        Args:
            length: number of environments.
        """
        self.lists: FourLists = ([None] * length, [None] * length, [None] * length, [None] * length)
        self.errors: dict[int, BaseException] = {}

    def put(self, position: int, values: tuple[Any, Any, Any, Any]) -> None:
        """Stores the four values of one environment."""
        for column, value in zip(self.lists, values, strict=True):
            column[position] = value

    def result(self) -> FourLists:
        """Returns the four lists.

        Raises:
            BaseException: the exception of the first environment that failed; its attribute ``results`` has the four
                lists, with ``None`` for environments that failed.
        """
        if self.errors:
            error = self.errors[min(self.errors)]
            # An exception class may allow no further attributes; raising the exception is more important.
            with contextlib.suppress(AttributeError):
                error.results = self.lists  # type: ignore[attr-defined]
            raise error
        return self.lists
