"""The BaseVectorEnv family: shared behaviour of its kinds, for local environments, worker processes, or both."""

import functools
import importlib.util
import itertools
import signal
import threading
import time
import warnings
from collections import OrderedDict
from fractions import Fraction

import gymnasium
import numpy as np
import pytest
from envpool_rs.vector import (
    BaseVectorEnv,
    DummyEnvWorker,
    DummyVectorEnv,
    EnvWorker,
    RunningMeanStd,
    SubprocEnvWorker,
    SubprocVectorEnv,
)
from gymnasium import spaces
from python_envs import (
    ActionEnv,
    CountingEnv,
    LegacyEnv,
    MisbehavingEnv,
    SpaceEnv,
    make_dm_env,
    message_spaces,
    row_spaces,
)


class OwnWorker(EnvWorker):
    """Worker of a user, in the style of Tianshou: `send(None)` resets."""

    def __init__(self, env_fn):
        self.env = env_fn()
        super().__init__(env_fn)

    def get_env_attr(self, key):
        return getattr(self.env, key)

    def set_env_attr(self, key, value):
        setattr(self.env.unwrapped, key, value)

    def send(self, action, **kwargs):
        self.result = self.env.reset(**kwargs) if action is None else self.env.step(action)

    def customized_method(self, func, data=None):
        self.result = getattr(self.env, func)(**(data or {}))

    @staticmethod
    def wait(workers, wait_num, timeout=None):
        return workers

    def seed(self, seed=None):
        self.env.reset(seed=seed)
        return [seed]

    def render(self, **kwargs):
        return self.env.render(**kwargs)

    def close_env(self):
        self.env.close()


KINDS = {
    "dummy": DummyVectorEnv,
    "subproc": functools.partial(SubprocVectorEnv, num_workers=2),
    "caller": functools.partial(SubprocVectorEnv, num_workers=1, caller_steps=True),
    "own": lambda env_fns, **keywords: BaseVectorEnv(env_fns, OwnWorker, **keywords),
    "processes": lambda env_fns, **keywords: BaseVectorEnv(env_fns, SubprocEnvWorker, **keywords),
}


@pytest.fixture(params=KINDS)
def make(request):
    """Makes vector environments of each kind, and closes them."""
    made = []

    def make(env_fns, **keywords):
        made.append(KINDS[request.param](env_fns, **keywords))
        return made[-1]

    make.kind = request.param
    yield make
    for each in made:
        if not each.is_closed:
            each.close()


@pytest.fixture(params=["dummy", "subproc", "caller"])
def make_ours(request):
    """As `make`, for all kinds but that with a user's worker."""
    made = []

    def make(env_fns, **keywords):
        made.append(KINDS[request.param](env_fns, **keywords))
        return made[-1]

    make.kind = request.param
    yield make
    for each in made:
        if not each.is_closed:
            each.close()


def counting(number, **keywords):
    return [functools.partial(CountingEnv, **keywords) for _ in range(number)]


def equal(one, other):
    """Returns whether two results are equal, with equal types."""
    if isinstance(one, dict):
        return (
            isinstance(other, dict) and one.keys() == other.keys() and all(equal(one[key], other[key]) for key in one)
        )
    if isinstance(one, (tuple, list)):
        same = type(one) is type(other) and len(one) == len(other)
        return same and all(equal(*each) for each in zip(one, other, strict=True))
    if isinstance(one, np.ndarray):
        same = isinstance(other, np.ndarray) and one.shape == other.shape and one.dtype == other.dtype
        if same and one.dtype == object:
            return all(equal(*each) for each in zip(one.ravel(), other.ravel(), strict=True))
        return same and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
    return type(one) is type(other) and one == other


# --- results of calls -------------------------------------------------------------------------------------------------


def test_reset_returns_stacked_observations_only(make):
    env = make(counting(3))
    observations = env.reset()
    assert observations.dtype == np.float64
    assert observations.tolist() == [[-1, 1, 0]] * 3
    assert env.reset(1).tolist() == [[-1, 2, 0]]
    assert env.reset([2, 0]).tolist() == [[-1, 2, 0]] * 2
    assert env.reset(np.array([1])).tolist() == [[-1, 3, 0]]


def test_reset_returns_infos_where_they_are_asked_for(make):
    env = make(counting(2, info=True))
    observations, infos = env.reset(return_info=True)
    assert observations.shape == (2, 3)
    assert infos == [{"steps": 0}, {"steps": 0}]
    assert env.reset([], return_info=True)[1] == []


def test_reset_hands_its_arguments_to_the_environments(make):
    env = make(counting(3))
    assert env.reset(seed=10)[:, 0].tolist() == [10, 11, 12]
    assert env.reset([2, 0], seed=10)[:, 0].tolist() == [12, 10]
    assert env.reset([2, 0], seed=[5, 6])[:, 0].tolist() == [5, 6]
    env.reset(options={"a": 1})
    assert env.get_env_attr("last_options") == [{"a": 1}] * 3


def test_step_returns_stacked_results_in_the_order_asked(make):
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


def test_environments_are_not_reset_by_themselves(make):
    env = make(counting(2, length=2))
    env.reset()
    assert not env.step([0, 0])[2].any()
    assert env.step([0, 0])[2].all()
    assert env.step([0, 0])[0][:, 2].tolist() == [3, 3]


def test_four_values_tell_why_an_episode_ended(make):
    env = make([CountingEnv, functools.partial(CountingEnv, 1), functools.partial(CountingEnv, 1, truncates=True)])
    env.reset()
    *_, done, infos = env.step([0, 0, 0])
    assert done.tolist() == [False, True, True]
    assert [info.get("TimeLimit.truncated") for info in infos] == [None, False, True]


