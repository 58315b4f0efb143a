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
        infos: a dict for each row, or ``None``.
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
        self.infos = None if steps.infos is None else [steps.infos[row] for row in self._rows]

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
