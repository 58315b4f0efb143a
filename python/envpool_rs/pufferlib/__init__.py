"""Adapts pools to PufferLib's interface of native environments. Importing this module imports PufferLib."""

from envpool_rs.pufferlib.puffer_env import PufferEnv

__all__ = ["PufferEnv"]
