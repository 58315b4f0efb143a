"""Tests worker processes that die or hang, and how groups close them."""

import functools
import os
import signal
import threading
import time

import envpool_rs
import pytest
from envpool_rs._workers.worker_process import WorkerEnvs
from envpool_rs.workers import WorkerDied
from leftovers import children
from python_envs import ActionEnv, CountingEnv, MisbehavingEnv
from worker_fault_cases import FORK_AND_SPAWN, group_of, is_running, pids_of, reset, step

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("action", "text"),
    [("os._exit", "exit code 3"), ("kill", r"killed by signal 9 \(SIGKILL\)")],
)
@FORK_AND_SPAWN
def test_the_loss_of_a_worker_names_its_environments_and_others_continue(action, text, context):
    group = group_of([ActionEnv] * 4, context=context)
    reset(group, [1, 2, 3, 4])
    steps = step(group, [0, action, 0, 0])
    assert {0, 1} >= set(steps.failures) >= {1} and steps.observation(2).tolist() == [3, 1, 1]
    error = steps.failures[1].raised()
    assert isinstance(error, WorkerDied) and (error.worker, error.env_ids) == (0, [0, 1])
    with pytest.raises(WorkerDied, match=rf"worker 0 \(pid \d+\) died \({text}\): environments 0, 1 are lost"):
        raise error
    for call in (
        lambda: group.send_steps(None, [0] * 4),
        lambda: group.send_resets([0]),
        lambda: group.call([1], "render"),
    ):
        with pytest.raises(WorkerDied, match="worker 0"):
            call()
    assert not len(group.in_flight)
    assert step(group, ids=[2, 3]).observations()[:, 2].tolist() == [2, 2]
    group.close()


def test_a_worker_killed_while_idle_is_detected_at_the_next_request():
    group = group_of([CountingEnv] * 2)
    reset(group)
    os.kill(pids_of(group)[1], signal.SIGKILL)
    steps = step(group)
    assert list(steps.failures) == [1] and steps.observation(0).tolist() == [-1, 1, 1]
    group.close()


def test_a_dead_worker_is_detected_while_another_fills_every_batch():
    group = group_of([ActionEnv, ActionEnv])
    reset(group)
    group.send_steps(None, ["kill", 0])
    deadline = time.monotonic() + 60
    while (done := group.wait(None, 1).tolist()) == [1]:
        assert time.monotonic() < deadline, "the death of worker 0 goes unnoticed"
        group.take_steps(done)
        group.send_steps(done, [0])
    assert isinstance(group.take_steps([0]).failures[0].raised(), WorkerDied)
    group.close()


def test_a_call_that_kills_its_worker_is_reported():
    group = group_of([functools.partial(MisbehavingEnv, {"render": "kill"}), CountingEnv])
    with pytest.raises(WorkerDied, match="environment 0 is lost"):
        group.call(None, "render")
    assert group.call([1], "get_attr", ["length"]) == [5]
    group.close()


def test_a_worker_that_dies_while_closing_does_not_delay_the_others():
    group = group_of([functools.partial(MisbehavingEnv, {"close": "kill"}), CountingEnv])
    pids = pids_of(group)
    group.close()
    assert not any(map(is_running, pids))


@pytest.mark.parametrize("action", ["hang", "spin"])
def test_a_hanging_step_times_out_and_ends_with_close(action):
    group = group_of([ActionEnv] * 2)
    pids = pids_of(group)
    reset(group)
    group.send_steps(None, [action, 0])
    assert group.wait(count=1).tolist() == [1]
    assert group.wait(timeout=0.5).tolist() == [1]
    with pytest.raises(RuntimeError, match="0"):
        group.take_steps()
    group.close(terminate=True)  # closing the environment would take a thousand seconds
    assert not any(map(is_running, pids))


def test_close_waits_for_slow_steps_up_to_its_timeout():
    group = group_of([functools.partial(CountingEnv, seconds=0.3), ActionEnv])
    pids = pids_of(group)
    reset(group)
    group.send_steps(None, [0, "hang"])
    start = time.monotonic()
    group.close(timeout=0.6)
    assert time.monotonic() - start > 0.5 and not any(map(is_running, pids))


