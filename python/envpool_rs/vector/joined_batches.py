"""Batches of steps of several actors as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from envpool_rs.vector.step_result import StepBatch


def joined(batches: Sequence[StepBatch]) -> StepBatch | None:
    """Batches one after the other; ``None`` where their observations or rewards do not fit together.

    Args:
        batches: of different environments.
    """
    if len(batches) == 1:
        return batches[0]
    try:
        observations = _joined([batch.observations for batch in batches])
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
    """Observations that cannot be joined row after row."""


def _joined(trees: Sequence[Any]) -> Any:
    first = trees[0]
    if isinstance(first, dict):
        if any(not isinstance(tree, dict) or tree.keys() != first.keys() for tree in trees):
            raise _MisfitError
        return {key: _joined([tree[key] for tree in trees]) for key in first}
    if isinstance(first, tuple):
        if any(not isinstance(tree, tuple) or len(tree) != len(first) for tree in trees):
            raise _MisfitError
        return tuple(_joined([tree[index] for tree in trees]) for index in range(len(first)))
    if any(type(tree) is not np.ndarray or _kind(tree) != _kind(first) for tree in trees):
        raise _MisfitError
    return np.concatenate(trees)


def _kind(array: Any) -> tuple[Any, Any]:
    return array.dtype, array.shape[1:]


def reordered(batch: StepBatch, order: Sequence[int]) -> StepBatch:
    """Rows of a batch in another order."""
    index = np.asarray(order)
    return StepBatch(
        _taken(batch.observations, index),
        batch.rewards[index],
        batch.terminated[index],
        batch.truncated[index],
        batch.four_values[index],
        [batch.infos[row] for row in order],
    )


def _taken(tree: Any, index: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _taken(part, index) for key, part in tree.items()}
    if isinstance(tree, tuple):
        return tuple(_taken(part, index) for part in tree)
    return tree[index]
