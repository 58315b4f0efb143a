"""Frames on a stream socket, and how two ends that know a common key make sure of each other."""

from __future__ import annotations

import hmac
import os
import socket
import struct

HEADER = struct.Struct("<Q")
"""What begins a frame: the number of its bytes."""

_NONCE = 32
_DIGEST = 32
_JOINED = 1 << 16
"""Bytes up to which a frame is copied behind its header, so that it is sent by one call."""


def framed(payload: bytes) -> list[bytes]:
    """A frame as the pieces to send."""
    header = HEADER.pack(len(payload))
    return [header + payload] if len(payload) <= _JOINED else [header, payload]


def prove(connection: socket.socket, key: bytes, role: bytes, other: bytes) -> bool:
    """Shows the other end that this one knows the key, without telling it, and sees that the other does, too.

    Args:
        connection: blocking, with a timeout.
        key: common to both ends.
        role: of this end.
        other: of the other end.

    Returns:
        Whether the other end knows the key.

    Raises:
        OSError: where the connection ends, or the timeout passes.
    """
    nonce = os.urandom(_NONCE)
    connection.sendall(nonce)
    connection.sendall(hmac.digest(key, role + _exactly(connection, _NONCE), "sha256"))
    return hmac.compare_digest(_exactly(connection, _DIGEST), hmac.digest(key, other + nonce, "sha256"))


def _exactly(connection: socket.socket, count: int) -> bytes:
    received = b""
    while len(received) < count:
        piece = connection.recv(count - len(received))
        if not piece:
            raise ConnectionResetError("the other end closed the connection")
        received += piece
    return received
