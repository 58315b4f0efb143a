"""RLlib's environment interfaces, for environments of this package and for the user's own.

``convert_to_base_env`` accepts an environment of any kind. ``VectorEnv``, ``MultiAgentEnv``, ``ExternalEnv`` and
``ExternalMultiAgentEnv`` are base classes for users. If RLlib is installed they are subclasses of RLlib's own, so that
RLlib accepts them; otherwise they work without it. The base class is chosen at the first access to a name of this
package; ray, whose import takes seconds, is not imported before.
"""

# ruff: noqa: F403, F405 - type checkers read the names from the modules
from __future__ import annotations

from typing import TYPE_CHECKING

from envpool_rs._on_demand import on_demand

if TYPE_CHECKING:
    from envpool_rs.rllib.base_env import *
    from envpool_rs.rllib.environments import *
    from envpool_rs.rllib.external_env import *
    from envpool_rs.rllib.pool_base_env import *

__all__ = ["ASYNC_RESET_REQUEST", "ASYNC_RESET_RETURN", "BaseEnv", "PoolBaseEnv", "PoolMultiAgentEnv", "uses_ray"]
__all__ += ["ExternalEnv", "ExternalEnvStopped", "ExternalEnvWrapper", "ExternalMultiAgentEnv", "convert_to_base_env"]
__all__ += ["GymnasiumBaseEnv", "MultiAgentEnv", "MultiAgentEnvWrapper", "RemoteBaseEnv", "StackedBaseEnv"]
__all__ += ["VectorEnv", "VectorEnvWrapper"]

_NAMES = {
    "base_env": ("ASYNC_RESET_REQUEST", "ASYNC_RESET_RETURN", "BaseEnv", "uses_ray"),
    "external_env": ("ExternalEnv", "ExternalEnvStopped", "ExternalEnvWrapper", "ExternalMultiAgentEnv"),
    "pool_base_env": ("PoolBaseEnv", "PoolMultiAgentEnv", "convert_to_base_env"),
}
_HOMES = dict.fromkeys(__all__, f"{__name__}.environments")
_HOMES |= {name: f"{__name__}.{module}" for module, names in _NAMES.items() for name in names}


if not TYPE_CHECKING:  # for type checkers, which otherwise accept any attribute of this package
    __getattr__ = on_demand(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(_HOMES)
