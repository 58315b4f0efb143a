"""Tests spaces, specs and configurations of specifications, without making environments."""

import contextlib
import copy
import json
import pickle

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs._nested import leaves_of_descriptor
from envpool_rs._spec.spaces import array_spec, build_space, to_namedtuple, to_nested_dict

BOX = ("box", [-1.0, -np.inf], [1.0, np.inf], (2,), "float32")
DISCRETE = ("discrete", 4, -1, "int64")
SPACES = gymnasium.spaces


@pytest.mark.parametrize(
    ("descriptor", "space"),
    [
        (BOX, SPACES.Box(np.float32([-1, -np.inf]), np.float32([1, np.inf]))),
        (("box", 0.0, 255.0, (2, 3), "uint8"), SPACES.Box(0, 255, (2, 3), np.uint8)),
        (DISCRETE, SPACES.Discrete(4, start=-1)),
        (
            ("dict", [("b", BOX), ("a", DISCRETE)]),
            SPACES.Dict(
                {"b": SPACES.Box(np.float32([-1, -np.inf]), np.float32([1, np.inf])), "a": SPACES.Discrete(4, start=-1)}
            ),
        ),
        (("text", 8, "abc"), SPACES.Text(8, min_length=0, charset="abc")),
        (("multi_binary", (3,)), SPACES.MultiBinary(3)),
        (("multi_binary", (2, 3)), SPACES.MultiBinary([2, 3])),
        (("multi_discrete", [2, 5], (2,), "int64"), SPACES.MultiDiscrete([2, 5])),
        (("tuple", [DISCRETE, DISCRETE]), SPACES.Tuple([SPACES.Discrete(4, start=-1)] * 2)),
    ],
)
def test_descriptors_are_converted_to_spaces(descriptor, space):
    assert build_space(descriptor) == space


@pytest.mark.parametrize("make", [envpool_rs.make_vec, envpool_rs.make], ids=["gymnasium", "envpool"])
def test_flags_choices_and_doubles_survive_the_round_trip(make):
    with contextlib.closing(make("test/Echo-v0", num_envs=2)) as env:
        env.reset()
        action = {
            "flags": np.array([[1, 0, 1], [1, 1, 1]], np.int8),
            "choices": np.array([[1, 4], [0, 0]]),
            "force": np.array([[0.1, 1e-300], [1e39, -0.1]]),
        }
        observation, reward, terminated, _, info = env.step(action)
        for key, values in action.items():
            np.testing.assert_array_equal(observation[key], values)
        np.testing.assert_array_equal(reward, [0.1, 1e39])
        np.testing.assert_array_equal(info["force"], action["force"])
        assert terminated.tolist() == [False, True]
        said = observation["said"]
        texts = [bytes(row).rstrip(b"\0").decode() for row in said] if isinstance(said, np.ndarray) else list(said)
        assert texts == ["ac", "abc"]
        assert isinstance(said, tuple) == (make is envpool_rs.make_vec)
        assert observation["force"].dtype == reward.dtype == np.float64
        assert observation["flags"].dtype == np.int8
        for key, wrong in {"flags": [[0, 2, 0]] * 2, "choices": [[0, 0], [2, 0]], "force": [[0.0, np.inf]] * 2}.items():
            with pytest.raises(ValueError, match=key):
                env.step(action | {key: np.array(wrong)})


def test_spaces_of_flags_and_choices_contain_their_samples():
    with contextlib.closing(envpool_rs.make_vec("test/Echo-v0", num_envs=3)) as env:
        observation, _ = env.reset()
        assert env.observation_space.contains(observation)
        env.action_space.seed(1)
        for _ in range(5):
            observation, *_ = env.step(env.action_space.sample())
            assert env.observation_space.contains(observation)


def test_bounds_beyond_float32_cause_no_warning():
    space = build_space(("box", -4.80000019, 0.1, (1,), "float32"))
    assert space.high[0] == np.float32(0.1)


def test_dict_spaces_keep_the_order_of_the_environment():
    assert list(build_space(("dict", [("z", BOX), ("a", BOX)])).spaces) == ["z", "a"]


