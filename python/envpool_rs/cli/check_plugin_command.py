"""``envpool-rs check-plugin``: checks the tasks of a library, in a process of its own."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from envpool_rs import _core
from envpool_rs._tasks.plugins import check_plugin, load_plugin
from envpool_rs.cli.text import positive_int

if TYPE_CHECKING:
    from envpool_rs.cli.text import Commands

FOUND = 1
"""Exit code if `check_plugin` found a defect."""

CALLS = "ENVPOOL_RS_PLUGIN_CALLS"
"""Environment variable of the process that runs the checks: the file in which it records its calls of the library."""

_INTERRUPTED = 130
"""Exit code after Ctrl-C, the largest one of the command line itself; larger ones are those of crashes on Windows."""


def add_to(commands: Commands) -> None:
    """Adds the command ``check-plugin`` to the command line."""
    parser = commands.add_parser(
        "check-plugin",
        help="check tasks of a library",
        description="Checks tasks of a library: memory, unwritten elements, repeatability, bounds. The checks run in a "
        "process of their own; if the library ends this process, the call is named.",
    )
    parser.add_argument("plugin", metavar="PLUGIN", help="path of a library, or one of its tasks")
    parser.add_argument("--steps", type=positive_int, default=1000, help="steps of each check (1000)")
    parser.set_defaults(run=run, loads_plugins=True)


def run(options: argparse.Namespace) -> int:
    """Checks the tasks of a library and prints the findings.

    Raises:
        ValueError: for an invalid library.
        OSError: if there is no such file.
    """
    file = os.environ.get(CALLS)
    if file is None:
        return _run_in_child(options)
    _core.record_plugin_calls(file)
    for path in options.plugin_paths:
        load_plugin(path)
    findings = check_plugin(options.plugin, steps=options.steps)
    for finding in findings:
        print(finding)
    print(f"{options.plugin}: {len(findings) or 'no'} finding{'' if len(findings) == 1 else 's'}")
    return FOUND if findings else 0


def _run_in_child(options: argparse.Namespace) -> int:
    plugins = [argument for path in options.plugin_paths for argument in ("--plugin", path)]
    arguments = [*plugins, "check-plugin", "--steps", str(options.steps), "--", options.plugin]
    command = [sys.executable, "-m", "envpool_rs", *arguments]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "calls"
        code = subprocess.run(command, env={**os.environ, CALLS: str(file)}, check=False).returncode
        calls = [line.strip() for line in file.read_text(errors="replace").splitlines()] if file.exists() else []
    running = " and ".join(call for call in calls if call)
    if code == _INTERRUPTED or (0 <= code < _INTERRUPTED and not running):
        return code
    print(f"{running or options.plugin}: crash: {_end_text(code)}")
    print(f"{options.plugin}: 1 finding")
    return FOUND


def _end_text(code: int) -> str:
    if code >= 0:
        return f"the library ended the process with exit code {code}"
    try:
        return f"signal {-code} ({signal.Signals(-code).name}) ended the process"
    except ValueError:
        return f"signal {-code} ended the process"
