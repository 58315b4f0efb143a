"""Tests options, seeds, attributes and statistics of pools over Python environments."""

import envpool_rs
import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from python_envs import (
    AnyAttributeEnv,
    CountingEnv,
    KeywordEnv,
    LegacyEnv,
    PairAndInfoEnv,
    PairEnv,
    SimulatedEnv,
    SpaceEnv,
    make_dm_env,
)
from python_pool_cases import (
    CARTPOLE,
    assert_same_trajectories,
    counting,
    scripted,
    zeros,
)
from test_contract import assert_same


def test_a_native_task_runs_natively_by_default(made):
    assert type(envpool_rs.make_vec(CARTPOLE, 2)) is type(envpool_rs.make_vec(CARTPOLE, 2, "native"))
    shared = made(envpool_rs.make_vec(CARTPOLE, 2, vectorization_mode="shared_memory"))
    assert type(shared) is not type(envpool_rs.make_vec(CARTPOLE, 2))
    other = made(envpool_rs.make_vec("test_python_pool/Infos-v0", 2))
    assert type(other) is type(shared) and other.get_attr("length") == (5, 5)
    with pytest.raises(ValueError, match="unknown task 'test_python_pool/Infos-v0'"):
        envpool_rs.make_vec("test_python_pool/Infos-v0", 2, "native")
    with pytest.raises(ValueError, match="vectorization_mode='synchronous': expected None, 'native', "):
        envpool_rs.make_vec(CARTPOLE, 2, "synchronous")
    with pytest.raises(TypeError, match=r"wrappers argument .* give vectorization_mode='sync' or 'async'"):
        envpool_rs.make_vec(CARTPOLE, 2, "native", wrappers=[gymnasium.wrappers.RecordEpisodeStatistics])
    with pytest.raises(ValueError, match="did you mean 'CartPole-v1'"):
        envpool_rs.make_vec("CartPol-v1", 2, "shared_memory")


def test_vector_options_equal_those_of_gymnasiums_environment(made):
    env = made(
        envpool_rs.make_vec(
            CARTPOLE,
            2,
            "shared_memory",
            vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP, "shared_memory": True, "context": "fork"},
        )
    )
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    with pytest.raises(TypeError, match="vector_kwargs has the unknown key 'workers'"):
        envpool_rs.make_vec(CARTPOLE, 2, "shared_memory", vector_kwargs={"workers": None})
    with pytest.raises(ValueError, match="autoreset_mode is given twice"):
        envpool_rs.make_vec(
            CARTPOLE, 2, "shared_memory", autoreset_mode="disabled", vector_kwargs={"autoreset_mode": "disabled"}
        )


def test_gymnasium_recreates_the_vector_environment_from_its_spec(made):
    env = made(envpool_rs.make_vec("Pendulum-v1", 2, "shared_memory", g=4.0, seed=3))
    again = made(gymnasium.make_vec(env.spec, num_envs=2))
    assert type(again) is type(env) and again.get_attr("g") == (4.0, 4.0)
    np.testing.assert_array_equal(again.reset()[0], env.reset()[0])


def test_a_masked_reset_leaves_unmasked_environments_unchanged(made):
    env = made(envpool_rs.make_vec(CARTPOLE, 3, "shared_memory"))
    first = env.reset(options={"reset_mask": np.array([False, True, False])})[0]
    # Rows of environments that were never reset are zero, as in AsyncVectorEnv.
    assert not first[[0, 2]].any() and first[1].any()
    env.reset(seed=1)
    before = env.step(zeros(3))[0].copy()
    mask = np.array([False, True, False])
    options = {"reset_mask": mask}
    after, info = env.reset(seed=50, options=options)
    np.testing.assert_array_equal(after[[0, 2]], before[[0, 2]])
    np.testing.assert_array_equal(after[1], gymnasium.make(CARTPOLE).reset(seed=51)[0])
    assert "reset_mask" in options and info == {} and env.np_random_seed == (1, 51, 3)


def test_reset_options_reach_the_environments(made):
    env = made(envpool_rs.make_vec(CARTPOLE, 1, "shared_memory"))
    options = {"low": -0.01, "high": 0.0}
    expected = gymnasium.make(CARTPOLE).reset(seed=3, options=options)[0]
    np.testing.assert_array_equal(env.reset(seed=3, options=options)[0][0], expected)


