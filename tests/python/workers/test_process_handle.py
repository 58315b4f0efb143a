"""Tests that processes are identified by file descriptors (pidfd), if the system has these, and not by ids that may be
reused.
"""

import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest
from envpool_rs._workers.worker_process import ProcessHandle

pytestmark = pytest.mark.skipif(not hasattr(signal, "pidfd_send_signal"), reason="processes of Linux")


@pytest.fixture(params=[True, False], ids=["by descriptor", "by number"])
def start(request, monkeypatch):
    """Starts a sleeping process; returns the process and its handle."""
    if not request.param:
        monkeypatch.delattr(os, "pidfd_open")
    started = []

    def start(context="fork"):
        process = multiprocessing.get_context(context).Process(target=time.sleep, args=(1000,), daemon=True)
        process.start()
        started.append(process)
        return process, ProcessHandle(process)

    yield start
    monkeypatch.undo()
    for process in started:
        process.kill()
        process.join()


def ended(handle):
    end = time.monotonic() + 60
    while not handle.has_ended():
        assert time.monotonic() < end
        time.sleep(0.01)
    return True


@pytest.mark.parametrize("context", multiprocessing.get_all_start_methods())
@pytest.mark.parametrize(("name", "number"), [("terminate", signal.SIGTERM), ("kill", signal.SIGKILL)])
def test_signals_reach_the_process_and_its_exit_is_detected(start, context, name, number):
    process, handle = start(context)
    assert not handle.has_ended()
    getattr(handle, name)()
    assert ended(handle)
    handle.await_exitcode(60)
    # multiprocessing's fork server reports signals as exit codes modulo 256.
    assert process.exitcode in (-number, 256 - number)
    handle.kill()
    handle.close()


def test_a_process_with_a_reused_pid_is_not_signalled(start, monkeypatch):
    process, handle = start()
    os.kill(process.pid, signal.SIGKILL)
    os.waitpid(process.pid, 0)
    sent = []
    # `os.kill` is replaced by a function that records calls and sends no signal.
    monkeypatch.setattr(os, "kill", lambda *signal_: sent.append(signal_))
    assert handle.has_ended()
    handle.terminate()
    handle.kill()
    assert sent == []
    monkeypatch.undo()


def descriptors():
    return {each.name for each in Path("/proc/self/fd").iterdir()}


def test_descriptors_are_closed(start):
    process, handle = start()
    handle.close()
    before = descriptors()
    handle = ProcessHandle(process)
    assert len(descriptors()) - len(before) == hasattr(os, "pidfd_open")
    handle.close()
    assert descriptors() <= before
    handle = ProcessHandle(process)
    del handle
    assert descriptors() <= before
