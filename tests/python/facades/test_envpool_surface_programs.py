"""Tests how programs for EnvPool use results, tasks, pictures and specifications."""

import copy
import importlib
import importlib.util
import pickle

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.envpool_alias import install_as_envpool
from envpool_rs.pools import EnvSpec

pytest.importorskip("dm_env")


@pytest.mark.parametrize("interface", ["gymnasium", "gym", "dm"])
@pytest.mark.parametrize("task_id", ["CartPole-v1", "Acrobot-v1", "CliffWalking-v1"])
def test_results_consist_of_lists_of_arrays(interface, task_id):
    pool = envpool_rs.make(task_id, interface, num_envs=3, seed=2, max_episode_steps=4)
    other = envpool_rs.make(task_id, "gymnasium", num_envs=3, seed=2, max_episode_steps=4)
    ids = np.arange(3, dtype=np.int32)
    pool._reset(ids)
    state = dict(zip(pool._state_keys, pool._recv(), strict=True))
    np.testing.assert_array_equal(state["obs"], other.reset()[0])
    assert state["step_type"].tolist() == [0] * 3 and state["elapsed_step"].tolist() == [0] * 3
    for step in range(12):
        pool._send([ids, ids, np.zeros(3, np.int32)])
        state = dict(zip(pool._state_keys, pool._recv(), strict=True))
        observation, reward, terminated, truncated, info = other.step(np.zeros(3, int))
        first = info["elapsed_step"] == 0
        expected = {
            "obs": observation,
            "reward": reward,
            "done": terminated | truncated,
            "trunc": truncated,
            "discount": np.where(terminated | truncated, 0, 1).astype(np.float32),
            "step_type": np.where(first, 0, np.where(terminated | truncated, 2, 1)).astype(np.int32),
            "elapsed_step": info["elapsed_step"],
            "info:env_id": ids,
            "info:players.env_id": ids,
        }
        expected |= {f"info:{key}": info[key] for key in ("state", "prob") if key in info}
        assert set(expected) == set(state), step
        for name, array in expected.items():
            np.testing.assert_array_equal(state[name], array, err_msg=f"{name} at {step}")
            assert state[name].dtype == array.dtype, name


def test_lists_of_ids_reset_those_environments():
    env = envpool_rs.make("CartPole-v1", num_envs=4, batch_size=2)
    env.async_reset()
    for _ in range(2):
        env.recv()
    env._reset(np.array([3, 1]))
    state = dict(zip(env._state_keys, env._recv(), strict=True))
    assert sorted(state["info:env_id"].tolist()) == [1, 3]


@pytest.mark.parametrize("make", [envpool_rs.make_gymnasium, envpool_rs.make_dm])
def test_seed_does_nothing_and_warns(make):
    env, other = make("CartPole-v1", seed=3), make("CartPole-v1", seed=3)
    with pytest.warns(UserWarning, match=r"seed\(9\) changes nothing"):
        assert env.seed(9) is None
    first, second = (each.reset() for each in (env, other))
    np.testing.assert_array_equal(
        *(getattr(each, "observation", each)[-1 if make is envpool_rs.make_dm else 0] for each in (first, second))
    )


def test_negative_seeds_are_taken_modulo_32_bits():
    negative = envpool_rs.make("CartPole-v1", num_envs=4, seed=-2)
    listed = envpool_rs.make("CartPole-v1", num_envs=4, seed=[2**32 - 2, 2**32 - 1, 0, 1])
    also = envpool_rs.make("CartPole-v1", num_envs=4, env_seed=[-2, -1, 0, 1])
    first = negative.reset()[0]
    np.testing.assert_array_equal(first, listed.reset()[0])
    np.testing.assert_array_equal(first, also.reset()[0])
    vector = envpool_rs.make_vec("CartPole-v1", 4, seed=-2)
    np.testing.assert_array_equal(first, vector.reset()[0])
    assert vector.np_random_seed == (2**32 - 2, 2**32 - 1, 0, 1)


