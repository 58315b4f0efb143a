"""Running mean and variance of (nested) observations, and normalisation of observations by these statistics."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._arguments import array, number, optional_number, shown
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import map_leaves, zip_leaves


class RunningMeanStd(KnownAttributes):
    """Mean and variance of all rows seen, in float64; batches are merged by Chan, Golub and LeVeque's parallel formula.

    Attributes: ``mean`` of the rows, 0 before the first row; ``var``, their population variance, 1 before the first
    row; ``count`` of the rows seen; ``clip_max``, the bound of normalised values (``None`` for no bound); ``eps``, the
    number added to the variance before the division.
    """

    mean: Any
    var: Any
    count: Any
    clip_max: float | None
    eps: float

    def __init__(
        self,
        mean: Any = 0.0,
        var: Any = 1.0,
        count: int = 0,
        *,
        clip_max: float | None = 10.0,
        epsilon: float = float(np.finfo(np.float32).eps),
    ) -> None:
        """Creates statistics.

        Raises a ``TypeError`` for anything but numbers, and a ``ValueError`` for numbers that are infinite or NaN, a
        negative variance or count, and bounds of 0 or less.
        """
        for name, value, least in (("mean", mean, -np.inf), ("var", var, 0.0), ("count", count, 0.0)):
            values = _numbers(value, name)
            if not (np.isfinite(values) & (values >= least)).all():
                expected = "finite numbers" if least < 0 else "finite numbers of 0 or more"
                raise ValueError(f"{name}={shown(value)}: expected {expected}")
        optional_number("clip_max", clip_max, "a number above 0, or None", lambda bound: bound > 0)
        number("epsilon", epsilon, "a finite number of 0 or more", lambda least: 0 <= least < np.inf)
        self.mean = mean
        self.var = var
        self.count = count
        self.clip_max = clip_max
        self.eps = epsilon

    def update(self, batch: Any) -> None:
        """Updates mean and variance with numbers ``(n, *shape)``, of equal shape in all batches; or raises a
        ``TypeError``.
        """
        batch = _numbers(batch)
        if batch.ndim == 0:
            raise TypeError(f"batch={batch}: expected an array of rows")
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
        """Returns ``(batch - mean) / sqrt(var + eps)``, clipped, for numbers whose last axes are the rows' shape, in
        their dtype if that is a floating-point type, otherwise float64. Raises a ``TypeError`` for anything but
        numbers.
        """
        values = _numbers(batch)
        normalised = (values - self.mean) / np.sqrt(np.asarray(self.var) + self.eps)
        if self.clip_max is not None:
            normalised = np.clip(normalised, -self.clip_max, self.clip_max)
        return normalised.astype(values.dtype) if values.dtype.kind == "f" else normalised

    def __repr__(self) -> str:
        return f"{type(self).__name__}(mean={self.mean!r}, var={self.var!r}, count={self.count!r})"


def _numbers(value: Any, name: str = "batch") -> npt.NDArray[Any]:
    numbers = array(name, value)
    if numbers.dtype.kind not in "biuf":
        raise TypeError(f"{name}={shown(value)}: expected numbers")
    return numbers


def check_statistics(statistics: Any, path: str) -> None:
    """Checks that statistics can normalise observations."""

    def check(leaf: Any, path: str) -> None:
        if not (hasattr(leaf, "norm") and hasattr(leaf, "update")):
            raise TypeError(f"{path}={leaf!r}: expected a RunningMeanStd, or a dict or tuple of them")

    zip_leaves(check, statistics, path=path)


def for_each_leaf(method: str, statistics: Any, observations: Any, path: str = "observation") -> Any:
    """Calls ``"update"`` or ``"norm"`` of statistics with observations of the same structure.

    Empty statistics become a dict or tuple for such observations. Returns the updated statistics, or the normalised
    observations.
    """

    def at(part: Any, leaf: Any, path: str) -> Any:
        if isinstance(part, (dict, tuple)):
            if not isinstance(leaf, RunningMeanStd) or leaf.count:
                parts = list(part) if isinstance(part, dict) else list(range(len(part)))
                raise TypeError(f"obs_rms={leaf!r}: expected statistics for {path} with {parts}")
            # Empty statistics are copied for each part of an observation.
            spread = map_leaves(lambda _: RunningMeanStd(clip_max=leaf.clip_max, epsilon=leaf.eps), part)
            return for_each_leaf(method, spread, part, path)
        if not isinstance(part, np.ndarray) or part.dtype.kind not in "biuf":
            kind = part.dtype if isinstance(part, np.ndarray) else type(part).__name__
            raise TypeError(
                f"norm_obs=True, and {path} is of {kind}: expected numbers of the same shape from all environments"
            )
        if isinstance(leaf, (dict, tuple)):
            raise TypeError(f"obs_rms={leaf!r} for {path}: expected a RunningMeanStd")
        normalised = getattr(leaf, method)(part)
        return leaf if method == "update" else normalised

    return zip_leaves(at, observations, statistics, path=path)
