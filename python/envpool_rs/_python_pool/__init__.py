"""Pools of Python environments, with EnvPool's interfaces and gymnasium's vector environment.

The environments run in worker processes (:mod:`envpool_rs.workers`). This package converts their steps to the batches
of a native pool.
"""

from envpool_rs._python_pool.make import make_functions_vec, make_python, make_shared_memory_vec

__all__ = ["make_functions_vec", "make_python", "make_shared_memory_vec"]
