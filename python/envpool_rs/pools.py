"""Public classes: pools with each interface, single environments and specifications, imported on first access."""

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

__all__ = ["FIVE_VALUES", "DMEnvPool", "EnvPoolMixin", "GymEnvPool", "GymnasiumEnvPool", "SingleEnv", "VectorEnv"]
__all__ += ["PythonGymnasiumEnvPool", "PythonVectorEnv", "make_shared_memory_vec", "make_single"]
__all__ += ["EnvSpec", "GymEnvSpec", "gymnasium_id"]

_PUBLIC = tuple(__all__)

if not TYPE_CHECKING:  # for type checkers, which otherwise accept any attribute of this module
    _NAMES = {
        "_facades.dm_facade": ["DMEnvPool"],
        "_facades.gym_facade": ["GymEnvPool"],
        "_facades.gymnasium_facade": ["GymnasiumEnvPool", "VectorEnv"],
        "_facades.pool": ["EnvPoolMixin"],
        "_make.single_env": ["SingleEnv", "make_single"],
        "_python_pool": ["make_shared_memory_vec"],
        "_python_pool.pool": ["PythonGymnasiumEnvPool", "PythonVectorEnv"],
        "_spec.installed_gym": ["FIVE_VALUES"],
        "_spec.spec": ["EnvSpec", "GymEnvSpec", "gymnasium_id"],
    }
    __getattr__ = on_demand(
        __name__, {name: f"envpool_rs.{module}" for module, names in _NAMES.items() for name in names}
    )


def __dir__() -> list[str]:
    # Omits `DMEnvPool` if dm_env is not installed, because `help` imports every listed name.
    return sorted(name for name in _PUBLIC if name != "DMEnvPool" or find_spec("dm_env") is not None)
