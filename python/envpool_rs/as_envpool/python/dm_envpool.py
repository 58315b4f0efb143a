"""Base class of pools with the dm_env interface; needs dm_env."""

from envpool_rs._facades.dm_facade import DMEnvPool as DMEnvPoolMixin
from envpool_rs._facades.pool import EnvPoolMixin
from envpool_rs._make.envpool_classes import EnvPoolClass as DMEnvPoolMeta

__all__ = ["DMEnvPoolMeta", "DMEnvPoolMixin", "EnvPoolMixin"]