@pytest.mark.parametrize("terminate", [False, True])
def test_close_does_not_wait_for_unexecuted_requests_of_the_caller(terminate):
    group = group_of([CountingEnv] * 4, num_workers=1, caller_share=True)
    reset(group)
    group.send_steps(None, [0] * 4)
    group.close(terminate=terminate, timeout=1000.0)


class ClosesLate(CountingEnv):
    """CountingEnv that reports the start of its `close`, and then waits until it may continue."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    def pid(self):
        return os.getpid()

    def close(self):
        (self.folder / "closing").touch()
        while not (self.folder / "go on").exists():
            time.sleep(0.01)


def group_to_close(folder):
    group = group_of([functools.partial(ClosesLate, folder)], num_workers=1)
    return functools.partial(group.close, timeout=1000.0), pids_of(group)


def pool_to_close(folder):
    pool = envpool_rs.make_python([functools.partial(ClosesLate, folder)], context="fork")
    return functools.partial(pool.close, timeout=1000.0), pool.call("pid")


@pytest.mark.parametrize("made", [group_to_close, pool_to_close])
def test_a_second_close_returns_when_the_first_has_ended_all_processes(made, tmp_path):
    close, pids = made(tmp_path)
    left = []

    def close_and_look():
        close()
        left.extend(filter(is_running, pids))

    first, second = threading.Thread(target=close), threading.Thread(target=close_and_look)
    first.start()
    while not (tmp_path / "closing").exists():
        time.sleep(0.01)
    second.start()
    second.join(0.5)  # in this time, the second `close` would return if it did not wait
    (tmp_path / "go on").touch()
    first.join()
    second.join()
    assert not left


@pytest.mark.parametrize("made", [group_to_close, pool_to_close])
def test_a_reentrant_close_does_not_deadlock(made, tmp_path, monkeypatch):
    close, pids = made(tmp_path)
    again = []

    def close_and_go_on(supervisor):
        again.append(close())
        (tmp_path / "go on").touch()
        return close_request(supervisor)

    close_request = WorkerEnvs.close_request
    monkeypatch.setattr(WorkerEnvs, "close_request", close_and_go_on)
    close()
    assert again == [None] and not any(map(is_running, pids))


def test_a_hanging_close_is_terminated():
    group = group_of([functools.partial(MisbehavingEnv, {"close": "hang"}), CountingEnv])
    pids = pids_of(group)
    group.close(timeout=0.3)
    assert not any(map(is_running, pids))


def test_printing_to_a_closed_stdout_is_an_ordinary_exception():
    group = group_of([ActionEnv] * 2)
    reset(group)
    error = step(group, ["print to a closed stdout", 0]).failures[0].raised()
    assert isinstance(error, ValueError) and "closed file" in str(error)
    assert not step(group).failures
    group.close()


def test_a_forked_child_that_returns_into_the_worker_loop_exits():
    group = group_of([ActionEnv] * 2)
    reset(group, [1, 2])
    for count in range(1, 6):
        steps = step(group, ["fork and return", 0])
        assert not steps.failures and steps.observations().tolist() == [[1, 1, count], [2, 1, count]]
    group.close()


def test_a_forked_child_that_outlives_its_worker_does_not_block():
    before = children().keys()
    group = group_of([ActionEnv] * 2)
    pids = pids_of(group)
    reset(group)
    assert not step(group, ["fork and outlive", 0]).failures
    os.kill(pids[0], signal.SIGKILL)
    assert list(step(group).failures) == [0]
    group.close(timeout=1000.0)
    assert not any(map(is_running, pids)) and children().keys() - before, "the fork still sleeps"


def test_a_child_reaped_by_other_code_counts_as_dead():
    group = group_of([CountingEnv] * 2)
    reset(group)
    pid = pids_of(group)[0]
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert list(step(group).failures) == [0]
    group.close()
