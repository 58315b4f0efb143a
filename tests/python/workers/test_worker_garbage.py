"""Tests that forked worker processes do not collect Python objects that they inherit from the caller."""

import gc
import multiprocessing
import os

import pytest
from envpool_rs.workers import WorkerGroup
from python_envs import CountingEnv


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="needs fork")
def test_a_forked_worker_does_not_collect_the_callers_garbage(tmp_path):
    finalised = tmp_path / "finalised"

    class Garbage:
        def __init__(self):
            self.itself = self

        def __del__(self):
            with finalised.open("a") as lines:
                lines.write(f"{os.getpid()}\n")

    gc.collect()
    gc.disable()
    try:
        Garbage()
        group = WorkerGroup([CountingEnv] * 2, num_workers=1, context="fork")
        group.send_resets(None, [0, 1])
        group.wait()
        group.close()
        assert not finalised.exists()
        gc.collect()
    finally:
        gc.enable()
    assert finalised.read_text() == f"{os.getpid()}\n"