def test_five_values_where_they_are_asked_for(make):
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


def test_old_gyms_four_values_mean_the_same(make_ours):
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


def test_no_ids_give_an_empty_batch(make):
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
def test_observations_of_every_space_are_what_the_loop_gives(name):
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
    """Environment without a declared space; observations and rewards are scripted."""

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


def test_observations_without_a_space_are_stacked_by_what_they_are(make_ours):
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


def test_tensors_are_stacked_to_tensors(make_ours):
    torch = pytest.importorskip("torch")
    env = make_ours([functools.partial(ShapelessEnv, torch.ones(2))] * 3)
    assert torch.equal(env.reset(), torch.ones(3, 2))
    assert torch.equal(env.step(torch.zeros(3))[0], torch.ones(3, 2))


def test_a_reward_that_is_no_number_is_refused(make_ours):
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


def test_environments_cannot_write_on_the_callers_actions(make):
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
def test_environments_get_the_actions_as_they_are(make, actions):
    env = make(counting(2))
    env.reset()
    env.step(actions)
    for got, action in zip(env.get_env_attr("last_action"), actions, strict=True):
        assert type(got) is type(action)
        assert equal(got, action)


# --- attributes, methods, seeds ---------------------------------------------------------------------------------------


def test_reserved_names_are_lists_of_the_environments_own(make):
    env = make(counting(2))
    assert env.action_space == [spaces.Discrete(5)] * 2
    assert env.observation_space == [CountingEnv.observation_space] * 2
    assert env.metadata == [CountingEnv.metadata] * 2
    assert env.spec == [None, None]
    with pytest.raises(AttributeError, match=r"environment 0.*reward_range"):
        env.reward_range  # noqa: B018


def test_attributes_are_read_in_the_order_of_ids(make):
    env = make([functools.partial(CountingEnv, length) for length in (5, 6, 7)])
    assert env.get_env_attr("length") == [5, 6, 7]
    assert env.get_env_attr("length", 2) == [7]
    assert env.get_env_attr("length", [2, 0]) == [7, 5]
    assert env.get_env_attr("length", []) == []


def test_attributes_are_set_to_the_same_value_everywhere(make):
    env = make(counting(3))
    env.set_env_attr("length", 9)
    assert env.get_env_attr("length") == [9] * 3
    env.set_env_attr("length", [1, 2, 3], [2, 1])
    assert env.get_env_attr("length") == [9, [1, 2, 3], [1, 2, 3]]


def test_attributes_of_wrapped_environments_are_found_and_set_where_they_are(make_ours):
    env = make_ours([lambda: gymnasium.make("CartPole-v1") for _ in range(2)])
    assert env.get_env_attr("force_mag") == [10.0, 10.0]
    env.set_env_attr("force_mag", 0.0, 0)
    env.reset(seed=[1, 1])
    observations = env.step([1, 1])[0]
    assert not np.array_equal(*observations)
    env.set_env_attr("_max_episode_steps", 2)
    assert env.step([1, 1])[2].all()
    env.set_env_attr("mine", 5)
    assert env.get_env_attr("mine") == [5, 5]


def test_a_missing_attribute_is_an_error_that_names_the_environment(make):
    env = make([CountingEnv, CountingEnv])
    env.set_env_attr("extra", 1, 0)
    with pytest.raises(AttributeError, match=r"environment 1.*extra"):
        env.get_env_attr("extra")
    with pytest.raises(TypeError, match="key=3: expected"):
        env.get_env_attr(3)


def test_methods_are_called_with_arguments_of_their_own(make):
    env = make(counting(3))
    env.reset()
    env.step([0], [1])
    assert env.customized_method("add", [{"a": 1}, {"a": 2, "b": 5}, {"a": 3}]) == [1, 8, 3]
    assert env.customized_method("add", [{"a": 1}, {"a": 2}], [2, 1]) == [1, 3]
    assert env.customized_method("add", [{"a": 4}], 0) == [4]
    assert env.step([0], [1])[0].tolist() == [[-1, 1, 2]]


def test_methods_may_be_dotted_and_return_tuples(make_ours):
    env = make_ours([lambda: gymnasium.wrappers.TimeLimit(CountingEnv(), 3) for _ in range(2)])
    assert env.customized_method("env.add", [{"a": 1}] * 2) == [1, 1]
    assert env.customized_method("action_space.contains", [{"x": 1}, {"x": 9}]) == [True, False]
    assert env.customized_method("reset")[0][1] == {}
    assert env.customized_method("unwrapped.render")[0].shape == (2, 3, 3)
    assert env.step([0, 0])[0].shape == (2, 3)


@pytest.mark.parametrize("name", ["__import__('os').system('x')", "add(1)", "", "a..b", "add ", "lambda: 0"])
def test_methods_are_looked_up_and_never_evaluated(make_ours, name):
    env = make_ours(counting(2))
    with pytest.raises(ValueError, match=r"call_method=.*expected a method's name"):
        env.customized_method(name)


def test_misused_methods_are_refused(make):
    env = make(counting(2))
    with pytest.raises(ValueError, match="data has 1 entries: expected 2"):
        env.customized_method("add", [{"a": 1}])
    with pytest.raises(TypeError, match=r"data\[1\]=3: expected a dict"):
        env.customized_method("add", [{"a": 1}, 3])
    with pytest.raises(TypeError, match=r"data={'a': 1}: expected a sequence"):
        env.customized_method("add", {"a": 1})
    with pytest.raises(TypeError, match="call_method=3"):
        env.customized_method(3)
    with pytest.raises(AttributeError, match=r"environment 0.*nothing"):
        env.customized_method("nothing")
    with pytest.raises(TypeError, match=r"environment 0.*'a'"):
        env.customized_method("add")


