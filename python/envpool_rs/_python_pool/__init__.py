"""Pools of Python environments, with EnvPool's interfaces and gymnasium's vector environment.

The environments run in worker processes (:mod:`envpool_rs.workers`). This package converts results of these
environments to batches in the format of native pools.
"""

from envpool_rs._python_pool.make import make_functions_vec, make_python, make_shared_memory_vec

__all__ = ["make_functions_vec", "make_python", "make_shared_memory_vec"]
