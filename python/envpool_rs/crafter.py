"""Names of Crafter's infos, success rates of achievements, and the Crafter score."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from envpool_rs._arguments import array, mapping, number

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

__all__ = ["ACHIEVEMENTS", "ACTIONS", "ITEMS", "score", "success_rates"]

ITEMS = (
    *("health", "food", "drink", "energy", "sapling", "wood", "stone", "coal", "iron", "diamond"),
    *("wood_pickaxe", "stone_pickaxe", "iron_pickaxe", "wood_sword", "stone_sword", "iron_sword"),
)
"""Names of the elements of ``info["inventory"]``."""

ACHIEVEMENTS = (
    *("collect_coal", "collect_diamond", "collect_drink", "collect_iron", "collect_sapling", "collect_stone"),
    *("collect_wood", "defeat_skeleton", "defeat_zombie", "eat_cow", "eat_plant", "make_iron_pickaxe"),
    *("make_iron_sword", "make_stone_pickaxe", "make_stone_sword", "make_wood_pickaxe", "make_wood_sword"),
    *("place_furnace", "place_plant", "place_stone", "place_table", "wake_up"),
)
"""Names of the elements of ``info["achievements"]``."""

ACTIONS = (
    *("noop", "move_left", "move_right", "move_up", "move_down", "do", "sleep"),
    *("place_stone", "place_table", "place_furnace", "place_plant"),
    *("make_wood_pickaxe", "make_stone_pickaxe", "make_iron_pickaxe"),
    *("make_wood_sword", "make_stone_sword", "make_iron_sword"),
)
"""Names of the actions."""

_PERCENT = 100.0


def success_rates(achievements: npt.ArrayLike) -> dict[str, float]:
    """Returns the percentage of episodes in which each achievement was unlocked.

    Args:
        achievements: ``info["achievements"]`` of the last step of each episode, ``(episodes, 22)``.

    Raises:
        ValueError: for an array of another shape, or without episodes.
    """
    counts = array("achievements", achievements)
    if counts.dtype.kind not in "biuf" or counts.shape[1:] != (len(ACHIEVEMENTS),) or len(counts) == 0:
        found = f"achievements of dtype {counts.dtype} and shape {counts.shape}"
        raise ValueError(f"{found}: expected (episodes, {len(ACHIEVEMENTS)}) numbers, one episode or more")
    rates = _PERCENT * np.mean(counts > 0, axis=0)
    return {name: float(rate) for name, rate in zip(ACHIEVEMENTS, rates, strict=True)}


def score(rates: Mapping[str, float]) -> float:
    """Returns the Crafter score in percent: the geometric mean of the success rates, each plus 1, minus 1.

    Args:
        rates: the result of `success_rates`.

    Raises:
        TypeError: for anything but a dict of numbers.
        ValueError: if the keys of ``rates`` are not the names of all achievements, or a rate is not between 0 and 100.
    """
    if set(mapping("rates", rates)) != set(ACHIEVEMENTS):
        raise ValueError(f"rates of {len(rates)} names: expected the {len(ACHIEVEMENTS)} of ACHIEVEMENTS")
    percentages = np.array([number(f"rates[{name!r}]", rates[name]) for name in ACHIEVEMENTS])
    if not ((percentages >= 0) & (percentages <= _PERCENT)).all():
        raise ValueError(f"rates={dict(rates)!r}: expected percentages from 0 to 100")
    return float(np.expm1(np.mean(np.log1p(percentages))))
