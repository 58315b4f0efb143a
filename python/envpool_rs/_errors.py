"""Exceptions with several base classes, so that both programs for EnvPool and programs for gymnasium catch them."""

from __future__ import annotations

from gymnasium import error


class ClosedPoolError(error.ClosedEnvironmentError, RuntimeError):
    """Raised by a method of a pool that was closed."""


class UnknownTaskError(ValueError, KeyError, AssertionError):
    """Raised for an unknown task id; EnvPool raises a ``KeyError`` or an ``AssertionError``."""

    # Shows the message without quotation marks: ``KeyError.__str__`` would print its ``repr``.
    __str__ = Exception.__str__


class RefusedOptionError(ValueError, AssertionError):
    """Raised for an option's value that is not allowed; EnvPool raises an ``AssertionError``."""


class UnknownNameError(ValueError, RuntimeError):
    """Raised for an unknown name of a MetaWorld task; EnvPool raises a ``RuntimeError``."""


class NeverResetError(error.ResetNeeded, RuntimeError):
    """Raised when an environment that was never reset is stepped or rendered."""


class DifferentSpacesError(ValueError, RuntimeError):
    """Raised if the environments of one vector environment have different spaces."""


class VectorArgumentError(error.Error, TypeError):
    """Raised for an argument of ``make_vec`` that the vectorization mode does not support."""


class PendingCallError(error.AlreadyPendingCallError, RuntimeError):
    """Raised by a call to environments that still run a previous call, the operation ``name``, without its results."""

    def __init__(self, message: str, name: str = "step") -> None:
        super().__init__(message, name)


class NoPendingCallError(error.NoAsyncCallError, RuntimeError):
    """Raised by a ``*_wait`` method if the operation, its attribute ``name``, was not started."""
