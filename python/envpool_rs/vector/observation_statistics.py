"""Statistics of whole observations: a `RunningMeanStd` for each array of a dict or tuple."""

from __future__ import annotations

from typing import Any

import numpy as np

from envpool_rs.vector.running_mean_std import RunningMeanStd


def check_statistics(statistics: Any, path: str) -> None:
    """Refuses what does not normalise.

    Args:
        statistics: a `RunningMeanStd` or something with its methods, or a dict or tuple of them.
        path: how to name it in errors.

    Raises:
        TypeError: for anything else.
    """
    if isinstance(statistics, dict):
        for key, part in statistics.items():
            check_statistics(part, f"{path}[{key!r}]")
    elif isinstance(statistics, tuple):
        for index, part in enumerate(statistics):
            check_statistics(part, f"{path}[{index}]")
    elif not (hasattr(statistics, "norm") and hasattr(statistics, "update")):
        raise TypeError(f"{path}={statistics!r}: expected a RunningMeanStd, or a dict or tuple of them")


def update_statistics(statistics: Any, observations: Any, path: str = "observation") -> Any:
    """Statistics that have taken in a batch.

    Args:
        statistics: of earlier batches. A `RunningMeanStd` that has seen nothing stands for any structure.
        observations: stacked observations.
        path: how to name them in errors.

    Returns:
        ``statistics``, updated in place; a dict or tuple of statistics where it stood for such a structure.

    Raises:
        TypeError: for observations that are no arrays of numbers, or structured unlike the statistics.
    """
    if isinstance(observations, dict):
        parts = _parts(statistics, observations, path)
        return {key: update_statistics(parts[key], value, f"{path}[{key!r}]") for key, value in observations.items()}
    if isinstance(observations, tuple):
        parts = _parts(statistics, dict(enumerate(observations)), path)
        return tuple(
            update_statistics(parts[index], value, f"{path}[{index}]") for index, value in enumerate(observations)
        )
    _check_numbers(statistics, observations, path)
    statistics.update(observations)
    return statistics


def normalise(statistics: Any, observations: Any, path: str = "observation") -> Any:
    """Observations normalised by statistics of their own structure.

    Args:
        statistics: as `update_statistics` returns them.
        observations: stacked observations.
        path: how to name them in errors.

    Raises:
        TypeError: as `update_statistics`.
    """
    if isinstance(observations, dict):
        parts = _parts(statistics, observations, path)
        return {key: normalise(parts[key], value, f"{path}[{key!r}]") for key, value in observations.items()}
    if isinstance(observations, tuple):
        parts = _parts(statistics, dict(enumerate(observations)), path)
        return tuple(normalise(parts[index], value, f"{path}[{index}]") for index, value in enumerate(observations))
    _check_numbers(statistics, observations, path)
    return statistics.norm(observations)


def _parts(statistics: Any, observations: dict[Any, Any], path: str) -> dict[Any, Any]:
    """The statistics of each part of an observation."""
    if isinstance(statistics, RunningMeanStd) and statistics.count == 0:
        return {key: RunningMeanStd(clip_max=statistics.clip_max, epsilon=statistics.eps) for key in observations}
    parts = dict(enumerate(statistics)) if isinstance(statistics, tuple) else statistics
    if not isinstance(parts, dict) or parts.keys() != observations.keys():
        raise TypeError(f"obs_rms={statistics!r}: expected statistics for {path} with {list(observations)}")
    return parts


def _check_numbers(statistics: Any, observations: Any, path: str) -> None:
    if not isinstance(observations, np.ndarray) or observations.dtype.kind not in "biuf":
        kind = observations.dtype if isinstance(observations, np.ndarray) else type(observations).__name__
        raise TypeError(
            f"norm_obs=True, and {path} is of {kind}: expected numbers of the same shape from all environments"
        )
    if isinstance(statistics, (dict, tuple)):
        raise TypeError(f"obs_rms is {statistics!r} for {path}: expected a RunningMeanStd")
