"""Names of tasks that state their options, such as ``Foraging-8x8-2p-3f-v3``: those of multi-agent packages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

_FORAGING = re.compile(
    r"Foraging(?P<grid>-grid)?(-(?P<sight>\d+)s)?-(?P<rows>\d+)x(?P<columns>\d+)-(?P<players>\d+)p-(?P<foods>\d+)f"
    r"(?P<coop>-coop)?(?P<alone>-ind)?(?P<penalty>-pen)?-v3"
)


@cache
def named_options(name: str) -> tuple[str, dict[str, Any]] | None:
    """Returns the extension's task and the options that a name states; ``None`` for all other names."""
    if match := _FORAGING.fullmatch(name):
        return "Foraging-v3", _foraging(match)
    return None


def _foraging(match: re.Match[str]) -> dict[str, Any]:
    rows, columns = int(match["rows"]), int(match["columns"])
    return {
        "players": int(match["players"]),
        "field_size": [rows, columns],
        "max_num_food": int(match["foods"]),
        "sight": int(match["sight"] or rows),
        "max_food_level": 1 if match["alone"] else 0,
        "force_coop": bool(match["coop"]),
        "grid_observation": bool(match["grid"]),
        "penalty": 0.1 if match["penalty"] else 0.0,
    }


def registered_names() -> Iterator[str]:
    """Yields the names that lbforaging registers with gymnasium."""
    for side, players, foods, coop, sight in product(
        range(5, 20), range(2, 10), range(1, 5), ("-coop", ""), ("-2s", "")
    ):
        yield f"Foraging{sight}-{side}x{side}-{players}p-{foods}f{coop}-v3"
