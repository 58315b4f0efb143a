"""Tests of PettingZoo's environments written in Python, in worker processes."""

import os

import envpool_rs
import mpe2.simple_speaker_listener_v4
import mpe2.simple_spread_v3
import numpy as np
import pettingzoo_envs
import pytest
from envpool_rs.pettingzoo import make_agent_vec
from pettingzoo_envs import Altered, Different, Leaving, Named

MODES = ["next_step", "same_step", "disabled"]


def expected_episode(env, actions):
    """Returns rows of observations, rewards and masks of one episode, made from the dicts that the environment
    returns.
    """
    observations, _ = env.reset(seed=5)
    rows = [(by_rows(env, observations), np.zeros(3), np.ones(3, bool))]
    for action in actions:
        acting = env.agents
        observations, rewards, *_ = env.step({agent: action["abc".index(agent)] for agent in acting})
        mask = np.array([agent in env.agents for agent in env.possible_agents])
        reward = [rewards.get(agent, 0.0) for agent in env.possible_agents]
        rows.append((by_rows(env, observations), np.array(reward), mask))
    return rows


def by_rows(env, observations):
    absent = np.zeros(4, np.float32)
    return np.array([observations.get(agent, absent) for agent in env.possible_agents])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("make", [envpool_rs.make_python, envpool_rs.make_vec])
def test_agents_that_leave_are_masked(mode, make):
    env = make([Leaving] * 2, autoreset_mode=mode, seed=5)
    assert env.spec.players == 3 and env.spec.rows == 3 and env.spec.agents == ["a", "b", "c"]
    actions = np.arange(18).reshape(3, 6) % 5
    alone = Leaving()
    rows = expected_episode(alone, [*actions[:, :3].tolist(), [0, 1, 2]])
    observation, info = env.reset(seed=5)
    assert observation.shape == (6, 4) and observation.dtype == np.float32
    np.testing.assert_array_equal(observation[:3], rows[0][0])
    assert info["agent_mask"].shape == (2, 3) and info["agent_mask"].all()
    for step, action in enumerate(actions, 1):
        observation, reward, terminated, truncated, info = env.step(action)
        np.testing.assert_array_equal(observation[:3], rows[step][0])
        assert reward.shape == (6,)
        np.testing.assert_array_equal(reward[:3], rows[step][1])
        np.testing.assert_array_equal(info["agent_mask"][0], rows[step][2])
        assert terminated.shape == (2,) and not (terminated | truncated).any()
        np.testing.assert_array_equal(info["agent_terminated"][0], [step == 2, step == 3, False])
    observation, reward, terminated, truncated, info = env.step(np.array([0, 1, 2, 0, 1, 2]))
    np.testing.assert_array_equal(reward, [0, 0, 22, 0, 0, 22])
    assert truncated.all() and not terminated.any()
    if mode == "same_step":
        np.testing.assert_array_equal(observation[3:], [[2, 0, number, -1] for number in range(3)])
        np.testing.assert_array_equal(info["final_obs"][1], rows[4][0])
        assert info["agent_mask"].all() and not info["final_info"]["agent_mask"].any()
        np.testing.assert_array_equal(info["final_info"]["agent_truncated"], [[False, False, True]] * 2)
    else:
        np.testing.assert_array_equal(observation[3:], rows[4][0])
        assert not info["agent_mask"].any() and info["agent_truncated"].tolist() == [[False, False, True]] * 2
    if mode == "next_step":
        observation, reward, *_, info = env.step(actions[0])
        np.testing.assert_array_equal(observation[:3], [[2, 0, number, -1] for number in range(3)])
        assert not reward.any() and info["agent_mask"].all()
    env.close()


@pytest.mark.parametrize("make", [envpool_rs.make_python, envpool_rs.make_vec])
def test_agents_with_different_spaces_are_keys(make):
    env = make([Different] * 2, autoreset_mode="same_step")
    assert env.spec.players == 3 and env.spec.rows == 1
    observation, _ = env.reset()
    assert list(observation) == ["a", "b", "c"]
    assert (
        observation["a"].shape == (2, 2) and observation["b"].shape == (2,) and observation["c"]["x"].shape == (2, 1, 2)
    )
    actions = {"a": np.array([1, 2]), "b": np.full((2, 2), 0.25, np.float32), "c": np.array([0, 2])}
    for step in range(1, 4):
        observation, reward, *_ = env.step(actions)
        assert reward.tolist() == [1 if step < 3 else 0, 10.5, 20, 2 if step < 3 else 0, 10.5, 22]
        np.testing.assert_array_equal(observation["c"]["n"], [[1, step]] * 2)
        np.testing.assert_array_equal(observation["a"], [[1, step] if step < 3 else [0, 0]] * 2)
    observation, reward, _, truncated, info = env.step(actions)
    assert truncated.all() and reward.tolist() == [0, 0, 20, 0, 0, 22]
    final = info["final_obs"][1]
    assert final["b"] == 0 and final["c"]["x"].tolist() == [[4, 4]] and final["a"].tolist() == [0, 0]
    assert observation["b"].tolist() == [0, 0]
    env.close()


