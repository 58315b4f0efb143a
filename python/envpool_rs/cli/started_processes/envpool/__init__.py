"""Imported as ``envpool`` in child processes of a program run by ``envpool-rs as-envpool``; installs the alias
there.
"""

from envpool_rs.envpool_alias import install_as_envpool

# The pending `import envpool` returns the module that `install_as_envpool` puts into `sys.modules`.
install_as_envpool(force=True)
