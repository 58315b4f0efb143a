"""Parsers of command-line arguments: sizes of pools, and tasks."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from typing import TypeAlias

from envpool_rs._tasks.table import unknown_task
from envpool_rs.cli.text import matching_tasks, positive_int

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Commands of a command line, to which each command adds its parser."""


def positive_ints(text: str) -> list[int]:
    """Parses integers of at least 1, separated by commas; ``none`` for an empty list."""
    return [] if text == "none" else [positive_int(part) for part in text.split(",")]


def shapes(text: str) -> list[tuple[int, int]]:
    """Parses sizes of asynchronous pools, ``environments/batch size``, separated by commas; ``none`` for an empty
    list.
    """
    return [] if text == "none" else [_shape(part) for part in text.split(",")]


def _shape(text: str) -> tuple[int, int]:
    num_envs, slash, batch_size = text.partition("/")
    if not slash or positive_int(batch_size) >= positive_int(num_envs):
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected environments/batch size with a smaller batch, such as 1024/256"
        )
    return int(num_envs), int(batch_size)


def named_tasks(patterns: Sequence[str], tasks: Sequence[str]) -> list[str]:
    """Returns the tasks that match any of the given ids and globs, without duplicates.

    Raises:
        ValueError: for an id or glob that matches no task, with suggestions.
    """
    named: dict[str, None] = {}
    for pattern in patterns:
        is_glob = pattern not in tasks and any(character in pattern for character in "*?[")
        found = matching_tasks(pattern, tasks) if is_glob else [task for task in tasks if task == pattern]
        if not found:
            raise unknown_task(pattern, tasks)
        named.update(dict.fromkeys(found))
    return list(named)


def command_line() -> str:
    """Returns the command line of this process, as a user would type it in the repository's root folder."""
    return shlex.join(["python", "benches/python", *sys.argv[1:]])
