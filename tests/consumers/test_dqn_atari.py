"""Runs examples/dqn_atari.py for a few hundred steps."""

import re

import pytest
from conftest import consumer

consumer("torch")
pytest.importorskip("ale_py")


def test_dqn_updates_its_network_from_frames(run_example):
    given = [
        "--steps",
        "400",
        "--start",
        "100",
        "--num-envs",
        "4",
        "--memory",
        "400",
        "--size",
        "42",
        "--device",
        "cpu",
    ]
    printed = run_example("dqn_atari.py", *given)
    updates, size = re.search(r"([\d,]+) updates; .* ([\d,]+) bytes per step", printed).groups()
    assert updates == "75"
    # A frame has 1,764 bytes, the stacks before and after a step 14,112.
    assert 1_764 < int(size.replace(",", "")) < 2_000
