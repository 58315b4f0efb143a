"""Helpers of the tests `test_worker_group*.py`."""

import numpy as np
from envpool_rs.workers import WorkerGroup


def group_of(env_fns, **options):
    return WorkerGroup(env_fns, **{"context": "fork", "num_workers": 2, **options})


def reset(group, seeds=None, ids=None, **keywords):
    group.send_resets(ids, seeds, **keywords)
    group.wait()
    return group.take_steps(ids)


def step(group, actions=None):
    group.send_steps(None, np.zeros(group.num_envs, np.int64) if actions is None else actions)
    group.wait()
    steps = group.take_steps()
    for failure in steps.failures.values():
        raise failure.raised()
    return steps
