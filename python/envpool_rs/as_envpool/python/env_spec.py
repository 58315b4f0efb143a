"""What specifications are instances of."""

from envpool_rs._make.envpool_classes import EnvSpecClass as EnvSpecMeta
from envpool_rs._spec.spaces import ArraySpec
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._spec.spec import EnvSpec as EnvSpecMixin

__all__ = ["ArraySpec", "EnvSpec", "EnvSpecMeta", "EnvSpecMixin"]