def test_what_is_no_method_is_refused(make_ours):
    with pytest.raises(TypeError, match="environment 0: call_method='length': it is a int, expected a method"):
        make_ours(counting(2)).customized_method("length")


def test_seeds_count_up_from_a_number(make):
    env = make(counting(3))
    assert env.seed(7) == [[7], [8], [9]]
    assert env.reset()[:, 0].tolist() == [7, 8, 9]
    assert env.seed(np.int64(3)) == [[3], [4], [5]]
    assert env.seed([3, 1, 2]) == [[3], [1], [2]]
    assert env.seed(np.array([3, 1, 2])) == [[3], [1], [2]]
    assert env.reset()[:, 0].tolist() == [3, 1, 2]
    assert env.seed() == [[None]] * 3


def test_seeding_seeds_action_spaces(make_ours):
    env = make_ours([functools.partial(gymnasium.make, "Pendulum-v1")] * 2)
    samples = []
    for _ in range(2):
        env.seed(3)
        samples.append(np.stack(env.customized_method("action_space.sample")))
    assert np.array_equal(*samples)
    assert not np.array_equal(*samples[0])


@pytest.mark.parametrize("seed", [[1], [1, 2, 3], []])
def test_too_few_or_too_many_seeds_are_refused(make, seed):
    with pytest.raises(ValueError, match=f"seed has {len(seed)} entries: expected env_num=2"):
        make(counting(2)).seed(seed)


@pytest.mark.parametrize("seed", ["abc", 1.5, True, [1, "a"], {1: 2}])
def test_seeds_that_are_no_integers_are_refused(seed):
    with DummyVectorEnv(counting(2)) as env, pytest.raises(TypeError, match="seed"):
        env.seed(seed)


def test_render_returns_a_list(make):
    env = make(counting(2))
    env.reset()
    env.step([0], [1])
    assert [picture.max() for picture in env.render()] == [0, 1]


def test_render_takes_arguments(make_ours):
    env = make_ours([LegacyEnv, LegacyEnv])
    assert env.render(mode="rgb_array")[1].shape == (2, 2, 3)
    with pytest.raises(TypeError, match=r"environment 0.*size"):
        env.render(size=3)


def test_environments_can_be_had_as_objects(make_ours):
    env = make_ours(counting(2, length=3))
    env.reset()
    assert [each.episode for each in env.get_env_obj()] == [1, 1]


class ForwardingEnv(CountingEnv):
    """Environment with dynamic attributes, like MetaBox's environments."""

    def __init__(self):
        super().__init__()
        self.hidden = {"depth": 3}

    def get_env_attr(self, key):
        return self.hidden.get(key)

    def set_env_attr(self, key, value):
        self.hidden[key] = value


def test_environments_may_forward_attributes_themselves(make_ours):
    env = make_ours([ForwardingEnv] * 2)
    assert env.get_env_attr("depth") == [3, 3]
    env.set_env_attr("depth", 4, 1)
    env.set_env_attr("length", 4)
    assert env.get_env_attr("depth") == [3, 4]
    assert env.get_env_attr("hidden") == [{"depth": 3}, {"depth": 4}]
    assert env.get_env_attr("length") == [4, 4]


def test_environments_of_dm_env_are_stepped_too(make_ours):
    pytest.importorskip("dm_env")
    env = make_ours([make_dm_env] * 2)
    assert env.reset()["steps"].tolist() == [[0], [0]]
    observations, rewards, done, _ = env.step([1, 2])
    assert observations["half"].tolist() == [0.5, 0.5]
    assert rewards.tolist() == [1.0, 2.0]
    assert not done.any()
    assert env.action_space == [spaces.Discrete(3)] * 2


# --- type and attributes ----------------------------------------------------------------------------------------------


def test_it_is_an_env_with_the_familys_attributes(make):
    env = make(counting(3))
    assert isinstance(env, BaseVectorEnv)
    assert isinstance(
        env, gymnasium.Env if importlib.util.find_spec("gym") is None else importlib.import_module("gym").Env
    )
    assert len(env) == env.env_num == env.worker_num == 3
    assert (env.wait_num, env.timeout, env.is_async, env.is_closed) == (3, None, False, False)
    assert (env.ready_id, env.waiting_id, env.waiting_conn) == ([0, 1, 2], [], [])
    assert len(env.workers) == 3
    assert all(isinstance(worker, env.worker_class) for worker in env.workers)
    assert issubclass(env.worker_class, EnvWorker)
    assert env._wrap_id() == [0, 1, 2]
    assert env._wrap_id(np.int64(1)) == [1]
    assert env._wrap_id((2, 0)) == [2, 0]
    assert "env_num=3" in repr(env)
    assert env.unwrapped is env


def test_numbers_of_cpus_and_gpus_never_set_the_number_of_workers():
    with SubprocVectorEnv(counting(3), num_cpus=1, num_gpus=2, num_workers=3) as env:
        assert env.num_workers == 3
    with SubprocVectorEnv(
        counting(2), 7, 0, True, num_cpu_per_worker=2, num_gpu_per_worker=1, share_memory=False
    ) as env:
        assert env.num_workers <= 2
    with DummyVectorEnv(counting(2), 1, 0, True, num_cpu_per_worker=2, num_gpu_per_worker=1) as env:
        assert (env.num_cpu_per_worker, env.num_gpu_per_worker) == (2, 1)


def test_asynchronous_use_has_a_worker_for_each_environment():
    with SubprocVectorEnv(counting(5), wait_num=2) as env:
        assert env.num_workers == 5
    with SubprocVectorEnv(counting(5), timeout=1.0, num_workers=2) as env:
        assert env.num_workers == 2


