"""Tests of `envpool_rs.pettingzoo`: PettingZoo's interface for native tasks with several players."""

import copy
import importlib
import pickle
import re
import subprocess
import sys
import warnings

import envpool_rs
import mpe2.simple_speaker_listener_v4
import mpe2.simple_spread_v3
import numpy as np
import pettingzoo
import pytest
from envpool_rs.pettingzoo import AgentVectorEnv, make_agent_vec, parallel_env
from gymnasium.vector import AutoresetMode, VectorEnv
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test
from pettingzoo.utils.conversions import parallel_to_aec

TASKS = {
    "SimpleSpread-v3": mpe2.simple_spread_v3,
    "SimpleSpeakerListener-v4": mpe2.simple_speaker_listener_v4,
}


@pytest.mark.parametrize("task", TASKS)
def test_pettingzoo_accepts_the_interface(task):
    with pytest.warns(UserWarning, match="'options': .*the task has no such option"):  # which that test gives
        parallel_api_test(parallel_env(task), num_cycles=60)
    parallel_seed_test(lambda: parallel_env(task), num_cycles=20)
    with warnings.catch_warnings():
        # PettingZoo warns about mpe2's observation spaces, which have no bounds and differ between agents.
        warnings.filterwarnings("ignore", "Agent.*space|Observations are different|.*no such option", UserWarning)
        api_test(parallel_to_aec(parallel_env(task)), num_cycles=40)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("continuous", [False, True])
def test_episodes_equal_mpe2(task, continuous):
    options = {"continuous_actions": continuous}
    ours = parallel_env(task, **options)
    theirs = TASKS[task].parallel_env(max_cycles=25, **options)
    assert ours.possible_agents == theirs.possible_agents
    assert isinstance(ours, pettingzoo.ParallelEnv) and ours.unwrapped is ours
    for seed in (3, 4):
        first, _ = ours.reset(seed=seed)
        expected, _ = theirs.reset(seed=seed)
        np.testing.assert_equal(first, expected)
        steps = 0
        while theirs.agents:
            assert ours.agents == theirs.agents
            for agent in theirs.agents:
                assert ours.observation_space(agent) == theirs.observation_space(agent)
                assert ours.action_space(agent) == theirs.action_space(agent)
            actions = {agent: theirs.action_space(agent).sample() for agent in theirs.agents}
            results, expected = ours.step(actions), theirs.step(actions)
            np.testing.assert_equal(results, expected)
            np.testing.assert_array_equal(ours.state(), theirs.state())
            steps += 1
        assert steps == 25
        assert ours.agents == [] and ours.step({}) == ({}, {}, {}, {}, {})


def test_infos_and_pictures_belong_to_agents():
    env = parallel_env("SimpleSpread-v3", benchmark_data=True, render_mode="rgb_array")
    env.reset(seed=0)
    *_, infos = env.step(dict.fromkeys(env.agents, 1))
    assert set(infos) == {"agent_0", "agent_1", "agent_2"}
    assert all(info.keys() == infos["agent_0"].keys() and info for info in infos.values())
    picture = env.render()
    assert picture.shape == (700, 700, 3) and picture.dtype == np.uint8
    assert env.metadata["name"] == "SimpleSpread-v3" and env.metadata["render_modes"]
    env.close()


@pytest.mark.parametrize("task", ["SimpleAdversary", "SimpleCrypto", "SimpleSpread", "SimpleTag", "SimpleWorldComm"])
def test_metrics_of_policies_are_each_agents_own(task):
    version = "v3"
    module = importlib.import_module(f"mpe2.{re.sub('(?<!^)(?=[A-Z])', '_', task).lower()}_{version}")
    ours = parallel_env(f"{task}-{version}", benchmark_data=True)
    theirs = module.parallel_env(benchmark_data=True)
    ours.reset(seed=5), theirs.reset(seed=5)
    for _ in range(12):
        actions = dict.fromkeys(ours.agents, 2)
        *_, infos = ours.step(actions)
        *_, expected = theirs.step(actions)
        for agent in ours.agents:
            metrics = np.asarray(expected[agent]["benchmark_data"], np.float64)
            own = infos[agent]["benchmark_data"]
            # Zeros follow the single number of an agent whose fellows have several.
            assert own.shape == metrics.shape or (task == "SimpleAdversary" and not own[1:].any())
            np.testing.assert_array_equal(own if own.shape == metrics.shape else own[0], metrics)


def test_copies_and_pickles_continue_as_the_original():
    env = parallel_env("SimpleSpread-v3", N=2, normalize_obs=True, normalize_reward=True)
    env.reset(seed=9)
    actions = dict.fromkeys(env.agents, 2)
    env.step(actions)
    twins = (copy.deepcopy(env), pickle.loads(pickle.dumps(env)))
    for _ in range(3):
        expected = env.step(actions)
        for twin in twins:
            np.testing.assert_equal(twin.step(actions), expected)
            assert twin.possible_agents == ["agent_0", "agent_1"]


