"""The classes of pools and specifications, by EnvPool's names."""

from __future__ import annotations

from typing import Any

from envpool_rs._facades.envpool_mixin import EnvPoolMixin as EnvPool
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool
from envpool_rs._spec.spaces import ArraySpec
from envpool_rs._spec.spec import EnvSpec

__all__ = ["ArraySpec", "EnvPool", "EnvSpec", "GymnasiumEnvPool"]


def __getattr__(name: str) -> Any:
    # Only where dm_env is installed.
    if name == "DMEnvPool":
        from envpool_rs._facades.dm_facade import DMEnvPool

        return DMEnvPool
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
