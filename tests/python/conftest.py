"""The table of compared steps that is printed after the parity tests."""

import pytest

TABLE = pytest.StashKey()


class ParityTable:
    """What was compared with the references, by task."""

    HEADINGS = ("task", "cases", "env-steps", "episodes", "truncated", "differences")

    def __init__(self):
        self.rows = {}

    def add(self, task_id, *counts):
        """Adds to the counts of a task, in the order of the headings."""
        before = self.rows.get(task_id, (0,) * len(counts))
        self.rows[task_id] = tuple(a + b for a, b in zip(before, counts, strict=True))

    def lines(self):
        """The table as text."""
        total = tuple(map(sum, zip(*self.rows.values(), strict=True)))
        rows = [self.HEADINGS, *((task, *counts) for task, counts in self.rows.items()), ("total", *total)]
        for task, *counts in rows:
            cells = [f"{count:,}" if isinstance(count, int) else count for count in counts]
            yield f"{task:<26}" + "".join(f"{cell:>12}" for cell in cells)


def pytest_configure(config):
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
