"""The Python side of EnvPool's package."""

from . import api, data, env_spec, envpool, glfw_context, gymnasium_envpool, lax, protocol, utils, xla_template
from .protocol import EnvPool, EnvSpec, GymnasiumEnvPool

__all__ = [
    "EnvPool",
    "EnvSpec",
    "GymnasiumEnvPool",
    "api",
    "data",
    "env_spec",
    "envpool",
    "glfw_context",
    "gymnasium_envpool",
    "lax",
    "protocol",
    "utils",
    "xla_template",
]


def __getattr__(name: str) -> object:
    # Only where dm_env is installed.
    if name == "DMEnvPool":
        return protocol.DMEnvPool
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