def test_without_a_seed_two_environments_differ(made):
    first, second = (made(envpool_rs.make_vec(CARTPOLE, 1, "shared_memory")) for _ in range(2))
    assert not np.array_equal(first.reset()[0], second.reset()[0])


def test_seeds_of_the_pool_apply_only_to_the_first_reset(made):
    env = made(envpool_rs.make_python(counting(), num_envs=3, seed=10))
    assert env.reset([1])[0][:, 0].tolist() == [11]
    assert env.reset(seed=[1, None, None])[0][:, 0].tolist() == [1, 11, 12]
    assert env.reset()[0][:, 0].tolist() == [1, 11, 12]


def test_envpools_infos_are_small_arrays_without_masks(made):
    infos = {1: {1: 3, "_own": 2.5, "nested": {"deep": 1}, "large": 2**40, "env_id": 9, "text": "a"}}
    env = made(envpool_rs.make_python([scripted(infos=infos), scripted()], num_workers=1))
    env.reset()
    info = env.step(zeros(2))[4]
    assert list(info) == [1, "_own", "nested", "large", "env_id", "text", "players", "elapsed_step"]
    assert info[1].dtype == info["nested"]["deep"].dtype == np.int32 and info["_own"].dtype == np.float32
    assert info["large"].tolist() == [2**40, 0] and info["env_id"].tolist() == [0, 1]
    assert list(info["nested"]) == ["deep"] and info["text"].tolist() == ["a", None]


def test_integers_beyond_int32_keep_their_value(made):
    observation = np.array([2**40])
    env = made(envpool_rs.make_python(lambda: SpaceEnv(spaces.Box(observation, observation, (1,), np.int64))))
    assert env.observation_space.dtype == np.int32
    assert env.reset()[0].tolist() == [[2**40]]


def test_attributes_and_methods_of_environments_are_accessible(made):
    env = made(envpool_rs.make_vec("Pendulum-v1", 2, "shared_memory", render_mode="rgb_array"))
    assert env.get_attr("g") == env.call("g") == (10.0, 10.0)
    env.set_attr("g", [1.0, 2.0])
    assert env.get_attr("unwrapped.g") == (1.0, 2.0)
    env.set_attr("g", 3.0)
    assert env.get_attr("g") == (3.0, 3.0)
    with pytest.raises(ValueError, match="values has 3 entries: expected num_envs=2"):
        env.set_attr("g", [1.0, 2.0, 3.0])
    with pytest.raises(AttributeError, match="gravity"):
        env.get_attr("gravity")
    env.reset(seed=5)
    assert env.np_random_seed == (5, 6) and env.np_random[0].random() == env.np_random[0].random()
    counter = made(envpool_rs.make_python(counting(), num_envs=2))
    counter.reset()
    assert counter.call("add", 2, b=1) == (3, 3)
    assert [frame.shape for frame in counter.render([1])] == [(2, 3, 3)] and len(counter.render()) == 2


def make_vec_of(env_fn, count):
    return envpool_rs.make_vec([env_fn] * count)


def make_python_of(env_fn, count):
    return envpool_rs.make_python([env_fn] * count)


@pytest.mark.parametrize("make", [make_python_of, make_vec_of])
def test_an_attribute_env_that_is_no_environment_is_left_alone(make, made):
    env = made(make(SimulatedEnv, 2))
    assert env.spec.players == 1
    assert env.reset(seed=[3, 4])[0][:, 0].tolist() == [3, 4] and env.get_attr("agent_spaces") == (5, 5)
    with pytest.raises(AttributeError, match=r"environment 0: .*gravity"):
        env.get_attr("gravity")
    env.set_attr("gravity", 1.0)
    assert env.get_attr("gravity") == (1.0, 1.0) and env.call("seeds_of_simulator") == ([], [])
    assert all("gravity" in each for each in env.call("own_attributes"))


@pytest.mark.parametrize("make", [make_python_of, make_vec_of])
def test_an_environment_with_any_attribute_is_used_like_others(make, made):
    env = made(make(AnyAttributeEnv, 2))
    assert env.reset(seed=[5, 6])[0][:, 0].tolist() == [5, 6]
    assert env.step(zeros(2))[0][:, 2].tolist() == [1, 1] and env.step(zeros(2))[2].all()
    assert env.render_mode is None and env.spec.players == 1 and env.spec.max_episode_steps is None
    env.set_attr("mine", 7)
    assert env.get_attr("mine") == (7, 7)


