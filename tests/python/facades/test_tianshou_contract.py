"""Tests that `envpool_rs.tianshou` follows the contract of Tianshou's releases."""

import functools
import importlib.metadata

import numpy as np
import pytest
from envpool_rs import tianshou, vector
from envpool_rs.tianshou import BaseVectorEnv, DummyVectorEnv, ShmemVectorEnv, SubprocVectorEnv
from gymnasium import spaces
from python_envs import CountingEnv, SpaceEnv, row_spaces

LOCAL = [DummyVectorEnv, SubprocVectorEnv, ShmemVectorEnv]
ENV_FNS = [functools.partial(CountingEnv, length=3, info=True)] * 3


@pytest.fixture
def installed(monkeypatch):
    """Returns a function that sets the version of the installed Tianshou; `None` for no Tianshou."""

    def install(release):
        def version(package):
            assert package == "tianshou"
            if release is None:
                raise importlib.metadata.PackageNotFoundError(package)
            return release

        monkeypatch.setattr(tianshou, "version", version)

    return install


@pytest.mark.parametrize("release", [None, "2.0.1", "2.0.0b2", "2.1.0"])
@pytest.mark.parametrize("cls", LOCAL)
def test_results_are_those_of_tianshou_2(cls, release, installed):
    installed(release)
    with cls(ENV_FNS) as env:
        observations, infos = env.reset()
        assert observations.tolist() == [[-1, 1, 0]] * 3
        assert infos.dtype == object and infos.tolist() == [{"steps": 0}] * 3
        observations, rewards, terminated, truncated, infos = env.step(np.zeros(3, int))
        assert observations.shape == (3, 3) and rewards.tolist() == [1, 1, 1]
        assert terminated.dtype == truncated.dtype == bool and not (terminated | truncated).any()
        assert [info["env_id"] for info in infos] == [0, 1, 2] and infos.dtype == object
        assert env.reset(env_id=[2, 0])[0].tolist() == [[-1, 2, 0]] * 2
        assert len(env.step([0], 1)) == 5


@pytest.mark.parametrize("release", ["0.4.10", "0.4.11", "0.5.1", "1.0.0", "1.2.0"])
def test_earlier_releases_return_a_list_of_infos(release, installed):
    installed(release)
    with DummyVectorEnv(ENV_FNS) as env:
        assert env.reset(id=1)[1] == [{"steps": 0}] and len(env.step([0], 1)) == 5


@pytest.mark.parametrize("release", ["0.4.2", "0.4.9"])
def test_the_first_releases_return_gyms_values(release, installed):
    installed(release)
    with DummyVectorEnv(ENV_FNS) as env:
        assert env.reset().shape == (3, 3) and env.reset(return_info=True)[1] == [{"steps": 0}] * 3
        _, _, done, infos = env.step([0, 0, 0])
        assert done.tolist() == [False] * 3 and infos[2] == {"steps": 1, "env_id": 2}


@pytest.mark.parametrize("cls", LOCAL)
def test_wait_num_and_timeout_are_the_second_and_third_parameter(cls):
    with cls(ENV_FNS, 1, 0.1) as env:
        assert (env.wait_num, env.timeout, env.is_async) == (1, 0.1, True)
        assert isinstance(env, BaseVectorEnv) and isinstance(env, vector.BaseVectorEnv)
        assert env.seed(3) == [[3], [4], [5]]
        env.reset()
        assert len(env.step([0] * 3)[0]) >= 1
    with SubprocVectorEnv(ENV_FNS, None, None, True, "fork") as env:
        assert not env.is_async
    with BaseVectorEnv(ENV_FNS, vector.DummyEnvWorker, 2, 1.0) as env:
        assert (env.wait_num, env.timeout) == (2, 1.0)


def test_ids_have_both_names_and_one_seed_is_for_all():
    with DummyVectorEnv(ENV_FNS) as env:
        assert env.reset(seed=5)[0][:, 0].tolist() == [5, 5, 5]
        assert env.reset(env_id=[2, 0], seed=[7, 8])[0][:, 0].tolist() == [7, 8]
        assert env.reset(id=1, seed=np.int64(9))[0][:, 0].tolist() == [9]
        assert env.reset(1, options={"a": 1})[0].shape == (1, 3)
        with pytest.raises(ValueError, match=r"env_id=0 and id=1 are both given: expected one of them"):
            env.reset(0, id=1)


@pytest.mark.parametrize("cls", LOCAL)
def test_dict_observations_are_an_array_of_dicts(cls):
    space = spaces.Dict({"a": spaces.Box(0, 1, (2,)), "b": spaces.Dict({"c": spaces.Discrete(3)})})
    with cls([functools.partial(SpaceEnv, space)] * 3) as env:
        plain = SpaceEnv(space)
        for observations, expected in (
            (env.reset(seed=1)[0], plain.reset(seed=1)[0]),
            (env.step([0, 0, 0])[0], plain.step(0)[0]),
        ):
            assert observations.shape == (3,) and observations.dtype == object
            for each in observations:
                assert each["a"].tolist() == expected["a"].tolist() and each["b"] == expected["b"]


def test_tuple_observations_are_refused():
    assert isinstance(row_spaces()["tuple"], spaces.Tuple)
    with (
        DummyVectorEnv([functools.partial(SpaceEnv, row_spaces()["tuple"])] * 2) as env,
        pytest.raises(TypeError, match="observations are tuples: expected arrays or dicts"),
    ):
        env.reset()


@pytest.mark.parametrize("cls", LOCAL)
def test_a_missing_attribute_is_none_in_processes(cls):
    with cls(ENV_FNS) as env:
        assert env.get_env_attr("length", [2, 0]) == [3, 3]
        if cls is DummyVectorEnv:
            with pytest.raises(AttributeError, match=r"environment 0: .*reward_range"):
                env.reward_range  # noqa: B018
        else:
            assert env.reward_range == [None] * 3 and env.get_env_attr("nothing", 1) == [None]


def test_waiting_steps_are_fetched_with_or_without_their_ids():
    with SubprocVectorEnv(ENV_FNS, 1) as env:
        env.reset()
        env.step([0, 0, 0])
        while env.waiting_id:
            assert len(env.step(None, id=env.waiting_id)[1]) >= 1
        env.step([0], [1])
        with pytest.raises(ValueError, match=r"id=\[0\]: expected None where action is None"):
            env.step(None, id=[0])