def test_workers_can_be_used_one_by_one(make):
    env = make([functools.partial(CountingEnv, length) for length in (2, 3)])
    worker = env.workers[1]
    assert worker.get_env_attr("length") == 3
    worker.set_env_attr("length", 4)
    assert worker.get_env_attr("length") == 4
    assert worker.action_space == spaces.Discrete(5)
    assert worker.reset(seed=3)[0].tolist() == [3, 1, 0]
    observation, reward, terminated, truncated, info = worker.step(1)
    assert observation.tolist() == [3, 1, 1]
    assert (reward, terminated, truncated, info) == (1.0, False, False, {})
    worker.customized_method("add", {"a": 3})
    assert worker.recv() == 4
    assert worker.seed(5) == [5]
    assert worker.render().shape == (2, 3, 3)
    assert env.reset()[:, 0].tolist() == [-1, 5]
    worker.close()
    worker.close()
    assert worker.is_closed


def test_a_process_for_one_environment_can_be_used_alone():
    worker = SubprocEnvWorker(LegacyEnv)
    try:
        with pytest.raises(RuntimeError, match="nothing was sent"):
            worker.recv()
        worker.send(None)
        assert worker.recv()[0].tolist() == [-1, 0]
        worker.send(1)
        observation, reward, done, info = worker.recv()
        assert (observation.tolist(), reward, done, info) == ([-1, 1], 1.0, False, {})
        with pytest.raises(AttributeError, match="nothing"):
            worker.get_env_attr("nothing")
    finally:
        worker.close()


class ResourcefulWorker(DummyEnvWorker):
    """Worker that requests every feature of a vector environment."""

    def __init__(self, env_fn, num_cpu_per_worker, sub_worker_fn, *, num_gpu_per_worker=None, no_warning=None):
        super().__init__(env_fn)
        self.offered = (num_cpu_per_worker, num_gpu_per_worker, sub_worker_fn, no_warning)


def test_workers_are_given_what_their_signature_names():
    with BaseVectorEnv(counting(2), ResourcefulWorker, num_cpu_per_worker=3, sub_worker_fn=SubprocVectorEnv) as env:
        assert env.workers[0].offered == (3, 0, SubprocVectorEnv, False)
        assert env.worker_name == "ResourcefulWorker"

    def worker_fn(env_fn, **keywords):
        assert keywords == {"no_warning": True}
        return DummyEnvWorker(env_fn, **keywords)

    with BaseVectorEnv(counting(2), worker_fn, no_warning=True) as env:
        assert env.worker_class is DummyEnvWorker
    with BaseVectorEnv(counting(2), lambda env_fn: DummyEnvWorker(env_fn)) as env:  # noqa: PLW0108
        assert env.reset().shape == (2, 3)


class OldWorker(OwnWorker):
    """Worker written before `send` and `recv` had their names."""

    send = EnvWorker.send

    def send_action(self, action):
        self.step_result = self.env.step(action)

    def get_result(self):
        return self.step_result

    def reset(self, **kwargs):
        return self.env.reset(**kwargs)


def test_workers_of_the_oldest_kind_still_work():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with BaseVectorEnv(counting(2), OldWorker) as env:
            assert env.reset()[:, 2].tolist() == [0, 0]
            assert env.step([0, 0])[0][:, 2].tolist() == [1, 1]


def test_worker_fns_that_make_no_workers_are_refused():
    with pytest.raises(TypeError, match="made a CountingEnv: expected an EnvWorker"):
        BaseVectorEnv(counting(1), lambda env_fn: env_fn())
    kinds = itertools.cycle([DummyEnvWorker, OwnWorker])
    with pytest.raises(TypeError, match="made a DummyEnvWorker and a OwnWorker: expected workers of one class"):
        BaseVectorEnv(counting(2), lambda env_fn: next(kinds)(env_fn))  # noqa: PLW0108


class WarningEnv(CountingEnv):
    def step(self, action):
        warnings.warn("this environment is noisy", UserWarning, stacklevel=1)
        return super().step(action)


def test_warnings_of_environments_can_be_silenced_and_others_are_not(make_ours):
    env = make_ours([WarningEnv] * 4, no_warning=True)
    env.reset()
    env.step([0] * 4)
    with pytest.warns(UserWarning, match="of ours"):
        warnings.warn("of ours", UserWarning, stacklevel=1)


# --- misuse -----------------------------------------------------------------------------------------------------------


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
def test_wrong_actions_are_refused_and_nothing_is_played(make, action, ids, error, message, keywords):
    env = make(counting(2), **keywords)
    env.reset()
    with pytest.raises(error, match=message):
        env.step(action, ids)
    assert env.ready_id == [0, 1]
    assert env.reset()[:, 1].tolist() == [2, 2]


def test_an_action_that_cannot_be_pickled_is_refused_and_nothing_is_played():
    with SubprocVectorEnv(counting(2), num_workers=2) as env:
        env.reset()
        with pytest.raises((TypeError, ValueError), match="pickle"):
            env.step([0, threading.Lock()])
        assert env.step([0, 0])[0][:, 2].tolist() == [1, 1]


def test_nothing_works_after_close_but_len(make):
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


def test_a_context_manager_closes_once(make):
    with make(counting(2)) as env:
        env.reset()
    assert env.is_closed
    with make(counting(2)) as env:
        env.close()


# --- environments that fail -------------------------------------------------------------------------------------------


def test_an_environment_that_raises_is_named_and_the_others_results_are_kept(make):
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


def test_those_that_failed_can_go_on_before_the_others_are_fetched(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, {1: "raise"})])
    env.reset()
    with pytest.raises(ValueError, match="environment 1"):
        env.step([0, 0])
    assert env.reset(1).tolist() == [[-1, 2, 0]]
    assert env.step([0], [1])[0].tolist() == [[-1, 2, 1]]
    assert env.step(None)[0].tolist() == [[-1, 1, 1]]


