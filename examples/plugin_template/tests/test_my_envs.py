"""Tests the library's tasks in a pool. The environment variable MY_ENVS_LIBRARY names the library's file if it is not
in target/release.
"""

import os
import sys
from pathlib import Path

import envpool_rs
import numpy as np
import pytest

NAME = {"darwin": "libmy_envs.dylib", "win32": "my_envs.dll"}.get(sys.platform, "libmy_envs.so")
LIBRARY = Path(os.environ.get("MY_ENVS_LIBRARY", Path(__file__).parents[1] / "target" / "release" / NAME))


@pytest.fixture(scope="module", autouse=True)
def library():
    envpool_rs.load_plugin(str(LIBRARY))


def greedy(observation):
    """Returns actions that walk to the treasure: first along the rows, then along the columns."""
    row = observation[:, 2] - observation[:, 0]
    column = observation[:, 3] - observation[:, 1]
    return np.where(row != 0, np.where(row < 0, 0, 2), np.where(column < 0, 3, 1))


def test_the_treasure_is_found_in_the_minimum_number_of_steps():
    env = envpool_rs.make_vec("TreasureHunt-v0", num_envs=64)
    observation, info = env.reset(seed=1)
    distance, found = info["distance"].copy(), 0
    for _ in range(20):
        observation, reward, terminated, truncated, info = env.step(greedy(observation))
        assert not truncated.any()
        assert (reward[terminated] == 1).all()
        assert (info["distance"][terminated] == 0).all()
        found += terminated.sum()
    assert found > 64
    assert distance.min() >= 1
    env.close()


def test_the_same_seed_gives_the_same_episodes():
    pools = [envpool_rs.make_vec("TreasureHunt-v0", num_envs=8, size=9) for _ in range(2)]
    first, second = (env.reset(seed=5)[0].copy() for env in pools)
    assert np.array_equal(first, second)
    assert first.max() <= 8
    for env in pools:
        env.close()


def test_options_out_of_range_are_refused():
    with pytest.raises(ValueError, match="size=1"):
        envpool_rs.make_vec("TreasureHunt-v0", num_envs=1, size=1)


def test_states_can_be_saved_and_loaded():
    env = envpool_rs.make_vec("TreasureHuntLarge-v0", num_envs=4)
    env.reset(seed=3)
    saved = env.get_state()
    actions = np.array([0, 1, 2, 3])
    first = env.step(actions)[0].copy()
    env.set_state(saved)
    assert np.array_equal(env.step(actions)[0], first)
    env.close()


def test_check_plugin_finds_no_mistake():
    assert envpool_rs.check_plugin(str(LIBRARY)) == []