def test_an_episode_in_which_all_agents_terminate_is_terminated():
    env = envpool_rs.make_python([lambda: Leaving(truncates=False)], autoreset_mode="disabled")
    env.reset()
    for _ in range(4):
        _, _, terminated, truncated, _ = env.step(np.zeros(3, np.int64))
    assert terminated.tolist() == [True] and truncated.tolist() == [False]
    env.close()


@pytest.mark.parametrize(("task", "module"), [
    ("SimpleSpread-v3", mpe2.simple_spread_v3), ("SimpleSpeakerListener-v4", mpe2.simple_speaker_listener_v4),
])  # fmt: skip
def test_results_equal_those_of_the_native_task(task, module):
    ours = envpool_rs.make_vec([lambda: module.parallel_env(max_cycles=25)] * 2, autoreset_mode="same_step")
    native = envpool_rs.make_vec(task, 2, autoreset_mode="same_step")
    first, _ = ours.reset(seed=3)
    second, _ = native.reset(seed=3)
    rng = np.random.default_rng(1)
    assert ours.single_action_space == native.single_action_space and ours.action_space == native.action_space
    for _ in range(25):
        np.testing.assert_equal(first, second)
        action = rng.integers(3, size=6) if task == "SimpleSpread-v3" else None
        action = {name: rng.integers(3, size=2) for name in ours.spec.agents} if action is None else action
        first, reward, *flags, info = ours.step(action)
        second, other, *other_flags, other_info = native.step(action)
        np.testing.assert_array_equal(reward, other)
        np.testing.assert_array_equal(flags, other_flags)
    assert flags[1].all()
    np.testing.assert_equal(info["final_obs"][1], other_info["final_obs"][1])
    ours.close()


@pytest.mark.parametrize("env_type", ["gymnasium", "gym"])
def test_pools_step_some_environments(env_type):
    env = envpool_rs.make_python([Leaving] * 4, env_type, batch_size=2, max_num_players=3)
    env.async_reset()
    for _ in range(6):
        *_, info = env.recv()
        assert info["players"]["env_id"].tolist() == np.repeat(info["env_id"], 3).tolist()
        env.send(np.zeros(6, np.int32), info["env_id"])
    env.close()


def test_recorded_rewards_rollouts_and_time_limits_have_rows():
    env = envpool_rs.make_python([Leaving] * 2, max_episode_steps=2)
    rollout = env.rollout_buffer(2)
    env.reset(out=rollout)
    for _ in range(2):
        *_, truncated, info = env.step(
            {"action": np.ones(6, np.int32), "players": {"env_id": np.repeat([0, 1], 3)}}, out=rollout
        )
    assert truncated.all() and info["agent_mask"].tolist() == [[False, True, True]] * 2
    assert rollout.obs.shape == (3, 6, 4)
    np.testing.assert_array_equal(rollout.reward, [[1, 11, 21, 1, 11, 21]] * 2)
    env.close()


def test_the_interface_of_rows_is_gymnasiums():
    envs = make_agent_vec([Leaving] * 2)
    envpool_rs.check_vector_env(envs, steps=30)
    envs.close()


