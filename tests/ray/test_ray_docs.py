"""Runs the examples of docs/ray.md unchanged."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "ray.md"
BLOCKS = re.findall(r"^```py\n(.*?)^```", PAGE.read_text(), re.M | re.S) if PAGE.exists() else []


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("block", BLOCKS)
def test_the_example_runs(block):
    exec(compile(block, str(PAGE), "exec"), {"__name__": "example"})
