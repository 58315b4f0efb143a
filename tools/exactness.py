"""Writes the compared and the differing values of each task: `docs/exactness.csv`, and sums in `docs/exactness.md`.

    python tools/exactness.py PARITY CONSOLE

`PARITY` has the counts of the parity tests (`pytest --parity-json`), and `CONSOLE` those of the comparison of Atari
consoles (`tools/atari/compare.py --json`). `nox -s exactness` makes both. All numbers come from these files.
"""

import csv
import json
import platform
import re
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import envpool_rs
from envpool_rs import _core
from families import families, family_of

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import references

DOCS = ROOT / "docs"
PAGE, TASKS, CONSOLES = DOCS / "exactness.md", DOCS / "exactness.csv", DOCS / "exactness_consoles.csv"
COLUMNS = ("id", "reference", "method", "runs", "steps", "episodes", "truncated", "values", "differing")
#: Names of the counts of the parity tests in the order of the columns.
COUNTED = ("cases", "env-steps", "episodes", "truncated", "values", "differences")


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


def rows(parity):
    """Yields the rows of `docs/exactness.csv`: an id, its reference, the method of comparison, and its counts."""
    atari = {}
    for game in games():
        atari[game.envpool] = "EnvPool 1.2.5", "digests of its results"
        atari[game.ale] = f"ale-py {version('ale-py')}", "played side by side"
    for task in registered():
        counts = parity[task["id"]]
        source = atari.get(task["id"]) or references.source(task["id"])
        yield dict(zip(COLUMNS, (task["id"], *source, *(counts[name] for name in COUNTED)), strict=True))


def summary(rows):
    """Returns the page's table: the sums of each family's rows."""
    tasks = {task["id"]: task for task in registered()}
    families = {}
    for row in rows:
        families.setdefault(family_of(tasks[row["id"]]).key, []).append(row)
    lines = ["| family | references | ids | steps | values | differing |", "|---|---|---:|---:|---:|---:|"]
    for key, members in families.items():
        sources = ", ".join(dict.fromkeys(row["reference"] for row in members))
        sums = (sum(int(row[name]) for row in members) for name in ("steps", "values", "differing"))
        lines.append(f"| {key} | {sources} | {' | '.join(f'{number:,}' for number in (len(members), *sums))} |")
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


def write(parity, console):
    """Writes the two files of counts, and the summary on the page; `SystemExit` if a task was not compared."""
    missing = [task["id"] for task in registered() if task["id"] not in parity]
    if missing:
        raise SystemExit(
            f"not compared: {', '.join(missing)}; run `nox -s exactness` (MiniGrid-WFC-* need MINIGRID_PATTERNS, the "
            "folder minigrid/envs/wfc/patterns of minigrid's git repository, networkx 3.6 and imageio)"
        )
    compared = list(rows(parity))
    consoles = []
    for name, game in sorted(console["games"].items()):
        frames = sum(game["frames"].values())
        consoles.append({"game": name, "frames": frames, "settings": game["settings"], "differing": game["differing"]})
    for path, lines in ((TASKS, compared), (CONSOLES, consoles)):
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, lines[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)
    text = fill(PAGE.read_text(), "totals", [*totals(parity, console), "", *machine(console)])
    PAGE.write_text(fill(text, "families", summary(compared)))


if __name__ == "__main__":
    write(*(json.loads(Path(path).read_text()) for path in sys.argv[1:]))
