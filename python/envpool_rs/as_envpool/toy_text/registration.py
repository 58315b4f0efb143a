"""Where EnvPool registers its tasks of toy text; here they are registered already."""

from envpool_rs._tasks.register import register

__all__ = ["register"]
