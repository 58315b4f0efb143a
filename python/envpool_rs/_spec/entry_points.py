"""Entry points that specifications store, in gymnasium's format (``"module:name"``).

The functions belong to modules that import the specifications, so specifications refer to them by name only. Names of
functions that make environments must not change: pickles and JSON of specifications contain them.
"""

SINGLE_ENV = "envpool_rs.pools:SingleEnv"
"""Entry point of the class that makes a single environment of a task."""

MAKE_SINGLE = "envpool_rs.pools:make_single"
"""Entry point of the function that makes a single environment of a pool's task, without the pool's options."""

MAKE_VEC = "envpool_rs.registration:make_vec"
"""Entry point of the function that makes a vector environment of a native task."""

MAKE_SHARED_MEMORY_VEC = "envpool_rs.pools:make_shared_memory_vec"
"""Entry point of the function that makes a vector environment of environments written in Python."""

SPEC_OF_CONFIG = "envpool_rs._make.envpool_classes:spec_of_config"
"""Entry point of the function that makes a specification from a task's class and a configuration."""

SPEC_OF_PLUGINS = "envpool_rs._tasks.plugins:spec_of_plugins"
"""Entry point of the function that recreates specifications of libraries' tasks from pickles."""
