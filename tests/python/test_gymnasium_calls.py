"""gymnasium's functions that create vector environments, and attributes of those other than steps and resets."""

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
from gymnasium import VectorizeMode, spaces
from gymnasium.error import (
    AlreadyPendingCallError,
    ClosedEnvironmentError,
    CustomSpaceError,
    NoAsyncCallError,
    ResetNeeded,
)
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

CARTPOLE = "CartPole-v1"
MODES = ["sync", "async", "vector_entry_point", *VectorizeMode]


@pytest.fixture
def made():
    """Returns a function that registers environments, and closes them at the end."""
    envs = []
    yield lambda env: envs.append(env) or env
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some have calls whose results were not awaited
        for env in envs:
            env.close(terminate=True)


def cartpoles(count=3):
    return [lambda: gymnasium.make(CARTPOLE)] * count


class Counter(gymnasium.Env):
    """Counts steps; its reset has no defaults, its reward is the action, and it accepts any arguments."""

    observation_space = spaces.Discrete(100)
    action_space = spaces.Discrete(3)

    def __init__(self, length=2):
        self.length = length

    def reset(self, seed, options):
        self.count = 0
        return self.count, {"given": str((seed, options))}

    def step(self, action):
        self.count += 1
        self.action = action
        return self.count, float(action), self.count >= self.length, False, {"kind": type(action).__name__}


class Gated(gymnasium.Env):
    """An environment whose steps wait for a signal."""

    observation_space = action_space = spaces.Discrete(2)

    def __init__(self, gate):
        self.gate = gate

    def reset(self, *, seed=None, options=None):
        return 0, {}

    def step(self, action):
        self.gate.wait()
        return 1, 0.0, False, False, {}


# --- make_vec --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
def test_native_tasks_are_played_natively_in_every_mode_of_gymnasiums(mode):
    native = type(envpool_rs.make_vec(CARTPOLE))
    assert type(envpool_rs.make_vec(CARTPOLE, 2, mode)) is native
    assert type(envpool_rs.make_vec(id=CARTPOLE, num_envs=2, vectorization_mode=mode)) is native


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("autoreset", [*AutoresetMode, *(each.value for each in AutoresetMode)])
def test_vector_kwargs_of_native_tasks_are_gymnasiums(mode, autoreset):
    theirs = gymnasium.make_vec(CARTPOLE, 2, mode, vector_kwargs={"autoreset_mode": autoreset}, max_episode_steps=4)
    ours = envpool_rs.make_vec(CARTPOLE, 2, mode, vector_kwargs={"autoreset_mode": autoreset}, max_episode_steps=4)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
    np.testing.assert_array_equal(ours.reset(seed=1)[0], theirs.reset(seed=1)[0])
    for _ in range(4):
        for mine, other in zip(ours.step(np.array([0, 1]))[:4], theirs.step(np.array([0, 1]))[:4], strict=True):
            np.testing.assert_array_equal(mine, other)
    theirs.close()


def test_arguments_about_processes_are_taken_where_there_are_none():
    about = {"shared_memory": False, "copy": False, "context": "spawn", "daemon": False, "max_concurrency": 1}
    env = envpool_rs.make_vec(CARTPOLE, 2, "async", vector_kwargs={**about, "worker": None, "observation_mode": "same"})
    assert env.config["num_threads"] == 1
    with pytest.raises(TypeError, match="vector_kwargs has the unknown key 'num_workers'"):
        envpool_rs.make_vec(CARTPOLE, 2, "async", vector_kwargs={"num_workers": 1})
    with pytest.raises(ValueError, match="autoreset_mode is given twice"):
        envpool_rs.make_vec(CARTPOLE, autoreset_mode="disabled", vector_kwargs={"autoreset_mode": "disabled"})
    with pytest.raises(ValueError, match="observation_mode='different': expected 'same'"):
        envpool_rs.make_vec(CARTPOLE, vector_kwargs={"observation_mode": "different"})


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_wrappers_are_applied_to_each_environment_of_a_native_task(made, mode):
    wrappers = [lambda env: gymnasium.wrappers.TransformReward(env, lambda reward: 10 * reward)]
    ours = made(envpool_rs.make_vec(CARTPOLE, 2, mode, wrappers=wrappers, sutton_barto_reward=True))
    theirs = gymnasium.make_vec(CARTPOLE, 2, "sync", wrappers=wrappers, sutton_barto_reward=True)
    np.testing.assert_array_equal(ours.reset(seed=3)[0], theirs.reset(seed=3)[0])
    ended = 0
    for _ in range(30):
        mine, other = ours.step(np.array([0, 1])), theirs.step(np.array([0, 1]))
        for left, right in zip(mine[:4], other[:4], strict=True):
            np.testing.assert_array_equal(left, right)
        ended += mine[2].sum()
    assert ended and mine[1].dtype == np.float64
    assert type(ours) is (SyncVectorEnv if mode == "sync" else type(made(envpool_rs.make_vec(cartpoles(1)))))


