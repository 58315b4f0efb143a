"""Helpers of the tests `test_worker_faults*.py`."""

import os

import numpy as np
import pytest
from envpool_rs.workers import WorkerGroup

FORK_AND_SPAWN = pytest.mark.parametrize("context", ["fork", "spawn"])


def group_of(env_fns, **options):
    return WorkerGroup(env_fns, **{"context": "fork", "num_workers": 2, **options})


def reset(group, seeds=None, ids=None, **keywords):
    group.send_resets(ids, seeds, **keywords)
    group.wait()
    return group.take_steps(ids)


def step(group, actions=None, ids=None):
    count = group.num_envs if ids is None else len(ids)
    group.send_steps(ids, np.zeros(count, np.int64) if actions is None else actions)
    group.wait(ids)
    return group.take_steps(ids)


def pids_of(group):
    return [process.pid for process in group._processes]


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
