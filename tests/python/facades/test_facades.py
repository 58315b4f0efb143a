"""Tests EnvPool's three interfaces and gymnasium's vector environment by the calls of typical users."""

import contextlib
import copy
import os
import pickle
import time
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs import _core
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers import vector as vector_wrappers

CARTPOLE = "CartPole-v1"


def right(n):
    return np.ones(n, dtype=np.int64)


def test_step_is_the_rust_method_itself():
    env = envpool_rs.make(CARTPOLE)
    assert type(env).step is _core.Pool.step
    assert type(envpool_rs.make_vec(CARTPOLE)).step is _core.Pool.step


def test_gymnasium_facades_are_vector_envs_and_envpools_is_also_an_env():
    pool, vector = envpool_rs.make(CARTPOLE, num_envs=2), envpool_rs.make_vec(CARTPOLE, 2)
    assert isinstance(pool, GymnasiumVectorEnv) and isinstance(pool, gymnasium.Env)
    assert isinstance(vector, GymnasiumVectorEnv) and not isinstance(vector, gymnasium.Env)


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_metadata_names_the_autoreset_mode(mode):
    for env in (
        envpool_rs.make(CARTPOLE, autoreset_mode=mode),
        envpool_rs.make_vec(CARTPOLE, autoreset_mode=AutoresetMode[mode.upper()]),
    ):
        assert env.metadata["autoreset_mode"] is AutoresetMode[mode.upper()]


def test_envpool_spaces_are_single_and_vector_spaces_are_batched():
    pool, vector = envpool_rs.make(CARTPOLE, num_envs=3), envpool_rs.make_vec(CARTPOLE, 3)
    reference = gymnasium.make(CARTPOLE)
    assert pool.observation_space == pool.single_observation_space == reference.observation_space
    assert pool.action_space == reference.action_space
    assert vector.observation_space == batch_space(reference.observation_space, 3)
    assert vector.action_space == batch_space(reference.action_space, 3)
    assert vector.single_action_space == reference.action_space


def test_the_facade_has_envpools_attributes():
    env = envpool_rs.make(CARTPOLE, num_envs=4, batch_size=2)
    assert len(env) == env.num_envs == env.config["num_envs"] == env.spec.config.num_envs == 4
    assert env.is_async and not envpool_rs.make(CARTPOLE, num_envs=4).is_async
    assert env.all_env_ids.tolist() == [0, 1, 2, 3] and env.all_env_ids.dtype == np.int32
    assert env.config["gym_reset_return_info"] is True
    assert "CartPole-v1" in repr(env) and str(env) == repr(env)


@pytest.mark.parametrize(
    "name", ["num_envs", "single_action_space", "single_observation_space", "is_vector_env", "observation_space"]
)
def test_attributes_that_trainers_overwrite_are_assignable(name):
    env = envpool_rs.make(CARTPOLE, num_envs=2)
    setattr(env, name, "mine")
    assert getattr(env, name) == "mine"
    env.spec.id = "mine"
    assert env.spec.id == "mine"


def test_infos_follow_envpool_and_are_plain_dicts():
    env = envpool_rs.make(CARTPOLE, num_envs=2)
    env.reset()
    _, reward, terminated, truncated, info = env.step(right(2))
    assert type(info) is dict and reward.dtype == np.float32
    assert info["env_id"].tolist() == [0, 1] and info["env_id"].dtype == np.int32
    assert info["players"]["env_id"].tolist() == [0, 1] and info["elapsed_step"].tolist() == [1, 1]
    assert terminated.dtype == truncated.dtype == np.bool_
    info["mine"] = 1
    del info["env_id"]


