"""Tests specification classes as EnvPool's programs use them: calls with configurations, and names of arrays."""

import copy
import importlib
import pickle

import envpool_rs
import numpy as np
import pytest
from envpool_rs.envpool_alias import install_as_envpool

TASKS = ["CartPole-v1", "CartPole-v0", "FrozenLake8x8-v1", "CliffWalkingSlippery-v1", "MiniGrid-DoorKey-8x8-v0"]


@pytest.mark.parametrize("task_id", envpool_rs.list_all_envs())
def test_the_spec_class_of_any_task_recreates_its_spec(task_id):
    spec = envpool_rs.make_spec(task_id, num_envs=2)
    kind = type(spec)
    again = kind(spec.config)
    assert type(again) is kind
    assert again.task_id == spec.task_id
    assert again.config == spec.config
    assert kind(kind.gen_config(num_envs=3)).config.num_envs == 3
    assert kind._state_keys == spec._state_keys == list(spec.state_array_spec)
    assert kind._action_keys == spec._action_keys == list(spec.action_array_spec)


@pytest.mark.parametrize("task_id", ["CartPole-v1", "Pong-v5", "HalfCheetah-v5", "Basic-v1", "VizdoomBasic-v1"])
def test_a_configuration_given_as_options_is_the_same_configuration(task_id):
    config = envpool_rs.make_spec(task_id).config
    options = {name: value for name, value in config._asdict().items() if name != "task_id"}
    assert envpool_rs.make_spec(task_id, **options).config == config


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
@pytest.mark.parametrize("task_id", TASKS)
def test_pools_are_created_from_specs_of_the_class(task_id, env_type):
    with envpool_rs.make(task_id, env_type, num_envs=2, max_episode_steps=7) as env:
        kind, facade = type(env.spec), type(env)
        config = env.spec.config
    with facade(kind(config._replace(num_envs=3, batch_size=3))) as again:
        assert len(again) == 3
        assert again.spec.config.max_episode_steps == 7
        assert type(again.spec) is kind
        again.reset()


def test_a_spec_of_a_class_equals_envpools():
    kind = type(envpool_rs.make_spec("CartPole-v1"))
    spec = kind(kind.gen_config(num_envs=3))
    # The expected values were recorded from EnvPool 1.2.5: time limit and reward threshold are those of the class.
    assert spec.config.max_episode_steps == 2**31 - 1
    assert (spec.config.batch_size, spec.reward_threshold) == (3, 195.0)
    assert kind(kind._default_config_values).config.num_envs == 1
    assert [each.config for each in (copy.copy(spec), pickle.loads(pickle.dumps(spec)))] == [spec.config] * 2


def test_spec_classes_select_games_and_levels_by_config():
    pytest.importorskip("ale_py")
    games, levels = (type(envpool_rs.make_spec(task)) for task in ("Breakout-v5", "MiniGrid-DoorKey-8x8-v0"))
    assert games(games.gen_config()).task_id == "Pong-v5"
    assert games(games.gen_config(task="space_invaders", stack_num=2)).observation_space.shape == (2, 84, 84)
    assert levels(levels.gen_config(env_name="four_rooms")).task_id == "MiniGrid-FourRooms-v0"
    with pytest.raises(KeyError, match="NoGame-v5"):
        games(games.gen_config(task="no_game"))


@pytest.mark.parametrize("values", [(1, 2), (), range(100)])
def test_a_wrong_number_of_values_is_refused(values):
    with pytest.raises(ValueError, match=r"^config has \d+ entries: expected \d+ values, as gen_config\(\) has them$"):
        type(envpool_rs.make_spec("CartPole-v1"))(values)


@pytest.mark.parametrize("config", [None, 3, {"num_envs": 3}, "CartPole-v1"])
def test_invalid_configs_are_refused(config):
    with pytest.raises(TypeError, match=r"^config=.*: expected a configuration, such as gen_config\(\)"):
        type(envpool_rs.make_spec("CartPole-v1"))(config)


def test_values_of_a_configuration_are_checked():
    kind = type(envpool_rs.make_spec("CartPole-v1"))
    with pytest.raises(ValueError, match="num_envs=0: expected"):
        kind(kind.gen_config(num_envs=0))


@pytest.mark.parametrize("name", ["_state_keys", "_action_keys"])
def test_array_names_equal_those_of_the_envpool_alias(name):
    with install_as_envpool(force=True):
        by_name = importlib.import_module("envpool.classic_control").CartPoleEnvSpec
    spec = envpool_rs.make_spec("CartPole-v1")
    assert getattr(by_name, name) == getattr(type(spec), name) == getattr(spec, name)
    with pytest.raises(AttributeError):
        setattr(spec, name, [])


def test_array_names_belong_to_the_spec():
    pytest.importorskip("mujoco")
    spec = envpool_rs.make_spec("Hopper-v5", from_pixels=True)
    assert "obs:pixels" in spec._state_keys and "obs" in type(spec)._state_keys
    with envpool_rs.make("FrozenLake-v1", num_envs=2) as env:
        env.async_reset()
        assert len(env._recv()) == len(type(env.spec)._state_keys)
        env._send([np.arange(2), np.arange(2), np.zeros(2, int)][: len(type(env.spec)._action_keys)])
