"""Exceptions that are of several kinds, because programs for EnvPool and for gymnasium catch different ones."""

from __future__ import annotations

from gymnasium import error


class ClosedPoolError(error.ClosedEnvironmentError, RuntimeError):
    """A call of a pool that has been closed."""


class UnknownTaskError(ValueError, KeyError, AssertionError):
    """A task that does not exist: EnvPool's ``make_spec`` raises a ``KeyError`` for it, its ``make`` an
    ``AssertionError``.
    """

    # A KeyError shows its message as it would a key, in quotation marks.
    __str__ = Exception.__str__


class RefusedOptionError(ValueError, AssertionError):
    """An option's value that is not allowed: EnvPool asserts what it checks of them."""


class NeverResetError(error.ResetNeeded, RuntimeError):
    """An environment was to be stepped or drawn that has never been reset."""


class DifferentSpacesError(ValueError, RuntimeError):
    """Environments of one vector environment have different spaces."""


class VectorArgumentError(error.Error, TypeError):
    """An argument of ``make_vec`` that the vectorization mode has nothing for."""


class PendingCallError(error.AlreadyPendingCallError, RuntimeError):
    """Something was asked of environments that have not been received yet from what they were asked before.

    Attributes:
        name: what they were asked.
    """

    def __init__(self, message: str, name: str = "step") -> None:
        """Describes the mistake.

        Args:
            message: in words.
            name: what the environments were asked.
        """
        super().__init__(message, name)


class NoPendingCallError(error.NoAsyncCallError, RuntimeError):
    """Results were asked for that nothing had been begun for.

    Attributes:
        name: what was to be begun.
    """
