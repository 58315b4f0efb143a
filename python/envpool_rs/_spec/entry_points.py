"""What specifications have called to make environments and specifications, in gymnasium's words (``"module:name"``).

The functions stand above the specifications, which know them by these names alone. Those that make environments are
public names, which stay: pickles and JSON of specifications hold them.
"""

SINGLE_ENV = "envpool_rs.pools:SingleEnv"
"""Makes one environment of a task."""

MAKE_VEC = "envpool_rs.registration:make_vec"
"""Makes a pool of a task's environments."""

MAKE_SHARED_MEMORY_VEC = "envpool_rs.pools:make_shared_memory_vec"
"""Makes a pool of environments written in Python."""

SPEC_OF_CONFIG = "envpool_rs._make.envpool_classes:spec_of_config"
"""Makes a specification of a task's class and a configuration."""