@pytest.mark.parametrize("task_id", ["Nope-v0", 3])
def test_an_unknown_task_raises_envpools_exception(task_id):
    for kind in (ValueError, KeyError, AssertionError):
        for make in (envpool_rs.make, envpool_rs.make_spec, envpool_rs.make_gym, envpool_rs.make_vec):
            with pytest.raises(kind) as refused:
                make(task_id)
            assert str(refused.value).startswith(("unknown task 'Nope-v0'", "task_id=3: expected a str"))


def test_gym_pools_are_vector_environments_without_gym():
    if importlib.util.find_spec("gym") is not None:
        pytest.skip("gym is installed: it is gym's")
    env = envpool_rs.make_gym("CartPole-v1", num_envs=2)
    assert isinstance(env, gymnasium.vector.VectorEnv) and isinstance(env, gymnasium.Env)
    assert gymnasium.wrappers.vector.RecordEpisodeStatistics(env).reset()[0].shape == (2, 4)


def test_a_time_step_is_unpacked_by_position():
    pytest.importorskip("ale_py")
    env = envpool_rs.make_dm("Pong-v5", num_envs=2)
    step_type, reward, discount, (env_id, players, obs, lives, info_reward, terminated, ram) = env.reset()
    assert step_type.tolist() == [0, 0] and reward.shape == discount.shape == (2,)
    assert env_id.tolist() == players.env_id.tolist() == [0, 1] and obs.shape == (2, 4, 84, 84)
    assert lives.dtype == terminated.dtype == np.int32 and info_reward.dtype == np.float32 and ram.shape == (2, 128)
    spec = env.observation_spec()
    assert spec._fields == ("env_id", "players", "obs", "lives", "reward", "terminated", "ram")
    assert spec.terminated.num_values == 2


def test_aliases_name_envpools_tasks_and_keep_gymnasiums_ids():
    with install_as_envpool(force=True):
        envpool = importlib.import_module("envpool")
        for alias, task_id in {
            "phys2d/CartPole-v0": "CartPole-v0",
            "phys2d/CartPole-v1": "CartPole-v1",
            "phys2d/Pendulum-v0": "Pendulum-v0",
            "tabular/Blackjack-v0": "Blackjack-v1",
            "tabular/CliffWalking-v0": "CliffWalking-v1",
        }.items():
            assert alias in envpool.list_all_envs() and alias not in envpool_rs.list_all_envs()
            assert envpool.make_spec(alias).config == envpool.make_spec(task_id).config
            mine, other = (envpool.make(each, "gymnasium", num_envs=2, seed=5) for each in (alias, task_id))
            np.testing.assert_array_equal(mine.reset()[0], other.reset()[0])
            native = envpool_rs.make_vec(alias, 2, vectorization_mode="native", seed=5)
            assert native.spec.id == f"envpool_rs/{task_id}"


def test_an_unused_action_is_refused_with_the_option_that_allows_it():
    pytest.importorskip("ale_py")
    env = envpool_rs.make("Pong-v5", num_envs=2)
    env.reset()
    with pytest.raises(
        ValueError, match=r"action\[1\] is 17: expected an integer from 0 to 5 \(full_action_space=True"
    ):
        env.step(np.array([0, 17]))
    whole = envpool_rs.make("Pong-v5", full_action_space=True)
    whole.reset()
    whole.step(np.array([17]))
    with pytest.raises(ValueError, match=r"is 18: expected an integer from 0 to 17$"):
        whole.step(np.array([18]))


@pytest.mark.parametrize("game", ["Pong", "Adventure", "Carnival", "Pooyan"])
def test_pictures_have_envpools_number_of_rows(game):
    pytest.importorskip("ale_py")
    env = envpool_rs.make(f"{game}-v5", num_envs=2, render_mode="rgb_array", noop_max=1, use_fire_reset=False)
    env.reset()
    assert env.render([0, 1]).shape == (2, 210, 160, 3)
    assert env.spec.pool.picture_size == (160, 210)


