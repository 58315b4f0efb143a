"""What was measured, as numbers."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass, field
from typing import Any

from envpool_bench.case import Case
from envpool_bench.libraries import OURS
from envpool_bench.machine import Machine
from envpool_bench.starts import Start


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
    """A number of best windows and one of median windows: how many times faster ours is, or a rate."""

    best: float
    median: float


@dataclass(frozen=True)
class Mean:
    """One library in one shape of pool: the geometric means over all tasks.

    Attributes:
        mode: the shape.
        library: whose.
        version: of the library.
        rate: environment steps per second.
        speedup: ours over this library; ``None`` for our own.
    """

    mode: str
    library: str
    version: str
    rate: Ratio
    speedup: Ratio | None


@dataclass(frozen=True)
class Results:
    """Everything measured in one run.

    Attributes:
        machine: where.
        settings: how.
        measurements: in the order of cases, ours first in each.
        skipped: what was not measured.
        starts: ways to the first observation, where they were measured.
    """

    machine: Machine
    settings: Settings
    measurements: list[Measurement]
    skipped: list[Skipped]
    starts: list[Start] = field(default_factory=list)

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

    def means(self) -> list[Mean]:
        """Geometric means over all tasks, of the libraries that played each of them; none where there is one task."""
        groups: dict[tuple[str, str], list[Measurement]] = {}
        for each in self.measurements:
            groups.setdefault((each.case.mode, each.library), []).append(each)
        return [self._mean(group) for group in groups.values() if len(group) == len(self.tasks) > 1]

    def _mean(self, group: list[Measurement]) -> Mean:
        first, ratios = group[0], [self.ratio(each) for each in group]
        known = [ratio for ratio in ratios if ratio is not None]
        rate = _geometric_mean([Ratio(each.best_rate, each.median_rate) for each in group])
        speedup = _geometric_mean(known) if len(known) == len(group) else None
        return Mean(first.case.mode, first.library, first.version, rate, speedup)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data; rates in environment steps per second, times in microseconds per call."""
        return {
            "machine": asdict(self.machine),
            "settings": asdict(self.settings),
            "results": [self._measurement_as_json(each) for each in self.measurements],
            "skipped": [{**asdict(each.case), "library": each.library, "reason": each.reason} for each in self.skipped],
            "means": [asdict(each) for each in self.means()],
            "starts": [asdict(each) for each in self.starts],
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


def _geometric_mean(ratios: list[Ratio]) -> Ratio:
    return Ratio(
        statistics.geometric_mean(each.best for each in ratios),
        statistics.geometric_mean(each.median for each in ratios),
    )
