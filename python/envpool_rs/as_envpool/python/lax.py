"""What pools with functions for JAX are instances of."""

from envpool_rs._facades.envpool_mixin import NativePool as XlaMixin

__all__ = ["XlaMixin"]
