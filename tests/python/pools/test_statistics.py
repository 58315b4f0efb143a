"""Tests ``env.stats()``: what a pool records of its work."""

import contextlib
import copy
import os
import subprocess
import sys
import time

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.cli import main
from gymnasium import spaces


class SlowEnv(gymnasium.Env):
    """Environment whose steps take the time of its action."""

    observation_space, action_space = spaces.Box(0, 1, (1,)), spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        return np.zeros(1, np.float32), {}

    def step(self, action):
        time.sleep(0.02 * int(action))
        return np.zeros(1, np.float32), 0.0, False, False, {}


NATIVE = {
    "make": lambda: envpool_rs.make("CartPole-v1", num_envs=3, max_episode_steps=5),
    "make_dm": lambda: envpool_rs.make_dm("CartPole-v1", num_envs=3, max_episode_steps=5),
    "make_vec": lambda: envpool_rs.make_vec("CartPole-v1", 3, max_episode_steps=5),
    "mixed": lambda: envpool_rs.make_vec(["CartPole-v1", "CartPole-v0"], 3 - 1, max_episode_steps=5),
    "same_step": lambda: envpool_rs.make_vec("CartPole-v1", 3, max_episode_steps=5, autoreset_mode="same_step"),
}


@pytest.mark.parametrize("kind", NATIVE)
def test_steps_and_resets_are_counted_from_the_first_call(kind):
    with contextlib.closing(NATIVE[kind]()) as env:
        env.reset()
        count = 2 if kind == "mixed" else 3
        before = env.stats()
        assert (before.histogram.sum(), before.resets.sum(), before.in_flight) == (0, 0, 0)
        for _ in range(12):
            env.step(np.zeros(count, np.int64))
        found = env.stats()
        assert found.histogram.sum() == 12 * count
        assert found.resets.shape == (count,) and (found.resets == 2).all()
        assert found.steps.shape == found.longest.shape == (count,)
        assert found.histograms.shape == (count, len(found.ends) + 1)
        assert not found.restarts.any() and 0 < found.quantile(0.5) <= found.quantile(1.0)
        assert found.seconds > before.seconds
        text = str(found)
        assert f"{12 * count} steps in" in text and f"{2 * count} resets" in text


def test_intervals_begin_at_an_earlier_value_of_the_same_pool():
    makers = [NATIVE["make_vec"], NATIVE["make_vec"], NATIVE["mixed"], NATIVE["make"]]
    pools = [maker() for maker in makers]
    first, same, fewer, other = [env.stats() for env in pools]
    later = pools[0].stats()
    assert later.since(first).seconds == later.seconds - first.seconds
    assert not later.since(later).histogram.any()
    with pytest.raises(
        ValueError, match=r"before is later, taken after .* s: expected an earlier stats\(\) of the same"
    ):
        first.since(later)
    copied = copy.deepcopy(pools[0]).stats()
    pools[3].reset(), pools[3].close(), pools[3].reset()  # which makes a pool again
    for foreign in (same, fewer, other, copied):
        with pytest.raises(ValueError, match="before is of another pool"):
            later.since(foreign)
    with pytest.raises(ValueError, match="before is of another pool"):
        pools[3].stats().since(other)
    for wrong in (None, 3):
        with pytest.raises(TypeError, match=f"before={wrong}: expected an earlier"):
            later.since(wrong)
    for env in pools:
        env.close()


def test_an_asynchronous_pool_reports_its_queue():
    with contextlib.closing(envpool_rs.make("CartPole-v1", num_envs=6, batch_size=2)) as env:
        env.stats()
        env.async_reset()
        assert env.stats().in_flight == 6
        ids = env.recv()[-1]["env_id"]
        assert env.stats().in_flight == 4
        env.send(np.zeros(2, np.int64), ids)
        assert env.stats().in_flight == 6


def test_a_slow_environment_is_found():
    with contextlib.closing(envpool_rs.make_vec([SlowEnv] * 3, num_workers=3)) as env:
        env.reset()
        env.stats()
        for _ in range(3):
            env.step(np.array([0, 1, 0]))
        found = env.stats()
        assert found.steps.tolist() == [3, 3, 3]
        assert found.step_seconds[1] >= 0.06 and found.longest[1] >= 0.02
        assert found.caller_wait >= 0.05 and found.worker_wait is None
        assert found.histograms.sum(axis=1).tolist() == [3, 3, 3]
        assert found.step_seconds.argmax() == 1, str(found)
        assert len(str(found).splitlines()) == 6


def test_the_slowest_environments_are_listed_by_their_total_and_by_their_longest_step():
    with contextlib.closing(envpool_rs.make_vec([SlowEnv] * 10, num_workers=10)) as env:
        env.reset()
        env.stats()
        env.step(np.eye(10, dtype=np.int64)[7])
        before = env.stats()
        for _ in range(3):
            env.step(np.eye(10, dtype=np.int64)[4])
        found = env.stats()
        assert [line.split()[0] for line in str(found).splitlines()[3:5]] == ["4", "7"]
        later = found.since(before)
        assert later.steps.tolist() == [3] * 10 and later.histogram.sum() == 30
        assert later.longest[7] < 0.02 <= later.longest[4] and later.step_seconds.argmax() == 4
        assert found.since(found).longest.tolist() == [0.0] * 10


def test_a_variable_prints_tables_of_a_program_that_does_not_ask():
    program = """
import envpool_rs, numpy as np
env = envpool_rs.make_vec("CartPole-v1", 3)
env.reset()
while True:
    env.step(np.zeros(3, np.int64))
"""
    command = [sys.executable, "-c", program]
    variables = {**os.environ, "ENVPOOL_RS_STATS": "0.1"}
    with subprocess.Popen(command, env=variables, stderr=subprocess.PIPE, text=True) as run:
        first = next(line for line in run.stderr if "steps in" in line)
        run.kill()
    assert first.startswith("envpool_rs/CartPole-v1, 3 environments: ")
    wrong = subprocess.run(
        command, env={**variables, "ENVPOOL_RS_STATS": "often"}, capture_output=True, text=True, check=False
    )
    assert "ENVPOOL_RS_STATS='often': expected the seconds between two tables" in wrong.stderr


def test_the_demo_prints_statistics(capsys):
    assert main(["demo", "--num-envs", "8", "--seconds", "0.01", "--stats"]) == 0
    assert "caller waits" in capsys.readouterr().out


def test_statistics_of_closed_pools_and_wrong_quantiles_are_refused():
    env = envpool_rs.make_vec("CartPole-v1", 2)
    env.reset()
    for share, error in ((2, ValueError), (-0.1, ValueError), (float("nan"), ValueError), ("x", TypeError)):
        with pytest.raises(error, match=r"share=.*: expected a number from 0 to 1"):
            env.stats().quantile(share)
    env.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        env.stats()
    pool = envpool_rs.make_vec([SlowEnv] * 2)
    pool.close()
    with pytest.raises(gymnasium.error.ClosedEnvironmentError):
        pool.stats()
