"""How same-step autoreset hands over the last observation of an episode: gymnasium's ``final_obs`` and
``final_info``.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._nested import rows_of_batch
from envpool_rs._spec.spec import EnvSpec

_FEW = 3
"""Up to so many rows, copying one by one is faster than numpy's indexing by an array."""


class FinalInfos:
    """The :func:`add_final_infos` of a pool, which the extension calls with the other arguments.

    The space is built by the first call: its bounds may take more memory than there is, which the pool refuses by name.

    Args:
        spec: the pool's specification.
    """

    def __init__(self, spec: EnvSpec) -> None:
        self._spec = spec

    @cached_property
    def _space(self) -> Any:
        return self._spec.observation_space

    def __call__(self, *arguments: Any) -> None:
        """Calls :func:`add_final_infos`.

        Args:
            arguments: of it, after ``space`` and ``rows``.
        """
        add_final_infos(self._space, self._spec.rows, *arguments)


def add_final_infos(
    space: Any,
    rows: int,
    info: dict[str, Any],
    mask: npt.NDArray[np.bool_],
    final_obs: Any,
    final_info: dict[str, Any],
) -> None:
    """Stores the end of the episodes that ended in this step in ``info``.

    Args:
        space: the observation space of one row.
        rows: of one environment in ``final_obs``: its players, where they share one space; 1 otherwise.
        info: receives ``final_obs`` (an object array ``(n,)`` of one environment's observations each, with a row per
            player where there are several, and ``None`` where no episode ended), ``final_info`` (a dict) and their
            masks ``_final_obs`` and ``_final_info``.
        mask: ``(n,)``, which episodes ended.
        final_obs: batched observation; only rows of ended episodes are read.
        final_info: batched infos that belong to it; rows of episodes that go on are set to zero, as gymnasium has them.
    """
    zero_other_rows(final_info, mask)
    info["final_obs"] = _rows_of_ended(space, rows, final_obs, mask)
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


def _rows_of_ended(space: Any, rows: int, batch: Any, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.object_]:
    # Copied: the pool may write its next batch into the same memory once nothing refers to the whole array.
    finals = np.full(mask.shape, None, dtype=object)
    ended = mask.nonzero()[0]
    if isinstance(batch, np.ndarray) and rows == 1:
        copies = batch[ended] if len(ended) > _FEW else (batch[index].copy() for index in ended.tolist())
        for index, row in zip(ended.tolist(), copies, strict=True):
            finals[index] = row
        return finals
    for index in ended.tolist():
        of_env = index if rows == 1 else slice(index * rows, (index + 1) * rows)
        finals[index] = rows_of_batch(space, batch, of_env)
    return finals