def test_an_async_reset_returns_batch_size_rows():
    env = envpool_rs.make(CARTPOLE, num_envs=4, batch_size=2)
    env.async_reset()
    seen = []
    for _ in range(2):
        _, _, _, _, info = env.recv()
        seen += info["env_id"].tolist()
        assert len(info["env_id"]) == 2
    assert sorted(seen) == [0, 1, 2, 3]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_reset_takes_ids_and_returns_their_rows(dtype):
    env = envpool_rs.make(CARTPOLE, num_envs=4)
    env.reset()
    observation, info = env.reset(np.array([2, 0], dtype=dtype))
    assert observation.shape == (2, 4) and info["env_id"].tolist() == [2, 0]
    assert env.reset(env_id=np.array([3]))[0].shape == (1, 4)


@pytest.mark.parametrize("seed", [7, [7, 8, 9], (7, 8, 9), np.array([7, 8, 9])])
def test_reset_seeds_each_environment_like_gymnasiums(seed):
    expected = [gymnasium.make(CARTPOLE).reset(seed=7 + index)[0] for index in range(3)]
    for env in (envpool_rs.make(CARTPOLE, num_envs=3), envpool_rs.make_vec(CARTPOLE, 3)):
        np.testing.assert_array_equal(env.reset(seed=seed)[0], expected)
        assert env.np_random_seed == (7, 8, 9)


def test_a_seed_of_none_continues_the_generator():
    reference = [gymnasium.make(CARTPOLE) for _ in range(2)]
    env = envpool_rs.make_vec(CARTPOLE, 2)
    env.reset(seed=[1, 2])
    expected = [reference[0].reset(seed=1)[0], reference[1].reset(seed=2)[0]]
    expected = [reference[0].reset()[0], reference[1].reset(seed=5)[0]]
    np.testing.assert_array_equal(env.reset(seed=[None, 5])[0], expected)
    assert env.np_random_seed == (1, 5)
    np.testing.assert_array_equal(env.reset()[0], [each.reset()[0] for each in reference])


def test_pools_without_a_seed_differ():
    first, second = (envpool_rs.make_vec(CARTPOLE, 2) for _ in range(2))
    assert not np.array_equal(first.reset()[0], second.reset()[0])
    assert "seed" not in first.spec.kwargs


def test_a_masked_reset_leaves_unmasked_environments_unchanged():
    env = envpool_rs.make_vec(CARTPOLE, 3, seed=1, autoreset_mode="disabled")
    env.reset()
    before = env.step(right(3))[0]
    mask = np.array([False, True, False])
    after, _ = env.reset(seed=[0, 50, 0], options={"reset_mask": mask})
    np.testing.assert_array_equal(after[[0, 2]], before[[0, 2]])
    np.testing.assert_array_equal(after[1], gymnasium.make(CARTPOLE).reset(seed=50)[0])
    assert env.np_random_seed == (1, 50, 3)
    options = {"reset_mask": mask}
    env.reset(options=options)
    assert "reset_mask" in options


def test_a_masked_reset_masks_the_infos_of_unmasked_environments():
    env = envpool_rs.make_vec("FrozenLake-v1", 3)
    env.reset()
    _, info = env.reset(options={"reset_mask": np.array([True, False, True])})
    assert info["_prob"].tolist() == [True, False, True]


def test_an_int_seed_counts_environments_not_rows_under_a_mask():
    env = envpool_rs.make_vec(CARTPOLE, 3)
    env.reset()
    observation, _ = env.reset(seed=10, options={"reset_mask": np.array([False, False, True])})
    np.testing.assert_array_equal(observation[2], gymnasium.make(CARTPOLE).reset(seed=12)[0])


@pytest.mark.parametrize(
    ("mask", "error"),
    [
        ([True, False], TypeError),
        (np.array([1, 0]), TypeError),
        (np.array([True]), ValueError),
        (np.array([False, False]), ValueError),
    ],
)
def test_masks_that_gymnasium_refuses_are_refused(mask, error):
    for env in (envpool_rs.make(CARTPOLE, num_envs=2), envpool_rs.make_vec(CARTPOLE, 2)):
        with pytest.raises(error, match="reset_mask"):
            env.reset(options={"reset_mask": mask})


