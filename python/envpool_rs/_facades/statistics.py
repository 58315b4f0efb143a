"""Statistics of a pool: durations of steps, waits, resets and restarts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_SHOWN = 8
_UNITS = (("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("ns", 0.0))


@dataclass(frozen=True, eq=False)
class Statistics:
    """What a pool has done since its first ``stats()``. Arrays ``(n,)`` have an element for each environment.

    Steps that take less than 0.5 us each are recorded for the pool only, in ``histogram``: recording them for each
    environment would make them slower. Environments that are stepped together share the duration of their call.
    Durations of environments in other processes last from the request to the reply; environments that share a process
    wait for each other. ``print`` shows a table.
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

    def quantile(self, share: float) -> float:
        """Returns the end of the interval of durations that contains this share of all steps, in seconds."""
        counts = np.cumsum(self.histogram)
        if not counts[-1]:
            return 0.0
        return float(np.append(self.ends, np.inf)[np.searchsorted(counts, share * counts[-1])])

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
            lines.append(f"{'env':>6} {'steps':>10} {'mean':>9} {'longest':>9} {'resets':>8} {'restarts':>8}")
            for env in np.argsort(-self.longest, kind="stable")[:_SHOWN].tolist():
                times = f"{_text(mean[env]):>9} {_text(self.longest[env]):>9}"
                lines.append(f"{env:>6} {self.steps[env]:>10,} {times} {self.resets[env]:>8,} {self.restarts[env]:>8,}")
        return "\n".join(lines)


def _text(seconds: float) -> str:
    name, unit = next((name, unit) for name, unit in _UNITS if seconds >= unit)
    return f"{seconds / (unit or 1e-9):.3g} {name}"


def statistics_of(pool: Any) -> Statistics:
    """Returns the statistics of a pool of the extension. The first call starts their recording."""
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
    )
