"""What a step of several environments returns: four lists."""

from __future__ import annotations

import contextlib
from typing import Any

FourLists = tuple[list[Any], list[Any], list[Any], list[Any]]
"""``(observations, rewards, terminals, infos)``, with an entry for each environment."""


class StepLists:
    """The lists of a step while they are filled, and the errors of environments that failed.

    Attributes:
        lists: ``(observations, rewards, terminals, infos)``; ``None`` where nothing was played.
        errors: by position.
    """

    def __init__(self, length: int) -> None:
        """Lists of ``None``.

        Args:
            length: number of environments.
        """
        self.lists: FourLists = ([None] * length, [None] * length, [None] * length, [None] * length)
        self.errors: dict[int, BaseException] = {}

    def put(self, position: int, values: tuple[Any, Any, Any, Any]) -> None:
        """Enters the four values of one environment."""
        for column, value in zip(self.lists, values, strict=True):
            column[position] = value

    def result(self) -> FourLists:
        """The four lists.

        Raises:
            BaseException: that of the first environment that failed; its attribute ``results`` has the four lists,
                with ``None`` for those that failed.
        """
        if self.errors:
            error = self.errors[min(self.errors)]
            # An exception class may allow no further attributes; the exception itself matters more.
            with contextlib.suppress(AttributeError):
                error.results = self.lists  # type: ignore[attr-defined]
            raise error
        return self.lists
