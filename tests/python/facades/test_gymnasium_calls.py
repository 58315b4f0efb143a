"""Tests gymnasium's functions that create vector environments, and their methods other than steps and resets."""

import envpool_rs
import gymnasium
import numpy as np
import pytest
from gymnasium import VectorizeMode, spaces
from gymnasium.error import (
    CustomSpaceError,
    ResetNeeded,
)
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from gymnasium_call_cases import CARTPOLE, cartpoles

MODES = ["sync", "async", "vector_entry_point", *VectorizeMode]


class Counter(gymnasium.Env):
    """Environment that counts steps and returns the action as reward.

    Its `reset` accepts any arguments, and declares no defaults.
    """

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


@pytest.mark.parametrize("mode", MODES)
def test_native_tasks_run_natively_in_every_vectorization_mode(mode):
    native = type(envpool_rs.make_vec(CARTPOLE))
    assert type(envpool_rs.make_vec(CARTPOLE, 2, mode)) is native
    assert type(envpool_rs.make_vec(id=CARTPOLE, num_envs=2, vectorization_mode=mode)) is native


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("autoreset", [*AutoresetMode, *(each.value for each in AutoresetMode)])
def test_native_tasks_accept_gymnasiums_vector_kwargs(mode, autoreset):
    theirs = gymnasium.make_vec(CARTPOLE, 2, mode, vector_kwargs={"autoreset_mode": autoreset}, max_episode_steps=4)
    ours = envpool_rs.make_vec(CARTPOLE, 2, mode, vector_kwargs={"autoreset_mode": autoreset}, max_episode_steps=4)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
    np.testing.assert_array_equal(ours.reset(seed=1)[0], theirs.reset(seed=1)[0])
    for _ in range(4):
        for mine, other in zip(ours.step(np.array([0, 1]))[:4], theirs.step(np.array([0, 1]))[:4], strict=True):
            np.testing.assert_array_equal(mine, other)
    theirs.close()


def test_process_arguments_are_accepted_for_native_tasks():
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


def test_wrappers_without_a_mode_make_what_gymnasium_makes():
    wrappers = [lambda env: gymnasium.wrappers.TransformReward(env, lambda reward: 10 * reward)]
    ours, theirs = (make("Pendulum-v1", 2, wrappers=wrappers) for make in (envpool_rs.make_vec, gymnasium.make_vec))
    action = np.ones((2, 1), np.float32)
    assert type(ours) is type(theirs) is SyncVectorEnv
    np.testing.assert_array_equal(ours.reset(seed=3)[0], theirs.reset(seed=3)[0])
    for mine, other in zip(ours.step(action)[:4], theirs.step(action)[:4], strict=True):
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("mode", [None, "async", "sync", "shared_memory"])
def test_values_of_vector_kwargs_are_validated(mode):
    for name, value in (("copy", "banana"), ("daemon", 1), ("shared_memory", "yes"), ("context", "banana")):
        if mode != "sync" or name == "copy":
            task = "Pendulum-v1" if mode in ("sync", "shared_memory") else CARTPOLE
            make = cartpoles(1) if mode == "sync" else task
            with pytest.raises((TypeError, ValueError), match=f"{name}="):
                envpool_rs.make_vec(make, vectorization_mode=mode, vector_kwargs={name: value})


@pytest.mark.parametrize("arguments", [{"wrappers": [gymnasium.Wrapper]}, {"vector_kwargs": {"copy": False}}])
def test_a_vector_entry_point_takes_neither_wrappers_nor_vector_kwargs(arguments):
    with pytest.raises(gymnasium.error.Error) as theirs:
        gymnasium.make_vec("envpool_rs/CartPole-v1", 2, "vector_entry_point", **arguments)
    with pytest.raises(gymnasium.error.Error) as ours:
        envpool_rs.make_vec(CARTPOLE, 2, "vector_entry_point", **arguments)
    assert str(ours.value).startswith(str(theirs.value).rstrip("."))
    with pytest.raises(TypeError, match="Cannot use `native` vectorization mode with the wrappers argument"):
        envpool_rs.make_vec(CARTPOLE, 2, "native", wrappers=[gymnasium.Wrapper])


