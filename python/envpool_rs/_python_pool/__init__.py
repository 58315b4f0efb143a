"""The pool's contract over Python environments: EnvPool's interfaces, and gymnasium's vector environment.

The environments live in worker processes (:mod:`envpool_rs.workers`); what is here makes of their steps what a native
pool's batches are.
"""

from envpool_rs._python_pool.make import make_functions_vec, make_python, make_shared_memory_vec

__all__ = ["make_functions_vec", "make_python", "make_shared_memory_vec"]
