"""Imported as ``envpool`` in child processes of a program run by ``envpool-rs as-envpool``; installs the alias
there.
"""

from envpool_rs.envpool_alias import install_as_envpool

# The pending import returns the module that is now installed under the name.
install_as_envpool(force=True)
