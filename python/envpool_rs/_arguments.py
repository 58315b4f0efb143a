"""Argument checks with uniform messages: ``name=value: expected ...``.

The checks raise a ``TypeError`` for a value of the wrong type and a ``ValueError`` for one that is not allowed. They
accept numpy's scalars as numbers. They accept neither bools as numbers nor integers as bools.
"""

from __future__ import annotations

import array as buffers
import operator
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

_MAX_SHOWN = 80
Rule: TypeAlias = Callable[[float], bool] | None  # whether a number is allowed; `None`: all are


def shown(value: Any) -> str:
    """Returns the ``repr`` of a value for a message, cut to 80 characters."""
    try:
        text = repr(value)
    except Exception:
        return f"<{type(value).__name__}>"
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={shown(value)}: expected a bool")
    return bool(value)


def integer(
    name: str, value: Any, least: int | None = None, most: int | None = None, *, allowed: str = "", kind: str = "an int"
) -> int:
    """Returns an integer within bounds as an int; messages state ``allowed`` (default: the bounds) and ``kind``."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={shown(value)}: expected {kind}")
    if (least is not None and number < least) or (most is not None and number > most):
        bounds = f"{most} or less" if least is None else f"{least} or more" if most is None else f"{least} to {most}"
        raise ValueError(f"{name}={shown(number)}: expected {allowed or bounds}")
    return number


def optional_integer(
    name: str, value: Any, least: int | None = None, most: int | None = None, **how: str
) -> int | None:
    return None if value is None else integer(name, value, least, most, kind="an int or None", **how)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)


def number(name: str, value: Any, expected: str = "a number", is_allowed: Rule = None) -> float:
    """Returns an allowed number as a float; ``expected`` are the allowed values, as error messages state them."""
    if not is_number(value):
        raise TypeError(f"{name}={shown(value)}: expected {expected}")
    try:
        converted = float(value)
    except OverflowError:
        converted = None
    if converted is None or (is_allowed is not None and not is_allowed(converted)):
        raise ValueError(f"{name}={shown(value)}: expected {expected}")
    return converted


def optional_number(name: str, value: Any, expected: str, is_allowed: Rule = None) -> float | None:
    return None if value is None else number(name, value, expected, is_allowed)


def choice(name: str, value: Any, allowed: Sequence[str | None]) -> Any:
    """Returns ``value`` if it is one of the ``allowed`` words; raises a ``ValueError`` for anything else."""
    if not (value is None or isinstance(value, str)) or value not in allowed:
        raise ValueError(f"{name}={shown(value)}: expected {alternatives(allowed)}")
    return value


def alternatives(values: Sequence[Any]) -> str:
    """Joins the ``repr`` of values by commas and "or", for messages: ``None, 'human' or 'rgb_array'``."""
    *most, last = (repr(value) for value in values)
    return f"{', '.join(most)} or {last}" if most else last


def text(name: str, value: Any, expected: str = "a str") -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}={shown(value)}: expected {expected}")
    return value


def utf8(name: str, value: str) -> str:
    """Returns a str without surrogates, as the Rust extension and libraries take it."""
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{name}={shown(value)}: expected text that UTF-8 can hold") from None
    return value


def mapping(name: str, value: Any, expected: str = "a dict") -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}={shown(value)}: expected {expected}")
    return value


def is_series(value: Any) -> bool:
    """Returns whether a value is an ordered series, such as a list or array; no string, dict, set or 0-d array is."""
    is_iterable = hasattr(value, "__iter__") and not isinstance(value, (str, bytes, Mapping, Set))
    return is_iterable and getattr(value, "ndim", 1) > 0


MAX_ENTRIES = 1_000_000  # of a series: one that has more may be endless


def bounded(name: str, value: Iterable[Any]) -> Iterator[Any]:
    """Yields the entries of a series, which may be endless; raises a ``ValueError`` after `MAX_ENTRIES`."""
    for index, each in enumerate(value):
        if index == MAX_ENTRIES:
            raise ValueError(f"{name} has more than {MAX_ENTRIES} entries: expected fewer")
        yield each


_ALLOCATED = (list, tuple, buffers.array, bytearray, memoryview)  # series whose entries are in memory


def refuse_masked(name: str, value: Any) -> None:
    """Raises a ValueError for masked entries, which have no values: numpy reads the numbers behind the mask."""
    if type(value) is not np.ndarray and isinstance(value, np.ndarray) and np.ma.is_masked(value):
        raise ValueError(f"{name}={shown(value)}: expected no masked entries; give filled(...)")


def array(name: str, value: Any) -> npt.NDArray[Any]:
    refuse_masked(name, value)
    if is_series(value) and not isinstance(value, _ALLOCATED) and not hasattr(value, "__array__"):
        value = list(bounded(name, value)) if hasattr(value, "__getitem__") else value
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name}={shown(value)}: expected an array ({error})") from None


def path(name: str, value: Any, expected: str = "a path or None") -> str | None:
    """Returns a path, which UTF-8 can hold and which has no NUL, as a str; or ``None``."""
    given = os.fspath(value) if isinstance(value, os.PathLike) else value
    if given is None:
        return None
    if "\0" in text(name, given, expected):
        raise ValueError(f"{name}={shown(given)}: expected a path without NUL")
    return utf8(name, given)


@contextmanager
def readable(path: str | os.PathLike[str], expected: str) -> Iterator[None]:
    """Context manager that raises a ``ValueError`` with the path for errors of a damaged or other file's content."""
    try:
        yield
    except (ImportError, FileNotFoundError, PermissionError, MemoryError):
        raise
    except Exception as error:
        raise ValueError(f"path={os.fspath(path)!r}: {expected} ({error})") from error


