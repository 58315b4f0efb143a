"""Runs benchmark cases. Windows of this package and of the peers alternate, so that other load on the machine affects
all of them equally.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from envpool_bench.python_envs.case import PythonCase
from envpool_bench.python_envs.contender import Contender
from envpool_bench.python_envs.players import Player
from envpool_bench.python_envs.results import PythonMeasurement

Progress = Callable[[PythonCase, Player, int, float | None], None]
"""``progress(case, player, round, microseconds_per_step)``, called outside the windows; round 0 is the warm-up."""


def measure(
    case: PythonCase, players: Sequence[Player], seconds: float, rounds: int, progress: Progress
) -> list[PythonMeasurement]:
    """Measures all libraries on one case; their windows alternate.

    The processes of all libraries exist at the same time. Processes of libraries that are not being measured sleep.

    Args:
        case: the case.
        players: the libraries.
        seconds: length of a window.
        rounds: number of windows for each library.
        progress: called for each window.
    """
    with ExitStack() as made:
        contenders: list[Contender] = []
        for player in players:
            progress(case, player, 0, None)
            contenders.append(Contender(player, case))
            made.callback(contenders[-1].close)
        for contender in contenders:
            contender.calibrate(seconds)
        for number in range(1, rounds + 1):
            # The order of the libraries alternates, so that no library always runs after the same other library.
            for contender in contenders if number % 2 else reversed(contenders):
                window = contender.time_window()
                progress(case, contender.player, number, window.seconds / contender.calls * 1e6)
    return [PythonMeasurement(case, each.player, each.calls, each.windows) for each in contenders]
