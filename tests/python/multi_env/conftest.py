"""Fixtures of the tests of `envpool_rs.multi_env`."""

import time

import pytest
from leftovers import children


@pytest.fixture
def no_child_is_left():
    """Checks that a test leaves no child processes.

    Processes that host environments are included, although multiprocessing does not track them.
    """
    before = children()
    yield
    deadline = time.monotonic() + 60
    while (left := children().keys() - before.keys()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left, [text for pid, text in children().items() if pid in left]
