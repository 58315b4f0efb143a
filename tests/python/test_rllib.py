"""envpool_rs.rllib without ray: conversions, polls, actions, resets, failures."""

import copy
import importlib
import os
import pickle
import subprocess
import sys
import textwrap
import threading
import time
import weakref

import envpool_rs
import gymnasium
import numpy as np
import pytest
from counters import Counter
from envpool_rs import rllib
from envpool_rs.pools import SingleEnv
from envpool_rs.rllib import convert_to_base_env
from rllib_environments import MultiAgentScript, Script, Talkers, TurnTakers, Visitors

FLAGS = {"agent0": False, "__all__": False}
OVER = {"agent0": True, "__all__": True}


def actions(*values):
    return {index: {"agent0": value} for index, value in enumerate(values)}


def counters(num_envs=2, **options):
    restart = options.pop("restart", False)
    strict = options.pop("strict", False)
    return convert_to_base_env(
        Counter(**options),
        lambda _: Counter(**options),
        num_envs,
        restart_failed_sub_environments=restart,
        strict_rllib=strict,
    )


def talkers(num_envs=2, **options):
    restart = options.pop("restart", False)
    strict = options.pop("strict", False)
    return convert_to_base_env(
        Talkers(**options),
        lambda _: Talkers(**options),
        num_envs,
        restart_failed_sub_environments=restart,
        strict_rllib=strict,
    )


def played(env, *steps):
    """Returns the last poll after some steps."""
    result = env.poll()
    for step in steps:
        env.send_actions(step)
        result = env.poll()
    return result


# --- single environments -------------------------------------------------------------------------------------------


def test_the_first_poll_resets_and_has_no_rewards():
    observations, rewards, terminated, truncated, infos, taken = counters().poll()
    assert set(observations) == {0, 1}
    assert all(list(each) == ["agent0"] for each in observations.values())
    assert rewards == {0: {"agent0": None}, 1: {"agent0": None}}
    assert terminated == truncated == {0: FLAGS, 1: FLAGS}
    assert infos == {0: {"agent0": {"options": None}}, 1: {"agent0": {"options": None}}}
    assert taken == {}


def test_strictly_as_rllib_the_first_rewards_are_zero_and_flags_are_of_all():
    _, rewards, terminated, truncated, _, _ = counters(strict=True).poll()
    assert rewards == {0: {"agent0": 0.0}, 1: {"agent0": 0.0}}
    assert terminated == truncated == {0: {"__all__": False}, 1: {"__all__": False}}


def test_a_poll_shows_what_the_step_returned():
    observations, rewards, terminated, truncated, infos, _ = played(counters(), actions(7, 8))
    assert observations == {0: {"agent0": np.array([1.0])}, 1: {"agent0": np.array([1.0])}}
    assert rewards == {0: {"agent0": 7.0}, 1: {"agent0": 8.0}}
    assert terminated == truncated == {0: FLAGS, 1: FLAGS}
    assert infos[1] == {"agent0": {"action": 8}}


def test_every_observation_is_polled_once():
    env = counters()
    env.poll()
    assert env.poll() == ({}, {}, {}, {}, {}, {})


def test_single_environments_may_be_sent_actions_alone():
    env = counters()
    env.poll()
    env.send_actions({1: {"agent0": 4}})
    assert env.poll()[1] == {1: {"agent0": 4.0}}


def test_a_done_environment_takes_no_actions_until_it_is_reset():
    env = counters(length=1)
    assert played(env, actions(0, 0))[2] == {0: OVER, 1: OVER}
    with pytest.raises(ValueError, match=r"environment 0 is already done.*try_reset\(0\)"):
        env.send_actions(actions(0, 0))
    observations, infos = env.try_reset(0)
    assert list(observations) == list(infos) == [0]
    env.send_actions({0: {"agent0": 5}})
    assert env.poll()[1] == {0: {"agent0": 5.0}}


def test_a_seed_for_all_is_counted_up_and_one_for_one_is_its_own():
    env = counters(3)
    everybody, _ = env.try_reset(seed=10)
    for index in range(3):
        alone, _ = env.try_reset(index, seed=10 + index)
        assert alone == {index: everybody[index]}
        assert alone[index]["agent0"][0] == np.random.default_rng(10 + index).random()


def test_without_a_seed_the_generators_go_on():
    env = counters(1)
    env.try_reset(seed=3)
    generator = np.random.default_rng(3)
    generator.random()
    assert env.try_reset()[0][0]["agent0"][0] == generator.random()


def test_options_reach_the_environment():
    assert counters().try_reset(1, options={"level": 2})[1] == {1: {"agent0": {"options": {"level": 2}}}}


def test_a_reset_before_the_first_poll_is_what_the_poll_shows():
    env = counters()
    observations, _ = env.try_reset(seed=1)
    shown = env.poll()
    assert shown[0] == observations
    assert shown[1] == {0: {"agent0": None}, 1: {"agent0": None}}


def test_a_reset_that_was_answered_is_not_polled_again():
    env = counters()
    env.try_reset()
    env.send_actions(actions(1, 2))
    assert env.poll()[1] == {0: {"agent0": 1.0}, 1: {"agent0": 2.0}}
    assert env.poll()[0] == {}


@pytest.mark.parametrize(
    ("sent", "error", "message"),
    [
        ({2: {"agent0": 0}}, IndexError, "key=2: expected an environment from 0 to 1"),
        ({-1: {"agent0": 0}}, IndexError, "key=-1"),
        ({"0": {"agent0": 0}}, IndexError, "key='0'"),
        ({0: 5}, TypeError, r"action_dict\[0\]=5: expected a dict"),
        ([0, 1], TypeError, r"action_dict=\[0, 1\]: expected a dict"),
        ({0: {}}, ValueError, r"action_dict\[0\] has actions of \[\]: expected one of 'agent0' alone"),
        ({0: {"agent1": 0}}, ValueError, r"actions of \['agent1'\]"),
        ({0: {"agent0": 0, "agent1": 0}}, ValueError, r"actions of \['agent0', 'agent1'\]"),
    ],
)
@pytest.mark.parametrize(
    "make", [counters, lambda: convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=2))]
)
def test_misplaced_actions_are_refused_and_nothing_is_played(make, sent, error, message):
    env = make()
    env.poll()
    if isinstance(env, rllib.PoolBaseEnv):
        message = message.replace("'agent0' alone", r"each of \['agent0'\]")
    with pytest.raises(error, match=message):
        env.send_actions(sent)
    env.send_actions(actions(0, 0))
    assert set(env.poll()[0]) == {0, 1}


