"""Entry point and commands of the command line."""

from __future__ import annotations

import argparse
import ast
import contextlib
import itertools
import math
import os
import pkgutil
import runpy
import select
import shutil
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from envpool_rs import _core
from envpool_rs._facades.tuning import random_actions, steps_per_second, thread_counts
from envpool_rs._make.make import make, make_spec, make_vec
from envpool_rs._spec.assets import CARTRIDGES
from envpool_rs._spec.families import FACTS
from envpool_rs._spec.mujoco_library import describe_library
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.plugin_checks import check_in_child, check_plugin
from envpool_rs._tasks.plugins import load_plugin
from envpool_rs._tasks.table import kind_text, list_all_envs, pool_option_descriptions
from envpool_rs.cli.text import (
    REDRAW,
    LiveLine,
    array_text,
    bounds_text,
    line_width,
    matching_tasks,
    positive_float,
    positive_int,
    rate_text,
    space_text,
    text_table,
    three_digits,
    wrapped,
)
from envpool_rs.envpool_alias import install_as_envpool
from envpool_rs.films import FORMATS, check_place, film, policy_function, tiled

FAILED = 1  # exit code if no task matches, as grep's; if a check found a defect; and if a program of a user raised

# Exit code after Ctrl-C: 128 plus SIGINT's number, as in shells. Larger ones are those of crashes on Windows.
INTERRUPTED = 130

Pressed: TypeAlias = Callable[[float | None], str | None]  # see `keyboard`


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command: ``arguments`` without the program's name, or ``None`` for the command line of the process.

    Returns the exit code: 0; 1 if nothing matched; 2 for an error in the command line; 130 after Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        prog="envpool-rs", description="Reinforcement-learning environments stepped in bulk."
    )
    parser.add_argument("--version", action="version", version=f"envpool_rs {_core.__version__}")
    _add_plugins(parser, "plugin_paths")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(run: Callable[[argparse.Namespace], int], name: str, about: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=about, description=run.__doc__)
        command.set_defaults(run=run)
        _add_plugins(command, "more_plugin_paths")
        return command

    command = add(_list, "list", "list tasks")
    command.add_argument("pattern", nargs="?", default="*", help="glob or part of a name, in any case (default: all)")

    command = add(_info, "info", "describe a task")
    command.add_argument("task", metavar="TASK", help="a task's id, as in `list`")

    command = add(_demo, "demo", "step thousands of environments, live")
    command.add_argument("--num-envs", type=positive_int, default=4096, metavar="N", help="of each task (4096)")
    command.add_argument("--seconds", type=positive_float, default=1.2, metavar="S", help="for each task (1.2)")
    about = "worker threads (default: chosen by the pool)"
    command.add_argument("--threads", type=positive_int, metavar="N", help=about)
    command.add_argument("--stats", action="store_true", help="also print where the time goes")

    _add_tune_arguments(add(_tune, "tune", "find the fastest number of threads and batch size here"))

    command = add(_play, "play", "watch, film or play a task")
    command.add_argument("task", metavar="TASK", help="a task's id, as in `list`")
    command.add_argument("--out", type=Path, metavar="FILE", help=f"make a film ({', '.join(FORMATS)}) instead")
    command.add_argument("--num-envs", type=positive_int, default=1, metavar="N", help="environments in a grid (1)")
    about = "function of observations, or object with a method predict, instead of random actions"
    command.add_argument("--policy", metavar="MODULE:NAME", help=about)
    _add_options(command)
    command.add_argument("--keys", action="store_true", help="play by the keyboard: arrows, or digits; q ends")
    command.add_argument("--text", action="store_true", help="show the environment's text instead of its picture")
    command.add_argument("--steps", type=positive_int, default=500, help="steps to play (500)")
    command.add_argument("--seed", type=int, default=0, help="of the environment and of the actions (0)")
    command.add_argument("--fps", type=positive_float, default=None, help="pictures per second (the task's own)")

    command = add(_check_plugin, "check-plugin", "check tasks of a library")
    command.set_defaults(loads_plugins=True)
    command.add_argument("plugin", metavar="PLUGIN", help="path of a library, or one of its tasks")
    command.add_argument("--steps", type=positive_int, default=1000, help="steps of each check (1000)")

    command = add(_run_program, "as-envpool", "run a program that imports envpool")
    command.add_argument("-m", dest="as_module", action="store_true", help="PROGRAM is a module, as in `python -m`")
    command.add_argument("program", metavar="PROGRAM", help="a Python file, or a module with -m")
    command.add_argument("arguments", nargs=argparse.REMAINDER, metavar="...", help="its arguments")

    command = add(_write_library, "mujoco-library", "write down where MuJoCo lies, for programs in Rust")
    command.add_argument("file", metavar="FILE", type=Path, help="the file to be written")
    return run_command(parser, arguments)


