"""Tests behaviour that the classes of the BaseVectorEnv family share, with local environments and worker processes."""

import copy
import functools
import gc
import pickle
import weakref

import numpy as np
import pytest
from envpool_rs.vector import DummyVectorEnv, SubprocVectorEnv
from gymnasium import spaces
from python_envs import (
    CountingEnv,
    KeywordEnv,
    LegacyEnv,
    MisbehavingEnv,
    PairAndInfoEnv,
    PairEnv,
    RequiringEnv,
    ReusingEnv,
    SpaceEnv,
    message_spaces,
    row_spaces,
)
from vector_env_cases import KINDS, counting, equal


def test_reset_returns_stacked_observations_only(make):
    env = make(counting(3))
    observations = env.reset()
    assert observations.dtype == np.float64
    assert observations.tolist() == [[-1, 1, 0]] * 3
    assert env.reset(1).tolist() == [[-1, 2, 0]]
    assert env.reset([2, 0]).tolist() == [[-1, 2, 0]] * 2
    assert env.reset(np.array([1])).tolist() == [[-1, 3, 0]]


def test_reset_returns_infos_on_request(make):
    env = make(counting(2, info=True))
    observations, infos = env.reset(return_info=True)
    assert observations.shape == (2, 3)
    assert infos == [{"steps": 0}, {"steps": 0}]
    assert env.reset([], return_info=True)[1] == []


def test_reset_passes_its_arguments_to_the_environments(make):
    env = make(counting(3))
    assert env.reset(seed=10)[:, 0].tolist() == [10, 11, 12]
    assert env.reset([2, 0], seed=10)[:, 0].tolist() == [12, 10]
    assert env.reset([2, 0], seed=[5, 6])[:, 0].tolist() == [5, 6]
    env.reset(options={"a": 1})
    assert env.get_env_attr("last_options") == [{"a": 1}] * 3


def test_reset_passes_none_for_arguments_that_an_environment_requires(make_ours):
    for keywords in ({}, {"no_warning": True}):
        env = make_ours([RequiringEnv] * 2, **keywords)
        assert env.reset()[:, 0].tolist() == [-1, -1]
        assert env.reset(seed=3)[:, 0].tolist() == [3, 4]
        assert env.seed(5) == [[5], [6]] and env.reset()[:, 0].tolist() == [5, 6]


def test_keywords_of_methods_may_have_any_name(make_ours):
    keywords = {"ids": 1, "seeds": 2, "env_id": 3, "operation": 4, "send": 5, "call": 6, "function": 7, "key": 8}
    for quietly in (False, True):
        env = make_ours([KeywordEnv] * 2, no_warning=quietly)
        assert env.customized_method("setup", [keywords] * 2) == [keywords] * 2
        env.reset(**keywords)
        assert env.get_env_attr("reset_keywords") == [keywords] * 2
        assert env.render(**keywords) == [keywords] * 2


def test_the_space_decides_whether_a_pair_is_an_observation(make):
    env = make([PairEnv, PairAndInfoEnv])
    (numbers, parts), infos = env.reset(return_info=True)
    assert numbers.tolist() == [0, 0] and parts["steps"].tolist() == [0, 0] and infos == [{}, {"info": 1}]
    numbers, parts = env.step([0, 0])[0]
    assert numbers.tolist() == [1, 1] and parts["steps"].tolist() == [1, 1]


@pytest.mark.parametrize("form", ["array", "dict", "pickled", "undeclared"])
def test_environments_share_no_object_with_the_caller(make, form):
    env = make([functools.partial(ReusingEnv, form)] * 2)
    options = {"a": [1]}
    env.reset(options=options)
    assert options == {"a": [1]}
    actions = [np.zeros(2), np.ones(2)]
    first = env.step(actions)
    assert [action.tolist() for action in actions] == [[0, 0], [1, 1]]
    whole = np.arange(4.0).reshape(2, 2)
    env.step([whole[0], whole[1]])
    assert whole.tolist() == [[0, 1], [2, 3]]
    observation, infos = first[0], first[3]
    arrays = observation["a"] if isinstance(observation, dict) else np.stack([*observation])
    assert arrays.tolist() == [[1, 1], [1, 1]]
    for info in infos:
        assert info["t"] == info["nested"]["t"] == info["list"][0] == info["array"][0] == 1


