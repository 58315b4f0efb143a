"""``import envpool`` in child processes of a program under ``envpool-rs as-envpool``, whose path includes this file."""

from envpool_rs.envpool_alias import install_as_envpool

# The pending import returns the module that is now installed under the name.
install_as_envpool(force=True)
