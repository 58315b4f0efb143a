"""The extension's transport alone: values sent through shared memory, and misuse of its classes.

The caller itself hosts the environments here; tests of worker groups cover processes.
"""

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

OBSERVATION_IN_ROW, MESSAGE, FAILED, FOUR_VALUES, FINAL, LOST, REWARD_IN_MESSAGE, CALL, FINAL_IN_ROW, PLAIN_INFO = (
    2**k for k in range(10)
)


class Answering:
    """Environment that returns scripted replies, and records its calls."""

    def __init__(self):
        self.actions = []
        self.resets = []
        self.answer = (np.zeros(3, np.float32), 0.0, False, False, {})
        self.first = (np.zeros(3, np.float32), {})

    def step(self, action):
        self.actions.append(action)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def reset(self, **keywords):
        self.resets.append(keywords)
        return self.first


def refuse(env_id, observation):
    raise ValueError(f"observation of environment {env_id} does not fit: {observation!r}")


def hosted(*envs, layout=(("float32", (3,)),), structure=0, lenient=False, **other):
    """Returns a caller that hosts ``envs`` itself."""
    block = SharedBlock([-1] * len(envs))
    block.allocate([list(layout)] * len(envs), True)
    callbacks = {
        "conform": refuse,
        "dumps": pickle.dumps,
        "failure": lambda env_id, operation, error: pickle.dumps((env_id, operation, repr(error))),
        "call": lambda env_id, payload: payload[::-1],
        **other,
    }
    host = EnvHost(block, range(len(envs)), envs, [structure] * len(envs), lenient=lenient, **callbacks)
    return HostClient(block, host, layout, callbacks["dumps"]), block


def step(caller, actions, ids=None):
    caller.send_steps(ids, actions)
    caller.wait(ids, len(actions))
    return caller.take(ids)


def message(caller, env_id=0):
    return pickle.loads(caller.message(env_id))


def same(one, other):
    """Returns whether values are equal, with equal types at all levels."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, np.generic):
        return one.dtype == other.dtype and one.tobytes() == other.tobytes()
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return repr(one) == repr(other)


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
def test_an_environment_gets_the_very_action_that_was_sent(actions):
    envs = [Answering(), Answering()]
    caller, _ = hosted(*envs)
    step(caller, actions)
    assert same([env.actions[0] for env in envs], actions)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_rows_of_an_array_arrive_as_indexing_gives_them(data):
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
def test_messages_of_any_size_arrive_both_ways(size):
    caller, _ = hosted(Answering())
    for _ in range(2):
        payload = os.urandom(size)
        caller.send_call(0, payload)
        caller.wait(None, 1)
        assert caller.take(None)[-1] == CALL | MESSAGE
        assert caller.message(0) == payload[::-1]


def test_observations_rewards_and_flags_come_back_as_arrays():
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
def test_scalars_of_the_rows_dtype_are_taken_as_they_are(dtype, value, row):
    env = Answering()
    env.answer = (value, 0.0, False, False, {})
    caller, _ = hosted(env, layout=[(dtype, ())])
    leaves = step(caller, [0])[0]
    assert leaves[0].tolist() == [row]
    assert leaves[0].dtype == dtype


def test_what_does_not_fit_a_row_is_conformed_and_what_cannot_be_travels_whole():
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
def test_only_what_is_just_a_row_goes_into_one_unasked(observation):
    env = Answering()
    env.answer = (observation, 0.0, False, False, {})
    caller, _ = hosted(env)
    assert step(caller, [0])[-1] == FAILED | MESSAGE
    assert "does not fit" in message(caller)[2]


def test_nested_observations_are_taken_apart():
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
def test_four_values_are_those_of_old_gym(info, cut, flags):
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
def test_rewards_of_all_numeric_types_are_numbers(reward, number):
    env = Answering()
    env.answer = (np.zeros(3, np.float32), reward, False, False, {})
    assert step(hosted(env)[0], [0])[1].tolist() == [number]


def test_rewards_that_are_no_numbers_are_refused_or_where_wanted_kept():
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
def test_a_failing_step_is_described_and_the_environment_goes_on(answer, text):
    env = Answering()
    good, env.answer = env.answer, answer
    caller, _ = hosted(env)
    assert step(caller, [0])[-1] == FAILED | MESSAGE
    env_id, operation, error = message(caller)
    assert (env_id, operation) == (0, "step")
    assert text in error
    env.answer = good
    assert step(caller, [0])[-1] == OBSERVATION_IN_ROW


def test_an_info_that_cannot_be_pickled_is_a_failure_of_its_environment_alone():
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


def test_a_reset_has_no_reward_and_ends_nothing():
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
    """Requests a step of environment 0, hosted by the caller, like the engine, which tracks episodes itself."""
    caller.send_steps([0], [0])
    caller.set_operation(0, 8 | cut | autoreset << 1)
    caller.wait([0], 1)
    return caller.take([0])


def final_row(caller):
    """Returns the last observation of environment 0, the block's only one, after a step with autoreset."""
    return caller.row(64, "float32", 3)


