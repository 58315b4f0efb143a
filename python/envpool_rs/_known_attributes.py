"""``KnownAttributes``: objects that refuse assignments to attributes that they do not have."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from types import GetSetDescriptorType
from typing import Any

_PACKAGE = __name__.partition(".")[0]
_MAX_LISTED = 12  # maximum number of names that a message lists
_ACCEPTS = "_accepts_all_attributes"  # attribute that exists while another package's base class initialises an object


class KnownAttributes:
    """Mixin whose public attributes are those that its classes declare, by an annotation or in their bodies.

    An assignment to another public name raises an ``AttributeError`` with a suggestion, because it would have no
    effect. Names that begin with an underscore are assignable, and so are all names of classes outside this package,
    which may have attributes of their own.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        cls: Any = type(self)
        if name[:1] != "_" and not (
            name in vars(self)
            or hasattr(cls, name)
            or name in _declared(cls)
            or cls.__module__.partition(".")[0] != _PACKAGE
            or _ACCEPTS in vars(self)
        ):
            raise self._unknown_attribute(name)
        super().__setattr__(name, value)

    def _unknown_attribute(self, name: str) -> AttributeError:
        """Returns the error for an unknown attribute, with similar names, or all names if they are few."""
        cls: Any = type(self)
        known = _assignable(cls) | {name for name in vars(self) if name[:1] != "_"}
        near = difflib.get_close_matches(name, known, n=3)
        if near:
            hint = f"; did you mean {' or '.join(map(repr, near))}?"
        else:
            hint = f"; there are: {', '.join(sorted(known))}" if 0 < len(known) <= _MAX_LISTED else ""
        return AttributeError(f"{cls.__name__} has no attribute {name!r} to assign{hint}")


@contextmanager
def all_attributes(instance: KnownAttributes) -> Iterator[None]:
    """Lets ``__init__`` of a base class of another package assign attributes, which are known from then on."""
    vars(instance)[_ACCEPTS] = True
    try:
        yield
    finally:
        del vars(instance)[_ACCEPTS]


@functools.lru_cache(maxsize=256)
def _declared(cls: type) -> frozenset[str]:
    return frozenset(name for base in cls.__mro__ for name in getattr(base, "__annotations__", ()))


@functools.lru_cache(maxsize=256)
def _assignable(cls: type) -> frozenset[str]:
    """Returns the public names of a class that are neither methods nor read-only."""
    names = {name: getattr(cls, name, None) for name in {*_declared(cls), *dir(cls)} if name[:1] != "_"}
    return frozenset(
        name
        for name, each in names.items()
        if not (
            callable(each) or isinstance(each, GetSetDescriptorType) or (isinstance(each, property) and not each.fset)
        )
    )
