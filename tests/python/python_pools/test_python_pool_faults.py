"""Tests failures of Python environments and of their workers."""

import multiprocessing
import os
import signal
import time

import envpool_rs
import numpy as np
import pytest
from envpool_rs.workers import WorkerDied
from gymnasium import spaces
from leftovers import children
from python_envs import (
    ActionEnv,
    CountingEnv,
)
from python_pool_cases import counting, scripted, zeros


def test_a_failed_environment_is_named_and_the_remaining_results_follow(made):
    env_fns = [scripted(script={2: "raise"} if index == 1 else {}) for index in range(3)]
    env = made(envpool_rs.make_python(env_fns))
    env.reset()
    env.step(zeros(3))
    with pytest.raises(ValueError, match="environment 1: out of fuel") as raised:
        env.step(zeros(3))
    assert raised.value.env_id == 1 and "misbehave" in str(raised.value.__cause__)
    with pytest.raises(RuntimeError, match="env_id 0 is in flight"):
        env.step(zeros(3))
    with pytest.raises(RuntimeError, match="environment 1 has failed: reset it before the next step"):
        env.step(zeros(1), [1])
    *_, info = env.recv()
    assert info["env_id"].tolist() == [0, 2] and info["elapsed_step"].tolist() == [2, 2]
    with pytest.raises(RuntimeError, match="environment 1 has failed"):
        env.step(zeros(3))
    env.reset([1])
    assert env.step(zeros(3))[4]["elapsed_step"].tolist() == [3, 1, 3]


def test_an_async_pool_keeps_the_rows_of_successful_environments(made):
    env_fns = [scripted(script={1: "raise"} if index == 0 else {}) for index in range(4)]
    env = made(envpool_rs.make_python(env_fns, batch_size=2))
    env.async_reset()
    for _ in range(2):
        env.recv()
    env.send(zeros(2), [0, 1])
    with pytest.raises(ValueError, match="environment 0: out of fuel"):
        env.recv()
    assert env.recv()[4]["env_id"].tolist() == [1]
    with pytest.raises(RuntimeError, match="environment 0 has failed"):
        env.send(zeros(4))
    env.send(zeros(3), [3, 2, 1])
    assert len(env.recv()[4]["env_id"]) == 2
    assert len(env.reset()[1]["env_id"]) == 2


def test_an_environment_that_raises_in_reset_can_be_reset(made):
    env = made(envpool_rs.make_python([counting(), scripted()]))
    env.reset()
    env.set_attr("script", {"reset": "raise"})
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        env.reset()
    assert env.recv(reset=True)[1]["env_id"].tolist() == [0]
    env.set_attr("script", {})
    env.reset()
    env.step(zeros(2))


class Unreadable:
    """Object that cannot be unpickled in another process."""

    def __init__(self, pid):
        if pid != os.getpid():
            raise LookupError("not at home")
        self.pid = pid

    def __reduce__(self):
        return Unreadable, (self.pid,)


class UnreadableEnv(CountingEnv):
    """Environment whose second step has an info that no other process can unpickle."""

    def _info(self):
        return {"word": Unreadable(os.getpid()) if self.steps == 2 else "well"}


def test_an_unreadable_info_fails_its_environment(made):
    env = made(envpool_rs.make_python([scripted(infos={2: {"word": "well"}}), UnreadableEnv]))
    env.reset()
    assert env.step(zeros(2))[4]["word"].tolist() == [None, "well"]
    with pytest.raises(LookupError, match="environment 1: not at home") as raised:
        env.step(zeros(2))
    assert raised.value.env_id == 1
    *_, info = env.recv()
    assert info["word"].tolist() == ["well"] and info["env_id"].tolist() == [0]
    with pytest.raises(RuntimeError, match="environment 1 has failed"):
        env.step(zeros(2))
    env.reset([1])
    assert env.step(zeros(2))[4]["elapsed_step"].tolist() == [3, 1]


