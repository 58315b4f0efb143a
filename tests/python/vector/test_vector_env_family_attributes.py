"""Tests attributes, methods and seeds of environments in the BaseVectorEnv family, and the family's own attributes."""

import functools
import importlib.util
import itertools
import warnings

import gymnasium
import numpy as np
import pytest
from envpool_rs.vector import (
    BaseVectorEnv,
    DummyEnvWorker,
    DummyVectorEnv,
    EnvWorker,
    SubprocEnvWorker,
    SubprocVectorEnv,
)
from gymnasium import spaces
from python_envs import (
    AnyAttributeEnv,
    CountingEnv,
    LegacyEnv,
    SimulatedEnv,
    make_dm_env,
)
from vector_env_cases import OwnWorker, counting


def test_reserved_attribute_names_return_lists_of_values(make):
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


def test_attributes_of_wrapped_environments_are_read_and_set_in_place(make_ours):
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


def test_methods_are_called_with_separate_arguments(make):
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


def test_attributes_that_are_not_methods_cannot_be_called(make_ours):
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


def test_get_env_obj_returns_the_environments(make_ours):
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


def test_an_attribute_env_that_is_no_environment_is_left_alone(make_ours):
    env = make_ours([SimulatedEnv] * 2)
    assert env.seed(3) == [[3], [4]] and env.reset()[:, 0].tolist() == [3, 4]
    assert env.customized_method("seeds_of_simulator") == [[], []]
    with pytest.raises(AttributeError, match="environment 0: SimulatedEnv has no attribute 'gravity'"):
        env.get_env_attr("gravity")
    assert env.get_env_attr("agent_spaces") == [5, 5]
    env.set_env_attr("gravity", 1.0)
    assert all("gravity" in each for each in env.customized_method("own_attributes"))
    assert env.get_env_attr("gravity") == [1.0, 1.0]
    assert [each.raised for each in env.get_env_obj()] == ["no failure"] * 2


def test_an_environment_with_any_attribute_is_used_like_others(make_ours):
    env = make_ours([AnyAttributeEnv] * 2)
    env.reset(seed=5)
    observation, _, done, _ = env.step([1, 1])
    assert observation.tolist() == [[5, 1, 1], [6, 1, 1]] and not done.any()
    env.set_env_attr("mine", 7)
    assert env.get_env_attr("mine") == [7, 7]
    assert [type(each) for each in env.get_env_obj()] == [AnyAttributeEnv] * 2


def test_dm_env_environments_are_stepped(make_ours):
    pytest.importorskip("dm_env")
    env = make_ours([make_dm_env] * 2)
    assert env.reset()["steps"].tolist() == [[0], [0]]
    observations, rewards, done, _ = env.step([1, 2])
    assert observations["half"].tolist() == [0.5, 0.5]
    assert rewards.tolist() == [1.0, 2.0]
    assert not done.any()
    assert env.action_space == [spaces.Discrete(3)] * 2


def test_a_vector_env_is_an_env_with_the_familys_attributes(make):
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


def test_asynchronous_mode_has_one_worker_per_environment():
    with SubprocVectorEnv(counting(5), wait_num=2) as env:
        assert env.num_workers == 5
    with SubprocVectorEnv(counting(5), timeout=1.0, num_workers=2) as env:
        assert env.num_workers == 2


def test_workers_can_be_used_separately(make):
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


def test_a_single_environment_worker_can_be_used_separately():
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
    """Worker whose constructor accepts all resources that a vector environment passes to workers."""

    def __init__(self, env_fn, num_cpu_per_worker, sub_worker_fn, *, num_gpu_per_worker=None, no_warning=None):
        super().__init__(env_fn)
        self.offered = (num_cpu_per_worker, num_gpu_per_worker, sub_worker_fn, no_warning)


def test_workers_receive_the_arguments_that_their_signature_names():
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
    """Worker with the method names that Tianshou used before it introduced `send` and `recv`."""

    send = EnvWorker.send

    def send_action(self, action):
        self.step_result = self.env.step(action)

    def get_result(self):
        return self.step_result

    def reset(self, **kwargs):
        return self.env.reset(**kwargs)


def test_workers_with_the_oldest_interface_work():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with BaseVectorEnv(counting(2), OldWorker) as env:
            assert env.reset()[:, 2].tolist() == [0, 0]
            assert env.step([0, 0])[0][:, 2].tolist() == [1, 1]


def test_worker_fns_that_return_no_worker_are_refused():
    with pytest.raises(TypeError, match="made a CountingEnv: expected an EnvWorker"):
        BaseVectorEnv(counting(1), lambda env_fn: env_fn())
    kinds = itertools.cycle([DummyEnvWorker, OwnWorker])
    with pytest.raises(TypeError, match="made a DummyEnvWorker and a OwnWorker: expected workers of one class"):
        BaseVectorEnv(counting(2), lambda env_fn: next(kinds)(env_fn))  # noqa: PLW0108


class WarningEnv(CountingEnv):
    def step(self, action):
        warnings.warn("this environment is noisy", UserWarning, stacklevel=1)
        return super().step(action)


def test_only_warnings_of_environments_can_be_silenced(make_ours):
    env = make_ours([WarningEnv] * 4, no_warning=True)
    env.reset()
    env.step([0] * 4)
    with pytest.warns(UserWarning, match="of ours"):
        warnings.warn("of ours", UserWarning, stacklevel=1)
