"""Checks tasks of libraries, those of files in a process of their own."""

from __future__ import annotations

import os
import pickle
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envpool_rs import _core
from envpool_rs._arguments import integer, mapping, text
from envpool_rs._spec.assets import PACKAGE
from envpool_rs._tasks.plugins import absolute_path, discover, id_in_library, library_of, load_plugin
from envpool_rs._tasks.table import tasks


@dataclass(frozen=True)
class Finding:
    """Defect of a task, found by `check_plugin`: the name of the check, and the finding in words."""

    task_id: str
    check: str
    text: str

    def __str__(self) -> str:
        return f"{self.task_id}: {self.check}: {self.text}"


def check_plugin(
    plugin: str | os.PathLike[str] | Sequence[str], options: dict[str, Any] | None = None, steps: int = 1000
) -> list[Finding]:
    """Checks tasks of libraries for writes out of bounds, unwritten elements, results that vary, actions read as
    another type and values out of range. Returns all findings; none for a task without a known defect.

    Every step is run twice from a saved state, in calls with few and with many environments and in two threads. Guard
    bytes surround states and rows, and rows are filled with patterns before each call.

    Libraries of files are loaded and checked in a process of their own. A crash, such as a read from a null pointer, is
    a finding that names the function. Tasks of Numba are checked in this process.

    Args:
        plugin: path of a library, all of whose tasks are checked; a task; or a list of tasks.
        options: options of the tasks.
        steps: number of steps of each check.

    Raises:
        ValueError: for a task that no library defines, and for a library that :func:`load_plugin` rejects.
        TypeError: for an argument of the wrong type.
    """
    integer("steps", steps, 1)
    given = None if options is None else dict(mapping("options", options))
    if isinstance(plugin, (list, tuple)):
        names = [text(f"plugin[{index}]", each) for index, each in enumerate(plugin)]
    else:
        # Unlike pathlib, these functions raise no error for a name that is too long, or a folder that cannot be read.
        if isinstance(plugin, str) and plugin not in tasks and not os.path.exists(plugin):  # noqa: PTH110
            discover()
        if not isinstance(plugin, str) or plugin not in tasks:
            path = absolute_path(plugin)
            if not os.path.isfile(path):  # noqa: PTH113
                load_plugin(path)  # raises the error for a missing file
            return check_in_child([path], None, given, steps)
        names = [plugin]
    in_memory: list[str] = []
    of_files: list[str] = []
    paths: list[str] = []
    for name in names:
        task_id = id_in_library(name)
        library = None if task_id is None else library_of(task_id)
        if task_id is None or library is None:
            raise ValueError(f"plugin={name!r}: expected a task of a library, or the path of a library")
        (in_memory if library.path is None else of_files).append(task_id)
        if library.path is not None and library.path not in paths:
            paths.append(library.path)
    findings = [Finding(*each) for each in _core.check_plugin(in_memory, given, steps)] if in_memory else []
    return findings + (check_in_child(paths, of_files, given, steps) if of_files else [])


_CHILD = "import sys; from envpool_rs._tasks import plugin_checks; plugin_checks.check_as_child(sys.argv[1])"
_CALL = re.compile(r"library (?P<library>.*?)(?:, task (?P<task>[^,]*))?: (?P<function>\w+)")


def check_in_child(
    paths: Sequence[str], names: Sequence[str] | None, options: dict[str, Any] | None, steps: int
) -> list[Finding]:
    """Loads libraries in a new process, and checks tasks there: all of the last library if ``names`` is None."""
    search = os.pathsep.join(filter(None, [str(Path(PACKAGE).parent), os.environ.get("PYTHONPATH")]))
    with tempfile.TemporaryDirectory() as folder:
        request, reply, calls = (Path(folder) / name for name in ("request", "reply", "calls"))
        request.write_bytes(pickle.dumps((paths, names, options, steps)))
        environment = {**os.environ, "PYTHONPATH": search}
        code = subprocess.run([sys.executable, "-c", _CHILD, folder], env=environment, check=False).returncode
        if reply.exists():
            findings = pickle.loads(reply.read_bytes())
            if isinstance(findings, BaseException):
                raise findings
            return [Finding(*each) for each in findings]
        lines = calls.read_text(errors="replace").splitlines() if calls.exists() else []
    end = f"the library ended the process with exit code {code}"
    if code < 0:
        signals = {each.value: f" ({each.name})" for each in signal.Signals}
        end = f"signal {-code}{signals.get(-code, '')} ended the process"
    crashed = list(filter(None, map(_CALL.fullmatch, map(str.strip, lines))))
    found = [
        Finding(each["task"] or paths[-1], "crash", f"{each['function']} of library {each['library']}: {end}")
        for each in crashed
    ]
    return found or [Finding(paths[-1], "crash", end)]


def check_as_child(folder: str) -> None:
    """Runs the checks that `check_in_child` requests, and records each call of a library."""
    request, unfinished, reply, calls = (Path(folder) / name for name in ("request", "part", "reply", "calls"))
    paths, names, options, steps = pickle.loads(request.read_bytes())
    _core.record_plugin_calls(str(calls))
    try:
        loaded = [load_plugin(path) for path in paths]
        ids = [id_in_library(name) or name for name in (loaded[-1] if names is None else names)]
        result = pickle.dumps(_core.check_plugin(ids, options, steps))
    except (Exception, KeyboardInterrupt) as error:
        result = pickle.dumps(error)
    unfinished.write_bytes(result)
    unfinished.replace(reply)
