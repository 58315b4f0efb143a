"""Runs benchmark cases. Windows of this package and of the peers alternate, so that other load on the machine affects
all of them equally.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from envpool_bench.case import Case
from envpool_bench.libraries import Library
from envpool_bench.results import Measurement, Settings, Skipped
from envpool_bench.windows import Contender

Progress = Callable[[Case, str, int, float | None], None]
"""``progress(case, library, round, steps_per_second)``, called outside the windows.

Round 0 is the warm-up, whose rate is ``None``.
"""


def measure(
    case: Case, libraries: Sequence[Library], settings: Settings, progress: Progress
) -> tuple[list[Measurement], list[Skipped]]:
    """Measures all libraries on one case; their windows alternate.

    Args:
        case: the case.
        libraries: the libraries; those that do not support it are skipped.
        settings: length and number of windows.
        progress: called for each window.

    Returns:
        The measurements in the order of ``libraries``, and the skipped libraries.
    """
    refusals = {library.name: library.refusal(case) for library in libraries}
    skipped = [Skipped(case, name, reason) for name, reason in refusals.items() if reason is not None]
    contenders: dict[str, Contender] = {}
    try:
        for library in sorted(libraries, key=lambda each: not each.has_processes):
            if refusals[library.name] is None:
                progress(case, library.name, 0, None)
                contenders[library.name] = Contender(library, case)
        play = [contenders[library.name] for library in libraries if library.name in contenders]
        _play_rounds(case, play, settings, progress)
    finally:
        for contender in contenders.values():
            contender.close()
    return [_measurement(case, each) for each in play], skipped


def _play_rounds(case: Case, contenders: list[Contender], settings: Settings, progress: Progress) -> None:
    for contender in contenders:
        progress(case, contender.library.name, 0, None)
        contender.calibrate(settings.seconds)
    for number in range(1, settings.rounds + 1):
        # The order of the libraries alternates, so that no library always runs after the same other library.
        for contender in contenders if number % 2 else reversed(contenders):
            call = contender.time_window()
            progress(case, contender.library.name, number, case.batch_size / call)


def _measurement(case: Case, contender: Contender) -> Measurement:
    library = contender.library
    return Measurement(case, library.name, library.version, contender.calls, contender.windows)
