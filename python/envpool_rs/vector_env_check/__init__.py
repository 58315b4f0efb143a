"""Whether a vector environment keeps the contract of ``gymnasium.vector.VectorEnv``."""

from envpool_rs.vector_env_check.broken_promise import BrokenPromise, VectorEnvContractError
from envpool_rs.vector_env_check.check_vector_env import check_vector_env

__all__ = ["BrokenPromise", "VectorEnvContractError", "check_vector_env"]
