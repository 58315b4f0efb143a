"""The class that every pool is an instance of, behind whichever interface."""

from envpool_rs._facades.envpool_mixin import EnvPoolMixin

__all__ = ["EnvPoolMixin"]
