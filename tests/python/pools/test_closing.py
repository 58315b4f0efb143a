"""Tests that closing a pool releases the interpreter's lock, even if its environments take long to close."""

import os
import subprocess
import sys
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import pytest
from leftovers import children

SECONDS = 0.6


class SlowToClose(gymnasium.Env):
    """Environment whose `close` takes long."""

    observation_space = gymnasium.spaces.Discrete(2)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        return 0, {}

    def step(self, action):
        return 0, 0.0, False, False, {}

    def close(self):
        time.sleep(SECONDS)


def ticks_while(close):
    """Calls ``close``; returns how often another thread ran during the call, and the call's duration."""
    ticks, is_over = [], threading.Event()

    def tick():
        while not is_over.wait(0.005):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    close()
    ended = time.monotonic()
    is_over.set()
    thread.join()
    return sum(began < moment < ended for moment in ticks), ended - began


def test_environments_of_worker_processes():
    env = envpool_rs.make_python([SlowToClose])
    env.reset()
    ticks, seconds = ticks_while(env.close)
    assert seconds > SECONDS / 2
    assert ticks > 10


@pytest.mark.skipif(find_spec("vizdoom") is None, reason="vizdoom is not installed")
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc")
def test_engines_that_write_a_recording(tmp_path):
    env = envpool_rs.make("Basic-v1", num_envs=1, lmp_save_dir=str(tmp_path), max_episode_steps=3)
    env.reset()
    [env.step(np.zeros((1, 3))) for _ in range(5)]
    mine = f"child of {os.getpid()}:"
    (engine,) = [pid for pid, command in children().items() if mine in command and "viz_instance_id" in command]
    # A stopped process does not reply. A separate program resumes it, because a thread of this process would wait for
    # the GIL.
    script = f"kill -STOP {engine}; echo; sleep {SECONDS}; kill -CONT {engine}"
    with subprocess.Popen(["sh", "-c", script], stdout=subprocess.PIPE) as program:
        program.stdout.readline()
        ticks, seconds = ticks_while(env.close)
    assert seconds > SECONDS / 2
    assert ticks > 10
    assert engine not in children()


OLD_GYMNASIUM = """
import gymnasium
def close_at_the_end(self):
    if not getattr(self, "closed", True):
        self.close()
gymnasium.vector.VectorEnv.__del__ = close_at_the_end  # as in gymnasium before 1.4
import envpool_rs
"""


@pytest.mark.parametrize(
    ("package", "program"),
    [
        ("jax", "pool = envpool_rs.make('CartPole-v1'); pool.xla()"),
        ("jax", "env = envpool_rs.make_vec('CartPole-v1', 2); env.xla()"),
        (
            "pettingzoo",
            """
from envpool_rs.pettingzoo import make_agent_vec
try:
    make_agent_vec("SimpleSpeakerListener-v4", 2)
except ValueError:
    pass
""",
        ),
    ],
    ids=["pool", "vector environment", "agents"],
)
@pytest.mark.slow
def test_the_end_of_the_interpreter_prints_nothing_about_open_pools(package, program):
    pytest.importorskip(package)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", OLD_GYMNASIUM + program], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