def test_actions_out_of_turn_are_refused():
    env = counters()
    with pytest.raises(RuntimeError, match="environment 0 was not reset yet"):
        env.send_actions(actions(0, 0))
    env.poll()
    env.send_actions(actions(0, 0))
    with pytest.raises(RuntimeError, match="environment 0 has been sent actions already"):
        env.send_actions(actions(0, 0))


@pytest.mark.parametrize("make", [counters, talkers])
def test_resets_check_their_arguments(make):
    env = make()
    with pytest.raises(IndexError, match="env_id=2: expected an environment from 0 to 1"):
        env.try_reset(2)
    with pytest.raises(TypeError, match=r"seed=1\.5: expected an int or None"):
        env.try_reset(seed=1.5)
    with pytest.raises(ValueError, match="seed=-1: expected 0 or more"):
        env.try_reset(seed=-1)
    with pytest.raises(TypeError, match="options=3: expected a dict or None"):
        env.try_reset(options=3)


def test_last_has_what_was_returned_last_of_every_environment():
    env = counters(length=2)
    played(env, actions(1, 2))
    env.send_actions({1: {"agent0": 9}})
    env.poll()
    env.try_reset(1)
    observations, rewards, terminated, _, infos = env.last()
    assert rewards == {0: {"agent0": 1.0}, 1: {"agent0": None}}
    assert terminated == {0: FLAGS, 1: FLAGS}
    assert observations[0] == {"agent0": np.array([1.0])}
    assert infos[1] == {"agent0": {"options": None}}


def test_samples_cover_all_environments_and_the_agents_asked_for():
    env = counters(3)
    for sample, space in (
        (env.action_space_sample, Counter.action_space),
        (env.observation_space_sample, Counter.observation_space),
    ):
        for agents in (None, [], ["agent0"]):
            values = sample(agents)
            assert list(values) == [0, 1, 2]
            assert all(space.contains(each["agent0"]) for each in values.values())
    with pytest.raises(ValueError, match=r"agent_id contains 'x': expected agents among \['agent0'\]"):
        env.action_space_sample(["x"])


def test_sub_environments_come_as_list_and_as_dict():
    env = counters()
    environments = env.get_sub_environments()
    assert [type(each) for each in environments] == [Counter, Counter]
    assert env.get_sub_environments(as_dict=True) == dict(enumerate(environments))
    assert env.get_agent_ids() == {"agent0"}


def test_rendering_draws_one_or_all():
    env = counters()
    played(env, {0: {"agent0": 0}})
    assert env.try_render(0) == "picture 1"
    assert env.try_render() == {0: "picture 1", 1: "picture 0"}


def test_stopping_closes_all_environments_and_forbids_everything_else():
    env = counters()
    env.poll()
    environments = env.get_sub_environments()
    env.stop()
    env.stop()
    assert all(each.closed for each in environments)
    for call in (env.poll, env.try_reset, env.try_restart, lambda: env.send_actions({})):
        with pytest.raises(RuntimeError, match="is stopped"):
            call()


# --- failures ------------------------------------------------------------------------------------------------------


def test_an_exception_comes_as_it_was_and_costs_no_other_environment_its_step():
    env = counters()
    env.poll()
    with pytest.raises(ZeroDivisionError, match="broken by 666") as caught:
        env.send_actions(actions(666, 5))
    assert caught.value.__notes__ == ["raised by step() of environment 0"]
    assert env.poll()[1] == {1: {"agent0": 5.0}}
    assert list(env.try_reset(0)[0]) == [0]
    env.send_actions(actions(1, 2))
    assert env.poll()[1] == actions(1.0, 2.0)


def test_a_failed_environment_is_recreated_and_its_exception_polled():
    env = counters(restart=True)
    env.poll()
    broken = env.get_sub_environments()[0]
    env.send_actions(actions(666, 5))
    observations, _, terminated, truncated, infos, _ = env.poll()
    assert isinstance(observations[0], ZeroDivisionError)
    assert terminated[0] == truncated[0] == {"__all__": True}
    assert infos[0] == {}
    assert observations[1] == {"agent0": np.array([1.0])}
    assert broken.closed
    assert env.get_sub_environments()[0] is not broken
    assert list(env.try_reset(0)[0][0]) == ["agent0"]


@pytest.mark.parametrize("make", [Counter, Talkers])
def test_an_environment_that_always_fails_is_given_up(make):
    class Hopeless(make):
        def reset(self, *, seed=None, options=None):
            raise OSError("never")

    env = convert_to_base_env(Hopeless(), lambda _: Hopeless(), restart_failed_sub_environments=True)
    assert isinstance(env.poll()[0][0], OSError)
    with pytest.raises(RuntimeError, match="environment 0 failed 11 times in a row") as caught:
        for _ in range(20):
            assert isinstance(env.try_reset(0)[0][0], OSError)
    assert isinstance(caught.value.__cause__, OSError)


@pytest.mark.parametrize("make", [counters, talkers])
def test_a_restart_recreates_one_environment_or_all(make):
    env = make()
    env.poll()
    first, second = env.get_sub_environments()
    env.try_restart(0)
    assert env.get_sub_environments()[0] is not first
    assert env.get_sub_environments()[1] is second
    assert list(env.poll()[0]) == [0]
    env.try_restart()
    assert env.get_sub_environments()[1] is not second
    assert list(env.poll()[0]) == [0, 1]


def test_a_restart_without_make_env_is_refused():
    env = convert_to_base_env(Counter())
    with pytest.raises(ValueError, match="make_env=None: expected a function that makes the environment at index 0"):
        env.try_restart(0)