def test_wrong_seeds_are_refused():
    env = envpool_rs.make(CARTPOLE, num_envs=2)
    with pytest.raises(ValueError, match="num_envs=2"):
        env.reset(seed=[1])
    with pytest.raises(ValueError, match=r"len\(env_id\)=1"):
        env.reset(np.array([0]), seed=[1, 2])
    with pytest.raises(TypeError, match=r"seed=1\.5"):
        env.reset(seed=1.5)
    with pytest.raises(TypeError, match="seed"):
        env.reset(seed=["1", "2"])
    with pytest.raises(ValueError, match="both given"):
        env.reset(np.array([0]), options={"reset_mask": np.array([True, False])})


def test_reset_options_reach_the_environment():
    options = {"low": -0.01, "high": 0.0}
    expected = gymnasium.make(CARTPOLE).reset(seed=3, options=options)[0]
    np.testing.assert_array_equal(envpool_rs.make_vec(CARTPOLE).reset(seed=3, options=options)[0][0], expected)
    with pytest.raises(ValueError, match="lowest"):
        envpool_rs.make_vec(CARTPOLE).reset(options={"lowest": 0.0})


@pytest.mark.parametrize(
    "make", [envpool_rs.make_gymnasium, envpool_rs.make_gym, envpool_rs.make_vec, envpool_rs.make_dm]
)
def test_pickles_and_copies_continue_like_the_original(make):
    if make is envpool_rs.make_dm:
        pytest.importorskip("dm_env")
    env = make(CARTPOLE, num_envs=3)
    env.reset()
    env.step(right(3))
    env._label = "training"
    others = [pickle.loads(pickle.dumps(env)), copy.deepcopy(env)]
    for _ in range(60):
        expected = env.step(right(3))
        for other in others:
            for left, right_ in zip(other.step(right(3))[:3], expected[:3], strict=True):
                np.testing.assert_array_equal(left, right_)
    assert others[0].spec == env.spec and others[0].config == env.config
    assert [other._label for other in others] == ["training", "training"]


def test_an_environment_with_work_in_flight_cannot_be_pickled():
    env = envpool_rs.make(CARTPOLE, num_envs=4, batch_size=2)
    env.async_reset()
    with pytest.raises(TypeError, match="cannot copy or pickle"):
        pickle.dumps(env)


def test_closing_twice_is_allowed_and_stepping_afterwards_is_an_error():
    for make in (envpool_rs.make, envpool_rs.make_vec):
        with make(CARTPOLE, num_envs=2) as env:
            env.reset()
        assert env.closed
        env.close(timeout=1, terminate=True)
        with pytest.raises(RuntimeError):
            env.step(right(2))
        with pytest.raises(TypeError, match="later"):
            env.close(later=True)


def test_generators_of_environments_in_flight_are_unavailable():
    for env in (envpool_rs.make(CARTPOLE, num_envs=2), envpool_rs.make_vec(CARTPOLE, 2)):
        env.reset()
        assert len(env.np_random) == 2
        env.send(right(2))
        assert not hasattr(env, "np_random")
        env.recv()
        assert hasattr(env, "np_random")


def test_attributes_of_the_environments_can_be_read_but_not_set():
    env = envpool_rs.make_vec("Pendulum-v1", 2, g=9.0, seed=4)
    assert env.get_attr("g") == env.call("g") == (9.0, 9.0)
    assert env.get_attr("np_random_seed") == (4, 5)
    with pytest.raises(AttributeError, match="gravity"):
        env.get_attr("gravity")
    with pytest.raises(AttributeError, match="make_vec"):
        env.set_attr("g", 1.0)
    with pytest.raises((RuntimeError, NotImplementedError), match="render"):
        env.call("render")


