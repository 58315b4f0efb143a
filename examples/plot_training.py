"""Draws the mean return over steps and over time, from the file that `ppo_atari.py --csv` writes.

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
    rows = [row for row in rows if row["episodes"] > 0]
    if not rows:
        sys.exit(f"{path}: no episode has ended yet")
    return {name: [row[name] for row in rows] for name in rows[0]}


def draw(curve, path):
    """Draws two panels: the mean return over steps, and the mean return over minutes."""
    figure, panels = pyplot.subplots(1, 2, sharey=True, figsize=(9.0, 3.6), layout="constrained")
    million_steps, minutes = ([each / unit for each in curve[name]] for name, unit in (("steps", 1e6), ("seconds", 60)))
    cpu_minutes = [each / 60 for each in curve["cpu_seconds"]]
    panels[0].plot(million_steps, curve["mean_return"])
    panels[0].set(xlabel="million steps (of four frames)", ylabel="mean return of the last 100 episodes")
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
    draw(read(sys.argv[1]), sys.argv[2])
