"""Tests that the files of counts have every task, and the page their sums; counts a sample of the rows again."""

import csv

import exactness
import pytest
import test_atari_ale
import test_atari_envpool
import test_minigrid
import test_parity
from families import families
from parity_table import ParityTable
from tasks import LARGE_FAMILIES

TEXT = exactness.PAGE.read_text() if exactness.PAGE.exists() else ""
IDS = [task["id"] for task in exactness.registered()]

pytestmark = pytest.mark.skipif(not TEXT, reason="needs the repository, not only the tests")


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_each_id_was_compared_without_a_difference():
    rows = rows_of(exactness.TASKS)
    assert [row["id"] for row in rows] == IDS
    for row in rows:
        assert int(row["steps"]) > 0 and int(row["values"]) > 0 and int(row["differing"]) == 0, row["id"]


def test_each_game_was_compared_without_a_difference():
    rows = rows_of(exactness.CONSOLES)
    assert [row["game"] for row in rows] == sorted(game.name for game in exactness.games())
    for row in rows:
        assert int(row["frames"]) > 0 and int(row["differing"]) == 0, row["game"]


def test_the_page_has_the_sums_of_the_rows():
    rows = rows_of(exactness.TASKS)
    assert exactness.fill(TEXT, "families", exactness.summary(rows)) == TEXT
    steps, values = (sum(int(row[name]) for row in rows) for name in ("steps", "values"))
    assert f"{len(IDS)} ids. {steps:,} steps of environments with {values:,} values" in TEXT


def test_counts_without_a_task_are_refused():
    counts = {row["id"]: {} for row in rows_of(exactness.TASKS) if row["id"] != "CartPole-v1"}
    with pytest.raises(SystemExit, match="CartPole-v1"):
        exactness.write(counts, {"games": {}})


def samples():
    """Returns every fourth task whose row takes about a second to count again: Atari games, levels of MiniGrid and
    BabyAI.
    """
    rows = [row["id"] for row in rows_of(exactness.TASKS) if row["runs"] == "1"] if TEXT else []
    return [task for task in rows if task.startswith(("ALE/", "MiniGrid-", "BabyAI-")) and "-WFC-" not in task][::4]


def steps_of(variable):
    """Returns the number of steps of each run of `nox -s exactness`."""
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
    again = dict(zip(ParityTable.HEADINGS[1:], table.rows[task], strict=True))
    recorded = next(row for row in rows_of(exactness.TASKS) if row["id"] == task)
    for column, count in zip(exactness.COLUMNS[3:], exactness.COUNTED, strict=True):
        assert recorded[column] in ("", str(again[count])), column


def test_the_suite_compares_every_id():
    compared = {run.values[0] for run in test_parity.RUNS} | set(test_atari_ale.GAMES)
    compared |= {run.task for run in test_atari_envpool.RUNS}
    # The tests of each other large family compare all of its tasks.
    compared |= set().union(*LARGE_FAMILIES.values()) & {*IDS}
    assert compared == set(IDS)
