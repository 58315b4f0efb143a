"""Which tasks a word on the command line means."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase


def matching_tasks(pattern: str, tasks: Sequence[str]) -> list[str]:
    """The tasks that a glob (``Cart*``) matches or whose name contains the pattern, in any case."""
    lower = pattern.lower()
    glob = any(character in lower for character in "*?[")
    return [task for task in tasks if (fnmatchcase(task.lower(), lower) if glob else lower in task.lower())]
