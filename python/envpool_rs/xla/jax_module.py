"""jax, which is imported when somebody asks for its functions and not before."""

from __future__ import annotations

import re
from typing import Any

#: The first release whose foreign function interface is used.
TYPED = (0, 6)
#: The first release that is known to work.
OLDEST = (0, 4, 13)


def import_jax() -> Any:
    """The package ``jax``.

    Raises:
        ImportError: where it is missing or too old, naming the extra to install.
    """
    try:
        import jax
    except ImportError as error:
        raise ImportError("xla() needs jax (0.6 or later is best): pip install 'envpool_rs[jax]'") from error
    if version(jax) < OLDEST:
        raise ImportError(
            f"xla() needs jax 0.4.13 or later, and this is {jax.__version__}: pip install 'envpool_rs[jax]'"
        )
    if is_typed(jax):
        import jax.ffi
    return jax


def is_typed(jax: Any) -> bool:
    """Whether calls go through jax's foreign function interface."""
    return version(jax) >= TYPED


def version(jax: Any) -> tuple[int, ...]:
    """The release's numbers."""
    return tuple(int(number) for number in re.findall(r"\d+", jax.__version__)[:3])
