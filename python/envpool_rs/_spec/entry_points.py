"""What gymnasium calls to make environments, in its own words (``"module:name"``), as specifications have it.

The functions stand above the specifications, which know them by these names alone. They are public names, which stay:
pickles and JSON of specifications hold them.
"""

SINGLE_ENV = "envpool_rs.single_env:SingleEnv"
"""Makes one environment of a task."""

MAKE_VEC = "envpool_rs.registration:make_vec"
"""Makes a pool of a task's environments."""

MAKE_SHARED_MEMORY_VEC = "envpool_rs.python_pool:make_shared_memory_vec"
"""Makes a pool of environments written in Python."""