def test_step_returns_stacked_results_in_the_requested_order(make):
    env = make(counting(3, info=True))
    env.reset(seed=0)
    observations, rewards, done, infos = env.step(np.array([0, 1, 2]))
    assert observations.tolist() == [[0, 1, 1], [1, 1, 1], [2, 1, 1]]
    assert rewards.dtype == np.float64
    assert rewards.tolist() == [1, 1, 1]
    assert done.dtype == bool
    assert not done.any()
    assert infos.dtype == object
    assert infos.tolist() == [{"steps": 1, "env_id": index} for index in range(3)]
    observations, *_, infos = env.step([3, 4], [2, 0])
    assert observations[:, 0].tolist() == [2, 0]
    assert [info["env_id"] for info in infos] == [2, 0]
    assert all(type(info["env_id"]) is int for info in infos)
    assert env.get_env_attr("last_action") == [4, 1, 3]


def test_environments_are_not_reset_automatically(make):
    env = make(counting(2, length=2))
    env.reset()
    assert not env.step([0, 0])[2].any()
    assert env.step([0, 0])[2].all()
    assert env.step([0, 0])[0][:, 2].tolist() == [3, 3]


def test_four_values_report_why_an_episode_ended(make):
    env = make([CountingEnv, functools.partial(CountingEnv, 1), functools.partial(CountingEnv, 1, truncates=True)])
    env.reset()
    *_, done, infos = env.step([0, 0, 0])
    assert done.tolist() == [False, True, True]
    assert [info.get("TimeLimit.truncated") for info in infos] == [None, False, True]


def test_steps_return_five_values_on_request(make):
    env = make(
        [CountingEnv, functools.partial(CountingEnv, 1), functools.partial(CountingEnv, 1, truncates=True)],
        return_truncated=True,
    )
    env.reset()
    observations, _, terminated, truncated, infos = env.step([0, 0, 0])
    assert observations.shape == (3, 3)
    assert terminated.tolist() == [False, True, False]
    assert truncated.tolist() == [False, False, True]
    assert infos.tolist() == [{"env_id": index} for index in range(3)]


def test_legacy_gyms_four_values_are_equivalent(make_ours):
    env_fns = [LegacyEnv, functools.partial(LegacyEnv, 1), functools.partial(LegacyEnv, 1, truncates=True)]
    env = make_ours(env_fns)
    assert env.seed([4, 5, 6]) == [[4], [5], [6]]
    assert env.reset().tolist() == [[4, 0], [5, 0], [6, 0]]
    *_, done, infos = env.step([0, 0, 0])
    assert done.tolist() == [False, True, True]
    assert infos.tolist() == [{"env_id": 0}, {"env_id": 1}, {"TimeLimit.truncated": True, "env_id": 2}]
    env = make_ours(env_fns, return_truncated=True)
    env.reset()
    _, _, terminated, truncated, _ = env.step([0, 0, 0])
    assert (terminated.tolist(), truncated.tolist()) == ([False, True, False], [False, False, True])


def test_an_empty_id_list_gives_an_empty_batch(make):
    env = make([functools.partial(SpaceEnv, spaces.Dict({"a": spaces.Box(0, 1, (2,)), "b": spaces.Discrete(3)}))] * 2)
    for observations in (env.reset([]), env.step([], [])[0]):
        assert observations["a"].shape == (0, 2)
        assert observations["a"].dtype == np.float32
        assert observations["b"].shape == (0,)
    _, rewards, done, infos = env.step([], np.array([]))
    assert [(each.shape, each.dtype) for each in (rewards, done, infos)] == [
        ((0,), float),
        ((0,), bool),
        ((0,), object),
    ]


@pytest.mark.parametrize("name", [*row_spaces(), *message_spaces()])
def test_observations_of_every_space_equal_a_plain_loop(name):
    space = {**row_spaces(), **message_spaces()}[name]
    results = []
    for kind in ("dummy", "subproc", "caller"):
        with KINDS[kind]([functools.partial(SpaceEnv, space)] * 3) as env:
            results.append([env.reset(seed=5), *[env.step([0] * 3) for _ in range(3)], env.step([1], [2])])
    assert equal(results[0], results[1])
    assert equal(results[0], results[2])


