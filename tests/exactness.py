"""Writes the tables of `docs/exactness.md`: for each task the compared and the differing values.

    python tests/exactness.py PARITY CONSOLE [PAGE]

`PARITY` has the counts of the parity tests (`pytest --parity-json`), and `CONSOLE` those of the comparison of Atari
consoles (`tests/atari/compare.py --json`). `make exactness` makes both. All numbers on the page come from these files.
"""

import json
import platform
import re
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import envpool_rs
import references
from envpool_rs import _core
from families import families, family_of

PAGE = Path(__file__).parents[1] / "docs" / "exactness.md"


def registered():
    """Returns all tasks of the package except those of families whose own pages report the comparison."""
    others = {task for _, _, _, tasks in _core.plugin_libraries() for task in tasks}
    return [
        task
        for task in _core.tasks()
        if task["id"] not in others
        and not (family := family_of(task)).is_for_tests
        and not family.exactness.get("is_on_own_page", False)
    ]


@dataclass(frozen=True)
class Game:
    """An Atari game: its name in ale-py, and its task in EnvPool's and in gymnasium's preprocessing pipeline."""

    name: str
    envpool: str
    ale: str


def games():
    """Returns Atari's games, sorted by name."""
    names = {}
    for task in registered():
        named = [option["default"] for option in task["options"] if option["name"] in ("game", "task")]
        if named:
            names.setdefault(named[0], []).append(task["id"])
    return [Game(name, *sorted(ids, key=lambda each: each.startswith("ALE/"))) for name, ids in sorted(names.items())]


def row(*cells):
    return f"| {' | '.join(f'{cell:,}' if isinstance(cell, int) else cell for cell in cells)} |"


def heading(*cells):
    """Returns the heading of a table; a leading `#` in a column's name marks a column of numbers."""
    return [row(*(cell.lstrip("#") for cell in cells)), row(*("---:" if cell[0] == "#" else "---" for cell in cells))]


def task_table(parity):
    """Returns the table of the tasks whose references are single environments."""
    atari = {each for game in games() for each in (game.envpool, game.ale)}
    lines = heading(
        "id", "reference", "compared with", "#runs", "#steps", "#episodes", "#truncated", "#values", "#differing"
    )
    for task in registered():
        if task["id"] in atari:
            continue
        counts = parity[task["id"]]
        numbers = [counts[name] for name in ("cases", "env-steps", "episodes", "truncated", "values", "differences")]
        lines.append(row(f"`{task['id']}`", *references.source(task["id"]), *numbers))
    return lines


def atari_table(parity, console):
    """Returns the table of Atari's games: results of both preprocessing pipelines, and of the console without
    preprocessing.
    """
    lines = heading(
        "id", "#runs", "#steps", "#values", "#differing", "id", "#runs", "#steps", "#values", "#differing",
        "#console: frames", "#other settings", "#differing",
    )  # fmt: skip
    for game in games():
        pipelines = []
        for task in (game.envpool, game.ale):
            pipelines += [
                f"`{task}`",
                *(parity[task][name] for name in ("cases", "env-steps", "values", "differences")),
            ]
        alone = console["games"][game.name]
        lines.append(row(*pipelines, sum(alone["frames"].values()), alone["settings"], alone["differing"]))
    return lines


def totals(parity, console):
    """Returns sentences with the totals of all comparisons."""
    steps, values, differing = (
        sum(counts[name] for counts in parity.values()) for name in ("env-steps", "values", "differences")
    )
    frames = sum(sum(game["frames"].values()) for game in console["games"].values())
    differing += sum(game["differing"] for game in console["games"].values())
    uncompared = sum(game["uncompared"] for game in console["games"].values())
    return [
        f"{len(registered())} ids. {steps:,} steps of environments with {values:,} values were compared, and",
        f"{frames:,} frames of {len(console['games'])} games on the consoles alone. **Differing: {differing:,}.**",
        f"{uncompared:,} averaged screens, which have pixels without colour, were [left out](atari.md#how-exact).",
    ]


def machine(console):
    """Returns two lines that name the versions of the packages and the operating system."""
    own = [family.exactness["reference"] for family in families() if "reference" in family.exactness]
    names = dict.fromkeys(["numpy", "gymnasium", "opencv-python-headless", "mujoco", *own])
    packages = [f"{name} {version(name)}" for name in names]
    system = f"{platform.system()} on {platform.machine()} ({' '.join(platform.libc_ver())})"
    return [
        f"Measured with envpool_rs {envpool_rs.__version__}, Python {platform.python_version()},",
        f"{', '.join(packages)}, ale-py {console['ale-py']}; {system}.",
    ]


def fill(text, name, lines):
    """Returns the page with the lines between the marks ``name`` replaced by ``lines``."""
    marks = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    block = "\n".join([marks[0], "", *lines, "", marks[1]])
    found, count = re.subn(f"{marks[0]}.*?{marks[1]}", lambda _: block, text, flags=re.S)
    if count != 1:
        raise SystemExit(f"{name}: {count} blocks in the page, expected 1")
    return found


def write(parity, console, page):
    """Writes the tables of a page.

    Args:
        parity: counts by task, as the parity tests write them.
        console: counts by game, as the comparison of consoles writes them.
        page: the file.

    Raises:
        SystemExit: if a task was not compared.
    """
    missing = [task["id"] for task in registered() if task["id"] not in parity]
    if missing:
        raise SystemExit(
            f"not compared: {', '.join(missing)}; run `make exactness` (MiniGrid-WFC-* need MINIGRID_PATTERNS, the "
            "folder minigrid/envs/wfc/patterns of minigrid's git repository, networkx 3.6 and imageio)"
        )
    text = Path(page).read_text()
    text = fill(text, "totals", [*totals(parity, console), "", *machine(console)])
    text = fill(text, "tasks", task_table(parity))
    text = fill(text, "atari", atari_table(parity, console))
    Path(page).write_text(text)


def main(parity_path, console_path, page=PAGE):
    parity, console = (json.loads(Path(path).read_text()) for path in (parity_path, console_path))
    write(parity, console, page)


if __name__ == "__main__":
    main(*sys.argv[1:])
