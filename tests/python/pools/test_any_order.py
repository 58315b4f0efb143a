"""Tests that any order of calls gives the same results with every backend."""

import pickle

import envpool_rs
import pytest
from any_order import NUM_ENVS, assert_any_order_comes_to_the_same
from test_contract import assert_same

TASK = "CartPole-v1"
MODES = ["next_step", "same_step", "disabled"]
PLAYERS = {
    "one thread": lambda **options: envpool_rs.make(TASK, num_threads=1, **options),
    "threads": lambda **options: envpool_rs.make(TASK, num_threads=NUM_ENVS, **options),
    "worker processes": lambda **options: envpool_rs.make_python(TASK, num_workers=2, **options),
    "a process for each environment": lambda **options: envpool_rs.make_python(TASK, num_workers=NUM_ENVS, **options),
    "the caller and a process": lambda **options: envpool_rs.make_python(
        TASK, num_workers=1, caller_steps=True, **options
    ),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("statistics", [False, True], ids=["", "statistics"])
@pytest.mark.parametrize("players", PLAYERS)
def test_any_order_of_calls_gives_equal_results_with_envpools_interface(players, statistics, mode):
    for program in range(2):
        options = {"num_envs": NUM_ENVS, "autoreset_mode": mode, "max_episode_steps": 6, "seed": program}
        options["record_episode_statistics"] = statistics
        with PLAYERS[players](**options) as pool, envpool_rs.make(TASK, **options) as twin:
            assert_any_order_comes_to_the_same(pool, twin, program, same_but_for_times)


def same_but_for_times(got, expected, where):
    """Compares results except for the elapsed times of episodes."""
    for result in (got, expected):
        if isinstance(result, tuple) and isinstance(result[-1], dict) and "episode" in result[-1]:
            result[-1]["episode"]["t"][:] = 0
    assert_same(got, expected, where)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("how", ["one thread", "threads", "a pickled pool", "a mixed pool"])
def test_options_recordings_and_statistics_of_any_order_of_calls_are_equal(how, mode, tmp_path):
    for program in range(3):
        options = {"num_envs": NUM_ENVS, "autoreset_mode": mode, "max_episode_steps": 2, "seed": program}
        tasks = ["CartPole-v1", "CartPole-v0"] * (NUM_ENVS // 2) if how == "a mixed pool" else TASK
        with envpool_rs.make(tasks, num_threads=NUM_ENVS if how == "threads" else 1, **options) as made:
            pool = pickle.loads(pickle.dumps(made)) if how == "a pickled pool" else made
            with envpool_rs.make(tasks, **options) as twin:
                assert_any_order_comes_to_the_same(pool, twin, program, assert_same, folder=tmp_path, option="gravity")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("players", ["native", "shared_memory"])
def test_any_order_of_calls_gives_equal_results_with_gymnasiums_interface(players, mode):
    options = {"num_envs": NUM_ENVS, "autoreset_mode": mode, "max_episode_steps": 6}
    for program in range(2, 4):
        twin = envpool_rs.make_vec(TASK, num_threads=1, seed=program, **options)
        with envpool_rs.make_vec(TASK, vectorization_mode=players, seed=program, **options) as pool, twin:
            # The program starts with a reset and uses only valid actions, because each Python environment decides which
            # other calls it accepts.
            assert_same(pool.reset(), twin.reset(), "the first reset")
            odd = players == "native"
            assert_any_order_comes_to_the_same(pool, twin, program, assert_same, takes_ids=False, odd_actions=odd)
