"""Ids of environments, checked."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from envpool_rs._arguments import array

Ids: TypeAlias = npt.NDArray[np.int64]
"""Ids of environments, each once."""


def checked_ids(env_id: Any, num_envs: int, name: str = "env_id") -> Ids:
    """Ids of environments as int64.

    Args:
        env_id: a one-dimensional array (or sequence) of any integer dtype.
        num_envs: environments of the pool.
        name: how errors call it.

    Raises:
        ValueError: for more dimensions, or an id that is repeated.
        TypeError: for another dtype.
        IndexError: for an id out of range.
    """
    ids = array(name, env_id)
    if ids.ndim != 1:
        raise ValueError(f"{name} has shape {list(ids.shape)}: expected one dimension")
    if not len(ids):
        return np.zeros(0, np.int64)
    if ids.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {ids.dtype}: expected integers")
    seen: set[int] = set()
    for index, each in enumerate(ids.tolist()):
        if not 0 <= each < num_envs:
            raise IndexError(f"{name}[{index}]={each}: expected 0 to {num_envs - 1}")
        if each in seen:
            raise ValueError(f"{name}[{index}]={each}: expected each id once at most")
        seen.add(each)
    return ids.astype(np.int64)
