"""``envpool-rs check-plugin``: checks the tasks of a library."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from envpool_rs._tasks.plugins import check_plugin
from envpool_rs.cli.text import positive_int

if TYPE_CHECKING:
    from envpool_rs.cli.text import Commands

FOUND = 1
"""Exit code if `check_plugin` found a defect."""


def add_to(commands: Commands) -> None:
    """Adds the command ``check-plugin`` to the command line."""
    parser = commands.add_parser(
        "check-plugin",
        help="check tasks of a library",
        description="Checks tasks of a library: memory, unwritten elements, repeatability, bounds.",
    )
    parser.add_argument("plugin", metavar="PLUGIN", help="path of a library, or one of its tasks")
    parser.add_argument("--steps", type=positive_int, default=1000, help="steps of each check (1000)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Checks the tasks of a library and prints the findings.

    Raises:
        ValueError: for an invalid library.
        OSError: if there is no such file.
    """
    findings = check_plugin(options.plugin, steps=options.steps)
    for finding in findings:
        print(finding)
    print(f"{options.plugin}: {len(findings) or 'no'} finding{'' if len(findings) == 1 else 's'}")
    return FOUND if findings else 0