def _add_plugins(command: argparse.ArgumentParser, name: str) -> None:
    about = "load this library of tasks first; may be repeated"
    command.add_argument("--plugin", dest=name, action="append", default=[], metavar="FILE", help=about)


def _add_options(command: argparse.ArgumentParser) -> None:
    about = "option of the task, such as -o frame_skip=4; may be repeated"
    command.add_argument("-o", dest="options", action="append", default=[], metavar="NAME=VALUE", help=about)


def _add_tune_arguments(command: argparse.ArgumentParser) -> None:
    command.add_argument("task", metavar="TASK", help="a task's id, as in `list`")
    command.add_argument("--num-envs", type=positive_int, default=64, metavar="N", help="environments (64)")
    about = "duration of the policy after each result, in milliseconds (0)"
    command.add_argument("--policy-ms", type=float, default=0.0, metavar="X", help=about)
    command.add_argument("--seconds", type=positive_float, default=0.5, metavar="S", help="for each setting (0.5)")
    _add_options(command)


def run_command(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> int:
    """Runs the ``run`` of the parsed command; prints errors in one line and returns an exit code."""
    options = parser.parse_args(arguments)
    options.plugin_paths = [*getattr(options, "plugin_paths", ()), *getattr(options, "more_plugin_paths", ())]
    try:
        if not getattr(options, "loads_plugins", False):
            for path in options.plugin_paths:
                load_plugin(path)
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(f"{parser.prog}: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # `envpool-rs list | head` closes the pipe early; Python would report this again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (ValueError, ImportError, OSError) as error:
        print(f"{parser.prog}: error: {error}", file=sys.stderr)
        return 2  # as argparse


# envpool-rs list


def _list(options: argparse.Namespace) -> int:
    """Lists tasks."""
    tasks = matching_tasks(options.pattern, list_all_envs())
    if not tasks:
        print(f"envpool-rs: no task matches {options.pattern!r}", file=sys.stderr)
        return FAILED
    rows = [["id", "observation", "action", "limit"]]
    for task in tasks:
        spec: Any = make_spec(task)
        if not isinstance(spec, EnvSpec):  # a task with another package's classes
            rows.append([task, str(spec.observation_space), str(spec.action_space), ""])
            continue
        players = f"{spec.players} x " if spec.rows > 1 else ""
        texts = [players + space_text(space) for space in (spec.pool.observation, spec.pool.action)]
        rows.append([task, *texts, str(spec.max_episode_steps or "none")])
    for task, observation, action, limit in rows:
        # Texts of spaces are cut; a long id takes the place of spaces.
        width = max(line_width() - max(len(task), _ID) - _LIMIT - 6, 0)
        of_action = min(max(width // 3, _ACTION), width)
        cells = []
        for text, room in ((observation, width - of_action), (action, of_action)):
            cells.append(text.ljust(room) if len(text) <= room else f"{text[: max(room - 3, 0)]}..."[:room])
        print("  ".join([task.ljust(_ID), *cells, limit.rjust(_LIMIT)]))
    return 0


_ID, _ACTION, _LIMIT = 36, 13, 5  # widths of columns of the list: of most ids, the least of actions, and of limits


# envpool-rs info


def _info(options: argparse.Namespace) -> int:
    """Describes a task: spaces, options, infos, limits, configuration."""
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


# envpool-rs demo

TASKS = ("CartPole-v1", "Pendulum-v1", "FrozenLake-v1", "Taxi-v3", "Blackjack-v1", "Acrobot-v1", "SimpleSpread-v3")
ATARI = "Breakout-v5"  # task that the demo also runs if cartridges are installed
ATARI_PART = 64  # divisor of the number of Atari environments, whose steps take a thousand times as long

# Number of action arrays that are used in turn: enough for episodes to differ as under a random policy, because
# environments are independent of each other.
ARRAYS = 16

_INTRODUCTION = """\
For each task: envpool_rs.make(task, num_envs={num_envs}), then env.step(actions) over and over in one
Python loop, with random actions drawn beforehand. Counted are steps of single environments (the reset after
an episode takes one step); the time is all that passes on the clock, counting and display included.
"""


def _demo(options: argparse.Namespace) -> int:
    """Steps thousands of environments of seven tasks, and some of Atari's where its cartridges are installed, and shows
    how fast, in about 10 seconds.
    """
    pools = [(task, options.num_envs) for task in TASKS]
    if CARTRIDGES.installed() is not None:
        pools.append((ATARI, -(-options.num_envs // ATARI_PART)))
    with LiveLine(sys.stdout) as line:
        line.keep(_INTRODUCTION.format(num_envs=options.num_envs))
        rows, counts, times = zip(*(_step(task, num_envs, options, line) for task, num_envs in pools), strict=True)
    header = ["task", "environments", "steps", "episodes", "seconds", "us per call", "steps/s"]
    print(f"\n{text_table(header, rows, right=range(1, len(header)))}\n")
    steps, seconds = sum(counts), sum(times)
    print(f"Together {steps:,} steps in {seconds:.1f} seconds of stepping: {rate_text(steps / seconds)} steps/s.")
    return 0


def _step(task: str, num_envs: int, options: argparse.Namespace, line: LiveLine) -> tuple[list[str], int, float]:
    """Steps one task's environments for a while; returns a row of the table, the number of steps, and the seconds."""
    env: Any = make(task, num_envs=num_envs, num_threads=options.threads or 0)
    actions = itertools.cycle(random_actions(env.action_space, num_envs * env.spec.rows))
    env.reset()
    if options.stats:
        env.stats()
    calls = episodes = 0
    seconds, rate, text = 0.0, "", ""
    start = time.perf_counter()
    while seconds < options.seconds:
        end = time.perf_counter() + min(REDRAW, options.seconds)
        while time.perf_counter() < end:
            _obs, _reward, terminated, truncated, _info = env.step(next(actions))
            calls += 1
            episodes += int(np.count_nonzero(terminated | truncated))
        seconds = time.perf_counter() - start
        steps = calls * num_envs
        rate = rate_text(steps / seconds)
        # The line has 74 characters, which fit a terminal of 80 columns.
        text = f"{task:<16}{rate:>7} steps/s  {steps:>13,} steps  {episodes:>11,} episodes"
        line.show(text)
    line.keep(text)
    if options.stats:
        line.keep(str(env.stats()))
    env.close()
    counts = [f"{each:,}" for each in (num_envs, steps, episodes)]
    return [task, *counts, f"{seconds:.2f}", three_digits(seconds / calls * 1e6), rate], steps, seconds


# envpool-rs tune


def _tune(options: argparse.Namespace) -> int:
    """Steps a task with several numbers of threads and batch sizes, and prints the fastest setting for a program."""
    if not 0 <= options.policy_ms < float("inf"):
        raise ValueError(f"--policy-ms={options.policy_ms}: expected milliseconds, 0 or more")
    own, num_envs = given_options(options.options), options.num_envs
    described(options.task, own)
    sizes = sorted({num_envs, *(num_envs // part for part in (2, 4, 8) if num_envs >= part)}, reverse=True)
    measured = []
    with LiveLine(sys.stdout) as line:
        for batch_size in sizes:
            for num_threads in thread_counts(batch_size):
                setting = {"num_threads": num_threads, "batch_size": batch_size}
                line.show(", ".join(f"{name}={value}" for name, value in setting.items()))
                env = make(options.task, num_envs=num_envs, **{**own, **setting})
                rate, between = steps_per_second(env, options.seconds, options.policy_ms / 1e3)
                measured.append((rate, between, setting))
    best, _, setting = max(measured, key=lambda each: each[0])
    rows = [
        [*(str(each) for each in of.values()), rate_text(rate), three_digits(1e3 * between), f"{rate / best:.0%}"]
        for rate, between, of in measured
    ]
    header = ["num_threads", "batch_size", "steps/s", "ms per result", "of the best"]
    print(text_table(header, rows, right=range(len(header))))
    if setting["batch_size"] == num_envs:
        del setting["batch_size"]
    arguments = {"num_envs": num_envs, **setting, **own}
    listed = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    print(f"\nenvpool_rs.make({options.task!r}, {listed})")
    return 0


def given_options(texts: Iterable[str]) -> dict[str, Any]:
    """Returns the options of the command line; a value that is no Python literal is a str."""
    given: dict[str, Any] = {}
    for each in texts:
        name, equals, value = each.partition("=")
        if not equals or not name.isidentifier():
            raise ValueError(f"-o {each}: expected NAME=VALUE")
        try:
            given[name] = ast.literal_eval(value)
        except (ValueError, SyntaxError):
            given[name] = value
    return given


def described(task: str, options: dict[str, Any]) -> Any:
    """Returns the specification of a task with options of the command line."""
    try:
        return make_spec(task, **options)
    except TypeError as error:
        raise ValueError(str(error)) from error


# envpool-rs play

_MAX_TURN_BASED_RATE = 4  # frame rate up to which an environment waits for a key before each step
_RESERVED_LINES = 2  # of the terminal
_FILM_SIDE = 960  # most pixels of the width and height of a film of several environments


def _play(options: argparse.Namespace) -> int:
    """Plays a task with random actions, a policy or the keyboard, and shows it in the terminal or in a film."""
    own, num_envs = given_options(options.options), options.num_envs
    spec: Any = described(options.task, own)
    if not isinstance(spec, EnvSpec) or spec.pool.picture_size is None:
        raise ValueError(f"{options.task}: draws no pictures")
    if options.text and not spec.pool.has_text:
        raise ValueError(f"--text: {options.task} has no text; leave it out to see pictures")
    if options.out is not None and (options.text or options.keys):
        raise ValueError("--out makes a film: expected neither --text nor --keys with it")
    if num_envs > 1 and (options.text or options.keys):
        raise ValueError(f"--num-envs={num_envs}: expected 1 with --text or --keys")
    policy = None if options.policy is None else policy_of(options.policy)
    if policy is not None and options.keys:
        raise ValueError("--policy and --keys are both given: expected one of them")
    rate, columns = options.fps or spec.pool.render_fps, math.ceil(math.sqrt(num_envs))
    rows, size = -(-num_envs // columns), spec.pool.picture_size
    whole = size[0] * columns, size[1] * rows
    if options.out is None:
        whole = size_in_terminal(*whole)
    elif num_envs > 1:
        whole = scaled(*whole, _FILM_SIDE / max(whole))
    if whole != size:
        size = max(1, whole[0] // columns), max(2, whole[1] // rows // 2 * 2)
    shown: dict[str, Any] = {"render_mode": "rgb_array", "render_width": size[0], "render_height": size[1]}
    if options.text:
        shown = {"render_mode": "ansi"}
    if options.out is not None:
        check_place(options.out)
    with contextlib.closing(make_vec(options.task, num_envs, seed=options.seed, **{**own, **shown})) as env:
        env.action_space.seed(options.seed)
        if options.out is not None:
            film(env, policy, options.out, (rows, columns), steps=options.steps, frames_per_second=rate)
            print(f"{options.out}: {options.steps + 1} pictures of {options.task}")
        else:
            with keyboard() if options.keys else contextlib.nullcontext() as pressed:
                _show(env, options, _actions(env, options, pressed, rate), policy)
    return 0


def policy_of(name: str) -> Any:
    """Returns the function or object that ``module:name`` names; modules are searched in the working directory, too."""
    module, colon, attribute = name.partition(":")
    if not colon or not module or not attribute:
        raise ValueError(f"--policy={name!r}: expected module:function")
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = pkgutil.resolve_name(name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"--policy={name!r}: {error}") from error
    finally:
        sys.path.remove(str(Path.cwd()))
    if not callable(found) and not hasattr(found, "predict"):
        raise ValueError(f"--policy={name!r}: expected a function, or an object with a method predict")
    return found


def _actions(env: Any, options: argparse.Namespace, pressed: Pressed | None, rate: float) -> Iterator[Any]:
    """Yields actions of the keyboard until the user ends the program; without one, random ones, ``rate`` per second."""
    if pressed is None:
        due = time.monotonic()
        while True:
            due = max(due, time.monotonic() - 1) + 1 / rate
            time.sleep(max(0.0, due - time.monotonic()))
            yield env.action_space.sample()
    # Digits are numbers of actions in every task.
    keys = {str(digit): digit for digit in range(10)}
    keys |= FACTS["keys"].get(options.task.rpartition("/")[2].rpartition("-v")[0], {})
    space, batched, last = env.single_action_space, env.action_space, 0.0
    while (key := pressed(None if rate <= _MAX_TURN_BASED_RATE else 1 / rate)) != "q":
        last = keys.get(key or "idle", last)
        if isinstance(space, spaces.Discrete):
            yield np.full(batched.shape, min(int(last), int(space.n) - 1))
        elif isinstance(space, spaces.Box):
            yield np.clip(np.full(batched.shape, last, space.dtype), space.low, space.high)
        else:
            raise ValueError(f"--keys: {options.task} has actions of several parts, which no key stands for")


def _show(env: Any, options: argparse.Namespace, actions: Iterator[Any], policy: Any) -> None:
    """Shows each step in the terminal. A policy replaces the actions, which then only keep the time."""
    act, observation = policy_function(policy), env.reset()[0]
    totals, columns = np.zeros(env.num_envs), math.ceil(math.sqrt(env.num_envs))
    print("\x1b[2J\x1b[?25l", end="")  # clears the terminal, and hides the cursor
    try:
        for step in range(options.steps + 1):
            shown = env.render()
            text = shown[0] if isinstance(shown[0], str) else half_blocks(tiled(shown, columns)) + "\n"
            line = f"{options.task}  step {step}  {'return' if len(totals) == 1 else 'mean return'} {totals.mean():g}"
            print(f"\x1b[H{text.replace(chr(10), chr(27) + '[K' + chr(10))}{line}\x1b[K", end="", flush=True)
            action = next(actions, None) if step < options.steps else None
            if action is None:
                break
            observation, rewards, terminated, truncated, _ = env.step(action if act is None else act(observation))
            totals = np.where(terminated | truncated, 0.0, totals + np.sum(rewards.reshape(len(totals), -1), axis=1))
    finally:
        print("\x1b[0m\x1b[?25h")


def size_in_terminal(width: int, height: int) -> tuple[int, int]:
    """Returns the largest size, in pixels, of an image of this shape that fits the terminal; its height is even."""
    terminal = shutil.get_terminal_size()
    columns, lines = max(terminal.columns, 2), max(terminal.lines - _RESERVED_LINES, 1)
    return scaled(width, height, min(columns / width, 2 * lines / height))


def scaled(width: int, height: int, scale: float) -> tuple[int, int]:
    """Returns the size of a picture that is scaled, at most to its own size."""
    scale = min(scale, 1.0)
    return max(1, int(width * scale)), max(2, int(height * scale) // 2 * 2)


def half_blocks(picture: npt.NDArray[np.uint8]) -> str:
    """Converts an image ``(height, width, 3)`` of even height to lines of coloured characters."""
    lines = []
    for upper, lower in zip(picture[::2].tolist(), picture[1::2].tolist(), strict=True):
        line, before = [], None
        for colors in zip(upper, lower, strict=True):
            if colors != before:
                (r, g, b), (r2, g2, b2) = colors
                line.append(f"\x1b[38;2;{r};{g};{b};48;2;{r2};{g2};{b2}m")
                before = colors
            line.append("▀")
        lines.append("".join(line) + "\x1b[0m")
    return "\n".join(lines)


_ARROWS = {b"\x1b[A": "up", b"\x1b[B": "down", b"\x1b[C": "right", b"\x1b[D": "left"}


@contextlib.contextmanager
def keyboard() -> Iterator[Pressed]:
    """Context manager that returns a function, which returns the last key within ``seconds``; ``None``: the next key.

    Raises an ``OSError`` if the input is no terminal, or if Python does not support terminals (Windows).
    """
    try:
        import termios
        import tty
    except ImportError as error:
        raise OSError("keys need a terminal that Python's termios knows, which there is not on Windows") from error
    if not sys.stdin.isatty():
        raise OSError("keys need a terminal: the input is none")

    def pressed(seconds: float | None) -> str | None:
        last = None
        while select.select([sys.stdin], [], [], seconds)[0]:
            data = os.read(sys.stdin.fileno(), 16)
            if not data:
                break
            last, seconds = key_of(data), 0
        return last

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield pressed
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)


def key_of(data: bytes) -> str | None:
    """Returns the last key in a terminal's input: a letter, a digit, ``"up"``, ``"down"``, ``"left"``, ``"right"``."""
    return _ARROWS.get(data[-3:]) or data.decode(errors="ignore")[-1:] or None


# envpool-rs check-plugin


def _check_plugin(options: argparse.Namespace) -> int:
    """Checks tasks of a library: memory, unwritten elements, repeatability, bounds, types of actions. The checks run in
    a process of their own; if the library ends this process, the call is named.
    """
    if options.plugin_paths:
        names = [options.plugin] if not Path(options.plugin).exists() else None
        paths = [*options.plugin_paths, *([options.plugin] if names is None else [])]
        findings = check_in_child([str(Path(path).absolute()) for path in paths], names, None, options.steps)
    else:
        findings = check_plugin(options.plugin, steps=options.steps)
    for finding in findings:
        print(finding)
    print(f"{options.plugin}: {len(findings) or 'no'} finding{'' if len(findings) == 1 else 's'}")
    return FAILED if findings else 0


# envpool-rs as-envpool


def _run_program(options: argparse.Namespace) -> int:
    """Runs a Python program in which `import envpool` gives this package, and in the processes of Python that the
    program starts.
    """
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
    """Writes down where the installed mujoco package's library lies, and what its structs look like:
    sim::mujoco::install_described reads it in programs that embed the crate.
    """
    text = describe_library()
    options.file.write_text(text)
    print(f"{options.file}: {text.partition(chr(10))[0]}")
    return 0
