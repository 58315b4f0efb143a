"""``python benches/python scaling``: measures steps per second of this package and EnvPool by number of threads."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from envpool_rs._tasks.table import list_all_envs
from envpool_rs.cli.text import LiveLine, positive_float, positive_int, rate_text, text_table

from envpool_bench.arguments import command_line, named_tasks, positive_ints, shapes

if TYPE_CHECKING:
    from envpool_bench.arguments import Commands
    from envpool_bench.results import Measurement

HEADER = ["task", "environments", "threads", "envpool_rs", "of one thread", "EnvPool", "of one thread", "ratio"]
"""Column titles. "Of one thread": the rate divided by the same library's rate with the first number of threads."""


def add_to(commands: Commands) -> None:
    """Adds the command ``scaling`` to the argument parser."""
    parser = commands.add_parser(
        "scaling",
        help="compare steps per second by number of threads with EnvPool",
        description="Measures how many environment steps a second step() makes with each number of threads.",
    )
    parser.add_argument("tasks", nargs="+", metavar="TASK", help="ids or globs (CartPole-v1)")
    parser.add_argument("--threads", type=positive_ints, default="1,2,4,8,16", metavar="N,...", help="(1,2,4,8,16)")
    parser.add_argument("--num-envs", type=positive_int, default=256, metavar="N", help="pool size (256)")
    parser.add_argument("--async", dest="shapes", type=shapes, default="none", metavar="N/M,...", help="further pools")
    parser.add_argument("--seconds", type=positive_float, default=0.3, metavar="S", help="length of a window (0.3)")
    parser.add_argument("--rounds", type=positive_int, default=5, metavar="N", help="windows of each library (5)")
    parser.add_argument("--peers", default="envpool", metavar="NAME", help="envpool or none (envpool)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="append the table to this file")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures each task with each number of threads, prints the table, and appends it to the requested file.

    Raises:
        ValueError: for an unknown task or peer.
        ImportError: for a peer that is not installed.
    """
    from envpool_bench.case import Case
    from envpool_bench.libraries import OURS, ours, peers
    from envpool_bench.machine import Machine
    from envpool_bench.report import markdown_table
    from envpool_bench.results import Settings
    from envpool_bench.run import measure

    libraries = [ours("A"), *peers([] if options.peers == "none" else options.peers.split(","))]
    settings = Settings(options.seconds, options.rounds, "A")
    rows = []
    with LiveLine(sys.stdout) as line:
        for task in named_tasks(options.tasks, list_all_envs()):
            for num_envs, batch_size in [(options.num_envs, options.num_envs), *options.shapes]:
                first: dict[str, float] = {}
                for threads in options.threads:
                    case = Case(task, num_envs, batch_size, threads)
                    measured, _ = measure(case, libraries, settings, lambda *_: None)
                    rows.append(_row(case.mode, threads, measured, first, OURS))
                    line.keep("  ".join([task, *rows[-1][1:]]))
    right = range(2, len(HEADER))
    print(f"\n{text_table(HEADER, rows, right)}")
    if options.markdown is not None:
        with options.markdown.open("a", encoding="utf-8") as file:
            where = Machine.this().measured_by(command_line())
            file.write(f"\n{where}\n\n{markdown_table(HEADER, rows, right)}\n")
    return 0


def _row(mode: str, threads: int, measured: list[Measurement], first: dict[str, float], own: str) -> list[str]:
    rates = {each.library: each.median_rate for each in measured}
    cells = []
    for name in (own, "envpool"):
        if name in rates:
            cells += [rate_text(rates[name]), f"{rates[name] / first.setdefault(name, rates[name]):.1f}x"]
        else:
            cells += ["", ""]
    ratio = f"{rates[own] / rates['envpool']:.1f}x" if "envpool" in rates else ""
    return [measured[0].case.task, mode, str(threads), *cells, ratio]
