"""Tests slow and failing environments, and several threads that use one pool."""

import faulthandler
import gc
import queue
import re
import threading
import time
import weakref
from pathlib import Path

import envpool_rs
import numpy as np
import pytest

I = np.arange  # noqa: E741
SCRIPTED = "test/Scripted-v0"
PANIC, TERMINATE, PANIC_WHEN_OBSERVED, PANIC_AT_RESET = 1001, 1002, 1003, 1004


@pytest.fixture(autouse=True)
def watchdog():
    faulthandler.dump_traceback_later(240, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


def ids(result):
    return result[-1]["env_id"].tolist()


@pytest.mark.parametrize("batch_size", [1, 3, 7])
def test_recv_never_waits_for_a_slow_environment(batch_size):
    env = envpool_rs.make(SCRIPTED, num_envs=22, batch_size=batch_size, num_threads=2)
    env.send(np.where(I(22) == 0, 1000, 0), I(22))  # the first step of a pool only resets
    for _ in range(20):
        counts = np.zeros(22, int)
        while counts[0] == 0:
            batch = ids(env.recv())
            counts[batch] += 1
            env.send(np.where(np.array(batch) == 0, 1000, 0), batch)
        # While environment 0 stepped for one second, results of all other environments were received repeatedly. If
        # those environments had waited for environment 0, each result would have been received once.
        if min(counts[1:]) > 20:
            return
        # The first result of environment 0 is that of its reset. Later, a busy machine may have stopped this loop.
    pytest.fail("results of other environments came too rarely")


def test_results_are_returned_in_order_of_completion():
    env = envpool_rs.make(SCRIPTED, num_envs=4, batch_size=1, num_threads=4)
    env.async_reset()
    assert sorted(ids(env.recv())[0] for _ in range(4)) == [0, 1, 2, 3]
    for _ in range(20):
        start, received = time.monotonic(), []
        env.send([1000], [0])
        for lane in (3, 1, 2):
            env.send([0], [lane])
            received += ids(env.recv())
        is_early = time.monotonic() - start < 1
        received += ids(env.recv())
        assert sorted(received) == [0, 1, 2, 3]
        if is_early:
            assert received == [3, 1, 2, 0]
            return
        # On a busy machine, the step of one second may have ended first, so the case is repeated.
    pytest.fail("three short steps took a second each time")


def test_a_slow_step_leaves_the_interpreter_to_other_threads():
    env = envpool_rs.make(SCRIPTED, num_envs=1)
    for _ in range(50):
        env.step([0])
    ticks = []

    def tick():
        while len(ticks) < 1000:
            ticks.append(time.sleep(0.005))

    threading.Thread(target=tick, daemon=True).start()
    before = len(ticks)
    env.step([1000])
    during = len(ticks) - before
    ticks.extend([None] * 1000)
    assert during > 10


PANICS = [PANIC, PANIC_WHEN_OBSERVED]


@pytest.mark.parametrize("panic", PANICS)
@pytest.mark.parametrize("failing", [[1], [0, 2, 5], [0, 1, 2, 3, 4, 5]], ids=str)
def test_a_panic_is_an_error_and_the_remaining_results_follow(panic, failing):
    env = envpool_rs.make(SCRIPTED, num_envs=6)
    env.reset()
    with pytest.raises(RuntimeError, match=rf"environment [{''.join(map(str, failing))}] panicked.*scripted panic"):
        env.step(np.where(np.isin(I(6), failing), panic, 0))
    others = [lane for lane in range(6) if lane not in failing]
    rest = env.recv() if others else None  # held, because recv() returns a result that no object holds again
    assert rest is None or ids(rest) == others
    with pytest.raises(RuntimeError, match="nothing has been sent"):
        env.recv()
    with pytest.raises(RuntimeError, match=f"environment {failing[0]} has failed: reset it before the next step"):
        env.step([0] * 6)
    with pytest.raises(RuntimeError, match="has failed"):
        env.get_state()
    assert env.reset(failing)[0].tolist() == [[0.0, -1.0]] * len(failing)
    steps = env.step([0] * 6)[0][:, 0]
    assert steps.tolist() == [1.0 if lane in failing else 2.0 for lane in range(6)]


@pytest.mark.parametrize("panic", PANICS)
def test_a_panic_in_an_async_pool_loses_no_other_result(panic):
    env = envpool_rs.make(SCRIPTED, num_envs=6, batch_size=3, num_threads=2)
    env.async_reset()
    received = ids(env.recv()) + ids(env.recv())
    assert sorted(received) == list(range(6))
    env.send([0, panic, 0, 0, panic, 0], I(6))
    good, errors = [], 0
    for _ in range(6):
        try:
            good += ids(env.recv())
        except RuntimeError as error:
            errors += "panicked" in str(error)
    assert sorted(good) == [0, 2, 3, 5] and errors >= 1
    with pytest.raises(RuntimeError, match="environment 4 has failed"):
        env.send([0], [4])
    env.reset()
    assert len(ids(env.recv())) == 3


def test_an_environment_that_panicked_in_reset_can_be_reset():
    env = envpool_rs.make(SCRIPTED, num_envs=3)
    env.reset()
    env.step([0, PANIC_AT_RESET, 0])
    with pytest.raises(RuntimeError, match="environment 1 panicked: scripted panic at this reset"):
        env.reset()
    assert ids(env.recv()) == [0, 2]
    assert env.reset()[0].tolist() == [[0.0, -1.0]] * 3


def test_a_panic_at_an_autoreset_is_reported():
    env = envpool_rs.make(SCRIPTED, num_envs=2, max_episode_steps=1)
    env.reset()
    assert env.step([PANIC_AT_RESET, 0])[3].all()
    with pytest.raises(RuntimeError, match="environment 0 panicked"):
        env.step([0, 0])
    assert ids(env.recv()) == [1]
    assert len(env.reset()[0]) == 2


@pytest.mark.parametrize("options", [{}, {"autoreset_mode": "same_step"}], ids=["next_step", "same_step"])
@pytest.mark.parametrize("task", ["CartPole-v1", SCRIPTED])
def test_one_thread_may_send_while_another_receives(task, options):
    env = envpool_rs.make(task, num_envs=8, batch_size=2, max_episode_steps=3, **options)
    env.async_reset()
    batches, counts, failures = queue.Queue(), np.zeros(8, int), []
    end = time.perf_counter() + 60

    def send():
        try:
            while (batch := batches.get()) is not None:
                env.send(np.zeros(len(batch), int), batch)
        except BaseException as error:
            failures.append(error)

    sender = threading.Thread(target=send)
    sender.start()
    while counts.min() <= 100 and time.perf_counter() < end and not failures:
        try:
            batch = env.recv()[-1]["env_id"]
        except RuntimeError as error:
            assert "in flight, fewer than" in str(error)  # the sending thread has not sent again yet
            continue
        counts[batch] += 1
        batches.put(batch.copy())
    batches.put(None)
    sender.join()
    assert failures == [] and counts.min() > 100
    env.reset()


def test_a_second_receiver_is_refused_and_the_first_gets_all_results():
    env = envpool_rs.make(SCRIPTED, num_envs=2, num_threads=2)
    env.reset()
    results, refusals = [], []

    def receive():
        try:
            results.append(ids(env.recv()))
        except RuntimeError as error:
            refusals.append(str(error))

    def step():
        try:
            env.step([0], [0])
        except RuntimeError as error:
            refusals.append(str(error))

    for _ in range(20):
        start = time.monotonic()
        env.send([500, 500])
        first = threading.Thread(target=receive)
        first.start()
        time.sleep(0.05)
        receive()
        step()
        is_early = time.monotonic() - start < 0.5
        first.join()
        assert results == [[0, 1]]
        if is_early:
            assert refusals[0] == "this pool is in use by another thread"
            assert re.search("in use by another thread|in flight|earlier send", refusals[1])
            return
        # One of the threads called `recv` so late that it may have got no result or all, so the case is repeated.
        results.clear(), refusals.clear()
    pytest.fail("the two never met")


@pytest.mark.parametrize("task", ["CartPole-v1", SCRIPTED])
@pytest.mark.parametrize("size", [4, 2], ids=["sync", "async"])
def test_four_threads_stepping_get_results_or_runtime_errors(task, size):
    env = envpool_rs.make(task, num_envs=4, batch_size=size)
    strange, sent, rows = [], [], []

    def take(result):
        observations, ids = result[0][:, 0].tolist(), result[-1]["env_id"].tolist()
        rows.extend(zip(ids, observations, strict=True))

    def work(number):
        rng = np.random.default_rng(number)
        while len(sent) < 1000 and not strange:
            # In the asynchronous pool, each thread steps any two environments and may receive the results of other
            # threads' steps. Two of the four environments are never in flight.
            mine = (I(4) + number) % 4 if size == 4 else rng.permutation(4)[:2]
            try:
                take(env.step(np.zeros(size, int), mine))
                sent.append(mine)
            except RuntimeError as error:
                if not re.search("in use by another thread|is in flight", str(error)):
                    strange.append(error)
                time.sleep(0)  # a rejected thread yields to other threads
            except BaseException as error:
                strange.append(error)

    env.async_reset()
    take(env.recv())
    several = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in several:
        thread.start()
    for thread in several:
        thread.join()
    assert strange == []
    # Counts the environments in flight: `async_reset` sent each of them once. An environment is in flight at most once,
    # so another send to it is rejected.
    flying = 1 + np.bincount(np.concatenate(sent), minlength=4) - np.bincount([lane for lane, _ in rows], minlength=4)
    assert sorted(flying.tolist()) == [0] * size + [1] * (4 - size)
    for lane in np.flatnonzero(flying):
        with pytest.raises(RuntimeError, match=f"env_id {lane} is in flight"):
            env.send([0], [lane])
    while flying.sum() > 0:
        take(env.recv())
        flying[[lane for lane, _ in rows[-size:]]] = 0
    if task == SCRIPTED:
        for lane in range(4):
            counts = [count for each, count in rows if each == lane]
            assert sorted(counts) == list(range(len(counts))), "each of its steps has come once"
    env.reset()
    assert len(env.step(np.zeros(4, int))[1] if size == 4 else env.recv()[1]) == size


def threads():
    """Returns this process's threads by number; threads of earlier tests' pools may still be ending.

    A listing during which a thread ends may omit other threads, so the listing is repeated until two consecutive
    listings agree.
    """
    last, now = None, set()
    while now != last:
        last, now = now, {each.name for each in Path("/proc/self/task").iterdir()}
    return now


def workers_since(before, count):
    """Returns the pool's worker threads, which are not in ``before``; waits until there are `count`.

    Each thread sets its name when it starts to run, which may be later. Threads of other tests' libraries and pools,
    which may start and end at any time, are not counted.
    """
    end = time.monotonic() + 60
    while len(found := {each for each in threads() - before if name_of(each).startswith("envpool-")}) != count:
        assert time.monotonic() < end, f"{len(found)} workers: expected {count}"
        time.sleep(0.001)
    return found


def name_of(thread):
    """Returns a thread's name; an empty str if the thread has ended."""
    try:
        return Path("/proc/self/task", thread, "comm").read_text()
    except OSError:
        return ""


def alive(workers):
    """Returns whether any of the given threads still exists."""
    return any(Path("/proc/self/task", each).exists() for each in workers)


@pytest.fixture
def earlier_objects_frozen():
    """Excludes objects of earlier tests from garbage collections, which take seconds in a large process otherwise."""
    gc.collect()
    gc.freeze()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads in /proc")
@pytest.mark.parametrize("end", ["delete", "close", "cycle"])
def test_worker_threads_end_with_their_pool_without_blocking_callers(end, earlier_objects_frozen):
    for _ in range(30):
        before = threads()
        env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=3)
        env.reset()
        workers = workers_since(before, 3)
        env.send([0, 1000, 0, 0])
        time.sleep(0.05)
        gone = weakref.ref(env)
        if end == "close":
            env.close()
        if end == "cycle":
            env._itself = env
        del env
        gc.collect()
        assert gone() is None
        at_work = alive(workers)
        await_end_of(workers)
        if at_work:
            return
        # On a busy machine, the step of one second may not have started or may have ended, so the case is repeated.
    pytest.fail("no worker was at its step when the pool had gone")


