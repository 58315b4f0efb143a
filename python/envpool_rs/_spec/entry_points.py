"""Entry points that specifications store, in gymnasium's format (``"module:name"``).

The functions belong to modules that import the specifications, so specifications refer to them by name only. Names of
functions that make environments must not change: pickles and JSON of specifications contain them.
"""

SINGLE_ENV = "envpool_rs.pools:SingleEnv"
"""Makes one environment of a task."""

MAKE_VEC = "envpool_rs.registration:make_vec"
"""Makes a pool of a task's environments."""

MAKE_SHARED_MEMORY_VEC = "envpool_rs.pools:make_shared_memory_vec"
"""Makes a pool of environments written in Python."""

SPEC_OF_CONFIG = "envpool_rs._make.envpool_classes:spec_of_config"
"""Makes a specification of a task's class and a configuration."""

SPEC_OF_PLUGINS = "envpool_rs._tasks.plugins:spec_of_plugins"
"""Makes a specification of tasks of libraries, from a pickle."""
