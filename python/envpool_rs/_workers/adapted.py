"""Adapts environments of any library to gymnasium's interface."""

from __future__ import annotations

import sys
from typing import Any


def adapt_dm_env(env: Any) -> Any:
    """Returns ``env`` itself, or an adapter with gymnasium's interface if it is a dm_env environment."""
    if not _is_of("dm_env", "Environment", env):
        return env
    from envpool_rs._workers.dm_env_adapter import DmEnvAdapter

    return DmEnvAdapter(env)


def adapt(env: Any) -> Any:
    """Returns ``env`` with gymnasium's interface: itself if it has it already, else an adapter.

    dm_env's environments and those of legacy gym get an adapter. An environment of no known library counts as legacy
    gym if its ``reset`` takes no ``seed`` and ``options``. Neither library is imported.
    """
    if _is_of("gymnasium", "Env", env):
        return env
    if _is_of("dm_env", "Environment", env):
        return adapt_dm_env(env)
    from envpool_rs._workers.legacy_gym_adapter import LegacyGymAdapter, has_gymnasium_interface

    return env if has_gymnasium_interface(env) else LegacyGymAdapter(env)


def _is_of(library: str, name: str, env: Any) -> bool:
    """Returns whether ``env`` is an instance of a library's class; False if the library is not imported."""
    found = getattr(sys.modules.get(library), name, None)
    return isinstance(found, type) and isinstance(env, found)
