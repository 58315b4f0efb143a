"""Tests lost worker processes of `MultiEnv`, and failures of its environments."""

import contextlib
import multiprocessing
import os
import signal
import threading
import warnings
from functools import partial

import numpy as np
import pytest
from envpool_rs import workers
from envpool_rs.multi_env import MultiEnv, SubprocessEnv, create_subprocess_envs
from multi_env_cases import (
    FORK,
    PidEnv,
    assert_same,
    closing,
    multi_env,
    pid_of,
    raising,
    ready,
    used,
)
from python_envs import CountingEnv, GatedEnv, MisbehavingEnv, signal_sender

pytestmark = pytest.mark.slow


class MortalEnv(CountingEnv):
    """CountingEnv that kills its process in the given call, ``deaths`` times in total; files in the folder ``notes``
    count the deaths.
    """

    def __init__(self, notes, at="step", deaths=1):
        super().__init__(length=1000)
        self.notes, self.at, self.deaths = notes, at, deaths
        self._live("make")

    def _live(self, call):
        count = len(list(self.notes.iterdir()))
        if call == self.at and count < self.deaths:
            (self.notes / str(count)).touch()
            os.kill(os.getpid(), signal.SIGKILL)

    def reset(self, **keywords):
        self._live("reset")
        return super().reset(**keywords)

    def step(self, action):
        if action == 4:
            self._live("step")
        return super().step(action)

    def render(self):
        self._live("render")
        return super().render()

    def close(self):
        self._live("close")


def kill(pid):
    """Kills a process; returns after its death, so that the process cannot reply any more."""
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def restarted(times=1):
    return pytest.warns(RuntimeWarning, match=rf"its process died \(killed by signal 9.*restart {times}\)")


def test_a_process_killed_during_a_step_is_restarted_and_steps_again(tmp_path, no_child_is_left):
    with ready(partial(MortalEnv, tmp_path)) as env:
        env.reset()
        env.step(0)
        with restarted():
            assert_same(env.step(4), (np.array([-1.0, 1, 1]), 1.0, False, False, {}))
        assert env.restarts == 1
        assert env.step(0)[0][2] == 2


def test_a_process_killed_while_idle_is_restarted_at_the_next_step(no_child_is_left):
    with ready(PidEnv) as env:
        for times in (1, 2, 3):
            env.reset()
            kill(pid_of(env))
            with restarted(times):
                assert env.step(0)[0][2] == 1
        assert env.restarts == 3


@pytest.mark.parametrize(("at", "episode"), [("reset", 1), ("render", 1)])
def test_a_lost_request_is_resent(at, episode, tmp_path, no_child_is_left):
    with ready(partial(MortalEnv, tmp_path, at)) as env:
        if at == "render":
            env.reset()
        with restarted():
            used(env, at)
        assert env.step(0)[0][1] == episode


def test_a_second_consecutive_death_is_a_recoverable_error(tmp_path, no_child_is_left):
    with ready(partial(MortalEnv, tmp_path, deaths=2)) as env:
        env.reset()
        with pytest.raises(RuntimeError, match=r"died twice in a row \(killed by signal 9") as caught:
            env.step(4)
        second = caught.value.__cause__
        assert isinstance(second, workers.WorkerDied)
        assert isinstance(second.__cause__, workers.WorkerDied)
        assert second.__cause__ is not second
        assert env.restarts == 0
        with restarted():
            assert_same(env.step(4)[0], np.array([-1.0, 1, 1]))


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_process_that_dies_during_construction_is_restarted_once(deaths, tmp_path, no_child_is_left):
    env = SubprocessEnv(partial(MortalEnv, tmp_path, "make", deaths), **FORK)
    env.start()
    if deaths == 1:
        with restarted():
            env.initialize()
        env.reset()
        env.close()
    else:
        with pytest.raises(RuntimeError, match="died twice in a row while it made its environment"):
            env.initialize()


def test_an_env_fn_that_fails_after_a_restart_is_reported(tmp_path, no_child_is_left):
    def env_fn():
        return PidEnv() if not (tmp_path / "broken").exists() else raising(OSError(28, "the disk is full"))

    with ready(env_fn) as env:
        env.reset()
        kill(pid_of(env))
        (tmp_path / "broken").touch()
        for _ in range(2):
            with pytest.raises(OSError, match="the disk is full"):
                env.step(0)
        (tmp_path / "broken").unlink()
        with restarted():
            assert env.step(0)[0][2] == 1


def test_the_restart_warning_may_be_raised_as_an_error(no_child_is_left):
    with ready(PidEnv) as env:
        env.reset()
        kill(pid_of(env))
        with pytest.raises(RuntimeWarning, match="restart 1"):
            env.step(0)
        assert env.step(0)[0][2] == 2


