"""The error for a task that does not exist."""

from __future__ import annotations

import difflib
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
    if task_id in _envpool_tasks():
        message += ": EnvPool has it, this release of envpool_rs does not"
    near = _near(task_id, list(known))
    return UnknownTaskError(
        message + (f"; did you mean {' or '.join(map(repr, near))}?" if near else "; see list_all_envs()")
    )


def _near(task_id: str, known: list[str]) -> list[str]:
    by_lower = {name.lower(): name for name in known}
    return [by_lower[name] for name in difflib.get_close_matches(task_id.lower(), by_lower, n=3)]


def _envpool_tasks() -> set[str]:
    from importlib import resources  # seldom needed, and as expensive to import as half of this package

    return set(resources.files("envpool_rs._tasks").joinpath("envpool_task_ids.txt").read_text().split())
