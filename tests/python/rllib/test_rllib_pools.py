"""Tests pools and gymnasium's vector environments behind RLlib's `BaseEnv`."""

import copy
import pickle

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs import rllib
from envpool_rs.pools import SingleEnv
from envpool_rs.rllib import convert_to_base_env
from rllib_cases import FLAGS, MODES, OVER, actions, gymnasium_vector, played

POOLS = [envpool_rs.make_gymnasium, envpool_rs.make_vec]


@pytest.mark.parametrize("make", POOLS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task_id", ["CartPole-v1", "Taxi-v3", "Blackjack-v1", "Pendulum-v1"])
def test_a_pool_equals_single_environments(make, mode, task_id):
    """Compares all values of polls and resets with those of single environments that are converted one by one."""
    options = {"max_episode_steps": 7}
    pool = convert_to_base_env(make(task_id, num_envs=3, autoreset_mode=mode, **options))
    single = convert_to_base_env(
        SingleEnv(task_id, **options),
        lambda _: SingleEnv(task_id, **options),
        3,
    )
    assert_same(pool.try_reset(seed=3), single.try_reset(seed=3), make)
    pool.action_space.seed(0)
    for _ in range(40):
        sent = pool.action_space_sample()
        results = []
        for env in (pool, single):
            env.send_actions(sent)
            results.append(env.poll())
        assert_same(*results, make)
        for index in [
            index for index in range(3) if results[0][2][index]["__all__"] or results[0][3][index]["__all__"]
        ]:
            assert_same(pool.try_reset(index), single.try_reset(index), make)
    assert_same(pool.last(), single.last(), make)


def assert_same(ours, theirs, make):
    """Asserts that two polls or resets are equal, except for infos and dtypes of EnvPool's interface."""
    infos = (1,) if len(ours) == 2 else (4,)
    for place, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if place in infos and make is envpool_rs.make_gymnasium:
            continue
        assert a.keys() == b.keys()
        for index in a:
            assert a[index].keys() == b[index].keys()
            for agent in a[index]:
                np.testing.assert_allclose(*(_array(each[index][agent]) for each in (a, b)), rtol=1e-6)


def _array(value):
    if isinstance(value, dict):
        return np.concatenate([np.ravel(value[key]).astype(float) for key in sorted(value)] or [np.zeros(0)])
    return np.nan if value is None else np.ravel(value).astype(float)


def test_actions_may_be_sent_to_single_environments_of_a_pool():
    env = convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=4))
    env.poll()
    env.send_actions({3: {"agent0": 1}, 1: {"agent0": 0}})
    assert set(env.poll()[0]) == {1, 3}
    with pytest.raises(RuntimeError, match="environment 1 has been sent actions already"):
        env.send_actions({1: {"agent0": 0}})
        env.send_actions({1: {"agent0": 0}})
    env.send_actions({0: {"agent0": 0}})
    assert set(env.poll()[0]) == {0, 1}


def test_a_pool_refuses_an_action_by_name_without_a_step():
    env = convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=2))
    env.poll()
    for value in (2, 0.5, np.nan, "left", None, [0, 1]):
        with pytest.raises((ValueError, TypeError), match="action"):
            env.send_actions(actions(0, value))
    env.send_actions(actions(0, 1))
    assert set(env.poll()[0]) == {0, 1}


def test_a_failed_environment_of_a_pool_loses_no_other_row():
    env = convert_to_base_env(envpool_rs.make_gymnasium("test/Scripted-v0", num_envs=3))
    env.poll()
    panic, fine = {"agent0": 1001}, {"agent0": 0}
    with pytest.raises(RuntimeError, match="1"):
        env.send_actions({0: fine, 1: panic, 2: fine})
    assert set(env.poll()[0]) == {0, 2}
    with pytest.raises(ValueError, match="environment 1 is already done"):
        env.send_actions({1: fine})
    env.try_reset(1)
    env.send_actions({0: fine, 1: fine, 2: fine})
    assert set(env.poll()[0]) == {0, 1, 2}


