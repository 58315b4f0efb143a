"""EnvPool's subpackage ``envpool.python``."""

from __future__ import annotations

from collections import Counter
from typing import Any, NoReturn

from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool
from envpool_rs._facades.pool import EnvPoolMixin, NativePool
from envpool_rs._make.envpool_classes import EnvPoolClass, EnvSpecClass
from envpool_rs._on_demand import on_demand
from envpool_rs._spec.spaces import ArraySpec
from envpool_rs._spec.spec import EnvSpec

from ..module_of_names import module_of_names
from . import data

EnvPool = EnvPoolMixin

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


__getattr__ = on_demand(__name__, {"DMEnvPool": "envpool_rs._facades.dm_facade"})


def py_env(envspec: Any, envpool: Any) -> NoReturn:
    """Raises an error: classes of C++ environments compiled for EnvPool run only in EnvPool's own pool.

    Raises:
        NotImplementedError: always, naming the ways to add an environment.
    """
    raise NotImplementedError(
        f"py_env({getattr(envspec, '__name__', envspec)!r}, ...): environments written in C++ for EnvPool need EnvPool "
        "itself. Here an environment is written in Rust (one file: see CONTRIBUTING.md), or in Python "
        "(envpool_rs.make_python)"
    )


def preload_windows_gl_dlls(*args: object, **kwargs: object) -> None:
    """Does nothing; in EnvPool, this function loads OpenGL libraries on Windows.

    Args:
        args: EnvPool's arguments, ignored.
        kwargs: EnvPool's arguments by name, ignored.
    """


def check_key_duplication(cls: Any, keytype: str, keys: list[str]) -> None:
    """Raises an error for duplicate names.

    Args:
        cls: the class with the names.
        keytype: the kind of names.
        keys: the names.

    Raises:
        SystemError: if names are duplicated; names the duplicates.
    """
    doubled = [key for key, count in Counter(keys).items() if count > 1]
    if doubled:
        raise SystemError(f"{keytype} keys of {cls}: {doubled} are there more than once")


def make_xla(obj: Any) -> NoReturn:
    """Raises an error: EnvPool's function makes XLA functions of lists of arrays, while ``xla()`` uses the values of
    ``step``.

    Raises:
        NotImplementedError: always, naming ``xla()``.
    """
    raise NotImplementedError(
        f"make_xla({type(obj).__name__}): call its method xla(), which gives handle, recv, send and step"
    )


for _name, _doc, _names in (
    ("api", "EnvPool's way of making Python classes of C++ environments.", {"py_env": py_env}),
    (
        "env_spec",
        "What specifications are instances of.",
        {"ArraySpec": ArraySpec, "EnvSpec": EnvSpec, "EnvSpecMeta": EnvSpecClass, "EnvSpecMixin": EnvSpec},
    ),
    ("envpool", "The class that every pool is an instance of.", {"EnvPoolMixin": EnvPoolMixin}),
    ("glfw_context", "EnvPool's preparation of OpenGL.", {"preload_windows_gl_dlls": preload_windows_gl_dlls}),
    (
        "gymnasium_envpool",
        "What pools behind the interface for gymnasium are instances of.",
        {
            "EnvPoolMixin": EnvPoolMixin,
            "GymnasiumEnvPoolMeta": EnvPoolClass,
            "GymnasiumEnvPoolMixin": GymnasiumEnvPool,
        },
    ),
    ("lax", "What pools with functions for JAX are instances of.", {"XlaMixin": NativePool}),
    (
        "protocol",
        "The classes of pools and specifications, by EnvPool's names.",
        {
            "ArraySpec": ArraySpec,
            "EnvPool": EnvPool,
            "EnvSpec": EnvSpec,
            "GymnasiumEnvPool": GymnasiumEnvPool,
            "__getattr__": __getattr__,
        },
    ),
    ("utils", "EnvPool's check of the names of arrays and options.", {"check_key_duplication": check_key_duplication}),
    ("xla_template", "EnvPool's way of making functions for JAX of a pool.", {"make_xla": make_xla}),
):
    module_of_names(__name__, _name, _doc, **_names)
