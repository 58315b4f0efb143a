"""Shared parts of the tests of task libraries: compiles files, and compares pools.

Run as a program, this module plays a task of a library in a new process: see `play_saved`.
"""

import pickle
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from envpool_bench.plugins import builds

LANES = 64


def compiled(name, options=None, include=(), source=None):
    """Compiles an example or another source file and returns the library's path; skips the test without a compiler."""
    source = source or next(builds.EXAMPLES.glob(f"{name}.c*"))
    missing = builds.missing_compiler(source)
    if missing is not None:
        pytest.skip(missing)
    return builds.compile_library(source, options, include, name=f"lib{name}.so")


def crate_library(crate):
    """Builds a Rust crate that is a library of tasks, and returns the library's path; skips the test if cargo is
    missing.
    """
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed: expected it, to build a crate")
    return builds.cargo_library(crate)


def same(first, second):
    """Returns whether two results have the same arrays, except for the elapsed times of episodes."""
    if isinstance(first, dict):
        keys = first.keys() - {"t", "_t"}
        return keys == second.keys() - {"t", "_t"} and all(same(first[key], second[key]) for key in keys)
    if isinstance(first, (tuple, list)):
        return len(first) == len(second) and all(map(same, first, second))
    if isinstance(first, np.ndarray) and first.dtype == object:
        return all(map(same, first.ravel(), second.ravel()))
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and first.tobytes() == second.tobytes()
    return first == second


def policy(observation, number):
    """Returns actions for CartPole.

    Most environments push in the direction in which the pole falls; all others act at random, so that lengths of
    episodes vary.
    """
    random = np.random.default_rng(number).integers(0, 2, len(observation))
    is_balanced = np.arange(len(observation)) % 4 != 0
    return np.where(is_balanced, observation[:, 2] + observation[:, 3] > 0, random).astype(np.int64)


def compare(ours, other, steps, after_step=None):
    """Steps two pools with the same actions, and compares all their results."""
    first, second = ours.reset(seed=11), other.reset(seed=11)
    assert same(first, second)
    observation = first[0].copy()
    for number in range(steps):
        action = policy(observation, number)
        first, second = ours.step(action), other.step(action)
        assert same(first, second), number
        observation = first[0].copy()
        if after_step is not None:
            after_step(first, ours, other)


def play_saved(libraries, task, states, steps, **options):
    """Loads libraries in a new process, restores a pool of a task from snapshots, and returns the
    pool's observations.
    """
    with tempfile.TemporaryDirectory() as folder:
        arguments = Path(folder, "arguments")
        arguments.write_bytes(pickle.dumps((libraries, task, states, steps, options)))
        program = [sys.executable, __file__, str(arguments)]
        done = subprocess.run(program, check=False, capture_output=True, timeout=120)
        assert done.returncode == 0, done.stderr.decode()
        return pickle.loads(done.stdout)


def continued(env, steps):
    """Steps a pool with fixed actions, and returns its observations."""
    return [env.step((np.arange(env.num_envs) + number) % 2)[0].copy() for number in range(steps)]


def assert_snapshots_continue(libraries, task):
    """Checks that a snapshot continues equally in a new process with the libraries, and in the pool itself."""
    env = envpool_rs.make_vec(task, 8)
    env.reset(seed=2)
    continued(env, 30)
    states = env.get_state()
    expected = continued(env, 40)
    assert same(expected, play_saved(libraries, task, states, 40))
    env.set_state(states)
    assert same(expected, continued(env, 40))


def _main(path):
    libraries, task, states, steps, options = pickle.loads(Path(path).read_bytes())
    for library in libraries:
        envpool_rs.load_plugin(library)
    env = envpool_rs.make_vec(task, num_envs=len(states), **options)
    env.set_state(states)
    sys.stdout.buffer.write(pickle.dumps(continued(env, steps)))


if __name__ == "__main__":
    _main(sys.argv[1])
