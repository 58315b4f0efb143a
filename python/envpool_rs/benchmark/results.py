"""What was measured, as numbers."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass
from typing import Any

from envpool_rs.benchmark.case import Case
from envpool_rs.benchmark.libraries import OURS
from envpool_rs.benchmark.machine import Machine


@dataclass(frozen=True)
class Settings:
    """How it was measured.

    Attributes:
        seconds: length of one window.
        rounds: windows of each library per case.
        facade: ours: ``"A"`` (``make``) or ``"B"`` (``make_vec``).
    """

    seconds: float
    rounds: int
    facade: str


@dataclass(frozen=True)
class Measurement:
    """One library in one case.

    Attributes:
        case: what was played.
        library: by whom.
        version: of the library.
        calls: calls in each window.
        windows: seconds of each window.
    """

    case: Case
    library: str
    version: str
    calls: int
    windows: list[float]

    @property
    def best_call(self) -> float:
        """Seconds per call in the best window."""
        return min(self.windows) / self.calls

    @property
    def median_call(self) -> float:
        """Seconds per call in the median window."""
        return statistics.median(self.windows) / self.calls

    @property
    def best_rate(self) -> float:
        """Environment steps per second in the best window."""
        return self.case.batch_size / self.best_call

    @property
    def median_rate(self) -> float:
        """Environment steps per second in the median window."""
        return self.case.batch_size / self.median_call


@dataclass(frozen=True)
class Skipped:
    """A library that could not play a case, and why."""

    case: Case
    library: str
    reason: str


@dataclass(frozen=True)
class Ratio:
    """How many times faster ours is: best window against best, median against median."""

    best: float
    median: float


@dataclass(frozen=True)
class Results:
    """Everything measured in one run.

    Attributes:
        machine: where.
        settings: how.
        measurements: in the order of cases, ours first in each.
        skipped: what was not measured.
    """

    machine: Machine
    settings: Settings
    measurements: list[Measurement]
    skipped: list[Skipped]

    @property
    def tasks(self) -> list[str]:
        """All tasks measured, in order."""
        return list(dict.fromkeys(each.case.task for each in self.measurements))

    def of_task(self, task: str) -> list[Measurement]:
        """The measurements of one task."""
        return [each for each in self.measurements if each.case.task == task]

    def ratio(self, peer: Measurement) -> Ratio | None:
        """Ours against a peer's; ``None`` for our own measurements and where ours was not measured."""
        mine = next((each for each in self.measurements if each.case == peer.case and each.library == OURS), None)
        if mine is None or mine is peer:
            return None
        return Ratio(peer.best_call / mine.best_call, peer.median_call / mine.median_call)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data; rates in environment steps per second, times in microseconds per call."""
        return {
            "machine": asdict(self.machine),
            "settings": asdict(self.settings),
            "results": [self._measurement_as_json(each) for each in self.measurements],
            "skipped": [{**asdict(each.case), "library": each.library, "reason": each.reason} for each in self.skipped],
        }

    def _measurement_as_json(self, measurement: Measurement) -> dict[str, Any]:
        ratio = self.ratio(measurement)
        return {
            **asdict(measurement.case),
            "library": measurement.library,
            "version": measurement.version,
            "steps_per_second": {"best": measurement.best_rate, "median": measurement.median_rate},
            "microseconds_per_call": {"best": measurement.best_call * 1e6, "median": measurement.median_call * 1e6},
            "calls_per_window": measurement.calls,
            "window_seconds": measurement.windows,
            "times_faster": None if ratio is None else asdict(ratio),
        }
