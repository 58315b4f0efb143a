"""``envpool-rs as-envpool``: a program that imports ``envpool``, unchanged."""

from __future__ import annotations

import argparse
import runpy
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from envpool_rs.envpool_alias import install_as_envpool

if TYPE_CHECKING:
    from envpool_rs.cli.list_command import Commands


def add_to(commands: Commands) -> None:
    """Adds the command to the command line."""
    parser = commands.add_parser(
        "as-envpool",
        help="run a program that imports envpool",
        description="Runs a Python program in which `import envpool` gives this package. Processes that the program "
        "spawns are not included: there it calls envpool_rs.install_as_envpool() itself.",
    )
    parser.add_argument("program", metavar="PROGRAM", help="a Python file")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="its arguments")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Runs the program as ``python PROGRAM ...`` does.

    Returns:
        1 where the program raises.

    Raises:
        FileNotFoundError: for a program that is not there.
    """
    program = Path(options.program)
    if not program.is_file():
        raise FileNotFoundError(f"program={options.program!r}: expected a Python file")
    install_as_envpool()
    sys.argv = [options.program, *options.arguments]
    sys.path.insert(0, str(program.resolve().parent))
    try:
        runpy.run_path(options.program, run_name="__main__")
    except Exception:
        # The program's own failure, with its traceback: not one of this command.
        traceback.print_exc()
        return 1
    return 0
