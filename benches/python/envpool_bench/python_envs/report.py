"""Formats results of Python environments as tables."""

from __future__ import annotations

from pathlib import Path

from envpool_rs.cli.text import text_table, three_digits

from envpool_bench.python_envs.peers import BASELINE, LOOP
from envpool_bench.python_envs.results import PythonMeasurement, PythonResults
from envpool_bench.report import Table, fill_marks, markdown_table

HEADER = [
    "library",
    "us per step: best",
    "median",
    "caller's CPU",
    "AsyncVectorEnv / this: best",
    "median",
    "caller's CPU",
    "SyncVectorEnv / this: median",
]
"""Column titles. Ratios are the baseline's time over the row's. The caller's CPU is in microseconds per step, of the
median window.
"""

RIGHT = range(1, 8)

BEGIN, END = "<!-- benchmark of Python environments: begin -->", "<!-- benchmark of Python environments: end -->"
"""Marker lines of a Markdown file between which the tables are put; a file without them is overwritten."""


def text_report(results: PythonResults) -> str:
    """Returns the tables of all cases as text for a terminal."""
    return "\n\n".join(_tables(results, text_table, "{}"))


def write_markdown(path: Path, results: PythonResults, command: str) -> None:
    """Writes the tables, the machine and the command into a Markdown file: between its markers, or as its complete
    content.

    Args:
        path: the file.
        results: the measurements.
        command: the command line.
    """
    tables = _tables(results, markdown_table, "### {}")
    fill_marks(path, BEGIN, END, "\n\n".join([results.machine.measured_by(command), *tables]))


def _tables(results: PythonResults, table: Table, title: str) -> list[str]:
    parts = []
    for case in results.cases:
        rows = [_row(results, each) for each in results.of_case(case)]
        parts += [title.format(case.title), table(HEADER, rows, RIGHT)]
    return parts


def _row(results: PythonResults, measurement: PythonMeasurement) -> list[str]:
    baseline, loop = results.by(BASELINE, measurement.case), results.by(LOOP, measurement.case)
    return [
        f"{measurement.player.title} ({measurement.player.version})",
        three_digits(measurement.best),
        three_digits(measurement.median),
        three_digits(measurement.parent),
        _times(measurement, baseline, "best"),
        _times(measurement, baseline, "median"),
        _times(measurement, baseline, "parent"),
        _times(measurement, loop, "median"),
    ]


def _times(measurement: PythonMeasurement, other: PythonMeasurement | None, what: str) -> str:
    if other is None or other is measurement:
        return ""
    return f"{three_digits(getattr(other, what) / getattr(measurement, what))}x"
