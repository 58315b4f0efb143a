"""The table of compared steps that is printed after the parity tests."""

import json
import os
import tempfile
import time
from pathlib import Path

import pytest
from interrupts import take_interrupts
from leftovers import children, shared_files
from tasks import ATARI

TABLE = pytest.StashKey()


class ParityTable:
    """What was compared with the references, by task."""

    HEADINGS = ("task", "cases", "env-steps", "episodes", "truncated", "values", "differences")

    def __init__(self):
        self.rows = {}

    def add(self, task_id, *counts):
        """Adds to the counts of a task, in the order of the headings."""
        before = self.rows.get(task_id, (0,) * len(counts))
        self.rows[task_id] = tuple(a + b for a, b in zip(before, counts, strict=True))

    def folded(self):
        """The rows, of which those of Atari's games are one for each pipeline."""
        folded = ParityTable()
        for task, counts in self.rows.items():
            folded.add("ALE/*" if task.startswith("ALE/") else "Atari/*" if task in ATARI else task, *counts)
        return folded.rows

    def lines(self):
        """The table as text."""
        total = tuple(map(sum, zip(*self.rows.values(), strict=True)))
        rows = [self.HEADINGS, *((task, *counts) for task, counts in self.folded().items()), ("total", *total)]
        for task, *counts in rows:
            cells = [f"{count:,}" if isinstance(count, int) else count for count in counts]
            yield f"{task:<26}" + "".join(f"{cell:>16}" for cell in cells)

    def write(self, path):
        """The rows as JSON, from which `tests/exactness.py` makes a page."""
        named = {task: dict(zip(self.HEADINGS[1:], counts, strict=True)) for task, counts in self.rows.items()}
        path.write_text(json.dumps(named, indent=1) + "\n")


def pytest_addoption(parser):
    parser.addoption("--parity-json", type=Path, help="writes what was compared with the references into this file")


def pytest_configure(config):
    take_interrupts()
    config.stash[TABLE] = ParityTable()


@pytest.fixture(scope="session")
def parity_table(pytestconfig):
    """Collects what was compared; printed at the end."""
    return pytestconfig.stash[TABLE]


def pytest_terminal_summary(terminalreporter, config):
    table = config.stash[TABLE]
    if table.rows:
        terminalreporter.section("compared with the references, bit for bit, behind both interfaces")
        for line in table.lines():
            terminalreporter.write_line(line)
        if path := config.getoption("parity_json", None):
            table.write(path)


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_left_behind(tmp_path_factory):
    """At the end of all tests there are no processes and no files that were not there before."""
    if not Path("/proc/self/stat").exists():
        yield
        return
    folder = tmp_path_factory.mktemp("temporary")
    before, variable, tempfile.tempdir = tempfile.tempdir, os.environ.get("TMPDIR"), str(folder)
    os.environ["TMPDIR"] = str(folder)
    processes, files = children(), shared_files()
    yield
    deadline = time.monotonic() + 60
    while (left := children().keys() - processes.keys()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, [text for pid, text in children().items() if pid in left]
    assert not shared_files() - files
    tempfile.tempdir = before
    os.environ.pop("TMPDIR") if variable is None else os.environ.update(TMPDIR=variable)
