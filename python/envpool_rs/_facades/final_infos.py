"""How same-step autoreset hands over the last observation of an episode: gymnasium's ``final_obs`` and
``final_info``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._nested import leaves, mapped

_FEW = 3
"""Up to so many rows, copying one by one is faster than numpy's indexing by an array."""


def add_final_infos(
    info: dict[str, Any], mask: npt.NDArray[np.bool_], final_obs: Any, final_info: dict[str, Any]
) -> None:
    """Stores the end of the episodes that ended in this step in ``info``.

    Args:
        info: receives ``final_obs`` (an object array ``(n,)`` of one environment's observations each, with a row per
            player where there are several, and ``None`` where no episode ended), ``final_info`` (a dict) and their
            masks ``_final_obs`` and ``_final_info``.
        mask: ``(n,)``, which episodes ended.
        final_obs: batched observation; only rows of ended episodes are read.
        final_info: batched infos that belong to it; rows of episodes that go on are set to zero, as gymnasium has them.
    """
    zero_other_rows(final_info, mask)
    info["final_obs"] = _rows_of_ended(final_obs, mask)
    info["_final_obs"] = mask
    info["final_info"] = final_info
    info["_final_info"] = mask.copy()


def zero_other_rows(infos: dict[str, Any], mask: npt.NDArray[np.bool_]) -> None:
    """Sets the rows of environments outside of ``mask`` to zero, as gymnasium has them where an info says nothing.

    Args:
        infos: batched infos; masks (``_key``) are left alone.
        mask: ``(n,)``, of which environments the infos are.
    """
    for key, values in infos.items():
        if not key.startswith("_"):
            values[~mask] = 0


def _rows_of_ended(batch: Any, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.object_]:
    rows = np.full(mask.shape, None, dtype=object)
    ended = mask.nonzero()[0]
    if isinstance(batch, np.ndarray) and len(batch) == len(mask):
        # Copied, one by one or all together, for the reason given below.
        copies = batch[ended] if len(ended) > _FEW else (batch[index].copy() for index in ended.tolist())
        for index, row in zip(ended.tolist(), copies, strict=True):
            rows[index] = row
        return rows
    players = len(next(leaves(batch))) // len(mask)
    for index in ended:
        rows[index] = _copied_rows(batch, index if players == 1 else slice(index * players, (index + 1) * players))
    return rows


def _copied_rows(batch: Any, of_env: Any) -> Any:
    # Copied: the pool may write its next batch into the same memory once nobody refers to the whole array.
    return mapped(lambda part: part[of_env].copy(), batch)