@pytest.mark.parametrize("arguments", [{"wrappers": [gymnasium.Wrapper]}, {"vector_kwargs": {"copy": False}}])
def test_a_vector_entry_point_takes_neither_wrappers_nor_vector_kwargs(arguments):
    with pytest.raises(gymnasium.error.Error) as theirs:
        gymnasium.make_vec("envpool_rs/CartPole-v1", 2, "vector_entry_point", **arguments)
    with pytest.raises(gymnasium.error.Error) as ours:
        envpool_rs.make_vec(CARTPOLE, 2, "vector_entry_point", **arguments)
    assert str(ours.value).startswith(str(theirs.value).rstrip("."))
    with pytest.raises(TypeError, match="wrappers argument"):
        envpool_rs.make_vec(CARTPOLE, wrappers=[gymnasium.Wrapper])


def test_python_environments_are_stepped_in_this_process_where_that_is_asked_for():
    seen = []
    env = envpool_rs.make_vec([lambda: seen.append(1) or gymnasium.make("Pendulum-v1")] * 2, vectorization_mode="sync")
    assert type(env) is SyncVectorEnv and seen == [1, 1]
    with pytest.raises(TypeError, match="num_workers is for pools"):
        envpool_rs.make_vec(cartpoles(), vectorization_mode="sync", num_workers=2)
    same = envpool_rs.make_vec(cartpoles(), vectorization_mode="sync", autoreset_mode="same_step")
    assert same.autoreset_mode is AutoresetMode.SAME_STEP


def test_functions_are_taken_as_gymnasiums_own_takes_them(made):
    functions = cartpoles()
    ours, theirs = made(envpool_rs.make_vec(functions)), made(AsyncVectorEnv(functions))
    assert (ours.num_envs, ours.observation_space, ours.action_space) == (
        theirs.num_envs,
        theirs.observation_space,
        theirs.action_space,
    )
    np.testing.assert_array_equal(ours.reset(seed=1)[0], theirs.reset(seed=1)[0])
    one = made(envpool_rs.make_vec(functions[0], 2, max_concurrency=1, daemon=True, shared_memory=True))
    assert one.num_envs == 2 and one.config["num_workers"] == 1
    wrapped = made(envpool_rs.make_vec(functions, wrappers=[gymnasium.wrappers.FlattenObservation]))
    assert "FlattenObservation" in wrapped.call("__str__")[0]
    with pytest.raises(ValueError, match="vectorization_mode='native': functions make environments written in Python"):
        envpool_rs.make_vec(functions, vectorization_mode="native")
    with pytest.raises(TypeError, match=r"worker=.*expected None"):
        envpool_rs.make_vec(functions, worker=print)
    with pytest.raises(ValueError, match="`max_concurrency` must be a positive or None, got 0"):
        envpool_rs.make_vec(functions, max_concurrency=0)
    with pytest.raises(ValueError, match="max_concurrency=1 and num_workers=2 are both given"):
        envpool_rs.make_vec(functions, max_concurrency=1, num_workers=2)


