"""Tests faults between Python and the extension: forks, pending exceptions, garbage collection, closed pools."""

from __future__ import annotations

import gc
import multiprocessing
import operator
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs import make_python
from gymnasium import spaces
from python_envs import GatedEnv, signal_sender


class SlowEnv(gymnasium.Env):
    """Environment whose steps sleep for a given time."""

    observation_space = spaces.Discrete(2)
    action_space = spaces.Discrete(2)

    def __init__(self, seconds=0.0):
        self.seconds = seconds

    def reset(self, *, seed=None, options=None):
        return 0, {}

    def step(self, action):
        time.sleep(self.seconds)
        return 0, 0.0, False, False, {}


def in_forks(draw, children=3):
    """Calls `draw` in forked children of this process; returns the results as text."""
    drawn = []
    for _ in range(children):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.write(writer, repr(draw()).encode())
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            drawn.append(pipe.read())
        os.waitpid(child, 0)
    return drawn


def seed_of_a_spec():
    return envpool_rs._core.Spec("CartPole-v1", "gymnasium", {}).config["seed"]


def observation(env):
    seen = env.reset()[0]
    env.close()
    return np.asarray(seen).tolist()


def map_of(env):
    env.reset(seed=0)
    return env.render()


DRAWS = {
    "make_spec": seed_of_a_spec,
    "make_vec": lambda: observation(envpool_rs.make_vec("CartPole-v1", num_envs=1)),
    "make_gymnasium": lambda: observation(gymnasium.make("envpool_rs/CartPole-v1")),
    "random map": lambda: map_of(gymnasium.make("envpool_rs/FrozenLake-v1", map_name=None, render_mode="ansi")),
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
@pytest.mark.parametrize("draw", DRAWS)
def test_forked_processes_draw_different_seeds(draw):
    DRAWS[draw]()  # the parent draws before the fork, which copies the resulting state
    drawn = in_forks(DRAWS[draw])
    assert all(drawn)
    assert len(set(drawn)) == len(drawn)


def test_a_pool_dropped_while_an_exception_is_pending_leaves_the_exception():
    pools = (make_python([SlowEnv], num_workers=1) for _ in range(1))
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        next(map(operator.index, pools))


@pytest.mark.skipif(sys.platform != "linux", reason="signals of Linux")
def test_a_handler_that_closes_the_pool_during_a_step_raises_pool_closed():
    step_started, gate = (multiprocessing.get_context("fork").Event() for _ in range(2))
    pool = make_python([lambda: GatedEnv(gate, step_started)], num_workers=1, context="fork")
    pool.reset()

    def close(*_):
        gate.set()
        time.sleep(0.5)  # the reply arrives within this time
        pool.close()

    before = signal.signal(signal.SIGALRM, close)
    sender = signal_sender(step_started, signal.SIGALRM)
    try:
        sender.start()
        with pytest.raises(RuntimeError, match="closed"):
            pool.step(np.zeros(1, np.int64))
    finally:
        sender.join()
        signal.signal(signal.SIGALRM, before)


def test_closing_in_another_thread_ends_a_step_with_the_closed_error():
    for delay in np.linspace(0.01, 0.06, 8):
        pool = make_python([SlowEnv] * 2, num_workers=2)
        pool.reset()
        with ThreadPoolExecutor(1) as executor:
            closing = executor.submit(lambda pool=pool, delay=delay: (time.sleep(delay), pool.close()))
            with pytest.raises(RuntimeError, match=r"^this pool is closed"):
                while True:
                    pool.step(np.zeros(2, np.int64))
            closing.result()


COLLECTING = """
import gc, envpool_rs
env = envpool_rs.make_vec("MiniGrid-Empty-5x5-v0", num_envs=4)
env.reset(seed=0)
depth = 0
def step(phase, info):
    global depth
    if phase == "start" and depth == 0:
        depth += 1
        try:
            env.step([0] * 4)
        except RuntimeError:
            pass
        depth -= 1
gc.callbacks.append(step)
gc.set_threshold(1, 1, 1)
kept = [env.step([0] * 4) for _ in range(300)]
gc.callbacks.clear()
print(len(kept))
"""


def test_a_garbage_collection_during_text_conversion_may_step_the_pool():
    done = subprocess.run([sys.executable, "-c", COLLECTING], capture_output=True, timeout=60, check=False)
    assert done.stdout == b"300\n", done.stderr


def test_the_garbage_collector_visits_the_references_of_a_pool():
    env = envpool_rs.make_vec("CartPole-v1", num_envs=1)
    pool = env if isinstance(env, envpool_rs._core.Pool) else env.unwrapped
    assert gc.is_tracked(pool)
    assert any(callable(held) and not isinstance(held, type) for held in gc.get_referents(pool))
    env.close()
