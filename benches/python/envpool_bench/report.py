"""Formats results as tables, for a terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from envpool_rs.cli.text import rate_text, text_table, three_digits

from envpool_bench.libraries import OURS
from envpool_bench.results import Measurement, Ratio, Results
from envpool_bench.starts import Start

HEADER = [
    "environments",
    "library",
    "steps/s: best",
    "median",
    "us per call: best",
    "median",
    "speedup: best",
    "median",
]
"""Column titles. Speedup: this package over the row's library."""

RIGHT = range(2, 8)

BEGIN, END = "<!-- benchmark: begin -->", "<!-- benchmark: end -->"
"""Marker lines of a Markdown file between which tables are put; a file without them is overwritten."""


def markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> str:
    """Formats a Markdown table.

    Args:
        header: a name for each column.
        rows: cells.
        right: right-aligned columns.
    """
    rule = ["---:" if column in right else "---" for column in range(len(header))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [header, rule, *rows])


def text_report(results: Results) -> str:
    """Returns the results as text for a terminal: a table for each task, means over all tasks, and the skipped
    cases.
    """
    return "\n\n".join([*_all_tables(results, text_table, "{}"), *_skipped(results)])


def markdown_report(results: Results, command: str) -> str:
    """Returns the text report in Markdown, with the machine and the command.

    Args:
        results: the measurements.
        command: the command line.
    """
    where = results.machine.measured_by(command)
    return "\n\n".join([where, *_all_tables(results, markdown_table, "### {}"), *_skipped(results)])


def write_markdown(path: Path, results: Results, command: str) -> None:
    """Writes the report into a Markdown file: between its markers, or as its complete content.

    Args:
        path: the file.
        results: the measurements.
        command: the command line.
    """
    fill_marks(path, BEGIN, END, markdown_report(results, command))


def fill_marks(path: Path, begin: str, end: str, report: str) -> None:
    """Replaces the text between two marker lines of a file; overwrites a file without these lines.

    Args:
        path: the file.
        begin: the line before the report.
        end: the line after the report.
        report: the new text.
    """
    old = path.read_text() if path.exists() else ""
    if begin in old and end in old:
        before, after = old.split(begin, 1)[0], old.split(end, 1)[1]
        path.write_text(f"{before}{begin}\n\n{report}\n\n{end}{after}")
    else:
        path.write_text(f"{report}\n")


Table = Callable[[Sequence[str], Sequence[Sequence[str]], Collection[int]], str]

MAX_TABLES = 3
"""Maximum number of tasks for which each task has a table; more tasks share one table of medians."""


def _all_tables(results: Results, table: Table, title: str) -> list[str]:
    per_task = _tables if len(results.tasks) <= MAX_TABLES else _side_by_side
    return [part for tables in (per_task, _means, _starts) for part in tables(results, table, title)]


def _tables(results: Results, table: Table, title: str) -> list[str]:
    parts = []
    for task in results.tasks:
        rows = [_row(results, each) for each in results.of_task(task)]
        parts += [title.format(task), table(HEADER, rows, RIGHT)]
    return parts


def _side_by_side(results: Results, table: Table, title: str) -> list[str]:
    """Returns one table of medians: a row for each task and pool shape, with the rates of all libraries and this
    package's speedups over each.
    """
    names = dict.fromkeys((each.library, f"{each.library} {each.version}") for each in results.measurements)
    peers = [(library, name) for library, name in names if library != OURS]
    shown = [(library, name) for library, name in names if library == OURS] + peers
    rows = []
    for case in dict.fromkeys(each.case for each in results.measurements):
        measured = {each.library: each for each in results.measurements if each.case == case}
        ratios = {library: results.ratio(each) for library, each in measured.items()}
        rates = [rate_text(measured[library].median_rate) if library in measured else "" for library, _ in shown]
        rows.append([case.task, case.mode, *rates, *(_speedup(ratios.get(library))[1] for library, _ in peers)])
    header = ["task", "environments", *(name for _, name in shown), *(f"times {library}" for library, _ in peers)]
    return [title.format("Steps per second, medians"), table(header, rows, range(2, len(header)))]


def _row(results: Results, measurement: Measurement) -> list[str]:
    ratio = results.ratio(measurement)
    return [
        measurement.case.mode,
        f"{measurement.library} {measurement.version}",
        rate_text(measurement.best_rate),
        rate_text(measurement.median_rate),
        three_digits(measurement.best_call * 1e6),
        three_digits(measurement.median_call * 1e6),
        *_speedup(ratio),
    ]


MEANS_HEADER = ["environments", "library", "steps/s: best", "median", "speedup: best", "median"]

STARTS_HEADER = ["task", "environments", "library", "seconds", "times as long as ours", "KB for each"]


def _means(results: Results, table: Table, title: str) -> list[str]:
    means = results.means()
    if not means:
        return []
    rows = [
        [
            mean.mode,
            f"{mean.library} {mean.version}",
            rate_text(mean.rate.best),
            rate_text(mean.rate.median),
            *_speedup(mean.speedup),
        ]
        for mean in means
    ]
    name = f"Geometric mean over {len(results.tasks)} tasks"
    return [title.format(name), table(MEANS_HEADER, rows, range(2, 6))]


def _starts(results: Results, table: Table, title: str) -> list[str]:
    if not results.starts:
        return []
    name = "make() and the first reset(), and memory, in a process of its own"
    rows = [_start_row(results, each) for each in results.starts]
    return [title.format(name), table(STARTS_HEADER, rows, range(3, 6))]


def _start_row(results: Results, start: Start) -> list[str]:
    mine = next((each for each in results.starts if each.case == start.case and each.library == OURS), start)
    memory = start.median_bytes
    return [
        start.case.task,
        start.case.mode,
        f"{start.library} {start.version}",
        three_digits(start.best_seconds),
        "" if mine is start else f"{three_digits(start.best_seconds / mine.best_seconds)}x",
        "" if memory is None else three_digits(memory / 1e3),
    ]


def _speedup(ratio: Ratio | None) -> list[str]:
    return ["", ""] if ratio is None else [f"{three_digits(ratio.best)}x", f"{three_digits(ratio.median)}x"]


def _skipped(results: Results) -> list[str]:
    reasons: dict[tuple[str, str, str], list[str]] = {}
    for each in results.skipped:
        reasons.setdefault((each.case.task, each.library, each.reason), []).append(each.case.mode)
    lines = [
        f"{task}: {library} is not measured at {', '.join(modes)}: {reason}."
        for (task, library, reason), modes in reasons.items()
    ]
    return ["\n".join(f"- {line}" for line in lines)] if lines else []
