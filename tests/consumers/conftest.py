"""Fixtures of the tests of trainers and other programs that use pools (consumers).

Tests of consumers that are not installed are skipped; `nox -s consumers consumers_gym` installs all of them.
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
    """Imports a consumer. If the consumer is not installed, skips the tests of the file, or fails if all consumers are
    required.
    """
    return importlib.import_module(name) if ALL else pytest.importorskip(name)


@pytest.fixture
def run_example(tmp_path):
    """Runs an example as a program in a temporary folder, and returns its output."""

    def run(name, *arguments):
        command = [sys.executable, str(EXAMPLES / name), *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=900, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run


@pytest.fixture
def as_envpool():
    """Makes `import envpool` return this package."""
    from envpool_rs import install_as_envpool

    with install_as_envpool(force=True):
        yield
