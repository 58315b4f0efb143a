"""EnvPool's way of making functions for JAX of a pool."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["make_xla"]


def make_xla(obj: Any) -> NoReturn:
    """Refuses to make functions of lists of arrays: what ``xla()`` returns takes and returns what ``step`` does.

    Raises:
        NotImplementedError: always, naming it.
    """
    raise NotImplementedError(
        f"make_xla({type(obj).__name__}): call its method xla(), which gives handle, recv, send and step"
    )
