"""Refusal of calls while another thread uses the same object."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class ExclusiveUse:
    """Runs calls of one thread at a time; a second thread's call is refused at once.

    Args:
        what: the object concerned, for the message.
    """

    __slots__ = ("_users", "_what")

    def __init__(self, what: str) -> None:
        # The calls that run or ask to run, in this order; the first one runs.
        self._users: dict[object, None] = {}
        self._what = what

    def run(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Runs a call alone.

        An exception at any point of it, also Ctrl-C, ends the use: each operation on the users is a single one of
        the interpreter, and the entry is added where ``finally`` already holds.

        Args:
            call: the function.
            arguments: its arguments.

        Returns:
            What ``call`` returns.

        Raises:
            RuntimeError: while another call runs; this one does not wait for it.
        """
        user = object()
        try:
            self._users[user] = None
            first, *_ = list(self._users)  # a copy: other threads change the dict during an iteration
            if first is not user:
                raise RuntimeError(f"{self._what} is in use by another thread")
            return call(*arguments)
        finally:
            self._users.pop(user, None)
