"""Runs examples/ppo_procgen.py for two small updates."""

import csv
from importlib.util import find_spec

import pytest
from conftest import consumer

torch = consumer("torch")
# The example needs the pictures of procgen-mirror, which `make test-consumers` installs into a folder of their own.
if find_spec("procgen") is None:
    pytest.skip("procgen-mirror is not installed", allow_module_level=True)

SIZES = ["--num-envs", "4", "--rollout", "8", "--minibatch", "16", "--epochs", "1", "--torch-threads", "1"]
TESTS = ["--test-every", "1", "--test-steps", "2", "--test-envs", "2", "--threads", "1", "--device", "cpu"]


def test_training_and_unseen_levels_have_separate_curves(run_example, tmp_path):
    run_example("ppo_procgen.py", "--steps", "64", *SIZES, *TESTS, "--csv", "curve.csv", "--save", "agent.pt")
    curves = {}
    for name in ("curve.csv", "curve-unseen.csv"):
        with (tmp_path / name).open(newline="") as file:
            curves[name] = list(csv.DictReader(file))
    assert [row["steps"] for row in curves["curve.csv"]] == ["32", "64"]
    assert [row["steps"] for row in curves["curve-unseen.csv"]] == ["32", "64"]
    weights = torch.load(tmp_path / "agent.pt")
    assert all(weight.isfinite().all() for weight in weights.values())
