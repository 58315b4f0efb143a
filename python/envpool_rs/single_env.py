"""One environment as ``gymnasium.make`` expects it."""

from envpool_rs._make.single_env import SingleEnv

__all__ = ["SingleEnv"]
