"""Command dispatch, exit codes and error reports."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from envpool_rs._core import __version__
from envpool_rs._tasks.plugins import load_plugin
from envpool_rs.cli import (
    as_envpool_command,
    bench_command,
    check_plugin_command,
    demo_command,
    info_command,
    list_command,
    mujoco_library_command,
    play_command,
)

INTERRUPTED = 130
"""Exit code after Ctrl-C: 128 plus SIGINT's number, as in shells."""

USAGE = 2
"""Exit code for a wrong command line, as in argparse."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command.

    Args:
        arguments: the command line without the program's name; ``None`` for that of the process.

    Returns:
        The exit code: 0; 1 if nothing matched; 2 for a wrong command line; 130 after Ctrl-C.
    """
    return run_command(_parser(), arguments)


def run_command(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> int:
    """Runs the parsed command; prints errors in one line and returns an exit code.

    Args:
        parser: parser of a command line whose commands set ``run``.
        arguments: the command line without the program's name; ``None`` for that of the process.
    """
    options = parser.parse_args(arguments)
    try:
        for path in getattr(options, "plugin_paths", ()):
            load_plugin(path)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(f"{parser.prog}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # `envpool-rs list | head` closes the pipe early. Python would report it again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (ValueError, ImportError, OSError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return USAGE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="envpool-rs", description="Reinforcement-learning environments stepped in bulk."
    )
    parser.add_argument("--version", action="version", version=f"envpool_rs {__version__}")
    parser.add_argument(
        "--plugin",
        dest="plugin_paths",
        action="append",
        default=[],
        metavar="FILE",
        help="load this library of tasks first; may be repeated",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands_of_all = (
        list_command,
        info_command,
        bench_command,
        demo_command,
        play_command,
        check_plugin_command,
        as_envpool_command,
        mujoco_library_command,
    )
    for command in commands_of_all:
        command.add_to(commands)
    return parser
