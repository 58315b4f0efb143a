"""Consumers of environments, at their own releases. Without one of them its tests are skipped; `make test-consumers`
installs all, and skips none.
"""

import importlib
import os
import runpy
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
ALL = os.environ.get("ENVPOOL_RS_ALL_CONSUMERS") == "1"


def consumer(name):
    """A consumer's module; skips the tests of the file where it is not installed, unless all have to be."""
    return importlib.import_module(name) if ALL else pytest.importorskip(name)


@pytest.fixture
def run_example(monkeypatch):
    """Runs one of the examples as a program, and returns its global names."""

    def run(name, *arguments):
        path = EXAMPLES / name
        monkeypatch.setattr(sys, "argv", [str(path), *arguments])
        return runpy.run_path(str(path), run_name="__main__")

    return run


@pytest.fixture
def as_envpool():
    """`import envpool` gives this package."""
    from envpool_rs import install_as_envpool

    with install_as_envpool(force=True):
        yield
