"""Entry points that specifications store, in gymnasium's format (``"module:name"``).

The functions belong to modules that import the specifications, so specifications refer to them by name only. Names of
functions that make environments must not change: pickles and JSON of specifications contain them.
"""

# Environments of native tasks, and of environments written in Python.
SINGLE_ENV = "envpool_rs.pools:SingleEnv"
MAKE_SINGLE = "envpool_rs.pools:make_single"
MAKE_VEC = "envpool_rs.registration:make_vec"
MAKE_SHARED_MEMORY_VEC = "envpool_rs.pools:make_shared_memory_vec"

# Specifications of a class and a configuration, and of pickles of libraries' tasks.
SPEC_OF_CONFIG = "envpool_rs._make.envpool_classes:spec_of_config"
SPEC_OF_PLUGINS = "envpool_rs._tasks.plugins:spec_of_plugins"
