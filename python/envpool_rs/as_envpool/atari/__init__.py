"""EnvPool's classes for Atari."""

from envpool_rs._make.envpool_classes import classes_of

from . import atari_envpool, registration

_classes = classes_of("envpool.atari")
AtariEnvSpec = _classes["AtariEnvSpec"]
AtariDMEnvPool = _classes["AtariDMEnvPool"]
AtariGymnasiumEnvPool = _classes["AtariGymnasiumEnvPool"]

__all__ = ["AtariDMEnvPool", "AtariEnvSpec", "AtariGymnasiumEnvPool", "atari_envpool", "registration"]
