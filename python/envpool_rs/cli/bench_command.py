"""``envpool-rs bench`` and ``bench-python``: point to the benchmarks."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from envpool_rs.cli.list_command import Commands

NAMES = ("bench", "bench-python")


def add_to(commands: Commands) -> None:
    """Adds both commands to the command line."""
    for name in NAMES:
        parser = commands.add_parser(name, help="say where the benchmarks are", prefix_chars=" ")
        parser.add_argument("arguments", nargs="*", help="what the benchmark is to be given")
        parser.set_defaults(run=run, command=name)


def run(options: argparse.Namespace) -> int:
    """Rejects the command: this package contains no benchmarks.

    Raises:
        ValueError: always, naming the repository's benchmark program.
    """
    command = shlex.join(["python", "benches/python", options.command, *options.arguments])
    raise ValueError(
        f"{options.command}: the benchmarks are programs of the repository, which the installed package leaves out; "
        f"there, `{command}` measures"
    )
