"""``envpool-rs as-envpool``: runs an unchanged program that imports ``envpool``."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from envpool_rs.envpool_alias import install_as_envpool

if TYPE_CHECKING:
    from envpool_rs.cli.text import Commands


def add_to(commands: Commands) -> None:
    """Adds the command ``as-envpool`` to the command line."""
    parser = commands.add_parser(
        "as-envpool",
        help="run a program that imports envpool",
        description="Runs a Python program in which `import envpool` gives this package, and in the processes of "
        "Python that the program starts.",
    )
    parser.add_argument("-m", dest="as_module", action="store_true", help="PROGRAM is a module, as in `python -m`")
    parser.add_argument("program", metavar="PROGRAM", help="a Python file, or a module with -m")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="its arguments")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Runs the program like ``python PROGRAM ...`` or ``python -m PROGRAM ...``.

    Returns:
        1 if the program raises.

    Raises:
        FileNotFoundError: for a program that does not exist.
    """
    program = Path(options.program)
    if not options.as_module and not program.is_file():
        raise FileNotFoundError(f"program={options.program!r}: expected a Python file")
    install_as_envpool()
    _install_in_child_processes()
    sys.argv = [options.program, *options.arguments]
    try:
        if options.as_module:
            # Modules are searched first in the working directory, as by `python -m`.
            sys.path.insert(0, str(Path.cwd()))
            runpy.run_module(options.program, run_name="__main__", alter_sys=True)
        else:
            sys.path.insert(0, str(program.resolve().parent))
            runpy.run_path(options.program, run_name="__main__")
    except Exception:
        # The program raised the exception, so its traceback is printed instead of an error of this command.
        traceback.print_exc()
        return 1
    return 0


def _install_in_child_processes() -> None:
    """Makes ``import envpool`` work in child processes, which do not inherit the modules of this process.

    Adds a folder with a package named ``envpool`` to their path.
    """
    folder = str(Path(__file__).with_name("started_processes"))
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([folder, before] if before else [folder])
    # The folder is also added to this process's `sys.path`, which workers spawned by multiprocessing receive.
    sys.path.insert(0, folder)