def test_observations_stay_unchanged_by_later_steps():
    env = parallel_env("SimpleSpread-v3")
    first, _ = env.reset(seed=1)
    copies = {agent: each.copy() for agent, each in first.items()}
    for _ in range(3):
        env.step(dict.fromkeys(env.agents, 2))
    for agent, each in first.items():
        np.testing.assert_array_equal(each, copies[agent])


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        (
            {"agent_0": 1, "agent_1": 1},
            ValueError,
            "actions lacks 'agent_2': expected a dict with an action of each of",
        ),
        ({"agent_0": 1, "agent_1": 1, "agent_2": 1, "x": 0}, ValueError, "actions has 'x'"),
        ([1, 1, 1], TypeError, r"actions=\[1, 1, 1\]: expected a dict"),
        (None, TypeError, "actions=None: expected a dict"),
        (np.zeros(3, int), TypeError, r"actions=array\(\[0, 0, 0\]\): expected a dict"),
        ({"agent_0": 1, "agent_1": 5, "agent_2": 1}, ValueError, r"action\[1\] is 5: expected an integer from 0 to 4"),
        ({"agent_0": 1, "agent_1": 0.5, "agent_2": 1}, ValueError, r"action\[1\] is 0.5"),
        ({"agent_0": 1, "agent_1": [1, 2], "agent_2": 1}, ValueError, "actions have the shapes"),
    ],
)
def test_wrong_actions_are_named(actions, error, message):
    env = parallel_env("SimpleSpread-v3")
    env.reset(seed=1)
    with pytest.raises(error, match=message):
        env.step(actions)
    assert env.step(dict.fromkeys(env.agents, 0))[2] == dict.fromkeys(env.possible_agents, False)


def test_wrong_uses_are_named():
    with pytest.raises(ValueError, match="task_id='CartPole-v1': expected a task with two or more players"):
        parallel_env("CartPole-v1")
    with pytest.raises(ValueError, match="num_envs=4: expected 1; use make_vec"):
        parallel_env("SimpleSpread-v3", num_envs=4)
    with pytest.raises(ValueError, match="autoreset_mode='same_step': expected 'disabled'"):
        parallel_env("SimpleSpread-v3", autoreset_mode="same_step")
    with pytest.raises(ValueError, match="SimpleSpred"):
        parallel_env("SimpleSpred-v3")
    with pytest.raises(TypeError, match="n_agents"):
        parallel_env("SimpleSpread-v3", n_agents=3)
    env = parallel_env("SimpleSpread-v3")
    with pytest.raises(RuntimeError, match="call reset first"):
        env.step({})
    with pytest.raises(RuntimeError, match="call reset first"):
        env.state()
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.reset()


def test_a_missing_package_is_named_by_its_extra():
    code = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "import envpool_rs\n"
        "try:\n    import envpool_rs.pettingzoo\n"
        "except ImportError as error:\n    print(error)\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "pip install 'envpool_rs[pettingzoo]'" in shown
    code = "import sys, envpool_rs; print('pettingzoo' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "False\n"