def boxes(*highs):
    class Boxed(Counter):
        def __init__(self, high):
            super().__init__()
            self.observation_space = spaces.Box(0, high, (2,), np.float64)

        def reset(self, *, seed=None, options=None):
            return np.zeros(2), {}

    return [lambda high=high: Boxed(high) for high in highs]


def test_observation_spaces_may_differ_where_that_is_said(made):
    with pytest.raises((ValueError, RuntimeError), match="use `observation_mode='different'` instead") as refused:
        envpool_rs.make_vec(boxes(1, 2))
    assert isinstance(refused.value, ValueError) and isinstance(refused.value, RuntimeError)
    ours = made(envpool_rs.make_vec(boxes(1, 2), observation_mode="different"))
    theirs = SyncVectorEnv(boxes(1, 2), observation_mode="different")
    assert ours.observation_space == theirs.observation_space
    assert ours.single_observation_space == theirs.single_observation_space
    own = (spaces.Box(0, 9, (2, 2), np.float64), spaces.Box(0, 9, (2,), np.float64))
    given = made(envpool_rs.make_vec(boxes(1, 2), vector_kwargs={"observation_mode": own}))
    assert (given.observation_space, given.single_observation_space) == own
    assert given.reset()[0].shape == (2, 2)
    with pytest.raises(ValueError, match="Invalid `observation_mode`"):
        envpool_rs.make_vec(boxes(1), observation_mode="some")


class OwnSpace(gymnasium.Space):
    """A space of a type that gymnasium does not have."""

    def __eq__(self, other):
        return isinstance(other, OwnSpace)

    __hash__ = None


class Talking(gymnasium.Env):
    observation_space = action_space = OwnSpace()

    def reset(self, *, seed=None, options=None):
        return "hello", {}

    def step(self, action):
        return f"heard {action}", 0.0, False, False, {}


def test_spaces_of_ones_own_are_refused_where_shared_memory_is_demanded(made):
    with pytest.raises(ValueError, match="cannot lie in shared memory") as refused:
        envpool_rs.make_vec([Talking] * 2, shared_memory=True)
    assert isinstance(refused.value.__cause__, CustomSpaceError)
    env = made(envpool_rs.make_vec([Talking] * 2, shared_memory=False))
    assert env.reset()[0] == ("hello", "hello") and env.step(["a", "b"])[0] == ("heard a", "heard b")
    assert env.call("reset") == (("hello", {}), ("hello", {}))


# --- environments in worker processes --------------------------------------------------------------------------------


def test_resets_without_defaults_get_what_they_require_and_last_observations_stay_what_they_were(made):
    env = made(envpool_rs.make_vec([Counter] * 2, autoreset_mode="disabled"))
    assert env.reset()[1]["given"].tolist() == ["(None, None)"] * 2
    assert env.reset(seed=5, options={"a": 1})[1]["given"].tolist() == ["(5, {'a': 1})", "(6, {'a': 1})"]


class Same(Counter):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed, options)


def test_last_observations_are_what_the_environment_returned(made):
    ours = made(envpool_rs.make_vec([Same] * 2, autoreset_mode="same_step"))
    theirs = SyncVectorEnv([Same] * 2, autoreset_mode=AutoresetMode.SAME_STEP)
    for env in (ours, theirs):
        env.reset()
        env.step(np.array([0, 1]))
    mine, other = ours.step(np.array([0, 1]))[4], theirs.step(np.array([0, 1]))[4]
    assert mine["final_obs"].tolist() == other["final_obs"].tolist() == [2, 2]
    assert {type(each) for each in mine["final_obs"]} == {type(each) for each in other["final_obs"]} == {int}
    envpool = made(envpool_rs.make_python([Same] * 2, autoreset_mode="same_step"))
    envpool.reset()
    envpool.step(np.array([0, 1]))
    assert {type(each) for each in envpool.step(np.array([0, 1]))[4]["final_obs"]} == {np.int32}


