"""Where EnvPool registers its tasks of classic control; here they are registered already."""

from envpool_rs._tasks.register import register

__all__ = ["register"]