@pytest.mark.parametrize(("mode", "steps_until"), [("next_step", 3), ("same_step", 2)])
def test_exceptions_of_automatic_resets_are_reported(mode, steps_until, made):
    class Once(CountingEnv):
        def reset(self, *, seed=None, options=None):
            if self.episode:
                raise OSError("no second episode")
            return super().reset(seed=seed)

    env = made(envpool_rs.make_python(lambda: Once(2), num_envs=1, autoreset_mode=mode))
    env.reset()
    for _ in range(steps_until - 1):
        env.step(zeros(1))
    with pytest.raises(OSError, match=r"environment 0.*no second episode"):
        env.step(zeros(1))
    with pytest.raises(RuntimeError, match="environment 0 has failed: reset it before the next step"):
        env.step(zeros(1))


def test_a_mismatched_observation_fails_its_environment(made):
    env = made(envpool_rs.make_python([counting(), scripted(observations={1: np.zeros(4)})]))
    env.reset()
    with pytest.raises(ValueError, match=r"environment 1: .*\(4,\).*\(3,\)"):
        env.step(zeros(2))
    assert env.recv()[4]["env_id"].tolist() == [0]


def test_a_non_numeric_reward_fails_its_environment(made):
    class Rewarding(CountingEnv):
        def step(self, action):
            observation, _, *rest = super().step(action)
            return observation, [np.array([2.5]), None, "much"][self.steps % 3], *rest

    env = made(envpool_rs.make_python([counting(), Rewarding]))
    env.reset()
    with pytest.raises(TypeError, match="environment 1: reward is None: expected a number"):
        env.step(zeros(2))
    env.reset()


def test_environments_of_a_dead_worker_are_named_and_other_workers_continue(made):
    env_fns = [scripted(script={2: "kill"} if index == 3 else {}) for index in range(4)]
    env = made(envpool_rs.make_python(env_fns, num_workers=2))
    env.reset()
    env.step(zeros(4))
    with pytest.raises(WorkerDied, match=r"environments 2, 3 are lost"):
        env.step(zeros(4))
    # A result of environment 2 may also be received, if it completed a step before its worker died.
    assert set(env.recv()[4]["env_id"].tolist()) | {2} == {0, 1, 2}
    assert env.step(zeros(2), [0, 1])[4]["elapsed_step"].tolist() == [3, 3]
    with pytest.raises((WorkerDied, RuntimeError), match=r"lost|failed"):
        env.step(zeros(1), [3])
    with pytest.raises(WorkerDied, match="worker 1"):
        env.reset()


@pytest.mark.parametrize("restart", [False, True])
def test_a_dead_worker_is_detected_while_other_workers_fill_all_batches(restart, made):
    env_fns = [lambda index=index: TellingEnv(seconds=100.0 if index == 2 else 0.0, length=10**6) for index in range(4)]
    env = made(envpool_rs.make_python(env_fns, batch_size=1, restart=restart))
    env.async_reset()
    for _ in range(4):
        env.recv()
    pid = env.call("pid")[2]
    env.send(zeros(4))
    os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + 60
    try:
        while time.monotonic() < end:
            *_, info = env.recv()
            if "restarted" in info:
                break
            env.send(zeros(1), info["env_id"])
    except WorkerDied as error:
        assert not restart and error.env_ids == [2]
    else:
        assert restart and info["env_id"].tolist() == [2]
    assert time.monotonic() < end


@pytest.mark.parametrize("mode", ["next_step", "disabled"])
def test_a_restarted_worker_begins_new_episodes(mode, made):
    env = made(envpool_rs.make_python(TellingEnv, num_envs=4, num_workers=2, restart=True, autoreset_mode=mode))
    env.reset()
    env.step(zeros(4))
    os.kill(env.call("pid")[3], signal.SIGKILL)
    *_, reward, terminated, truncated, info = env.step(zeros(4))
    assert truncated.tolist() == [False, False, True, True] and not terminated.any()
    assert info["restarted"].tolist() == [False, False, True, True] and reward.tolist() == [2, 2, 0, 0]
    assert info["elapsed_step"].tolist() == [2, 2, 0, 0]
    if mode == "disabled":
        env.reset([2, 3])
    env.step(zeros(4))


