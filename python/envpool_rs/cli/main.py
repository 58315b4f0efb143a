"""Entry point of the command line: parses it, runs commands and reports errors."""

from __future__ import annotations

import argparse
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from envpool_rs import _core
from envpool_rs._core import __version__
from envpool_rs._make.make import make_spec
from envpool_rs._spec.mujoco_library import describe_library
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.plugins import check_plugin, load_plugin
from envpool_rs._tasks.table import kind_text, list_all_envs, pool_option_descriptions
from envpool_rs.cli import demo, play
from envpool_rs.cli.text import (
    Commands,
    array_text,
    bounds_text,
    line_width,
    matching_tasks,
    positive_int,
    space_text,
    text_table,
    wrapped,
)
from envpool_rs.envpool_alias import install_as_envpool

FAILED = 1  # exit code if no task matches, as grep's; if a check found a defect; and if a program of a user raised

# Exit code after Ctrl-C: 128 plus SIGINT's number, as in shells. Larger ones are those of crashes on Windows.
INTERRUPTED = 130

# Environment variable of the process that checks a library: the file in which it records its calls of the library.
CALLS = "ENVPOOL_RS_PLUGIN_CALLS"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command: ``arguments`` without the program's name, or ``None`` for the command line of the process.

    Returns the exit code: 0; 1 if nothing matched; 2 for an error in the command line; 130 after Ctrl-C.
    """
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

    command = _command(commands, _list, "list", "list tasks", "Lists tasks.")
    command.add_argument("pattern", nargs="?", default="*", help="glob or part of a name, in any case (default: all)")

    what = "Describes a task: spaces, options, infos, limits, configuration."
    command = _command(commands, _info, "info", "describe a task", what)
    command.add_argument("task", metavar="TASK", help="a task's id, as in `list`")

    demo.add_to(commands)
    play.add_to(commands)

    what = (
        "Checks tasks of a library: memory, unwritten elements, repeatability, bounds. The checks run in a process of "
        "their own; if the library ends this process, the call is named."
    )
    command = _command(commands, _check_plugin, "check-plugin", "check tasks of a library", what)
    command.set_defaults(loads_plugins=True)
    command.add_argument("plugin", metavar="PLUGIN", help="path of a library, or one of its tasks")
    command.add_argument("--steps", type=positive_int, default=1000, help="steps of each check (1000)")

    what = (
        "Runs a Python program in which `import envpool` gives this package, and in the processes of Python that the "
        "program starts."
    )
    command = _command(commands, _run_program, "as-envpool", "run a program that imports envpool", what)
    command.add_argument("-m", dest="as_module", action="store_true", help="PROGRAM is a module, as in `python -m`")
    command.add_argument("program", metavar="PROGRAM", help="a Python file, or a module with -m")
    command.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="its arguments")

    what = (
        "Writes down where the installed mujoco package's library lies, and what its structs look like: "
        "sim::mujoco::install_described reads it in programs that embed the crate."
    )
    about = "write down where MuJoCo lies, for programs in Rust"
    command = _command(commands, _write_library, "mujoco-library", about, what)
    command.add_argument("file", metavar="FILE", type=Path, help="the file to be written")
    return run_command(parser, arguments)


def run_command(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> int:
    """Runs the ``run`` of the parsed command; prints errors in one line and returns an exit code."""
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
        return FAILED
    except (ValueError, ImportError, OSError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2  # as argparse


def _command(
    commands: Commands, run: Callable[[argparse.Namespace], int], name: str, about: str, description: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=about, description=description)
    parser.set_defaults(run=run)
    return parser


# envpool-rs list


def _list(options: argparse.Namespace) -> int:
    """Prints id, observation, action and episode limit of each matching task."""
    tasks = matching_tasks(options.pattern, list_all_envs())
    if not tasks:
        print(f"envpool-rs: no task matches {options.pattern!r}", file=sys.stderr)
        return FAILED
    for task, observation, action, limit in [["id", "observation", "action", "limit"], *map(_task_row, tasks)]:
        # Texts of spaces are cut; a long id takes the place of spaces.
        width = max(line_width() - max(len(task), _ID) - _LIMIT - 6, 0)
        of_action = min(max(width // 3, _ACTION), width)
        cells = []
        for text, room in ((observation, width - of_action), (action, of_action)):
            cells.append(text.ljust(room) if len(text) <= room else f"{text[: max(room - 3, 0)]}..."[:room])
        print("  ".join([task.ljust(_ID), *cells, limit.rjust(_LIMIT)]))
    return 0


def _task_row(task: str) -> list[str]:
    spec: Any = make_spec(task)
    if not isinstance(spec, EnvSpec):  # a task with another package's classes
        return [task, str(spec.observation_space), str(spec.action_space), ""]
    limit = spec.max_episode_steps
    players = f"{spec.players} x " if spec.rows > 1 else ""
    spaces = [players + space_text(space) for space in (spec.pool.observation, spec.pool.action)]
    return [task, *spaces, "none" if limit is None else str(limit)]


_ID, _ACTION, _LIMIT = 36, 13, 5  # widths of columns of the list: of most ids, the least of actions, and of limits


# envpool-rs info


def _info(options: argparse.Namespace) -> int:
    spec: Any = make_spec(options.task)
    if not isinstance(spec, EnvSpec):  # a task with another package's classes
        print(f"{options.task}\n  observation  {spec.observation_space}\n  action       {spec.action_space}")
        return 0
    own = _core.task(spec.task_id)["options"]
    defaults = {name: repr(value) for name, value in spec.config_dict().items()}
    # The configuration contains the values that the pool chose for these options.
    chosen = {name: f", here {value!r}" for name, value, _ in spec.pool.decided}
    of_task = {each["name"]: repr(each["default"]) + chosen[each["name"]] for each in own if each["name"] in chosen}
    of_pool = {name: text for name, text in defaults.items() if name not in {each["name"] for each in own}}
    infos = [
        [name.removeprefix("info:"), array_text(dtype, tuple(spec.players if size == -1 else size for size in shape))]
        for name, dtype, shape in spec.pool.state_arrays
        if name.startswith("info:") or name == "elapsed_step"
    ]
    reset_options = ", ".join(spec.pool.reset_options) or "none"
    sections = {
        options.task: _facts(spec),
        "Options of the environment (keyword arguments of make)": _options(own, {**defaults, **of_task}) or "  none",
        "Options of a reset (reset(options={...}), numbers)": wrapped(reset_options, "  "),
        "Infos of a step, for one environment": "  " + text_table(["key", "type"], infos).replace("\n", "\n  "),
        "Options of every task (keyword arguments of make)": _options(pool_option_descriptions(), of_pool),
    }
    print("\n\n".join(f"{title}\n{body}" for title, body in sections.items()))
    return 0


def _facts(spec: EnvSpec) -> str:
    limit, threshold = spec.max_episode_steps, spec.reward_threshold
    pictures = "none"
    if spec.pool.picture_size is not None:
        width, height = spec.pool.picture_size
        text = ", and text" if spec.pool.has_text else ""
        pictures = f"{width} x {height} pixels, {spec.pool.render_fps} per second{text}"
    spaces = {"observation": spec.pool.observation, "action": spec.pool.action}
    facts = {
        **{name: ", from ".join(filter(None, [space_text(each), bounds_text(each)])) for name, each in spaces.items()},
        "players": f"{spec.players}" + (", a row of observations and actions for each" if spec.rows > 1 else ""),
        "pictures": pictures,
        "episode limit": "none" if limit is None else f"{limit} steps",
        "reward threshold": "none" if threshold is None else f"{threshold:g}",
    }
    return "\n".join(wrapped(value, f"  {name.ljust(_FACT)}  ") for name, value in facts.items())


def _options(options: Iterable[Any], defaults: dict[str, str]) -> str:
    """Returns two paragraphs for each option: name and default; values and effect."""
    lines = []
    for option in options:
        name, drawn = option["name"], ", may be drawn for each episode" if option.get("each_episode") else ""
        default = defaults.get(name, str(option["default"]))  # names of other libraries have no value of their own
        lines += [
            wrapped(default, f"  {name.ljust(_NAME)}  "),
            wrapped(f"{kind_text(option)}{drawn}: {option['doc']}", "      "),
        ]
    return "\n".join(lines)


_FACT, _NAME = 16, 25  # widths of the first columns of facts and of options; names of options may be longer


# envpool-rs check-plugin


def _check_plugin(options: argparse.Namespace) -> int:
    file = os.environ.get(CALLS)
    if file is None:
        return _check_in_child(options)
    _core.record_plugin_calls(file)
    for path in options.plugin_paths:
        load_plugin(path)
    findings = check_plugin(options.plugin, steps=options.steps)
    for finding in findings:
        print(finding)
    print(f"{options.plugin}: {len(findings) or 'no'} finding{'' if len(findings) == 1 else 's'}")
    return FAILED if findings else 0


def _check_in_child(options: argparse.Namespace) -> int:
    plugins = [argument for path in options.plugin_paths for argument in ("--plugin", path)]
    arguments = [*plugins, "check-plugin", "--steps", str(options.steps), "--", options.plugin]
    command = [sys.executable, "-m", "envpool_rs", *arguments]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "calls"
        code = subprocess.run(command, env={**os.environ, CALLS: str(file)}, check=False).returncode
        calls = [line.strip() for line in file.read_text(errors="replace").splitlines()] if file.exists() else []
    running = " and ".join(call for call in calls if call)
    if code == INTERRUPTED or (0 <= code < INTERRUPTED and not running):
        return code
    end = f"the library ended the process with exit code {code}"
    if code < 0:
        names = {each.value: f" ({each.name})" for each in signal.Signals}
        end = f"signal {-code}{names.get(-code, '')} ended the process"
    print(f"{running or options.plugin}: crash: {end}")
    print(f"{options.plugin}: 1 finding")
    return FAILED


# envpool-rs as-envpool


def _run_program(options: argparse.Namespace) -> int:
    """Runs the program like ``python PROGRAM ...`` or ``python -m PROGRAM ...``; returns 1 if it raises."""
    program = Path(options.program)
    if not options.as_module and not program.is_file():
        raise FileNotFoundError(f"program={options.program!r}: expected a Python file")
    install_as_envpool()
    # Child processes find a package `envpool` in this folder. It is also added to this process's `sys.path`, which
    # workers spawned by multiprocessing receive.
    folder = str(Path(__file__).with_name("started_processes"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH")]))
    sys.path.insert(0, folder)
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
        return FAILED
    return 0


# envpool-rs mujoco-library


def _write_library(options: argparse.Namespace) -> int:
    text = describe_library()
    options.file.write_text(text)
    print(f"{options.file}: {text.partition(chr(10))[0]}")
    return 0