def test_an_asynchronous_pool_is_polled_in_batches():
    env = convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=4, batch_size=2, seed=1))
    seen = set()
    first = env.poll()
    assert len(first[0]) == 2
    assert set(first[1].values().__iter__().__next__().values()) == {None}
    seen |= set(first[0])
    second = env.poll()
    seen |= set(second[0])
    assert seen == {0, 1, 2, 3}
    with pytest.raises(RuntimeError, match="environment"):
        env.send_actions({0: {"agent0": 0}})
        env.send_actions({0: {"agent0": 0}})
    env.send_actions({1: {"agent0": 0}})
    result = env.poll()
    assert set(result[0]) == {0, 1}
    assert result[1] == {0: {"agent0": 1.0}, 1: {"agent0": 1.0}}
    assert env.try_reset() == (rllib.ASYNC_RESET_RETURN, rllib.ASYNC_RESET_REQUEST)
    assert set(env.poll()[0]) | set(env.poll()[0]) == {0, 1, 2, 3}
    with pytest.raises(ValueError, match="single environments of an asynchronous pool are reset without seed"):
        env.try_reset(0)


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_single_environments_of_an_asynchronous_pool_restart(mode):
    options = {"num_envs": 2, "batch_size": 1, "max_episode_steps": 1, "autoreset_mode": mode}
    env = convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", **options))
    started = dict.fromkeys(range(2), 0)
    for _ in range(20):
        observations, rewards, _, truncated, _, _ = env.poll()
        (index,) = observations
        started[index] += rewards[index] == {"agent0": None}
        if truncated[index]["__all__"]:
            reset = env.try_reset(index)
            assert (reset == (rllib.ASYNC_RESET_RETURN,) * 2) is (mode == "next_step")
            if mode == "next_step":
                continue
            assert list(reset[0][index]) == ["agent0"]
            started[index] += 1
        env.send_actions({index: {"agent0": 0}})
    assert sum(started.values()) >= 10


def test_an_asynchronous_pool_without_autoreset_is_refused():
    pool = envpool_rs.make_gymnasium("CartPole-v1", num_envs=4, batch_size=2, autoreset_mode="disabled")
    with pytest.raises(ValueError, match="expected 'next_step' or 'same_step'"):
        convert_to_base_env(pool)


@pytest.mark.parametrize("make", POOLS)
@pytest.mark.parametrize("mode", MODES)
def test_players_are_agents(make, mode):
    env = convert_to_base_env(make("SimpleSpread-v3", num_envs=2, autoreset_mode=mode, max_episode_steps=2))
    assert env.get_agent_ids() == {"agent_0", "agent_1", "agent_2"}
    alone = rllib.PoolMultiAgentEnv("SimpleSpread-v3", max_episode_steps=2)
    first, _ = env.try_reset(seed=4)
    expected, _ = alone.reset(seed=5)
    for _ in range(2):
        sent = env.action_space_sample()
        env.send_actions(sent)
        observations, rewards, terminated, truncated, infos, _ = env.poll()
        result = alone.step(sent[1])
        for agent in alone.agents:
            np.testing.assert_array_equal(observations[1][agent], result[0][agent])
            np.testing.assert_allclose(rewards[1][agent], result[1][agent], rtol=1e-6)
        assert terminated[1] == result[2]
        assert truncated[1] == result[3]
        assert infos[1] == result[4] == {agent: {} for agent in alone.agents}
    assert truncated[1]["__all__"]
    assert first[1].keys() == expected.keys()
    with pytest.raises(ValueError, match="is already done"):
        env.send_actions(sent)
    env.try_reset(0)
    with pytest.raises(ValueError, match=r"action_dict\[0\] has actions of \['agent_0'\]: expected one of each of"):
        env.send_actions({0: {"agent_0": 1}})


