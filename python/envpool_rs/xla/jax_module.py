"""jax, which is imported when somebody asks for its functions and not before."""

from __future__ import annotations

from typing import Any


def import_jax() -> Any:
    """The package ``jax`` with ``jax.ffi``.

    Raises:
        ImportError: naming the extra to install.
    """
    try:
        import jax
        import jax.ffi
    except ImportError as error:
        raise ImportError("xla() needs jax (0.6 or later): pip install 'envpool_rs[jax]'") from error
    return jax
