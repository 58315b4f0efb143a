"""Tests multi-agent environments and RLlib's `VectorEnv` behind `BaseEnv`."""

import pickle

import numpy as np
import pytest
from counters import Counter
from envpool_rs import rllib
from envpool_rs.rllib import convert_to_base_env
from rllib_cases import Doubles, actions, talkers
from rllib_environments import Talkers, TurnTakers, Visitors


def test_agents_receive_the_results_of_the_environment():
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


def test_strict_first_polls_have_no_rewards_and_flags_per_agent():
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


def test_agents_may_join_and_leave():
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
def test_multi_agent_steps_with_a_wrong_format_are_refused(result, message):
    class Odd(Talkers):
        def step(self, action_dict):
            return result

    env = convert_to_base_env(Odd())
    env.poll()
    with pytest.raises(ValueError, match=message):
        env.send_actions({0: {"a": 1, "b": 1}})


def test_a_vector_requires_all_actions():
    env = convert_to_base_env(Doubles(), num_envs=2)
    env.poll()
    with pytest.raises(ValueError, match=r"no actions for environments \[1\]: Doubles steps all 2 at once"):
        env.send_actions({0: {"agent0": 1}})
    env.send_actions(actions(1, 2))
    assert env.poll()[0] == actions(2, 4)
    assert env.try_reset(1, seed=4) == ({1: {"agent0": -1}}, {1: {"agent0": {"seed": 4}}})


def test_a_vector_whose_reset_returns_no_pair_is_refused(monkeypatch):
    env = Doubles().to_base_env()
    env.poll()
    monkeypatch.setattr(Doubles, "reset_at", lambda self, index=None, **keywords: np.zeros(4))
    with pytest.raises(ValueError, match="unpack"):
        env.try_reset(0)


def test_only_vectors_with_a_number_of_environments_are_wrapped():
    for wrapper in (rllib.VectorEnvWrapper, rllib.GymnasiumBaseEnv):
        with pytest.raises(AttributeError, match="'list' object has no attribute 'num_envs'"):
            wrapper([Counter()])
    with pytest.raises(TypeError, match="'Doubles' has no len"):
        rllib.StackedBaseEnv(Doubles())


def test_conversions_of_environments_are_pickled():
    for env in (Counter(), Talkers()):
        for converted in (rllib.convert_to_base_env(env), rllib.convert_to_base_env(env, num_envs=np.array(1))):
            assert pickle.loads(pickle.dumps(converted)).num_envs == 1


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
