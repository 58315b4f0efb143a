"""Tests pools under events of the whole process: forks, Ctrl-C, exits, exhausted resources.

Each case runs in a separate process.
"""

import subprocess
import sys
import textwrap

import pytest
from repository import TESTS
from tasks import HAS_ATARI, HAS_MUJOCO

pytestmark = pytest.mark.slow

#: Exit code of a case that has to be repeated, because an interrupt came too early or too late.
TOO_LATE = 75

BEGIN = (
    f"TOO_LATE = {TOO_LATE}"
    + '''
import os, sys, time, signal, threading
import numpy as np, envpool_rs
SCRIPTED = "test/Scripted-v0"
I = np.arange

def refused(call, error=RuntimeError, text=""):
    try:
        call()
    except error as raised:
        assert text in str(raised), raised
    else:
        raise AssertionError("not refused")

def interrupted_after(seconds, call, within=0.9):
    """The call, which waits for environments that take a second to step, ends before they do.

    On a busy machine, the signal may arrive before the call or late, so the case is repeated.
    """
    is_called, start = False, time.perf_counter()
    try:
        threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
        is_called = True
        call()
    except KeyboardInterrupt:
        pass
    else:
        if time.perf_counter() - start < within:
            raise AssertionError("not interrupted")
    if not is_called or time.perf_counter() - start >= within:
        os._exit(TOO_LATE)

def without_threads():
    """From now on the system refuses threads; where nobody but root may read this package, the case ends here."""
    import resource
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    if os.getuid() == 0:
        os.setresuid(4242, 4242, 4242)
    if not os.access(envpool_rs.__file__, os.R_OK):
        sys.exit(0)
    refused(lambda: threading.Thread(target=print).start(), text="can't start new thread")

ids = lambda result: sorted(result[-1]["env_id"].tolist())
'''
)

