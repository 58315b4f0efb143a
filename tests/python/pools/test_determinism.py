"""Tests that trajectories depend only on seeds and actions, not on threads, batches, chunks or the processor's
instructions.
"""

import functools
import json
import os
import subprocess
import sys

import envpool_rs
import numpy as np
import pytest
from policies import random_actions
from references.batch import flat
from tasks import FAMILY_OF, TASKS, VIZDOOM, is_heavy


@functools.cache
def trajectories(vectors=None):
    """Runs trajectories.py with at most the given vector instructions; returns the tasks' digests, and the instructions
    used.
    """
    variables = {key: value for key, value in os.environ.items() if key != "ENVPOOL_RS_VECTORS"}
    if vectors:
        variables["ENVPOOL_RS_VECTORS"] = vectors
    program = [sys.executable, "-m", "trajectories"]
    return json.loads(subprocess.run(program, env=variables, check=True, capture_output=True).stdout)


@pytest.mark.slow
@pytest.mark.parametrize("vectors", ["scalar", "avx2"])
@pytest.mark.parametrize("task", TASKS)
def test_trajectories_do_not_depend_on_vector_instructions(task, vectors):
    theirs, ours = trajectories(vectors), trajectories()
    if ours["vectors"] in (vectors, "scalar"):
        pytest.skip(f"this processor has no more than {vectors}")
    assert theirs["vectors"] == vectors != ours["vectors"]
    assert theirs["digests"][task] == ours["digests"][task]


def instructions(vectors):
    """Imports the package with a value of the variable, and returns the process's result and output."""
    program = [sys.executable, "-c", "from envpool_rs import _core; print(_core.vector_instructions())"]
    variables = {**os.environ, "ENVPOOL_RS_VECTORS": vectors}
    done = subprocess.run(program, env=variables, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout.strip(), done.stderr


@pytest.mark.parametrize("vectors", ["SCALAR", "Scalar", "AVX2"])
def test_names_of_vector_instructions_are_accepted_in_any_case(vectors):
    assert instructions(vectors) == instructions(vectors.lower())
    assert instructions("Scalar")[1] == "scalar"


@pytest.mark.parametrize("vectors", ["avx", "avx-2", "none", " scalar"])
def test_other_values_of_the_variable_are_refused(vectors):
    code, _, error = instructions(vectors)
    expected = f'ValueError: ENVPOOL_RS_VECTORS="{vectors}": expected scalar, baseline, avx2 or avx512, or nothing'
    assert code == 1 and expected in error


def actions_for(env, count, steps, seed=0):
    """Returns the actions of `count` environments for each step."""
    rng = np.random.default_rng(seed)
    rows = count if hasattr(env.single_action_space, "spaces") else count * env.spec.players
    return [random_actions(env.single_action_space, rows, rng) for _ in range(steps)]


def same(left, right):
    """Returns whether two results are equal bit for bit, except for their infos."""
    arrays = zip([*flat(left[0]), *left[1:-1]], [*flat(right[0]), *right[1:-1]], strict=True)
    return all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in arrays)


@pytest.mark.parametrize("task", TASKS)
def test_trajectories_do_not_depend_on_the_number_of_threads(task):
    # There are enough environments that every task's steps are divided among threads. ViZDoom's are whole games.
    count = 6 if task in VIZDOOM else 24 if is_heavy(task) else 6000 if envpool_rs.make_spec(task).players == 1 else 600
    pools = [envpool_rs.make(task, num_envs=count, num_threads=threads, seed=1) for threads in (1, 2, 5)]
    for actions in [None, *actions_for(pools[0], count, 12)]:
        first, *others = [pool.reset() if actions is None else pool.step(actions) for pool in pools]
        assert all(same(first, other) for other in others)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_trajectories_do_not_depend_on_the_order_or_size_of_requests(task):
    count = 40
    whole, parts = [envpool_rs.make(task, num_envs=count, num_threads=2, seed=1) for _ in range(2)]
    whole.reset()
    rng = np.random.default_rng(3)
    for ids in np.split(rng.permutation(count), [1, 9, 26]):
        parts.reset(ids)
    for actions in actions_for(whole, count, 25):
        expected = whole.step(actions)
        for ids in np.split(rng.permutation(count), np.sort(rng.integers(0, count, 3))):
            if len(ids):
                wanted = rows_of(expected[:4], ids, count)
                assert same(parts.step(rows_of(actions, ids, count), ids), (*wanted, 0))


def rows_of(value, ids, count):
    """Returns the rows of some environments in a batch."""
    if isinstance(value, dict):
        return {key: rows_of(part, ids, count) for key, part in value.items()}
    if isinstance(value, tuple):
        return tuple(rows_of(part, ids, count) for part in value)
    return value.reshape(count, -1, *value.shape[1:])[ids].reshape(-1, *value.shape[1:])


@pytest.mark.parametrize("batch_size", [1, 7])
@pytest.mark.parametrize("task", TASKS)
def test_asynchronous_trajectories_equal_synchronous_ones(task, batch_size):
    count, steps = 14, 30
    sync = envpool_rs.make(task, num_envs=count, seed=1)
    actions = actions_for(sync, count, steps)
    expected = [(*sync.reset(), 0), *(sync.step(each) for each in actions)]
    env = envpool_rs.make(task, num_envs=count, batch_size=batch_size, num_threads=2, seed=1)
    played = np.zeros(count, dtype=int)
    env.async_reset()
    while played.min() < steps:
        result = env.recv()
        ids = result[4]["env_id"]
        for row, index in enumerate(ids):
            if played[index] <= steps:
                got = rows_of(result[:4] if played[index] else result[:1], [row], batch_size)
                reference = expected[played[index]]
                wanted = rows_of(reference[:4] if played[index] else reference[:1], [index], count)
                assert same((*got, 0), (*wanted, 0)), (index, played[index])
        env.send(join([rows_of(actions[min(played[index], steps - 1)], [index], count) for index in ids]), ids)
        played[ids] += 1


def join(batches):
    """Concatenates batches of observations or actions."""
    if isinstance(batches[0], dict):
        return {key: join([batch[key] for batch in batches]) for key in batches[0]}
    return np.concatenate(batches)


@pytest.mark.parametrize("task", [task for task in TASKS if not FAMILY_OF[task].tests.get("has_common_seed")])
def test_seeds_are_consecutive(task):
    """Checks seeds of single environments.

    Families that draw the levels of all environments of a pool from one seed are excluded; their own tests cover seeds.
    """
    together = envpool_rs.make(task, num_envs=3, seed=20)
    apart = [envpool_rs.make(task, num_envs=1, seed=20 + index) for index in range(3)]
    listed = envpool_rs.make(task, num_envs=3, seed=[22, 20, 21])
    expected, other = together.reset(), listed.reset()
    for index in range(3):
        assert same(apart[index].reset(), (rows_of(expected[0], [index], 3), 0))
        assert same((rows_of(other[0], [(index + 1) % 3], 3), 0), (rows_of(expected[0], [index], 3), 0))
