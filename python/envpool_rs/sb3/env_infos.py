"""From gymnasium's infos, a dict of arrays for all environments, to a dict for each environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def env_infos(infos: Mapping[str, Any], indices: Sequence[int]) -> list[dict[str, Any]]:
    """The infos of some environments, a dict for each.

    Args:
        infos: gymnasium's vector infos: ``key`` with a mask ``_key`` of the environments that have it.
        indices: the environments.

    Returns:
        ``len(indices)`` dicts, which share no memory with ``infos`` but for objects in object arrays.
    """
    rows: list[dict[str, Any]] = [{} for _ in indices]
    for key, values in infos.items():
        if key.startswith("_") and key[1:] in infos:
            continue
        parts = env_infos(values, indices) if isinstance(values, Mapping) else None
        mask = infos.get(f"_{key}")
        for place, index in enumerate(indices):
            if mask is None or mask[index]:
                rows[place][key] = _own(values[index]) if parts is None else parts[place]
    return rows


def _own(value: Any) -> Any:
    # A row of an array is a view of it, which would keep the whole batch from being used again.
    return value.copy() if hasattr(value, "copy") else value
