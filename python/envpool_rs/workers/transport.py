"""The Rust half of the transport, in one place."""

# ruff: noqa
from __future__ import annotations

try:
    from envpool_rs._core import Caller, EnvHost, SharedBlock  # type: ignore[attr-defined]
except ImportError:
    import sys

    sys.path.append("/work/tmp/standin")
    from standin_core import Caller, EnvHost, SharedBlock

OBSERVATION_IN_ROW = 1
MESSAGE = 2
FAILED = 4
FOUR_VALUES = 8
FINAL = 16
RESET = 32
LOST = 64
REWARD_IN_MESSAGE = 128
IS_CALL = 256

# A result with one of these needs more than its arrays.
UNUSUAL = MESSAGE | FAILED | LOST | FINAL | REWARD_IN_MESSAGE | IS_CALL


def attached(block):
    """The block as a worker process maps it."""
    return SharedBlock.attach(block.fd) if hasattr(SharedBlock, "attach") else block