def test_sync_mode_steps_python_environments_in_this_process():
    seen = []
    env = envpool_rs.make_vec([lambda: seen.append(1) or gymnasium.make("Pendulum-v1")] * 2, vectorization_mode="sync")
    assert type(env) is SyncVectorEnv and seen == [1, 1]
    with pytest.raises(TypeError, match="num_workers is for pools"):
        envpool_rs.make_vec(cartpoles(), vectorization_mode="sync", num_workers=2)
    same = envpool_rs.make_vec(cartpoles(), vectorization_mode="sync", autoreset_mode="same_step")
    assert same.autoreset_mode is AutoresetMode.SAME_STEP


def test_env_functions_are_accepted_like_gymnasiums(made):
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


def test_observation_mode_different_allows_different_spaces(made):
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
    """Space whose class is not one of gymnasium's."""

    def __eq__(self, other):
        return isinstance(other, OwnSpace)

    __hash__ = None


class Talking(gymnasium.Env):
    observation_space = action_space = OwnSpace()

    def reset(self, *, seed=None, options=None):
        return "hello", {}

    def step(self, action):
        return f"heard {action}", 0.0, False, False, {}


def test_shared_memory_refuses_custom_spaces(made):
    with pytest.raises(ValueError, match="cannot lie in shared memory") as refused:
        envpool_rs.make_vec([Talking] * 2, shared_memory=True)
    assert isinstance(refused.value.__cause__, CustomSpaceError)
    env = made(envpool_rs.make_vec([Talking] * 2, shared_memory=False))
    assert env.reset()[0] == ("hello", "hello") and env.step(["a", "b"])[0] == ("heard a", "heard b")
    assert env.call("reset") == (("hello", {}), ("hello", {}))


def test_resets_without_default_arguments_get_seed_and_options(made):
    env = made(envpool_rs.make_vec([Counter] * 2, autoreset_mode="disabled"))
    assert env.reset()[1]["given"].tolist() == ["(None, None)"] * 2
    assert env.reset(seed=5, options={"a": 1})[1]["given"].tolist() == ["(5, {'a': 1})", "(6, {'a': 1})"]


class Same(Counter):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed, options)


def test_final_observations_equal_those_of_the_environment(made):
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
def test_environments_receive_the_given_actions(made, actions):
    ours, theirs = made(envpool_rs.make_vec([Same] * 2)), SyncVectorEnv([Same] * 2)
    for env in (ours, theirs):
        env.reset()
    mine, other = ours.step(actions), theirs.step(actions)
    np.testing.assert_array_equal(mine[1], other[1])
    assert mine[4]["kind"].tolist() == other[4]["kind"].tolist()
    np.testing.assert_array_equal(ours.step(np.array([1, 0]))[1], [1, 0])


@pytest.mark.parametrize(("actions", "error"), [(np.array([1]), ValueError), ([1, 1, 1], ValueError), (0, TypeError)])
def test_a_wrong_number_of_actions_is_refused(made, actions, error):
    env = made(envpool_rs.make_vec([Same] * 2))
    env.reset()
    with pytest.raises(error):
        env.step(actions)
    assert env.step(np.array([0, 1]))[0].tolist() == [1, 1]


def test_environments_that_were_never_reset_are_stepped(made):
    with pytest.raises(ResetNeeded):
        made(envpool_rs.make_vec(cartpoles())).step(np.zeros(3, int))

    def reset_cartpole():
        env = gymnasium.make(CARTPOLE)
        env.reset(seed=1)
        return env

    ours, theirs = made(envpool_rs.make_vec([reset_cartpole] * 2)), SyncVectorEnv([reset_cartpole] * 2)
    np.testing.assert_array_equal(ours.step(np.array([0, 1]))[0], theirs.step(np.array([0, 1]))[0])


def test_keywords_of_asynchronous_calls_may_have_the_names_of_our_own_parameters(made):
    class Callee(Counter):
        def add(self, call):
            return self.length + call

    env = made(envpool_rs.make_vec([Callee] * 2))
    env.call_async("add", call=5)
    assert env.call_wait() == (7, 7)
