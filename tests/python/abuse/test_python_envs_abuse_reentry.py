"""Tests calls of a pool from signal handlers, finalizers and environments, and ends of processes."""

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from envpool_rs import make_python
from envpool_rs._workers.worker_process import end_all
from python_abuse_cases import ACTIONS, ShowingEnv, TellingEnv


class WaitingEnv(ShowingEnv):
    """Environment whose step waits for the event in its class attribute, if there is one."""

    def __init__(self, go_on=None):
        super().__init__()
        self.go_on = go_on

    def step(self, action):
        assert self.go_on is None or self.go_on.wait(60)
        return super().step(action)


@pytest.fixture
def waiting_pool():
    """Returns an asynchronous pool and the events that the steps of its last two environments wait for."""
    go_on = multiprocessing.get_context("fork").Event()
    env_fns = [lambda index=index: WaitingEnv(go_on if index > 1 else None) for index in range(4)]
    pool = make_python(env_fns, batch_size=2, num_workers=4, context="fork")
    pool.async_reset()
    pool.recv()
    pool.recv()
    yield pool, go_on
    go_on.set()
    pool.close()


USES = {
    "send": lambda pool: pool.send(ACTIONS[:1], [0]),
    "step": lambda pool: pool.step(ACTIONS[:1], [0]),
    "call": lambda pool: pool.call_some([0], "reset"),
    "reset": lambda pool: pool.reset(),
    "recv": lambda pool: pool.recv(),
}


@pytest.mark.parametrize("use", USES)
def test_a_signal_handler_that_uses_the_pool_does_not_deadlock(use, waiting_pool):
    pool, go_on = waiting_pool
    outcomes = []

    def handler(*_):
        try:
            outcomes.append(USES[use](pool))
        except RuntimeError as error:
            outcomes.append(error)
        go_on.set()

    before = signal.signal(signal.SIGALRM, handler)
    try:
        pool.send(ACTIONS, [2, 3])
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        assert len(pool.recv()[1]) == 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if use == "send":
        assert outcomes == [None]
        pool.send(ACTIONS[:1], [1])
        assert len(pool.recv()[1]) == 2
    else:
        assert "in use by another thread" in str(outcomes[0])


def test_a_finalizer_that_uses_the_pool_does_not_deadlock(waiting_pool):
    pool, go_on = waiting_pool
    outcomes = []

    class Garbage:
        def __init__(self):
            self.itself = self

        def __del__(self):
            try:
                outcomes.append(pool.send(ACTIONS[:1], [0]))
            except RuntimeError as error:
                outcomes.append(str(error))
            go_on.set()

    before = gc.get_threshold()
    gc.collect()
    gc.disable()
    Garbage()
    try:
        pool.send(ACTIONS, [2, 3])
        gc.set_threshold(1, 1, 1)
        gc.enable()
        threading.Timer(5, go_on.set).start()  # the garbage may have been collected in another thread
        assert len(pool.recv()[1]) == 2
    finally:
        gc.set_threshold(*before)
        gc.enable()
    assert outcomes == [None] or "in use" in outcomes[0]


class Caller:
    """Object that uses a pool while it is unpickled."""

    pool = None

    def __reduce__(self):
        return Caller.called, ()

    @staticmethod
    def called():
        return Caller.pool.send(ACTIONS, [0, 1])


def test_an_info_that_calls_the_pool_during_conversion_is_refused(monkeypatch):
    pool = make_python([lambda: InfoEnv({}), lambda: InfoEnv({"it": Caller()})], num_workers=2)
    monkeypatch.setattr(Caller, "pool", pool)
    pool.reset()
    with pytest.raises(RuntimeError, match="in use by another thread"):
        pool.step(ACTIONS)
    assert pool.recv()[-1]["env_id"].tolist() == [0]
    pool.close()


class InfoEnv(ShowingEnv):
    """Environment whose steps return the info that was given to the constructor."""

    def __init__(self, info):
        super().__init__()
        self.info = info

    def step(self, action):
        return *super().step(action)[:4], self.info


def test_a_pool_with_a_hanging_environment_can_be_dropped():
    pool = make_python([lambda: WaitingEnv(multiprocessing.get_context("fork").Event())] * 2, context="fork")
    pool.reset()
    pool.send(ACTIONS)
    del pool
    gc.collect()


def test_a_row_that_reports_a_loss_has_no_statistics():
    pool = make_python([TellingEnv] * 2, num_workers=2, restart=True, record_episode_statistics=True)
    pool.reset()
    os.kill(pool.call("pid")[1], signal.SIGKILL)
    info = pool.step(ACTIONS)[-1]
    assert info["restarted"].tolist() == [False, True] and "episode" not in info
    pool.close()


