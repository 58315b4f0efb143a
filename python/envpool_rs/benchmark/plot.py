"""Results as a picture."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from envpool_rs.benchmark.results import Measurement, Results


def import_pyplot() -> Any:
    """matplotlib, drawing to files.

    Raises:
        ImportError: where it is not installed, naming the extra.
    """
    try:
        importlib.import_module("matplotlib").use("agg")
        return importlib.import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError("--plot needs matplotlib: pip install 'envpool_rs[bench]'") from error


def write_plot(path: Path, results: Results) -> None:
    """Draws steps per second over pool sizes, a panel for each task and a line for each library; bars reach from the
    median to the best window.

    Args:
        path: the picture; its suffix says the format.
        results: what was measured.

    Raises:
        ImportError: where matplotlib is not installed.
        ValueError: for a suffix that matplotlib does not know.
    """
    pyplot = import_pyplot()
    tasks = results.tasks
    figure, panels = pyplot.subplots(len(tasks), squeeze=False, figsize=(7.5, 4.2 * len(tasks)), layout="constrained")
    for task, panel in zip(tasks, panels[:, 0], strict=True):
        _draw_task(panel, task, results.of_task(task))
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def _draw_task(panel: Any, task: str, measurements: list[Measurement]) -> None:
    modes = list(dict.fromkeys(each.case.mode for each in measurements))
    for library in dict.fromkeys(each.library for each in measurements):
        own = [each for each in measurements if each.library == library]
        median = [each.median_rate for each in own]
        to_best = [[0.0] * len(own), [each.best_rate - each.median_rate for each in own]]
        places = [modes.index(each.case.mode) for each in own]
        panel.errorbar(places, median, yerr=to_best, marker="o", capsize=3, label=f"{library} {own[0].version}")
    panel.set_xticks(range(len(modes)), modes)
    panel.set(title=task, xlabel="environments", ylabel="environment steps per second", yscale="log")
    panel.grid(alpha=0.3)
    panel.legend()
