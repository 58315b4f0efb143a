"""One small Ray for all tests here."""

import pytest
import ray


@pytest.fixture(scope="session")
def cluster():
    """Ray with two CPUs."""
    if not ray.is_initialized():
        options = {"object_store_memory": 200 * 1024**2, "include_dashboard": False, "log_to_driver": False}
        ray.init(num_cpus=2, **options)
    yield ray
    ray.shutdown()
