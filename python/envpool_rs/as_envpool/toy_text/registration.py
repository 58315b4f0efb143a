"""Where EnvPool registers its tasks of toy text; here they are registered already."""

from ..registration import register

__all__ = ["register"]