def test_a_reset_drops_what_was_kept(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, {1: "raise"}), CountingEnv])
    env.reset()
    with pytest.raises(ValueError, match="environment 1"):
        env.step([0, 0, 0])
    assert env.reset(2).tolist() == [[-1, 2, 0]]
    assert env.waiting_id == [0]
    assert env.reset()[:, 1].tolist() == [2, 2, 3]
    assert env.step([0, 0, 0])[0][:, 2].tolist() == [1, 1, 1]


@pytest.mark.parametrize("what", ["raise own", "raise unpicklable", "raise local", "sys.exit"])
def test_every_exception_of_an_environment_is_an_exception_here(make_ours, what):
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


def test_an_environment_that_cannot_be_made_is_named(make):
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        make([CountingEnv, functools.partial(MisbehavingEnv, {"make": "raise"})])


@pytest.mark.parametrize("returned", [(1, 2), 5, (0, 0.0, False, False, None)], ids=str)
def test_a_step_that_returns_something_else_is_refused_and_named(make_ours, returned):
    class OddEnv(CountingEnv):
        def step(self, action):
            return returned

    env = make_ours([CountingEnv, OddEnv])
    env.reset()
    with pytest.raises((TypeError, ValueError), match="environment 1"):
        env.step([0, 0])
    assert env.step(None)[0][:, 2].tolist() == [1]


# --- processes that die -----------------------------------------------------------------------------------------------


def test_a_process_that_dies_takes_only_its_own_environments():
    with SubprocVectorEnv([ActionEnv] * 4, num_workers=2) as env:
        env.reset()
        with pytest.raises(RuntimeError, match=r"worker 1 .*SIGKILL.*environments 2, 3"):
            env.step([0, 0, "kill", 0])
        with pytest.raises(RuntimeError, match="worker 1"):
            env.step(None)
        observations, *_, infos = env.step(None)
        assert observations[:, 2].tolist() == [1, 1]
        assert [info["env_id"] for info in infos] == [0, 1]
        assert env.step([0, 0], [0, 1])[0][:, 2].tolist() == [2, 2]
        for call in (lambda: env.step([0] * 4), env.reset, lambda: env.get_env_attr("steps"), lambda: env.reset(3)):
            with pytest.raises(RuntimeError, match="worker 1"):
                call()
        assert env.reset([0, 1]).tolist() == [[-1, 2, 0]] * 2


def test_a_process_that_died_is_started_again_where_that_is_asked_for():
    with SubprocVectorEnv([ActionEnv] * 4, num_workers=2, restart=True) as env:
        env.reset(seed=0)
        observations, rewards, done, infos = env.step([0, 0, "kill", 0])
        assert observations[:, 2].tolist() == [1, 1, 0, 0]
        assert done.tolist() == [False, False, True, True]
        assert rewards.tolist() == [1, 1, 0, 0]
        assert [info.get("restarted") for info in infos] == [None, None, True, True]
        assert [info.get("TimeLimit.truncated") for info in infos] == [None, None, True, True]
        assert env.step([0] * 4)[0][:, 2].tolist() == [2, 2, 1, 1]


def test_a_new_process_goes_on_with_a_seed_of_its_own():
    with SubprocVectorEnv([ActionEnv] * 2, num_workers=2, restart=True) as env:
        env.seed([3, 4])
        env.step([0, "kill"])
        first = env.reset()[:, 0].tolist()
        assert first[0] == 3
        assert first[1] not in (-1, 4)


@pytest.mark.parametrize("keywords", [{}, {"wait_num": 1}], ids=["sync", "async"])
def test_the_death_of_a_process_for_one_environment_is_noticed(keywords):
    with BaseVectorEnv([ActionEnv] * 2, SubprocEnvWorker, **keywords) as env:
        env.reset()
        with pytest.raises(RuntimeError, match="died") as raised:
            while True:
                env.step(None if env.waiting_id else ["kill", 0])
        assert raised.value.env_id == 0
        assert env.step([0], [1])[0].shape == (1, 3) if env.ready_id == [0, 1] else env.step(None)[0].shape == (1, 3)


def test_the_death_of_a_process_in_asynchronous_use_takes_only_its_own_environment():
    with SubprocVectorEnv([ActionEnv] * 3, wait_num=3, timeout=20.0) as env:
        env.reset()
        with pytest.raises(RuntimeError, match=r"died.*environment 1 is lost"):
            env.step([0, "kill", 0])
        assert sorted(info["env_id"] for info in env.step(None)[3]) == [0, 2]
        assert env.step([0, 0], [0, 2])[0][:, 2].tolist() == [2, 2]
        with pytest.raises(RuntimeError, match="environment 1 is lost"):
            env.step([0], [1])
        assert env.ready_id == [0, 1, 2]


@pytest.mark.parametrize("context", ["spawn", "forkserver"])
def test_processes_may_start_in_every_way_with_closures_as_env_fns(context):
    lengths = [3, 4]
    env_fns = [lambda length=length: CountingEnv(length) for length in lengths]
    with SubprocVectorEnv(env_fns, num_workers=1, context=context, no_warning=True) as env:
        assert env.get_env_attr("length") == lengths
        assert env.reset(seed=1)[:, 0].tolist() == [1, 2]
        assert env.customized_method("add", [{"a": 1}, {"a": 2}]) == [1, 2]
        assert env.step(np.array([0, 1]))[0].shape == (2, 3)


# --- asynchronous use -------------------------------------------------------------------------------------------------


