"""EnvPool's classes for toy text."""

from envpool_rs._make.envpool_classes import classes_of

from . import registration

_classes = classes_of("envpool.toy_text")
CatchEnvSpec = _classes["CatchEnvSpec"]
CatchDMEnvPool = _classes["CatchDMEnvPool"]
CatchGymnasiumEnvPool = _classes["CatchGymnasiumEnvPool"]
FrozenLakeEnvSpec = _classes["FrozenLakeEnvSpec"]
FrozenLakeDMEnvPool = _classes["FrozenLakeDMEnvPool"]
FrozenLakeGymnasiumEnvPool = _classes["FrozenLakeGymnasiumEnvPool"]
TaxiEnvSpec = _classes["TaxiEnvSpec"]
TaxiDMEnvPool = _classes["TaxiDMEnvPool"]
TaxiGymnasiumEnvPool = _classes["TaxiGymnasiumEnvPool"]
NChainEnvSpec = _classes["NChainEnvSpec"]
NChainDMEnvPool = _classes["NChainDMEnvPool"]
NChainGymnasiumEnvPool = _classes["NChainGymnasiumEnvPool"]
CliffWalkingEnvSpec = _classes["CliffWalkingEnvSpec"]
CliffWalkingDMEnvPool = _classes["CliffWalkingDMEnvPool"]
CliffWalkingGymnasiumEnvPool = _classes["CliffWalkingGymnasiumEnvPool"]
BlackjackEnvSpec = _classes["BlackjackEnvSpec"]
BlackjackDMEnvPool = _classes["BlackjackDMEnvPool"]
BlackjackGymnasiumEnvPool = _classes["BlackjackGymnasiumEnvPool"]

__all__ = [
    "BlackjackDMEnvPool",
    "BlackjackEnvSpec",
    "BlackjackGymnasiumEnvPool",
    "CatchDMEnvPool",
    "CatchEnvSpec",
    "CatchGymnasiumEnvPool",
    "CliffWalkingDMEnvPool",
    "CliffWalkingEnvSpec",
    "CliffWalkingGymnasiumEnvPool",
    "FrozenLakeDMEnvPool",
    "FrozenLakeEnvSpec",
    "FrozenLakeGymnasiumEnvPool",
    "NChainDMEnvPool",
    "NChainEnvSpec",
    "NChainGymnasiumEnvPool",
    "TaxiDMEnvPool",
    "TaxiEnvSpec",
    "TaxiGymnasiumEnvPool",
    "registration",
]
