"""The Python side of EnvPool's package."""

from . import api, envpool, protocol

__all__ = ["api", "envpool", "protocol"]
