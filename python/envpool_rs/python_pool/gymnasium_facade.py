"""EnvPool's gymnasium interface over environments written in Python."""

from envpool_rs._python_pool.gymnasium_facade import PythonGymnasiumEnvPool

__all__ = ["PythonGymnasiumEnvPool"]