def test_dicts_and_tuples_are_stacked_leaf_by_leaf(make):
    space = spaces.Dict({"t": spaces.Tuple((spaces.Discrete(3), spaces.Box(0, 1, (2, 2)))), "n": spaces.MultiBinary(4)})
    env = make([functools.partial(SpaceEnv, space)] * 3)
    for observations in (env.reset(), env.step([0] * 3)[0]):
        assert observations["t"][0].shape == (3,)
        assert observations["t"][1].shape == (3, 2, 2)
        assert observations["n"].shape == (3, 4)


class ShapelessEnv:
    """Environment without a declared space, whose observations and rewards are scripted."""

    def __init__(self, observation, reward=0.0):
        self.observation, self.reward = observation, reward

    def reset(self):
        return self.observation

    def step(self, action):
        return self.observation, self.reward, False, {}


def test_ragged_observations_become_objects(make_ours):
    env = make_ours([functools.partial(ShapelessEnv, np.zeros((size, 2))) for size in (2, 3)])
    for observations in (env.reset(), env.step([0, 0])[0]):
        assert observations.shape == (2,)
        assert observations.dtype == object
        assert [each.shape for each in observations] == [(2, 2), (3, 2)]


def test_observations_without_a_space_are_stacked_by_type(make_ours):
    env = make_ours([functools.partial(ShapelessEnv, {"a": np.ones(2), "b": (1, "x")}) for _ in range(2)])
    observations = env.reset()
    assert observations["a"].shape == (2, 2)
    assert observations["b"][0].tolist() == [1, 1]
    assert observations["b"][1].tolist() == ["x", "x"]
    env = make_ours([functools.partial(ShapelessEnv, {1, 2}) for _ in range(2)])
    assert env.reset().tolist() == [{1, 2}, {1, 2}]


def test_rewards_of_several_agents_are_stacked(make_ours):
    env = make_ours([functools.partial(ShapelessEnv, 0, [1, index]) for index in range(3)])
    env.reset()
    rewards = env.step([0] * 3)[1]
    assert rewards.dtype == np.float64
    assert rewards.tolist() == [[1, 0], [1, 1], [1, 2]]


def test_tensors_are_stacked_into_tensors(make_ours):
    torch = pytest.importorskip("torch")
    env = make_ours([functools.partial(ShapelessEnv, torch.ones(2))] * 3)
    assert torch.equal(env.reset(), torch.ones(3, 2))
    assert torch.equal(env.step(torch.zeros(3))[0], torch.ones(3, 2))


def test_a_non_numeric_reward_is_refused(make_ours):
    env = make_ours([functools.partial(ShapelessEnv, 0, 1), functools.partial(ShapelessEnv, 0, "much")])
    env.reset()
    with pytest.raises(TypeError, match="environment 1: step returned reward 'much': expected a number"):
        env.step([0, 0])
    assert env.step(None)[3].tolist() == [{"env_id": 0}]


def test_an_observation_that_does_not_fit_its_space_is_refused_and_named(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, observations={1: np.zeros(2)})])
    env.reset()
    with pytest.raises(ValueError, match=r"environment 1: observation has shape \(2,\).*expected shape \(3,\)"):
        env.step([0, 0])
    assert env.step(None)[0].tolist() == [[-1, 1, 1]]


def test_results_belong_to_the_caller(make):
    env = make(counting(2, info=True))
    first = env.reset()
    kept = first.copy()
    one = env.step([0, 0])
    copies = [each.copy() for each in one[:3]]
    env.step([0, 0])
    assert np.array_equal(first, kept)
    assert all(np.array_equal(*each) for each in zip(one[:3], copies, strict=True))
    assert one[3].tolist() == [{"steps": 1, "env_id": 0}, {"steps": 1, "env_id": 1}]
    one[0][:] = 7
    one[3][0]["x"] = 1
    assert env.step([0, 0])[0].tolist() == [[-1, 1, 3]] * 2


