"""Runs the training benchmark for a second with each kind of executor that is installed."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import consumer

consumer("torch")

PROGRAM = Path(__file__).parents[2] / "benches" / "python"
NEEDED = {"envpool_rs": "envpool_rs", "AsyncVectorEnv": "gymnasium", "SubprocVecEnv": "stable_baselines3"}


@pytest.mark.parametrize("executor", NEEDED)
def test_a_training_reports_steps_seconds_and_a_curve(executor, tmp_path):
    if find_spec(NEEDED[executor]) is None:
        pytest.skip(f"{NEEDED[executor]} is not installed")
    log, page = tmp_path / "runs.jsonl", tmp_path / "page.md"
    page.write_text("before\n<!-- training: begin -->\nold\n<!-- training: end -->\nafter\n")
    options = ["--tasks", "CartPole-v1", "--executors", executor, "--limit", "1", "--threads", "1"]
    command = [sys.executable, str(PROGRAM), "train", *options, "--json", str(log), "--markdown", str(page)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    (line,) = log.read_text().splitlines()
    run = json.loads(line)
    assert (run["task"], run["executor"], run["reached"]) == ("CartPole-v1", executor, False)
    assert run["steps"] % 2048 == 0 and run["steps"] > 0
    assert 0 < run["seconds_in_environments"] < run["seconds"]
    assert run["curve"][-1][1] == round(run["mean_return"], 2) > 0
    text = page.read_text()
    assert f"| CartPole-v1 | 475 | {executor} | " in text and "old" not in text
    assert text.startswith("before") and text.endswith("after\n")