@pytest.mark.parametrize(
    "actions",
    [
        np.array([0, 7]),
        [0, 7],
        (0, 1),
        np.array([0.5, np.nan]),
        np.array([0, 1], np.int8),
        np.array([0, 1]),
        ["0", 1],
    ],
)
def test_environments_get_the_actions_that_were_given(made, actions):
    ours, theirs = made(envpool_rs.make_vec([Same] * 2)), SyncVectorEnv([Same] * 2)
    for env in (ours, theirs):
        env.reset()
    mine, other = ours.step(actions), theirs.step(actions)
    np.testing.assert_array_equal(mine[1], other[1])
    assert mine[4]["kind"].tolist() == other[4]["kind"].tolist()
    np.testing.assert_array_equal(ours.step(np.array([1, 0]))[1], [1, 0])


@pytest.mark.parametrize(("actions", "error"), [(np.array([1]), ValueError), ([1, 1, 1], ValueError), (0, TypeError)])
def test_another_number_of_actions_is_refused(made, actions, error):
    env = made(envpool_rs.make_vec([Same] * 2))
    env.reset()
    with pytest.raises(error):
        env.step(actions)
    assert env.step(np.array([0, 1]))[0].tolist() == [1, 1]


def test_environments_that_were_never_reset_are_stepped_as_they_are(made):
    with pytest.raises(ResetNeeded):
        made(envpool_rs.make_vec(cartpoles())).step(np.zeros(3, int))

    def reset_cartpole():
        env = gymnasium.make(CARTPOLE)
        env.reset(seed=1)
        return env

    ours, theirs = made(envpool_rs.make_vec([reset_cartpole] * 2)), SyncVectorEnv([reset_cartpole] * 2)
    np.testing.assert_array_equal(ours.step(np.array([0, 1]))[0], theirs.step(np.array([0, 1]))[0])


# --- two calls for one -----------------------------------------------------------------------------------------------


@pytest.fixture(params=["native", "functions"])
def pair(made, request):
    """Returns an environment and gymnasium's own."""
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
def test_calls_in_any_order_are_answered_as_gymnasium_answers_them(pair, program):
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


def test_a_masked_reset_in_two_calls_is_that_of_one(pair):
    for env in pair:
        env.reset(seed=1)
        env.step(np.array([0, 1, 0]))
        env.reset_async(seed=7, options={"reset_mask": np.array([True, False, True])})
    mine, other = (env.reset_wait() for env in pair)
    np.testing.assert_array_equal(mine[0], other[0])


def test_closing_with_something_started_warns(pair):
    for env in pair:
        env.reset_async()
        with pytest.warns(UserWarning, match="Calling `close` while waiting for a pending call to `reset`"):
            env.close(terminate=True)
        assert env.closed


@pytest.mark.parametrize("begin", ["step", "call"])
def test_waiting_ends_after_the_time_that_is_given(made, begin):
    gate = multiprocessing.get_context("fork").Event()
    env = made(envpool_rs.make_vec([lambda: Gated(gate)] * 2, context="fork"))
    env.reset()
    if begin == "step":
        env.step_async(np.array([0, 0]))
    else:
        env.call_async("step", 0)
    with pytest.raises(multiprocessing.TimeoutError, match=rf"The call to `{begin}_wait` has timed out after 0.01"):
        getattr(env, f"{begin}_wait")(timeout=0.01)
    gate.set()
    if begin == "step":
        assert env.recv()[0].tolist() == [1, 1]
    with pytest.raises(NoAsyncCallError):
        getattr(env, f"{begin}_wait")()


@pytest.mark.parametrize("begin", ["step", "call"])
def test_an_interrupted_wait_loses_nothing(made, begin):
    gate = multiprocessing.get_context("fork").Event()
    env = made(envpool_rs.make_vec([lambda: Gated(gate)] * 2, context="fork"))
    env.reset()
    if begin == "step":
        env.step_async(np.array([0, 0]))
    else:
        env.call_async("step", 0)
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        getattr(env, f"{begin}_wait")()
    gate.set()
    result = getattr(env, f"{begin}_wait")()
    assert result[0].tolist() == [1, 1] if begin == "step" else [each[0] for each in result] == [1, 1]


