"""Environments of any library, given gymnasium's interface where they lack it."""

from __future__ import annotations

import sys
from typing import Any


def adapted_dm_env(env: Any) -> Any:
    """``env`` itself; where it is dm_env's, with gymnasium's interface."""
    if not _is_of("dm_env", "Environment", env):
        return env
    from envpool_rs._workers.dm_env_adapter import DmEnvAdapter

    return DmEnvAdapter(env)


def adapted(env: Any) -> Any:
    """``env`` with gymnasium's interface: itself, if it has it already.

    dm_env's environments and those of legacy gym (also without the library: whatever has a ``reset`` that takes no
    ``seed`` and ``options``) get an adapter. Neither library is imported.
    """
    if _is_of("gymnasium", "Env", env):
        return env
    if _is_of("dm_env", "Environment", env):
        return adapted_dm_env(env)
    from envpool_rs._workers.legacy_gym_adapter import LegacyGymAdapter, speaks_gymnasium

    return env if speaks_gymnasium(env) else LegacyGymAdapter(env)


def _is_of(library: str, name: str, env: Any) -> bool:
    """Whether ``env`` is of a library's class; without the library imported, it cannot be."""
    found = getattr(sys.modules.get(library), name, None)
    return isinstance(found, type) and isinstance(env, found)
