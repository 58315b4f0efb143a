"""PettingZoo's ``ParallelEnv`` interface for tasks with several players, and vector environments with a row per player.

Importing this module imports PettingZoo.
"""

from envpool_rs._facades.agent_vector_env import AgentVectorEnv
from envpool_rs.pettingzoo.agent_vec import make_agent_vec
from envpool_rs.pettingzoo.parallel_env import PoolParallelEnv, parallel_env

__all__ = ["AgentVectorEnv", "PoolParallelEnv", "make_agent_vec", "parallel_env"]
