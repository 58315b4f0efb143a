"""Messages between driver and actors: as few bytes' objects as can be, because Ray serialises everything else slowly.

A round trip of a tuple of eight small arrays takes 1.4 ms where one of the same as bytes takes 1.1 ms. Large arrays are
left to Ray, which shows them out of its object store without a copy.
"""

from __future__ import annotations

import pickle
from enum import IntEnum
from typing import Any

LARGEST = 64 * 1024
"""Bytes of arrays up to which a message is copied into one object."""


def packed(value: Any) -> Any:
    """A message for ``ray.put``, arguments or results: bytes where it is small and plain, else the value itself.

    Args:
        value: anything but bytes.
    """
    buffers: list[pickle.PickleBuffer] = []
    try:
        head = pickle.dumps(value, 5, buffer_callback=buffers.append)
        parts = [buffer.raw() for buffer in buffers]
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


class Answer(IntEnum):
    """What an actor's answer over a direct connection begins with."""

    VALUE = 0
    """The pickled value follows."""
    ERROR = 1
    """What went wrong follows, as an `EnvFailure`."""
    STORED = 2
    """The value is in Ray's object store: it is what the call that serves the connection returns."""
