"""A pool's arrays taken apart by environments."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Tuple

ABOUT_ROWS = frozenset({"env_id", "players", "elapsed_step"})
"""Infos of EnvPool's interface that say which row is whose, and nothing about an environment."""


def rows(batch: Any, space: Any = None) -> list[Any]:
    """The rows of a batch: views of arrays; plain values where rows are single numbers.

    Args:
        batch: observations of several environments.
        space: one environment's space. Where it is neither a dict nor a tuple, a tuple is a batch of objects.
    """
    if isinstance(batch, dict):
        columns = [rows(part, _part(space, key)) for key, part in batch.items()]
        return [dict(zip(batch, values, strict=True)) for values in zip(*columns, strict=True)]
    if isinstance(batch, tuple):
        if space is not None and not isinstance(space, Tuple):
            return list(batch)
        return list(zip(*(rows(part, _part(space, place)) for place, part in enumerate(batch)), strict=True))
    return batch.tolist() if batch.ndim == 1 else list(batch)


def _part(space: Any, key: Any) -> Any:
    return None if space is None else space[key]


def info_rows(infos: dict[str, Any], count: int) -> list[dict[str, Any]] | None:
    """Each environment's info; ``None`` where all are empty.

    Args:
        infos: a pool's, with one entry for each environment; ``_key`` masks say which entries count.
        count: how many environments there are in the batch.
    """
    keys = [key for key in infos if key not in ABOUT_ROWS and not key.startswith("_")]
    if not keys:
        return None
    columns = [(key, rows_of_info(infos[key], count), infos.get(f"_{key}")) for key in keys]
    return [{key: values[row] for key, values, mask in columns if mask is None or mask[row]} for row in range(count)]


def rows_of_info(values: Any, count: int) -> list[Any]:
    """One info's value for each environment (a row per player, where it has one, stays together)."""
    if isinstance(values, dict):
        columns = {key: rows_of_info(part, count) for key, part in values.items()}
        return [{key: column[row] for key, column in columns.items()} for row in range(count)]
    array = np.asarray(values)
    if len(array) != count:
        array = array.reshape(count, -1, *array.shape[1:])
    return array.tolist() if array.ndim == 1 else list(array)
