"""Tests misuse of the transport, infos that contain only numbers, threads, forks and memory."""

from __future__ import annotations

import gc
import os
import pickle
import re
import subprocess
import sys
import threading
import types
from pathlib import Path

import numpy as np
import pytest
from envpool_rs._core import EnvHost, SharedBlock, Workers
from host_client import HostClient, NoProcesses
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hypothesis_numpy
from transport_cases import (
    FAILED,
    LOST,
    MESSAGE,
    OBSERVATION_IN_ROW,
    PLAIN_INFO,
    Answering,
    hosted,
    message,
    refuse,
    same,
    step,
)


def test_misuse_is_refused_with_reasons():
    caller, block = hosted(Answering(), Answering())
    refused = [
        (IndexError, r"env_id\[0\]=2: expected 0 to 1", lambda: caller.send_steps([2], [0])),
        (IndexError, r"env_id\[0\]=-1: expected 0 to 1", lambda: caller.send_resets([-1])),
        (ValueError, r"env_id\[1\]=1: expected each id once at most", lambda: caller.send_steps([1, 1], [0, 0])),
        (ValueError, "action has 3 entries: expected 2", lambda: caller.send_steps(None, [0, 0, 0])),
        (
            ValueError,
            "action has 1 entries: expected 2",
            lambda: caller.send_steps(None, np.zeros((1, 2))),
        ),
        (TypeError, "len", lambda: caller.send_steps(None, 5)),
        (
            ValueError,
            r"seed=\[1 values\]: expected one for each of the 2 environments",
            lambda: caller.send_resets(None, [1]),
        ),
        (RuntimeError, "env_id 0 has no result", lambda: caller.take([0])),
        (ValueError, "timeout=-1", lambda: caller.wait(None, 1, -1.0)),
        (ValueError, "timeout=NaN", lambda: caller.wait(None, 1, float("nan"))),
        (RuntimeError, "allocated before|mapped before", lambda: block.allocate([[("float32", (3,))]] * 2, True)),
        (ValueError, 'wake_up="bell"', lambda: SharedBlock([0], wake_up="bell")),
        (ValueError, "worker_of=-2", lambda: SharedBlock([-2])),
        (ValueError, "0 environments", lambda: SharedBlock([])),
        (ValueError, "message_bytes", lambda: SharedBlock([0], message_bytes=2**40)),
        (TypeError, "dtype", lambda: SharedBlock([0]).allocate([[("object", (3,))]], False)),
        (ValueError, "512 GiB", lambda: SharedBlock([0]).allocate([[("float64", (2**40,))]], False)),
        (ValueError, "rows of 2 environments", lambda: SharedBlock([0]).allocate([[], []], False)),
        ((ValueError, OSError), ".", lambda: SharedBlock.attach(0)),
        (OSError, ".", lambda: SharedBlock.attach(-1)),
        (OSError, ".", lambda: SharedBlock.attach(987654)),
    ]
    for kind, text, misuse in refused:
        with pytest.raises(kind, match=text):
            misuse()
        assert list(block.states) == [0, 0]
    caller.send_steps([1], [0])
    with pytest.raises(RuntimeError, match="env_id 1 is in flight: its result has to be received first"):
        caller.send_steps(None, [0, 0])
    assert caller.wait(None, 1).tolist() == [1]
    caller.take([1])
    assert caller.end() == caller.end() == []
    for late in (lambda: caller.send_resets(None), lambda: caller.wait(None, 0), lambda: caller.take(None)):
        with pytest.raises(RuntimeError, match="closed"):
            late()


def test_an_action_that_cannot_be_pickled_sends_nothing():
    envs = [Answering(), Answering()]
    caller, block = hosted(*envs)
    with pytest.raises(TypeError, match="pickle"):
        caller.send_steps(None, [0, threading.Lock()])
    assert list(block.states) == [0, 0]
    step(caller, [1, 2])
    assert [env.actions for env in envs] == [[1], [2]]


def test_an_environment_cannot_send_requests_to_itself():
    class Recursive(Answering):
        def step(self, action):
            with pytest.raises(RuntimeError, match="env_id 0 is in flight"):
                caller.send_steps(None, [0])
            return super().step(action)

    caller, _ = hosted(Recursive())
    assert step(caller, [0])[-1] == OBSERVATION_IN_ROW


numbers = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.booleans(),
    st.one_of(hypothesis_numpy.integer_dtypes(endianness="="), hypothesis_numpy.unsigned_integer_dtypes(endianness="="))
    .flatmap(lambda dtype: hypothesis_numpy.arrays(dtype, (1,)))
    .map(lambda array: array[0]),
    st.floats(width=32).map(np.float32),
    st.floats().map(np.float64),
)


