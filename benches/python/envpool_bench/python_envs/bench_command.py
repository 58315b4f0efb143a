"""``python benches/python bench-python``: measures vectorised Python environments of this package and its peers."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from envpool_rs.cli.text import LiveLine, positive_float, positive_int, three_digits

from envpool_bench.arguments import command_line

if TYPE_CHECKING:
    from envpool_bench.arguments import Commands
    from envpool_bench.python_envs.case import PythonCase
    from envpool_bench.python_envs.players import Player
    from envpool_bench.python_envs.results import PythonMeasurement, PythonResults

DESCRIPTION = """\
Measures how long one step of all environments takes that are written in Python, and how much of the calling process's
processor time, ours and the peers' that are installed.

All get the same environments and the same action arrays (random, drawn beforehand, played in turn). Their processes
exist at the same time; they are timed in turn, a window of one after a window of another, so that whatever else the
machine does meets all of them.
"""


def add_to(commands: Commands) -> None:
    """Adds the command ``bench-python`` to the argument parser."""
    parser = commands.add_parser(
        "bench-python",
        help="compare Python environments in worker processes with peers",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--cases", default="all", metavar="NAME,...", help="cart-pole-8, cart-pole-64, image-8, or 'all' (all)"
    )
    parser.add_argument(
        "--ours",
        default="all",
        metavar="NAME,...",
        help="make-vec, make-vec-helps, make-python, make-python-helps, subproc, subproc-helps, multi-env, "
        "multi-env-cores, or 'all' (all)",
    )
    parser.add_argument(
        "--peers",
        default="all",
        metavar="NAME,...",
        help="gymnasium-async, gymnasium-sync, tianshou, sb3, 'none', or 'all' that are installed (all)",
    )
    parser.add_argument(
        "--workers", type=positive_int, metavar="N", help="worker processes of ours (default: each interface's own)"
    )
    parser.add_argument("--seconds", type=positive_float, default=0.1, metavar="S", help="length of a window (0.1)")
    parser.add_argument("--rounds", type=positive_int, default=20, metavar="N", help="windows of each (20)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured")
    parser.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write the tables, between marks where it has them"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures the requested cases, prints tables, and writes the requested files.

    Raises:
        ValueError: for an unknown name, or a file in a folder that does not exist.
        ImportError: for a peer that is not installed.
    """
    from envpool_bench.python_envs.case import named_cases
    from envpool_bench.python_envs.ours import named_ours
    from envpool_bench.python_envs.peers import named_peers

    for path in (options.json, options.markdown):
        if path is not None and not path.parent.is_dir():
            raise ValueError(f"{path}: there is no folder {str(path.parent)!r}")
    players = [*named_ours(options.ours, options.workers), *named_peers(options.peers)]
    results, finished = _measure(named_cases(options.cases), players, options)
    _write(options, results)
    if not finished:
        raise KeyboardInterrupt
    return 0


def _measure(cases: list[PythonCase], players: list[Player], options: argparse.Namespace) -> tuple[PythonResults, bool]:
    """Returns the results, and whether they are complete: after Ctrl-C, they include only completed cases."""
    from envpool_bench.machine import Machine
    from envpool_bench.python_envs.results import PythonResults
    from envpool_bench.python_envs.run import measure

    results = PythonResults(Machine.this(), options.seconds, options.rounds, options.workers, [])
    with LiveLine(sys.stdout) as line:

        def progress(case: PythonCase, player: Player, number: int, step: float | None) -> None:
            now = "warming up" if step is None else f"{three_digits(step)} us per step"
            line.show(f"{case.title}  {player.title}  {now}  (round {number} of {options.rounds})")

        try:
            for case in cases:
                measured = measure(case, players, options.seconds, options.rounds, progress)
                results.measurements.extend(measured)
                for each in measured:
                    line.keep(_summary(each))
        except KeyboardInterrupt:
            return results, False
    return results, True


def _summary(measurement: PythonMeasurement) -> str:
    return (
        f"{measurement.case.title}  {measurement.player.title}: {three_digits(measurement.best)} us per step best, "
        f"{three_digits(measurement.median)} median, {three_digits(measurement.parent)} of the caller's CPU"
    )


def _write(options: argparse.Namespace, results: PythonResults) -> None:
    from envpool_bench.python_envs.report import text_report, write_markdown

    if not results.measurements:
        return
    print(f"\n{text_report(results)}")
    if options.json is not None:
        options.json.write_text(json.dumps(results.as_json(), indent=1) + "\n")
    if options.markdown is not None:
        write_markdown(options.markdown, results, command_line())