def await_end_of(workers):
    end = time.monotonic() + 60
    while alive(workers):
        assert time.monotonic() < end, "threads go on without their pool"
        time.sleep(0.01)


def test_closing_wakes_a_receiver(earlier_objects_frozen):
    for _ in range(30):
        before = threads()
        env = envpool_rs.make(SCRIPTED, num_envs=2, num_threads=2)
        env.reset()
        workers = workers_since(before, 2)
        start, received = time.monotonic(), []
        env.send([1000, 1000])
        time.sleep(0.05)
        closing = threading.Timer(0.05, env.close)
        closing.start()
        try:
            received = ids(env.recv())
        except RuntimeError as error:
            assert str(error) == "this pool is closed"
        at_work = alive(workers)
        is_early = time.monotonic() - start < 1
        closing.join()
        await_end_of(workers)
        assert not (is_early and received)
        if at_work and not received:
            return
        # On a busy machine, the steps of one second may not have started or may have ended, so the case is repeated.
    pytest.fail("no worker was at its step when the receiver had been woken")


HELD = [
    ("Blackjack-v1", envpool_rs.make_vec),
    ("SimpleSpeakerListener-v4", envpool_rs.make),
    ("SimpleSpeakerListener-v4", envpool_rs.make_vec),
    ("CartPole-v1", envpool_rs.make),
    ("Taxi-v3", envpool_rs.make_vec),
]


