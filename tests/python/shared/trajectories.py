"""Computes a digest of a trajectory of every task under fixed actions.

Run as a program, it prints the digests as JSON, with the vector instructions that were used. Subprocesses run it under
other environment variables, since the pool detects the processor's features once.
"""

import hashlib
import json

import envpool_rs
import numpy as np
from envpool_rs import _core
from policies import random_actions
from references.batch import flat
from tasks import TASKS, is_heavy


def size(task):
    """Returns the numbers of environments and of steps.

    45 environments are two full blocks of SIMD lanes, a small block and single lanes.
    """
    return (6, 40) if is_heavy(task) else (45, 130)


def digest(task):
    """Returns the hash of all observations, rewards and flags of a run, with a partial reset in the middle."""
    envs, steps = size(task)
    env = envpool_rs.make_vec(task, envs, seed=3)
    rng = np.random.default_rng(0)
    rows = envs if hasattr(env.single_action_space, "spaces") else envs * env.spec.players
    hashed = hashlib.sha256()

    def add(result):
        for array in [*flat(result[0]), *result[1:-1], *result[-1].values()]:
            hashed.update(array.encode() if isinstance(array, str) else array.tobytes())

    add(env.reset(seed=12))
    for step in range(steps):
        if step == steps // 2:
            mask = np.arange(envs) % 3 == 0
            add(env.reset(seed=50, options={"reset_mask": mask}))
        add(env.step(random_actions(env.single_action_space, rows, rng)))
    return hashed.hexdigest()


def digests():
    """Returns the digests of all tasks."""
    return {task: digest(task) for task in TASKS}


if __name__ == "__main__":
    print(json.dumps({"vectors": _core.vector_instructions(), "digests": digests()}))
