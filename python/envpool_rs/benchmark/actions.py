"""Random actions, drawn before anything is timed."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from envpool_rs._nested import folded

ARRAYS = 16
"""Action arrays that a benchmark plays in turn: environments are independent of each other, so that this many suffice
for episodes to be as different as under a random policy."""


def random_actions(space: Any, rows: int, count: int = ARRAYS) -> list[Any]:
    """Batches of actions as a user would give them: int64 for discrete spaces, the space's dtype for boxes.

    Args:
        space: action space of one environment (one player).
        rows: actions in a batch.
        count: batches.

    Raises:
        ValueError: for a space of another kind.
    """
    generator = np.random.default_rng(0)
    return [folded(space, lambda part: _batch(part, rows, generator)) for _ in range(count)]


def _batch(space: Any, rows: int, generator: np.random.Generator) -> Any:
    if isinstance(space, spaces.Discrete):
        return generator.integers(int(space.start), int(space.start + space.n), rows)
    if isinstance(space, spaces.Box):
        low, high = np.maximum(space.low, -1e3), np.minimum(space.high, 1e3)
        return generator.uniform(low, high, (rows, *space.shape)).astype(space.dtype)
    raise ValueError(f"action space {space}: expected Discrete, Box, or a Dict or Tuple of them")
