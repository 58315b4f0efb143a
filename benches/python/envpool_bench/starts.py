"""Measures the time until environments can be stepped, and their memory.

Each measurement runs in a separate process, so that no measurement starts with modules that an earlier measurement has
loaded.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envpool_rs._facades.tuning import random_actions
from envpool_rs._make.make import make_spec

from envpool_bench.case import Case
from envpool_bench.libraries import OURS, Library, ours, peers

ROUNDS = 2
"""Number of processes for each library and case."""

STEPS = 10
"""Steps after the first reset, before memory is measured."""


@dataclass(frozen=True)
class Start:
    """Measured start of one library, from ``make`` to the first observations.

    Attributes:
        case: the case.
        library: the library.
        version: version of the library.
        seconds: time of ``make`` and the first ``reset``, in each process.
        env_bytes: memory per environment, in each process; ``None`` if the system does not report it.
    """

    case: Case
    library: str
    version: str
    seconds: list[float]
    env_bytes: list[int | None]

    @property
    def best_seconds(self) -> float:
        """Shortest start time over all processes, in seconds."""
        return min(self.seconds)

    @property
    def median_bytes(self) -> float | None:
        """Memory per environment in bytes: the median over all processes."""
        known = [each for each in self.env_bytes if each is not None]
        return statistics.median(known) if known else None


def measure_starts(
    case: Case, warm_up: str, libraries: Sequence[Library], facade: str, progress: Callable[[Case, str, int], None]
) -> list[Start]:
    """Measures the time of ``make`` and the first ``reset`` of all libraries on one case, in turn.

    Args:
        case: the case.
        warm_up: the task of which each process makes one environment beforehand, so that libraries are loaded.
        libraries: the libraries; those that do not support the case are skipped.
        facade: the measured interface of this package: ``"A"`` is that of ``envpool_rs.make``, ``"B"`` that of
            ``envpool_rs.make_vec``.
        progress: called for each process.
    """
    able = [library for library in libraries if library.refusal(case) is None]
    found: dict[str, list[tuple[float, int | None]]] = {library.name: [] for library in able}
    for number in range(1, ROUNDS + 1):
        for library in able if number % 2 else reversed(able):
            progress(case, library.name, number)
            found[library.name].append(_run_in_process(library.name, facade, warm_up, case))
    return [
        Start(case, each.name, each.version, *(list(column) for column in zip(*found[each.name], strict=True)))
        for each in able
    ]


def _run_in_process(library: str, facade: str, warm_up: str, case: Case) -> tuple[float, int | None]:
    arguments = [library, facade, warm_up, case.task, str(case.num_envs), str(case.threads)]
    program = [sys.executable, "-m", "envpool_bench.starts", *arguments]
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(program, check=True, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path})
    seconds, env_bytes = json.loads(done.stdout.splitlines()[-1])
    return seconds, env_bytes


def main(library: str, facade: str, warm_up: str, task: str, num_envs: str, threads: str) -> None:
    """Entry point of each measuring process: prints seconds and bytes per environment as JSON.

    Args:
        library: name of the library.
        facade: the measured interface of this package: ``"A"`` is that of ``envpool_rs.make``, ``"B"`` that of
            ``envpool_rs.make_vec``.
        warm_up: task of which one environment is made before the measurement.
        task: the measured task.
        num_envs: number of environments.
        threads: worker threads.
    """
    make = (ours(facade) if library == OURS else peers([library])[0]).make
    size = int(num_envs)
    spec = make_spec(task)
    actions = random_actions(spec.action_space, size * spec.rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some peers warn when they are made
        first = make(Case(warm_up, 1, 1, int(threads)))
        first.reset()
        before, start = _resident_bytes(), time.perf_counter()
        env: Any = make(Case(task, size, size, int(threads)))
        env.reset()
        seconds = time.perf_counter() - start
        for action in actions[:STEPS]:
            env.step(action)
    after = _resident_bytes()
    print(json.dumps([seconds, None if before is None or after is None else max(0, after - before) // size]))


def _resident_bytes() -> int | None:
    try:
        pages = Path("/proc/self/statm").read_text().split()[1]
    except OSError:  # the system is not Linux
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    main(*sys.argv[1:])