def test_steps_of_another_form_are_refused():
    class Old(Counter):
        def step(self, action):
            return super().step(action)[:4]

    env = convert_to_base_env(Old())
    env.poll()
    with pytest.raises(ValueError, match=r"step\(\) of environment 0 returned 4 values: expected observation, reward"):
        env.send_actions(actions(0))


# --- multi-agent environments --------------------------------------------------------------------------------------


def test_agents_get_what_the_environment_returned():
    env = talkers()
    first = env.poll()
    assert first[0] == {0: {"a": 0, "b": 0}, 1: {"a": 0, "b": 0}}
    assert first[1][0] == {"a": None, "b": None}
    assert first[2][0] == {"a": False, "b": False, "__all__": False}
    env.send_actions({0: {"a": 1, "b": 2}, 1: {"a": 3}})
    observations, rewards, terminated, truncated, infos, _ = env.poll()
    assert observations == {0: {"a": 1, "b": -1}, 1: {"a": 1, "b": -1}}
    assert rewards == {0: {"a": 1.0, "b": 2.0}, 1: {"a": 3.0, "b": 0.0}}
    assert terminated == truncated == {key: {"a": False, "b": False, "__all__": False} for key in (0, 1)}
    assert infos[0] == {"a": {}, "b": {}}


def test_strictly_as_rllib_agents_have_no_first_rewards_and_flags():
    env = talkers(strict=True)
    _, rewards, terminated, truncated, _, _ = env.poll()
    assert rewards == {0: {}, 1: {}}
    assert terminated == truncated == {0: {"__all__": False}, 1: {"__all__": False}}


def test_rewards_are_summed_until_the_agent_is_observed():
    env = convert_to_base_env(TurnTakers())
    assert env.poll()[0] == {0: {0: "first"}}
    env.send_actions({0: {0: "x"}})
    result = env.poll()
    assert result[0] == {0: {1: "next"}}
    assert result[1] == {0: {1: 10.0}}
    env.send_actions({0: {1: "x"}})
    assert env.poll()[1] == {0: {0: 2.0}}


def test_agents_that_are_not_ready_are_refused():
    env = convert_to_base_env(TurnTakers())
    env.poll()
    with pytest.raises(ValueError, match=r"action_dict\[0\] has an action of 1: expected agents among \[0\]"):
        env.send_actions({0: {1: "x"}})


def test_agents_come_and_go():
    env = convert_to_base_env(Visitors())
    env.poll()
    env.send_actions({0: {"visitor_0": 1}})
    observations, rewards, terminated, _, _, _ = env.poll()
    assert observations == {0: {"visitor_0": -1, "visitor_1": 1}}
    assert rewards == {0: {"visitor_0": 5.0, "visitor_1": None}}
    assert terminated == {0: {"visitor_0": True, "visitor_1": False, "__all__": False}}
    with pytest.raises(ValueError, match="action of 'visitor_0': this agent is done"):
        env.send_actions({0: {"visitor_0": 1}})
    env.send_actions({0: {"visitor_1": 1}})
    env.poll()
    assert env.get_agent_ids() == {"visitor_0", "visitor_1", "visitor_2"}


def test_multi_agent_seeds_are_counted_up():
    env = talkers(3)
    env.try_reset(seed=5)
    assert [each.seed for each in env.get_sub_environments()] == [5, 6, 7]
    assert list(env.try_reset(1, seed=5)[0]) == [1]
    assert env.get_sub_environments()[1].seed == 5


def test_a_failure_among_many_agents_is_raised_or_polled():
    env = talkers(fail_at=1)
    env.poll()
    with pytest.raises(ZeroDivisionError, match="broken"):
        env.send_actions({0: {"a": 1, "b": 1}})
    env = talkers(fail_at=1, restart=True)
    env.poll()
    env.send_actions({0: {"a": 1, "b": 1}})
    observations, rewards, terminated, truncated, infos, _ = env.poll()
    assert isinstance(observations[0], ZeroDivisionError)
    assert (rewards, infos) == ({0: {}}, {0: {}})
    assert terminated == truncated == {0: {"__all__": True}}
    assert env.try_reset(0)[0] == {0: {"a": 0, "b": 0}}


def test_samples_have_every_agents_own_space():
    env = talkers()
    assert set(env.action_space_sample()[1]) == {"a", "b"}
    assert set(env.action_space_sample(["b"])[1]) == {"b"}
    assert all(0 <= each["a"] < 100 for each in env.observation_space_sample(["a"]).values())


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (({}, {}, {}), "expected dicts of observations"),
        ((5, {}, {}, {}, {}), "returned the observations 5: expected a dict by agents"),
        (({}, {}, {}, {"__all__": False}, {}), "returned the terminated flags {}: expected one for '__all__'"),
        (({}, {}, {"__all__": False}, {}, {}), "returned the truncated flags {}: expected one for '__all__'"),
        (({}, {}, {"__all__": False}, {"__all__": False}, {"x": {}}), r"returned infos of \['x'\]"),
    ],
)
def test_multi_agent_steps_of_another_form_are_refused(result, message):
    class Odd(Talkers):
        def step(self, action_dict):
            return result

    env = convert_to_base_env(Odd())
    env.poll()
    with pytest.raises(ValueError, match=message):
        env.send_actions({0: {"a": 1, "b": 1}})


# --- RLlib's vectors -----------------------------------------------------------------------------------------------


class Doubles(rllib.VectorEnv):
    """Vector that steps all environments at once."""

    def __init__(self):
        super().__init__(Counter.observation_space, Counter.action_space, 2)
        self.seeds = None

    def vector_reset(self, *, seeds=None, options=None):
        self.seeds = seeds
        return [0, 0], [{}, {}]

    def reset_at(self, index=None, *, seed=None, options=None):
        return -1, {"seed": seed}

    def vector_step(self, actions):
        return [2 * action for action in actions], [1.0, 2.0], [False, True], [False, False], [{}, {}]