@pytest.mark.parametrize("mode", ["rgb_array_list", "rgb_arrays"])
def test_lists_of_pictures_are_refused_like_envpools(mode):
    for make in (envpool_rs.make_gymnasium, envpool_rs.make_gym, envpool_rs.make_dm, envpool_rs.make_spec):
        with pytest.raises(ValueError, match="render_mode"):
            make("CartPole-v1", render_mode=mode)


def test_classes_with_envpools_names_create_specs_and_pools():
    with install_as_envpool(force=True):
        module = importlib.import_module("envpool.classic_control")
        keys, values = module.CartPoleEnvSpec._config_keys, module.CartPoleEnvSpec._default_config_values
        config = {**dict(zip(keys, values, strict=True)), "num_envs": 3, "max_episode_steps": 20}
        spec = module.CartPoleEnvSpec(tuple(config.values()))
        env = module.CartPoleGymnasiumEnvPool(spec)
        assert isinstance(env, module.CartPoleGymnasiumEnvPool) and not isinstance(env, module.CartPoleDMEnvPool)
        assert not isinstance(env, module.PendulumGymnasiumEnvPool) and isinstance(spec, module.CartPoleEnvSpec)
        assert env.reset()[0].shape == (3, 4) and env.config["max_episode_steps"] == 20
        assert isinstance(module.CartPoleDMEnvPool(spec), module.CartPoleDMEnvPool)
        with pytest.raises(ValueError):
            module.CartPoleEnvSpec((1, 2))
        assert not isinstance(3, module.CartPoleEnvSpec)


def test_envpools_class_selects_games_by_name():
    with install_as_envpool(force=True):
        atari = importlib.import_module("envpool.atari")
        spec = atari.AtariEnvSpec(atari.AtariEnvSpec.gen_config(task="space_invaders", num_envs=2, stack_num=2))
        assert spec.task_id == "SpaceInvaders-v5" and spec.observation_space.shape == (2, 84, 84)
        with pytest.raises(KeyError, match="NoGame-v5"):
            atari.AtariEnvSpec(atari.AtariEnvSpec.gen_config(task="no_game"))


def test_a_raw_atari_pool_passes_envpools_test():
    with install_as_envpool(force=True):
        module = importlib.import_module("envpool.atari.atari_envpool")
    keys, values = module._AtariEnvSpec._config_keys, module._AtariEnvSpec._default_config_values
    config = dict(zip(keys, values, strict=False)) | {"task": b"pong", "num_envs": 3, "batch_size": 3}
    pool = module._AtariEnvPool(module._AtariEnvSpec(tuple(config.values())))
    pool._reset(np.arange(3, dtype=np.int32))
    for action in ([5, 0, 1], [2, 3, 4]):
        state = dict(zip(pool._state_keys, pool._recv(), strict=False))
        assert state["obs"].shape == (3, 4, 84, 84) and state["info:env_id"].tolist() == [0, 1, 2]
        pool._send((state["info:env_id"], state["info:players.env_id"], np.array(action)))
    assert dict(zip(pool._state_keys, pool._recv(), strict=False))["elapsed_step"].tolist() == [2, 2, 2]


def test_the_registry_lists_the_same_as_envpools(golden):
    with install_as_envpool(force=True):
        registry = importlib.import_module("envpool.registration").registry
        specs, pools = registry.specs, registry.envpools
    assert specs.keys() == pools.keys() >= golden["tasks"].keys()
    assert specs["FrozenLake8x8-v1"][:2] == ("envpool.toy_text", "FrozenLakeEnvSpec")
    assert specs["FrozenLake8x8-v1"][2]["size"] == 8 and specs["Pong-v5"][2]["max_episode_steps"] == 27000
    assert pools["Pong-v5"] == {
        "dm": ("envpool.atari", "AtariDMEnvPool"),
        "gymnasium": ("envpool.atari", "AtariGymnasiumEnvPool"),
    }


