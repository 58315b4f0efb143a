"""EnvPool's gymnasium interface."""

from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool

__all__ = ["GymnasiumEnvPool"]
