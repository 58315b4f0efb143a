"""Fixture that starts a small Ray cluster for the tests of a module."""

import sys

import pytest
import ray
from interrupts import take_interrupts
from repository import IMPORTS, TESTS, python_path

sys.path.extend(IMPORTS)
take_interrupts()


@pytest.fixture(scope="module")
def cluster():
    """Starts a local Ray cluster with two CPUs, whose workers can import the tests' modules."""
    options = {"object_store_memory": 200 * 1024**2, "include_dashboard": False, "log_to_driver": False}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", python_path(TESTS / "ray"))
        ray.init(num_cpus=2, **options)
        yield ray
        ray.shutdown()