def test_dotted_names_are_split_like_envpools():
    with install_as_envpool(force=True):
        data = importlib.import_module("envpool.python.data")
        utils = importlib.import_module("envpool.python.utils")
        template = importlib.import_module("envpool.python.xla_template")
    assert data.to_nested_dict({"a.b": 1, "a.c": 2, "d": 3}) == {"a": {"b": 1, "c": 2}, "d": 3}
    nested = data.to_namedtuple("State", {"a": {"b": 1}, "d": 3})
    assert nested.a.b == 1 and nested.d == 3 and type(nested).__name__ == "State"
    arrays = envpool_rs.make_spec("FrozenLake-v1").state_array_spec
    assert data.gym_spec_transform("obs", arrays["obs"], "obs") == gymnasium.spaces.Discrete(16)
    assert data.dm_spec_transform("obs", arrays["obs"], "obs").num_values == 16
    assert data.gym_spec_transform("done", arrays["done"], "obs") == gymnasium.spaces.MultiBinary([])
    utils.check_key_duplication("Spec", "state", ["a", "b"])
    with pytest.raises(SystemError, match=r"state keys of Spec: \['a'\]"):
        utils.check_key_duplication("Spec", "state", ["a", "b", "a"])
    with pytest.raises(NotImplementedError, match=r"xla\(\)"):
        template.make_xla(envpool_rs.make("CartPole-v1"))


def test_errors_of_raw_sends_and_seeds_name_the_expectation():
    pool = envpool_rs.make("CartPole-v1", num_envs=3)
    pool.reset()
    with pytest.raises(ValueError, match=r"_send takes 3 arrays, env_id, players\.env_id, action: 1 were given"):
        pool._send([np.arange(3)])
    with pytest.raises(ValueError, match=r"seed=-2147483649: expected -2\*\*31 or more, and below 2\*\*63"):
        envpool_rs.make("CartPole-v1", num_envs=3, seed=-(2**31) - 1)


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
@pytest.mark.parametrize("task_id", ["CartPole-v1", "FrozenLake8x8-v1", "MiniGrid-Empty-8x8-v0", "Catch-v0"])
def test_the_class_of_a_specification_has_the_options_of_envpools_class(task_id, env_type):
    with envpool_rs.make(task_id, env_type, num_envs=2) as env:
        spec = env.spec
    kind = type(spec)
    config = kind.gen_config(num_envs=3)
    assert config.num_envs == 3 and kind.gen_config().num_envs == 1
    assert config._fields == tuple(kind._config_keys) and kind.gen_config() == kind._default_config_values
    assert set(spec._config_keys) <= set(kind._config_keys)
    with pytest.raises(TypeError, match="no_such"):
        kind.gen_config(no_such=1)


@pytest.mark.parametrize("name", ["gen_config", "_config_keys", "_default_config_values"])
def test_options_of_a_class_equal_those_of_its_envpool_alias(name):
    with install_as_envpool(force=True):
        module = importlib.import_module("envpool.classic_control")
        by_name, kind = module.CartPoleEnvSpec, type(envpool_rs.make_spec("CartPole-v1"))
    ours, envpools = getattr(kind, name), getattr(by_name, name)
    assert (ours(), ours._fields) == (envpools(), envpools._fields) if name == "gen_config" else ours == envpools
    with pytest.raises(AttributeError):
        setattr(envpool_rs.make_spec("CartPole-v1"), name, 3)


def test_specifications_of_one_task_are_of_one_class_that_pickles():
    spec = envpool_rs.make_spec("CartPole-v1", num_envs=2)
    again = [pickle.loads(pickle.dumps(spec)), copy.copy(spec), copy.deepcopy(spec), spec.with_options(num_envs=2)]
    assert {type(each) for each in again} == {type(spec)} and all(each == spec for each in again)
    assert isinstance(spec, EnvSpec) and type(spec).__name__ == "EnvSpec"
    assert type(envpool_rs.make_spec("Pendulum-v1")) is not type(spec)
    assert envpool_rs.make_spec(["CartPole-v1", "CartPole-v0"], num_envs=2)._config_keys