def test_rows_end_when_their_agents_leave():
    envs = make_agent_vec([lambda: Leaving(infos=True)] * 2, record_episode_statistics=True)
    assert envs.num_envs == 6
    observation, info = envs.reset(seed=1)
    assert info["agent_mask"].all()
    ends = {2: [0, 3], 3: [1, 4], 4: [2, 5]}
    for episode in (1, 2):
        for step in range(1, 5):
            observation, reward, terminated, truncated, info = envs.step(np.arange(6) % 3)
            done = np.flatnonzero(terminated | truncated)
            if step < 4:
                assert done.tolist() == ends.get(step, [])
                np.testing.assert_array_equal(observation[info["agent_mask"]][:, 1], step)
                assert not observation[~info["agent_mask"]].any()
                np.testing.assert_array_equal(reward[~info["agent_mask"] & ~terminated], 0)
            else:
                assert done.tolist() == [0, 1, 2, 3, 4, 5], "absent agents end with their environment"
                assert truncated.tolist() == [False, False, True] * 2 or truncated[[2, 5]].all()
                assert info["agent_mask"].all() and (observation[:, 0] == episode + 1).all()
            for row in ends.get(step, []):
                np.testing.assert_array_equal(info["final_obs"][row], [episode, step, row % 3, row % 3])
                assert info["episode"]["l"][row] == step and info["_episode"][row]
                assert info["episode"]["r"][row] == step * (11 * (row % 3))
                assert info["final_info"]["doubled"][row] == 2 * (row % 3)
            if step == 4:
                assert info["_episode"].tolist() == [False, False, True] * 2
    envs.close()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (pettingzoo_envs.Turns, TypeError, "Turns is an AECEnv.*expected a ParallelEnv.*aec_to_parallel converts it"),
        (pettingzoo_envs.Forgetful, ValueError, "observations lack 'c': expected one of each agent in agents"),
        (pettingzoo_envs.Stranger, ValueError, "agent 'd' is not in possible_agents: expected one of 'a', 'b', 'c'"),
    ],
)
def test_wrong_environments_are_named(make, error, message):
    with pytest.raises(error, match=message):
        envpool_rs.make_python([make]).reset()


def test_an_observation_of_another_shape_is_named():
    env = envpool_rs.make_python([pettingzoo_envs.Misshapen])
    env.reset()
    env.step(np.zeros(3, np.int32))
    with pytest.raises(
        ValueError, match=r"observations\['a'\] has shape \(3,\).*expected shape \(4,\) and dtype float32"
    ):
        env.step(np.zeros(3, np.int32))
    env.close()


def with_part(place, part):
    """Returns a function that replaces one of the results of `Altered`."""
    return lambda env, results: [*results[:place], part, *results[place + 1 :]]


def with_value(place, value):
    """Returns a function that replaces the value of agent ``a`` in one of the results of `Altered`."""
    return lambda env, results: with_part(place, {**results[place], "a": value})(env, results)


def with_agents(agents):
    """Returns a function that replaces the attribute ``agents`` of `Altered`."""

    def altered(env, results):
        env.agents = agents
        return results

    return altered


@pytest.mark.parametrize(
    ("altered", "error", "message"),
    [
        (with_part(0, None), TypeError, "observations is None: expected a dict of agents"),
        (with_part(1, None), TypeError, "rewards is None: expected a dict of agents"),
        (with_part(2, None), TypeError, "terminations is None: expected a dict of agents"),
        (with_part(2, True), TypeError, "terminations is True: expected a dict of agents"),
        (with_part(3, []), TypeError, r"truncations is \[\]: expected a dict of agents"),
        (with_part(4, [1]), TypeError, r"infos is \[1\]: expected a dict of agents"),
        (with_value(1, "x"), TypeError, r"rewards\['a'\] is 'x': expected a number"),
        (with_value(1, None), TypeError, r"rewards\['a'\] is None: expected a number"),
        (with_value(1, np.zeros(2)), TypeError, r"rewards\['a'\] is array\(\[0., 0.\]\): expected a number"),
        (with_value(2, np.zeros(2)), ValueError, r"terminations\['a'\] is array\(\[0., 0.\]\): expected a bool"),
        (with_value(4, np.zeros(2)), ValueError, r"infos\['a'\] is array\(\[0., 0.\]\): expected a dict"),
        (with_agents(None), TypeError, "agents is None: expected a list of agents"),
        (with_agents([["a"]]), ValueError, r"agent \['a'\] is not in possible_agents"),
        (lambda env, results: None, ValueError, "step: expected dicts of observations, rewards, .* and infos"),
        (lambda env, results: "abcde", ValueError, "step: expected dicts of observations, rewards, .* and infos"),
    ],
)
def test_wrong_results_of_a_step_are_named(altered, error, message):
    env = envpool_rs.make_python([lambda: Altered(altered)])
    env.reset()
    with pytest.raises(error, match=f"environment 0: {message}"):
        env.step(np.zeros(3, np.int32))
    env.close()


