"""Entry points (``"module:name"``) of specifications: functions of modules that import the specifications."""

# Environments of native tasks, and of environments written in Python. Pickles and JSON of specifications contain these.
SINGLE_ENV = "envpool_rs.pools:SingleEnv"
MAKE_SINGLE = "envpool_rs.pools:make_single"
MAKE_VEC = "envpool_rs.registration:make_vec"
MAKE_SHARED_MEMORY_VEC = "envpool_rs.pools:make_shared_memory_vec"

# Specifications of a class and a configuration, and of pickles of libraries' tasks.
SPEC_OF_CONFIG = "envpool_rs._make.make:spec_of_config"
SPEC_OF_PLUGINS = "envpool_rs._tasks.plugins:spec_of_plugins"
