"""Tests gymnasium's asynchronous calls (`step_async`, `step_wait`, ...), and attributes of native environments."""

import multiprocessing
import os
import re
import signal
import threading
import warnings

import envpool_rs
import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.error import (
    AlreadyPendingCallError,
    ClosedEnvironmentError,
    NoAsyncCallError,
    ResetNeeded,
)
from gymnasium.vector import AsyncVectorEnv
from gymnasium_call_cases import CARTPOLE, cartpoles


class Gated(gymnasium.Env):
    """Environment whose steps wait for an event."""

    observation_space = action_space = spaces.Discrete(2)

    def __init__(self, gate):
        self.gate = gate

    def reset(self, *, seed=None, options=None):
        return 0, {}

    def step(self, action):
        self.gate.wait()
        return 1, 0.0, False, False, {}


@pytest.fixture(params=["native", "functions"])
def pair(made, request):
    """Returns this package's and gymnasium's vector environment of the same task."""
    ours = envpool_rs.make_vec(cartpoles()) if request.param == "functions" else envpool_rs.make_vec(CARTPOLE, 3)
    return made(ours), made(AsyncVectorEnv(cartpoles()))


def outcome(call, *arguments, **keywords):
    """Returns the result or the exception of a call."""
    try:
        return call(*arguments, **keywords)
    except Exception as error:
        return error


PROGRAMS = [
    ["step_wait"],
    ["reset_wait"],
    ["call_wait"],
    ["reset_async", "reset_wait", "step_async", "step_wait"],
    ["reset", "step_async", "reset_async"],
    ["reset", "step_async", "step_async", "step_wait"],
    ["reset_async", "step_async", "reset_wait"],
    ["reset_async", "call_async"],
    ["reset_async", "reset"],
    ["reset", "call_async", "call_wait", "call_async", "step_async", "call_wait"],
    ["call_async", "set_attr"],
    ["close", "reset"],
    ["close", "step_async"],
    ["close", "step_wait"],
]


@pytest.mark.parametrize("program", PROGRAMS, ids="-".join)
def test_async_and_wait_calls_in_any_order_equal_gymnasiums(pair, program):
    arguments = {"step_async": (np.array([0, 1, 0]),), "call_async": ("gravity",), "set_attr": ("own", 1)}
    keywords = {"reset_async": {"seed": 3}, "reset": {"seed": 3}}
    for name in program:
        mine, other = (outcome(getattr(env, name), *arguments.get(name, ()), **keywords.get(name, {})) for env in pair)
        if isinstance(other, Exception):
            kind = next(
                each
                for each in (AlreadyPendingCallError, NoAsyncCallError, ClosedEnvironmentError)
                if isinstance(other, each)
            )
            assert isinstance(mine, kind) and isinstance(mine, RuntimeError), mine
            if kind is not ClosedEnvironmentError:
                assert str(mine).rstrip(".") == str(other).rstrip(".") and mine.name == other.name
        elif name.startswith(("reset", "step")) and other is not None:
            np.testing.assert_array_equal(mine[0], other[0])
        else:
            assert mine == other
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for env in pair:
            env.close(terminate=True)


def test_a_masked_reset_in_two_calls_equals_one_call(pair):
    for env in pair:
        env.reset(seed=1)
        env.step(np.array([0, 1, 0]))
        env.reset_async(seed=7, options={"reset_mask": np.array([True, False, True])})
    mine, other = (env.reset_wait() for env in pair)
    np.testing.assert_array_equal(mine[0], other[0])


def test_closing_with_a_pending_call_warns(pair):
    for env in pair:
        env.reset_async()
        with pytest.warns(UserWarning, match="Calling `close` while waiting for a pending call to `reset`"):
            env.close(terminate=True)
        assert env.closed


