"""``envpool-rs list``: lists the tasks."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from envpool_rs._make.make import make_spec
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.table import list_all_envs
from envpool_rs.cli.text import matching_tasks, space_text, text_table

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

NOTHING_MATCHED = 1
"""Exit code if no task matches, as for grep."""


def add_to(commands: Commands) -> None:
    """Adds the command to the command line."""
    parser = commands.add_parser("list", help="list tasks", description="Lists tasks.")
    parser.add_argument("pattern", nargs="?", default="*", help="glob or part of a name, in any case (default: all)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Prints id, observation, action and episode limit of each matching task."""
    tasks = matching_tasks(options.pattern, list_all_envs())
    if not tasks:
        print(f"envpool-rs: no task matches {options.pattern!r}", file=sys.stderr)
        return NOTHING_MATCHED
    print(text_table(["id", "observation", "action", "limit"], [_row(task) for task in tasks], right=[3]))
    return 0


def _row(task: str) -> list[str]:
    spec: Any = make_spec(task)
    if not isinstance(spec, EnvSpec):  # registered with another package's classes
        return [task, str(spec.observation_space), str(spec.action_space), ""]
    limit = spec.max_episode_steps
    players = f"{spec.players} x " if spec.rows > 1 else ""
    return [
        task,
        players + space_text(spec.pool.observation),
        players + space_text(spec.pool.action),
        "none" if limit is None else str(limit),
    ]
