"""Tests `envpool_rs.rllib` without ray: conversions, polls, actions, resets, failures."""

import envpool_rs
import numpy as np
import pytest
from counters import Counter
from envpool_rs import rllib
from envpool_rs.rllib import convert_to_base_env
from rllib_cases import FLAGS, OVER, actions, counters, played, talkers
from rllib_environments import Talkers


def test_the_first_poll_resets_and_has_no_rewards():
    observations, rewards, terminated, truncated, infos, taken = counters().poll()
    assert set(observations) == {0, 1}
    assert all(list(each) == ["agent0"] for each in observations.values())
    assert rewards == {0: {"agent0": None}, 1: {"agent0": None}}
    assert terminated == truncated == {0: FLAGS, 1: FLAGS}
    assert infos == {0: {"agent0": {"options": None}}, 1: {"agent0": {"options": None}}}
    assert taken == {}


def test_strict_first_polls_have_zero_rewards_and_flags_for_all():
    _, rewards, terminated, truncated, _, _ = counters(strict=True).poll()
    assert rewards == {0: {"agent0": 0.0}, 1: {"agent0": 0.0}}
    assert terminated == truncated == {0: {"__all__": False}, 1: {"__all__": False}}


def test_a_poll_returns_the_results_of_the_step():
    observations, rewards, terminated, truncated, infos, _ = played(counters(), actions(7, 8))
    assert observations == {0: {"agent0": np.array([1.0])}, 1: {"agent0": np.array([1.0])}}
    assert rewards == {0: {"agent0": 7.0}, 1: {"agent0": 8.0}}
    assert terminated == truncated == {0: FLAGS, 1: FLAGS}
    assert infos[1] == {"agent0": {"action": 8}}


def test_every_observation_is_polled_once():
    env = counters()
    env.poll()
    assert env.poll() == ({}, {}, {}, {}, {}, {})


def test_actions_may_be_sent_to_single_environments():
    env = counters()
    env.poll()
    env.send_actions({1: {"agent0": 4}})
    assert env.poll()[1] == {1: {"agent0": 4.0}}


def test_a_finished_environment_refuses_actions_until_its_reset():
    env = counters(length=1)
    assert played(env, actions(0, 0))[2] == {0: OVER, 1: OVER}
    with pytest.raises(ValueError, match=r"environment 0 is already done.*try_reset\(0\)"):
        env.send_actions(actions(0, 0))
    observations, infos = env.try_reset(0)
    assert list(observations) == list(infos) == [0]
    env.send_actions({0: {"agent0": 5}})
    assert env.poll()[1] == {0: {"agent0": 5.0}}


def test_a_common_seed_is_counted_up_and_a_single_seed_is_used_unchanged():
    env = counters(3)
    everybody, _ = env.try_reset(seed=10)
    for index in range(3):
        alone, _ = env.try_reset(index, seed=10 + index)
        assert alone == {index: everybody[index]}
        assert alone[index]["agent0"][0] == np.random.default_rng(10 + index).random()


def test_resets_without_a_seed_continue_the_generators():
    env = counters(1)
    env.try_reset(seed=3)
    generator = np.random.default_rng(3)
    generator.random()
    assert env.try_reset()[0][0]["agent0"][0] == generator.random()


def test_reset_options_reach_the_environment():
    assert counters().try_reset(1, options={"level": 2})[1] == {1: {"agent0": {"options": {"level": 2}}}}


def test_the_first_poll_returns_an_earlier_reset():
    env = counters()
    observations, _ = env.try_reset(seed=1)
    shown = env.poll()
    assert shown[0] == observations
    assert shown[1] == {0: {"agent0": None}, 1: {"agent0": None}}


def test_a_returned_reset_is_not_polled():
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
def test_misplaced_actions_are_refused_without_a_step(make, sent, error, message):
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


def test_last_returns_the_latest_results_of_every_environment():
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


def test_last_of_a_strict_conversion_has_the_form_of_its_polls():
    env = counters(strict=True)
    env.try_reset()
    assert env.last() == env.poll()[:5]


def test_samples_cover_all_environments_and_the_requested_agents():
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


def test_sub_environments_are_returned_as_list_and_as_dict():
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


def test_stop_closes_all_environments_and_refuses_later_calls():
    env = counters()
    env.poll()
    environments = env.get_sub_environments()
    env.stop()
    env.stop()
    assert all(each.closed for each in environments)
    for call in (env.poll, env.try_reset, env.try_restart, lambda: env.send_actions({})):
        with pytest.raises(RuntimeError, match="is stopped"):
            call()


def test_an_exception_is_raised_unchanged_and_other_environments_step():
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


@pytest.mark.parametrize("make", [Counter, Talkers])
def test_a_refused_restart_leaves_the_environment_open(make):
    class Closing(make):
        closed = False

        def close(self):
            self.closed = True

    only = Closing()
    env = convert_to_base_env(only)
    env.poll()
    with pytest.raises(ValueError, match="make_env=None"):
        env.try_restart(0)
    assert not only.closed


@pytest.mark.parametrize("make", [Counter, Talkers])
def test_an_exception_keeps_its_cause(make):
    class Caused(make):
        def step(self, action):
            raise OSError("no step") from KeyError("cause")

    env = convert_to_base_env(Caused())
    agents = env.poll()[0][0]
    with pytest.raises(OSError, match="no step") as caught:
        env.send_actions({0: dict.fromkeys(agents, 0)})
    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.__notes__ == ["raised by step() of environment 0"]


def test_steps_with_a_wrong_format_are_refused():
    class Old(Counter):
        def step(self, action):
            return super().step(action)[:4]

    env = convert_to_base_env(Old())
    env.poll()
    with pytest.raises(ValueError, match=r"step\(\) of environment 0 returned 4 values: expected observation, reward"):
        env.send_actions(actions(0))