def test_asynchronous_steps_return_each_environment_once(make):
    env = make(counting(5, length=10**9), wait_num=2)
    env.reset()
    ids = np.arange(5)
    steps = dict.fromkeys(range(5), 0)
    deadline = time.monotonic() + 30
    # The caller's own share may be stepped many times before a busy machine schedules the workers.
    while min(steps.values()) == 0 or sum(steps.values()) < 40:
        assert time.monotonic() < deadline
        observations, rewards, _, infos = env.step(np.zeros(len(ids)), ids)
        ids = np.array([info["env_id"] for info in infos])
        assert len(ids) == len(set(ids.tolist())) >= 1
        for env_id, observation, reward in zip(ids.tolist(), observations, rewards, strict=True):
            steps[env_id] += 1
            assert observation[2] == reward == steps[env_id]
    assert sorted(env.ready_id + env.waiting_id) == list(range(5))


def test_unfinished_steps_can_be_fetched_until_there_are_none(make):
    env = make(counting(4), wait_num=2)
    env.reset()
    fetched = [info["env_id"] for info in env.step([0] * 4)[3]]
    while env.waiting_id:
        fetched += [info["env_id"] for info in env.step(None)[3]]
    assert sorted(fetched) == [0, 1, 2, 3]
    with pytest.raises(RuntimeError, match="no environment has a step to fetch"):
        env.step(None)


def test_the_loop_steps_every_environment_in_asynchronous_use():
    with DummyVectorEnv(counting(6), wait_num=2) as env:
        env.reset()
        assert [info["env_id"] for info in env.step([0] * 6)[3]] == list(range(6))


SLOW = [0.0, 0.0, 0.0, 30.0]


def slow_env_fns():
    return [functools.partial(CountingEnv, 10**6, seconds=seconds) for seconds in SLOW]


@pytest.mark.parametrize("keywords", [{"wait_num": 3}, {"timeout": 0.2}, {"wait_num": 4, "timeout": 0.2}], ids=str)
def test_a_slow_environment_never_holds_back_another(keywords):
    env = SubprocVectorEnv(slow_env_fns(), **keywords)
    try:
        env.reset()
        ids = list(range(4))
        for round_ in range(3):
            observations, *_, infos = env.step([0] * len(ids), ids)
            ids = sorted(info["env_id"] for info in infos)
            assert ids == [0, 1, 2]
            assert observations[:, 2].tolist() == [round_ + 1] * 3
        assert env.waiting_id == [3]  # its step takes half a minute
        assert env.ready_id == [0, 1, 2]
        for call in (
            lambda: env.step([0], [3]),
            lambda: env.step([0] * 4),
            env.reset,
            lambda: env.reset(3),
            lambda: env.get_env_attr("steps"),
            lambda: env.set_env_attr("steps", 0, [3]),
            lambda: env.customized_method("add", id=3),
            env.render,
            env.seed,
        ):
            with pytest.raises(RuntimeError, match="environment 3 is stepping now"):
                call()
        assert env.get_env_attr("steps", [0, 1, 2]) == [3, 3, 3]
        assert env.reset([1, 2])[:, 1].tolist() == [2, 2]
    finally:
        env._executor.group.close(terminate=True)


def test_a_step_waits_for_at_least_one_environment():
    with SubprocVectorEnv(counting(2, seconds=0.3), timeout=0.01) as env:
        env.reset()
        assert len(env.step([0, 0])[0]) >= 1


def test_results_come_in_the_order_of_completion():
    env_fns = [functools.partial(CountingEnv, seconds=seconds) for seconds in (0.4, 0.0, 0.2)]
    with SubprocVectorEnv(env_fns, wait_num=3, timeout=20.0) as env:
        env.reset()
        assert [info["env_id"] for info in env.step([0] * 3)[3]] == [1, 2, 0]


def test_processes_of_single_workers_can_be_waited_for():
    env_fns = [functools.partial(CountingEnv, seconds=seconds) for seconds in (0.5, 0.0, 0.0)]
    with BaseVectorEnv(env_fns, SubprocEnvWorker, wait_num=2) as env:
        env.reset()
        assert sorted(info["env_id"] for info in env.step([0] * 3)[3]) == [1, 2]
        assert [info["env_id"] for info in env.step(None)[3]] == [0]


def test_a_failure_in_asynchronous_use_keeps_the_other_results(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, {1: "raise"}), CountingEnv], wait_num=3, timeout=20.0)
    env.reset()
    with pytest.raises(ValueError, match="environment 1"):
        env.step([0, 0, 0])
    assert sorted(env.waiting_id) == [0, 2]
    with pytest.raises(RuntimeError, match="environment 0 has a result that was not fetched: fetch it by step"):
        env.reset(0)
    assert sorted(info["env_id"] for info in env.step(None)[3]) == [0, 2]
    assert env.ready_id == [0, 1, 2]


# --- normalised observations ------------------------------------------------------------------------------------------


def test_observations_are_normalised_by_all_that_were_returned(make):
    env = make(counting(3), norm_obs=True)
    plain = DummyVectorEnv(counting(3))
    expected = []
    for raw, normalised in [
        (plain.reset(seed=5), env.reset(seed=5)),
        (plain.step([0] * 3)[0], env.step([0] * 3)[0]),
        (plain.step([0], [1])[0], env.step([0], [1])[0]),
        (plain.reset(2), env.reset(2)),
    ]:
        expected.extend(raw)
        mean, var = np.mean(expected, axis=0), np.var(expected, axis=0)
        wanted = np.clip((raw - mean) / np.sqrt(var + np.finfo(np.float32).eps), -10, 10)
        np.testing.assert_allclose(normalised, wanted, rtol=1e-9, atol=1e-9)
    assert env.obs_rms.count == 8
    np.testing.assert_allclose(env.obs_rms.mean, mean)
    np.testing.assert_allclose(env.obs_rms.var, var)
    plain.close()


