"""Writes `src/envs/multi_agent/overcooked/layouts.txt` from the layouts of overcooked_ai's repository.

Usage: `python tools/golden/overcooked_layouts.py FOLDER`, the repository's `src/overcooked_ai_py/data/layouts`.
"""

import sys
from pathlib import Path

TARGET = Path(__file__).parents[2] / "src/envs/multi_agent/overcooked/layouts.txt"
HEADER = """\
# Layouts of overcooked_ai at commit 739950a (MIT licence), from `tools/golden/overcooked_layouts.py`.
# A block has a name, recipes (o: onion, t: tomato) and other parameters, players and pots that start otherwise, and the grid.
"""
FACINGS = {(0, -1): "north", (0, 1): "south", (1, 0): "east", (-1, 0): "west"}


def recipe(order):
    return "".join(sorted(name[0] for name in order["ingredients"]))


def block(name, layout):
    """Yields the lines of a layout."""
    yield name
    for key in ("start_all_orders", "start_bonus_orders"):
        if layout.get(key):
            yield " ".join([key, *map(recipe, layout[key])])
    for key in ("recipe_values", "recipe_times"):
        if key in layout:
            yield " ".join([key, *map(str, layout[key])])
    for key in ("onion_value", "tomato_value", "onion_time", "tomato_time", "order_bonus"):
        if key in layout:
            yield f"{key} {layout[key]}"
    start = layout.get("start_state", {"players": [], "objects": []})
    for player in start["players"]:
        x, y = player["position"]
        held = player["held_object"]
        yield f"player {x} {y} {FACINGS[tuple(player['orientation'])]} {held['name'] if held else 'nothing'}"
    for soup in start["objects"]:
        assert soup["name"] == "soup" and soup["is_idle"]
        yield "pot {} {} {}".format(
            *soup["position"], recipe({"ingredients": [i["name"] for i in soup["_ingredients"]]})
        )
    yield from (row.strip() for row in layout["grid"].split("\n"))


def main():
    blocks = []
    for path in sorted(Path(sys.argv[1]).glob("*.layout")):
        layout = eval(path.read_text())
        known = (
            "grid start_all_orders start_bonus_orders recipe_values recipe_times onion_value tomato_value onion_time"
        )
        assert layout.keys() <= {*known.split(), "tomato_time", "order_bonus", "start_state", "rew_shaping_params"}
        assert layout.get("rew_shaping_params") is None
        blocks.append("\n".join(block(path.stem, layout)) + "\n")
    TARGET.write_text("\n".join([HEADER, *blocks]))
    print(TARGET, len(blocks))


main()
