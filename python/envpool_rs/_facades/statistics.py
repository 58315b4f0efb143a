"""Statistics of a pool: durations of steps, waits, resets and restarts."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import weakref
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._arguments import number, shown

VARIABLE = "ENVPOOL_RS_STATS"
"""Environment variable: seconds between two tables of all pools."""

_SHOWN = 4  # environments with the largest total and with the longest steps each
_UNITS = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 0.0))


@dataclass(frozen=True, eq=False)
class Statistics:
    """What a pool has done since its first ``stats()``. Arrays ``(n,)`` have an element for each environment.

    Steps that take less than 0.5 us each are recorded for the pool only, in ``histogram``: recording them for each
    environment would make them slower. Environments that a thread steps together share the duration. Durations of
    environments in other processes last from the request to the reply; environments that share a process wait for each
    other. ``print`` shows a table.
    """

    seconds: float
    """Duration of the recording."""
    caller_wait: float
    """Seconds for which callers waited for results."""
    worker_wait: float | None
    """Seconds for which worker threads had no work, summed over threads; ``None`` without threads."""
    workers: int
    """Number of started worker threads."""
    in_flight: int
    """Number of environments whose results were requested and not yet received: the queue."""
    ends: npt.NDArray[np.float64]
    """Ends of the intervals of durations, in seconds; the last interval has no end."""
    histogram: npt.NDArray[np.uint64]
    """Numbers of steps in each interval, of all environments."""
    steps: npt.NDArray[np.uint64]
    """Numbers of recorded steps ``(n,)``."""
    step_seconds: npt.NDArray[np.float64]
    """Total durations of the recorded steps ``(n,)``."""
    longest: npt.NDArray[np.float64]
    """Durations of the longest recorded steps ``(n,)``."""
    resets: npt.NDArray[np.uint64]
    """Numbers of started episodes ``(n,)``."""
    restarts: npt.NDArray[np.uint64]
    """Numbers of restarts of the process or actor that runs the environment ``(n,)``."""
    histograms: npt.NDArray[np.uint64]
    """Numbers of recorded steps in each interval ``(n, intervals)``."""
    recording: str = field(default="", repr=False)
    """Name of the recording, which all statistics of one pool have and those of no other pool."""

    def quantile(self, share: float) -> float:
        """Returns the end of the interval of durations that contains this share of all steps, 0 to 1, in seconds."""
        share = number("share", share, "a number from 0 to 1", lambda share: 0 <= share <= 1)
        counts = np.cumsum(self.histogram)
        if not counts[-1]:
            return 0.0
        return float(np.append(self.ends, np.inf)[np.searchsorted(counts, share * counts[-1])])

    def since(self, before: Statistics) -> Statistics:
        """Returns what the pool has done since ``before``, an earlier value of the same pool. ``longest`` is rounded up
        to the end of its interval if an earlier step took longer. Raises a ``ValueError`` for a value of another pool
        and for a later one.
        """
        if not isinstance(before, Statistics):
            raise TypeError(f"before={shown(before)}: expected an earlier stats() of the same pool")
        if before.recording != self.recording:
            raise ValueError("before is of another pool: expected an earlier stats() of the same pool")
        if before.seconds > self.seconds:
            given = f"{before.seconds:.6g} s, and this one after {self.seconds:.6g} s"
            raise ValueError(f"before is later, taken after {given}: expected an earlier stats() of the same pool")
        counts = self.histograms - before.histograms
        last = counts.shape[1] - 1 - np.argmax(counts[:, ::-1] > 0, axis=1)
        bound = np.where(counts.any(axis=1), np.append(self.ends, np.inf)[last], 0.0)
        waits = None if self.worker_wait is None else self.worker_wait - (before.worker_wait or 0.0)
        return replace(
            self,
            seconds=self.seconds - before.seconds,
            caller_wait=self.caller_wait - before.caller_wait,
            worker_wait=waits,
            histogram=self.histogram - before.histogram,
            steps=self.steps - before.steps,
            step_seconds=self.step_seconds - before.step_seconds,
            longest=np.where(self.longest > before.longest, self.longest, np.minimum(bound, self.longest)),
            resets=self.resets - before.resets,
            restarts=self.restarts - before.restarts,
            histograms=counts,
        )

    def __str__(self) -> str:
        total = int(self.histogram.sum())
        waits = f"caller waits {self.caller_wait / max(self.seconds, 1e-9):.0%}"
        if self.worker_wait is not None and self.workers:
            waits += f", {self.workers} workers wait {self.worker_wait / max(self.workers * self.seconds, 1e-9):.0%}"
        spread = ", ".join(f"{share:.0%} below {_text(self.quantile(share))}" for share in (0.5, 0.99, 1.0))
        resets, restarts = int(self.resets.sum()), int(self.restarts.sum())
        lines = [
            f"{total:,} steps in {self.seconds:.3g} s; {waits}; {self.in_flight} in flight",
            f"steps: {spread}; {resets:,} resets, {restarts:,} restarts",
        ]
        if self.steps.any():
            mean = self.step_seconds / np.maximum(self.steps, 1)
            lines.append(
                f"{'env':>6} {'steps':>10} {'total':>9} {'mean':>9} {'longest':>9} {'resets':>8} {'restarts':>8}"
            )
            slowest, longest = (np.argsort(-each, kind="stable")[:_SHOWN] for each in (self.step_seconds, self.longest))
            for env in filter(self.steps.__getitem__, dict.fromkeys([*slowest.tolist(), *longest.tolist()])):
                times = " ".join(f"{_text(each[env]):>9}" for each in (self.step_seconds, mean, self.longest))
                lines.append(f"{env:>6} {self.steps[env]:>10,} {times} {self.resets[env]:>8,} {self.restarts[env]:>8,}")
        return "\n".join(lines)


def _text(seconds: float) -> str:
    name, unit = next((name, unit) for name, unit in _UNITS if seconds >= unit)
    return f"{seconds / (unit or 1e-9):.3g} {name}"


def statistics_of(pool: Any, name: str) -> Statistics:
    """Returns the statistics of a pool of the extension. The first call starts their recording, whose name is given."""
    times, counts, ends, histogram, lanes = pool._statistics()
    seconds, caller_wait, worker_time = times
    workers, in_flight = counts
    steps, nanoseconds, longest, resets, restarts, histograms = (np.array(each, np.uint64) for each in lanes)
    return Statistics(
        seconds=seconds,
        caller_wait=caller_wait,
        worker_wait=max(0.0, workers * seconds - worker_time) if workers else None,
        workers=workers,
        in_flight=in_flight,
        ends=np.array(ends),
        histogram=np.array(histogram, np.uint64),
        steps=steps,
        step_seconds=nanoseconds * np.float64(1e-9),
        longest=longest * np.float64(1e-9),
        resets=resets,
        restarts=restarts,
        histograms=histograms.reshape(len(steps), -1),
        recording=name,
    )


def print_tables(env: Any) -> None:
    """Prints the pool's table to ``stderr`` every ``ENVPOOL_RS_STATS`` seconds from a thread, if that variable is set.

    Raises a ``ValueError`` unless the variable is a positive number.
    """
    given = os.environ.get(VARIABLE)
    if not given:
        return
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ValueError(f"{VARIABLE}={given!r}: expected the seconds between two tables, a positive number")
    printer = _printers.get(os.getpid())
    if printer is None:
        printer = _printers[os.getpid()] = _Printer(seconds)
        printer.start()
        atexit.register(printer.end)
    printer.pools.append((weakref.ref(env), {}))


class _Printer(threading.Thread):
    """Thread that prints what each living pool has done since the last table."""

    def __init__(self, seconds: float) -> None:
        super().__init__(name="envpool_rs-stats", daemon=True)
        self.pools: list[tuple[weakref.ref[Any], dict[str, Statistics]]] = []
        self._seconds, self._ended, self._process = seconds, threading.Event(), os.getpid()

    def end(self) -> None:
        """Ends the thread: the interpreter cannot end while it reads a pool."""
        if self._process == os.getpid():  # a forked child has no such thread
            self._ended.set()
            self.join()

    def run(self) -> None:
        while not self._ended.wait(self._seconds):
            for pool, last in list(self.pools):
                env = pool()
                if env is None:
                    continue
                try:
                    now = env.stats()
                except RuntimeError:  # closed
                    last.clear()
                    continue
                if last:
                    head = f"{env.spec.id}, {len(env)} environments"
                    print(f"{head}: {now.since(last['now'])}", file=sys.stderr, flush=True)
                last["now"] = now
                del env  # so that the caller can free the pool


_printers: dict[int, _Printer] = {}  # by process, because threads do not survive a fork