def waiting(made, begin):
    """Returns a vector environment of two environments with a pending step or call, and the event that lets the call
    finish.
    """
    gate = multiprocessing.get_context("fork").Event()
    env = made(envpool_rs.make_vec([lambda: Gated(gate)] * 2, context="fork"))
    env.reset()
    if begin == "step":
        env.step_async(np.array([0, 0]))
    else:
        env.call_async("step", 0)
    return env, gate


@pytest.mark.parametrize("begin", ["step", "call"])
def test_waiting_ends_at_the_timeout(made, begin):
    env, gate = waiting(made, begin)
    with pytest.raises(multiprocessing.TimeoutError, match=rf"The call to `{begin}_wait` has timed out after 0.01"):
        getattr(env, f"{begin}_wait")(timeout=0.01)
    gate.set()
    if begin == "step":
        assert env.recv()[0].tolist() == [1, 1]
    with pytest.raises(NoAsyncCallError):
        getattr(env, f"{begin}_wait")()


@pytest.mark.parametrize("begin", ["step", "call"])
def test_an_interrupted_wait_loses_nothing(made, begin):
    env, gate = waiting(made, begin)
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
        getattr(env, f"{begin}_wait")()
    gate.set()
    result = getattr(env, f"{begin}_wait")()
    assert result[0].tolist() == [1, 1] if begin == "step" else [each[0] for each in result] == [1, 1]


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_gymnasiums_interface_refuses_a_step_before_the_first_reset(mode):
    env = envpool_rs.make_vec(CARTPOLE, 3, autoreset_mode=mode)
    with pytest.raises(ResetNeeded, match="environment 0 has never been reset"):
        env.step(np.array([0, 1, 0]))
    env.reset(seed=1)
    assert env.step(np.array([0, 1, 0]))[1].tolist() == [1, 1, 1]
    with pytest.raises(RuntimeError):
        envpool_rs.make_vec(CARTPOLE).step([0])


def test_envpools_interface_starts_an_episode_at_the_first_step():
    for make in (envpool_rs.make_gymnasium, envpool_rs.make_gym):
        first = make(CARTPOLE, num_envs=2).step(np.array([0, 1]))
        assert first[1].tolist() == [0, 0] and first[-1]["elapsed_step"].tolist() == [0, 0]


TASKS = [
    CARTPOLE,
    "Pendulum-v1",
    "MountainCar-v0",
    "MountainCarContinuous-v0",
    "Acrobot-v1",
    "FrozenLake-v1",
    "Taxi-v3",
]


@pytest.mark.parametrize("task", TASKS)
def test_generators_have_gymnasiums_attribute_names(task):
    ours, theirs = envpool_rs.make_vec(task, 3), gymnasium.make_vec(task.replace("Taxi-v3", "Taxi-v4"), 3, "sync")
    theirs.action_space.seed(0)
    for env in (ours, theirs):
        env.reset(seed=[5, 8, 13])
    assert ours.np_random_seed == theirs.np_random_seed == ours.get_attr("np_random_seed") == (5, 8, 13)
    for _ in range(20):
        for mine, other in zip(ours.np_random, theirs.np_random, strict=True):
            states = [each.bit_generator.state for each in (mine, other)]
            assert states[0]["state"] == states[1]["state"] and states[0]["has_uint32"] == states[1]["has_uint32"]
            mine.random(100)  # draws from the copy do not affect the environment's generator
        actions = theirs.action_space.sample()
        for env in (ours, theirs):
            env.step(actions)


@pytest.mark.parametrize("task", TASKS[:5])
def test_attributes_equal_those_of_gymnasiums_environment(task):
    ours = envpool_rs.make_vec(task, 2)
    theirs = gymnasium.make(task).unwrapped
    numbers = {**vars(type(theirs)), **vars(theirs)}
    asked = [
        name for name, value in numbers.items() if isinstance(value, (int, float, str)) and not name.startswith("_")
    ]
    shown = {"screen_width", "screen_height", "screen_dim", "SCREEN_DIM", "isopen"}
    assert len(set(asked) - shown) > 5
    for name in set(asked) - shown:
        assert ours.get_attr(name) == ours.call(name) == (getattr(theirs, name),) * 2, name


