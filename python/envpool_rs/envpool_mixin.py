"""What every pool is an instance of."""

from envpool_rs._facades.envpool_mixin import EnvPoolMixin

__all__ = ["EnvPoolMixin"]
