"""Layouts of the C interface's structs as arrays of words, and memory for structs.

Every field of `envpool_rs.h` has 8 bytes, so a struct is an array of words. Names and order are those in the header.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

FIELDS = {
    "host": "size random uniform normal exponential integers next_u64 next_u32 random_f32 seed",
    "array": "size name kind dtype flags dims shape bounds low high n start charset",
    "value": "kind integer number text",
    "option": "size name doc value.kind value.integer value.number value.text low high flags choices choice",
    "batch": "size count lane consecutive first_lane state lane_stride field_stride random cause seed elapsed "
    "reset_option action action_stride reward end out out_stride scratch error error_size ended",
    "env": "size data players flags observations actions infos observation action info state_size state_align "
    "scratch_size most_lanes together lane_heap shared_heap create reset step observe inform destroy save load "
    "is_valid render render_text frame_width frame_height frames_per_second check_reset prepare unmake",
    "task": "size id max_episode_steps reward_threshold options option reset_options reset_option data make",
    "library": "size name version tasks task",
}
"""Names of the fields of each struct `epr_...`, in order, separated by spaces."""

LAYOUTS = {name: fields.split() for name, fields in FIELDS.items()}
"""Names of the fields of each struct `epr_...`, as lists in order."""

DTYPES = {"bool": 1, "uint8": 2, "int8": 3, "int16": 4, "int32": 5, "int64": 6, "float32": 7, "float64": 8}
"""The C interface's constant for each element type."""

BOX, DISCRETE, MULTI_DISCRETE, MULTI_BINARY = 1, 2, 3, 4
"""The C interface's constants for kinds of spaces."""

OPTION_KINDS: dict[type, int] = {bool: 1, int: 2, float: 3}
"""The C interface's constant for each kind of option, by the Python type of the option's default."""

RANGE = 1
"""Flag of an option whose values lie within bounds."""

AFTER = {"always": 0, "steps": 1, "terminations": 2}
"""Flag of an info that says when the info is reported."""

PLAIN, UNIFORM = 1, 4
"""Flags of an environment. `PLAIN`: states are bytes without pointers; `UNIFORM`: all steps take about the same short
time.
"""

TERMINATED, TRUNCATED, FAILED = 1, 2, 8
"""Bits of `epr_batch.end` that say how an environment's step ended."""

WORD = 8
"""Size of a word in bytes."""

LEAST_INT, LARGEST_INT = -(2**63), 2**63 - 1
"""Bounds of integers in compiled code."""

RANDOM_SIZE = 48
"""Size of an `epr_random` in bytes."""


def word_of(field: str) -> int:
    """Returns the index of a field, given as ``struct.field``."""
    name, _, inner = field.partition(".")
    return LAYOUTS[name].index(inner)


def bits(number: float) -> int:
    """Returns the bits of a float64 as an unsigned integer."""
    return int(struct.unpack("<Q", struct.pack("<d", number))[0])


def _word(field: str, value: int) -> int:
    """Returns an integer as an unsigned word."""
    if not LEAST_INT <= value < 2**64:
        raise ValueError(f"{field}={value}: expected an integer of 64 bits")
    return value % 2**64


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
            for field in layout:
                value = values.get(field, 0)
                words.append(bits(value) if isinstance(value, float) else _word(field, int(value)))
        return self.array(words, np.uint64)
