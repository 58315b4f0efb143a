"""``python benches/python bench``: measures steps per second of this package and its peers."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from envpool_rs._tasks.table import list_all_envs
from envpool_rs.cli.text import LiveLine, positive_float, positive_int, rate_text, three_digits

from envpool_bench.arguments import command_line, named_tasks, positive_ints, shapes

if TYPE_CHECKING:
    from envpool_bench.arguments import Commands
    from envpool_bench.case import Case
    from envpool_bench.libraries import Library
    from envpool_bench.results import Measurement, Results, Settings

DESCRIPTION = """\
Measures how many environment steps a second step() makes, ours and the peers' that are installed.

All libraries get the same loop, the same action arrays (random, drawn beforehand, played in turn) and the same number
of threads. They are timed in turn, a window of one after a window of another, so that whatever else the machine does
meets all of them. A step is one environment moving on by one action, or beginning its next episode. Best and median are
over windows.
"""


def add_to(commands: Commands) -> None:
    """Adds the command ``bench`` to the argument parser."""
    parser = commands.add_parser(
        "bench",
        help="compare steps per second with peers",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("tasks", nargs="*", default=["CartPole-v1"], metavar="TASK", help="ids or globs (CartPole-v1)")
    parser.add_argument(
        "--num-envs",
        type=positive_ints,
        default="1,8,64,1024,4096,65536",
        metavar="N,...",
        help="pool sizes, or 'none'",
    )
    parser.add_argument(
        "--async",
        dest="shapes",
        type=shapes,
        default="1024/256",
        metavar="N/M,...",
        help="asynchronous pools: environments/batch size, or 'none' (1024/256)",
    )
    parser.add_argument("--threads", type=positive_int, metavar="N", help="worker threads (default: one per CPU)")
    parser.add_argument("--seconds", type=positive_float, default=0.02, metavar="S", help="length of a window (0.02)")
    parser.add_argument("--rounds", type=positive_int, default=40, metavar="N", help="windows of each library (40)")
    parser.add_argument(
        "--facade",
        choices=["A", "B"],
        default="A",
        help="ours: A is make, EnvPool's contract; B is make_vec, gymnasium's",
    )
    parser.add_argument(
        "--peers",
        default="all",
        metavar="NAME,...",
        help="envpool, gymnasium-vector, gymnasium-sync, gymnasium-async, an adapter in envpool_bench/peers, 'none', "
        "or 'all' (all)",
    )
    parser.add_argument(
        "--starts",
        type=positive_ints,
        default="none",
        metavar="N,...",
        help="pool sizes of which to time make() and the first reset(), and to tell the memory (none)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the tables, between marks where it has them"
    )
    parser.add_argument("--plot", type=Path, metavar="FILE.png", help="draw the results (needs matplotlib)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures the requested cases, prints tables, and writes the requested files.

    Raises:
        ValueError: for an unknown task or peer, or if nothing is requested.
        ImportError: for a peer, or matplotlib, that is not installed.
    """
    from envpool_bench.libraries import ours, peers
    from envpool_bench.plot import import_pyplot
    from envpool_bench.results import Settings

    cases = _cases(options)
    _check_files(options)
    if options.plot is not None:
        import_pyplot()
    names = {"all": None, "none": []}.get(options.peers, options.peers.split(","))
    libraries = [ours(options.facade), *peers(names)]
    settings = Settings(options.seconds, options.rounds, options.facade)
    results, finished = _measure(cases, libraries, settings, options.starts)
    _write(options, results)
    if not finished:
        raise KeyboardInterrupt
    return 0


def _check_files(options: argparse.Namespace) -> None:
    # Output paths are checked before the measurement, because the measurement takes minutes.
    for path in (options.json, options.markdown, options.plot):
        if path is not None and not path.parent.is_dir():
            raise ValueError(f"{path}: there is no folder {str(path.parent)!r}")


def _cases(options: argparse.Namespace) -> list[Case]:
    from envpool_bench.case import Case
    from envpool_bench.machine import usable_cpus

    threads = options.threads or usable_cpus()
    pools = [(size, size) for size in options.num_envs] + options.shapes
    if not pools:
        raise ValueError("--num-envs none --async none: expected a pool size in one of them")
    tasks = named_tasks(options.tasks, list_all_envs())
    return [Case(task, num_envs, batch_size, threads) for task in tasks for num_envs, batch_size in pools]


def _measure(
    cases: list[Case], libraries: list[Library], settings: Settings, starts: list[int]
) -> tuple[Results, bool]:
    """Returns the results, and whether they are complete: after Ctrl-C, they include only completed cases."""
    from envpool_bench.machine import Machine
    from envpool_bench.results import Results
    from envpool_bench.run import measure

    results = Results(Machine.this(), settings, [], [])
    with LiveLine(sys.stdout) as line:
        line.keep(_introduction(cases, libraries, settings))

        def progress(case: Case, library: str, number: int, rate: float | None) -> None:
            now = "warming up" if rate is None else f"{rate_text(rate)} steps/s"
            line.show(f"{case.task}  {case.mode}  {library}  {now}  (round {number} of {settings.rounds})")

        try:
            for case in cases:
                measured, skipped = measure(case, libraries, settings, progress)
                results.measurements.extend(measured)
                results.skipped.extend(skipped)
                for each in measured:
                    line.keep(_summary(each))
            _measure_starts(cases, libraries, starts, results, line)
        except KeyboardInterrupt:
            return results, False
    return results, True


def _measure_starts(
    cases: list[Case], libraries: list[Library], sizes: list[int], results: Results, line: LiveLine
) -> None:
    from envpool_bench.case import Case
    from envpool_bench.starts import ROUNDS, measure_starts

    def progress(case: Case, library: str, number: int) -> None:
        line.show(f"{case.task}  {case.mode}  {library}  make and reset  (process {number} of {ROUNDS})")

    tasks = list(dict.fromkeys(case.task for case in cases))
    # Each process first makes an environment of the previous task in the list. So the process has loaded the libraries,
    # but not the files of the measured task.
    for task, before in zip(tasks, [tasks[-1], *tasks], strict=False):
        for size in sizes:
            case = Case(task, size, size, cases[0].threads)
            results.starts.extend(measure_starts(case, before, libraries, results.settings.facade, progress))


def _introduction(cases: list[Case], libraries: list[Library], settings: Settings) -> str:
    names = ", ".join(f"{library.name} {library.version}" for library in libraries)
    return (
        f"{names}: {cases[0].threads} threads, {settings.rounds} windows of {settings.seconds:g} s each, in turn.\n"
        "A step is one environment moving on by one action (random ones), or beginning its next episode.\n"
    )


def _summary(measurement: Measurement) -> str:
    return (
        f"{measurement.case.task}  {measurement.case.mode}  {measurement.library}: {rate_text(measurement.best_rate)} "
        f"steps/s best, {rate_text(measurement.median_rate)} median, "
        f"{three_digits(measurement.best_call * 1e6)} us per call"
    )


def _write(options: argparse.Namespace, results: Results) -> None:
    from envpool_bench.plot import write_plot
    from envpool_bench.report import text_report, write_markdown

    if not results.measurements:
        return
    print(f"\n{text_report(results)}")
    if options.json is not None:
        options.json.write_text(json.dumps(results.as_json(), indent=1) + "\n")
    if options.markdown is not None:
        write_markdown(options.markdown, results, command_line())
    if options.plot is not None:
        write_plot(options.plot, results)
