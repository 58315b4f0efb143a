"""Compares pools over Python environments with gymnasium's vector environment."""

import re

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs._python_pool.batches import action_reader, unchecked_rows
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers import vector as vector_wrappers
from hypothesis import given, settings
from hypothesis import strategies as st
from python_envs import (
    CountingEnv,
)
from python_pool_cases import (
    CARTPOLE,
    MODES,
    SPACES,
    assert_same_trajectories,
    scripted,
    zeros,
)
from test_contract import assert_same
from test_transport_misuse import numbers

infos_of_numbers = st.dictionaries(st.text("abc", min_size=1, max_size=2), numbers, min_size=1, max_size=4)


def sync_twin(env_fns, mode):
    return SyncVectorEnv(env_fns, autoreset_mode=AutoresetMode[mode.upper()])


IDS = [
    (CARTPOLE, {}),
    ("Pendulum-v1", {"max_episode_steps": 13, "g": 9.0}),
    ("FrozenLake-v1", {"is_slippery": False}),
    ("Blackjack-v1", {}),
    ("Taxi-v4" if "Taxi-v4" in gymnasium.registry else "Taxi-v3", {"max_episode_steps": 9}),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("task", "options"), IDS, ids=[task for task, _ in IDS])
def test_any_gymnasium_id_equals_gymnasiums_vector_environment(task, options, mode, made):
    wrappers = [gymnasium.wrappers.NormalizeReward] if task == "Pendulum-v1" else None
    ours = made(envpool_rs.make_vec(task, 3, "shared_memory", autoreset_mode=mode, wrappers=wrappers, **options))
    theirs = gymnasium.make_vec(
        task,
        3,
        "sync",
        vector_kwargs={"autoreset_mode": AutoresetMode[mode.upper()]},
        wrappers=wrappers,
        **options,
    )
    assert isinstance(ours, gymnasium.vector.VectorEnv) and not isinstance(ours, gymnasium.Env)
    assert_same_trajectories(ours, theirs, mode)


@pytest.mark.parametrize("mode", MODES)
def test_infos_are_batched_like_gymnasiums(mode, made):
    ours = made(envpool_rs.make_vec("test_python_pool/Infos-v0", 4, autoreset_mode=mode))
    assert_same_trajectories(ours, sync_twin([lambda: gymnasium.make("test_python_pool/Infos-v0")] * 4, mode), mode)


@pytest.mark.parametrize("mode", MODES)
def test_infos_of_numbers_are_batched_like_gymnasiums(mode, made):
    ours = made(envpool_rs.make_vec("test_python_pool/Numbers-v0", 2, autoreset_mode=mode, num_workers=2))
    theirs = sync_twin([lambda: gymnasium.make("test_python_pool/Numbers-v0")] * 2, mode)
    assert_same_trajectories(ours, theirs, mode, steps=60)


def test_infos_of_numbers_have_envpools_format(made):
    infos = {1: {"small": 3, "half": 2.5, "flag": True, "large": 2**40, "env_id": 9, "single": np.float32(1)}}
    env = made(envpool_rs.make_python([scripted(infos=infos), scripted(infos=infos)], num_workers=1))
    env.reset()
    info = env.step(zeros(2))[4]
    assert list(info) == ["small", "half", "flag", "large", "env_id", "single", "players", "elapsed_step"]
    dtypes = {key: info[key].dtype for key in ("small", "half", "flag", "large", "env_id", "single")}
    expected = {"small": "i4", "half": "f4", "flag": "?", "large": "i8", "env_id": "i4", "single": "f4"}
    assert dtypes == expected
    assert info["large"].tolist() == [2**40] * 2 and info["env_id"].tolist() == [0, 1]


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_infos_of_every_numeric_type_are_batched_like_gymnasiums(data, given_infos):
    ours, theirs = given_infos
    info = data.draw(infos_of_numbers)
    others = {key: type(value)(1) for key, value in info.items()}, dict(reversed(info.items())), {}
    given_infos = data.draw(st.lists(st.sampled_from([info, *others]), min_size=3, max_size=3))
    for env in (ours, theirs):
        env.set_attr("given", given_infos)
    expected = theirs.step(zeros(3))[4]
    found = ours.step(zeros(3))[4]
    assert_same(found, expected)
    assert list(found) == list(expected)


@pytest.fixture(scope="module")
def given_infos():
    """Returns this package's vector environment and gymnasium's, both of environments whose infos a test can set."""
    task = "test_python_pool/GivenInfos-v0"
    ours, theirs = envpool_rs.make_vec(task, 3, num_workers=1), gymnasium.make_vec(task, 3, "sync")
    ours.reset(), theirs.reset()
    yield ours, theirs
    ours.close()


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 1, 0)])
def test_a_dict_and_another_value_under_one_key_make_objects(order, given_infos):
    ours, _ = given_infos
    values = [{"kind": {"a": 1, "b": {"c": [2.0]}}}, {"kind": 5}, {}]
    ours.set_attr("given", [values[each] for each in order])
    info = ours.step(zeros(3))[4]
    assert info["kind"].tolist() == [values[each].get("kind") for each in order]
    assert info["_kind"].tolist() == [each != 2 for each in order]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SPACES)
def test_observations_of_every_space_are_batched_like_gymnasiums(name, mode, made):
    task = f"test_python_pool/{re.sub(r'[^a-zA-Z]', '', name.title())}-v0"
    ours = made(envpool_rs.make_vec(task, 2, autoreset_mode=mode, num_workers=2))
    theirs = gymnasium.make_vec(task, 2, "sync", vector_kwargs={"autoreset_mode": AutoresetMode[mode.upper()]})
    assert_same_trajectories(ours, theirs, mode, steps=12)


