"""Classes that hold the measurements of pools, and compute rates, ratios and means."""

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
    """Settings of a benchmark run.

    Attributes:
        seconds: length of one window.
        rounds: windows of each library per case.
        facade: the measured interface of this package: ``"A"`` is that of ``envpool_rs.make``, ``"B"`` that of
            ``envpool_rs.make_vec``.
    """

    seconds: float
    rounds: int
    facade: str


@dataclass(frozen=True)
class Measurement:
    """Measurement of one library in one case.

    Attributes:
        case: the case.
        library: the library.
        version: version of the library.
        calls: calls per window.
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
    """Record that a library does not support a case, with the reason."""

    case: Case
    library: str
    reason: str


@dataclass(frozen=True)
class Ratio:
    """A speedup of this package or a rate, computed from the best windows and from the median windows."""

    best: float
    median: float


@dataclass(frozen=True)
class Mean:
    """Geometric means of one library over all tasks, for pools of one size.

    Attributes:
        mode: size of the pools.
        library: the library.
        version: version of the library.
        rate: environment steps per second.
        speedup: speed of this package divided by that of this library; ``None`` for this package itself.
    """

    mode: str
    library: str
    version: str
    rate: Ratio
    speedup: Ratio | None


@dataclass(frozen=True)
class Results:
    """All measurements of one run.

    Attributes:
        machine: the machine.
        settings: the settings.
        measurements: in the order of cases; in each case, this package comes first.
        skipped: cases that were not measured.
        starts: start times, if they were measured.
    """

    machine: Machine
    settings: Settings
    measurements: list[Measurement]
    skipped: list[Skipped]
    starts: list[Start] = field(default_factory=list)

    @property
    def tasks(self) -> list[str]:
        """Ids of the measured tasks, in the order of measurement."""
        return list(dict.fromkeys(each.case.task for each in self.measurements))

    def of_task(self, task: str) -> list[Measurement]:
        """Returns the measurements of one task."""
        return [each for each in self.measurements if each.case.task == task]

    def ratio(self, peer: Measurement) -> Ratio | None:
        """Returns this package's speedup over the measured library; ``None`` for this package itself, or if this
        package was not measured in the case.
        """
        mine = next((each for each in self.measurements if each.case == peer.case and each.library == OURS), None)
        if mine is None or mine is peer:
            return None
        return Ratio(peer.best_call / mine.best_call, peer.median_call / mine.median_call)

    def means(self) -> list[Mean]:
        """Returns geometric means over all tasks, for the libraries that were measured in every task; an empty list for
        a single task.
        """
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
        """Returns all measurements as JSON-compatible data: rates in environment steps per second, times in
        microseconds per call.
        """
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
