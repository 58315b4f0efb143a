"""Rows of results as they come from actors: taken apart, joined, put in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Ids = npt.NDArray[np.int64]


@dataclass
class ShareRows:
    """What some environments returned.

    Attributes:
        ids: ``(n,)``, whose rows they are, counted through the whole pool.
        observation: array ``(n, ...)`` (``n`` times the players, where those share a space), or dicts of such.
        rewards: ``(n,)``, or ``n`` times the players.
        terminated: ``(n,)``.
        truncated: ``(n,)``.
        infos: arrays of ``n`` rows, or dicts of such, without ids.
    """

    ids: Ids
    observation: Any
    rewards: npt.NDArray[Any]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    infos: dict[str, Any]

    def __len__(self) -> int:
        return len(self.ids)

    def taken(self, index: npt.NDArray[np.int64]) -> ShareRows:
        """Some of the rows, in the order of ``index``."""
        size = len(self)
        observation, rewards, infos = (
            taken(part, index, size) for part in (self.observation, self.rewards, self.infos)
        )
        return ShareRows(self.ids[index], observation, rewards, self.terminated[index], self.truncated[index], infos)

    def writable(self) -> ShareRows:
        """The same rows in memory that may be written to, which what lies in an object store may not."""
        fields = (self.observation, self.rewards, self.terminated, self.truncated, self.infos)
        return ShareRows(self.ids, *(_copied(field) for field in fields))


def joined(parts: Sequence[ShareRows]) -> ShareRows:
    """The rows of several actors, one after the other; of a single one, its own.

    Args:
        parts: at least one. Infos that some lack are zero (``None``, ``False``) in their rows.
    """
    full = [part for part in parts if len(part)] or [parts[0]]
    if len(full) == 1:
        return full[0]
    sizes = [len(part) for part in full]
    return ShareRows(
        np.concatenate([part.ids for part in full]),
        _joined([part.observation for part in full], sizes),
        np.concatenate([part.rewards for part in full]),
        np.concatenate([part.terminated for part in full]),
        np.concatenate([part.truncated for part in full]),
        _joined([part.infos for part in full], sizes),
    )


def _joined(trees: Sequence[Any], sizes: Sequence[int]) -> Any:
    """Joins arrays, or dicts of them; ``None`` stands for what a part lacks."""
    there = next(tree for tree in trees if tree is not None)
    if isinstance(there, dict):
        keys = dict.fromkeys(key for tree in trees for key in tree or ())
        return {key: _joined([None if tree is None else tree.get(key) for tree in trees], sizes) for key in keys}
    rows = len(there) // sizes[next(i for i, tree in enumerate(trees) if tree is not None)]
    return np.concatenate(
        [_blank(there, size * rows) if tree is None else tree for tree, size in zip(trees, sizes, strict=True)]
    )


def _blank(like: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    shape = (rows, *like.shape[1:])
    return np.full(shape, None, dtype=object) if like.dtype == object else np.zeros(shape, like.dtype)


def taken(tree: Any, index: npt.NDArray[np.int64], size: int) -> Any:
    """Rows of an array, or of the arrays in a dict.

    Args:
        tree: with a row for each of ``size`` environments, or one for each of their players.
        index: environments to take.
        size: number of environments.
    """
    if isinstance(tree, dict):
        return {key: taken(part, index, size) for key, part in tree.items()}
    rows = len(tree) // size if size else 1
    if rows == 1:
        return tree[index]
    # The rows of an environment's players lie together.
    return tree[(index[:, None] * rows + np.arange(rows)).ravel()]


def _copied(tree: Any) -> Any:
    if isinstance(tree, dict):
        return {key: _copied(part) for key, part in tree.items()}
    return tree if tree.flags.writeable else tree.copy()