@pytest.mark.parametrize("num_workers", [4, 2])
def test_only_environments_of_the_dead_worker_are_recreated(num_workers, no_child_is_left):
    with multi_env([partial(PidEnv, 1000)] * 4, num_workers=num_workers) as players:
        players.reset(seed=1)
        *_, infos = players.step([0] * 4)
        lost = [k for k, info in enumerate(infos) if info["pid"] == infos[1]["pid"]]
        assert len(lost) == 4 // num_workers
        kill(infos[1]["pid"])
        with restarted():
            observations, _, _, after = players.step([0] * 4)
        expected = [[-1, 1, 1] if k in lost else [1 + k, 1, 2] for k in range(4)]
        np.testing.assert_array_equal(observations, expected)
        assert players.restarts == [int(k in lost) for k in range(4)]
        assert len({infos[1]["pid"], *(info["pid"] for info in after)}) > len({info["pid"] for info in infos})
        observations = players.step([None, 0, 0, 0])[0]
        assert [row is None or row[2] == expected[k][2] + 1 for k, row in enumerate(observations)] == [True] * 4


def test_repeated_kills_lose_only_the_episodes_of_killed_workers(no_child_is_left):
    rng = np.random.default_rng(3)
    twin = MultiEnv([PidEnv(1000) for _ in range(3)])
    with multi_env([partial(PidEnv, 1000)] * 3) as players, warnings_ignored():
        players.reset(seed=1)
        twin.reset(seed=1)
        *_, infos = players.step([0] * 3)
        twin.step([0] * 3)
        kills = [0] * 3
        for _ in range(30):
            if rng.random() < 0.5:
                chosen = int(rng.integers(3))
                kill(infos[chosen]["pid"])
                kills[chosen] += 1
                twin.envs[chosen].env.seed_given, twin.envs[chosen].env.episode = -1, 0
                twin.envs[chosen].reset()
            observations, *_, infos = players.step([0] * 3)
            assert_same(observations, twin.step([0] * 3)[0])
        assert players.restarts == kills
    twin.close()


