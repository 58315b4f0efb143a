"""Fixtures of the tests of pools of environments written in Python."""

import faulthandler

import pytest


@pytest.fixture(autouse=True)
def watchdog():
    faulthandler.dump_traceback_later(40, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def made():
    """Makes pools that are closed when the test ends."""
    pools = []

    def keep(pool):
        pools.append(pool)
        return pool

    yield keep
    for pool in pools:
        if not pool.closed:
            pool.close(terminate=True)