@pytest.mark.parametrize(
    ("altered", "error", "message"),
    [
        (lambda env, results: None, ValueError, "reset: expected dicts of observations and infos"),
        (lambda env, results: results[0], ValueError, "reset: expected dicts of observations and infos"),
        (with_part(0, None), TypeError, "observations is None: expected a dict of agents"),
        (with_part(1, [1]), TypeError, r"infos is \[1\]: expected a dict of agents"),
        (with_agents(None), TypeError, "agents is None: expected a list of agents"),
    ],
)
def test_wrong_results_of_a_reset_are_named(altered, error, message):
    env = envpool_rs.make_python([lambda: Altered(of_reset=altered)])
    with pytest.raises(error, match=f"environment 0: {message}"):
        env.reset()
    env.close()


def test_rewards_may_be_any_numbers():
    reward = {"a": np.float32(0.5), "b": np.array([2]), "c": True}
    env = envpool_rs.make_python([lambda: Altered(with_part(1, reward))])
    env.reset()
    assert env.step(np.zeros(3, np.int32))[1].tolist() == [0.5, 2, 1]
    env.close()


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        (["a", "a"], r"possible_agents=\['a', 'a'\]: expected agents with different names, got 'a' and 'a'"),
        ([0, "0"], r"possible_agents=\[0, '0'\]: expected agents with different names, got 0 and '0'"),
        *(
            (["a", name], rf"possible_agents=\['a', '{name}'\]: expected no agent '{name}'")
            for name in ("env_id", "players", "agent_mask")
        ),
        ([["a"]], r"possible_agents=\[\['a'\]\]: expected agents that are keys of a dict"),
        (3, "possible_agents=3: expected a list of agents"),
        ([], "possible_agents is empty"),
    ],
)
def test_agents_that_infos_cannot_name_are_rejected(agents, message):
    with pytest.raises(ValueError, match=f"environment 0: {message}"):
        envpool_rs.make_python([lambda: Named(agents)])


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="max_num_players=2: expected 3, the players of these environments"):
        envpool_rs.make_python([Leaving], max_num_players=2)
    with pytest.raises(ValueError, match=r"environment 1 has the agents and spaces .*: expected that of environment 0"):
        envpool_rs.make_python([Leaving, Different])
    env = envpool_rs.make_python([Leaving] * 2)
    env.reset()
    with pytest.raises(ValueError, match=r"action has shape \(2,\): expected \(6,\)"):
        env.step(np.zeros(2, np.int32))
    with pytest.raises(ValueError, match=r"action\[5\] is 7: expected an integer from 0 to 4"):
        env.step(np.array([0, 0, 0, 0, 0, 7]))
    with pytest.raises(ValueError, match=r"expected each env_id 3 time\(s\) in a row"):
        env.step({"action": np.zeros(6, np.int32), "players": {"env_id": np.arange(6)}})
    env.step(np.zeros(6, np.int32))
    env.close()


def test_pictures_and_attributes_are_the_environments():
    env = envpool_rs.make_python([Leaving] * 2)
    env.reset(seed=4)
    env.step(np.zeros(6, np.int32))
    assert [each[0, 0, 0] for each in env.render()] == [1, 1]
    assert env.get_attr("seeds") == ([4], [5]) and env.metadata["name"] == "leaving"
    assert env.render_mode == "rgb_array"
    env.close()


class Dying(Leaving):
    """Environment whose process ends when an agent takes action 4."""

    def step(self, actions):
        if 4 in actions.values():
            os._exit(1)
        return super().step(actions)


@pytest.mark.parametrize("records", [False, True])
def test_rows_of_restarted_environments_end_without_a_last_observation(records):
    envs = make_agent_vec([Dying] * 2, num_workers=2, restart=True, record_episode_statistics=records)
    envs.reset(seed=1)
    envs.step(np.zeros(6, int))
    observation, reward, terminated, truncated, info = envs.step(np.array([0, 0, 0, 4, 0, 0]))
    # Agent a of the first environment has left after two steps; the second environment has started again.
    assert terminated.tolist() == [True] + [False] * 5 and truncated.tolist() == [False] * 3 + [True] * 3
    assert info["restarted"].tolist() == [False] * 3 + [True] * 3 and reward[3:].tolist() == [0, 0, 0]
    assert observation[:, 1].tolist() == [0, 2, 2, 0, 0, 0] and info["agent_mask"][3:].all()
    assert info["_final_obs"].tolist() == [True] + [False] * 5
    assert not records or info["_episode"].tolist() == [True, False, False, True, True, True]
    assert envs.step(np.zeros(6, int))[0][3:, 1].tolist() == [1, 1, 1]
    envs.close()
