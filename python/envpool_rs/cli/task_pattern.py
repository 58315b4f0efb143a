"""Which tasks a word on the command line means."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from envpool_rs._tasks.unknown_task import unknown_task


def matching_tasks(pattern: str, tasks: Sequence[str]) -> list[str]:
    """The tasks that a glob (``Cart*``) matches or whose name contains the pattern, in any case."""
    lower = pattern.lower()
    glob = any(character in lower for character in "*?[")
    return [task for task in tasks if (fnmatchcase(task.lower(), lower) if glob else lower in task.lower())]


def named_tasks(patterns: Sequence[str], tasks: Sequence[str]) -> list[str]:
    """The tasks that these ids and globs name, each once.

    Raises:
        ValueError: for one that names none, suggesting near ids.
    """
    named: dict[str, None] = {}
    for pattern in patterns:
        is_glob = pattern not in tasks and any(character in pattern for character in "*?[")
        found = matching_tasks(pattern, tasks) if is_glob else [task for task in tasks if task == pattern]
        if not found:
            raise unknown_task(pattern, tasks)
        named.update(dict.fromkeys(found))
    return list(named)
