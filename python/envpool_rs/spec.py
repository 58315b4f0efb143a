"""What an environment is made of: spaces, array specs and configuration, in the words of both contracts."""

from envpool_rs._spec.spec import EnvSpec, gymnasium_id

__all__ = ["EnvSpec", "gymnasium_id"]
