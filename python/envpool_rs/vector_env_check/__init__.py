"""``check_vector_env``: checks whether a vector environment fulfils the contract of ``gymnasium.vector.VectorEnv``."""

from envpool_rs.vector_env_check.check_vector_env import check_vector_env
from envpool_rs.vector_env_check.trial import BrokenPromise, VectorEnvContractError

__all__ = ["BrokenPromise", "VectorEnvContractError", "check_vector_env"]