def test_a_vector_needs_all_actions():
    env = convert_to_base_env(Doubles(), num_envs=2)
    env.poll()
    with pytest.raises(ValueError, match=r"no actions for environments \[1\]: Doubles steps all 2 at once"):
        env.send_actions({0: {"agent0": 1}})
    env.send_actions(actions(1, 2))
    assert env.poll()[0] == actions(2, 4)
    assert env.try_reset(1, seed=4) == ({1: {"agent0": -1}}, {1: {"agent0": {"seed": 4}}})


def test_a_vectors_seeds_are_counted_up():
    vector = Doubles()
    vector.to_base_env().try_reset(seed=7)
    assert vector.seeds == [7, 8]


def test_a_vector_of_gymnasium_environments_steps_by_lists():
    vector = rllib.VectorEnv.vectorize_gym_envs(lambda _: Counter(), num_envs=3)
    observations, _ = vector.vector_reset(seeds=[1, 2, 3])
    assert [each[0] for each in observations] == [np.random.default_rng(seed).random() for seed in (1, 2, 3)]
    observations, rewards, terminated, truncated, infos = vector.vector_step([4, 5, 6])
    assert rewards == [4.0, 5.0, 6.0]
    assert terminated == truncated == [False] * 3
    assert infos[2] == {"action": 6}
    with pytest.raises(ValueError, match="actions has 2 entries: expected num_envs=3"):
        vector.vector_step([1, 2])


# --- pools ---------------------------------------------------------------------------------------------------------

POOLS = [envpool_rs.make_gymnasium, envpool_rs.make_vec]
MODES = ["next_step", "same_step", "disabled"]


@pytest.mark.parametrize("make", POOLS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task_id", ["CartPole-v1", "Taxi-v3", "Blackjack-v1", "Pendulum-v1"])
def test_a_pool_plays_as_single_environments_do(make, mode, task_id):
    """Every value of every poll and reset equals those of the environments converted one by one."""
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
    """Asserts equal dicts; EnvPool's interface has fewer infos and other dtypes."""
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


def test_a_pools_environments_may_be_sent_actions_alone():
    env = convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=4))
    env.poll()
    env.send_actions({3: {"agent0": 1}, 1: {"agent0": 0}})
    assert set(env.poll()[0]) == {1, 3}
    with pytest.raises(RuntimeError, match="environment 1 has been sent actions already"):
        env.send_actions({1: {"agent0": 0}})
        env.send_actions({1: {"agent0": 0}})
    env.send_actions({0: {"agent0": 0}})
    assert set(env.poll()[0]) == {0, 1}


def test_a_pool_refuses_an_action_by_name_and_plays_nothing():
    env = convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=2))
    env.poll()
    for value in (2, 0.5, np.nan, "left", None, [0, 1]):
        with pytest.raises((ValueError, TypeError), match="action"):
            env.send_actions(actions(0, value))
    env.send_actions(actions(0, 1))
    assert set(env.poll()[0]) == {0, 1}


def test_a_failed_environment_of_a_pool_costs_no_other_its_row():
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


def test_an_asynchronous_pool_is_polled_by_batches():
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


def test_players_with_spaces_of_their_own_keep_their_names():
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


def test_shared_flags_and_infos_refuse_to_be_written_to_and_copy_to_plain_dicts():
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


# --- gymnasium's vectors -------------------------------------------------------------------------------------------


def gymnasium_vector(mode, num_envs=2, length=2):
    return gymnasium.vector.SyncVectorEnv(
        [lambda index=index: Counter(length + index) for index in range(num_envs)],
        autoreset_mode=mode,
    )


@pytest.mark.parametrize("mode", list(gymnasium.vector.AutoresetMode))
def test_a_gymnasium_vector_plays_as_single_environments_do(mode):
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


def test_a_gymnasium_vector_where_all_restart_is_stepped_by_the_poll():
    env = convert_to_base_env(gymnasium_vector(gymnasium.vector.AutoresetMode.NEXT_STEP, num_envs=1, length=1))
    played(env, actions(1))
    env.try_reset(0)
    env.send_actions({})
    assert env.poll()[1] == {0: {"agent0": None}}


def test_a_gymnasium_vector_that_resets_by_itself_takes_no_single_seeds():
    env = convert_to_base_env(gymnasium_vector(gymnasium.vector.AutoresetMode.NEXT_STEP))
    env.poll()
    with pytest.raises(ValueError, match="under autoreset mode NEXT_STEP, single environments are reset without seed"):
        env.try_reset(0, seed=3)
    with pytest.raises(ValueError, match=r"no actions for environments \[1\]"):
        env.send_actions({0: {"agent0": 1}})


# --- external environments -----------------------------------------------------------------------------------------


def stopped_after(env):
    """Stops the environment at the end of a with statement."""

    class Stopped:
        def __enter__(self):
            return env

        def __exit__(self, *_):
            env.stop()

    return Stopped()


def one_episode(env):
    episode = env.start_episode("first")
    env.notes.append(env.get_action(episode, [0.1]))
    env.log_returns(episode, 1.0, info={"a": 1})
    env.log_returns(episode, 2)
    env.notes.append(env.get_action(episode, [0.2]))
    env.log_returns(episode, 5)
    env.end_episode(episode, [0.3])
    while True:
        time.sleep(0.01)
        env.start_episode()


def test_an_external_environment_asks_for_actions():
    script = Script(one_episode)
    with stopped_after(convert_to_base_env(script)) as env:
        assert env.poll() == (
            {"first": {"agent0": [0.1]}},
            {"first": {"agent0": None}},
            {"first": FLAGS},
            {"first": FLAGS},
            {"first": {"agent0": {}}},
            {},
        )
        env.send_actions({"first": {"agent0": 3}})
        result = env.poll()
        assert result[1] == {"first": {"agent0": 3.0}}
        assert result[4] == {"first": {"agent0": {"a": 1}}}
        env.send_actions({"first": {"agent0": 4}})
        result = env.poll()
        assert result[:3] == ({"first": {"agent0": [0.3]}}, {"first": {"agent0": 5.0}}, {"first": OVER})
        assert script.notes == [3, 4]
        assert env.try_reset("first") == (rllib.ASYNC_RESET_RETURN,) * 2
        with pytest.raises(ValueError, match="key='first': expected open episodes"):
            env.send_actions({"first": {"agent0": 4}})