@pytest.mark.parametrize("caller_steps", [False, True])
def test_a_reset_waits_for_requests_in_flight_of_any_thread(caller_steps):
    pool = make_python([TellingEnv] * 2, num_workers=1, caller_steps=caller_steps)
    pool.reset()
    pool.send(ACTIONS)
    time.sleep(0.2)  # the worker has usually finished by now; otherwise the test covers less
    assert pool.reset()[0].tolist() == [0, 0]
    assert pool.step(ACTIONS)[-1]["elapsed_step"].tolist() == [1, 1]
    pool.close()


STORM = """
import os, subprocess, sys, threading, time
import gymnasium, numpy as np
from envpool_rs import make_python, make_vec
from envpool_rs.vector import SubprocVectorEnv

class Env(gymnasium.Env):
    observation_space = gymnasium.spaces.Discrete(2)
    action_space = gymnasium.spaces.Discrete(2)
    def reset(self, **keywords):
        return 0, {}
    def step(self, action):
        time.sleep(0.003)
        return 0, 1.0, False, False, {}

def use(pool, end):
    while time.monotonic() < end:
        try:
            try:
                pool.step(np.zeros(2, np.int64))
            except RuntimeError:
                pool.reset()
        except KeyboardInterrupt:
            pass

def make_and_drop(end):
    while time.monotonic() < end:
        try:
            SubprocVectorEnv([Env] * 2, num_workers=2).close()
        except KeyboardInterrupt:
            pass

def stormy(function):
    while True:
        try:
            return function()
        except KeyboardInterrupt:
            pass

pool = make_python([Env] * 2, num_workers=2)
pool.reset()
storm = subprocess.Popen([sys.executable, "-c", f'''
import os, random, signal, sys, time
sys.stdin.read()
for _ in range(150):
    time.sleep(random.random() * 0.02)
    os.kill({os.getpid()}, signal.SIGINT)
'''], stdin=subprocess.PIPE)
end = time.monotonic() + 1
def begin():  # interrupts begin only where they are caught
    storm.stdin.close()
    use(pool, end)
stormy(begin)
stormy(lambda: make_and_drop(end + 1))
stormy(storm.wait)
pool.reset()
assert pool.step(np.zeros(2, np.int64))[1].tolist() == [1.0, 1.0]
pool.close()
deadline = time.monotonic() + 60
def workers():
    command = ["ps", "--ppid", str(os.getpid()), "-o", "stat=,args="]
    children = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return [line for line in children if "ps --ppid" not in line and not line.startswith("Z")]
while workers() and time.monotonic() < deadline:
    time.sleep(0.05)
assert not workers(), workers()
"""


@pytest.mark.slow
def test_repeated_interrupts_neither_break_a_pool_nor_leak_processes(tmp_path):
    path = tmp_path / "storm.py"
    path.write_text(STORM)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


class FakeProcess:
    """Replacement for a process, which ends only when it is killed."""

    def __init__(self, log, interrupted=False):
        self.alive = True
        self.log = log
        self.interrupted = interrupted

    def has_ended(self):
        return not self.alive

    def terminate(self):
        self.log.append("terminate")
        if self.interrupted:
            raise KeyboardInterrupt

    def kill(self):
        self.log.append("kill")
        self.alive = False

    def release(self):
        self.log.append("release")


def test_processes_that_hang_are_terminated_together_before_any_is_killed():
    log = []
    end_all([FakeProcess(log) for _ in range(3)], 0.0)
    assert log == ["terminate"] * 3 + ["kill"] * 3 + ["release"] * 3


def test_processes_are_killed_if_their_termination_is_interrupted():
    log = []
    with pytest.raises(KeyboardInterrupt):
        end_all([FakeProcess(log, interrupted=True) for _ in range(3)], 0.0)
    assert log == ["terminate"] + ["kill"] * 3 + ["release"] * 3


def test_interrupts_during_a_process_start_are_deferred():
    from envpool_rs._workers.worker_process import block_interrupts

    order = []
    with pytest.raises(KeyboardInterrupt), block_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        order.append("noted")
    assert order == ["noted"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_unimportable_main_module_is_named_as_the_reason():
    program = textwrap.dedent("""
        import gymnasium
        from envpool_rs import make_python, make_vec
        make_python([lambda: gymnasium.make("CartPole-v1")], context="spawn")
    """)
    done = subprocess.run([sys.executable, "-"], input=program, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "imports the main module again: it has to be a file" in done.stderr