# --- native environments ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_a_step_before_the_first_reset_is_refused_behind_gymnasiums_interface(mode):
    env = envpool_rs.make_vec(CARTPOLE, 3, autoreset_mode=mode)
    with pytest.raises(ResetNeeded, match="environment 0 has never been reset"):
        env.step(np.array([0, 1, 0]))
    env.reset(seed=1)
    assert env.step(np.array([0, 1, 0]))[1].tolist() == [1, 1, 1]
    with pytest.raises(RuntimeError):
        envpool_rs.make_vec(CARTPOLE).step([0])


def test_a_step_before_the_first_reset_begins_an_episode_behind_envpools():
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
def test_generators_are_where_gymnasiums_are(task):
    ours, theirs = envpool_rs.make_vec(task, 3), gymnasium.make_vec(task.replace("Taxi-v3", "Taxi-v4"), 3, "sync")
    theirs.action_space.seed(0)
    for env in (ours, theirs):
        env.reset(seed=[5, 8, 13])
    assert ours.np_random_seed == theirs.np_random_seed == ours.get_attr("np_random_seed") == (5, 8, 13)
    for _ in range(20):
        for mine, other in zip(ours.np_random, theirs.np_random, strict=True):
            states = [each.bit_generator.state for each in (mine, other)]
            assert states[0]["state"] == states[1]["state"] and states[0]["has_uint32"] == states[1]["has_uint32"]
            mine.random(100)  # a copy's generator, which does not affect the environment
        actions = theirs.action_space.sample()
        for env in (ours, theirs):
            env.step(actions)


@pytest.mark.parametrize("task", TASKS[:5])
def test_attributes_are_those_of_gymnasiums_environment(task):
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


def test_native_environments_have_attributes_of_ones_own_and_keep_theirs():
    env = envpool_rs.make_vec(CARTPOLE, 3)
    env.set_attr("own", [1, 2, 3])
    assert env.get_attr("own") == (1, 2, 3)
    env.set_attr("own", "all")
    assert env.get_attr("own") == ("all",) * 3
    with pytest.raises(ValueError, match="Values must be a list or tuple"):
        env.set_attr("own", [1])
    for name, message in (("gravity", "physics of native"), ("num_envs", "options are fixed"), ("state", "set_state")):
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


def test_messages_about_masks_are_gymnasiums():
    ours, theirs = envpool_rs.make_vec(CARTPOLE, 3), gymnasium.make_vec(CARTPOLE, 3, "sync")
    for mask in (np.array([True]), np.array([[True] * 3]), np.zeros(3, bool), np.array([1, 1, 0]), [True] * 3):
        mine, other = (outcome(env.reset, options={"reset_mask": mask}) for env in (ours, theirs))
        assert (type(mine), str(mine)) == (type(other), str(other))
        assert re.match("`options", str(mine))


def test_a_single_environment_has_its_options_and_physics_as_attributes():
    env = gymnasium.make("envpool_rs/Pendulum-v1", g=3.0)
    assert env.get_wrapper_attr("g") == env.unwrapped.g == 3.0
    assert env.get_wrapper_attr("max_speed") == gymnasium.make("Pendulum-v1").get_wrapper_attr("max_speed")
    # Programs would take it for a vector environment by these attributes.
    assert not env.has_wrapper_attr("num_envs") and not hasattr(env.unwrapped, "batch_size")
    with pytest.raises(AttributeError, match="no attribute 'gravity'"):
        env.unwrapped.gravity  # noqa: B018
    env.close()


def test_setting_an_attribute_reads_the_options_of_the_pool_once(monkeypatch):
    env = envpool_rs.make_vec(CARTPOLE, 50)
    reads = []
    fixed = type(env)._constructor_options
    monkeypatch.setattr(type(env), "_constructor_options", lambda self: reads.append(1) or fixed(self))
    env.set_attr("own", list(range(50)))
    assert env.get_attr("own") == tuple(range(50)) and len(reads) == 1