@pytest.mark.skipif(sys.platform != "linux", reason="writes into a file in memory")
def test_the_tracker_of_episodes_says_where_they_end():
    env = Answering()
    caller, _ = hosted(env)
    env.answer = (np.full(3, 2, np.float32), 1.0, False, False, {"last": 1})
    env.first = (np.ones(3, np.float32), {"first": 2})
    leaves, *_, flags, _ = step_of_episode(caller, cut=False, autoreset=True)
    assert (leaves[0].tolist(), flags[0]) == ([[2] * 3], OBSERVATION_IN_ROW | PLAIN_INFO)
    leaves, _, terminated, truncated, flags, _ = step_of_episode(caller, cut=True, autoreset=False)
    assert (leaves[0].tolist(), flags[0]) == ([[2] * 3], OBSERVATION_IN_ROW | PLAIN_INFO)
    # The side that requested the truncation knows of it.
    assert (terminated[0], truncated[0], len(env.resets)) == (False, False, 0)
    env.answer = (np.full(3, 3, np.float32), 1.0, False, False, {"last": 1})
    leaves, *_, flags, _ = step_of_episode(caller, cut=True, autoreset=True)
    assert leaves[0].tolist() == [[1] * 3]
    assert flags[0] == FINAL | FINAL_IN_ROW | OBSERVATION_IN_ROW | MESSAGE
    assert final_row(caller) == [3] * 3
    assert message(caller) == {"final_info": {"last": 1}, "info": {"first": 2}}
    for k, ends in enumerate([(True, False), (False, True)]):
        env.answer = (np.full(3, 4 + k, np.float32), 0.5, *ends, {})
        leaves, reward, terminated, truncated, flags, _ = step_of_episode(caller, cut=False, autoreset=True)
        assert (leaves[0].tolist(), final_row(caller)) == ([[1] * 3], [4 + k] * 3)
        assert (reward[0], terminated[0], truncated[0]) == (0.5, *ends)
        assert flags[0] == FINAL | FINAL_IN_ROW | OBSERVATION_IN_ROW | PLAIN_INFO
        assert caller.infos(None) == [{"first": 2}]
    assert len(env.resets) == 3
    # An ended episode has no autoreset unless it is requested.
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


def test_an_environment_cannot_be_asked_from_inside_itself():
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
def test_infos_of_numbers_travel_without_being_pickled(info):
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
    """Subclass of int."""


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
def test_other_infos_travel_as_they_are(info):
    env = Answering()
    env.answer = (np.zeros(3, np.float32), 0.0, False, False, info)
    caller, _ = hosted(env)
    assert step(caller, [0])[-1] == OBSERVATION_IN_ROW | MESSAGE
    assert same(message(caller), {"info": info})
    assert caller.infos([0]) == [{}]


def test_infos_of_numbers_are_reported_next_to_others():
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
    """Returns a caller whose environments run in a thread, that thread, and its shared memory."""
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


def test_what_is_being_played_can_neither_be_seen_nor_asked_for_nor_given_up():
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


def test_threads_that_use_one_caller_get_whole_results_or_exceptions():
    """Rows are so large that they are copied without the interpreter's lock, while a worker's thread writes others."""
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


def test_an_interrupted_environment_of_the_caller_interrupts_the_wait_and_is_a_failure():
    env = Answering()
    env.answer = KeyboardInterrupt()
    caller, _ = hosted(env, Answering())
    caller.send_steps(None, [0, 0])
    with pytest.raises(KeyboardInterrupt):
        caller.wait(None, 2)
    assert sorted(caller.wait(None, 2).tolist()) == [0, 1]
    assert caller.take(None)[4].tolist() == [FAILED | MESSAGE, OBSERVATION_IN_ROW]


def test_a_wait_for_no_environment_returns_after_a_while_with_what_there_is():
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
def test_a_forked_child_may_not_ask_and_does_not_close():
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
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60, cwd=Path(__file__).parent)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_blocks_in_reference_cycles_are_collected():
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
def test_blocks_leave_no_memory_and_no_descriptor_behind():
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
    """A scalar message with eight elements is damaged: it has more bytes than any scalar."""
    env = Answering()
    caller, _ = hosted(env)
    elements = np.arange(8, dtype=np.float64) + 0.123456789
    caller.send_steps(None, [elements])
    assert _overwrite_shared(elements.tobytes(), lead=16, byte=1) == 1  # the head's first byte: from array to scalar
    caller.wait(None, 1)
    caller.take(None)
    assert "damaged on its way" in repr(message(caller))
    assert not env.actions


def _overwrite_shared(pattern, lead, byte):
    """Writes `byte` `lead` bytes before each occurrence of `pattern` in shared memory; returns their number."""
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
