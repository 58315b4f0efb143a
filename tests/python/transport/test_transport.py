"""Tests the transport of the Rust extension without pools: values sent through shared memory, and misuse of its
classes.

The caller itself hosts the environments in these tests; tests of worker groups cover processes.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading

import numpy as np
import pytest
from envpool_rs._core import EnvHost, SharedBlock
from host_client import HostClient
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hypothesis_numpy
from transport_cases import (
    CALL,
    FAILED,
    FINAL,
    FINAL_IN_ROW,
    FOUR_VALUES,
    MESSAGE,
    OBSERVATION_IN_ROW,
    PLAIN_INFO,
    REWARD_IN_MESSAGE,
    Answering,
    hosted,
    message,
    refuse,
    same,
    step,
)

plain_dtypes = st.one_of(
    hypothesis_numpy.boolean_dtypes(),
    hypothesis_numpy.integer_dtypes(endianness="="),
    hypothesis_numpy.unsigned_integer_dtypes(endianness="="),
    hypothesis_numpy.floating_dtypes(endianness="="),
    hypothesis_numpy.complex_number_dtypes(endianness="="),
)


other_dtypes = st.one_of(
    hypothesis_numpy.datetime64_dtypes(endianness="="),
    hypothesis_numpy.unicode_string_dtypes(endianness="="),
)


arrays = hypothesis_numpy.arrays(
    st.one_of(plain_dtypes, other_dtypes), hypothesis_numpy.array_shapes(min_dims=0, max_dims=4)
)


scalars = plain_dtypes.flatmap(lambda dtype: hypothesis_numpy.arrays(dtype, (1,))).map(lambda array: array[0])


values = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary(max_size=9000), arrays, scalars
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.tuples(inner, inner), st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=4,
)


@settings(max_examples=300, deadline=None)
@given(actions=st.lists(values, min_size=2, max_size=2))
def test_an_environment_receives_the_action_that_was_sent(actions):
    envs = [Answering(), Answering()]
    caller, _ = hosted(*envs)
    step(caller, actions)
    assert same([env.actions[0] for env in envs], actions)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_rows_of_an_array_arrive_as_indexed(data):
    shape = (3, *data.draw(hypothesis_numpy.array_shapes(min_dims=0, max_dims=3)))
    batch = data.draw(hypothesis_numpy.arrays(st.one_of(plain_dtypes, other_dtypes), shape))
    batch = data.draw(st.sampled_from([batch, np.asfortranarray(batch), np.repeat(batch, 2, 0)[::2], batch[::-1]]))
    envs = [Answering() for _ in range(3)]
    caller, _ = hosted(*envs)
    step(caller, batch)
    for k, env in enumerate(envs):
        assert same(env.actions[0], batch[k])


def test_an_environment_may_keep_and_change_its_action():
    env, batch = Answering(), np.arange(4.0).reshape(1, 4)
    caller, _ = hosted(env)
    step(caller, batch)
    env.actions[0][:] = 7
    step(caller, batch)
    assert env.actions[0].tolist() == [7] * 4
    assert env.actions[1].tolist() == batch[0].tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("size", [0, 4000, 4096, 5000, 3_000_000])
def test_messages_of_any_size_are_sent_and_returned(size):
    caller, _ = hosted(Answering())
    for _ in range(2):
        payload = os.urandom(size)
        caller.send_call(0, payload)
        caller.wait(None, 1)
        assert caller.take(None)[-1] == CALL | MESSAGE
        assert caller.message(0) == payload[::-1]


def test_observations_rewards_and_flags_are_returned_as_arrays():
    envs = [Answering() for _ in range(3)]
    for k, env in enumerate(envs):
        env.answer = (np.full(3, k, np.float32), k / 2, k == 1, k == 2, {})
    caller, _ = hosted(*envs)
    leaves, reward, terminated, truncated, flags, all_flags = step(caller, [0, 0, 0])
    assert leaves[0].tolist() == [[0] * 3, [1] * 3, [2] * 3]
    assert reward.tolist() == [0, 0.5, 1]
    assert terminated.tolist() == [False, True, False]
    assert truncated.tolist() == [False, False, True]
    assert flags.tolist() == [OBSERVATION_IN_ROW] * 3
    assert all_flags == OBSERVATION_IN_ROW
    leaves[0][:] = 9
    assert step(caller, [0, 0, 0])[0][0].tolist() == [[0] * 3, [1] * 3, [2] * 3]


@pytest.mark.parametrize(
    ("dtype", "value", "row"),
    [
        ("int64", 4, 4),
        ("int64", np.int64(-5), -5),
        ("float64", 2.5, 2.5),
        ("float32", np.float32(2.5), 2.5),
        ("uint8", np.uint8(200), 200),
        ("bool", np.bool_(True), True),
        ("int32", np.array(7, np.int32), 7),
    ],
)
def test_scalars_of_the_rows_dtype_are_accepted(dtype, value, row):
    env = Answering()
    env.answer = (value, 0.0, False, False, {})
    caller, _ = hosted(env, layout=[(dtype, ())])
    leaves = step(caller, [0])[0]
    assert leaves[0].tolist() == [row]
    assert leaves[0].dtype == dtype


def test_mismatched_observations_are_conformed_or_sent_as_messages():
    env = Answering()
    given = []

    def conform(env_id, observation):
        given.append((env_id, observation))
        return None if observation == "whole" else [np.asarray(observation, np.float32)]

    caller, _ = hosted(env, conform=conform)
    env.answer = ([1, 2, 3], 0.0, False, False, {})
    assert step(caller, [0])[0][0].tolist() == [[1, 2, 3]]
    env.answer = ("whole", 0.0, False, False, {"key": 1})
    assert step(caller, [0])[-1] == MESSAGE
    assert message(caller) == {"observation": "whole", "info": {"key": 1}}
    assert given == [(0, [1, 2, 3]), (0, "whole")]


@pytest.mark.parametrize(
    "observation",
    [
        np.zeros(4, np.float32),
        np.zeros((3, 1), np.float32),
        np.zeros(3),
        np.zeros(6, np.float32)[::2],
        "text",
        None,
        (1, 2, 3),
    ],
)
def test_mismatched_observations_fail_without_conform(observation):
    env = Answering()
    env.answer = (observation, 0.0, False, False, {})
    caller, _ = hosted(env)
    assert step(caller, [0])[-1] == FAILED | MESSAGE
    assert "does not fit" in message(caller)[2]


def test_nested_observations_are_split_into_leaves():
    env = Answering()
    observation = {"a": (np.arange(2.0), 3), "b": np.ones((2, 2), np.uint8)}
    env.answer = (observation, 0.0, False, False, {})
    layout = [("float64", (2,)), ("int64", ()), ("uint8", (2, 2))]
    caller, _ = hosted(env, layout=layout, structure={"a": (0, 1), "b": 2})
    leaves = step(caller, [0])[0]
    assert [leaf.tolist() for leaf in leaves] == [[[0, 1]], [3], [[[1, 1], [1, 1]]]]
    for wrong in (
        {"a": observation["a"]},
        {**observation, "c": 1},
        {**observation, "a": (np.arange(2.0),)},
        [observation],
    ):
        env.answer = (wrong, *env.answer[1:])
        assert step(caller, [0])[-1] & FAILED


@pytest.mark.parametrize(
    ("info", "cut", "flags"),
    [({}, False, 0), ({"TimeLimit.truncated": True}, True, PLAIN_INFO), ({"x": [1]}, False, MESSAGE)],
)
def test_four_values_are_converted_from_legacy_gym(info, cut, flags):
    env = Answering()
    env.answer = (np.zeros(3, np.float32), 1.0, True, info)
    caller, _ = hosted(env)
    _, _, terminated, truncated, _, all_flags = step(caller, [0])
    assert (terminated[0], truncated[0]) == (not cut, cut)
    assert all_flags == OBSERVATION_IN_ROW | FOUR_VALUES | flags


@pytest.mark.parametrize(
    ("reward", "number"),
    [
        (1, 1.0),
        (True, 1.0),
        (np.float32(0.5), 0.5),
        (np.int8(-3), -3.0),
        (np.array(2.5), 2.5),
        (np.array([[2.0]]), 2.0),
    ],
)
def test_rewards_of_all_numeric_types_are_accepted(reward, number):
    env = Answering()
    env.answer = (np.zeros(3, np.float32), reward, False, False, {})
    assert step(hosted(env)[0], [0])[1].tolist() == [number]


def test_non_numeric_rewards_are_refused_or_optionally_kept():
    env = Answering()
    for reward in (np.arange(3), "much", None):
        env.answer = (np.zeros(3, np.float32), reward, False, False, {})
        caller, _ = hosted(env)
        assert step(caller, [0])[-1] == FAILED | MESSAGE
        assert "reward is" in message(caller)[2]
        caller, _ = hosted(env, lenient=True)
        assert step(caller, [0])[-1] == OBSERVATION_IN_ROW | MESSAGE | REWARD_IN_MESSAGE
        assert np.all(message(caller)["reward"] == reward)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (None, "step returned a NoneType: expected a tuple"),
        ((1, 2, 3), "step returned 3 values: expected 5"),
        ((1, 2, 3, 4, 5, 6), "step returned 6 values"),
        ((np.zeros(3, np.float32), 0.0, False, False, None), "info is of type NoneType: expected a dict"),
        ((np.zeros(3, np.float32), 0.0, np.zeros(2), False, {}), "truth value"),
        (SystemExit("over"), "SystemExit"),
        (KeyError("lost"), "KeyError"),
    ],
)
def test_a_failing_step_is_reported_and_the_environment_stays_usable(answer, text):
    env = Answering()
    good, env.answer = env.answer, answer
    caller, _ = hosted(env)
    assert step(caller, [0])[-1] == FAILED | MESSAGE
    env_id, operation, error = message(caller)
    assert (env_id, operation) == (0, "step")
    assert text in error
    env.answer = good
    assert step(caller, [0])[-1] == OBSERVATION_IN_ROW


def test_an_unpicklable_info_fails_only_its_own_environment():
    envs = [Answering(), Answering()]
    envs[0].answer = (np.zeros(3, np.float32), 0.0, False, False, {"lock": threading.Lock()})
    caller, _ = hosted(*envs)
    assert step(caller, [0, 0])[4].tolist() == [FAILED | MESSAGE, OBSERVATION_IN_ROW]
    assert "pickle" in message(caller)[2]


def test_resets_get_seeds_and_keywords():
    envs = [Answering(), Answering()]
    envs[1].first = (np.ones(3, np.float32), {"fresh": True})
    caller, _ = hosted(*envs)
    caller.send_resets([1, 0], [None, -7], pickle.dumps({"options": {"x": 1}}))
    caller.wait(None, 2)
    leaves, *_, flags, _ = caller.take([0, 1])
    assert leaves[0].tolist() == [[0] * 3, [1] * 3]
    assert flags.tolist() == [OBSERVATION_IN_ROW, OBSERVATION_IN_ROW | PLAIN_INFO]
    assert caller.infos([1, 0]) == [{"fresh": True}, {}]
    assert [env.resets for env in envs] == [[{"options": {"x": 1}, "seed": -7}], [{"options": {"x": 1}}]]
    caller.send_resets(None)
    caller.wait(None, 2)
    caller.take(None)
    assert envs[0].resets[1] == {}
    envs[0].first = np.full(3, 4, np.float32)
    caller.send_resets([0])
    caller.wait([0], 1)
    assert caller.take([0])[0][0].tolist() == [[4] * 3]


def test_a_reset_returns_no_reward_and_no_end():
    env = Answering()
    caller, _ = hosted(env)
    env.answer = (np.zeros(3, np.float32), 1.0, True, True, {})
    env.first = (np.ones(3, np.float32), {})
    step(caller, [0])
    caller.send_resets(None)
    caller.wait(None, 1)
    leaves, reward, terminated, truncated, flags, _ = caller.take(None)
    assert leaves[0].tolist() == [[1] * 3]
    assert (reward[0], terminated[0], truncated[0], flags[0]) == (0, False, False, OBSERVATION_IN_ROW)


def step_of_episode(caller, *, cut, autoreset):
    """Requests a step of environment 0, which the caller hosts, as the engine does; the engine
    tracks episodes itself.
    """
    caller.send_steps([0], [0])
    caller.set_operation(0, 8 | cut | autoreset << 1)
    caller.wait([0], 1)
    return caller.take([0])


def final_row(caller):
    """Returns the last observation of the episode of environment 0, the block's only one, after a
    step with autoreset.
    """
    return caller.row(64, "float32", 3)


@pytest.mark.skipif(sys.platform != "linux", reason="writes into a file in memory")
def test_the_episode_tracker_reports_episode_ends():
    env = Answering()
    caller, _ = hosted(env)
    env.answer = (np.full(3, 2, np.float32), 1.0, False, False, {"last": 1})
    env.first = (np.ones(3, np.float32), {"first": 2})
    leaves, *_, flags, _ = step_of_episode(caller, cut=False, autoreset=True)
    assert (leaves[0].tolist(), flags[0]) == ([[2] * 3], OBSERVATION_IN_ROW | PLAIN_INFO)
    leaves, _, terminated, truncated, flags, _ = step_of_episode(caller, cut=True, autoreset=False)
    assert (leaves[0].tolist(), flags[0]) == ([[2] * 3], OBSERVATION_IN_ROW | PLAIN_INFO)
    # The reply does not report the truncation, because the caller requested the truncation.
    assert (terminated[0], truncated[0], len(env.resets)) == (False, False, 0)
    env.answer = (np.full(3, 3, np.float32), 1.0, False, False, {"last": 1})
    leaves, *_, flags, _ = step_of_episode(caller, cut=True, autoreset=True)
    assert leaves[0].tolist() == [[1] * 3]
    assert flags[0] == FINAL | FINAL_IN_ROW | OBSERVATION_IN_ROW | MESSAGE
    assert final_row(caller) == [3] * 3
    parts = message(caller)
    assert pickle.loads(parts.pop("terminal")) == {"final_info": {"last": 1}} and parts == {"info": {"first": 2}}
    for k, ends in enumerate([(True, False), (False, True)]):
        env.answer = (np.full(3, 4 + k, np.float32), 0.5, *ends, {})
        leaves, reward, terminated, truncated, flags, _ = step_of_episode(caller, cut=False, autoreset=True)
        assert (leaves[0].tolist(), final_row(caller)) == ([[1] * 3], [4 + k] * 3)
        assert (reward[0], terminated[0], truncated[0]) == (0.5, *ends)
        assert flags[0] == FINAL | FINAL_IN_ROW | OBSERVATION_IN_ROW | PLAIN_INFO
        assert caller.infos(None) == [{"first": 2}]
    assert len(env.resets) == 3
    # Without a request for autoreset, ended episodes are not reset.
    step_of_episode(caller, cut=False, autoreset=False)
    step_of_episode(caller, cut=False, autoreset=False)
    step(caller, [0])
    step(caller, [0])
    assert len(env.resets) == 3


def test_environments_may_differ_in_their_rows():
    block = SharedBlock([-1, -1])
    block.allocate([[("float32", (2,))], [("float64", (1,)), ("uint8", ())]], False)
    envs = [Answering(), Answering()]
    envs[0].answer = (np.full(2, 1, np.float32), 0.0, False, False, {})
    envs[1].answer = ((np.full(1, 2.0), np.uint8(3)), 0.0, False, False, {})
    callbacks = {"conform": refuse, "dumps": pickle.dumps, "failure": refuse, "call": refuse}
    caller = HostClient(block, EnvHost(block, [0, 1], envs, [0, (0, 1)], lenient=False, **callbacks))
    assert step(caller, [0, 0])[0] == []
    assert (caller.row(0, "float32", 2), caller.row(64, "float64", 1), caller.row(128, "uint8", 1)) == (
        [1, 1],
        [2],
        [3],
    )