def test_same_step_autoreset_returns_the_last_observation():
    env = envpool_rs.make_vec(CARTPOLE, 3, seed=0, autoreset_mode="same_step")
    reference = gymnasium.make_vec(
        CARTPOLE, 3, vectorization_mode="sync", vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP}
    )
    env.reset(seed=0)
    reference.reset(seed=0)
    ended = 0
    for _ in range(30):
        (*ours, info), (*theirs, expected) = env.step(right(3)), reference.step(right(3))
        for left, right_ in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(left, right_)
        assert info.keys() == expected.keys()
        if "final_obs" in info:
            ended += 1
            np.testing.assert_array_equal(info["_final_obs"], expected["_final_obs"])
            for left, right_ in zip(info["final_obs"], expected["final_obs"], strict=True):
                assert (left is None) == (right_ is None)
                assert left is None or np.array_equal(left, right_)
    assert ended


def test_gymnasiums_wrapper_filters_the_observations_of_players():
    env = vector_wrappers.FilterObservation(envpool_rs.make_vec("SimpleSpeakerListener-v4", 2), ["listener_0"])
    assert list(env.reset()[0]) == ["listener_0"]
    assert list(env.step(env.action_space.sample())[0]) == ["listener_0"]


def test_gymnasiums_episode_statistics_count_every_step():
    env = vector_wrappers.RecordEpisodeStatistics(envpool_rs.make_vec(CARTPOLE, 2, max_episode_steps=5))
    env.reset(seed=1)
    for _ in range(4):
        assert "episode" not in env.step(np.array([0, 1]))[4]
    episode = env.step(np.array([0, 1]))[4]["episode"]
    assert episode["l"].tolist() == [5, 5] and episode["r"].tolist() == [5.0, 5.0]


def test_a_single_environment_wrapper_accepts_the_envpool_facade():
    wrapped = gymnasium.Wrapper(envpool_rs.make(CARTPOLE, num_envs=2))
    assert wrapped.reset()[0].shape == (2, 4)
    assert wrapped.spec.id == CARTPOLE


def test_players_with_a_common_space_have_rows():
    env = envpool_rs.make_vec("SimpleSpread-v3", 2)
    observation, _ = env.reset()
    assert observation.shape == env.observation_space.shape and len(observation) == 6
    observation, reward, terminated, *_ = env.step(env.action_space.sample())
    assert reward.shape == (6,) and terminated.shape == (2,) and env.observation_space.contains(observation)


def test_players_without_a_common_space_have_entries_of_a_dict():
    env = envpool_rs.make_vec("SimpleSpeakerListener-v4", 2)
    observation, _ = env.reset()
    assert observation.keys() == env.single_observation_space.spaces.keys()
    assert env.observation_space.contains(observation)
    env.step(env.action_space.sample())


def test_dm_time_steps_are_batched():
    pytest.importorskip("dm_env")
    env = envpool_rs.make_dm("FrozenLake-v1", num_envs=2)
    step = env.reset()
    assert step.first().tolist() == [True, True] and step.observation.env_id.tolist() == [0, 1]
    step = env.step(np.zeros(2, dtype=np.int32))
    assert step.mid().tolist() == [True, True] and step.reward.dtype == step.discount.dtype == np.float32
    assert step.observation.players.env_id.tolist() == [0, 1]
    assert step.observation._fields == ("env_id", "players", "obs")
    assert step.observation._fields == env.observation_spec()._fields
    assert step.observation.obs.dtype == env.observation_spec().obs.dtype
    assert env.action_spec().num_values == 4
    assert isinstance(env, __import__("dm_env").Environment)


def test_dm_refuses_same_step_autoreset():
    pytest.importorskip("dm_env")
    with pytest.raises(ValueError, match="same_step"):
        envpool_rs.make_dm(CARTPOLE, autoreset_mode="same_step")
    assert envpool_rs.make_dm(CARTPOLE, autoreset_mode="disabled").reset().first().all()


