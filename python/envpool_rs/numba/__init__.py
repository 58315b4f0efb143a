"""Environments written in Python and compiled by Numba: ``@envpool_rs.numba.env(...)`` makes a task from a class of
functions.

Compiled tasks are stepped without the interpreter's lock, as fast as native ones, and work with all functions of this
package. numba is imported when the first task is defined: ``pip install 'envpool_rs[numba]'``.
"""

from envpool_rs.numba.definition import Option
from envpool_rs.numba.env import NumbaEnv, env
from envpool_rs.numba.leaves import Info

__all__ = ["Info", "NumbaEnv", "Option", "env"]
