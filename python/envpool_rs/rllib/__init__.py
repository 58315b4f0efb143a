"""RLlib's environment interfaces, for environments of this package and for the user's own.

``convert_to_base_env`` accepts an environment of any kind. ``VectorEnv``, ``MultiAgentEnv``, ``ExternalEnv`` and
``ExternalMultiAgentEnv`` are base classes for users. If RLlib is installed they are subclasses of RLlib's own, so that
RLlib accepts them; otherwise they work without it. The base class is chosen at the first access to a name of this
package; ray, whose import takes seconds, is not imported before.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from envpool_rs.rllib.base_env import BaseEnv
    from envpool_rs.rllib.convert import convert_to_base_env
    from envpool_rs.rllib.external_env import ExternalEnv, ExternalMultiAgentEnv
    from envpool_rs.rllib.external_env_wrapper import ExternalEnvWrapper
    from envpool_rs.rllib.external_episode import ExternalEnvStopped
    from envpool_rs.rllib.gymnasium_base_env import GymnasiumBaseEnv
    from envpool_rs.rllib.multi_agent_env import MultiAgentEnv, PoolMultiAgentEnv
    from envpool_rs.rllib.multi_agent_env_wrapper import MultiAgentEnvWrapper
    from envpool_rs.rllib.pool_base_env import PoolBaseEnv
    from envpool_rs.rllib.remote_base_env import RemoteBaseEnv
    from envpool_rs.rllib.rllib_types import ASYNC_RESET_REQUEST, ASYNC_RESET_RETURN, uses_ray
    from envpool_rs.rllib.single_agent_base_env import StackedBaseEnv, VectorEnvWrapper
    from envpool_rs.rllib.vector_env import VectorEnv

__all__ = [
    "ASYNC_RESET_REQUEST",
    "ASYNC_RESET_RETURN",
    "BaseEnv",
    "ExternalEnv",
    "ExternalEnvStopped",
    "ExternalEnvWrapper",
    "ExternalMultiAgentEnv",
    "GymnasiumBaseEnv",
    "MultiAgentEnv",
    "MultiAgentEnvWrapper",
    "PoolBaseEnv",
    "PoolMultiAgentEnv",
    "RemoteBaseEnv",
    "StackedBaseEnv",
    "VectorEnv",
    "VectorEnvWrapper",
    "convert_to_base_env",
    "uses_ray",
]

_MODULES = {
    "ASYNC_RESET_REQUEST": "rllib_types",
    "ASYNC_RESET_RETURN": "rllib_types",
    "BaseEnv": "base_env",
    "ExternalEnv": "external_env",
    "ExternalEnvStopped": "external_episode",
    "ExternalEnvWrapper": "external_env_wrapper",
    "ExternalMultiAgentEnv": "external_env",
    "GymnasiumBaseEnv": "gymnasium_base_env",
    "MultiAgentEnv": "multi_agent_env",
    "MultiAgentEnvWrapper": "multi_agent_env_wrapper",
    "PoolBaseEnv": "pool_base_env",
    "PoolMultiAgentEnv": "multi_agent_env",
    "RemoteBaseEnv": "remote_base_env",
    "StackedBaseEnv": "single_agent_base_env",
    "VectorEnv": "vector_env",
    "VectorEnvWrapper": "single_agent_base_env",
    "convert_to_base_env": "convert",
    "uses_ray": "rllib_types",
}


if not TYPE_CHECKING:  # for type checkers, which otherwise accept any attribute of this package

    def __getattr__(name):
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(f"{__name__}.{_MODULES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted(__all__)
