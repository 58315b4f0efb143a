"""The pool's contract over Python environments: EnvPool's interfaces, and gymnasium's vector environment."""

from envpool_rs._python_pool import make_python, make_shared_memory_vec
from envpool_rs._python_pool.gymnasium_facade import PythonGymnasiumEnvPool, PythonVectorEnv

__all__ = ["PythonGymnasiumEnvPool", "PythonVectorEnv", "make_python", "make_shared_memory_vec"]
