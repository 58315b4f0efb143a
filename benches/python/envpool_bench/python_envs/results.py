"""Classes that hold the measurements of Python environments."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass
from typing import Any

from envpool_bench.machine import Machine
from envpool_bench.python_envs.case import PythonCase
from envpool_bench.python_envs.contender import Window
from envpool_bench.python_envs.players import Player


@dataclass(frozen=True)
class PythonMeasurement:
    """Measurement of one library in one case.

    Attributes:
        case: the case.
        player: the library.
        calls: calls per window.
        windows: times of each window.
    """

    case: PythonCase
    player: Player
    calls: int
    windows: list[Window]

    @property
    def best(self) -> float:
        """Microseconds per vector step in the best window."""
        return min(each.seconds for each in self.windows) / self.calls * 1e6

    @property
    def median(self) -> float:
        """Microseconds per vector step in the median window."""
        return statistics.median(each.seconds for each in self.windows) / self.calls * 1e6

    @property
    def parent(self) -> float:
        """Processor time of the calling process per vector step, in microseconds: the median of all windows."""
        return statistics.median(each.parent_seconds for each in self.windows) / self.calls * 1e6


@dataclass(frozen=True)
class PythonResults:
    """All measurements of one run.

    Attributes:
        machine: the machine.
        seconds: length of a window.
        rounds: windows of each library per case.
        workers: worker processes of this package; ``None`` for each interface's own default.
        measurements: in the order of cases; in each case, this package comes first.
    """

    machine: Machine
    seconds: float
    rounds: int
    workers: int | None
    measurements: list[PythonMeasurement]

    @property
    def cases(self) -> list[PythonCase]:
        """Measured benchmark cases, in the order of measurement."""
        return list(dict.fromkeys(each.case for each in self.measurements))

    def of_case(self, case: PythonCase) -> list[PythonMeasurement]:
        """Returns the measurements of all libraries in one case."""
        return [each for each in self.measurements if each.case is case]

    def by(self, name: str, case: PythonCase) -> PythonMeasurement | None:
        """Returns the measurement of one library in one case; ``None`` if there is none."""
        return next((each for each in self.of_case(case) if each.player.name == name), None)

    def as_json(self) -> dict[str, Any]:
        """Returns all measurements as JSON-compatible data, with times in microseconds per vector step."""
        return {
            "machine": asdict(self.machine),
            "settings": {"seconds": self.seconds, "rounds": self.rounds, "workers": self.workers},
            "results": [_as_json(each) for each in self.measurements],
        }


def _as_json(measurement: PythonMeasurement) -> dict[str, Any]:
    return {
        "case": measurement.case.name,
        "num_envs": measurement.case.num_envs,
        "player": measurement.player.name,
        "version": measurement.player.version,
        "caller_steps": measurement.player.caller_steps,
        "microseconds_per_step": {"best": measurement.best, "median": measurement.median},
        "parent_cpu_microseconds_per_step": measurement.parent,
        "calls_per_window": measurement.calls,
        "window_seconds": [each.seconds for each in measurement.windows],
        "window_parent_cpu_seconds": [each.parent_seconds for each in measurement.windows],
    }