class ScribblingEnv(CountingEnv):
    def step(self, action):
        action[:] = 7
        return super().step(action)


@pytest.mark.parametrize("held", [0, 1, 2, 5])
def test_results_that_the_caller_holds_or_has_changed_are_not_used_again(held):
    actions = np.arange(4)
    with SubprocVectorEnv(counting(4), num_workers=2) as env, DummyVectorEnv(counting(4)) as expected:
        env.reset()
        expected.reset()
        results = []
        for number in range(12):
            result, same = env.step(actions), expected.step(actions)
            assert equal(result, same)
            results.append((result, copy.deepcopy(same)))
            del results[: len(results) - held]
            assert all(equal(*each) for each in results)
            change = CHANGES[number % len(CHANGES)]
            change(*result)
            results = results[:-1] if change is not CHANGES[0] else results
            del result


CHANGES = [
    lambda *result: None,
    lambda obs, rew, done, info: [column.fill(7) for column in (obs, rew, done)],
    lambda obs, rew, done, info: info[1].update(env_id=3),
    lambda obs, rew, done, info: info[2].update(more=3),
    lambda obs, rew, done, info: info[3].clear(),
    lambda obs, rew, done, info: info.__setitem__(0, {"env_id": 0, "other": 1}),
    lambda obs, rew, done, info: info.__setitem__([0, 1], info[[1, 0]]),
    lambda obs, rew, done, info: info.fill(info[0]),
    lambda obs, rew, done, info: obs.setflags(write=False),
]
"""Changes of a result by its owner."""


def test_an_info_that_contains_its_vector_environment_is_collected():
    env = SubprocVectorEnv(counting(2), num_workers=1)
    env.reset()
    infos = env.step(np.zeros(2))[3]
    infos[0]["environments"] = env
    is_collected = weakref.ref(env)
    del env, infos
    gc.collect()
    assert is_collected() is None


def test_environments_cannot_modify_the_callers_actions(make):
    env = make([ScribblingEnv] * 2)
    env.reset()
    actions = np.zeros((2, 3))
    env.step(actions)
    assert not actions.any()


@pytest.mark.parametrize(
    "actions",
    [
        np.array([1, 2]),
        np.array([[0.5], [1.5]], dtype=np.float32),
        [1, 2],
        (np.int64(1), 2.5),
        [{"a": np.ones(2)}, {"a": np.zeros(2)}],
        np.array(["left", "right"]),
        np.array([{"x": 1}, (2, 3)], dtype=object),
        [[1, 2], np.arange(3)],
        np.array([True, False]),
    ],
    ids=str,
)
def test_environments_receive_actions_unchanged(make, actions):
    env = make(counting(2))
    env.reset()
    env.step(actions)
    for got, action in zip(env.get_env_attr("last_action"), actions, strict=True):
        assert type(got) is type(action)
        assert equal(got, action)


def test_a_vector_env_of_this_process_can_be_pickled_with_its_environments():
    env = DummyVectorEnv([lambda: CountingEnv(length=3)] * 2, norm_obs=True, return_truncated=True)
    env.reset(seed=3)
    env.step([0, 0])
    twins = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env), copy.copy(env)]
    expected = [env.step([0, 1]), env.step([0], 1), env.obs_rms.count]
    for twin in twins:
        assert equal([twin.step([0, 1]), twin.step([0], 1), twin.obs_rms.count], expected)
    with pickle.loads(pickle.dumps(twins[0])) as again:
        assert (again.env_num, again.ready_id, again.is_closed) == (2, [0, 1], False)


@pytest.mark.parametrize("kind", ["subproc", "caller", "processes"])
def test_a_vector_env_of_other_processes_names_itself_when_it_is_pickled(kind):
    with KINDS[kind](counting(2)) as env:
        for copied in (pickle.dumps, copy.copy, copy.deepcopy):
            with pytest.raises(TypeError, match=rf"cannot copy or pickle {type(env).__name__}: .* process"):
                copied(env)
        with pytest.raises(TypeError, match=r"cannot copy or pickle SubprocEnvWorker: .* process"):
            pickle.dumps(env.workers[0])
