"""Runs examples/ppo_atari.py for a few steps; docs/programs.md has the results of long runs on Pong."""

import csv
import importlib.util
import math

import pytest
from conftest import EXAMPLES, consumer

torch = consumer("torch")
consumer("ale_py")  # the example needs ale-py's cartridges

# Arguments of a short run: one update of 8 x 4 steps in three minibatches.
SHORT = [
    "--steps",
    "32",
    "--num-envs",
    "4",
    "--rollout",
    "8",
    "--minibatch",
    "12",
    "--epochs",
    "1",
    "--torch-threads",
    "1",
]


@pytest.fixture
def ppo_atari(monkeypatch):
    """Imports examples/ppo_atari.py as a module."""
    monkeypatch.setenv(
        "OMP_WAIT_POLICY", "PASSIVE"
    )  # registers the variable, which the program sets, to be restored after the test
    specification = importlib.util.spec_from_file_location("ppo_atari", EXAMPLES / "ppo_atari.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_an_update_changes_every_weight_and_is_logged(ppo_atari, run_example, tmp_path):
    printed = run_example("ppo_atari.py", *SHORT, "--csv", "curve.csv", "--save", "agent.pt").splitlines()
    torch.manual_seed(1)
    before = ppo_atari.Agent(frames=4, size=42, actions=6).state_dict()
    after = torch.load(tmp_path / "agent.pt")
    assert before.keys() == after.keys()
    for name, weights in after.items():
        assert weights.isfinite().all() and not torch.equal(weights, before[name]), name

    with (tmp_path / "curve.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert tuple(row) == ppo_atari.COLUMNS
    assert (row["steps"], row["episodes"]) == ("32", "0")
    assert 0 < float(row["seconds_in_environments"]) < float(row["seconds"])
    assert 0 < float(row["entropy"]) <= math.log(6) + 1e-3
    share = float(printed[-1].split(",")[1].rstrip("%"))
    assert "in the environments" in printed[-1] and 0 < share < 100


def test_rewards_after_an_episode_end_do_not_count_before_the_end(ppo_atari):
    rollout = ppo_atari.Rollout(4, 1, (1, 1, 1))
    rollout.rewards[:, 0] = torch.tensor([0.0, -1.0, 0.0, 1.0])
    rollout.ends[1] = rollout.terminations[1] = 1
    advantages = rollout.advantages(torch.tensor([8.0]), gamma=0.5, decay=1.0).flatten()
    assert advantages.tolist() == [-0.5, -1.0, 2.5, 5.0]


def test_a_truncated_episode_is_bootstrapped_with_its_value(ppo_atari):
    rollout = ppo_atari.Rollout(2, 1, (1, 1, 1))
    rollout.ends[0] = 1
    rollout.values[1] = 6.0  # value of the last observation of the ended episode
    advantages = rollout.advantages(torch.tensor([0.0]), gamma=0.5, decay=1.0).flatten()
    assert advantages.tolist() == [3.0, -6.0]
