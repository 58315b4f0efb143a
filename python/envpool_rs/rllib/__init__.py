"""RLlib's environment interfaces, for environments of this package and for the user's own.

``convert_to_base_env`` accepts an environment of any kind. ``VectorEnv``, ``MultiAgentEnv``, ``ExternalEnv`` and
``ExternalMultiAgentEnv`` are base classes for users. If RLlib is installed they are subclasses of RLlib's own, so that
RLlib accepts them; otherwise they work without it. The base class is chosen at the first access to a name of this
package; ray, whose import takes seconds, is not imported before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from envpool_rs._on_demand import on_demand

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

_HOMES = {
    "ASYNC_RESET_REQUEST": "envpool_rs.rllib.rllib_types",
    "ASYNC_RESET_RETURN": "envpool_rs.rllib.rllib_types",
    "BaseEnv": "envpool_rs.rllib.base_env",
    "ExternalEnv": "envpool_rs.rllib.external_env",
    "ExternalEnvStopped": "envpool_rs.rllib.external_episode",
    "ExternalEnvWrapper": "envpool_rs.rllib.external_env_wrapper",
    "ExternalMultiAgentEnv": "envpool_rs.rllib.external_env",
    "GymnasiumBaseEnv": "envpool_rs.rllib.gymnasium_base_env",
    "MultiAgentEnv": "envpool_rs.rllib.multi_agent_env",
    "MultiAgentEnvWrapper": "envpool_rs.rllib.multi_agent_env_wrapper",
    "PoolBaseEnv": "envpool_rs.rllib.pool_base_env",
    "PoolMultiAgentEnv": "envpool_rs.rllib.multi_agent_env",
    "RemoteBaseEnv": "envpool_rs.rllib.remote_base_env",
    "StackedBaseEnv": "envpool_rs.rllib.single_agent_base_env",
    "VectorEnv": "envpool_rs.rllib.vector_env",
    "VectorEnvWrapper": "envpool_rs.rllib.single_agent_base_env",
    "convert_to_base_env": "envpool_rs.rllib.convert",
    "uses_ray": "envpool_rs.rllib.rllib_types",
}


if not TYPE_CHECKING:  # for type checkers, which otherwise accept any attribute of this package
    __getattr__ = on_demand(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted(_HOMES)