def test_logged_actions_are_polled_and_need_no_answer():
    def script(env):
        episode = env.start_episode("log", training_enabled=False)
        env.log_action(episode, [0.1], 7)
        env.log_returns(episode, 1)
        env.log_action(episode, [0.2], 8)
        env.end_episode(episode, [0.3])

    with stopped_after(convert_to_base_env(Script(script))) as env:
        result = env.poll()
        assert result[5] == {"log": {"agent0": 7}}
        assert result[4] == {"log": {"agent0": {"training_enabled": False}}}
        env.send_actions({})
        assert env.poll()[5] == {"log": {"agent0": 8}}
        env.send_actions({"log": {"agent0": 1}})
        assert env.poll()[2] == {"log": OVER}


def test_the_death_of_the_thread_is_an_error_after_all_was_polled():
    def script(env):
        episode = env.start_episode("short")
        env.log_action(episode, [0.1], 7)
        raise OSError("the robot fell over")

    env = convert_to_base_env(Script(script))
    assert list(env.poll()[0]) == ["short"]
    with pytest.raises(RuntimeError, match=r"the thread of Script has ended: its run\(\) raised OSError") as caught:
        env.poll()
    assert isinstance(caught.value.__cause__, OSError)


def test_a_run_that_returns_is_an_error_too():
    env = convert_to_base_env(Script(lambda env: None))
    with pytest.raises(RuntimeError, match=r"its run\(\) returned"):
        env.poll()


def test_a_poll_that_could_only_wait_for_ever_is_an_error():
    with stopped_after(convert_to_base_env(Script(one_episode))) as env:
        env.poll()
        with pytest.raises(RuntimeError, match=r"waits for actions of episodes \['first'\].*send_actions first"):
            env.poll()
        env.send_actions({"first": {"agent0": 3}})
        assert env.poll()[1] == {"first": {"agent0": 3.0}}


def test_several_episodes_play_in_threads_of_their_own():
    def play(env, name):
        episode = env.start_episode(name)
        for _ in range(20):
            env.log_returns(episode, env.get_action(episode, [0.0]))
        env.end_episode(episode, [0.0])

    def script(env):
        threads = [threading.Thread(target=play, args=(env, f"episode {index}")) for index in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

    total = dict.fromkeys((f"episode {index}" for index in range(3)), 0.0)
    with stopped_after(convert_to_base_env(Script(script))) as env:
        over = set()
        while len(over) < 3:
            _, rewards, terminated, _, _, _ = env.poll()
            for name, reward in rewards.items():
                total[name] += reward["agent0"] or 0.0
            over |= {name for name, flags in terminated.items() if flags["__all__"]}
            env.send_actions({name: {"agent0": 2} for name in rewards if name not in over})
    assert total == dict.fromkeys(total, 40.0)


def test_stopping_ends_the_thread():
    script = Script(one_episode)
    env = convert_to_base_env(script)
    env.poll()
    env.stop()
    assert not script.is_alive()
    with pytest.raises(RuntimeError, match="is stopped"):
        env.poll()


def test_external_episodes_check_their_arguments():
    script = Script(one_episode)
    assert script.start_episode("x") == "x"
    with pytest.raises(ValueError, match="'x': this episode has already started"):
        script.start_episode("x")
    with pytest.raises(ValueError, match="'y': no such episode was started"):
        script.get_action("y", [0.0])
    with pytest.raises(TypeError, match="reward='lots': expected a number"):
        script.log_returns("x", "lots")
    script.end_episode("x", [0.0])
    with pytest.raises(ValueError, match="'x': this episode has already completed"):
        script.log_returns("x", 1.0)
    with pytest.raises(ValueError, match="num_envs=2: expected 1"):
        convert_to_base_env(script, num_envs=2)


def test_an_external_environment_is_converted_once():
    script = Script(lambda env: None)
    convert_to_base_env(script)
    with pytest.raises(RuntimeError, match="Script was converted before"):
        convert_to_base_env(script)


def test_external_agents_act_apart():
    def script(env):
        episode = env.start_episode("game")
        env.notes.append(env.get_action(episode, {"a": 1, "b": 2}))
        env.log_returns(episode, {"a": 1.0}, {"a": {"x": 1}}, {"b": True})
        env.log_returns(episode, {"a": 2.0, "b": 4.0})
        env.notes.append(env.get_action(episode, {"a": 3}))
        env.end_episode(episode, {"a": 5})

    external = MultiAgentScript(script)
    with stopped_after(convert_to_base_env(external)) as env:
        assert env.poll()[1] == {"game": {"a": None, "b": None}}
        env.send_actions({"game": {"a": 7}})
        observations, rewards, terminated, _, infos, _ = env.poll()
        assert observations == {"game": {"a": 3}}
        assert rewards == {"game": {"a": 3.0, "b": 4.0}}
        assert terminated == {"game": {"a": False, "b": True, "__all__": False}}
        assert infos == {"game": {"a": {"x": 1}}}
        with pytest.raises(ValueError, match=r"\['z'\]: expected agents \['a'\]"):
            env.send_actions({"game": {"z": 1}})
        env.send_actions({"game": {"a": 8}})
        assert env.poll()[2]["game"]["__all__"] is True
        assert external.notes == [{"a": 7}, {"a": 8}]
        assert env.get_agent_ids() == {"a", "b"}


# --- conversions ---------------------------------------------------------------------------------------------------


def test_what_is_converted_already_stays_as_it_is():
    env = counters()
    assert convert_to_base_env(env) is env
    assert env.to_base_env() is env


def test_kinds_convert_to_their_own_classes():
    for env, kind in (
        (Counter(), rllib.VectorEnvWrapper),
        (Doubles(), rllib.VectorEnvWrapper),
        (Talkers(), rllib.MultiAgentEnvWrapper),
        (envpool_rs.make_gymnasium("CartPole-v1"), rllib.PoolBaseEnv),
        (envpool_rs.make_vec("CartPole-v1"), rllib.PoolBaseEnv),
        (gymnasium_vector(gymnasium.vector.AutoresetMode.NEXT_STEP), rllib.GymnasiumBaseEnv),
    ):
        assert type(convert_to_base_env(env)) is kind
        assert isinstance(convert_to_base_env(env), rllib.BaseEnv)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"env": 5}, TypeError, "env is a int: expected a gymnasium.Env"),
        ({"num_envs": 0}, ValueError, "num_envs=0: expected 1 or more"),
        ({"num_envs": 1.5}, TypeError, r"num_envs=1\.5: expected an int"),
        ({"num_envs": 2}, ValueError, "make_env=None: expected a function that makes the environment at index 1"),
        ({"make_env": 3}, TypeError, "make_env=3: expected a function"),
        ({"remote_envs": 1}, TypeError, "remote_envs=1: expected a bool"),
        ({"remote_envs": True}, ValueError, "remote_envs=True with num_envs=1"),
        (
            {"remote_env_batch_wait_ms": -1},
            ValueError,
            "remote_env_batch_wait_ms=-1: expected a number of milliseconds, 0 or more",
        ),
        ({"remote_env_batch_wait_ms": "1"}, TypeError, "remote_env_batch_wait_ms='1': expected a number"),
        ({"policy_config": 1}, TypeError, "policy_config=1: expected a dict or None"),
        (
            {"env": envpool_rs.make_gymnasium("CartPole-v1", num_envs=2), "num_envs": 3},
            ValueError,
            "num_envs=3: expected 2",
        ),
        (
            {"env": envpool_rs.make_gymnasium("CartPole-v1", num_envs=2), "num_envs": 2, "remote_envs": True},
            ValueError,
            "remote_envs=True for a GymnasiumEnvPool: expected a single environment",
        ),
    ],
)
def test_conversions_check_their_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        convert_to_base_env(**{"env": Counter(), **arguments})


