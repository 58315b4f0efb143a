"""``python benches/python train``: measures the seconds until PPO reaches a goal, and the share that the environments
take.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envpool_rs.cli.text import positive_int, text_table

from envpool_bench.plot import import_pyplot
from envpool_bench.training.executors import EXECUTORS, TASKS

if TYPE_CHECKING:
    from envpool_bench.arguments import Commands

HEADER = ["task", "goal", "environments", "time to the goal", "in the environments", "steps", "steps per second"]
"""Column titles of the report."""

BEGIN, END = "<!-- training: begin -->", "<!-- training: end -->"
"""Lines around the table in a Markdown file."""


def add_to(commands: Commands) -> None:
    """Adds the command ``train`` to the argument parser."""
    names = [task.name for task in TASKS]
    parser = commands.add_parser(
        "train",
        help="train by PPO until a goal with the environments of several projects (needs torch)",
        description="Trains the same agent by the same script, each time in a process of its own.",
    )
    parser.add_argument("--tasks", nargs="+", default=names, choices=names, metavar="TASK", help=", ".join(names))
    executors = list(EXECUTORS)
    parser.add_argument(
        "--executors", nargs="+", default=executors, choices=executors, metavar="NAME", help=", ".join(executors)
    )
    parser.add_argument("--threads", type=positive_int, default=2, metavar="N", help="threads of pools (2)")
    parser.add_argument("--torch-threads", type=positive_int, default=1, metavar="N", help="threads of torch (1)")
    parser.add_argument("--device", default="cpu", help="device of the agent of Atari (cpu); others use the CPU")
    parser.add_argument("--bfloat16", action="store_true", help="compute features of frames in bfloat16")
    parser.add_argument("--seeds", nargs="+", type=int, default=[1], metavar="SEED", help="a run for each (1)")
    parser.add_argument("--limit", type=float, default=3600.0, metavar="S", help="seconds of a run at most (3600)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="file to which each run adds a line")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="Markdown file whose table is replaced")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="picture of the mean returns over time")
    parser.add_argument("--report", action="store_true", help="run nothing; report the runs of the file --json")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Trains on each task with each executor, and prints a table."""
    if options.one:
        print(json.dumps(train(options)))
        return 0
    if options.report:
        runs = [json.loads(line) for line in options.json.read_text().splitlines()]
    else:
        runs = _measured(options)
    rows = [_row(each) for each in runs]
    print(text_table(HEADER, rows, range(3, 7)))
    if options.markdown:
        _fill(options.markdown, rows)
    if options.plot:
        _plot(options.plot, runs)
    return 0


def train(options: argparse.Namespace) -> dict[str, Any]:
    """Trains one agent. Returns the outcome with the names of task and executor."""
    import torch

    from envpool_bench.training.ppo import Trainer

    torch.set_num_threads(options.torch_threads)
    (task,) = (each for each in TASKS if each.name == options.tasks[0])
    (name,), (seed,) = options.executors, options.seeds
    executor = EXECUTORS[name](task, seed, options.threads)
    try:
        device = options.device if task.pool_options else "cpu"
        outcome = Trainer(task.name, executor, device, seed, options.bfloat16).run(task.goal, options.limit)
    finally:
        executor.close()
    return {"task": task.name, "executor": name, "seed": seed, "goal": task.goal, **asdict(outcome)}


def _measured(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Trains the agents one after another, each in a separate process."""
    runs = []
    program = [sys.executable, str(Path(__file__).parents[2]), "train", "--one", "--device", options.device]
    program += ["--threads", str(options.threads), "--torch-threads", str(options.torch_threads)]
    program += ["--limit", str(options.limit), *(["--bfloat16"] if options.bfloat16 else [])]
    for task in options.tasks:
        for seed in options.seeds:
            for executor in options.executors:
                chosen = ["--tasks", task, "--executors", executor, "--seeds", str(seed)]
                done = subprocess.run([*program, *chosen], capture_output=True, text=True, check=False)
                if done.returncode:
                    print(f"{task} with {executor} failed: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
                    continue
                runs.append(json.loads(done.stdout.splitlines()[-1]))
                print("  ".join(_row(runs[-1])), flush=True)
                if options.json:
                    with options.json.open("a") as file:
                        file.write(json.dumps(runs[-1]) + "\n")
    return runs


def _row(outcome: dict[str, Any]) -> list[str]:
    seconds, inside = outcome["seconds"], outcome["seconds_in_environments"]
    reached = f"{seconds:.1f} s" if outcome["reached"] else f"{outcome['mean_return']:.1f} after {seconds:.0f} s"
    share = f"{inside:.1f} s, {inside / seconds:.0%}"
    speed = f"{outcome['steps'] / seconds:,.0f}"
    goal = f"{outcome['goal']:g}"
    return [outcome["task"], goal, outcome["executor"], reached, share, f"{outcome['steps']:,}", speed]


def _fill(path: Path, rows: list[list[str]]) -> None:
    """Replaces the table between the markers of a Markdown file."""
    text = path.read_text()
    if BEGIN not in text or END not in text:
        raise ValueError(f"--markdown {path}: expected a file with the lines {BEGIN} and {END}; add them")
    lines = [HEADER, ["---"] * 3 + ["---:"] * 4, *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    before, rest = text.split(BEGIN, 1)
    path.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{rest.split(END, 1)[1]}")


def _plot(path: Path, runs: list[dict[str, Any]]) -> None:
    """Draws a figure with a panel for each task: the mean return of the last 100 episodes over time."""
    pyplot = import_pyplot()
    tasks = list(dict.fromkeys(each["task"] for each in runs))
    colours = {name: f"C{index}" for index, name in enumerate(EXECUTORS)}
    width = max(4.0 * len(tasks), 6.4)
    figure, panels = pyplot.subplots(1, len(tasks), figsize=(width, 3.2), layout="constrained", squeeze=False)
    for panel, task in zip(panels[0], tasks, strict=True):
        for each in runs:
            if each["task"] == task:
                panel.plot(*zip(*each["curve"], strict=True), color=colours[each["executor"]], label=each["executor"])
                panel.axhline(each["goal"], color="gray", linewidth=0.5)
        panel.set(title=task, xlabel="seconds")
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("mean return")
    drawn = {each["executor"] for each in runs}
    handles = [pyplot.Line2D([], [], color=colours[name], label=name) for name in EXECUTORS if name in drawn]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), frameon=False)
    figure.savefig(path, dpi=110)
