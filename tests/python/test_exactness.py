"""`docs/exactness.md` is about the tasks that there are, and the parity tests go over all that it speaks of."""

import re
from pathlib import Path

import exactness
import pytest
import test_atari_ale
import test_atari_envpool
import test_parity
from tasks import BOX2D, DM_CONTROL, MINIGRID, MUJOCO

PAGE = Path(__file__).parents[2] / "docs" / "exactness.md"
TEXT = PAGE.read_text() if PAGE.exists() else ""
TABLES = [
    [[cell.strip() for cell in line.strip("|").split("|")] for line in block.strip().splitlines()]
    for block in re.findall(r"<!-- (?:tasks|atari): begin -->(.*?)<!--", TEXT, re.S)
]
IDS = [task["id"] for task in exactness.registered()]

pytestmark = pytest.mark.skipif(not TEXT, reason="needs the repository, not only the tests")


def test_the_report_lists_exactly_the_registered_ids():
    listed = [
        cell.strip("`")
        for table in TABLES
        for row in table
        for cell in row
        if cell.startswith("`") and ("-v" in cell or "/" in cell)
    ]
    assert sorted(listed) == sorted(IDS)


def test_each_row_compared_something_and_found_no_difference():
    for headings, _, *rows in TABLES:
        for row in rows:
            counts = dict(zip(headings, row, strict=False))
            assert int(counts["steps"].replace(",", "")) > 0 and int(counts["values"].replace(",", "")) > 0, row
            differing = [cell for heading, cell in zip(headings, row, strict=True) if heading == "differing"]
            assert set(differing) == {"0"}, row


def test_the_references_are_those_of_this_suite():
    (_, _, *rows), _ = TABLES
    for name, reference, how, *_ in rows:
        package, said = exactness.references.source(name.strip("`"))
        # Later releases of a package are tested too; the report names the one that it was made with.
        assert (reference.split()[0], how) == (package.split()[0], said), name


def test_the_suite_compares_every_id():
    compared = {run.values[0] for run in test_parity.RUNS} | set(test_atari_ale.GAMES)
    compared |= {run.task for run in test_atari_envpool.RUNS}
    compared |= {*MUJOCO, *DM_CONTROL, *MINIGRID, *BOX2D}  # tests of their own go over all of them
    assert compared == set(IDS)
