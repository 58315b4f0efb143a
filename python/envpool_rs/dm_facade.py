"""EnvPool's interface for dm_env."""

from envpool_rs._facades.dm_facade import DMEnvPool

__all__ = ["DMEnvPool"]
