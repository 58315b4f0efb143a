"""Consumers of environments, at their own releases. Without one of them its tests are skipped; `make test-consumers`
installs all, and skips none.
"""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
ALL = os.environ.get("ENVPOOL_RS_ALL_CONSUMERS") == "1"


def consumer(name):
    """A consumer's module; skips the tests of the file where it is not installed, unless all have to be."""
    return importlib.import_module(name) if ALL else pytest.importorskip(name)


@pytest.fixture
def run_example(tmp_path):
    """Runs one of the examples as a program in a folder of its own, and returns what it printed."""

    def run(name, *arguments):
        command = [sys.executable, str(EXAMPLES / name), *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture
def as_envpool():
    """`import envpool` gives this package."""
    from envpool_rs import install_as_envpool

    with install_as_envpool(force=True):
        yield
