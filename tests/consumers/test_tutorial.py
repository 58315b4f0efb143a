"""Runs the programs of the tutorial and of a migration page that need torch or Stable-Baselines3."""

import re
from pathlib import Path

from conftest import consumer

DOCS = Path(__file__).parents[2] / "docs"


def program(page, **shorter):
    """Returns the only `py` block of a page, with numbers replaced by smaller ones."""
    (block,) = re.findall(r"^```py\n(.*?)^```", (DOCS / page).read_text(), re.M | re.S)
    for before, after in shorter.values():
        assert block.count(before) == 1
        block = block.replace(before, after)
    return block


def test_the_ppo_of_the_tutorial_learns():
    consumer("torch")
    scope = {}
    exec(program("tutorial.md", goal=("< 475", "< 60")), scope)
    assert sum(scope["returns"][-100:]) >= 6000


def test_the_program_for_stable_baselines3_trains():
    consumer("stable_baselines3")
    scope = {}
    exec(program("migration/stable_baselines3.md", steps=("20_000", "1_024")), scope)
    assert scope["envs"].num_envs == 8
