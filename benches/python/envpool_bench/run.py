"""Plays cases: ours and the peers in turn, so that whatever else the machine does meanwhile meets all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from envpool_bench.case import Case
from envpool_bench.libraries import Library
from envpool_bench.results import Measurement, Settings, Skipped
from envpool_bench.windows import Contender

Progress = Callable[[Case, str, int, float | None], None]
"""``progress(case, library, round, steps_per_second)``, called outside the windows; round 0 is the warm-up, whose rate
is ``None``."""


def measure(
    case: Case, libraries: Sequence[Library], settings: Settings, progress: Progress
) -> tuple[list[Measurement], list[Skipped]]:
    """Times all libraries on one case, window by window in turn.

    Args:
        case: what to play.
        libraries: who; those that cannot play it are left out.
        settings: windows and rounds.
        progress: told of each window.

    Returns:
        The measurements in the order of ``libraries``, and who was left out.
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
        # There and back, so that nobody always plays after the same neighbour.
        for contender in contenders if number % 2 else reversed(contenders):
            call = contender.time_window()
            progress(case, contender.library.name, number, case.batch_size / call)


def _measurement(case: Case, contender: Contender) -> Measurement:
    library = contender.library
    return Measurement(case, library.name, library.version, contender.calls, contender.windows)
