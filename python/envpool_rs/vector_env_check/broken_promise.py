"""What a check found, and the exception that tells of everything that was found."""

from __future__ import annotations

from typing import NamedTuple


class BrokenPromise(NamedTuple):
    """A promise that a vector environment breaks.

    Attributes:
        check: name of the check.
        promise: the promise, a sentence.
        seen: what was seen instead.
    """

    check: str
    promise: str
    seen: str

    def __str__(self) -> str:
        return f"{self.promise} {self.seen}"


class NotKept(Exception):  # noqa: N818 - what a check raises; users see a `VectorEnvContractError`
    """Raised by a check, with what was seen."""


class NothingToSee(Exception):  # noqa: N818
    """Raised by a check which found no case to look at, with what was missing."""


class VectorEnvContractError(AssertionError):
    """A vector environment breaks promises.

    Attributes:
        broken: all of them.
    """

    def __init__(self, env: object, broken: list[BrokenPromise]) -> None:
        """Lists what was found.

        Args:
            env: the environment.
            broken: what it breaks.
        """
        self.broken = broken
        lines = "\n".join(f"- {each}" for each in broken)
        super().__init__(
            f"{env} breaks {len(broken)} promise{'s' * (len(broken) > 1)} of a vector environment:\n{lines}"
        )
