"""EnvPool's compiled module of Atari: configurations and pools without an interface; ours have its calls as well."""

from envpool_rs._make.envpool_classes import classes_of

_classes = classes_of("envpool.atari")
_AtariEnvSpec = _classes["AtariEnvSpec"]
_AtariEnvPool = _classes["AtariGymnasiumEnvPool"]

__all__ = ["_AtariEnvPool", "_AtariEnvSpec"]