def test_threaded_and_joint_environments_lose_the_same_episodes(no_child_is_left):
    class Wrapped:
        def __init__(self, env):
            self.env = env

        def __getattr__(self, name):
            return getattr(self.env, name)

    envs = create_subprocess_envs([partial(PidEnv, 1000)] * 4, num_workers=2, **FORK)
    with MultiEnv(map(Wrapped, envs)) as players, warnings_ignored():
        players.reset()
        for count in range(1, 11):
            *_, infos = players.step([0] * 4)
            if count % 5 == 0:
                kill(infos[count // 5]["pid"])
        observations = players.step([0] * 4)[0]
        assert all(env.restarts for env in envs)
        assert [row[2] for row in observations] == [6, 6, 1, 1]


@contextlib.contextmanager
def warnings_ignored():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def test_a_terminal_flag_survives_the_process(tmp_path, no_child_is_left):
    with multi_env([partial(PidEnv, 2)] * 2) as players:
        players.reset()
        players.step([0, 0])
        *_, terminals, infos = players.step([0, 0])
        assert terminals == [True, True]
        kill(infos[0]["pid"])
        with restarted():
            observations = players.step([0, 0])[0]
        np.testing.assert_array_equal(observations, [[-1, 1, 1], [-1, 2, 1]])
        assert players.step([0, 0])[2] == [True, True]
        np.testing.assert_array_equal(players.step([0, 0])[0], [[-1, 2, 1], [-1, 3, 1]])


@pytest.mark.parametrize("make", [lambda env_fns: MultiEnv([env_fn() for env_fn in env_fns]), multi_env])
def test_an_error_carries_the_results_of_the_remaining_environments(make, no_child_is_left):
    env_fns = [partial(MisbehavingEnv, {2: "raise"} if k == 1 else {}) for k in range(3)]
    with make(env_fns) as players:
        players.reset()
        players.step([0] * 3)
        with pytest.raises(ValueError, match="out of fuel") as caught:
            players.step([0] * 3)
        observations, rewards, terminals, infos = caught.value.results
        assert (rewards, terminals, infos) == ([2.0, None, 2.0], [False, None, False], [{}, None, {}])
        assert observations[1] is None
        assert [row[2] for row in players.step([0] * 3)[0]] == [3, 2, 3]


@pytest.mark.parametrize("make", [lambda env_fns: MultiEnv([env_fn() for env_fn in env_fns]), multi_env])
def test_failures_of_reset_and_close_are_raised_after_all_finished(make, no_child_is_left):
    players = make([partial(MisbehavingEnv, {"reset": "raise", "close": "raise"} if k == 1 else {}) for k in range(3)])
    with pytest.raises(ValueError, match="out of fuel"):
        players.reset()
    assert players.envs[2].step(0)[0][1] == 1
    with pytest.raises(ValueError, match="out of fuel"):
        players.close()


def test_ctrl_c_interrupts_a_step_and_the_next_call_continues(no_child_is_left):
    gate, step_started = (multiprocessing.get_context("fork").Event() for _ in range(2))
    with multi_env([CountingEnv, lambda: GatedEnv(gate, step_started)]) as players:
        players.reset()
        sender = signal_sender(step_started)
        with pytest.raises(KeyboardInterrupt):
            sender.start()
            players.step([0, 1])
        sender.join()
        gate.set()
        assert [row[2] for row in players.step([0, 0])[0]] == [2, 2]


def test_hanging_environments_can_be_closed_after_an_interrupt(no_child_is_left):
    envs = create_subprocess_envs([partial(MisbehavingEnv, {1: "hang"}), CountingEnv], **FORK)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        envs[0].step(0)
    timer.join()
    envs[1].reset()
    envs[0].close()
    assert envs[1].step(0)[0][2] == 1
    envs[1].close()


def test_environments_are_started_together_and_in_order(no_child_is_left):
    envs = create_subprocess_envs([partial(PidEnv, k + 1) for k in range(3)], **FORK)
    for k, env in enumerate(envs):
        env.reset()
        ends = [env.step(0) for _ in range(k + 1)]
        assert [end[2] for end in ends] == [False] * k + [True]
    assert len({pid_of(env) for env in envs}) == 3
    for env in envs:
        env.close()


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_a_failing_env_fn_is_named_and_created_environments_are_closed(context, no_child_is_left):
    env_fns = [CountingEnv, CountingEnv, partial(MisbehavingEnv, {"make": "raise"}), CountingEnv]
    with pytest.raises(ValueError, match=r"2.*out of fuel") as caught:
        create_subprocess_envs(env_fns, context=context)
    assert isinstance(caught.value.__cause__, workers.RemoteTraceback)


def test_environment_construction_can_be_retried(tmp_path, no_child_is_left):
    env = SubprocessEnv(
        lambda: CountingEnv() if (tmp_path / "ready").exists() else raising(OSError("no display")), **FORK
    )
    env.start()
    for _ in range(2):
        with pytest.raises(OSError, match="no display"):
            env.initialize()
    (tmp_path / "ready").touch()
    with closing(env):
        env.initialize()
        env.reset()


def test_an_environment_that_failed_to_start_can_be_closed(no_child_is_left):
    env = SubprocessEnv(lambda: raising(OSError("no display")), **FORK)
    env.start()
    with pytest.raises(OSError, match="no display"):
        env.initialize()
    env.close()


def test_functions_that_cannot_be_pickled_are_named(no_child_is_left):
    lock = threading.Lock()
    with pytest.raises(TypeError, match=r"env_fns\[1\].*cannot be pickled"):
        create_subprocess_envs([CountingEnv, lambda: lock and CountingEnv()], context="spawn")
    env = SubprocessEnv(lambda: lock and CountingEnv(), context="spawn")
    with pytest.raises(TypeError, match="cannot be pickled"):
        env.start()


@pytest.mark.parametrize(
    ("env_fns", "how", "error", "message"),
    [
        ([], {}, ValueError, "env_fns is empty"),
        ([CountingEnv, 5], {}, TypeError, r"env_fns\[1\]=5: expected a function"),
        ([CountingEnv], {"num_workers": 0}, ValueError, "num_workers"),
        ([CountingEnv], {"num_workers": "two"}, TypeError, "num_workers"),
        ([CountingEnv], {"context": "thread"}, ValueError, "context"),
    ],
)
def test_arguments_out_of_range_are_refused_by_name(env_fns, how, error, message, no_child_is_left):
    with pytest.raises(error, match=message):
        create_subprocess_envs(env_fns, **how)


def test_lambdas_are_sent_to_spawned_processes():
    pytest.importorskip("cloudpickle")
    length = 3
    (env,) = create_subprocess_envs([lambda: CountingEnv(length)], context="spawn")
    env.reset()
    assert [env.step(0)[2] for _ in range(3)] == [False, False, True]
    env.close()


def test_one_environment_can_be_closed_separately(no_child_is_left):
    envs = create_subprocess_envs([CountingEnv] * 3, **FORK)
    envs[1].close()
    for env in (envs[0], envs[2]):
        env.reset()
        assert env.step(0)[0][2] == 1
    with pytest.raises(ValueError, match="closed"):
        envs[1].step(0)
    envs[0].close()
    envs[2].close()
