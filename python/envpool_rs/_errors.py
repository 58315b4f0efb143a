"""Exceptions with several base classes, because programs for EnvPool and for gymnasium catch different ones."""

from __future__ import annotations

from gymnasium import error


class ClosedPoolError(error.ClosedEnvironmentError, RuntimeError):
    """Call of a closed pool."""


class UnknownTaskError(ValueError, KeyError, AssertionError):
    """Unknown task id. EnvPool's ``make_spec`` raises a ``KeyError`` for it, its ``make`` an ``AssertionError``."""

    # ``KeyError.__str__`` would quote the message.
    __str__ = Exception.__str__


class RefusedOptionError(ValueError, AssertionError):
    """Option value that is not allowed. EnvPool raises an ``AssertionError`` where it checks options."""


class NeverResetError(error.ResetNeeded, RuntimeError):
    """Step or render of an environment that was never reset."""


class DifferentSpacesError(ValueError, RuntimeError):
    """Environments of one vector environment have different spaces."""


class VectorArgumentError(error.Error, TypeError):
    """Argument of ``make_vec`` that the vectorization mode does not support."""


class PendingCallError(error.AlreadyPendingCallError, RuntimeError):
    """Call of environments whose previous results have not been received yet.

    Attributes:
        name: the pending operation.
    """

    def __init__(self, message: str, name: str = "step") -> None:
        super().__init__(message, name)


class NoPendingCallError(error.NoAsyncCallError, RuntimeError):
    """Request for results without a pending operation.

    Attributes:
        name: the operation that was not started.
    """
