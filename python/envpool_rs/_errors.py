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
