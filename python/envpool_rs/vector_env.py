"""gymnasium's vector environment."""

from envpool_rs._facades.vector_facade import VectorEnv

__all__ = ["VectorEnv"]
