"""EnvPool's classes for MiniGrid and BabyAI, and the text of missions."""

from envpool_rs._make.envpool_classes import classes_of
from envpool_rs.minigrid import decode_mission

from . import registration

_classes = classes_of("envpool.minigrid")
MiniGridEnvSpec = _classes["MiniGridEnvSpec"]
MiniGridDMEnvPool = _classes["MiniGridDMEnvPool"]
MiniGridGymnasiumEnvPool = _classes["MiniGridGymnasiumEnvPool"]
for _class in (MiniGridEnvSpec, MiniGridDMEnvPool, MiniGridGymnasiumEnvPool):
    _class.decode_mission = staticmethod(decode_mission)

__all__ = ["MiniGridDMEnvPool", "MiniGridEnvSpec", "MiniGridGymnasiumEnvPool", "decode_mission", "registration"]
