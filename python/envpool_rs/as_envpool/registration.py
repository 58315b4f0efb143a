"""EnvPool's registry."""

from __future__ import annotations

from envpool_rs.registration import (
    list_all_envs,
    make,
    make_dm,
    make_gym,
    make_gymnasium,
    make_spec,
    register,
)

__all__ = [
    "EnvRegistry",
    "list_all_envs",
    "make",
    "make_dm",
    "make_gym",
    "make_gymnasium",
    "make_spec",
    "register",
    "registry",
]


class EnvRegistry:
    """The methods of EnvPool's registry: the functions of this module."""

    make = staticmethod(make)
    make_dm = staticmethod(make_dm)
    make_gym = staticmethod(make_gym)
    make_gymnasium = staticmethod(make_gymnasium)
    make_spec = staticmethod(make_spec)
    register = staticmethod(register)
    list_all_envs = staticmethod(list_all_envs)


registry = EnvRegistry()