def test_a_worker_that_dies_before_the_first_reset_loses_no_episode(made):
    env = made(envpool_rs.make_python(TellingEnv, num_envs=2, num_workers=2, restart=True, seed=7))
    os.kill(env.call("pid")[1], signal.SIGKILL)
    observation, _, _, truncated, info = env.step(zeros(2))
    assert observation[:, 0].tolist() == [7, 8] and not truncated.any()
    assert info["restarted"].tolist() == [False, True]
    observation, *_, info = env.step(zeros(2))
    assert observation[:, 0].tolist() == [7, 8] and info["elapsed_step"].tolist() == [1, 1]


def test_next_step_autoreset_treats_a_restart_as_a_truncation(made):
    env = made(envpool_rs.make_python([TextActionEnv] * 2, num_workers=2, restart=True))
    env.reset()
    assert env.step(("kill", "stay"))[3].tolist() == [True, False]
    observation, reward, *_ = env.step(("stay", "stay"))
    assert observation[0][1:].tolist() == [2, 0] and reward.tolist() == [0, 2]
    assert env.step(("stay", "stay"))[4]["elapsed_step"].tolist() == [1, 3]


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_a_pool_survives_repeated_kills_over_many_steps(mode, made):
    options = {"num_envs": 8, "num_workers": 4, "restart": True, "autoreset_mode": mode}
    env = made(envpool_rs.make_python(lambda: TellingEnv(20), **options))
    env.reset()
    random = np.random.default_rng(0)
    pids = dict(enumerate(env.call("pid")))
    seen, reported, count, due = set(pids.values()), 0, np.zeros(8), np.zeros(8, bool)
    for _ in range(150):
        if random.random() < 0.1:
            pids = dict(enumerate(env.call("pid")))
            seen |= set(pids.values())
            os.kill(pids[int(random.integers(8))], signal.SIGKILL)
        observation, _, terminated, truncated, info = env.step(zeros(8))
        is_new = info.get("restarted", np.zeros(8, bool))
        # The step after an episode's end resets, unless the previous step has already done so.
        count = np.where(is_new | due, 0, count + 1)
        ended = ~is_new & (count >= 20)
        assert truncated.tolist() == is_new.tolist() and terminated.tolist() == ended.tolist()
        assert info["elapsed_step"].tolist() == count.tolist()
        if mode == "same_step":
            count = np.where(ended, 0, count)
        else:
            due = ended | is_new
        assert observation[:, 2].tolist() == count.tolist()
        reported += is_new.sum()
    assert len(seen) - 4 >= 8 and reported >= len(seen) - 4


class TellingEnv(CountingEnv):
    """Environment with a method that returns the id of its process."""

    def pid(self):
        return os.getpid()


@pytest.mark.slow
def test_a_hanging_step_times_out_and_can_be_awaited_again(made):
    go_on = multiprocessing.get_context("fork").Event()

    class Waiting(CountingEnv):
        def step(self, action):
            assert go_on.wait(60)
            return super().step(action)

    env = made(envpool_rs.make_python([counting(), Waiting], num_workers=2, timeout=2.0, context="fork"))
    env.reset()
    with pytest.raises(TimeoutError, match=r"environment 1 has not finished within timeout=2.0 s"):
        env.step(zeros(2))
    go_on.set()
    assert env.recv()[4]["elapsed_step"].tolist() == [1, 1]


@pytest.mark.slow
def test_a_pool_with_a_hanging_environment_can_be_closed():
    before = children()
    env = envpool_rs.make_python(scripted(script={1: "hang"}), num_envs=2, timeout=2.0)
    env.reset()
    with pytest.raises(TimeoutError):
        env.step(zeros(2))
    env.close(terminate=True)  # the environment sleeps for a thousand seconds
    assert children().keys() <= before.keys()


def test_an_exception_in_close_is_raised_once_all_processes_have_ended():
    env = envpool_rs.make_python([counting(), scripted(script={"close": "raise"})])
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        env.close()
    assert env.closed
    env.close()


def test_actions_that_raise_are_named(made):
    env = made(envpool_rs.make_python([TextActionEnv] * 2))
    env.reset()
    with pytest.raises(ValueError, match="environment 0: out of fuel"):
        env.step(("raise", "stay"))


class TextActionEnv(ActionEnv):
    """Environment whose text actions select faults."""

    action_space = spaces.Text(20)

    def step(self, action):
        return super().step(None if action == "stay" else action)
