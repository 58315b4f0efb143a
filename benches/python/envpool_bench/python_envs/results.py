"""What was measured, as numbers."""

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
    """One player in one case.

    Attributes:
        case: what was played.
        player: by whom.
        calls: calls in each window.
        windows: what each window took.
    """

    case: PythonCase
    player: Player
    calls: int
    windows: list[Window]

    @property
    def best(self) -> float:
        """Microseconds of a vector step in the best window."""
        return min(each.seconds for each in self.windows) / self.calls * 1e6

    @property
    def median(self) -> float:
        """Microseconds of a vector step in the median window."""
        return statistics.median(each.seconds for each in self.windows) / self.calls * 1e6

    @property
    def parent(self) -> float:
        """Microseconds of the calling process's processor time for a vector step, in the median window."""
        return statistics.median(each.parent_seconds for each in self.windows) / self.calls * 1e6


@dataclass(frozen=True)
class PythonResults:
    """Everything measured in one run.

    Attributes:
        machine: where.
        seconds: length of a window.
        rounds: windows of each player per case.
        workers: worker processes of ours; ``None`` for each interface's own default.
        measurements: in the order of cases, ours first in each.
    """

    machine: Machine
    seconds: float
    rounds: int
    workers: int | None
    measurements: list[PythonMeasurement]

    @property
    def cases(self) -> list[PythonCase]:
        """All cases measured, in order."""
        return list(dict.fromkeys(each.case for each in self.measurements))

    def of_case(self, case: PythonCase) -> list[PythonMeasurement]:
        """The measurements of one case."""
        return [each for each in self.measurements if each.case is case]

    def by(self, name: str, case: PythonCase) -> PythonMeasurement | None:
        """The measurement of one player in one case; ``None`` where there is none."""
        return next((each for each in self.of_case(case) if each.player.name == name), None)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data; times in microseconds per vector step."""
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
