"""Tests calls of pools on a system that refuses memory: they raise ``MemoryError``, and the pool continues.

Each case runs in a separate process with a limit of its address space.
"""

import subprocess
import sys
import textwrap

import pytest
from plugin_libraries import COMPILER, SOURCE, counting
from tasks import HAS_ATARI, HAS_MUJOCO, INSTALLED

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")]

BEGIN = '''
import resource, sys, tempfile
import numpy as np
import envpool_rs

def limited(mebibytes):
    """The process may take this many more mebibytes from now on."""
    pages = int(open("/proc/self/statm").read().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (mebibytes << 20), resource.RLIM_INFINITY))

def unlimited():
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)

def keep_until_refused(act, limits=(8, 24, 40)):
    """Calls `act` and keeps all results, until the system refuses memory."""
    for limit in limits:
        kept = []
        limited(limit)
        try:
            while len(kept) < 1_000_000:
                kept.append(act())
        except MemoryError:
            pass
        except RuntimeError as error:  # of one environment
            assert "bytes for a message do not fit into memory" in str(error), error
        else:
            raise AssertionError("memory was never refused")
        finally:
            count = len(kept)
            kept.clear()
            unlimited()
    assert count > 0

def check_snapshots(env):
    """Snapshots are taken, and restored, on a system that refuses memory."""
    env.reset()
    before = env.get_state()
    keep_until_refused(env.get_state)
    assert env.get_state() == before

    # Snapshots are restored, or refused, and the environments go on in both cases.
    env.step(np.zeros((len(before), *env.action_space.shape), env.action_space.dtype))
    after = env.get_state()
    kept = []
    limited(24)
    try:
        while True:
            kept.append(bytearray(1 << 20))
            env.set_state(before)
            env.set_state(after)
    except MemoryError:
        kept.clear()
    unlimited()
    assert [bytes(state) for state in env.get_state()] in (before, after)
    env.set_state(before)
    assert env.get_state() == before
'''

# Environments whose infos and replies have the given number of bytes.
LARGE = """
import gymnasium
from envpool_rs.workers import WorkerGroup

class Large(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-1, 1, (2,))
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, seed=None, options=None):
        return np.zeros(2, np.float32), {}

    def step(self, action):
        return np.ones(2, np.float32), 0.0, False, False, {"data": bytes(action)}

    def reply(self, size):
        return bytes(size)
"""

CASES = {
    "states of CarRacing": """
        check_snapshots(envpool_rs.make("CarRacing-v3", num_envs=16))
        """,
    "states of Pong": """
        check_snapshots(envpool_rs.make("Pong-v5", num_envs=8))
        """,
    "states of Ant": """
        check_snapshots(envpool_rs.make("Ant-v5", num_envs=64))
        """,
    "states of Crafter": """
        check_snapshots(envpool_rs.make("CrafterReward-v1", num_envs=8))
        """,
    "states of Coinrun": """
        check_snapshots(envpool_rs.make("CoinrunHard-v0", num_envs=8))
        """,
    "states of many CartPoles": """
        env = envpool_rs.make("CartPole-v1", num_envs=100_000)
        env.reset()
        before = env.get_state()
        keep_until_refused(env.get_state, (64, 80, 96, 112))
        assert env.get_state() == before
        """,
    "pictures": """
        env = envpool_rs.make("CarRacing-v3", num_envs=2, render_mode="rgb_array")
        env.reset()
        before = env.render()
        keep_until_refused(env.render)
        assert np.array_equal(env.render(), before)
        """,
    "replies of Python environments": """
        for mode in ("sync", "async"):
            env = envpool_rs.make_vec(Large, 2, vectorization_mode=mode)
            env.reset()
            keep_until_refused(lambda: env.call("reply", 1 << 20))
            assert env.call("reply", 1 << 20) == (bytes(1 << 20),) * 2
            env.close()
        """,
    "a small reply among large ones": """
        # The large ones do not fit into the memory that some limits leave; the small one is delivered nevertheless.
        sizes = [5, *[8 << 20] * 7]
        group = WorkerGroup([Large] * 8, context="fork", num_workers=2)
        group.send_resets(None)
        group.wait()
        group.take_steps()
        refused = 0
        for limit in range(48, 96, 4):
            group.send_steps(None, sizes)
            group.wait()
            limited(limit)
            steps = group.take_steps()
            unlimited()
            assert 0 not in steps.failures and steps.infos[0] == {"data": bytes(5)}
            group.send_calls(None, "call", [("reply", (size,), {}) for size in sizes])
            group.wait()
            limited(limit)
            values = group.take_values()
            unlimited()
            assert values[0] == bytes(5)
            refused += len(steps.failures) + sum(not isinstance(value, bytes) for value in values)
            steps = values = None
        assert refused > 0
        group.close()
        """,
}

#: Requirements by a part of the case's program: whether this machine meets them.
NEEDS = {
    "Pong": HAS_ATARI,
    "Ant-v5": HAS_MUJOCO,
    "Crafter": "crafter" in INSTALLED,
    "Coinrun": "procgen" in INSTALLED,
}


@pytest.mark.parametrize("name", CASES)
def test_refused_memory_is_an_error_of_the_call(name):
    if any(part in CASES[name] and not is_there for part, is_there in NEEDS.items()):
        pytest.skip("needs another package")
    run((LARGE if "Large" in CASES[name] else "") + textwrap.dedent(CASES[name]))


def run_with_states(mebibytes, case):
    """Runs a case with a library whose states are this large."""
    large = SOURCE.replace("{ double count; } counter;", f"{{ double count; char rest[{mebibytes} << 20]; }} counter;")
    assert large != SOURCE
    run(f"envpool_rs.load_plugin({counting(source=large)!r})\n" + textwrap.dedent(case))


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
def test_refused_memory_is_an_error_of_a_library_whose_states_are_large():
    run_with_states(1, 'check_snapshots(envpool_rs.make("Counter-v0", num_envs=2))')


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
def test_a_large_state_of_a_library_is_loaded_with_a_few_times_its_memory():
    run_with_states(
        32,
        """
        env = envpool_rs.make("Counter-v0", num_envs=1)
        env.reset()
        states = env.get_state()
        limited(300)
        env.set_state(states)
        unlimited()
        assert env.get_state() == states
        """,
    )


def run(case):
    code = BEGIN + textwrap.dedent(case)
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
