"""Tests misuse of the BaseVectorEnv family, and environments that fail."""

import functools
import threading

import numpy as np
import pytest
from envpool_rs.vector import (
    DummyVectorEnv,
    RunningMeanStd,
    SubprocVectorEnv,
)
from python_envs import (
    CountingEnv,
    MisbehavingEnv,
)
from vector_env_cases import KINDS, counting


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"wait_num": 0}, ValueError, "wait_num=0: expected 1 to 2"),
        ({"wait_num": 3}, ValueError, "wait_num=3: expected 1 to 2"),
        ({"wait_num": -1}, ValueError, "wait_num=-1"),
        ({"wait_num": 1.5}, TypeError, "wait_num=1.5: expected an int"),
        ({"timeout": 0}, ValueError, "timeout=0: expected a number of seconds above 0"),
        ({"timeout": -1.0}, ValueError, "timeout=-1.0"),
        ({"timeout": float("nan")}, ValueError, "timeout=nan"),
        ({"timeout": "1"}, TypeError, "timeout='1': expected a number"),
        ({"obs_rms": 3}, TypeError, "obs_rms=3"),
        ({"obs_rms": {"a": RunningMeanStd(), "b": 1}}, TypeError, r"obs_rms\['b'\]=1"),
        ({"nonsense": 1}, TypeError, "nonsense"),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["dummy", "subproc"])
def test_wrong_arguments_are_refused(kind, keywords, error, message):
    with pytest.raises(error, match=message):
        KINDS[kind](counting(2), **keywords)


@pytest.mark.parametrize("kind", ["dummy", "subproc"])
@pytest.mark.parametrize(
    ("env_fns", "error", "message"),
    [
        ([], ValueError, "env_fns is empty"),
        (3, TypeError, "env_fns=3"),
        ([CountingEnv, 3], TypeError, r"env_fns\[1\]=3"),
        ([[CountingEnv]], TypeError, r"env_fns\[0\]=\["),
        ("abc", TypeError, "env_fns='abc'"),
    ],
    ids=str,
)
def test_wrong_env_fns_are_refused(kind, env_fns, error, message):
    with pytest.raises(error, match=message):
        KINDS[kind](env_fns)


@pytest.mark.parametrize("call", ["reset", "step", "get_env_attr", "set_env_attr", "customized_method"])
@pytest.mark.parametrize(
    ("ids", "error", "message"),
    [
        (2, IndexError, "id=2: expected 0 to 1"),
        (-1, IndexError, "id=-1"),
        ([0, 99], IndexError, "id=99"),
        ([1, 1], ValueError, r"id=\[1, 1\]: expected each environment once"),
        ("a", TypeError, "id='a': expected an int"),
        (1.0, TypeError, "id=1.0"),
        (np.array([True, False]), TypeError, "id=True"),
        ({0: 1}, TypeError, "id={0: 1}"),
    ],
    ids=str,
)
def test_wrong_ids_are_refused_everywhere(call, ids, error, message):
    with DummyVectorEnv(counting(2)) as env, pytest.raises(error, match=message):
        {
            "reset": lambda: env.reset(ids),
            "step": lambda: env.step([0, 0], ids),
            "get_env_attr": lambda: env.get_env_attr("length", ids),
            "set_env_attr": lambda: env.set_env_attr("length", 1, ids),
            "customized_method": lambda: env.customized_method("render", None, ids),
        }[call]()


@pytest.mark.parametrize(
    ("action", "ids", "error", "message"),
    [
        ([0], None, ValueError, "action has 1 entries: expected 2"),
        ([0, 0, 0], None, ValueError, "action has 3 entries: expected 2"),
        (np.zeros(1), [0, 1], ValueError, "action has 1 entries: expected 2"),
        ([0, 0], 0, ValueError, "action has 2 entries: expected 1"),
        (0, None, TypeError, "action=0: expected a sequence"),
        (np.int64(3), 0, TypeError, "action=.*3.*: expected a sequence"),
        (np.array(3), 0, TypeError, "action=.*: expected a sequence"),
        ({"a": [0, 0]}, None, TypeError, "action={.*: expected a sequence"),
        ("ab", None, TypeError, "action='ab'"),
        ([0, None], None, ValueError, r"action\[1\]=None"),
        (None, None, RuntimeError, "no environment has a step to fetch"),
        (None, 0, ValueError, "id=0: expected None where action is None"),
    ],
    ids=str,
)
@pytest.mark.parametrize("keywords", [{}, {"wait_num": 1}], ids=["sync", "async"])
def test_wrong_actions_are_refused_without_a_step(make, action, ids, error, message, keywords):
    env = make(counting(2), **keywords)
    env.reset()
    with pytest.raises(error, match=message):
        env.step(action, ids)
    assert env.ready_id == [0, 1]
    assert env.reset()[:, 1].tolist() == [2, 2]


def test_an_unpicklable_action_is_refused_without_a_step():
    with SubprocVectorEnv(counting(2), num_workers=2) as env:
        env.reset()
        with pytest.raises((TypeError, ValueError), match="pickle"):
            env.step([0, threading.Lock()])
        assert env.step([0, 0])[0][:, 2].tolist() == [1, 1]


