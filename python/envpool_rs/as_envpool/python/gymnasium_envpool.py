"""What pools behind the interface for gymnasium are instances of."""

from envpool_rs._facades.envpool_mixin import EnvPoolMixin
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool as GymnasiumEnvPoolMixin
from envpool_rs._make.envpool_classes import EnvPoolClass as GymnasiumEnvPoolMeta

__all__ = ["EnvPoolMixin", "GymnasiumEnvPoolMeta", "GymnasiumEnvPoolMixin"]