def test_rows_are_agents():
    envs = make_agent_vec("SimpleSpread-v3", 4, seed=5, record_episode_statistics=True)
    pool = envpool_rs.make_vec("SimpleSpread-v3", 4, seed=5, autoreset_mode="same_step")
    assert isinstance(envs, AgentVectorEnv) and isinstance(envs, VectorEnv)
    assert envs.num_envs == 12 and envs.agents == ["agent_0", "agent_1", "agent_2"]
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    np.testing.assert_array_equal(envs.reset(seed=7)[0], pool.reset(seed=[7, 10, 13, 16])[0])
    rng = np.random.default_rng(0)
    returns = np.zeros(12)
    for step in range(1, 60):
        actions = rng.integers(5, size=12)
        observation, reward, terminated, truncated, info = envs.step(actions)
        expected, expected_reward, _, at_limit, expected_info = pool.step(actions)
        np.testing.assert_array_equal(observation, expected)
        np.testing.assert_array_equal(reward, expected_reward)
        np.testing.assert_array_equal(truncated, np.repeat(at_limit, 3))
        assert not terminated.any()
        returns += reward
        if step % 25:
            assert "final_obs" not in info and "episode" not in info
            continue
        assert truncated.all() and info["_final_obs"].all() and info["_episode"].all()
        for row in range(12):
            np.testing.assert_array_equal(info["final_obs"][row], expected_info["final_obs"][row // 3][row % 3])
        np.testing.assert_allclose(info["episode"]["r"], returns)
        assert (info["episode"]["l"] == 25).all()
        returns[:] = 0
    envs.close()


def test_infos_have_a_row_for_each_agent():
    envs = make_agent_vec("SimpleSpread-v3", 2, benchmark_data=True, max_episode_steps=3)
    pool = envpool_rs.make_vec(
        "SimpleSpread-v3", 2, benchmark_data=True, max_episode_steps=3, autoreset_mode="same_step"
    )
    envs.reset(seed=0), pool.reset(seed=0)
    for _ in range(3):
        *_, info = envs.step(np.ones(6, np.int64))
        *_, expected = pool.step(np.ones(6, np.int64))
        for key in expected:
            if not key.startswith(("_", "final_")):
                assert len(info[key]) == 6
        np.testing.assert_array_equal(info["benchmark_data"][:3], expected["benchmark_data"][0])
    assert info["final_info"].keys() >= expected["final_info"].keys()


def test_seeds_and_attributes_are_those_of_environments():
    envs = make_agent_vec("SimpleSpread-v3", 2)
    pool = envpool_rs.make_vec("SimpleSpread-v3", 2)
    seeds = [3, None, None, 8, None, None]
    np.testing.assert_array_equal(envs.reset(seed=seeds)[0], pool.reset(seed=[3, 8])[0])
    assert envs.get_attr("local_ratio") == (0.5,) * 6
    with pytest.raises(ValueError, match="seed has 2 entries: expected num_envs=6"):
        envs.reset(seed=[1, 2])
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": np.ones(6, bool)})


def test_the_interface_is_gymnasiums():
    envpool_rs.check_vector_env(make_agent_vec("SimpleSpread-v3", 2, max_episode_steps=5))


def test_pools_without_a_row_for_each_agent_are_named():
    with pytest.raises(ValueError, match="the agents speaker_0, listener_0 have spaces of their own"):
        make_agent_vec("SimpleSpeakerListener-v4", 2)
    with pytest.raises(ValueError, match="autoreset_mode='disabled': expected 'same_step'"):
        make_agent_vec("SimpleSpread-v3", autoreset_mode="disabled")
    with pytest.raises(ValueError, match="batch_size is below num_envs"):
        make_agent_vec("SimpleSpread-v3", 4, batch_size=2)
    with pytest.raises(ValueError, match=r"NEXT_STEP: expected AutoresetMode.SAME_STEP"):
        AgentVectorEnv(envpool_rs.make_vec("SimpleSpread-v3", 2))
    with pytest.raises(TypeError, match="record_episode_statistics='yes': expected a bool"):
        make_agent_vec("SimpleSpread-v3", record_episode_statistics="yes")
    assert make_agent_vec("CartPole-v1", 2).num_envs == 2


def test_options_and_queues_belong_to_environments():
    env = make_agent_vec("SimpleSpread-v3", 2, max_episode_steps=3)
    players, task = (
        len(env.agents),
        envpool_rs.make_vec("SimpleSpread-v3", 2, autoreset_mode="same_step", max_episode_steps=3),
    )
    for pool in (env, task):
        pool.reset(seed=1 if pool is task else [1 + row // players for row in range(env.num_envs)])
        pool.queue_resets([1], seeds=9)
        assert pool.queued_resets().tolist() == [0, 1]
        pool.set_options(**{name: values[0] for name, values in pool.get_options().items()})
    for _ in range(4):
        actions = env.action_space.sample()
        np.testing.assert_array_equal(env.step(actions)[0], task.step(actions)[0])
    assert env.queued_resets().tolist() == [0, 0]
    env.queue_resets(seeds=3)
    env.clear_resets()
    assert env.queued_resets().tolist() == [0, 0]


def test_a_reset_of_a_parallel_environment_takes_options():
    env = parallel_env("Foraging-8x8-2p-1f-v3", penalty=0.1)
    env.queue_resets(seeds=5)
    env.reset(options={"penalty": 0.5})
    assert (env.get_options()["penalty"], env.queued_resets()) == (0.5, 1)
    env.reset()
    assert (env.get_options()["penalty"], env.queued_resets()) == (0.1, 0)
    with pytest.warns(UserWarning, match="the task has no such option"):
        env.reset(options={"penalties": 0.5})
    with pytest.raises(TypeError, match="expected a dict or None"):
        env.reset(options="penalty")


def test_a_parallel_environment_takes_queued_seeds():
    env, other = (parallel_env("SimpleSpread-v3") for _ in range(2))
    env.queue_resets(seeds=[5, 6])
    assert env.queued_resets() == 2
    for seed in (5, 6):
        ours, theirs = env.reset()[0], other.reset(seed=seed)[0]
        for agent in env.possible_agents:
            np.testing.assert_array_equal(ours[agent], theirs[agent])
    env.set_options(**env.get_options())
    env.queue_resets(seeds=1)
    env.clear_resets()
    assert env.queued_resets() == 0