def test_frozen_statistics_have_a_way_in(make):
    frozen = RunningMeanStd(mean=np.array([1.0, 1.0, 0.0]), var=np.array([4.0, 1.0, 1.0]), count=10)
    env = make(counting(2), norm_obs=True, update_obs_rms=False, obs_rms=frozen)
    observations = env.reset(seed=[5, 5])
    np.testing.assert_allclose(observations, [[2, 0, 0]] * 2, rtol=1e-6)
    assert env.obs_rms is frozen
    assert frozen.count == 10
    env.obs_rms = RunningMeanStd()
    np.testing.assert_allclose(env.reset(seed=[100, 100])[:, 0], 10)


def test_statistics_start_at_mean_0_and_variance_1():
    env = DummyVectorEnv(counting(2), norm_obs=True)
    assert (env.obs_rms.mean, env.obs_rms.var, env.obs_rms.count) == (0, 1, 0)
    assert DummyVectorEnv(counting(2)).obs_rms is None


def test_dicts_and_tuples_have_statistics_of_their_own_structure(make):
    space = spaces.Dict({"t": spaces.Tuple((spaces.Discrete(3), spaces.Box(0, 1, (2,)))), "n": spaces.MultiBinary(4)})
    env = make([functools.partial(SpaceEnv, space)] * 3, norm_obs=True)
    observations = env.reset(seed=0)
    assert observations["t"][1].dtype == np.float32
    assert observations["n"].dtype == np.float64
    assert abs(observations["t"][1].mean(axis=0)).max() < 1e-6
    assert env.obs_rms["t"][1].count == 3
    env.step([0] * 3)
    assert env.obs_rms["t"][1].count == 6


@pytest.mark.parametrize("name", ["text", "graph", "dict with text"])
def test_what_cannot_be_normalised_is_refused(name):
    env = DummyVectorEnv([functools.partial(SpaceEnv, message_spaces()[name])] * 2, norm_obs=True)
    with pytest.raises(TypeError, match=r"norm_obs=True, and observation.*expected numbers"):
        env.reset(seed=0)


# --- all kinds alike --------------------------------------------------------------------------------------------------


def program(random):
    """Runs a random sequence of calls, of which some are wrong."""

    def ids():
        if random.random() < 0.3:
            return None
        if random.random() < 0.05:
            return [0, 7]
        return random.permutation(4)[: random.integers(0, 5)].tolist()

    def step(env, chosen):
        count = 4 if chosen is None else len(chosen)
        return env.step(random.integers(0, 3, count) if random.random() < 0.9 else [0] * (count + 1), chosen)

    calls = [
        lambda env: step(env, ids()),
        lambda env: step(env, ids()),
        lambda env: step(env, ids()),
        lambda env: step(env, None),
        lambda env: env.step(None),
        lambda env: env.reset(ids()),
        lambda env: env.reset(ids(), return_info=True),
        lambda env: env.reset(ids(), seed=int(random.integers(0, 9))),
        lambda env: env.seed(int(random.integers(0, 9))),
        lambda env: env.get_env_attr("steps", ids()),
        lambda env: env.set_env_attr("steps", int(random.integers(0, 5)), ids()),
        lambda env: env.customized_method("add", None, ids()),
        lambda env: env.customized_method("render", None, ids()),
        lambda env: env.render(),
        lambda env: (env.ready_id, env.waiting_id),
    ]
    return [calls[random.integers(len(calls))] for _ in range(40)]


def outcomes(kind, seed):
    env_fns = [
        functools.partial(CountingEnv, 3, info=True),
        functools.partial(MisbehavingEnv, {2: "raise", 5: "raise", 9: "raise"}),
        functools.partial(CountingEnv, 2, truncates=True),
        functools.partial(
            MisbehavingEnv, {3: "raise", 5: "raise"}, observations={4: [1, 2, 3], 6: np.ones(3, np.float32)}
        ),
    ]
    # Both draw the same numbers as long as they take equal branches.
    random = np.random.default_rng(seed)
    found = []
    with KINDS[kind](env_fns, return_truncated=seed % 2 == 0) as env:
        for call in program(random):
            try:
                found.append(call(env))
            except Exception as error:
                found.append((type(error).__name__, str(error)))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_give_the_same_here_and_in_processes(seed):
    wanted = outcomes("dummy", seed)
    for kind in ("subproc", "caller"):
        for index, (one, other) in enumerate(zip(wanted, outcomes(kind, seed), strict=True)):
            assert equal(one, other), (kind, index, one, other)


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Blackjack-v1", "Pendulum-v1"])
def test_trajectories_are_gymnasiums(make_ours, env_id):
    single = [gymnasium.make(env_id) for _ in range(3)]
    env = make_ours([functools.partial(gymnasium.make, env_id)] * 3)
    random = np.random.default_rng(3)
    for each in single:
        each.action_space.seed(1)
    wanted = [each.reset(seed=7 + index)[0] for index, each in enumerate(single)]
    assert equal(env.reset(seed=7), _stacked(wanted))
    for _ in range(60):
        actions = [each.action_space.sample() for each in single]
        results = [each.step(action) for each, action in zip(single, actions, strict=True)]
        observations, rewards, done, _ = env.step(actions if random.random() < 0.5 else np.array(actions))
        assert equal(observations, _stacked([each[0] for each in results]))
        assert rewards.tolist() == [float(each[1]) for each in results]
        assert done.tolist() == [each[2] or each[3] for each in results]
        for index in np.flatnonzero(done):
            assert equal(env.reset(index), _stacked([single[index].reset()[0]]))
    for each in single:
        each.close()


