"""Runs examples/ppo_levels.py for two small updates."""

import csv

import envpool_rs
import pytest
from conftest import consumer

torch = consumer("torch")
# The example needs its task's files, which `nox -s consumers consumers_gym` installs into a folder of their own.
try:
    envpool_rs.make("CoinrunEasy-v0").close()
except ImportError as error:
    pytest.skip(str(error), allow_module_level=True)

SIZES = ["--num-envs", "4", "--rollout", "8", "--minibatch", "16", "--epochs", "1", "--torch-threads", "1"]
TESTS = ["--test-every", "1", "--test-steps", "2", "--test-envs", "2", "--threads", "1", "--device", "cpu"]


def test_training_and_unseen_levels_have_separate_curves(run_example, tmp_path):
    run_example("ppo_levels.py", "--steps", "64", *SIZES, *TESTS, "--csv", "curve.csv", "--save", "agent.pt")
    curves = {}
    for name in ("curve.csv", "curve-unseen.csv"):
        with (tmp_path / name).open(newline="") as file:
            curves[name] = list(csv.DictReader(file))
    assert [row["steps"] for row in curves["curve.csv"]] == ["32", "64"]
    assert [row["steps"] for row in curves["curve-unseen.csv"]] == ["32", "64"]
    weights = torch.load(tmp_path / "agent.pt")
    assert all(weight.isfinite().all() for weight in weights.values())
