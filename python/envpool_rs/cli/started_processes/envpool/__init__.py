"""Installs the alias in child processes of a program run by ``envpool-rs as-envpool``, where it is ``envpool``."""

from envpool_rs.envpool_alias import install_as_envpool

# The pending `import envpool` returns the module that `install_as_envpool` puts into `sys.modules`.
install_as_envpool(force=True)
