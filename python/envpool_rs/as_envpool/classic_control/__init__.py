"""EnvPool's classes for classic control."""

from envpool_rs._make.envpool_classes import classes_of

from . import registration

_classes = classes_of("envpool.classic_control")
CartPoleEnvSpec = _classes["CartPoleEnvSpec"]
CartPoleDMEnvPool = _classes["CartPoleDMEnvPool"]
CartPoleGymnasiumEnvPool = _classes["CartPoleGymnasiumEnvPool"]
PendulumEnvSpec = _classes["PendulumEnvSpec"]
PendulumDMEnvPool = _classes["PendulumDMEnvPool"]
PendulumGymnasiumEnvPool = _classes["PendulumGymnasiumEnvPool"]
MountainCarEnvSpec = _classes["MountainCarEnvSpec"]
MountainCarDMEnvPool = _classes["MountainCarDMEnvPool"]
MountainCarGymnasiumEnvPool = _classes["MountainCarGymnasiumEnvPool"]
MountainCarContinuousEnvSpec = _classes["MountainCarContinuousEnvSpec"]
MountainCarContinuousDMEnvPool = _classes["MountainCarContinuousDMEnvPool"]
MountainCarContinuousGymnasiumEnvPool = _classes["MountainCarContinuousGymnasiumEnvPool"]
AcrobotEnvSpec = _classes["AcrobotEnvSpec"]
AcrobotDMEnvPool = _classes["AcrobotDMEnvPool"]
AcrobotGymnasiumEnvPool = _classes["AcrobotGymnasiumEnvPool"]

__all__ = [
    "AcrobotDMEnvPool",
    "AcrobotEnvSpec",
    "AcrobotGymnasiumEnvPool",
    "CartPoleDMEnvPool",
    "CartPoleEnvSpec",
    "CartPoleGymnasiumEnvPool",
    "MountainCarContinuousDMEnvPool",
    "MountainCarContinuousEnvSpec",
    "MountainCarContinuousGymnasiumEnvPool",
    "MountainCarDMEnvPool",
    "MountainCarEnvSpec",
    "MountainCarGymnasiumEnvPool",
    "PendulumDMEnvPool",
    "PendulumEnvSpec",
    "PendulumGymnasiumEnvPool",
    "registration",
]
