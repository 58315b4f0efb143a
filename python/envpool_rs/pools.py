"""Public classes: pools with each interface, single environments and specifications.

Each class is imported on first access, because legacy gym and dm_env are optional.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from envpool_rs._on_demand import on_demand

if TYPE_CHECKING:
    from envpool_rs._facades.dm_facade import DMEnvPool
    from envpool_rs._facades.gym_facade import GymEnvPool
    from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool, VectorEnv
    from envpool_rs._facades.pool import EnvPoolMixin
    from envpool_rs._make.single_env import SingleEnv, make_single
    from envpool_rs._python_pool import make_shared_memory_vec
    from envpool_rs._python_pool.pool import PythonGymnasiumEnvPool, PythonVectorEnv
    from envpool_rs._spec.installed_gym import FIVE_VALUES
    from envpool_rs._spec.spec import EnvSpec, GymEnvSpec, gymnasium_id

__all__ = [
    "FIVE_VALUES",
    "DMEnvPool",
    "EnvPoolMixin",
    "EnvSpec",
    "GymEnvPool",
    "GymEnvSpec",
    "GymnasiumEnvPool",
    "PythonGymnasiumEnvPool",
    "PythonVectorEnv",
    "SingleEnv",
    "VectorEnv",
    "gymnasium_id",
    "make_shared_memory_vec",
    "make_single",
]

_HOMES = {
    "DMEnvPool": "envpool_rs._facades.dm_facade",
    "EnvPoolMixin": "envpool_rs._facades.pool",
    "EnvSpec": "envpool_rs._spec.spec",
    "FIVE_VALUES": "envpool_rs._spec.installed_gym",
    "GymEnvPool": "envpool_rs._facades.gym_facade",
    "GymEnvSpec": "envpool_rs._spec.spec",
    "GymnasiumEnvPool": "envpool_rs._facades.gymnasium_facade",
    "PythonGymnasiumEnvPool": "envpool_rs._python_pool.pool",
    "PythonVectorEnv": "envpool_rs._python_pool.pool",
    "SingleEnv": "envpool_rs._make.single_env",
    "VectorEnv": "envpool_rs._facades.gymnasium_facade",
    "gymnasium_id": "envpool_rs._spec.spec",
    "make_shared_memory_vec": "envpool_rs._python_pool",
    "make_single": "envpool_rs._make.single_env",
}
"""Module that defines each public name."""


if not TYPE_CHECKING:  # for type checkers, which otherwise accept any attribute of this module
    __getattr__ = on_demand(__name__, _HOMES)


def __dir__() -> list[str]:
    # Omits `DMEnvPool` if dm_env is not installed, because `help` imports every listed name.
    return sorted(name for name in _HOMES if name != "DMEnvPool" or find_spec("dm_env") is not None)
