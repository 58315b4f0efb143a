"""Concatenates batches of steps of several actors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from envpool_rs._nested import map_leaves, zip_leaves
from envpool_rs.vector.step_result import StepBatch


def concatenate_batches(batches: Sequence[StepBatch]) -> StepBatch | None:
    """Returns the batches concatenated; ``None`` if the shapes of observations or rewards differ.

    Args:
        batches: of different environments.
    """
    if len(batches) == 1:
        return batches[0]
    try:
        observations = zip_leaves(_joined, *(batch.observations for batch in batches))
    except _MisfitError:
        return None
    if len({batch.rewards.shape[1:] for batch in batches}) > 1:
        return None
    rewards, terminated, truncated, four_values = (
        np.concatenate([getattr(batch, name) for batch in batches])
        for name in ("rewards", "terminated", "truncated", "four_values")
    )
    infos = [info for batch in batches for info in batch.infos]
    return StepBatch(observations, rewards, terminated, truncated, four_values, infos)


class _MisfitError(Exception):
    """Raised for observations that cannot be concatenated row by row."""


def _joined(*parts: Any) -> Any:
    first = parts[0]
    if any(type(part) is not np.ndarray or _kind(part) != _kind(first) for part in parts):
        raise _MisfitError
    return np.concatenate(parts)


def _kind(array: Any) -> tuple[Any, Any]:
    return array.dtype, array.shape[1:]


def reorder_rows(batch: StepBatch, order: Sequence[int]) -> StepBatch:
    """Returns the rows of a batch in another order."""
    index = np.asarray(order)
    return StepBatch(
        map_leaves(lambda part: part[index], batch.observations),
        batch.rewards[index],
        batch.terminated[index],
        batch.truncated[index],
        batch.four_values[index],
        [batch.infos[row] for row in order],
    )
