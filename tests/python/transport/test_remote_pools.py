"""Tests pools on remote hosts in several threads. The hosts run in this process, so Ray is not needed."""

import faulthandler
import sys
import threading

import numpy as np
import pytest
from remote_pools import make_remote

N = 4


@pytest.fixture(autouse=True)
def watchdog():
    """Ends the tests with tracebacks if a call does not return."""
    faulthandler.dump_traceback_later(60, exit=True, file=sys.__stderr__)
    yield
    faulthandler.cancel_dump_traceback_later()


def out_of(pool):
    obs, reward, terminated, truncated, _ = pool.step(np.zeros(N, np.int32))
    return {"obs": obs.copy(), "reward": reward.copy(), "terminated": terminated.copy(), "truncated": truncated.copy()}


def received(pool, out):
    return pool.recv(out=out)[0].copy()


CALLS = {
    "recv(out=)": received,
    "draw_pictures": lambda pool, out: pool.draw_pictures(None, 0, 0),
    "draw_texts": lambda pool, out: pool.draw_texts(),
    "_bit_generators": lambda pool, out: pool._bit_generators(),
    "get_state": lambda pool, out: pool.get_state(),
    "step": lambda pool, out: pool.step(np.zeros(N, np.int32)),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_during_another_threads_send_does_not_stop_the_transport(call):
    pool, hosts = make_remote("CartPole-v1", N)
    pool.reset_envs()
    out = out_of(pool)
    is_sending, is_over = threading.Event(), threading.Event()

    def pause():
        # The engine holds a lock during this call. The other thread calls the engine meanwhile, and may wait for that
        # lock; it must not hold the interpreter's lock, because this thread then never continues.
        is_sending.set()
        is_over.wait(0.5)

    def send():
        hosts.before_send = pause
        pool.send(np.ones(N, np.int32))
        hosts.before_send = lambda: None

    sender = threading.Thread(target=send)
    sender.start()
    is_sending.wait()
    try:
        result = call(pool, out)
    except (RuntimeError, ValueError) as error:
        result = error
    is_over.set()
    sender.join()
    if call is received and not isinstance(result, Exception):
        np.testing.assert_array_equal(result, out["obs"])
    else:
        pool.recv()
    pool.step(np.zeros(N, np.int32))


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_code_inside_a_send_cannot_call_the_pool(call):
    pool, hosts = make_remote("CartPole-v1", N)
    pool.reset_envs()
    out = out_of(pool)
    errors = []

    def reenter():
        with pytest.raises(RuntimeError, match="in use") as caught:
            call(pool, out)
        errors.append(caught.value)

    hosts.before_send = reenter
    pool.send(np.ones(N, np.int32))
    hosts.before_send = lambda: None
    assert len(errors) == 1
    pool.recv()
