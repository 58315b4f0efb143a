"""Names of Crafter's infos, success rates of achievements, and the Crafter score."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import array, mapping, number

__all__ = ["ACHIEVEMENTS", "ACTIONS", "ITEMS", "score", "success_rates"]

_NAMES = _core.family_names("crafter")
_PERCENT = 100.0

ITEMS, ACHIEVEMENTS, ACTIONS = (tuple(_NAMES[subject]) for subject in ("items", "achievements", "actions"))
"""Names of the elements of ``info["inventory"]`` and of ``info["achievements"]``, and of the actions."""


def success_rates(achievements: npt.ArrayLike) -> dict[str, float]:
    """Returns the percentage of episodes in which each achievement was unlocked.

    ``achievements`` are ``info["achievements"]`` of the last step of each episode, ``(episodes, 22)``. Raises
    ValueError for an array of another shape, or without episodes.
    """
    counts = array("achievements", achievements)
    if counts.dtype.kind not in "biuf" or counts.shape[1:] != (len(ACHIEVEMENTS),) or len(counts) == 0:
        found = f"achievements of dtype {counts.dtype} and shape {counts.shape}"
        raise ValueError(f"{found}: expected (episodes, {len(ACHIEVEMENTS)}) numbers, one episode or more")
    rates = _PERCENT * np.mean(counts > 0, axis=0)
    return dict(zip(ACHIEVEMENTS, rates.tolist(), strict=True))


def score(rates: Mapping[str, float]) -> float:
    """Returns the Crafter score in percent: the geometric mean of the success rates, each plus 1, minus 1.

    ``rates`` is the result of `success_rates`. Raises TypeError for anything but a dict of numbers, and ValueError if
    the keys are not the names of all achievements, or a rate is not between 0 and 100.
    """
    if set(mapping("rates", rates)) != set(ACHIEVEMENTS):
        raise ValueError(f"rates of {len(rates)} names: expected the {len(ACHIEVEMENTS)} of ACHIEVEMENTS")
    percentages = np.array([number(f"rates[{name!r}]", rates[name]) for name in ACHIEVEMENTS])
    if not ((percentages >= 0) & (percentages <= _PERCENT)).all():
        raise ValueError(f"rates={dict(rates)!r}: expected percentages from 0 to 100")
    return float(np.expm1(np.mean(np.log1p(percentages))))
