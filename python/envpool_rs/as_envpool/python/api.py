"""EnvPool's way of making Python classes of C++ environments."""

from __future__ import annotations

from typing import Any, NoReturn


def py_env(envspec: Any, envpool: Any) -> NoReturn:
    """Refuses classes of EnvPool's C++ environments: they run in EnvPool's own pool.

    Raises:
        NotImplementedError: always, naming the ways to bring an environment.
    """
    raise NotImplementedError(
        f"py_env({getattr(envspec, '__name__', envspec)!r}, ...): environments written in C++ for EnvPool need EnvPool "
        "itself. Here an environment is written in Rust (one file: see CONTRIBUTING.md), or in Python "
        "(envpool_rs.make_python)"
    )