def _stacked(observations):
    if isinstance(observations[0], tuple):
        return tuple(np.stack(parts) for parts in zip(*observations, strict=True))
    return np.stack(observations)


class ScriptedEnv:
    """Environment with scripted return values."""

    def __init__(self, space, returned, reset):
        if space is not None:
            self.observation_space = space
        self.returned, self.reset_returned = returned, reset

    def reset(self):
        return self.reset_returned

    def step(self, action):
        return self.returned


ZEROS = np.zeros(2, np.float32)
BOX, DISCRETE = spaces.Box(-1, 1, (2,), np.float32), spaces.Discrete(3)


def odd_returns():
    """Spaces, step results and reset behaviour by kind: usual, unusual and wrong ones."""
    rewards = [
        True,
        np.float32(0.1),
        np.int64(3),
        np.array(2.0),
        np.array([2.0]),
        [1, 2],
        Fraction(1, 2),
        "1",
        None,
        1j,
    ]
    rewards += [np.array([[1.0, 2.0]]), 10**400, np.float16(1), [], np.array("x"), {1: 2}, float("nan")]
    flags = [1, 0, np.bool_(True), np.array(True), np.array([True]), None, "x", [], np.array([True, False]), 2.5]
    infos = [None, 3, {1: 2}, OrderedDict(a=1), [("a", 1)], {"env_id": 99}]
    arrays = [[0.0, 0.0], (0.0, 0.0), np.zeros(2), np.zeros(3, np.float32), np.zeros((2, 1), np.float32), None, "abc"]
    arrays += [np.zeros(2, np.int32), {"a": 1}, np.zeros((2, 0), np.float32), np.array([None, 1], object)]
    numbers = [2, np.int64(1), np.int32(1), True, 1.0, np.array(1), np.array([1]), 99, -5, 2**70, None, "x"]
    parts = [(ZEROS, 1), [ZEROS, 1], (ZEROS,), (ZEROS, 1, 2), {"a": ZEROS, "b": 1}, {"b": 1, "a": ZEROS}, {"a": ZEROS}]
    parts += [(ZEROS, np.int32(1)), (ZEROS, 1.5), {"a": np.zeros(3, np.float32), "b": 1}, ({"x": 1}, {"y": 1})]
    wrong = [(), (1,), (1, 2, 3), (1, 2, 3, 4, 5, 6), [ZEROS, 1.0, False, False, {}], None, "abcd", np.zeros(5)]
    both = spaces.Tuple((BOX, DISCRETE)), spaces.Dict(a=BOX, b=DISCRETE)
    yield "reward", [(BOX, (ZEROS, reward, False, False, {}), ZEROS) for reward in rewards]
    yield "done", [(BOX, (ZEROS, 1.0, flag, {}), ZEROS) for flag in flags]
    yield "terminated", [(BOX, (ZEROS, 1.0, flag, False, {}), ZEROS) for flag in flags]
    yield "truncated", [(BOX, (ZEROS, 1.0, False, flag, {}), ZEROS) for flag in flags]
    yield (
        "by time",
        [(BOX, (ZEROS, 1.0, end, {"TimeLimit.truncated": flag}), ZEROS) for flag in flags for end in (0, 1)],
    )
    yield "info", [(BOX, (ZEROS, 1.0, False, False, info), ZEROS) for info in infos]
    for name, space, values in [("box", BOX, arrays), ("discrete", DISCRETE, numbers), ("parts", both[0], parts)]:
        yield name, [(space, (value, 1.0, False, False, {}), value) for value in values]
    yield "dict", [(both[1], (value, 1.0, False, False, {}), value) for value in parts]
    yield "no space", [(None, (value, 1.0, False, False, {}), value) for value in arrays + numbers + parts]
    yield "no step", [(BOX, returned, ZEROS) for returned in wrong]
    resets = [(ZEROS, {}), [ZEROS, {}], (ZEROS, None), (ZEROS, {"a": 1}), (ZEROS, {}, 1), None]
    yield "reset", [(BOX, (ZEROS, 1.0, False, False, {}), reset) for reset in resets]


def answers(kind, env_fn):
    """Returns two environments' results of a few calls."""
    with KINDS[kind]([env_fn] * 2) as env:
        calls = [lambda: env.reset(return_info=True), lambda: env.step([0, 0]), lambda: env.step(None)]
        found = []
        for call in [*calls, lambda: env.step([0], [1])]:
            try:
                found.append(call())
            except Exception as error:
                found.append((type(error).__name__, str(error)))
        return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("cases", [each[1] for each in odd_returns()], ids=[each[0] for each in odd_returns()])
def test_odd_returns_mean_the_same_here_and_in_processes(cases):
    for case in cases:
        env_fn = functools.partial(ScriptedEnv, *case)
        wanted, got = answers("dummy", env_fn), answers("subproc", env_fn)
        assert equal(wanted, got), case


# --- interruptions ----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an interval timer")
def test_an_interrupted_step_can_be_fetched_and_nothing_is_lost():
    class InterruptionError(Exception):
        pass

    def interrupt(*_):
        raise InterruptionError

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with SubprocVectorEnv(counting(2, seconds=0.5), num_workers=2) as env:
            env.reset()
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with pytest.raises(InterruptionError):
                env.step([0, 0])
            assert env.waiting_id == [0, 1]
            with pytest.raises(RuntimeError, match="environment 0 is stepping now"):
                env.step([0, 0])
            with pytest.raises(RuntimeError, match="environment 0 is stepping now"):
                env.get_env_attr("steps")
            assert env.step(None)[0][:, 2].tolist() == [1, 1]
            signal.setitimer(signal.ITIMER_REAL, 0.1)
            with pytest.raises(InterruptionError):
                env.step([0, 0])
            assert env.reset()[:, 1].tolist() == [2, 2]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
