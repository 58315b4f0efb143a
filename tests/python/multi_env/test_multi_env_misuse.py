"""Tests misuse of `MultiEnv`, and single environments in worker processes (`SubprocessEnv`)."""

import gc
import multiprocessing
import os
import threading
from functools import partial

import numpy as np
import pytest
from envpool_rs import workers
from envpool_rs.multi_env import MultiEnv, SubprocessEnv
from multi_env_cases import (
    BASE,
    FORK,
    TRUNCATED,
    LoggedEnv,
    PidEnv,
    assert_same,
    closing,
    multi_env,
    pid_of,
    raising,
    ready,
    used,
)
from python_envs import CountingEnv, LegacyEnv, MisbehavingEnv, OwnError, SpaceEnv


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0], ValueError, "actions has 1 entries: expected one for each of 2 environments"),
        ([0, 0, 0], ValueError, "actions has 3 entries"),
        (np.zeros(3, int), ValueError, "actions has 3 entries"),
        (5, TypeError, "actions=5: expected one for each of 2 environments"),
        (None, TypeError, "actions=None"),
        (np.int64(1), TypeError, "actions="),
    ],
)
def test_a_wrong_number_of_actions_is_refused_without_a_step(actions, error, message):
    with MultiEnv([CountingEnv(), CountingEnv()]) as players:
        players.reset()
        with pytest.raises(error, match=message):
            players.step(actions)
        assert [observation[2] for observation in players.step([0, 0])[0]] == [1, 1]


def test_actions_may_be_any_iterable():
    with MultiEnv([LoggedEnv(), LoggedEnv()]) as players:
        players.reset()
        players.step(action for action in (3, 4))
        assert [env.last_action for env in players.envs] == [3, 4]


@pytest.mark.parametrize(
    ("envs", "error", "message"),
    [
        (list, ValueError, "envs is empty"),
        (lambda: [CountingEnv(), 5], TypeError, r"envs\[1\] is 5, without reset, step, close"),
        (lambda: [CountingEnv()] * 2, ValueError, r"envs\[1\] is given twice"),
        (
            lambda: [CountingEnv(), LegacyEnv()],
            ValueError,
            r"envs\[1\].observation_space is Box.*expected that of envs\[0\]",
        ),
        (
            lambda: [SpaceEnv(CountingEnv.observation_space), CountingEnv()],
            ValueError,
            r"envs\[1\].action_space is Disc",
        ),
        (lambda: [SubprocessEnv(CountingEnv)], ValueError, "the process is not started"),
    ],
)
def test_incompatible_environments_are_refused(envs, error, message):
    with pytest.raises(error, match=message):
        MultiEnv(envs())


@pytest.mark.parametrize(
    "make", [lambda: MultiEnv([CountingEnv(), CountingEnv()]), lambda: multi_env([CountingEnv] * 2)]
)
def test_closed_environments_refuse_all_calls_by_name(make, no_child_is_left):
    players = make()
    players.reset()
    assert len(players) == 2
    players.close()
    for name, call in {"step": lambda: players.step([0, 0]), "reset": players.reset, "close": players.close}.items():
        with pytest.raises(ValueError, match=rf"{name}\(\): these environments are closed"):
            call()


def test_separately_closed_environments_are_skipped(no_child_is_left):
    players = multi_env([CountingEnv] * 2)
    players.reset()
    players.envs[1].close()
    for call in (lambda: players.step([0, 0]), players.reset):
        with pytest.raises(ValueError, match="environment 1 is closed"):
            call()
    np.testing.assert_array_equal(players.step([0, None])[0][0], [-1, 1, 1])
    players.close()


def test_processes_end_with_environments_that_were_not_closed(no_child_is_left):
    players = multi_env([CountingEnv] * 2)
    players.step([0, 0])
    del players
    gc.collect()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("initialize", "start"),
        ("step", "start"),
        ("reset", "start"),
        ("render", "start"),
        ("seed", "start"),
        ("close", "start"),
        ("observation_space", "start"),
        ("action_space", "start"),
    ],
)
def test_calls_before_start_are_refused(call, message):
    env = SubprocessEnv(CountingEnv)
    with pytest.raises(ValueError, match=rf"{call}.*is not started: call start\(\) first"):
        used(env, call)


@pytest.mark.parametrize("call", ["step", "reset", "render", "seed", "observation_space", "action_space"])
def test_calls_before_initialize_are_refused(call, no_child_is_left):
    env = SubprocessEnv(CountingEnv, **FORK)
    env.start()
    with closing(env), pytest.raises(ValueError, match=rf"{call}.*is not initialized: call initialize\(\) first"):
        used(env, call)


@pytest.mark.parametrize(
    "call", ["start", "initialize", "step", "reset", "render", "seed", "close", "observation_space", "action_space"]
)
def test_calls_after_close_are_refused(call, no_child_is_left):
    with ready(CountingEnv) as env:
        env.close()
        with pytest.raises(ValueError, match=rf"{call}.*this environment is closed"):
            used(env, call)


