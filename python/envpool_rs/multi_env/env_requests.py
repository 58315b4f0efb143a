"""Requests to environments in worker processes, and their replies."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from envpool_rs._workers import Steps, WorkerDied
from envpool_rs._workers.serialization import exit_text

STEP = "step"
"""Name of the operation that steps an environment."""


@dataclass
class Request:
    """A request to environments.

    Attributes:
        envs: numbers of the environments, in ascending order.
        operation: ``STEP``, or a call's operation.
    """

    envs: Sequence[int]
    operation: str


@dataclass
class RequestReplies:
    """Replies to a request.

    Attributes:
        steps: the results of a step; rows of environments that failed hold no valid data.
        results: the results of calls, by environment.
        errors: exceptions, by environment.
    """

    steps: Steps | None = None
    results: dict[int, Any] = field(default_factory=dict)
    errors: dict[int, BaseException] = field(default_factory=dict)


def weak_callback(method: Callable[[WorkerDied], None]) -> Callable[[WorkerDied], None]:
    """Returns a callable with a weak reference to a method's object.

    An object with a strong reference would never be freed, because the garbage collector cannot see references that the
    extension holds.
    """
    reference = weakref.WeakMethod(method)

    def call(death: WorkerDied) -> None:
        found = reference()
        if found is not None:
            found(death)

    return call


def loss_error(env: int, second: WorkerDied, first: WorkerDied | None) -> BaseException:
    """Returns the error for an environment whose process died again before its reply, or could not be started."""
    if second.__cause__ is not None and not isinstance(second.__cause__, WorkerDied):
        return second.__cause__  # the exception that the factory raised
    second.__cause__ = second.__cause__ or first
    error = RuntimeError(f"environment {env}: its process died twice in a row ({exit_text(second.exitcode)})")
    error.__cause__ = second
    return error