def test_players_with_different_spaces_keep_their_names():
    env = convert_to_base_env(envpool_rs.make_gymnasium("SimpleSpeakerListener-v4", num_envs=2))
    observations = env.poll()[0]
    assert observations[1]["speaker_0"].shape == (3,)
    assert observations[1]["listener_0"].shape == (11,)
    sample = env.action_space_sample()
    assert 0 <= sample[0]["speaker_0"] < 3
    env.send_actions(sample)
    assert set(env.poll()[1][0]) == {"speaker_0", "listener_0"}
    alone = rllib.PoolMultiAgentEnv("SimpleSpeakerListener-v4")
    alone.reset(seed=1)
    assert set(alone.step(sample[0])[0]) == {"speaker_0", "listener_0"}
    with pytest.raises(ValueError, match=r"action_dict has actions of \['speaker_0'\]"):
        alone.step({"speaker_0": 0})


def test_shared_flags_and_infos_are_read_only_and_copy_to_dicts():
    env = convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=2))
    _, _, terminated, _, infos, _ = env.poll()
    for shared in (terminated[0], infos[0], infos[0]["agent0"]):
        with pytest.raises(TypeError, match="shared by all environments of the poll"):
            shared["x"] = 1
        with pytest.raises(TypeError, match="shared by all"):
            shared.update(x=1)
        for copied in (copy.copy(shared), copy.deepcopy(shared), pickle.loads(pickle.dumps(shared)), dict(shared)):
            assert type(copied) is dict
            assert copied == shared


@pytest.mark.parametrize("mode", list(gymnasium.vector.AutoresetMode))
def test_a_gymnasium_vector_equals_single_environments(mode):
    env = convert_to_base_env(gymnasium_vector(mode))
    observations, _ = env.try_reset(seed=3)
    assert observations[1]["agent0"][0] == np.random.default_rng(4).random()
    env.send_actions(actions(5, 6))
    assert env.poll()[1] == actions(5.0, 6.0)
    env.send_actions(actions(7, 8))
    observations, rewards, terminated, _, infos, _ = env.poll()
    assert (observations[0]["agent0"][0], rewards[0]["agent0"]) == (2.0, 7.0)
    assert terminated == {0: OVER, 1: FLAGS}
    assert infos[0]["agent0"] == {"action": 7}
    with pytest.raises(ValueError, match="environment 0 is already done"):
        env.send_actions(actions(0, 0))
    reset = env.try_reset(0)
    second_draw = np.random.default_rng(3).random(2)[1]
    if mode is gymnasium.vector.AutoresetMode.NEXT_STEP:
        assert reset == (rllib.ASYNC_RESET_RETURN,) * 2
        env.send_actions({1: {"agent0": 9}})
    else:
        assert reset[0][0]["agent0"][0] == second_draw
        env.send_actions(actions(8, 9))
    observations, rewards, _, _, _, _ = env.poll()
    assert rewards[1] == {"agent0": 9.0}
    if mode is gymnasium.vector.AutoresetMode.NEXT_STEP:
        assert observations[0]["agent0"][0] == second_draw
        assert rewards[0] == {"agent0": None}
    else:
        assert rewards[0] == {"agent0": 8.0}


def test_the_poll_steps_a_gymnasium_vector_with_only_restarts():
    env = convert_to_base_env(gymnasium_vector(gymnasium.vector.AutoresetMode.NEXT_STEP, num_envs=1, length=1))
    played(env, actions(1))
    env.try_reset(0)
    env.send_actions({})
    assert env.poll()[1] == {0: {"agent0": None}}


def test_a_gymnasium_vector_with_autoreset_refuses_single_seeds():
    env = convert_to_base_env(gymnasium_vector(gymnasium.vector.AutoresetMode.NEXT_STEP))
    env.poll()
    with pytest.raises(ValueError, match="under autoreset mode NEXT_STEP, single environments are reset without seed"):
        env.try_reset(0, seed=3)
    with pytest.raises(ValueError, match=r"no actions for environments \[1\]"):
        env.send_actions({0: {"agent0": 1}})
