"""Plots steps per second over pool sizes."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from envpool_bench.results import Measurement, Results


def import_pyplot() -> Any:
    """Imports matplotlib with a file backend.

    Raises:
        ImportError: if matplotlib is not installed; the message names the extra to install.
    """
    try:
        importlib.import_module("matplotlib").use("agg")
        return importlib.import_module("matplotlib.pyplot")
    except ImportError as error:
        raise ImportError("--plot needs matplotlib: pip install --group bench") from error


def write_plot(path: Path, results: Results) -> None:
    """Plots steps per second over pool sizes, with a panel for each task and a line for each library.

    Bars extend from the median to the best window.

    Args:
        path: the image file; its suffix selects the format.
        results: the measurements.

    Raises:
        ImportError: if matplotlib is not installed.
        ValueError: for a suffix that matplotlib does not support.
    """
    pyplot = import_pyplot()
    tasks = results.tasks
    figure, panels = pyplot.subplots(len(tasks), squeeze=False, figsize=(9.0, 4.2 * len(tasks)), layout="constrained")
    for task, panel in zip(tasks, panels[:, 0], strict=True):
        _draw_task(panel, task, results.of_task(task))
    figure.savefig(path, dpi=150)
    pyplot.close(figure)


def _draw_task(panel: Any, task: str, measurements: list[Measurement]) -> None:
    modes = list(dict.fromkeys(each.case.mode for each in measurements))
    for number, library in enumerate(dict.fromkeys(each.library for each in measurements)):
        own = [each for each in measurements if each.library == library]
        # Asynchronous and synchronous pools are drawn as separate lines.
        for part in ([each for each in own if each.case.is_async is wanted] for wanted in (False, True)):
            _draw_line(panel, part, [modes.index(each.case.mode) for each in part], f"C{number}")
        panel.plot([], [], marker="o", color=f"C{number}", label=f"{library} {own[0].version}")
    panel.set_xticks(range(len(modes)), modes)
    panel.set(title=task, xlabel="environments", ylabel="environment steps per second", yscale="log")
    panel.grid(alpha=0.3)
    panel.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)


def _draw_line(panel: Any, measurements: list[Measurement], places: list[int], color: str) -> None:
    median = [each.median_rate for each in measurements]
    to_best = [[0.0] * len(measurements), [each.best_rate - each.median_rate for each in measurements]]
    line = "" if all(each.case.is_async for each in measurements) else "-"
    panel.errorbar(places, median, yerr=to_best, marker="o", capsize=3, linestyle=line, color=color)
