"""``python benches/python bench-plugins``: measures CartPole in shared libraries, in this package and in other
libraries.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from envpool_rs.cli.text import LiveLine, positive_float, positive_int

from envpool_bench.arguments import command_line, positive_ints

if TYPE_CHECKING:
    from envpool_bench.arguments import Commands
    from envpool_bench.plugins.contenders import Contender
    from envpool_bench.plugins.timing import StepTime

DESCRIPTION = """\
Measures the time of one step of one CartPole: of the built-in task, of libraries in C, Rust and Numba, of Python
environments in worker processes, of EnvPool and of PufferLib's C code.

All get the same random actions. Processor time counts all threads and child processes; it depends less on other load of
the machine than wall time does. Both are the least of several windows.
"""

Times = dict[tuple[str, int, int], "StepTime"]
"""Times by implementation, number of environments, and number of threads."""


def add_to(commands: Commands) -> None:
    """Adds the command ``bench-plugins`` to the argument parser."""
    parser = commands.add_parser(
        "bench-plugins",
        help="compare environments in shared libraries with peers",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--contenders",
        default="all",
        metavar="NAME,...",
        help="built-in, c, c-columns, rust-env, rust-kernel, numba, worker, envpool, pufferlib, or 'all' (all)",
    )
    parser.add_argument(
        "--num-envs", type=positive_ints, default=[1, 16, 256, 1024], metavar="N,...", help="1,16,256,1024"
    )
    parser.add_argument("--threads", type=positive_ints, default=[1, 2], metavar="N,...", help="threads (1,2)")
    parser.add_argument("--seconds", type=positive_float, default=0.2, metavar="S", help="length of a window (0.2)")
    parser.add_argument("--rounds", type=positive_int, default=7, metavar="N", help="windows of each (7)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures the requested implementations, prints tables, and writes the requested file.

    Raises:
        ValueError: for an unknown implementation, or if none of the requested implementations can be measured.
    """
    from envpool_bench.machine import Machine

    times, reasons = _measure(_named(options.contenders), options)
    if not times:
        raise ValueError(f"--contenders {options.contenders}: none can be measured: {'; '.join(reasons)}")
    report = "\n\n".join(
        [Machine.this().measured_by(command_line()), _table(times, "cpu"), _table(times, "wall"), *reasons]
    )
    print(f"\n{report}")
    if options.markdown is not None:
        options.markdown.write_text(f"{report}\n", encoding="utf-8")
    return 0


def _named(names: str) -> list[str]:
    from envpool_bench.plugins.contenders import CONTENDERS

    chosen = list(CONTENDERS) if names == "all" else names.split(",")
    for name in chosen:
        if name not in CONTENDERS:
            raise ValueError(f"--contenders {name}: expected 'all' or some of {', '.join(CONTENDERS)}")
    return chosen


def _measure(names: list[str], options: argparse.Namespace) -> tuple[Times, list[str]]:
    """Returns the measured times by implementation, and the reasons why other implementations were not measured."""
    from envpool_bench.plugins.contenders import UnavailableError, contender

    times: Times = {}
    reasons = []
    with LiveLine(sys.stdout) as line:
        for name in names:
            line.show(f"{name}: building")
            try:
                entry = contender(name)
            except UnavailableError as error:
                reasons.append(f"{name} is not measured: {error}.")
                continue
            for lanes in options.num_envs:
                for threads in options.threads:
                    if threads > min(entry.most_threads, lanes):
                        continue
                    line.show(f"{entry.title}: {lanes} environments, {threads} threads")
                    times[entry.title, lanes, threads] = _time(entry, lanes, threads, options)
    return times, reasons


def _time(entry: Contender, lanes: int, threads: int, options: argparse.Namespace) -> StepTime:
    import numpy as np

    from envpool_bench.plugins.timing import measure

    random = np.random.default_rng(0)
    actions = [random.integers(0, 2, lanes) for _ in range(64)]
    step, close = entry.make(lanes, threads)
    try:
        return measure(step, actions, lanes, options.seconds, options.rounds)
    finally:
        close()


def _table(times: Times, kind: str) -> str:
    """Returns a Markdown table of one kind of time (processor or wall time): a row for each implementation, a column
    for each pool size.
    """
    sizes = list(dict.fromkeys((lanes, threads) for _, lanes, threads in times))
    names = {"cpu": "ns of processor time per step", "wall": "ns of wall time per step"}
    heads = [f"{lanes:,} / {threads}" for lanes, threads in sizes]
    rows = []
    for title in dict.fromkeys(title for title, _, _ in times):
        found = [times.get((title, *size)) for size in sizes]
        cells = ["" if time is None else f"{getattr(time, kind):,.1f}" for time in found]
        rows.append(f"| {title} | {' | '.join(cells)} |")
    head = f"| {names[kind]}, environments / threads | {' | '.join(heads)} |"
    return "\n".join([head, f"|---|{'---:|' * len(sizes)}", *rows])
