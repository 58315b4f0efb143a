"""gymnasium's vector environment."""

from envpool_rs._facades.vector_env import VectorEnv

__all__ = ["VectorEnv"]
