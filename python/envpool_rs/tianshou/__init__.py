"""Vector environments with the contract of the installed Tianshou: a thin layer over ``envpool_rs.vector``.

The classes have the names, parameters and results of ``tianshou.env``. Without an installed Tianshou they follow
Tianshou 2.
"""

from envpool_rs.tianshou.vector_envs import (
    BaseVectorEnv,
    DummyVectorEnv,
    RayVectorEnv,
    ShmemVectorEnv,
    SubprocVectorEnv,
)

__all__ = ["BaseVectorEnv", "DummyVectorEnv", "RayVectorEnv", "ShmemVectorEnv", "SubprocVectorEnv"]