class EchoEnv(CountingEnv):
    """Environment whose infos contain its action."""

    def __init__(self, space):
        super().__init__(length=1000)
        self.action_space = space

    def step(self, action):
        *result, _ = super().step(action)
        return *result, {"action": repr(action), "kind": type(action).__name__}


@pytest.mark.parametrize("name", SPACES)
def test_actions_of_every_space_are_split_like_gymnasiums(name, made):
    env_fns = [lambda: EchoEnv(SPACES[name])] * 3
    ours, theirs = made(envpool_rs.make_python(env_fns, num_workers=2)), SyncVectorEnv(env_fns)
    theirs.action_space.seed(1)
    ours.reset(), theirs.reset()
    for _ in range(3):
        actions = theirs.action_space.sample()
        info, expected = ours.step(actions)[4], theirs.step(actions)[4]
        assert info["action"].tolist() == expected["action"].tolist()
        assert info["kind"].tolist() == expected["kind"].tolist()


@pytest.mark.parametrize(
    ("name", "action", "error", "match"),
    [
        ("discrete", np.array([-3, 4]), ValueError, r"action\[1\] is 4: expected an integer from -3 to 3"),
        ("multi-discrete", np.array([[0, 0, 0], [1, 5, 0]]), ValueError, r"action\[1, 1\] is 5: .* from 0 to 4"),
        ("multi-discrete", np.array([[0, 0, 0], [1, 0.5, 0]]), ValueError, r"action\[1, 1\] is 0.5"),
        ("multi-binary", np.full((2, 2, 3), 2), ValueError, r"action\[0, 0, 0\] is 2: expected an integer from 0 to 1"),
        ("image", np.full((2, 4, 3, 2), 256), ValueError, r"action\[0, 0, 0, 0\] is 256: .* from 0 to 255"),
        ("box", np.array([[0, 0], [0, np.inf]]), ValueError, r"action\[1\] is \[ ?0. inf\]|action\[1\] is inf"),
        ("dict", {"a": zeros(2)}, ValueError, 'action lacks the key "b"'),
        ("dict", {"a": zeros(2), "c": 0, "b": 0}, ValueError, 'action has the unknown key "c"'),
        ("dict", {"a": np.full(2, 3), "b": np.zeros((2, 2))}, ValueError, r"a\[0\] is 3: expected .* from 0 to 2"),
        ("dict", zeros(2), TypeError, "action is a ndarray: expected a dict with the keys a, b"),
        ("tuple", zeros(2), TypeError, "action is a ndarray: expected a tuple of 2 batches"),
        ("tuple", (zeros(2),), ValueError, "action has 1 entries: expected 2"),
        ("tuple", (zeros(2), zeros(2)), ValueError, r"action\[1\] has shape \(2,\): expected \(2, 2\)"),
        ("text", ("a",), ValueError, "action has 1 entries: expected 2"),
        ("text", ("a", "?"), ValueError, r"action\[1\] is '\?': expected an element of Text"),
        ("text", "ab", TypeError, "action is a str: expected a sequence with an action for each environment"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_actions_outside_of_their_space_are_refused(name, action, error, match, made):
    env = made(envpool_rs.make_python([lambda: EchoEnv(SPACES[name])] * 2, num_workers=1))
    env.reset()
    with pytest.raises(error, match=match):
        env.step(action)
    assert env.step(SyncVectorEnv([lambda: EchoEnv(SPACES[name])] * 2).action_space.sample())[1].tolist() == [1, 1]


def test_arrays_of_objects_are_split_into_arrays(monkeypatch):
    monkeypatch.setattr(spaces.Text, "contains", lambda _, action: isinstance(action, np.ndarray))
    rows = action_reader(SPACES["text"])(np.arange(4.0).reshape(2, 2), 2)
    assert [row.tolist() for row in rows] == [[0, 1], [2, 3]]


def test_surplus_actions_that_environments_check_are_refused():
    with pytest.raises(ValueError, match="action has more than 2 entries: expected 2"):
        unchecked_rows(batch_space(SPACES["text"], 2), None, "render", 2)


@pytest.mark.filterwarnings("ignore:.*precision lowered", "ignore:overflow encountered in cast")
@pytest.mark.parametrize(
    ("task", "wrapper"),
    [
        (CARTPOLE, vector_wrappers.DictInfoToList),
        (CARTPOLE, vector_wrappers.NormalizeObservation),
        (CARTPOLE, vector_wrappers.RecordEpisodeStatistics),
        ("Pendulum-v1", lambda env: vector_wrappers.RescaleAction(env, -1.0, 1.0)),
        ("FrozenLake-v1", vector_wrappers.DictInfoToList),
    ],
)
def test_gymnasium_wrappers_give_equal_results_around_python_pools(task, wrapper, made):
    ours = wrapper(made(envpool_rs.make_vec(task, 3, "shared_memory")))
    theirs = wrapper(gymnasium.make_vec(task, 3, vectorization_mode="sync"))
    np.testing.assert_array_equal(ours.reset(seed=1)[0], theirs.reset(seed=1)[0])
    ours.action_space.seed(0)
    for _ in range(40):
        action = ours.action_space.sample()
        for left, right in zip(ours.step(action)[:4], theirs.step(action)[:4], strict=True):
            np.testing.assert_array_equal(left, right)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]
