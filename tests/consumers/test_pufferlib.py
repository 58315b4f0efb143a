"""Tests of PufferLib: a pool writes its results into PufferLib's buffers."""

import envpool_rs
import numpy as np
import pytest
from conftest import consumer


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # importing PufferLib creates a link in the working directory


pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def puffer_env():
    consumer("gym")
    consumer("pufferlib")
    from envpool_rs.pufferlib import PufferEnv

    return PufferEnv


def buffers(rows, shape):
    return {
        "observations": np.zeros((rows, *shape), np.float32),
        "rewards": np.zeros(rows, np.float32),
        "terminals": np.zeros(rows, bool),
        "truncations": np.zeros(rows, bool),
        "masks": np.zeros(rows, bool),
        "actions": np.zeros(rows, np.int32),
    }


def test_results_are_written_into_the_callers_buffers(puffer_env):
    buf = buffers(3, (4,))
    env = puffer_env("CartPole-v1", 3, buf=buf, seed=5)
    pool = envpool_rs.make("CartPole-v1", num_envs=3, seed=5, autoreset_mode="same_step")
    env.reset(seed=7)
    np.testing.assert_array_equal(buf["observations"], pool.reset(seed=7)[0])
    ended = 0
    for step in range(60):
        actions = np.full(3, step % 2)
        returned = env.step(actions)
        expected = pool.step(actions)
        for name, array in zip(("observations", "rewards", "terminals", "truncations"), expected, strict=False):
            np.testing.assert_array_equal(buf[name], array)
        assert returned[0] is buf["observations"] and len(returned[4]) == buf["terminals"].sum()
        ended += len(returned[4])
    assert ended > 0 and buf["masks"].all()
    env.close()


def test_send_and_recv_return_seven_values(puffer_env):
    import pufferlib.vector

    env = pufferlib.vector.make(puffer_env, env_args=["Pendulum-v1", 2], env_kwargs={"max_episode_steps": 5})
    env.async_reset(seed=3)
    assert len(env.recv()) == 7
    for _ in range(5):
        env.send(np.zeros((2, 1), np.float32))
    *_, truncations, infos, agent_ids, _ = env.recv()
    assert truncations.all() and [each["episode_length"] for each in infos] == [5, 5] and agent_ids.tolist() == [0, 1]
    env.close()


def test_players_are_agents(puffer_env):
    env = puffer_env("SimpleSpread-v3", 2, max_episode_steps=3)
    assert env.num_agents == 6
    env.reset()
    for _ in range(3):
        _, _, _, truncations, _ = env.step(np.zeros(6, np.int64))
    assert truncations.shape == (6,) and truncations.all()
    env.close()


def test_unsupported_tasks_and_modes_are_named(puffer_env):
    with pytest.raises(ValueError, match=r"Taxi-v3.*have a Box"):
        puffer_env("Taxi-v3")
    with pytest.raises(ValueError, match="autoreset_mode='disabled': PufferLib expects 'same_step'"):
        puffer_env("CartPole-v1", autoreset_mode="disabled")


def test_the_example_runs(run_example, puffer_env):
    assert "episodes, mean return" in run_example("consumers/pufferlib_env.py")


def test_unknown_attributes_are_refused(puffer_env):
    env = puffer_env("CartPole-v1", 2)
    with pytest.raises(AttributeError, match="did you mean 'num_agents'"):
        env.num_agent = 3
    env.observations, env.infos = env.observations, []
    env.close()
