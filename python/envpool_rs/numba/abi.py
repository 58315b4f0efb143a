"""Layouts of the C interface's structs as arrays of words, and memory for structs.

Every field of `envpool_rs.h` has 8 bytes, so a struct is an array of words. Names, order and constants are those of the
extension, whose tests compare them with the header.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from envpool_rs import _core

_FIELDS, _CONSTANTS = _core.plugin_layouts()

LAYOUTS = {
    name: [
        word
        for field in fields
        for word in (
            [f"value.{inner}" for inner in _FIELDS["value"]] if (name, field) == ("option", "value") else [field]
        )
    ]
    for name, fields in sorted(_FIELDS.items())
}
"""Names of the words of each struct `epr_...`, in order. An option contains an `epr_value`."""

DTYPES = {
    name: _CONSTANTS[name.upper()]
    for name in ("bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64")
}
"""The C interface's constant for each element type."""

BOX, DISCRETE, MULTI_DISCRETE, MULTI_BINARY = (
    _CONSTANTS[name] for name in ("BOX", "DISCRETE", "MULTI_DISCRETE", "MULTI_BINARY")
)
"""The C interface's constants for kinds of spaces."""

OPTION_KINDS: dict[type, int] = {each: _CONSTANTS[f"OPTION_{each.__name__.upper()}"] for each in (bool, int, float)}
"""The C interface's constant for each kind of option, by the Python type of the option's default."""

RANGE = _CONSTANTS["RANGE"]
"""Flag of an option whose values lie within bounds."""

AFTER = {
    "always": 0,
    "steps": _CONSTANTS["AFTER_STEPS"],
    "terminations": _CONSTANTS["AFTER_TERMINATIONS"],
}
"""Flag of an info that says when the info is reported."""

PLAIN, UNIFORM = _CONSTANTS["PLAIN"], _CONSTANTS["UNIFORM"]
"""Flags of an environment. `PLAIN`: states are bytes without pointers; `UNIFORM`: all steps take about the same short
time.
"""

TERMINATED, TRUNCATED, FAILED = (_CONSTANTS[name] for name in ("TERMINATED", "TRUNCATED", "FAILED"))
"""Bits of `epr_batch.end` that say how an environment's step ended."""

WORD = 8
"""Size of a word in bytes."""

RANDOM_SIZE = WORD * len(LAYOUTS["random"])
"""Size of an `epr_random` in bytes."""

LEAST_INT, LARGEST_INT = -(2**63), 2**63 - 1
"""Bounds of integers in compiled code."""


def word_of(field: str) -> int:
    """Returns the index of a field, given as ``struct.field``."""
    name, _, inner = field.partition(".")
    return LAYOUTS[name].index(inner)


def _word(field: str, value: Any) -> int:
    """Returns an integer, or the bits of a float64, as an unsigned word."""
    if isinstance(value, float):
        return int(struct.unpack("<Q", struct.pack("<d", value))[0])
    number = int(value)
    if not LEAST_INT <= number < 2**64:
        raise ValueError(f"{field}={number}: expected an integer of 64 bits")
    return number % 2**64


class Memory:
    """Owner of structs, arrays and strings that C code reads. Their addresses never change."""

    def __init__(self) -> None:
        self._parts: list[Any] = []

    def text(self, text: str) -> int:
        """Stores a string, and returns its address."""
        return self.array(text.encode() + b"\0", np.uint8)

    def array(self, values: Iterable[Any] | bytes, dtype: Any) -> int:
        """Stores an array, and returns its address; 0 for an empty one."""
        listed = np.frombuffer(values, dtype) if isinstance(values, bytes) else np.array(list(values), dtype)
        stored = np.ascontiguousarray(listed).copy()
        self._parts.append(stored)
        return int(stored.ctypes.data) if stored.size else 0

    def structs(self, name: str, rows: Sequence[dict[str, int | float]]) -> int:
        """Stores consecutive structs ``epr_<name>``, and returns the address of the first; 0 without rows.

        Rows have integers, addresses or floats by field. Omitted fields are zero, except ``size``, which is filled in.
        """
        layout = LAYOUTS[name]
        words = []
        for row in rows:
            values = {"size": WORD * len(layout), **row} if "size" in layout else row
            unknown = values.keys() - set(layout)
            if unknown:
                raise KeyError(f"epr_{name} has no field {sorted(unknown)[0]!r}")
            words += [_word(field, values.get(field, 0)) for field in layout]
        return self.array(words, np.uint64)