def test_only_len_works_after_close(make):
    env = make(counting(2))
    env.reset()
    env.close()
    assert env.is_closed
    assert len(env) == 2
    assert repr(env)
    calls = [
        env.close,
        env.reset,
        lambda: env.step([0, 0]),
        lambda: env.step(None),
        env.seed,
        env.render,
        lambda: env.get_env_attr("length"),
        lambda: env.set_env_attr("length", 1),
        lambda: env.customized_method("render"),
        env.get_env_obj,
        lambda: env.action_space,
        lambda: env.spec,
    ]
    for call in calls:
        with pytest.raises(RuntimeError, match="cannot be called after close"):
            call()


def test_a_context_manager_closes_environments_once(make):
    with make(counting(2)) as env:
        env.reset()
    assert env.is_closed
    with make(counting(2)) as env:
        env.close()


def test_a_failed_environment_is_named_and_the_remaining_results_are_kept(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, {1: "raise"}), CountingEnv])
    env.reset()
    with pytest.raises(ValueError, match="environment 1: out of fuel") as raised:
        env.step([0, 0, 0])
    assert raised.value.env_id == 1
    assert env.waiting_id == [0, 2]
    assert env.ready_id == [1]
    with pytest.raises(RuntimeError, match="environment 0 has a result that was not fetched"):
        env.step([0, 0, 0])
    assert env.get_env_attr("steps", [0, 1]) == [1, 0]
    observations, _, _, infos = env.step(None)
    assert observations[:, 2].tolist() == [1, 1]
    assert [info["env_id"] for info in infos] == [0, 2]
    assert env.waiting_id == []
    assert env.step([0, 0, 0])[0][:, 2].tolist() == [2, 1, 2]


def test_the_traceback_of_the_environment_is_shown(make):
    env = make([functools.partial(MisbehavingEnv, {1: "raise", "reset": None})])
    env.reset()
    with pytest.raises(ValueError, match="out of fuel") as raised:
        env.step([0])
    import traceback

    shown = "".join(traceback.format_exception(raised.value))
    assert "python_envs.py" in shown


def test_each_of_several_failures_is_raised_once(make):
    env = make(
        [functools.partial(MisbehavingEnv, {1: "raise"}), CountingEnv, functools.partial(MisbehavingEnv, {1: "raise"})]
    )
    env.reset()
    with pytest.raises(ValueError, match="environment 0"):
        env.step([0, 0, 0])
    with pytest.raises(ValueError, match="environment 2"):
        env.step(None)
    assert env.step(None)[0][:, 2].tolist() == [1]
    with pytest.raises(RuntimeError, match="no environment has a step to fetch"):
        env.step(None)


def test_failed_environments_can_be_reset_before_other_results_are_fetched(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, {1: "raise"})])
    env.reset()
    with pytest.raises(ValueError, match="environment 1"):
        env.step([0, 0])
    assert env.reset(1).tolist() == [[-1, 2, 0]]
    assert env.step([0], [1])[0].tolist() == [[-1, 2, 1]]
    assert env.step(None)[0].tolist() == [[-1, 1, 1]]


def test_a_reset_discards_pending_results(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, {1: "raise"}), CountingEnv])
    env.reset()
    with pytest.raises(ValueError, match="environment 1"):
        env.step([0, 0, 0])
    assert env.reset(2).tolist() == [[-1, 2, 0]]
    assert env.waiting_id == [0]
    assert env.reset()[:, 1].tolist() == [2, 2, 3]
    assert env.step([0, 0, 0])[0][:, 2].tolist() == [1, 1, 1]


@pytest.mark.parametrize("what", ["raise own", "raise unpicklable", "raise local", "sys.exit"])
def test_every_exception_of_an_environment_is_raised_as_an_exception(make_ours, what):
    env = make_ours([CountingEnv, functools.partial(MisbehavingEnv, {1: what})])
    env.reset()
    with pytest.raises(Exception) as raised:
        env.step([0, 0])
    assert not isinstance(raised.value, AssertionError)
    assert env.step(None)[0][:, 2].tolist() == [1]


def test_an_environment_that_raises_in_reset_is_named(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, {"reset": "raise"})])
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        env.reset()
    assert env.reset(0).tolist() == [[-1, 2, 0]]


def test_an_environment_that_raises_in_render_is_named(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, {"render": "raise"})])
    env.reset()
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        env.render()
    assert env.step([0, 0])[0][:, 2].tolist() == [1, 1]


def test_an_environment_that_raises_in_close_is_named_and_all_are_closed(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, {"close": "raise"})])
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        env.close()
    assert env.is_closed
    with pytest.raises(RuntimeError, match="cannot be called after close"):
        env.reset()


def test_an_environment_that_fails_in_construction_is_named(make):
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        make([CountingEnv, functools.partial(MisbehavingEnv, {"make": "raise"})])


@pytest.mark.parametrize("returned", [(1, 2), 5, (0, 0.0, False, False, None)], ids=str)
def test_a_step_with_a_wrong_return_value_is_refused_and_named(make_ours, returned):
    class OddEnv(CountingEnv):
        def step(self, action):
            return returned

    env = make_ours([CountingEnv, OddEnv])
    env.reset()
    with pytest.raises((TypeError, ValueError), match="environment 1"):
        env.step([0, 0])
    assert env.step(None)[0][:, 2].tolist() == [1]
