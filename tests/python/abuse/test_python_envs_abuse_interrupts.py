"""Tests interrupts of pools over Python environments."""

import multiprocessing
import os
import signal
import time

import pytest
from envpool_rs import make_python
from envpool_rs._python_pool.batches import ArrayActions, ResultAugmenter
from envpool_rs._workers.worker_process import WorkerEnvs
from envpool_rs.workers import WorkerDied
from gymnasium import spaces
from python_abuse_cases import ACTIONS, ShowingEnv, TellingEnv
from python_envs import signal_sender

pytestmark = pytest.mark.slow


def interrupted_after(function):
    """Wraps a function so that its first call raises KeyboardInterrupt after it has run, as by Ctrl-C."""
    calls = []

    def call(*args, **kwargs):
        result = function(*args, **kwargs)
        calls.append(result)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return result

    return call


class TalkativeEnv(ShowingEnv):
    """Environment with a non-numeric value in every info, so that Python code builds the results."""

    def step(self, action):
        *result, _ = super().step(action)
        return *result, {"said": "something"}


@pytest.mark.parametrize("method", ["rows", "augment"])
def test_a_pool_is_usable_after_an_interrupt_in_python_code_of_a_step(method, monkeypatch):
    owner = {"rows": ArrayActions, "augment": ResultAugmenter}[method]
    monkeypatch.setattr(owner, method, interrupted_after(getattr(owner, method)))
    pool = make_python([TalkativeEnv] * 2, num_workers=1)
    pool.reset()
    with pytest.raises(KeyboardInterrupt):
        pool.step(ACTIONS)
    assert pool.reset()[0].tolist() == [0, 0]
    *_, info = pool.step(ACTIONS)
    assert info["said"].tolist() == ["something"] * 2 and info["elapsed_step"].tolist() == [1, 1]
    pool.close()


@pytest.mark.parametrize("batch_size", [0, 1])
def test_recv_returns_a_result_after_an_interrupted_conversion(batch_size, monkeypatch):
    monkeypatch.setattr(ResultAugmenter, "augment", interrupted_after(ResultAugmenter.augment))
    pool = make_python([TalkativeEnv] * 2, num_workers=1, batch_size=batch_size)
    pool.async_reset()
    for _ in range(2 if batch_size else 1):
        pool.recv()
    pool.send(ACTIONS)
    with pytest.raises(KeyboardInterrupt):
        pool.recv()
    if not batch_size:
        with pytest.raises(RuntimeError, match="results of an earlier send are waiting: recv them first"):
            pool.step(ACTIONS)
    rows = [pool.recv() for _ in range(2 if batch_size else 1)]
    assert [word for row in rows for word in row[-1]["said"]] == ["something"] * 2
    assert [count for row in rows for count in row[-1]["elapsed_step"]] == [1, 1]
    pool.step(ACTIONS)
    pool.close()


class AlarmingEnv(ShowingEnv):
    """Environment that signals the calling process right before its reply."""

    def step(self, action):
        os.kill(os.getppid(), signal.SIGALRM)
        time.sleep(0.001)  # the signal has arrived when the sleep ends
        return super().step(action)


def test_a_signal_during_a_reply_loses_no_result():
    def handler(*_):
        raise KeyError("the handler's")

    pool = make_python([AlarmingEnv] * 2, num_workers=1, context="fork")
    pool.reset()
    before = signal.signal(signal.SIGALRM, handler)
    kept = 0
    try:
        for step in range(1, 51):
            try:
                info = pool.step(ACTIONS)[-1]
            except KeyError:
                kept += 1
                info = received_in_spite_of(KeyError, pool)
            assert info["elapsed_step"].tolist() == [step, step]
    finally:
        signal.signal(signal.SIGALRM, before)
    assert kept > 25
    pool.close()


def received_in_spite_of(error, pool):
    """Returns the info of the next result; calls `recv` again after each exception of class ``error``."""
    while True:
        try:
            return pool.recv()[-1]
        except error:
            pass


@pytest.mark.parametrize("batch_size", [0, 1])
def test_interrupted_actions_are_not_sent(batch_size, monkeypatch):
    pool = make_python([TextEnv] * 2, num_workers=1, batch_size=batch_size)
    pool.async_reset()
    for _ in range(2 if batch_size else 1):
        pool.recv()
    monkeypatch.setattr(spaces.Text, "contains", interrupted_after(spaces.Text.contains))
    with pytest.raises(KeyboardInterrupt):
        pool.send(("a", "b"))
    with pytest.raises(RuntimeError, match=r"nothing has been sent|0 environments are in flight"):
        pool.recv()
    pool.send(("a", "b"))
    assert len(pool.recv()[1]) == (batch_size or 2)
    pool.close()


class TextEnv(ShowingEnv):
    """Environment with text actions."""

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Text(5)


def test_awaited_results_can_be_received_after_an_interrupt():
    step_started, go_on = (multiprocessing.get_context("fork").Event() for _ in range(2))

    class Waiting(ShowingEnv):
        def step(self, action):
            step_started.set()
            assert go_on.wait(60)
            return super().step(action)

    pool = make_python([ShowingEnv, Waiting], num_workers=2, context="fork")
    pool.reset()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sender = signal_sender(step_started)
    try:
        with pytest.raises(KeyboardInterrupt):
            sender.start()
            pool.step(ACTIONS)
    finally:
        sender.join()
        signal.signal(signal.SIGINT, before)
    go_on.set()
    assert pool.recv()[-1]["elapsed_step"].tolist() == [1, 1]
    pool.close()


def outcome_beyond_interrupts(pool, interrupts):
    """Returns the outcome of a step that continues after Ctrl-C: the step's info, or the error that reports a dead
    worker.
    """
    try:
        return pool.step(ACTIONS)[-1]
    except KeyboardInterrupt as interrupt:
        interrupts.append(interrupt)
    try:
        return pool.recv()[-1]
    except WorkerDied:
        raise
    except RuntimeError as error:
        assert "nothing has been sent" in str(error)
        return outcome_beyond_interrupts(pool, interrupts)


@pytest.mark.parametrize(("method", "restart"), [("lost", False), ("lost", True), ("renew", True)])
def test_an_interrupt_of_the_supervisor_loses_no_process(method, restart, monkeypatch):
    pool = make_python([TellingEnv] * 2, num_workers=2, restart=restart)
    pool.reset()
    pids, interrupts = pool.call("pid"), []
    monkeypatch.setattr(WorkerEnvs, method, interrupted_after(getattr(WorkerEnvs, method)))
    os.kill(pids[1], signal.SIGKILL)
    if restart:
        assert outcome_beyond_interrupts(pool, interrupts)["restarted"].tolist() == [False, True]
        assert pool.step(ACTIONS)[-1]["elapsed_step"].tolist() == [2, 0]
    else:
        with pytest.raises(WorkerDied) as raised:
            outcome_beyond_interrupts(pool, interrupts)
        assert raised.value.env_ids == [1]
        assert pool.recv()[-1]["env_id"].tolist() == [0]
    assert len(interrupts) == 1
    assert pool.call_some([0], "pid") == (pids[0],)
    pool.close()
