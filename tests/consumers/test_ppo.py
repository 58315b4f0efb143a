"""Runs examples/ppo.py with gymnasium's and old gym's interface; docs/programs.md has the results of long runs."""

import pytest
from conftest import consumer

consumer("torch")


@pytest.mark.parametrize("interface", ["gymnasium", "gym"])
def test_ppo_learns_in_twenty_updates(run_example, interface):
    printed = run_example("ppo.py", "--steps", "40960", "--interface", interface).splitlines()
    assert "in the environments" in printed[-1]
    means = [float(line.split("mean return")[1].split()[0]) for line in printed if "mean return" in line]
    assert means[-1] > 60  # a policy of random actions has a mean return of 22


def test_training_stops_at_the_target_return(run_example):
    printed = run_example("ppo.py", "--until", "25")
    assert "mean return" in printed and len(printed.splitlines()) < 6