def test_starting_and_initialising_twice_changes_nothing(no_child_is_left):
    env = SubprocessEnv(PidEnv, **FORK)
    with closing(env):
        for _ in range(2):
            env.start()
        for _ in range(2):
            env.initialize()
        env.reset()
        pid = pid_of(env)
        env.start()
        env.initialize()
        assert pid_of(env) == pid != os.getpid()
        assert env.restarts == 0


def test_start_does_not_wait_for_the_environment(no_child_is_left):
    go = multiprocessing.get_context("fork").Event()
    env = SubprocessEnv(lambda: CountingEnv() if go.wait(20) else raising(TimeoutError()), **FORK)
    with closing(env):
        env.start()
        go.set()
        env.initialize()
        assert env.observation_space == CountingEnv.observation_space


def test_an_environment_that_was_only_started_can_be_closed(no_child_is_left):
    env = SubprocessEnv(lambda: threading.Event().wait(), **FORK)
    env.start()
    env.close()


@pytest.mark.parametrize("env_fn", [None, 5, CountingEnv()])
def test_an_env_fn_must_be_callable(env_fn):
    with pytest.raises(TypeError, match=r"env_fn=.*: expected a function that makes an environment"):
        SubprocessEnv(env_fn)


def test_an_environment_returns_the_values_of_its_methods(no_child_is_left):
    with ready(partial(CountingEnv, 2, info=True)) as env:
        assert_same(env.reset(seed=3), (np.array([3.0, 1, 0]), {"steps": 0}))
        assert_same(env.step(1), (np.array([3.0, 1, 1]), 1.0, False, False, {"steps": 1}))
        assert_same(env.step(1), (np.array([3.0, 1, 2]), 2.0, True, False, {"steps": 2}))
        assert_same(env.step(1)[0], np.array([3.0, 1, 3]))  # a single SubprocessEnv has no autoreset
        assert_same(env.render(), np.full((2, 3, 3), 3, np.uint8))
        assert_same(env.render("rgb_array"), env.render("human"))
        assert (env.metadata, env.render_mode, env.spec) == (CountingEnv.metadata, "rgb_array", None)
        assert isinstance(env, BASE)
        with pytest.raises(ValueError, match="mode='ansi': expected 'rgb_array', the render_mode that"):
            env.render("ansi")
        with pytest.raises(AttributeError, match="seed"):
            env.seed(3)


def test_an_environment_of_old_gym_keeps_its_interface(no_child_is_left):
    with ready(partial(LegacyEnv, 1, truncates=True)) as env:
        assert env.seed(8) == [8]
        assert_same(env.reset(), np.float32([8, 0]))
        assert_same(env.step(0), (np.float32([8, 1]), 1.0, True, {TRUNCATED: True}))
        assert env.render() is None
        assert env.render("rgb_array").shape == (2, 2, 3)
        assert env.reward_range == (0, 1)


@pytest.mark.parametrize("call", ["step", "reset", "render"])
def test_exceptions_of_an_environment_are_raised_without_a_restart(call, no_child_is_left):
    script = {"step": {2: "raise"}, "reset": {"reset": "raise"}, "render": {"render": "raise"}}[call]
    with ready(partial(MisbehavingEnv, script)) as env:
        if call != "reset":
            env.reset()
            env.step(0)
        for _ in range(1 if call == "step" else 2):
            with pytest.raises(ValueError, match="out of fuel") as caught:
                used(env, call)
            assert "misbehave" in str(caught.value.__cause__)
            assert isinstance(caught.value.__cause__, workers.RemoteTraceback)
        if call == "step":
            assert env.step(0)[0][2] == 2
        assert env.restarts == 0


def test_a_worker_died_error_raised_by_an_environment_restarts_nothing(no_child_is_left):
    class Raising(CountingEnv):
        def step(self, action):
            raise workers.WorkerDied("not mine", 0, [0], -9)

    with ready(Raising) as env, pytest.raises(workers.WorkerDied, match="not mine"):
        env.step(0)
    assert env.restarts == 0


@pytest.mark.parametrize(
    ("error", "kind"),
    [(OwnError(1, "x"), OwnError), (SystemExit(3), RuntimeError), (KeyboardInterrupt(), RuntimeError)],
)
def test_exceptions_of_any_type_are_raised_as_errors(error, kind, no_child_is_left):
    class Raising(CountingEnv):
        def step(self, action):
            raise error

    with ready(Raising) as env:
        with pytest.raises(kind, match=r"^environment 0"):
            env.step(0)
        assert env.restarts == 0


def test_an_exception_of_close_is_raised_after_the_process_ended(no_child_is_left):
    with ready(partial(MisbehavingEnv, {"close": "raise"})) as env:
        with pytest.raises(ValueError, match="out of fuel"):
            env.close()
        with pytest.raises(ValueError, match="this environment is closed"):
            env.close()


def test_keywords_of_resets_may_have_the_names_of_our_own_parameters():
    received = []

    class Recorder(CountingEnv):
        def reset(self, **arguments):
            received.append({name: each for name, each in arguments.items() if name != "seed"})
            return super().reset()

    with MultiEnv([Recorder(), Recorder()]) as players:
        players.reset(call=3)
    assert received == [{"call": 3}] * 2