CASES = {
    "fork during a step": """
        for options in ({}, {"batch_size": 2}):
            env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=2, **options)
            if options: env.async_reset(); env.recv(); env.recv()
            else: env.reset()
            state = env.get_state()
            env.send([30] * 4, I(4))
            child = os.fork()
            if child == 0:
                for call in (env.recv, lambda: env.step([0] * 4), lambda: env.send([0], [0]), env.reset,
                             lambda: env.reset([0]), env.async_reset, env.get_state, lambda: env.set_state(state)):
                    refused(call, text="belongs to the parent process")
                env.close()
                del env
                other = envpool_rs.make(SCRIPTED, num_envs=2, num_threads=2)
                other.reset()
                assert ids(other.step([1, 1])) == [0, 1]
                os._exit(7)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
            assert (ids(env.recv()) if not options else sorted(ids(env.recv()) + ids(env.recv()))) == [0, 1, 2, 3]
        """,
    "Ctrl-C while recv waits loses nothing": """
        env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=4)
        env.reset()
        env.send([1000] * 4)
        interrupted_after(0.05, env.recv)
        assert ids(env.recv()) == [0, 1, 2, 3] and env.step([0] * 4)[0][:, 0].tolist() == [2.0] * 4
        """,
    "Ctrl-C while an async recv waits loses nothing": """
        env = envpool_rs.make(SCRIPTED, num_envs=4, batch_size=2, num_threads=2)
        env.async_reset(); env.recv(); env.recv()
        env.send([1000] * 4, I(4))
        interrupted_after(0.05, env.recv)
        assert sorted(ids(env.recv()) + ids(env.recv())) == [0, 1, 2, 3]
        """,
    "Ctrl-C in a long step loses no result": """
        for count in (1, 4):
            env = envpool_rs.make(SCRIPTED, num_envs=count, num_threads=2)
            env.reset(); env.step([0] * count)
            interrupted_after(0.05, lambda: [env.step([1000] * count) for _ in range(2)])
            env.recv()
            assert env.step([0] * count)[-1]["elapsed_step"].max() >= 3
        """,
    "Ctrl-C in a step keeps arrays of the caller until its results are received": """
        import gc, weakref
        env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=4)
        for received in (env.recv, env.reset):
            env.reset()
            first = env.step([0] * 4)
            out = {"obs": np.zeros_like(first[0]), "reward": np.zeros_like(first[1])}
            died = weakref.ref(out["obs"])
            interrupted_after(0.05, lambda: env.step([1000] * 4, out=out))
            refused(lambda: env.step([0] * 4, out=out), text="is in flight")
            out = None
            gc.collect()
            assert died() is not None, "the environments write into it"
            results = received()
            if received == env.recv:
                assert results[0] is died() and results[0][:, 0].tolist() == [2.0] * 4
                results = None
            assert env.step([0] * 4, out={"obs": np.zeros_like(first[0])})[0][:, 0].min() > 0
            gc.collect()
            assert died() is None
        """,
    "Ctrl-C in a step keeps a rollout buffer until its results are received": """
        env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=4)
        buffer = env.rollout_buffer(3)
        env.reset(out=buffer)
        interrupted_after(0.05, lambda: env.step([1000] * 4, out=buffer))
        refused(buffer.restart, text="is in flight")
        interrupted_after(0.05, env.recv)
        assert buffer.cursor == 0
        result = env.recv()
        assert buffer.cursor == 1 and np.shares_memory(result[0], buffer.obs)
        assert buffer.obs[1, :, 0].tolist() == [1.0] * 4
        interrupted_after(0.05, lambda: env.step([1000] * 4, out=buffer))
        env.reset(out=buffer)
        assert buffer.cursor == 0
        env.step([0] * 4, out=buffer); buffer.restart()
        assert buffer.obs[0, :, 0].tolist() == [1.0] * 4
        """,
    "a pool closed during a step keeps arrays of the caller until its workers finish": """
        import gc, weakref
        env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=4)
        env.reset()
        array = np.zeros_like(env.step([0] * 4)[0])
        died = weakref.ref(array)
        interrupted_after(0.05, lambda: env.step([500] * 4, out={"obs": array}))
        del array
        env.close()
        del env
        gc.collect()
        assert died() is not None
        until = time.perf_counter() + 60
        while died() is not None and time.perf_counter() < until:
            time.sleep(0.01)
            envpool_rs._core.vector_instructions()  # a worker leaves the reference to the next call with the lock
        assert died() is None
        """,
    "Ctrl-C in a single environment loses nothing": """
        from envpool_rs.pools import SingleEnv
        env = SingleEnv(SCRIPTED)
        for _ in range(2):
            env.reset()
            interrupted_after(0.05, lambda: env.step(1000))
            interrupted_after(0.05, lambda: env.step(0))
            assert env.step(0)[0][0] == 1.0 and env.step(0)[0][0] == 2.0
            interrupted_after(0.05, lambda: env.step(1000))
            interrupted_after(0.05, env.reset)
            assert env.step(0)[0][0] == 4.0  # The interrupted step was executed; the interrupted reset was not.
            interrupted_after(0.05, lambda: env.step(1000))
            env.reset()
            assert env.step(0)[0][0] == 1.0
        """,
    "Ctrl-C in a reset that waits for work in flight": """
        env = envpool_rs.make(SCRIPTED, num_envs=4, batch_size=2, num_threads=2)
        env.async_reset(); env.recv(); env.recv()
        for _ in range(2):
            env.send([1000] * 4, I(4))
            # Ctrl-C may arrive while the calling thread runs one of the four steps; all steps together take two
            # seconds.
            interrupted_after(0.05, env.reset, within=1.8)
            env.reset()
            first = env.recv()
            env.reset(); env.recv()
        assert ids(first) in ([0, 1], [2, 3], [0, 2], [0, 3], [1, 2], [1, 3])
        """,
    "exit with work in flight": """
        env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=2)
        env.reset(); env.send([1000] * 4)
        """,
    "exit with async work in flight and results held": """
        env = envpool_rs.make("CartPole-v1", num_envs=4, batch_size=2)
        env.async_reset(); held = env.recv(); env.send([0, 0], held[-1]["env_id"])
        other = envpool_rs.make(SCRIPTED, num_envs=4, batch_size=2); other.async_reset(); other.recv()
        """,
    "exit while a daemon thread receives": """
        env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=2)
        env.reset(); env.send([1000] * 4)
        threading.Thread(target=env.recv, daemon=True).start()
        time.sleep(0.05)
        """,
    "exit by an exception with work in flight": """
        env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=2)
        env.reset(); env.send([1000] * 4)
        sys.exit(0)
        """,
    "a system that refuses threads": """
        import resource
        env = envpool_rs.make(SCRIPTED, num_envs=4, batch_size=2, num_threads=2)
        sync = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=2)
        pages = int(open("/proc/self/statm").read().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (1 << 20),) * 2)
        env.async_reset()
        assert sorted(ids(env.recv()) + ids(env.recv())) == [0, 1, 2, 3]
        sync.reset(); sync.send([1] * 4)
        assert ids(sync.recv()) == [0, 1, 2, 3] and ids(sync.step([1] * 4)) == [0, 1, 2, 3]
        """,
    "a system that refuses threads during environment creation": """
        other = envpool_rs.make("Pong-v5", num_envs=8, num_threads=2)
        without_threads()
        env = envpool_rs.make("Pong-v5", num_envs=8, num_threads=2)
        assert np.array_equal(env.reset()[0], other.reset()[0])
        assert np.array_equal(env.step([1] * 8)[0], other.step([1] * 8)[0])
        """,
    "a system that refuses threads to MuJoCo": """
        env = envpool_rs.make("Ant-v5", num_envs=2, num_threads=2); env.reset()
        without_threads()
        text = "MuJoCo reads models by threads of its own, which the system refuses"
        refused(lambda: envpool_rs.make("Walker2d-v5"), text=text)
        env.step(np.zeros((2, 8)))
        """,
    "no file descriptors while MuJoCo's library is opened": """
        import resource
        envpool_rs.make("CartPole-v1")
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        free = os.dup(0); os.close(free)
        for more in range(4):
            resource.setrlimit(resource.RLIMIT_NOFILE, (free + more, before[1]))
            try:
                envpool_rs.make("Ant-v5")
            except (ImportError, OSError) as error:
                assert "Too many open files" in str(error) and "pip install" not in str(error), error
            else:
                break
        assert more
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
        envpool_rs.make("Ant-v5").reset()
        """,
    "a caller that keeps every result until no memory is left": """
        import resource
        env = envpool_rs.make_gymnasium("Pendulum-v1", num_envs=100_000, num_threads=2)
        env.reset()
        actions = np.zeros((100_000, 1), np.float32)
        pages = int(open("/proc/self/statm").read().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (64 << 20),) * 2)
        kept = []
        try:
            while True:
                kept.append(env.step(actions))
        except MemoryError as error:
            assert "do not fit into memory: release results" in str(error), error
        steps = len(kept)
        assert steps > 3
        kept.clear()
        assert (env.step(actions)[-1]["elapsed_step"] == steps + 1).all()
        """,
    "more environments than address space": """
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        refused(lambda: envpool_rs.make("Catch-v0", num_envs=2**24), MemoryError, "num_envs=16777216 takes")
        envpool_rs.make("Catch-v0", num_envs=2).reset()
        """,
    "a thousand panics": """
        env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=2)
        env.reset()
        for _ in range(250):
            refused(lambda: env.step([1001] * 4), text="panicked (and 3 more)")
            env.reset(I(4))
        """,
    "objects whose items are themselves": """
        from unittest.mock import MagicMock, Mock
        for value in (Mock(), MagicMock()):
            refused(lambda: envpool_rs.make("Pendulum-v1", g=value), (TypeError, ValueError))
        """,
}  # fmt: skip