@pytest.mark.parametrize("make", [make_python_of, make_vec_of])
def test_the_space_decides_whether_a_pair_is_an_observation(make, made):
    for env_fn in (PairEnv, PairAndInfoEnv):
        env = made(make(env_fn, 2))
        (numbers, parts), info = env.reset()
        assert numbers.tolist() == [0, 0] and parts["steps"].tolist() == [0, 0]
        assert ("info" in info) == (env_fn is PairAndInfoEnv)
        for step in (1, 2, 0):
            assert env.step(zeros(2))[0][1]["steps"].tolist() == [step] * 2


@pytest.mark.parametrize("make", [make_python_of, make_vec_of])
def test_keywords_of_methods_may_have_any_name(make, made):
    env = made(make(KeywordEnv, 2))
    keywords = {"self_": 1, "name": "x", "env_ids": 2, "operation": 3, "function": 4}
    assert env.call_some([1], "setup", **keywords) == (keywords,)
    assert env.call("setup", **keywords) == (keywords,) * 2


@pytest.mark.parametrize("make", [envpool_rs.make_gymnasium, envpool_rs.make_vec])
@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_episode_statistics_equal_those_of_native_pools(make, mode, made):
    options = {"num_envs": 2, "seed": 1, "autoreset_mode": mode, "record_episode_statistics": True}
    native = make(CARTPOLE, **options)
    vector = make is envpool_rs.make_vec
    ours = made(make(CARTPOLE, vectorization_mode="shared_memory", **options)) if vector else None
    ours = ours or made(envpool_rs.make_python(CARTPOLE, **options))
    ours.reset(), native.reset()
    ended = 0
    for _ in range(40):
        info, expected = ours.step(np.ones(2, int))[4], native.step(np.ones(2, int))[4]
        assert info.keys() == expected.keys()
        if "episode" in expected:
            ended += 1
            info["episode"]["t"][:] = expected["episode"]["t"][:] = 0
        assert_same(info, expected)
    assert ended > 2


@pytest.mark.parametrize("make", [CountingEnv, LegacyEnv, make_dm_env], ids=["gymnasium", "legacy gym", "dm_env"])
def test_a_time_limit_truncates_environments_of_every_library(make, made):
    if make is make_dm_env:
        pytest.importorskip("dm_env")
    env = made(envpool_rs.make_python(make, num_envs=2, max_episode_steps=2, record_episode_statistics=True))
    env.reset()
    env.step(zeros(2))
    *_, terminated, truncated, info = env.step(zeros(2))
    assert not terminated.any() and truncated.all() and info["elapsed_step"].tolist() == [2, 2]
    assert info["episode"]["l"].tolist() == [2, 2]


def test_environments_of_legacy_gym_keep_their_seeds_and_truncation(made):
    env = made(envpool_rs.make_python(lambda: LegacyEnv(length=2, truncates=True), num_envs=2, seed=8))
    assert env.reset()[0][:, 0].tolist() == [8, 9]
    env.step(zeros(2))
    *_, terminated, truncated, _ = env.step(zeros(2))
    assert truncated.all() and not terminated.any()


def test_observations_belong_to_the_caller(made):
    env = made(envpool_rs.make_python(counting(), num_envs=2))
    first = env.reset()[0]
    kept = first.copy()
    first[:] = -7
    second = env.step(zeros(2))[0]
    assert (first == -7).all() and not np.shares_memory(first, second) and (kept[:, 2] == 0).all()


def test_observations_are_shared_on_request(made):
    env = made(envpool_rs.make_vec("test_python_pool/Image-v0", 2, copy=False))
    first = env.reset(seed=1)[0]
    before = first.copy()
    second = env.step(zeros(2))[0]
    assert np.shares_memory(first, second) and not np.array_equal(first, before)
    twin = made(envpool_rs.make_vec("test_python_pool/Image-v0", 2))
    np.testing.assert_array_equal(twin.reset(seed=1)[0], before)
    np.testing.assert_array_equal(twin.step(zeros(2))[0], second)


@pytest.mark.parametrize(
    "options", [{"caller_steps": True}, {"context": "spawn"}, {"num_workers": 1}, {"num_workers": 4}], ids=str
)
def test_results_do_not_depend_on_the_stepping_process(options, made):
    ours = made(envpool_rs.make_vec(CARTPOLE, 4, "shared_memory", **options))
    theirs = gymnasium.make_vec(CARTPOLE, 4, vectorization_mode="sync")
    assert_same_trajectories(ours, theirs, "next_step")
