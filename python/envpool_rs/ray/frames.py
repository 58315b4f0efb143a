"""Frames on a stream socket, and mutual authentication by a shared key."""

from __future__ import annotations

import hmac
import os
import socket
import struct

HEADER = struct.Struct("<Q")
"""Header of a frame: its size in bytes."""

_NONCE = 32
_DIGEST = 32
_MAX_JOINED = 1 << 16
"""Maximum size in bytes for which a frame is copied after its header, so that one call sends both."""


def frame_pieces(payload: bytes) -> list[bytes]:
    """Returns a frame as the pieces to send."""
    header = HEADER.pack(len(payload))
    return [header + payload] if len(payload) <= _MAX_JOINED else [header, payload]


def authenticate(connection: socket.socket, key: bytes, role: bytes, other: bytes) -> bool:
    """Proves to the other end that this one knows the key, without sending it, and verifies the other end.

    Args:
        connection: blocking, with a timeout.
        key: the shared key.
        role: role of this end.
        other: role of the other end.

    Returns:
        Whether the other end knows the key.

    Raises:
        OSError: if the connection ends, or the timeout passes.
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