def test_leaves_are_in_depth_first_order():
    assert list(leaves_of_descriptor(("dict", [("x", ("tuple", [BOX, DISCRETE])), ("y", BOX)]))) == [BOX, DISCRETE, BOX]


def test_arrays_are_bounded_by_their_space_or_dtype():
    bounded = array_spec("float32", (2,), BOX)
    assert bounded.minimum.tolist() == [-1.0, -np.inf] and bounded.dtype == np.float32
    discrete = array_spec("int32", (-1,), DISCRETE)
    assert (discrete.minimum, discrete.maximum, discrete.discrete_range) == (-1, 2, (-1, 2))
    free = array_spec("int32", ())
    assert (free.minimum, free.maximum) == (-(2**31), 2**31 - 1)


def test_dotted_names_become_nested_tuples_with_valid_fields():
    nested = to_nested_dict({"env_id": 1, "players.env_id": 2, "a-b": 3, "0": 4, "class": 5})
    value = to_namedtuple("State", nested)
    assert value._fields == ("env_id", "players", "a_b", "x0", "xclass")
    assert value.players.env_id == 2


def test_config_is_a_namedtuple_of_all_options():
    spec = envpool_rs.make_spec("Pendulum-v1", num_envs=5, g=9.0)
    assert spec.config.num_envs == 5 and spec.config.g == 9.0 and spec.config.seed == 42
    assert spec.config._asdict()["gym_reset_return_info"] is True
    assert isinstance(spec.config, tuple)


def test_array_specs_have_envpools_names():
    spec = envpool_rs.make_spec("CartPole-v1")
    assert {"obs", "reward", "done", "info:env_id", "info:players.env_id", "elapsed_step"} <= set(spec.state_array_spec)
    assert list(spec.action_array_spec) == ["env_id", "players.env_id", "action"]
    assert spec.state_array_spec["obs"].minimum.shape == (4,)
    assert spec.action_array_spec["action"].maximum == 1


def test_spaces_of_a_spec_describe_one_environment():
    spec = envpool_rs.make_spec("CartPole-v1", num_envs=9)
    reference = gymnasium.make("CartPole-v1")
    assert spec.observation_space == spec.gymnasium_observation_space == reference.observation_space
    assert spec.action_space == spec.gymnasium_action_space == reference.action_space
    assert spec.reward_threshold == 475.0 and spec.id == "CartPole-v1"


def test_dm_specs_describe_one_environment():
    specs = pytest.importorskip("dm_env.specs")
    spec = envpool_rs.make_spec("Pendulum-v1")
    assert spec.action_spec() == specs.BoundedArray((1,), np.float32, -2.0, 2.0, name="action")
    observation = spec.observation_spec()
    assert observation._fields[:3] == ("env_id", "players", "obs")
    assert observation.obs.shape == (3,) and observation.players.env_id.dtype == np.int32


def test_specs_can_be_copied_and_pickled():
    spec = envpool_rs.make_spec("CartPole-v1", num_envs=3)
    spec.id = "mine"
    for other in (pickle.loads(pickle.dumps(spec)), copy.deepcopy(spec)):
        assert other == spec and other.id == "mine" and other.config == spec.config


def test_a_spec_assigned_by_gymnasium_keeps_spaces_and_config():
    env = gymnasium.make_vec("envpool_rs/CartPole-v1", num_envs=3, seed=5)
    assert env.spec.kwargs["seed"] == 5 and env.spec.id == "envpool_rs/CartPole-v1"
    assert env.spec.config.num_envs == 3 and env.spec.observation_space.shape == (4,)
    assert json.loads(env.spec.to_json())["kwargs"]["num_envs"] == 3
    again = gymnasium.make_vec(env.spec)
    assert again.num_envs == 3 and again.spec == env.spec
    np.testing.assert_array_equal(again.reset()[0], env.reset()[0])


def test_a_spec_equals_only_gymnasium_specs_with_equal_fields():
    env = gymnasium.make_vec("envpool_rs/CartPole-v1", num_envs=3)
    plain = gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json())
    assert env.spec == plain
    plain.max_episode_steps = 3
    assert env.spec not in (plain, "CartPole-v1")
