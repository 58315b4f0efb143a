"""Where EnvPool registers its tasks of classic control; here they are registered already."""

from ..registration import register

__all__ = ["register"]
