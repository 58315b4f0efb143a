"""One small Ray for all tests here."""

import os
import sys
from pathlib import Path

import pytest
import ray

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS / "python"))


@pytest.fixture(scope="session")
def cluster():
    """Ray with two CPUs, whose workers find the modules of the tests."""
    paths = [*map(str, (TESTS / "python", TESTS / "ray")), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    options = {"object_store_memory": 200 * 1024**2, "include_dashboard": False, "log_to_driver": False}
    ray.init(num_cpus=2, **options)
    yield ray
    ray.shutdown()