def test_attributes_that_differ_are_reported_for_each_environment():
    env = envpool_rs.make_vec("Pendulum-v1", 3, g=[1.0, 2.0, 3.0])
    assert env.get_attr("g") == (1.0, 2.0, 3.0) == env.call("get_wrapper_attr", "g")
    assert env.call("has_wrapper_attr", "g") == (True,) * 3 and env.call("has_wrapper_attr", "nothing") == (False,) * 3


def test_native_environments_accept_custom_attributes_and_protect_their_own():
    env = envpool_rs.make_vec(CARTPOLE, 3)
    env.set_attr("own", [1, 2, 3])
    assert env.get_attr("own") == (1, 2, 3)
    env.set_attr("own", "all")
    assert env.get_attr("own") == ("all",) * 3
    with pytest.raises(ValueError, match="Values must be a list or tuple"):
        env.set_attr("own", [1])
    for name, message in (("tau", "physics of native"), ("num_envs", "options are fixed"), ("state", "set_state")):
        with pytest.raises(AttributeError, match=message):
            env.set_attr(name, 1)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        env.call("nothing")


def test_single_environments_are_reset_and_described_one_by_one():
    ours, theirs = envpool_rs.make_vec(CARTPOLE, 3), gymnasium.make_vec(CARTPOLE, 3, "sync")
    for env in (ours, theirs):
        env.reset(seed=0)
    for mine, other in zip(ours.call("reset", seed=4), theirs.call("reset", seed=4), strict=True):
        np.testing.assert_array_equal(mine[0], other[0])
        assert mine[1] == other[1] == {}
    first, last = ours.call_some([2, 0], "reset", seed=9)
    np.testing.assert_array_equal(first[0], last[0])
    spec = ours.get_attr("spec")[0]
    assert (spec.max_episode_steps, spec.reward_threshold) == (500, 475.0)
    alone = spec.make()
    assert alone.reset(seed=9)[0].tolist() == first[0].tolist()
    assert ours.get_attr("metadata")[0] == gymnasium.make(CARTPOLE).metadata


def test_error_messages_about_masks_equal_gymnasiums():
    ours, theirs = envpool_rs.make_vec(CARTPOLE, 3), gymnasium.make_vec(CARTPOLE, 3, "sync")
    for mask in (np.array([True]), np.array([[True] * 3]), np.zeros(3, bool), np.array([1, 1, 0]), [True] * 3):
        mine, other = (outcome(env.reset, options={"reset_mask": mask}) for env in (ours, theirs))
        assert (type(mine), str(mine)) == (type(other), str(other))
        assert re.match("`options", str(mine))


def test_a_single_environment_has_its_options_and_physics_as_attributes():
    env = gymnasium.make("envpool_rs/Pendulum-v1", g=3.0)
    assert env.get_wrapper_attr("g") == env.unwrapped.g == 3.0
    assert env.get_wrapper_attr("max_speed") == gymnasium.make("Pendulum-v1").get_wrapper_attr("max_speed")
    # A single environment must not have these attributes, by which programs recognise vector environments.
    assert not env.has_wrapper_attr("num_envs") and not hasattr(env.unwrapped, "batch_size")
    with pytest.raises(AttributeError, match="no attribute 'gravity'"):
        env.unwrapped.gravity  # noqa: B018
    env.close()


def test_setting_an_attribute_reads_the_options_of_the_pool_once(monkeypatch):
    env = envpool_rs.make_vec(CARTPOLE, 50)
    reads = []
    monkeypatch.setattr(type(env), "config", property(lambda self: reads.append(1) or {}))
    env.set_attr("own", list(range(50)))
    assert env.get_attr("own") == tuple(range(50)) and len(reads) == 1
