"""Messages between driver and actors.

Through Ray: as few bytes' objects as can be, because Ray serialises everything else slowly. A round trip of a tuple of
eight small arrays takes 1.4 ms where one of the same as bytes takes 1.1 ms. Large arrays are left to Ray, which shows
them out of its object store without a copy.

Over a direct connection: a pickle, and behind it the memory of larger arrays, which is not copied into the pickle.
"""

from __future__ import annotations

import pickle
import struct
from enum import IntEnum
from typing import Any

from envpool_rs._workers.serialization import dumps

LARGEST = 64 * 1024
"""Bytes of arrays up to which a message is copied into one object."""


def packed(value: Any) -> Any:
    """A message for ``ray.put``, arguments or results: bytes where it is small and plain, else the value itself.

    Args:
        value: anything but bytes.
    """
    try:
        head, parts = _taken_apart(value)
    except Exception:
        return value  # Classes that are pickled by value, and arrays that are not contiguous: Ray knows how.
    if sum(part.nbytes for part in parts) > LARGEST:
        return value
    return pickle.dumps((head, [bytearray(part) for part in parts]), 5)


def unpacked(message: Any) -> Any:
    """What was packed. Arrays may be written to where the message was small."""
    if type(message) is not bytes:
        return message
    head, parts = pickle.loads(message)
    return pickle.loads(head, buffers=parts)


def _taken_apart(value: Any) -> tuple[bytes, list[memoryview]]:
    """A pickle, and the memory of the arrays in it."""
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(value, 5, buffer_callback=buffers.append)
    return head, [buffer.raw() for buffer in buffers]


class Answer(IntEnum):
    """What an actor's answer over a direct connection begins with."""

    VALUE = 0
    """The value follows, see `value_frame`."""
    ERROR = 1
    """What went wrong follows, as an `EnvFailure`."""
    STORED = 2
    """The value is in Ray's object store: it is what the call that serves the connection returns."""


_SIZES = struct.Struct("<QQ")
_ALIGNMENT = 16

_BESIDE = 4096
"""Bytes from which an array's memory lies beside the pickle: below, taking it apart costs more than the copy."""


def value_frame(value: Any, beside: bool = True) -> bytes:
    """A value as an answer.

    Args:
        value: anything.
        beside: whether the memory of larger arrays is to lie beside the pickle.

    Raises:
        TypeError: where it cannot be pickled.
    """
    parts: list[memoryview] = []

    def is_small(buffer: pickle.PickleBuffer) -> bool:
        raw = buffer.raw()
        if raw.nbytes >= _BESIDE:
            parts.append(raw)
        return raw.nbytes < _BESIDE

    try:
        head = pickle.dumps(value, 5, buffer_callback=is_small if beside else None)
    except Exception:
        head, parts = dumps(value), []  # By value, or the error that says why not.
    lengths = struct.pack(f"<{len(parts)}Q", *map(len, parts))
    pieces: list[bytes | memoryview] = [bytes([Answer.VALUE]), _SIZES.pack(len(parts), len(head)), lengths, head]
    place = sum(map(len, pieces))
    for part in parts:
        padding = -place % _ALIGNMENT
        pieces += bytes(padding), part
        place += padding + len(part)
    return b"".join(pieces)


def frame_value(frame: bytes, views: bool) -> Any:
    """The value of an answer.

    Args:
        frame: as `value_frame` has made it.
        views: whether large arrays are shown where they lie in the frame, so that they may not be written to.
    """
    count, size = _SIZES.unpack_from(frame, 1)
    lengths = struct.unpack_from(f"<{count}Q", frame, 1 + _SIZES.size)
    first = 1 + _SIZES.size + 8 * count
    if not count:
        return pickle.loads(memoryview(frame)[first:])
    place = first + size
    own = not views or sum(lengths) <= LARGEST
    memory = memoryview(frame)
    parts: list[bytearray | memoryview] = []
    for length in lengths:
        place += -place % _ALIGNMENT
        part = memory[place : place + length]
        parts.append(bytearray(part) if own else part)
        place += length
    return pickle.loads(memory[first : first + size], buffers=parts)
