"""Draws the mean return over steps and over time, from the file that `ppo_atari.py --csv` writes.

Also draws the mean return on unseen levels if the file of `ppo_levels.py` for them exists: `coinrun-unseen.csv` next
to `coinrun.csv`.

pip install matplotlib
python examples/plot_training.py pong.csv pong.png
"""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot


def read(path):
    """Reads the CSV file; returns its columns by name, without the rows before the first ended episode."""
    with Path(path).open(newline="") as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    rows = [row for row in rows if row["mean_return"] == row["mean_return"]]  # nan: no episode has ended
    if not rows:
        sys.exit(f"{path}: no episode has ended yet")
    return {name: [row[name] for row in rows] for name in rows[0]}


def draw(curve, unseen, path):
    """Draws two panels: the mean return over steps, and the mean return over minutes. `unseen` has the curve on unseen
    levels, or is `None`.
    """
    figure, panels = pyplot.subplots(1, 2, sharey=True, figsize=(9.0, 3.6), layout="constrained")
    million_steps, minutes = ([each / unit for each in curve[name]] for name, unit in (("steps", 1e6), ("seconds", 60)))
    cpu_minutes = [each / 60 for each in curve["cpu_seconds"]]
    panels[0].plot(million_steps, curve["mean_return"])
    if unseen:
        panels[0].plot([each / 1e6 for each in unseen["steps"]], unseen["mean_return"], "k.--", label="unseen levels")
    panels[0].set(xlabel="million steps", ylabel="mean return of the last episodes")
    panels[1].plot(minutes, curve["mean_return"], label="time that passed")
    panels[1].plot(cpu_minutes, curve["mean_return"], label="processor time, both cores together")
    panels[1].set(xlabel="minutes")
    figure.legend(loc="outside upper right", ncols=2, frameon=False)
    for panel in panels:
        panel.grid(alpha=0.3)
    figure.savefig(path, dpi=90)


if __name__ == "__main__":
    if len(sys.argv) != 3:  # noqa: PLR2004
        sys.exit(__doc__)
    curve_path = Path(sys.argv[1])
    unseen_path = curve_path.with_stem(curve_path.stem + "-unseen")
    draw(read(curve_path), read(unseen_path) if unseen_path.exists() else None, sys.argv[2])
