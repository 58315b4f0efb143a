"""Tests that ``ExclusiveUse`` rejects a second thread's call at once, and that an interrupt at any point releases the
lock.
"""

import itertools
import linecache
import sys
import threading

import pytest
from envpool_rs.multi_env import ExclusiveUse


def refusals(use, threads=8, rounds=200):
    """Calls ``use`` in several threads; returns the calls that overlapped, and the messages of rejected calls."""
    running, overlaps, messages = [], [], set()
    start = threading.Barrier(threads)

    def work():
        running.append(1)
        overlaps.extend(range(len(running) - 1))
        running.pop()

    def play():
        start.wait()
        for _ in range(rounds):
            try:
                use.run(work)
            except RuntimeError as error:
                messages.add(str(error))

    workers = [threading.Thread(target=play) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return overlaps, messages


def test_concurrent_threads_are_refused():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        overlaps, messages = refusals(ExclusiveUse("this object"))
    finally:
        sys.setswitchinterval(interval)
    assert overlaps == [] and messages <= {"this object is in use by another thread"}


def test_a_call_is_refused_while_another_runs():
    use, entered, leave = ExclusiveUse("this object"), threading.Event(), threading.Event()
    worker = threading.Thread(target=use.run, args=(lambda: (entered.set(), leave.wait(30)),))
    worker.start()
    try:
        assert entered.wait(30)
        for _ in range(2):
            with pytest.raises(RuntimeError, match=r"^this object is in use by another thread$"):
                use.run(int)
    finally:
        leave.set()
        worker.join()
    assert use.run(int, 3) == 3


def test_a_reentrant_call_is_refused():
    use = ExclusiveUse("this object")
    with pytest.raises(RuntimeError, match="in use"):
        use.run(use.run, int)
    assert use.run(int, 3) == 3


def interrupted(use, count):
    """Interrupts a call of `ExclusiveUse.run` before its line number `count`, and returns whether the call got that
    far.

    The line that removes the thread (`.pop`) does not count, because no signal handler can interrupt this one
    operation.
    """
    left = count

    def trace(frame, event, _):
        nonlocal left
        code = frame.f_code
        if event == "line" and code is ExclusiveUse.run.__code__:
            left -= ".pop(" not in linecache.getline(code.co_filename, frame.f_lineno)
            if left == 0:
                left = -1
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        use.run(int, 3)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_an_interrupt_at_any_line_frees_the_object():
    points = 0
    for count in itertools.count(1):
        use = ExclusiveUse("this object")
        if not interrupted(use, count):
            break
        points += 1
        assert use.run(int, count) == count
    assert points >= 4
