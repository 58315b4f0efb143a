"""The error for a task that does not exist."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from envpool_rs._errors import UnknownTaskError


def unknown_task(task_id: object, known: Iterable[str]) -> UnknownTaskError:
    """The error for ``task_id``: names near ones, and says so where EnvPool 1.2.5 has the task.

    Args:
        task_id: what was asked for.
        known: the tasks that exist.
    """
    if not isinstance(task_id, str):
        return UnknownTaskError(f"task_id={task_id!r}: expected a str, such as 'CartPole-v1'")
    message = f"unknown task {task_id!r}"
    if task_id in _tasks_of_envpool_alone():
        message += ": EnvPool has it, this release of envpool_rs does not"
    near = _near(task_id, list(known))
    return UnknownTaskError(
        message + (f"; did you mean {' or '.join(map(repr, near))}?" if near else "; see list_all_envs()")
    )


def _near(task_id: str, known: list[str]) -> list[str]:
    by_lower = {name.lower(): name for name in known}
    return [by_lower[name] for name in difflib.get_close_matches(task_id.lower(), by_lower, n=3)]


def _tasks_of_envpool_alone() -> set[str]:
    from importlib import resources  # seldom needed, and as expensive to import as half of this package

    lines = resources.files("envpool_rs._tasks").joinpath("envpool_only.txt").read_text().split()
    return {name for line in lines for name in expanded(line)}


def expanded(pattern: str) -> list[str]:
    """All names that a pattern with alternatives in braces stands for, as shells have it: ``{Go,Hex}{,2}-v1``."""
    # For each brace that is open: its alternatives, of which the last is being read.
    levels = [[[""]]]
    for part in re.split("([{},])", pattern):
        if part == "{":
            levels.append([[""]])
        elif part == ",":
            levels[-1].append([""])
        else:
            inner = [name for alternative in levels.pop() for name in alternative] if part == "}" else [part]
            levels[-1][-1] = [name + each for name in levels[-1][-1] for each in inner]
    return levels[0][0]
