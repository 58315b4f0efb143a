"""Counts what tests compare with reference implementations."""

import json

from tasks import ATARI


class ParityTable:
    """Table of comparisons with reference implementations: for each task, counts of steps, values and differences."""

    HEADINGS = ("task", "cases", "env-steps", "episodes", "truncated", "values", "differences")

    def __init__(self):
        self.rows = {}

    def add(self, task_id, *counts):
        """Adds counts, in the order of `HEADINGS`, to the counts of a task."""
        before = self.rows.get(task_id, (0,) * len(counts))
        self.rows[task_id] = tuple(a + b for a, b in zip(before, counts, strict=True))

    def folded(self):
        """Returns the rows of the table of comparisons, with Atari's games merged into one row per pipeline."""
        folded = ParityTable()
        for task, counts in self.rows.items():
            folded.add("ALE/*" if task.startswith("ALE/") else "Atari/*" if task in ATARI else task, *counts)
        return folded.rows

    def lines(self):
        """Returns the lines of the table as text."""
        total = tuple(map(sum, zip(*self.rows.values(), strict=True)))
        rows = [self.HEADINGS, *((task, *counts) for task, counts in self.folded().items()), ("total", *total)]
        for task, *counts in rows:
            cells = [f"{count:,}" if isinstance(count, int) else count for count in counts]
            yield f"{task:<26}" + "".join(f"{cell:>16}" for cell in cells)

    def write(self, path):
        """Writes the rows as JSON, from which `tools/exactness.py` generates `docs/exactness.md`."""
        named = {task: dict(zip(self.HEADINGS[1:], counts, strict=True)) for task, counts in self.rows.items()}
        path.write_text(json.dumps(named, indent=1) + "\n")
