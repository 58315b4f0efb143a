"""Checks that neither steps nor closed pools leak memory or threads.

``ENVPOOL_RS_LONG_TESTS=1`` runs ten million environment steps instead of a few hundred thousand, in each pattern.
"""

import contextlib
import gc
import os
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

import envpool_rs
import numpy as np
import pytest

LONG = "ENVPOOL_RS_LONG_TESTS" in os.environ
STEPS = 10_000_000 if LONG else 250_000
NUM_ENVS = 50
LARGEST_GROWTH = 2**18
"""Bytes by which memory may grow in a round: less than 64 bytes for each of the 5,000 calls of a round."""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc")]


def resident():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def assert_no_leak(act, rounds=5):
    """Asserts that memory stays the same in one of several rounds of calls; a leak would add memory in each round."""
    growths = []
    while not growths or growths[-1] >= LARGEST_GROWTH:
        assert len(growths) < rounds, growths
        before = resident()
        act()
        growths.append(resident() - before)


def test_a_leak_of_64_bytes_for_each_call_is_seen():
    # In a process of its own: objects could fill memory that other tests have freed.
    program = """if True:
        from test_memory import assert_no_leak
        held = [bytes(31) for _ in range(200_000)]
        try:
            assert_no_leak(lambda: held.extend(bytes(31) for _ in range(5_000)), rounds=3)
        except AssertionError:
            print("seen")
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert done.stdout == b"seen\n", done.stderr


def drop(env, action):
    return lambda: env.step(action)


def hold_observations(env, action):
    held = deque(maxlen=20)
    return lambda: held.append(env.step(action)[0])


def hold_results(env, action):
    held = deque(maxlen=3)
    return lambda: held.append(env.step(action))


def change_infos(env, action):
    def act():
        info = env.step(action)[-1]
        info["mine"] = info["elapsed_step"] * 2
        del info["env_id"]

    return act


def send_and_receive(env, action):
    def act():
        env.send(action)
        env.recv()

    return act


def step_some(env, action):
    ids = [np.arange(0, NUM_ENVS, 2), np.arange(1, NUM_ENVS, 2), np.arange(NUM_ENVS)]

    def act():
        for each in ids[:2]:
            env.step(action[each], each)

    return act


def reset_now_and_then(env, action):
    def act():
        env.step(action)
        env.reset(np.array([3, 4]), seed=5)

    return act


PATTERNS = [drop, hold_observations, hold_results, change_infos, send_and_receive, step_some, reset_now_and_then]


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.__name__)
def test_steps_leak_no_memory(pattern):
    env = envpool_rs.make("CartPole-v1", num_envs=NUM_ENVS)
    env.reset()
    act = pattern(env, np.zeros(NUM_ENVS, np.int64))
    for _ in range(1000):
        act()

    def act_often():
        for _ in range(STEPS // NUM_ENVS):
            act()

    assert_no_leak(act_often)


@pytest.mark.parametrize("options", [{}, {"autoreset_mode": "same_step"}, {"record_episode_statistics": True}], ids=str)
def test_asynchronous_steps_leak_no_memory(options):
    env = envpool_rs.make("FrozenLake-v1", num_envs=NUM_ENVS, batch_size=10, **options)
    env.async_reset()
    action = np.zeros(10, np.int64)

    def play(batches):
        for _ in range(batches):
            env.send(action, env.recv()[-1]["env_id"])

    play(1000)
    assert_no_leak(lambda: play(STEPS // 10 // (1 if LONG else 2)))


def test_panics_leak_no_memory(capfd):
    env = envpool_rs.make("test/Scripted-v0", num_envs=1)

    def fail(times):
        for _ in range(times):
            with pytest.raises(RuntimeError, match="panicked"):
                env.step([1001])
            env.reset([0])
            capfd.readouterr()  # discards the output of panics, which would accumulate

    env.reset()
    fail(100)
    assert_no_leak(lambda: fail(1000))


def workers():
    count = 0
    for each in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):  # the thread may end during the check
            count += (each / "comm").read_text().startswith("envpool")
    return count


def test_a_thousand_pools_leak_no_memory_or_threads():
    def live(times):
        for number in range(times):
            env = envpool_rs.make("test/Scripted-v0", num_envs=8, num_threads=2, batch_size=4 * (number % 2))
            env.async_reset()
            env.recv()
            if number % 3 == 0:
                env.close()

    def live_and_end():
        live(1000)
        end = time.monotonic() + 60
        while workers():
            assert time.monotonic() < end, "threads go on without their pool"
            time.sleep(0.01)

    live(100)
    assert_no_leak(live_and_end)
