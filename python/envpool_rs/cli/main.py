"""Entry point of the command line: runs commands and reports errors; implements list, bench and mujoco-library."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from envpool_rs._core import __version__
from envpool_rs._make.make import make_spec
from envpool_rs._spec.mujoco_library import describe_library
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.plugins import load_plugin
from envpool_rs._tasks.table import list_all_envs
from envpool_rs.cli import as_envpool_command, check_plugin_command, demo_command, info_command, play_command
from envpool_rs.cli.text import Commands, matching_tasks, space_text, text_table

INTERRUPTED = 130
"""Exit code after Ctrl-C: 128 plus SIGINT's number, as in shells."""

USAGE = 2
"""Exit code for a wrong command line, as in argparse."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command.

    Args:
        arguments: the command line without the program's name; ``None`` for that of the process.

    Returns:
        The exit code: 0; 1 if nothing matched; 2 for an error in the command line; 130 after Ctrl-C.
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
        if not getattr(options, "loads_plugins", False):
            for path in getattr(options, "plugin_paths", ()):
                load_plugin(path)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(f"{parser.prog}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # `envpool-rs list | head` closes the pipe early. Without this, Python would report the error again when it
        # flushes at exit.
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
    for add in (
        _add_list,
        info_command.add_to,
        _add_benchmarks,
        demo_command.add_to,
        play_command.add_to,
        check_plugin_command.add_to,
        as_envpool_command.add_to,
        _add_mujoco_library,
    ):
        add(commands)
    return parser


NOTHING_MATCHED = 1
"""Exit code if no task matches, the same as grep's."""


def _add_list(commands: Commands) -> None:
    """Adds the command ``list`` to the command line."""
    parser = commands.add_parser("list", help="list tasks", description="Lists tasks.")
    parser.add_argument("pattern", nargs="?", default="*", help="glob or part of a name, in any case (default: all)")
    parser.set_defaults(run=_list)


def _list(options: argparse.Namespace) -> int:
    """Prints id, observation, action and episode limit of each matching task."""
    tasks = matching_tasks(options.pattern, list_all_envs())
    if not tasks:
        print(f"envpool-rs: no task matches {options.pattern!r}", file=sys.stderr)
        return NOTHING_MATCHED
    print(text_table(["id", "observation", "action", "limit"], [_task_row(task) for task in tasks], right=[3]))
    return 0


def _task_row(task: str) -> list[str]:
    spec: Any = make_spec(task)
    if not isinstance(spec, EnvSpec):  # a task with another package's classes
        return [task, str(spec.observation_space), str(spec.action_space), ""]
    limit = spec.max_episode_steps
    players = f"{spec.players} x " if spec.rows > 1 else ""
    return [
        task,
        players + space_text(spec.pool.observation),
        players + space_text(spec.pool.action),
        "none" if limit is None else str(limit),
    ]


def _add_benchmarks(commands: Commands) -> None:
    """Adds the benchmark commands to the command line."""
    for name in ("bench", "bench-python"):
        parser = commands.add_parser(name, help="say where the benchmarks are", prefix_chars=" ")
        parser.add_argument("arguments", nargs="*", help="what the benchmark is to be given")
        parser.set_defaults(run=_refuse_benchmark, command=name)


def _refuse_benchmark(options: argparse.Namespace) -> int:
    """Raises an error, because this package contains no benchmarks.

    Raises:
        ValueError: always, naming the repository's benchmark program.
    """
    command = shlex.join(["python", "benches/python", options.command, *options.arguments])
    raise ValueError(
        f"{options.command}: the benchmarks are programs of the repository, which the installed package leaves out; "
        f"there, `{command}` measures"
    )


def _add_mujoco_library(commands: Commands) -> None:
    """Adds the command ``mujoco-library`` to the command line."""
    parser = commands.add_parser(
        "mujoco-library",
        help="write down where MuJoCo lies, for programs in Rust",
        description="Writes down where the installed mujoco package's library lies, and what its structs look like: "
        "sim::mujoco::install_described reads it in programs that embed the crate.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to be written")
    parser.set_defaults(run=_write_library)


def _write_library(options: argparse.Namespace) -> int:
    """Writes the file that describes the installed MuJoCo library.

    Raises:
        ImportError: if MuJoCo is not installed, or of an unknown version.
        OSError: if the file cannot be written.
    """
    text = describe_library()
    options.file.write_text(text)
    print(f"{options.file}: {text.partition(chr(10))[0]}")
    return 0