def path_for_each(name: str, value: Any) -> str | list[str | None] | None:
    if isinstance(value, (list, tuple)):
        return [path(f"{name}[{place}]", each) for place, each in enumerate(value)]
    return path(name, value)


def entries(name: str, value: Any, count: int, expected: str) -> list[Any]:
    """Returns an iterable with ``count`` entries as a list; error messages state this number as ``expected``."""
    if not hasattr(value, "__iter__") or getattr(value, "ndim", 1) == 0:
        raise TypeError(f"{name}={shown(value)}: expected {expected}")
    refuse_masked(name, value)
    # Reads at most one entry more than required, because the iterable may be infinite.
    listed = value.tolist() if isinstance(value, np.ndarray) else list(islice(value, count + 1))
    if len(listed) != count:
        found = len(listed) if len(listed) < count else f"more than {count}"
        with suppress(TypeError, OverflowError):  # iterators have no length, and that of a range may exceed all others
            found = len(value)
        raise ValueError(f"{name} has {found} entries: expected {expected}")
    return listed


MAKES = "makes an environment"  # what functions of an argument do, as an error message describes them
SEEDS = "None, an int, or a sequence of ints and None"  # the allowed seeds, as an error message describes them


def functions(name: str, value: Any, makes: str = MAKES) -> list[Callable[..., Any]]:
    """Returns a non-empty sequence of functions as a list; ``makes`` is their task, as error messages state it."""
    if callable(value) or not is_series(value):
        raise TypeError(f"{name}={shown(value)}: expected a list of functions, each of which {makes}")
    listed: list[Callable[..., Any]] = []
    for index, each in enumerate(bounded(name, value)):
        if not callable(each):
            raise TypeError(f"{name}[{index}]={shown(each)}: expected a function that {makes}")
        listed.append(each)
    if not listed:
        raise ValueError(f"{name} is empty: expected at least one function that {makes}")
    return listed


def seeds_of(value: Any, ids: Sequence[int], expected: str, name: str = "seed") -> list[int | None]:
    """Returns a seed, or None, for each of the environments ids: ``value`` plus the id, or an entry of it."""
    if value is None:
        return [None] * len(ids)
    if not is_series(value):
        first = integer(name, value, kind=SEEDS)
        return [first + env_id for env_id in ids]
    listed = entries(name, value, len(ids), expected)
    return [None if each is None else integer(name, each, kind=SEEDS) for each in listed]
