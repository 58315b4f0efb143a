"""gymnasium's vector environment over environments written in Python."""

from envpool_rs._python_pool.gymnasium_facade import PythonVectorEnv

__all__ = ["PythonVectorEnv"]
