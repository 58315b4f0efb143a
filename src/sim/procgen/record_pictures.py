"""Writes `src/sim/procgen/known_pictures.rs`: digests of procgen-mirror's pictures, which are known to be decodable.

Every picture is decoded. The digest of a file is the CRC-32 of its chunks' checksums.
"""

import importlib.util
import zlib
from pathlib import Path

from PIL import Image

TARGET = Path(__file__).with_name("known_pictures.rs")
PER_LINE = 10
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def digest(content):
    """Returns the digest of a PNG file."""
    assert content.startswith(SIGNATURE)
    at, checksums = len(SIGNATURE), b""
    while at < len(content):
        length = int.from_bytes(content[at : at + 4], "big")
        body, checksum = content[at + 4 : at + 8 + length], content[at + 8 + length : at + 12 + length]
        assert zlib.crc32(body).to_bytes(4, "big") == checksum
        checksums += checksum
        at += 12 + length
        if body.startswith(b"IEND"):
            break
    return zlib.crc32(checksums)


def digests():
    """Returns the sorted digests of all pictures of the installed package."""
    package = Path(importlib.util.find_spec("procgen").origin).parent
    found = set()
    for path in (package / "data").rglob("*.png"):
        Image.open(path).load()
        found.add(digest(path.read_bytes()))
    return sorted(found)


def source(known):
    """Returns the Rust source of the table."""
    lines = [
        "//! Digests of procgen-mirror 0.10.7's pictures, which can all be decoded; written by `record_pictures.py`.",
        "",
        "/// CRC-32 of the chunks' checksums of each picture, sorted.",
        "#[rustfmt::skip]",
        f"pub const KNOWN_PICTURES: [u32; {len(known)}] = [",
    ]
    for start in range(0, len(known), PER_LINE):
        lines.append("    " + " ".join(f"0x{each:08x}," for each in known[start : start + PER_LINE]))
    return "\n".join([*lines, "];", ""])


if __name__ == "__main__":
    TARGET.write_text(source(digests()))