@settings(max_examples=200, deadline=None)
@given(info=st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), numbers, min_size=1, max_size=5))
def test_infos_of_numbers_are_sent_without_pickling(info):
    def never(value):
        raise AssertionError(f"pickled {value!r}")

    env = Answering()
    env.answer = (np.zeros(3, np.float32), 0.0, False, False, info)
    caller, _ = hosted(env, dumps=never)
    assert step(caller, [0])[-1] == OBSERVATION_IN_ROW | PLAIN_INFO
    (found,) = caller.infos(None)
    assert same(found, info)
    assert list(found) == list(info)


class Flag(int):
    """Subclass of int; an info with such a value is pickled instead of sent as numbers."""


@pytest.mark.parametrize(
    "info",
    [
        {"a": "text"},
        {"a": None},
        {"a": 2**63},
        {"a": Flag(1)},
        {"a": np.zeros(1)},
        {"a": np.bool_(True)},
        {"a": np.float16(1)},
        {"a": np.longdouble(1)},
        {"a": np.datetime64(1, "s")},
        {"a": {"b": 1}},
        {1: 1},
        {"a": 1, "b": []},
        {"\ud800": 1},
        {str(k): k for k in range(1000)},
        types.MappingProxyType({"a": 1}) | {"b": object},
    ],
)
def test_other_infos_are_pickled(info):
    env = Answering()
    env.answer = (np.zeros(3, np.float32), 0.0, False, False, info)
    caller, _ = hosted(env)
    assert step(caller, [0])[-1] == OBSERVATION_IN_ROW | MESSAGE
    assert same(message(caller), {"info": info})
    assert caller.infos([0]) == [{}]


def test_numeric_and_pickled_infos_are_reported_together():
    envs = [Answering() for _ in range(4)]
    answer = (np.zeros(3, np.float32), 0.0, False, False)
    caller, _ = hosted(*envs)
    infos = [{"k": 0, "half": np.float32(0)}, {"k": [1]}, {}, {"half": 1.5}]
    for env, info in zip(envs, infos, strict=True):
        env.answer = (*answer, info)
    assert step(caller, [0] * 4)[4].tolist() == [
        OBSERVATION_IN_ROW | flag for flag in (PLAIN_INFO, MESSAGE, 0, PLAIN_INFO)
    ]
    assert same(caller.infos(None), [infos[0], {}, {}, infos[3]])
    assert same(caller.infos([3, 1, 0]), [infos[3], {}, infos[0]])
    assert same(message(caller, 1), {"info": infos[1]})


def serving(*envs, layout, **callbacks):
    """Starts a thread that hosts environments; returns their client, the thread, and the `EnvHost`."""
    block = SharedBlock([0] * len(envs))
    block.allocate([list(layout)] * len(envs), False)
    callbacks = {
        "conform": refuse,
        "dumps": pickle.dumps,
        "failure": lambda env_id, operation, error: pickle.dumps((env_id, operation, repr(error))),
        "call": lambda env_id, payload: payload[::-1],
        **callbacks,
    }
    host = EnvHost(block, range(len(envs)), envs, [0] * len(envs), lenient=False, **callbacks)
    thread = threading.Thread(target=host.serve, args=(0,))
    thread.start()
    return HostClient(block, leaves=layout), thread, host


def test_a_request_in_progress_can_be_neither_read_nor_repeated_nor_lost():
    started, go = threading.Event(), threading.Event()

    class Slow(Answering):
        def step(self, action):
            started.set()
            assert go.wait(60)
            return super().step(action)

    caller, thread, _ = serving(Slow(), layout=[("float32", (3,))])
    try:
        caller.send_steps(None, [0])
        assert started.wait(60)
        with pytest.raises(RuntimeError, match="no result to be taken"):
            caller.take([0])
        with pytest.raises(RuntimeError, match="in flight"):
            caller.send_call(0, b"")
        go.set()
        caller.wait(None, 1)
        with pytest.raises(ValueError, match=r"env_id\[1\]=0: expected each id once at most"):
            caller.take([0, 0])
        assert caller.take(None)[0][0].tolist() == [[0] * 3]
    finally:
        go.set()
        caller.block.close()
        thread.join()


def test_a_worker_is_one_thread_of_a_process():
    caller, thread, host = serving(Answering(), layout=[("float32", (3,))])
    try:
        caller.send_steps(None, [0])
        caller.wait(None, 1)
        with pytest.raises(RuntimeError, match="worker 0 plays in this process already"):
            host.serve(0)
    finally:
        caller.block.close()
        thread.join()


