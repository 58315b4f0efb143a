"""Checks of arguments, each in one way: ``name=value: expected ...``, a ``TypeError`` for another kind of value, a
``ValueError`` for one that is not allowed.

numpy's numbers are numbers. Bools are neither integers nor numbers, and integers are no bools.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set, Sized
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt


def flag(name: str, value: Any) -> bool:
    """A bool.

    Raises:
        TypeError: for anything else.
    """
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={value!r}: expected a bool")
    return bool(value)


def integer(
    name: str,
    value: Any,
    least: int | None = None,
    most: int | None = None,
    *,
    allowed: str = "",
    kind: str = "an int",
) -> int:
    """An integer.

    Args:
        name: the argument's.
        value: what was given.
        least: the smallest that is allowed.
        most: the largest that is allowed.
        allowed: which are allowed, in the words of the message; the bounds unless given.
        kind: what is taken here besides integers, in the words of the message.

    Raises:
        TypeError: for anything but an integer.
        ValueError: for one that is not allowed.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}={value!r}: expected {kind}")
    if (least is not None and number < least) or (most is not None and number > most):
        raise ValueError(f"{name}={number}: expected {allowed or _range(least, most)}")
    return number


def optional_integer(
    name: str, value: Any, least: int | None = None, most: int | None = None, *, allowed: str = ""
) -> int | None:
    """An integer as :func:`integer` has it, or ``None``."""
    return None if value is None else integer(name, value, least, most, allowed=allowed, kind="an int or None")


def _range(least: int | None, most: int | None) -> str:
    if least is None:
        return f"{most} or less"
    return f"{least} or more" if most is None else f"{least} to {most}"


def number(
    name: str, value: Any, expected: str = "a number", is_allowed: Callable[[float], bool] | None = None
) -> float:
    """A number.

    Args:
        name: the argument's.
        value: what was given.
        expected: what is allowed, in the words of the message.
        is_allowed: whether a number is; all are unless given.

    Raises:
        TypeError: for anything but a number.
        ValueError: for one that is not allowed.
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"{name}={value!r}: expected {expected}")
    if is_allowed is not None and not is_allowed(float(value)):
        raise ValueError(f"{name}={value!r}: expected {expected}")
    return float(value)


def choice(name: str, value: Any, allowed: Sequence[str | None]) -> Any:
    """One of a few words.

    Raises:
        ValueError: for anything else.
    """
    if not (value is None or isinstance(value, str)) or value not in allowed:
        raise ValueError(f"{name}={value!r}: expected {alternatives(allowed)}")
    return value


def alternatives(values: Sequence[Any]) -> str:
    """Values as a part of a sentence: ``None, 'human' or 'rgb_array'``."""
    *most, last = (repr(value) for value in values)
    return f"{', '.join(most)} or {last}" if most else last


def text(name: str, value: Any, expected: str = "a str") -> str:
    """A str.

    Raises:
        TypeError: for anything else.
    """
    if not isinstance(value, str):
        raise TypeError(f"{name}={value!r}: expected {expected}")
    return value


def mapping(name: str, value: Any, expected: str = "a dict") -> Mapping[Any, Any]:
    """A dict, or what is read like one.

    Raises:
        TypeError: for anything else.
    """
    if not isinstance(value, Mapping):
        raise TypeError(f"{name}={value!r}: expected {expected}")
    return value


def is_series(value: Any) -> bool:
    """Whether a value stands for several in an order: not a text, a dict, a set or an array without dimensions."""
    is_iterable = hasattr(value, "__iter__") and not isinstance(value, (str, bytes, Mapping, Set))
    return is_iterable and getattr(value, "ndim", 1) > 0


_MOST_SHOWN = 80
"""Characters of an array-like that a message shows."""


def array(name: str, value: Any) -> npt.NDArray[Any]:
    """What numpy makes an array of.

    Raises:
        ValueError: where it makes none of it, such as of rows that differ in length.
    """
    try:
        return np.asarray(value)
    except ValueError as error:
        shown = repr(value)
        shown = shown if len(shown) <= _MOST_SHOWN else f"{shown[:_MOST_SHOWN]}..."
        raise ValueError(f"{name}={shown}: expected an array ({error})") from None


def path(name: str, value: Any) -> str | None:
    """A path as text, or ``None``.

    Raises:
        TypeError: for anything else.
    """
    if value is not None and not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name}={value!r}: expected a path or None")
    return None if value is None else os.fspath(value)


def path_for_each(name: str, value: Any) -> str | list[str | None] | None:
    """A path as text or ``None``; or a list of such, one for each environment.

    Raises:
        TypeError: for anything else.
    """
    if isinstance(value, (list, tuple)):
        return [path(f"{name}[{place}]", each) for place, each in enumerate(value)]
    return path(name, value)


def entries(name: str, value: Iterable[Any], count: int, expected: str) -> list[Any]:
    """A list of as many entries as there have to be.

    Args:
        name: the argument's.
        value: what was given.
        count: how many there have to be.
        expected: how many those are, in the words of the message.

    Raises:
        ValueError: for another number of them.
    """
    # One more than there has to be: it may have no end.
    listed = value.tolist() if isinstance(value, np.ndarray) else list(islice(value, count + 1))
    if len(listed) != count:
        found = len(value) if isinstance(value, Sized) else len(listed) if len(listed) < count else f"more than {count}"
        raise ValueError(f"{name} has {found} entries: expected {expected}")
    return listed


MAKES = "makes an environment"
"""What most functions do that are given, in the words of the message."""


def functions(name: str, value: Any, makes: str = MAKES) -> list[Callable[..., Any]]:
    """Functions, at least one.

    Args:
        name: the argument's.
        value: what was given.
        makes: what each of them does.

    Raises:
        TypeError: for something that is no sequence of functions.
        ValueError: for none at all.
    """
    if callable(value) or not is_series(value):
        raise TypeError(f"{name}={value!r}: expected a list of functions, each of which {makes}")
    listed = list(value)
    if not listed:
        raise ValueError(f"{name} is empty: expected at least one function that {makes}")
    for index, each in enumerate(listed):
        if not callable(each):
            raise TypeError(f"{name}[{index}]={each!r}: expected a function that {makes}")
    return listed


SEEDS = "None, an int, or a sequence of ints and None"
"""What a seed may be, in the words of the message."""


def seeds_of(value: Any, ids: Sequence[int], expected: str, name: str = "seed") -> list[int | None]:
    """A seed for each environment.

    Args:
        value: ``None`` for none at all; an integer, where environment ``i`` gets ``seed + i``; or a sequence with an
            entry, which may be ``None``, for each of ``ids``.
        ids: whose seeds.
        expected: how many entries there have to be, in the words of the message.
        name: the argument's.

    Raises:
        TypeError: for what is no integer.
        ValueError: for a sequence of another length.
    """
    if value is None:
        return [None] * len(ids)
    if not is_series(value):
        first = integer(name, value, kind=SEEDS)
        return [first + env_id for env_id in ids]
    listed = entries(name, value, len(ids), expected)
    return [None if each is None else integer(name, each, kind=SEEDS) for each in listed]
