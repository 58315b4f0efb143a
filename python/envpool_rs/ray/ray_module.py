"""The ray package, which is optional: imported where it is needed, and found to be new enough."""

from __future__ import annotations

import importlib
import re
from typing import Any

OLDEST = (2, 50)
"""As the extra ``ray`` asks for."""


def import_ray() -> Any:
    """The module ``ray``.

    Raises:
        ImportError: where ray is not installed, or older than :data:`OLDEST`; what an installed ray raised itself.
    """
    needed = ".".join(map(str, OLDEST))
    hint = f"expected ray {needed} or later: pip install 'envpool_rs[ray]'"
    try:
        ray = importlib.import_module("ray")
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise ImportError(f"envpool_rs.ray needs ray, which is not installed; {hint}") from error
    version = str(getattr(ray, "__version__", "0"))
    parts = re.match(r"(\d+)\.(\d+)", version)
    if parts is None or (int(parts[1]), int(parts[2])) < OLDEST:
        raise ImportError(f"ray {version} is too old; {hint}")
    return ray