def test_threads_that_share_a_caller_get_whole_results_or_exceptions():
    """Checks that threads that use one client get complete results or exceptions.

    Rows are so large that they are copied without the interpreter's lock, while a worker's thread writes other rows.
    """
    size = 1 << 18

    class Counting(Answering):
        def step(self, action):
            return np.full(size, action, np.float64), float(action), False, False, {"number": int(action)}

    caller, thread, _ = serving(Counting(), layout=[("float64", (size,))])
    seen, wrong = [], []

    def use():
        for number in range(1, 25):
            try:
                caller.send_steps(None, [float(number)])
                caller.wait(None, 1)
                leaves = caller.take(None)[0]
                seen.append(leaves[0].min() == leaves[0].max() >= 1)
            except RuntimeError as error:
                if not re.search("in flight|in use by another thread|another request|no result", str(error)):
                    wrong.append(error)

    users = [threading.Thread(target=use) for _ in range(2)]
    try:
        for user in users:
            user.start()
        for user in users:
            user.join()
    finally:
        caller.block.close()
        thread.join()
    assert not wrong
    assert seen
    assert all(seen)


def test_an_interrupted_local_environment_fails_and_interrupts_the_wait():
    env = Answering()
    env.answer = KeyboardInterrupt()
    caller, _ = hosted(env, Answering())
    caller.send_steps(None, [0, 0])
    with pytest.raises(KeyboardInterrupt):
        caller.wait(None, 2)
    assert sorted(caller.wait(None, 2).tolist()) == [0, 1]
    assert caller.take(None)[4].tolist() == [FAILED | MESSAGE, OBSERVATION_IN_ROW]


def test_a_wait_for_no_environment_returns_available_results_at_its_limit():
    block = SharedBlock([0, 0])
    block.allocate([[], []], False)
    caller = HostClient(block)
    caller.send_steps(None, [0, 0])
    assert caller.wait(None, 2, 0.05).tolist() == []
    assert caller.wait(None, 2, 0.0).tolist() == []
    caller.processes.dead = [0]
    assert caller.wait(None, 2).tolist() == [0, 1]
    assert caller.take(None)[-1] == LOST
    assert caller.failures.keys() == {0, 1}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_child_cannot_send_requests_or_close():
    script = """
import os
from envpool_rs._core import SharedBlock
from host_client import HostClient
block = SharedBlock([0]); block.allocate([[]], False); caller = HostClient(block)
child = os.fork()
if child == 0:
    caller.end()
    try:
        caller.send_steps(None, [0])
    except RuntimeError as error:
        os._exit(0 if "belongs to the parent process" in str(error) else 1)
    os._exit(2)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
assert not block.closing
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_segments_in_reference_cycles_are_collected():
    def descriptors():
        gc.collect()
        return {file.name for file in Path("/proc/self/fd").iterdir() if "envpool_rs" in os.path.realpath(file)}

    before = descriptors()
    env, block = Answering(), SharedBlock([-1])
    env.host = EnvHost(block, [0], [env], [0], lenient=False, conform=refuse, dumps=refuse, failure=refuse, call=refuse)
    env.workers = Workers(block, NoProcesses(), env.host)
    del env, block
    assert descriptors() <= before


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_segments_leak_no_memory_or_descriptors():
    def descriptors():
        gc.collect()
        return {file.name for file in Path("/proc/self/fd").iterdir() if "envpool_rs" in os.path.realpath(file)}

    before = descriptors()
    for _ in range(50):
        caller, block = hosted(Answering())
        step(caller, [b"x" * 100_000])
        del caller, block
    assert descriptors() <= before


@pytest.mark.skipif(sys.platform != "linux", reason="finds the shared memory in /proc")
def test_a_scalar_with_dimensions_is_refused():
    """Checks that a scalar message with eight elements is rejected: it has more bytes than any scalar."""
    env = Answering()
    caller, _ = hosted(env)
    elements = np.arange(8, dtype=np.float64) + 0.123456789
    caller.send_steps(None, [elements])
    # Changes the kind of the message, the first byte of its header, from "array" to "scalar".
    assert _overwrite_shared(elements.tobytes(), lead=16, byte=1) == 1
    caller.wait(None, 1)
    caller.take(None)
    assert "damaged on its way" in repr(message(caller))
    assert not env.actions


def _overwrite_shared(pattern, lead, byte):
    """Writes `byte` `lead` bytes before each occurrence of `pattern` in shared memory; returns the number of
    occurrences.
    """
    found = 0
    with Path("/proc/self/maps").open() as maps, Path("/proc/self/mem").open("r+b", buffering=0) as memory:
        for line in maps.read().splitlines():
            span, access, *_ = line.split()
            if "envpool_rs" not in line or "memfd" not in line or access != "rw-s":
                continue
            first, last = (int(end, 16) for end in span.split("-"))
            memory.seek(first)
            place = memory.read(last - first).find(pattern)
            if place >= lead:
                memory.seek(first + place - lead)
                assert memory.read(1) == b"\x02"
                memory.seek(first + place - lead)
                memory.write(bytes([byte]))
                found += 1
    return found
