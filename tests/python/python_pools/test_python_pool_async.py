"""Tests asynchronous pools over Python environments."""

import multiprocessing
import queue
import threading

import envpool_rs
import numpy as np
import pytest
from python_envs import (
    CountingEnv,
)
from python_pool_cases import counting, zeros


def test_each_recv_returns_the_results_of_the_oldest_send(made):
    env = made(envpool_rs.make_python(counting(), num_envs=5))
    env.reset()
    env.send(zeros(2), [3, 1])
    env.send(zeros(1), [4])
    env.send(zeros(2), [0, 2])
    assert [env.recv()[4]["env_id"].tolist() for _ in range(3)] == [[3, 1], [4], [0, 2]]


def test_an_async_pool_returns_the_first_finished_environments(made):
    go_on = multiprocessing.get_context("fork").Event()

    class Waiting(CountingEnv):
        def step(self, action):
            assert go_on.wait(60)
            return super().step(action)

    env_fns = [Waiting if index == 1 else counting() for index in range(4)]
    env = made(envpool_rs.make_python(env_fns, batch_size=2, context="fork"))
    assert env.is_async and env.config["num_workers"] == 4
    env.async_reset()
    seen = [env.recv()[4]["env_id"].tolist() for _ in range(2)]
    assert sorted([*seen[0], *seen[1]]) == [0, 1, 2, 3]
    env.send(zeros(4))
    steps = np.zeros(4, int)
    while steps[[0, 2, 3]].min() <= 10:
        *_, info = env.recv()
        assert info["env_id"].shape == (2,) and 1 not in info["env_id"]
        steps[info["env_id"]] += 1
        env.send(zeros(2), info["env_id"])
    go_on.set()
    while 1 not in info["env_id"]:
        *_, info = env.recv()
        env.send(zeros(2), info["env_id"])


def test_async_calls_that_cannot_complete_a_batch_are_refused_unsent(made):
    env = made(envpool_rs.make_python(counting(), num_envs=4, batch_size=3))
    env.async_reset()
    here = env.recv()[4]["env_id"]
    for act in (env.recv, lambda: env.step([0], here[:1]), lambda: env.reset(here[:1])):
        with pytest.raises(RuntimeError, match=r"recv: \d environments are in flight, fewer than batch_size=3"):
            act()
    env.send(zeros(2), here[1:])
    assert len(env.recv()[4]["env_id"]) == 3


def test_a_reset_discards_results_in_flight(made):
    env = made(envpool_rs.make_python(counting(), num_envs=4, batch_size=2))
    env.async_reset()
    env.recv()
    observation, info = env.reset()
    assert observation.shape == (2, 3) and info["elapsed_step"].tolist() == [0, 0]
    first = info["env_id"].tolist()
    assert sorted(first + env.recv(reset=True)[1]["env_id"].tolist()) == [0, 1, 2, 3]
    sync = made(envpool_rs.make_python(counting(), num_envs=2))
    sync.reset()
    sync.send(zeros(2))
    assert sync.reset()[0][:, 1].tolist() == [2, 2]


@pytest.mark.parametrize("options", [{}, {"batch_size": 2}], ids=["sync", "async"])
def test_an_empty_send_does_nothing(options, made):
    env = made(envpool_rs.make_python(counting(), num_envs=4, **options))
    env.reset()
    if not options:
        observation, reward, *_, info = env.step([], [])
        assert observation.shape == (0, 3) and reward.shape == (0,) and info["env_id"].shape == (0,)
    env.send(zeros(0), zeros(0))
    env.reset()
    assert len(env.recv()[1] if options else env.step(zeros(4))[1]) == (2 if options else 4)


def test_one_thread_sends_while_another_receives(made):
    env = made(envpool_rs.make_python(counting(length=10**6), num_envs=4, batch_size=1))
    env.async_reset()
    received, todo = [], queue.SimpleQueue()

    def receive():
        while len(received) < 400:
            try:
                received.append(int(env.recv()[4]["env_id"][0]))
            except RuntimeError as error:  # the sending thread has not sent again yet
                assert "0 environments are in flight" in str(error)
            else:
                todo.put(received[-1])

    thread = threading.Thread(target=receive)
    thread.start()
    for _ in range(396):
        env.send(zeros(1), [todo.get(timeout=20)])
    thread.join()
    assert len(received) == 400 and set(received) == {0, 1, 2, 3}
