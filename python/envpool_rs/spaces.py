"""Spaces and dm_env specs of environments."""

from envpool_rs._spec.spaces import ArraySpec, array_spec, build_space, dm_array

__all__ = ["ArraySpec", "array_spec", "build_space", "dm_array"]