#: Requirements by a part of the case's name: whether this machine meets them.
NEEDS = {"Pong": HAS_ATARI, "Ant": HAS_MUJOCO}


@pytest.mark.skipif(sys.platform != "linux", reason="forks, signals and resource limits of Linux")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", CASES)
def test_the_process_survives_and_exits_normally(name):
    if any(task in CASES[name] and not is_there for task, is_there in NEEDS.items()):
        pytest.skip("needs another package")
    code = BEGIN + textwrap.dedent(CASES[name])
    for _ in range(8):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=120, check=False
        )
        if done.returncode != TOO_LATE:
            break
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.skipif(sys.platform != "linux", reason="forks and signals of Linux")
def test_tests_started_with_sigint_ignored_can_be_interrupted():
    file = TESTS / "python" / "multi_env" / "test_multi_env_losses.py"
    test = f"{file}::test_ctrl_c_interrupts_a_step_and_the_next_call_continues"
    ignore = "import signal, sys, runpy; signal.signal(signal.SIGINT, signal.SIG_IGN); del sys.argv[0];"
    command = [sys.executable, "-c", f"{ignore} runpy.run_module('pytest', run_name='__main__', alter_sys=True)"]
    done = subprocess.run([*command, "pytest", "-q", test], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout[-2000:]
