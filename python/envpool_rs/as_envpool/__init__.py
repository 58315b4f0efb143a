"""EnvPool's package, answered by envpool_rs: what ``install_as_envpool`` puts in the place of ``envpool``.

Modules lie where EnvPool's lie, because trainers import them by path. There is nothing in them but names.
"""

# Relative, because this package goes by the name of `envpool`. All modules are there after `import envpool`.
from . import atari, classic_control, entry, minigrid, python, registration, toy_text
from .python import protocol
from .python.protocol import EnvPool, EnvSpec, GymnasiumEnvPool
from .registration import list_all_envs, make, make_dm, make_gym, make_gymnasium, make_spec, register

__version__ = "1.2.5"
"""The release of EnvPool whose interface this is: what asks for a version wants to know what there is to call."""

__all__ = [
    "EnvPool",
    "EnvSpec",
    "GymnasiumEnvPool",
    "atari",
    "classic_control",
    "entry",
    "list_all_envs",
    "make",
    "make_dm",
    "make_gym",
    "make_gymnasium",
    "make_spec",
    "minigrid",
    "python",
    "register",
    "registration",
    "toy_text",
]


def __getattr__(name: str) -> object:
    # Only where dm_env is installed.
    if name == "DMEnvPool":
        return protocol.DMEnvPool
    raise AttributeError(f"module 'envpool' is envpool_rs here and has no {name!r}: there are {', '.join(__all__)}")
