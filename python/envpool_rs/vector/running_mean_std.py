"""Running mean and variance of batches, and normalisation by them."""

from __future__ import annotations

from typing import Any

import numpy as np

FLOAT32_EPSILON = float(np.finfo(np.float32).eps)


class RunningMeanStd:
    """Mean and variance of all rows seen, in float64.

    Batches are merged by Chan, Golub and LeVeque's parallel formula.

    Attributes:
        mean: mean of the rows; 0 before the first.
        var: population variance of the rows; 1 before the first.
        count: number of rows seen.
        clip_max: normalised values are clipped to ``[-clip_max, clip_max]``; ``None`` for no bound.
        eps: added to the variance.
    """

    def __init__(
        self,
        mean: Any = 0.0,
        var: Any = 1.0,
        count: int = 0,
        *,
        clip_max: float | None = 10.0,
        epsilon: float = FLOAT32_EPSILON,
    ) -> None:
        self.mean = mean
        self.var = var
        self.count = count
        self.clip_max = clip_max
        self.eps = epsilon

    def update(self, batch: Any) -> None:
        """Updates mean and variance with a batch.

        Args:
            batch: numbers ``(n, *shape)``; the shape is equal in all batches.
        """
        rows = len(batch)
        if rows == 0:
            return
        mean = np.mean(batch, axis=0, dtype=np.float64)
        var = np.var(batch, axis=0, dtype=np.float64)
        total = self.count + rows
        share = rows / total
        difference = mean - self.mean
        between = np.square(difference) * share * (1.0 - share)
        self.var = np.asarray(self.var, dtype=np.float64) * (1.0 - share) + var * share + between
        self.mean = self.mean + difference * share
        self.count = total

    def norm(self, batch: Any) -> Any:
        """Returns ``(batch - mean) / sqrt(var + eps)``, clipped.

        Args:
            batch: numbers whose last axes are the rows' shape.

        Returns:
            An array of ``batch``'s dtype if that is a floating one, else of float64.
        """
        values = np.asarray(batch)
        normalised = (values - self.mean) / np.sqrt(np.asarray(self.var) + self.eps)
        if self.clip_max is not None:
            normalised = np.clip(normalised, -self.clip_max, self.clip_max)
        return normalised.astype(values.dtype) if values.dtype.kind == "f" else normalised

    def __repr__(self) -> str:
        return f"{type(self).__name__}(mean={self.mean!r}, var={self.var!r}, count={self.count!r})"