def leaves(value):
    if isinstance(value, dict):
        value = tuple(value.values())
    return [each for part in value for each in leaves(part)] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("part", [0, 1, -1], ids=["observation", "reward", "info"])
@pytest.mark.parametrize(("task", "make"), HELD)
def test_held_results_are_never_overwritten(task, make, part):
    env = make(task, num_envs=2, seed=3)
    env.reset()
    actions = env.spec.action_array_spec
    action = {name[7:]: np.zeros(2, np.int32) for name in actions if ":" in name} or np.zeros(2, int)
    held, copies = [], []
    for _ in range(12):
        held.append(env.step(action)[part])
        copies.append([leaf.copy() for leaf in leaves(held[-1])])
    for kept, copy in zip(held, copies, strict=True):
        for leaf, value in zip(leaves(kept), copy, strict=True):
            np.testing.assert_array_equal(leaf, value)


def swap(info):
    info["env_id"], info["elapsed_step"] = info["elapsed_step"], info["env_id"]


def rename(info):
    info["x"] = info.pop("env_id")


TRICKS = [
    lambda result: swap(result[-1]),
    lambda result: rename(result[-1]),
    lambda result: result[-1].clear(),
    lambda result: result[-1]["players"].clear(),
    lambda result: result[-1]["players"].update(env_id=0),
    lambda result: result[0].setflags(write=False),
    lambda result: setattr(result[0], "shape", (4, 2)),
    lambda result: setattr(result[0], "dtype", np.int32),
    lambda result: result[0].fill(np.nan),
    lambda result: result[0].__setstate__((1, (1,), np.dtype(np.int8), False, b"x")),
    lambda result: result[0].base,
    lambda result: memoryview(result[0]),
    lambda result: result[0][0],
    lambda result: np.asarray(result[0]).T,
    lambda result: weakref.ref(result[0]),
    lambda result: iter(result[0]),
    lambda result: result[0].__array_struct__,
    lambda result: result[0].__dlpack__(),
]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("number", range(len(TRICKS)))
def test_manipulated_results_do_not_affect_later_results(number):
    env, twin = (envpool_rs.make("CartPole-v1", num_envs=2) for _ in range(2))
    env.reset(), twin.reset()
    kept = []
    for _ in range(6):
        result, expected = env.step([0, 1]), twin.step([0, 1])
        assert list(result[-1]) == list(expected[-1])
        for mine, other in zip(leaves(result), leaves(expected), strict=True):
            assert mine.dtype == other.dtype and mine.flags.writeable
            np.testing.assert_array_equal(mine, other)
        kept.append(TRICKS[number](result))
        del result, mine


def test_arrays_cannot_be_resized_or_given_another_base():
    result = envpool_rs.make("CartPole-v1", num_envs=2).step([0, 0])
    with pytest.raises(ValueError, match="does not own its data"):
        result[0].resize(100, refcheck=False)
    with pytest.raises(AttributeError):
        result[0].base = None
