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
_WAREHOUSE = re.compile(
    r"rware(?P<image>-img|-imgdict)?(?P<north>-Nd)?(-(?P<sight>\d+)s)?"
    r"-(?P<size>tiny|small|medium|large|(?P<rows>\d+)x(?P<columns>\d+))(-(?P<height>\d+)h)?-(?P<agents>\d+)ag"
    r"(?P<difficulty>-easy|-hard)?(-(?P<requests>\d+)req-(?P<reward>indiv|global|twostage))?-v2"
)

_SIZES = {"tiny": (1, 3), "small": (2, 3), "medium": (2, 5), "large": (3, 5)}  # rows and columns of shelves
_DIFFICULTIES = {"-easy": (2, 1), None: (1, 1), "-hard": (1, 2)}  # requests for each agent, as a fraction
_REWARDS = {"indiv": "individual", None: "individual", "global": "global", "twostage": "two_stage"}
_IMAGES = {None: "flattened", "-img": "image", "-imgdict": "image_dict"}


@cache
def named_options(name: str) -> tuple[str, dict[str, Any]] | None:
    """Returns the extension's task and the options that a name states; ``None`` for all other names."""
    if match := _FORAGING.fullmatch(name):
        return "Foraging-v3", _foraging(match)
    if match := _WAREHOUSE.fullmatch(name):
        return "rware-v2", _warehouse(match)
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


def _warehouse(match: re.Match[str]) -> dict[str, Any]:
    rows, columns = _SIZES.get(match["size"]) or (int(match["rows"]), int(match["columns"]))
    agents = int(match["agents"])
    times, divisor = _DIFFICULTIES[match["difficulty"]]
    return {
        "shelf_rows": rows,
        "shelf_columns": columns,
        "column_height": int(match["height"] or 8),
        "n_agents": agents,
        "sensor_range": int(match["sight"] or 1),
        "request_queue_size": int(match["requests"] or agents * times // divisor),
        "reward_type": _REWARDS[match["reward"]],
        "observation_type": _IMAGES[match["image"]],
        "image_observation_directional": not match["north"],
    }


def registered_names() -> Iterator[str]:
    """Yields the names that lbforaging and overcooked_ai register, and those of rware with images."""
    for side, players, foods, coop, sight in product(
        range(5, 20), range(2, 10), range(1, 5), ("-coop", ""), ("-2s", "")
    ):
        yield f"Foraging{sight}-{side}x{side}-{players}p-{foods}f{coop}-v3"
    yield "Overcooked-v0"
    forms = ("", "-img", "-img-Nd", "-imgdict", "-imgdict-Nd")
    for form, size, difficulty, agents in product(forms, _SIZES, ("-easy", "", "-hard"), range(1, 20)):
        yield f"rware{form}-{size}-{agents}ag{difficulty}-v2"
