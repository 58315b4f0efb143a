"""Runs the examples of queued levels and of randomised physics for some updates."""

import csv
import runpy
import sys

import pytest
from repository import ROOT

FOLDER = ROOT / "examples"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER.exists(), reason="needs the repository, not only the tests"),
]


def run(monkeypatch, name, *arguments):
    monkeypatch.setattr(sys, "argv", [name, *arguments])
    runpy.run_path(str(FOLDER / name), run_name="__main__")


@pytest.mark.parametrize("sampling", ["replay", "uniform"])
def test_level_replay(monkeypatch, tmp_path, sampling):
    curve = tmp_path / "curve.csv"
    sizes = ["--steps", "4000", "--num-envs", "8", "--rollout", "32", "--levels", "20", "--test-every", "4"]
    run(
        monkeypatch,
        "level_replay.py",
        "--task",
        "MiniGrid-Empty-5x5-v0",
        "--sampling",
        sampling,
        "--csv",
        str(curve),
        *sizes,
    )
    with curve.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["steps"]) for row in rows] == [0, 1024, 2048, 3072]
    assert float(rows[-1]["mean_return"]) >= 0


def test_domain_randomisation(monkeypatch, capsys):
    pytest.importorskip("mujoco")
    run(monkeypatch, "domain_randomisation.py", "--iterations", "15", "--limit", "20")
    widths = [float(line.rpartition("to ")[2]) for line in capsys.readouterr().out.splitlines()]
    assert widths == sorted(widths)
    assert widths[-1] > 1
