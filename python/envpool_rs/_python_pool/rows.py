"""Some rows of a batch: what is left where other environments of it failed."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._workers import Steps


class Rows:
    """The results of some environments of a batch, with the surface of :class:`envpool_rs.workers.Steps` that pools
    use.

    Attributes:
        ids: int64 ``(k,)``.
        leaves: arrays ``(k, *shape)`` of observations; ``None`` where those are no arrays.
        rewards: float64 ``(k,)``.
        terminated: bool ``(k,)``.
        truncated: bool ``(k,)``.
        elapsed: int32 ``(k,)``.
        flags: uint32 ``(k,)``.
        info_columns: an array ``(k,)`` by key where all infos are numbers under the same keys or empty, or ``None``.
        has_info: bool ``(k,)`` beside them, which rows have an info, or ``None``.
    """

    def __init__(self, steps: Steps, rows: npt.NDArray[np.int64]) -> None:
        """Picks rows.

        Args:
            steps: the whole batch.
            rows: which of its rows, in order.
        """
        self._steps = steps
        self._rows = rows.tolist()
        self.ids = steps.ids[rows]
        self.leaves = None if steps.leaves is None else [leaf[rows] for leaf in steps.leaves]
        self.rewards = steps.rewards[rows]
        self.terminated = steps.terminated[rows]
        self.truncated = steps.truncated[rows]
        self.elapsed = steps.elapsed[rows]
        self.flags = steps.flags[rows]
        columns = steps.info_columns
        self.info_columns = None if columns is None else {key: column[rows] for key, column in columns.items()}
        self.has_info = None if steps.has_info is None else steps.has_info[rows]

    @property
    def infos(self) -> list[dict[str, Any]] | None:
        """A dict for each row, or ``None``."""
        return None if self._steps.infos is None else [self._steps.infos[row] for row in self._rows]

    @property
    def has_infos(self) -> bool:
        """Whether any row of the batch has an info that is not empty."""
        return self._steps.has_infos

    def observation(self, k: int) -> Any:
        """Row ``k``'s observation as the environment returned it."""
        return self._steps.observation(self._rows[k])

    def has_final(self, k: int) -> bool:
        """Whether row ``k``'s episode ended and was reset in the same step."""
        return self._steps.has_final(self._rows[k])

    def final_observation(self, k: int) -> Any:
        """The last observation of row ``k``'s episode that ended in this step."""
        return self._steps.final_observation(self._rows[k])

    def final_info(self, k: int) -> dict[str, Any]:
        """The info of the step that ended row ``k``'s episode."""
        return self._steps.final_info(self._rows[k])