def test_make_env_must_make_environments_of_the_same_kind():
    with pytest.raises(TypeError, match="environment 1 is a Counter: expected a MultiAgentEnv"):
        convert_to_base_env(Talkers(), lambda _: Counter(), 2)


@pytest.mark.skipif(rllib.uses_ray, reason="ray is installed")
def test_without_ray_remote_environments_name_the_extra():
    with pytest.raises(ImportError, match=r"pip install 'envpool_rs\[ray\]'"):
        convert_to_base_env(Counter(), lambda _: Counter(), 2, remote_envs=True)


def test_an_old_ray_is_reported_and_not_used(tmp_path):
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "__init__.py").write_text("__version__ = '2.40.0'\ninit = None\n")
    code = """
        import warnings
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            from envpool_rs.rllib import BaseEnv, uses_ray
        texts = [str(each.message) for each in told]
        assert any("ray 2.40.0 is installed: envpool_rs.rllib needs 2.50 or later" in text for text in texts), texts
        assert not uses_ray and BaseEnv.__mro__[1:] == (object,)
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, timeout=60, env=environment)


WHOLE_RAY = "__version__ = '2.60.0'\ninit = None"
BROKEN_RAY = {
    "its own import": ("import a_shared_library_of_rays", ""),
    "a name of its own": ("from os import no_such_name", ""),
    "RLlib's own module": (WHOLE_RAY, "import ray.rllib.no_such_module"),
    "a name of RLlib's": (WHOLE_RAY, "from os import no_such_name"),
}


@pytest.mark.parametrize("fault", BROKEN_RAY)
def test_a_broken_ray_is_not_taken_for_a_missing_one(fault, tmp_path):
    outcome = imported_with(tmp_path, *BROKEN_RAY[fault])
    last = outcome.stderr.strip().splitlines()[-1]
    assert outcome.returncode == 1 and ("No module named" in last or "cannot import name 'no_such_name'" in last)


def test_ray_without_the_requirements_of_rllib_is_done_without(tmp_path):
    outcome = imported_with(tmp_path, WHOLE_RAY, "import a_requirement_of_rllibs")
    assert (outcome.returncode, outcome.stdout) == (0, "False\n"), outcome.stderr


def imported_with(folder, ray, base_env):
    """Returns the outcome of `import envpool_rs.rllib` with the given modules of ray and RLlib."""
    modules = folder / "ray" / "rllib" / "env"
    modules.mkdir(parents=True)
    (folder / "ray" / "__init__.py").write_text(f"{ray}\n")
    for each in (modules, modules.parent):
        (each / "__init__.py").touch()
    (modules / "base_env.py").write_text(f"{base_env}\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    code = "from envpool_rs import rllib; print(rllib.uses_ray)"
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=False, timeout=120, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize("needs_ray", ["envpool_rs.ray.cluster", "envpool_rs.rllib.rllib_types"])
def test_what_a_broken_ray_says_reaches_who_needs_it(needs_ray, tmp_path, monkeypatch):
    module = importlib.import_module(needs_ray)
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "ray"]:
        monkeypatch.delitem(sys.modules, name)
    (tmp_path / "ray.py").write_text("import a_shared_library_of_rays\n")
    with pytest.raises(ModuleNotFoundError, match="'a_shared_library_of_rays'"):
        module.import_ray()


def test_importing_envpool_rs_imports_no_ray():
    code = "import sys, envpool_rs, envpool_rs.rllib; assert 'ray' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


# --- environments written in Python --------------------------------------------------------------------------------


class Unusual(Counter):
    """Counter with texts and dicts instead of arrays."""

    observation_space = gymnasium.spaces.Dict(
        {"count": gymnasium.spaces.Discrete(100), "word": gymnasium.spaces.Text(9)}
    )
    action_space = gymnasium.spaces.Dict({"left": gymnasium.spaces.Discrete(5), "right": gymnasium.spaces.Box(-1, 1)})

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return {"count": 0, "word": "zero"}, {}

    def step(self, action):
        _, _, terminated, truncated, _ = super().step(0)
        return {"count": self.steps, "word": "w" * self.steps}, float(action["left"]), terminated, truncated, {}


@pytest.mark.parametrize("mode", MODES)
def test_a_pool_of_python_environments_plays_as_single_environments_do(mode):
    env = convert_to_base_env(envpool_rs.make_python([Counter] * 2, num_workers=1, autoreset_mode=mode))
    single = counters()
    try:
        for each in (env, single):
            each.try_reset(seed=2)
        assert env.poll()[0] == {k: {"agent0": np.float32(v["agent0"])} for k, v in single.poll()[0].items()}
        for value in range(7):
            for each in (env, single):
                each.send_actions(actions(value, value + 1))
            ours, theirs = env.poll(), single.poll()
            assert ours[:4] == theirs[:4]
            if ours[2][0]["__all__"]:
                started = [each.try_reset(index)[0] for index in (0, 1) for each in (env, single)]
                assert started[0][0]["agent0"] == np.float32(started[1][0]["agent0"])
        assert set(env.try_render()) == {0, 1}
    finally:
        env.stop()


def test_python_environments_of_unusual_spaces_are_polled_as_they_are():
    env = convert_to_base_env(envpool_rs.make_python([Unusual] * 2, num_workers=1))
    try:
        assert env.poll()[0][1] == {"agent0": {"count": 0, "word": "zero"}}
        sent = env.action_space_sample()
        env.send_actions(sent)
        observations, rewards, *_ = env.poll()
        assert observations[1] == {"agent0": {"count": 1, "word": "w"}}
        assert rewards[1] == {"agent0": float(sent[1]["agent0"]["left"])}
        with pytest.raises(ValueError, match="action"):
            env.send_actions({0: {"agent0": {"left": 0}}})
    finally:
        env.stop()


@pytest.mark.parametrize("make", ["make_python", "SubprocVectorEnv", "DummyVectorEnv"])
def test_an_exception_of_a_python_environment_costs_no_other_its_step(make):
    from envpool_rs import vector

    if make == "make_python":
        env = convert_to_base_env(envpool_rs.make_python([Counter] * 2, num_workers=1))
    else:
        env = convert_to_base_env(getattr(vector, make)([Counter] * 2))
    try:
        env.poll()
        with pytest.raises(ZeroDivisionError, match="broken by 666"):
            env.send_actions(actions(666, 5))
        assert env.poll()[1] == {1: {"agent0": 5.0}}
        with pytest.raises(ValueError, match="environment 0 is already done"):
            env.send_actions({0: {"agent0": 1}})
        env.try_reset(0)
        env.send_actions(actions(1, 2))
        assert env.poll()[1] == actions(1.0, 2.0)
    finally:
        env.stop()


@pytest.mark.parametrize("options", [{}, {"return_truncated": True}, {"wait_num": 1}])
def test_the_vector_family_plays_as_single_environments_do(options):
    from envpool_rs.vector import DummyVectorEnv

    env = convert_to_base_env(DummyVectorEnv([Counter] * 2, **options))
    single = counters()
    assert env.try_reset(seed=2) == single.try_reset(seed=2)
    for value in range(3):
        for each in (env, single):
            each.send_actions(actions(value, value + 1))
        theirs = single.poll()
        ours = ({}, {}, {}, {}, {}, {})
        while len(ours[0]) < 2:
            for part, values in zip(ours, env.poll(), strict=True):
                part.update(values)
        assert ours[:4] == theirs[:4]
        assert {k: v["agent0"]["action"] for k, v in ours[4].items()} == {0: value, 1: value + 1}
    assert ours[2] == {0: OVER, 1: OVER}
    assert env.try_reset(1, seed=9) == single.try_reset(1, seed=9)
    assert env.action_space == Counter.action_space
    env.stop()


def test_integers_are_taken_out_of_dicts_the_quick_way_or_not_at_all():
    from envpool_rs._core import only_actions

    taken = only_actions({0: {"agent0": 3}, 1: {"agent0": np.int64(4)}}, "agent0", [0, 1])
    assert taken.dtype == np.int64
    assert taken.tolist() == [3, 4]
    for odd in (
        {1: {"agent0": 3}, 0: {"agent0": 4}},
        {0: {"agent0": 3}},
        {0: {"agent0": 3}, True: {"agent0": 4}},
        {0: {"agent0": 3}, 1: {"agent0": 4.0}},
        {0: {"agent0": 3}, 1: {"agent0": 2**63}},
        {0: {"agent0": 3}, 1: {"agent1": 4}},
        {0: {"agent0": 3}, 1: {"agent0": 4, "agent1": 5}},
        {0: {"agent0": 3}, 1: 4},
        [{"agent0": 3}, {"agent0": 4}],
        None,
    ):
        assert only_actions(odd, "agent0", [0, 1]) is None


def test_arrays_are_taken_out_of_dicts_the_quick_way_or_not_at_all():
    from envpool_rs._core import only_action_arrays

    first, second = np.array([[1, 2], [3, 4]], np.float32), np.array([[5, 6], [7, 8]], np.float32)
    taken = only_action_arrays({0: {"agent0": first}, 1: {"agent0": second}}, "agent0", [0, 1], (2, 2))
    np.testing.assert_array_equal(taken, np.stack([first, second]), strict=True)
    bytes_ = np.frombuffer(b"x" + second.tobytes(), np.uint8)[1:]
    for odd in (
        second.T,
        second.astype(np.float64),
        second.astype(">f4"),
        second[0],
        second.reshape(4),
        bytes_.view(np.float32).reshape(2, 2),  # not aligned
        second.tolist(),
        5.0,
    ):
        assert only_action_arrays({0: {"agent0": first}, 1: {"agent0": odd}}, "agent0", [0, 1], (2, 2)) is None
    assert only_action_arrays({1: {"agent0": first}}, "agent0", [0], (2, 2)) is None


def test_observations_that_are_referenced_are_never_written_to_again():
    pool, same = (envpool_rs.make_gymnasium("CartPole-v1", num_envs=20, seed=4) for _ in range(2))
    env = convert_to_base_env(pool)
    kept = []
    holds = [
        lambda polled: polled,
        lambda polled: polled[0],
        lambda polled: polled[0][3],
        lambda polled: polled[0][3]["agent0"],
        lambda polled: polled[0][3]["agent0"][1:3],
        lambda polled: polled[0][3]["agent0"].base,
        lambda polled: memoryview(polled[0][3]["agent0"]),
        lambda polled: polled[0][3].items(),
        lambda polled: weakref.ref(polled[0][3]["agent0"]),
        lambda polled: setattr(polled[0][3]["agent0"], "shape", (2, 2)),
        lambda polled: polled[0][3]["agent0"].setflags(write=False),
        lambda polled: polled[0][3].update(other=1),
        lambda polled: polled[0][3].clear(),
        lambda polled: polled[0].clear(),
        lambda polled: polled[0][3].update(agent0=np.zeros(4, np.float32)),
        lambda polled: polled[0][3]["agent0"].fill(7),
    ]
    actions = {index: {"agent0": index % 2} for index in range(20)}
    rng = np.random.default_rng(0)
    expected = same.reset()[0]
    for turn in range(400):
        polled = env.poll()
        observations = {index: {"agent0": row} for index, row in enumerate(expected)}
        assert list(polled[0]) == list(range(20))
        for index in range(20):
            assert list(polled[0][index]) == ["agent0"]
            row = polled[0][index]["agent0"]
            np.testing.assert_array_equal(row, observations[index]["agent0"], strict=True)
            assert row.flags.writeable
        if turn % 3 == 0:
            held = holds[rng.integers(len(holds))](polled)
            kept.append((held, copy.deepcopy(held) if isinstance(held, (tuple, dict, np.ndarray)) else None))
        if turn % 50 == 0:
            kept = kept[-5:]
        for held, as_it_was in kept:
            if as_it_was is not None:
                np.testing.assert_equal(held, as_it_was)
        over = [index for flags in polled[2:4] for index, flag in flags.items() if flag["__all__"]]
        del polled, observations, row
        for index in over:
            np.testing.assert_array_equal(env.try_reset(index)[0][index]["agent0"], same.reset(np.array([index]))[0][0])
        env.send_actions(actions)
        expected = same.step(np.arange(20) % 2)[0].copy()
    env.stop()
    same.close()


def test_observations_that_are_not_referenced_are_made_of_the_same_arrays_again():
    env = convert_to_base_env(envpool_rs.make_gymnasium("MountainCar-v0", num_envs=20))
    env.poll()
    arrays = set()
    for _ in range(9):
        env.send_actions({index: {"agent0": 0} for index in range(20)})
        arrays.add(id(env.poll()[0][7]["agent0"]))
    assert len(arrays) == 1
    env.stop()


def test_rows_of_anything_but_numbers_are_refused():
    from envpool_rs._core import AgentRows

    for batch in (np.zeros((2, 3), object), np.zeros(2), np.zeros((3, 2))):
        with pytest.raises(ValueError, match="expected 2 rows of arrays of numbers"):
            AgentRows([0, 1], "agent0", batch)
    rows = AgentRows([0, 1], "agent0", np.zeros((2, 3)))
    for other in (np.zeros((2, 4)), np.zeros((2, 3), np.float32), np.zeros((3, 2)).T, np.zeros(2)):
        assert rows.shown(other) is None
    shown = rows.shown(np.ones((2, 3)))
    assert shown[1]["agent0"].tolist() == [1.0] * 3
    assert rows.shown(np.ones((2, 3))) is None
    del shown
    assert rows.shown(np.ones((2, 3))) is not None


@pytest.mark.parametrize("kind", ["array", "list", "float64"])
def test_actions_of_every_form_that_numpy_takes_are_played(kind):
    forms = {"array": np.float32, "float64": np.float64}
    pool, same = (envpool_rs.make_gymnasium("Pendulum-v1", num_envs=3, seed=4) for _ in range(2))
    env = convert_to_base_env(pool)
    env.poll()
    same.reset()
    torques = [[0.5], [-1.0], [2.0]]
    values = torques if kind == "list" else [np.array(torque, forms[kind]) for torque in torques]
    env.send_actions({index: {"agent0": value} for index, value in enumerate(values)})
    observations, rewards, *_ = env.poll()
    expected = same.step(np.array(torques, np.float32))
    assert [rewards[index]["agent0"] for index in range(3)] == expected[1].tolist()
    np.testing.assert_array_equal([observations[index]["agent0"] for index in range(3)], expected[0])
    env.stop()
    same.close()


def test_rewards_that_differ_from_the_usual_one_are_returned_for_every_agent():
    from envpool_rs.rllib.pool_values import PoolValues

    with envpool_rs.make_gymnasium("CartPole-v1", num_envs=1) as pool:
        values = PoolValues(pool.spec, 40, False, False)
    ids = list(range(40))
    for odd in ([], [0], [1], [2], [0, 1], [39], [3, 7, 11], list(range(0, 40, 2))):
        reward = np.ones(40)
        reward[odd] = -2.5
        reported = values._rewards(values.all_envs, reward)
        assert reported == {index: {"agent0": -2.5 if index in odd else 1.0} for index in ids}
        some = values._rewards([30, 4, 8], reward[[30, 4, 8]])
        assert some == {index: {"agent0": float(reward[index])} for index in (30, 4, 8)}
    assert np.isnan(values._rewards(values.all_envs, np.full(40, np.nan))[3]["agent0"])
    assert str(values._rewards(values.all_envs, np.array([0.0] * 39 + [-0.0]))[39]["agent0"]) == "-0.0"
    assert values._rewards([5], np.array([3.0])) == {5: {"agent0": 3.0}}
    assert values._rewards([], np.empty(0)) == {}


def test_an_integer_that_changes_the_actions_while_they_are_read_does_no_harm():
    from envpool_rs._core import only_actions

    class Meddler:
        def __index__(self):
            sent.clear()
            return 1

    sent = {0: {"agent0": Meddler()}, 1: {"agent0": 1}}
    assert only_actions(sent, "agent0", [0, 1]).tolist() == [1, 1]
