"""EnvPool's subpackage ``envpool.python``."""

from __future__ import annotations

from collections import Counter
from typing import Any, NoReturn

from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool
from envpool_rs._facades.pool import EnvPoolMixin
from envpool_rs._on_demand import on_demand
from envpool_rs._spec.spec import EnvSpec

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
    """Raises an error: classes of C++ environments compiled for EnvPool run only in EnvPool's own pool."""
    raise NotImplementedError(
        f"py_env({getattr(envspec, '__name__', envspec)!r}, ...): environments written in C++ for EnvPool need EnvPool "
        "itself. Here an environment is written in Rust (one file: see CONTRIBUTING.md), or in Python "
        "(envpool_rs.make_python)"
    )


def preload_windows_gl_dlls(*args: object, **kwargs: object) -> None:
    """Does nothing; in EnvPool, this function loads OpenGL libraries on Windows."""


def check_key_duplication(cls: Any, keytype: str, keys: list[str]) -> None:
    """Raises a ``SystemError`` that names duplicates among the names of a class."""
    doubled = [key for key, count in Counter(keys).items() if count > 1]
    if doubled:
        raise SystemError(f"{keytype} keys of {cls}: {doubled} are there more than once")


def make_xla(obj: Any) -> NoReturn:
    """Raises an error: EnvPool's function makes XLA functions of lists of arrays, unlike ``xla()``, which it names."""
    raise NotImplementedError(
        f"make_xla({type(obj).__name__}): call its method xla(), which gives handle, recv, send and step"
    )
