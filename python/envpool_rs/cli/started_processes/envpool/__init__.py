"""``import envpool`` in processes that a program under ``envpool-rs as-envpool`` starts: this is on their path."""

from envpool_rs.envpool_alias import install_as_envpool

# The import that brought us here is given what now goes by the name.
install_as_envpool(force=True)