def test_single_environments_equal_gymnasiums():
    ours, theirs = gymnasium.make("envpool_rs/CartPole-v1"), gymnasium.make(CARTPOLE)
    np.testing.assert_array_equal(ours.reset(seed=5)[0], theirs.reset(seed=5)[0])
    for _ in range(8):
        left, right_ = ours.step(1), theirs.step(1)
        np.testing.assert_array_equal(left[0], right_[0])
        assert left[1:] == right_[1:]
    limited = gymnasium.make("envpool_rs/Pendulum-v1", max_episode_steps=3)
    limited.reset(seed=1)
    action = np.zeros(1, dtype=np.float32)
    assert [limited.step(action)[3] for _ in range(3)] == [False, False, True]


def test_single_environments_pass_gymnasiums_checker():
    check_env(gymnasium.make("envpool_rs/FrozenLake-v1").unwrapped, skip_render_check=True)


def test_gymnasium_can_vectorise_single_environments():
    env = gymnasium.make_vec("envpool_rs/CartPole-v1", num_envs=2, vectorization_mode="sync")
    expected = envpool_rs.make_vec(CARTPOLE, 2)
    np.testing.assert_array_equal(env.reset(seed=3)[0], expected.reset(seed=3)[0])


def test_single_environments_are_refused_for_several_players():
    with pytest.raises(ValueError, match="make_vec"):
        gymnasium.make("envpool_rs/SimpleSpread-v3")


def test_time_steps_refuse_episode_statistics():
    pytest.importorskip("dm_env")
    with pytest.raises(ValueError, match="record_episode_statistics=True"):
        envpool_rs.make_dm("CartPole-v1", record_episode_statistics=True)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinities to look at")
def test_workers_are_pinned_from_the_offset_and_the_caller_is_not_pinned():
    allowed = os.sched_getaffinity(0)
    cpus = sorted(allowed)
    before = {path.name for path in Path("/proc/self/task").iterdir()}
    env = envpool_rs.make("test/Scripted-v0", num_envs=4, batch_size=2, num_threads=2, thread_affinity_offset=1)
    env.async_reset()
    env.recv()
    expected = {f"envpool-{worker}": {cpus[(1 + worker) % len(cpus)]} for worker in range(2)}

    def pinned():
        found = {}
        for path in Path("/proc/self/task").iterdir():
            with contextlib.suppress(OSError):  # a thread of an earlier test may end during the listing
                name = (path / "comm").read_text().strip()
                if path.name not in before and name.startswith("envpool-"):
                    found[name] = os.sched_getaffinity(int(path.name))
        return found

    end = time.monotonic() + 60  # each worker thread sets its own name and affinity
    while pinned() != expected:
        assert time.monotonic() < end, pinned()
        time.sleep(0.01)
    assert os.sched_getaffinity(0) == allowed
    env.close()


def test_the_generator_of_a_single_environment_is_a_copy_of_its_own():
    ours, theirs = gymnasium.make("envpool_rs/CartPole-v1"), gymnasium.make("CartPole-v1")
    for env in (ours, theirs):
        env.reset(seed=3)
        env.reset()
    assert ours.np_random.bit_generator.state == theirs.np_random.bit_generator.state
    ours.unwrapped.np_random.random()
    np.testing.assert_array_equal(ours.reset()[0], theirs.reset()[0])


@pytest.mark.parametrize("mode", [None, "shared_memory"])
def test_spaces_of_asynchronous_vector_environments_have_a_row_for_each_result(mode):
    with envpool_rs.make_vec(CARTPOLE, 8, mode, batch_size=4) as env:
        assert env.observation_space.shape == (4, 4) and env.action_space.shape == (4,)
        observation, info = env.reset(seed=1)
        assert observation in env.observation_space
        for _ in range(4):
            env.send(env.action_space.sample(), info["env_id"])
            observation, *_, info = env.recv()
            assert observation in env.observation_space
