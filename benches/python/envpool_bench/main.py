"""Parses and runs the commands of ``python benches/python``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from envpool_rs.cli.main import run_command

from envpool_bench import bench_command, normalize_command, out_command, scaling_command
from envpool_bench.plugins import bench_command as bench_plugins_command
from envpool_bench.python_envs import bench_command as bench_python_command
from envpool_bench.training import command as training_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command.

    Args:
        arguments: the command line without the program's name; ``None`` for that of the process.

    Returns:
        The exit code, as in ``envpool-rs``.
    """
    parser = argparse.ArgumentParser(
        prog="python benches/python", description="Compares environments with their peers."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (
        bench_command,
        scaling_command,
        out_command,
        normalize_command,
        bench_python_command,
        bench_plugins_command,
        training_command,
    ):
        command.add_to(commands)
    return run_command(parser, arguments)
