"""Tests that `docs/exactness.md` has the tables that its counts generate; counts a sample of its rows again."""

import re
from pathlib import Path

import exactness
import pytest
import test_atari_ale
import test_atari_envpool
import test_minigrid
import test_parity
from conftest import ParityTable
from families import families
from tasks import LARGE_FAMILIES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "exactness.md"
TEXT = PAGE.read_text() if PAGE.exists() else ""
IDS = [task["id"] for task in exactness.registered()]
COUNTS = ParityTable.HEADINGS[1:]
GAMES = {task: game.name for game in exactness.games() for task in (game.envpool, game.ale)}

pytestmark = pytest.mark.skipif(not TEXT, reason="needs the repository, not only the tests")


def rows_of(table):
    """Returns the cells of each row of a table of `docs/exactness.md`, which is between the marks ``table``."""
    block = re.search(f"<!-- {table}: begin -->(.*?)<!--", TEXT, re.S)[1]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in block.strip().splitlines()[2:]]


def number(cell):
    return int(cell.replace(",", ""))


def counted():
    """Returns the counts of the page, in the format of the two files that `exactness` reads."""
    parity, games = {}, {}
    for task, _, _, *numbers in rows_of("tasks"):
        parity[task.strip("`")] = dict(zip(COUNTS, map(number, numbers), strict=True))
    for cells in rows_of("atari"):
        for task, *numbers in (cells[:5], cells[5:10]):
            names = ("cases", "env-steps", "values", "differences")
            parity[task.strip("`")] = dict(zip(names, map(number, numbers), strict=True))
        frames, settings, differing = map(number, cells[10:])
        game = {"frames": {"": frames}, "settings": settings, "differing": differing, "uncompared": 0}
        games[GAMES[cells[0].strip("`")]] = game
    # The page has only the total of uncompared screens, so the total is assigned to the first game.
    next(iter(games.values()))["uncompared"] = number(re.search(r"^([\d,]+) averaged screens", TEXT, re.M)[1])
    return parity, {"games": games}


def test_the_report_lists_exactly_the_registered_ids():
    assert sorted(counted()[0]) == sorted(IDS)


def without_versions(text):
    """Returns a page without versions of packages, because tests also run with later versions."""
    return re.sub(r"\b\d+(\.\d+)+\b", "*", text)


def test_the_page_equals_its_generated_text():
    parity, console = counted()
    generated = exactness.fill(TEXT, "tasks", exactness.task_table(parity))
    generated = exactness.fill(generated, "atari", exactness.atari_table(parity, console))
    assert without_versions(generated) == without_versions(TEXT)
    assert "\n".join(exactness.totals(parity, console)) in TEXT


def test_each_row_compared_something_and_found_no_difference():
    parity, console = counted()
    for task, counts in parity.items():
        assert counts["env-steps"] > 0 and counts["values"] > 0 and counts["differences"] == 0, task
    for name, game in console["games"].items():
        assert game["frames"][""] > 0 and game["differing"] == 0, name


def test_a_page_without_a_task_is_refused(tmp_path):
    parity, console = counted()
    del parity["CartPole-v1"]
    with pytest.raises(SystemExit, match="CartPole-v1"):
        exactness.write(parity, console, tmp_path / "page.md")


def samples():
    """Returns every fourth task whose row takes about a second to count again: Atari games, levels of MiniGrid and
    BabyAI.
    """
    rows = [task for task, counts in counted()[0].items() if counts["cases"] == 1] if TEXT else []
    return [task for task in rows if task.startswith(("ALE/", "MiniGrid-", "BabyAI-")) and "-WFC-" not in task][::4]


def steps_of(variable):
    """Returns the number of steps of each run of `make exactness`."""
    return next(
        family.exactness["steps"][variable] for family in families() if variable in family.exactness.get("steps", {})
    )


@pytest.mark.parametrize("task", samples())
def test_a_row_has_reproducible_counts(task, monkeypatch):
    table = ParityTable()
    if task.startswith("ALE/"):
        monkeypatch.setattr(test_atari_ale, "STEPS", steps_of("ATARI_STEPS"))
        test_atari_ale.test_every_game_equals_ale(task, table)
    else:
        monkeypatch.setattr(test_minigrid, "STEPS", steps_of("MINIGRID_STEPS"))
        test_minigrid.test_each_task_equals_minigrids(task, table)
    again = dict(zip(COUNTS, table.rows[task], strict=True))
    on_page = counted()[0][task]
    assert {name: again[name] for name in on_page} == on_page


def test_the_suite_compares_every_id():
    compared = {run.values[0] for run in test_parity.RUNS} | set(test_atari_ale.GAMES)
    compared |= {run.task for run in test_atari_envpool.RUNS}
    # The tests of each other large family compare all of its tasks.
    compared |= set().union(*LARGE_FAMILIES.values()) & {*IDS}
    assert compared == set(IDS)
