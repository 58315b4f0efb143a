"""Draws the plots of the README and the pages from the tables on them: `nox -s docs_pictures`.

The tables are written by the benchmarks (`nox -s bench -- atari`, `nox -s bench_python`). Needs matplotlib.
"""

from pathlib import Path

import matplotlib

matplotlib.use("agg")

from matplotlib import pyplot

DOCS = Path(__file__).parents[1]
SUFFIXES = {"k": 1e3, "M": 1e6}


def tables(page, first):
    """Returns the tables of a page whose first heading is `first`, each a list of rows of cells, headings first."""
    found, rows = [], []
    for line in [*page.read_text().splitlines(), ""]:
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip("|").split("|")])
            continue
        if rows and rows[0][0] == first:
            found.append([rows[0], *rows[2:]])
        rows = []
    return found


def number(text):
    """Parses a number of a table, such as `12.4 k`, `2.5x` or `3914`."""
    value, _, suffix = text.removesuffix("x").partition(" ")
    return float(value) * SUFFIXES.get(suffix, 1)


def atari():
    """Plots steps per second of each Atari game, with a bar for each library."""
    ((_, *rows),) = (table for table in tables(DOCS / "atari.md", "game") if "EnvPool" in table[0])
    figure, panel = pyplot.subplots(figsize=(9.0, 3.6), layout="constrained")
    for place, (column, label) in enumerate(((1, "envpool_rs"), (2, "EnvPool"), (3, "AtariVectorEnv"))):
        rates = [number(row[column]) for row in rows]
        panel.bar([index + 0.28 * (place - 1) for index in range(len(rows))], rates, 0.26, label=label)
    panel.set_xticks(range(len(rows)), [row[0].removesuffix("-v5") for row in rows], rotation=30, ha="right")
    panel.set(ylabel="environment steps per second", title="64 environments, 2 threads: best window")
    panel.grid(axis="y", alpha=0.3)
    figure.legend(loc="outside right upper", frameon=False)
    return figure


def python_environments():
    """Plots microseconds of a step of Python environments, with a panel for each case and a bar for each library."""
    found = [table for table in tables(DOCS / "benchmarks.md", "library") if "us per step: best" in table[0]]
    titles = ("8 CartPoles", "64 CartPoles", "8 image environments")
    figure, panels = pyplot.subplots(1, len(found), figsize=(11.0, 4.0), layout="constrained", sharey=True)
    for panel, title, (_, *rows) in zip(panels, titles, found, strict=True):
        names = [row[0].rpartition(" (")[0].removeprefix("envpool_rs ") for row in rows]
        colors = ["C0" if row[0].startswith("envpool_rs") else "C1" for row in rows]
        panel.barh(names, [number(row[1]) for row in rows], color=colors)
        panel.set(title=title, xlabel="µs per step, best window")
        panel.grid(axis="x", alpha=0.3)
    panels[0].invert_yaxis()
    return figure


def families():
    """Plots the ratio to EnvPool's speed, with a bar for each row of the README's table of speeds."""
    ((_, *rows),) = (table for table in tables(DOCS.parent / "README.md", "family") if "EnvPool" in table[0])
    labels, family = [], ""
    for row in rows:
        family = row[0] or family
        labels.append(f"{family}: {row[1].strip('`')}")
    ratios = [number(row[5]) for row in rows]
    figure, panel = pyplot.subplots(figsize=(8.0, 3.6), layout="constrained")
    bars = panel.barh(labels, ratios, color="C0")
    panel.bar_label(bars, [f"{ratio:.3g}x" for ratio in ratios], padding=3)
    panel.axvline(1.0, color="C1")
    panel.set(
        xscale="log",
        xlim=(0.8, 2.2 * max(ratios)),
        title="Environment steps per second: envpool_rs / EnvPool, 2 threads",
    )
    panel.grid(axis="x", alpha=0.3)
    panel.invert_yaxis()
    return figure


def level_replay():
    """Plots mean returns over steps with replayed and with uniform levels: a thin line for each seed, and the mean."""
    ((heading, *rows),) = tables(DOCS / "programs.md", "sampling of levels")
    steps = [number(each.replace(",", "")) / 1e6 for each in heading[2:]]
    figure, panel = pyplot.subplots(figsize=(6.0, 3.4), layout="constrained")
    for color, sampling in (("C0", "replay"), ("C1", "uniform")):
        curves = [[number(each) for each in row[2:]] for row in rows if row[0] == sampling]
        for curve in curves:
            panel.plot(steps, curve, color, lw=0.7, alpha=0.6)
        panel.plot(steps, [sum(each) / len(each) for each in zip(*curves, strict=True)], color, lw=2.5, label=sampling)
    panel.set(
        xlabel="million steps", ylabel="mean return on unseen levels", title="MiniGrid-DoorKey-8x8-v0, five seeds"
    )
    panel.grid(alpha=0.3)
    panel.legend(frameon=False)
    return figure


def main():
    for name, draw in {
        "speed.png": families,
        "benchmark_atari.png": atari,
        "benchmark_python.png": python_environments,
        "level_replay.png": level_replay,
    }.items():
        figure = draw()
        figure.savefig(DOCS / name, dpi=90)
        pyplot.close(figure)
        print(f"{DOCS / name}: {(DOCS / name).stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
