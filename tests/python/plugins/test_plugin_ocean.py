"""Compares PufferLib's Breakout as a plugin (examples/plugins/ocean_breakout.c) with the original, called through
ctypes.
"""

import ctypes

import envpool_rs
import numpy as np
import pytest
from envpool_bench.plugins import builds
from plugin_cases import compiled, same

SOURCES = builds.pufferlib_sources()
GAME = SOURCES / "pufferlib/ocean/breakout"
OPTIONS = (*builds.OTHERS_OPTIONS, *builds.SECTIONS)
TASK = "ocean/Breakout-v0"
OBSERVATION = 118

pytestmark = pytest.mark.skipif(
    not GAME.is_dir(), reason=f"{SOURCES} does not exist: `nox -s ocean` downloads it from PyPI"
)


@pytest.fixture(scope="session")
def original():
    """Fixture that loads the plugin and returns the original game as a ctypes library."""
    include = (GAME, builds.raylib(SOURCES) / "include")
    envpool_rs.load_plugin(str(compiled("ocean_breakout", OPTIONS, include)))
    source = builds.FIXTURES / "ocean_breakout_original.c"
    return ctypes.CDLL(str(compiled("ocean_original", OPTIONS, include, source)))


def play_original(original, seed, actions, frameskip=4):
    """Plays the original with a seed of libc's rand(); returns its numbers after each step."""
    count = len(actions)
    observations = np.zeros((count, OBSERVATION), np.float32)
    rewards, terminals = np.zeros(count, np.float32), np.zeros(count, np.uint8)
    given = np.ascontiguousarray(actions, np.float32)
    original.original_reset(ctypes.c_uint(seed), frameskip)
    arrays = (ctypes.c_void_p(array.ctypes.data) for array in (given, observations, rewards, terminals))
    original.original_steps(count, *arrays)
    return observations, rewards, terminals


@pytest.mark.parametrize("frameskip", [1, 4])
def test_episodes_equal_those_of_the_original(original, frameskip):
    lanes, steps = 24, 6000
    env = envpool_rs.make_vec(TASK, lanes, frameskip=frameskip, num_threads=2)
    random = np.random.default_rng(3)
    # Each environment repeats its action for some steps, so that the paddle meets some balls.
    actions = np.repeat(random.integers(0, 3, (steps // 10, lanes)), 10, axis=0)
    seeds = [int(seed) for seed in random.integers(1, 2**31, lanes)]
    env.reset(seed=seeds)
    played = [([], [], []) for _ in range(lanes)]
    given = [[] for _ in range(lanes)]
    ended = np.zeros(lanes, bool)
    for action in actions:
        observation, reward, terminated, truncated, _ = env.step(action)
        assert not truncated.any()
        for lane in np.flatnonzero(~ended):  # after an episode's end, the pool's step only starts the next episode
            given[lane].append(action[lane])
            for rows, value in zip(
                played[lane], (observation[lane].copy(), reward[lane], terminated[lane]), strict=True
            ):
                rows.append(value)
        ended = terminated.copy()
    episodes = 0
    for lane, (observations, rewards, terminals) in enumerate(played):
        expected = play_original(original, seeds[lane], given[lane], frameskip)
        assert np.array_equal(np.array(observations), expected[0]), lane
        assert np.array_equal(np.array(rewards), expected[1]), lane
        assert np.array_equal(np.array(terminals), expected[2]), lane
        episodes += int(expected[2].sum())
    assert episodes > lanes
    assert max(max(rewards) for _, rewards, _ in played) > 0


def test_snapshots_contain_the_game_and_its_random_numbers(original):
    env = envpool_rs.make_vec(TASK, 8)
    env.reset(seed=1)
    random = np.random.default_rng(1)
    for _ in range(200):
        env.step(random.integers(0, 3, 8))
    states, later = env.get_state(), random.integers(0, 3, (300, 8))
    first = [same_copy(env.step(action)) for action in later]
    env.set_state(states)
    assert same(first, [same_copy(env.step(action)) for action in later])


def same_copy(result):
    """Copies the arrays of a result."""
    return [np.array(array) for array in result[:4]]


def test_infos_report_the_state_of_the_game(original):
    env = envpool_rs.make_vec(TASK, 4)
    _, info = env.reset(seed=1)
    assert info["balls"].tolist() == [5] * 4
    assert info["score"].tolist() == [0] * 4
    score = np.zeros(4)
    for _ in range(300):
        _, reward, terminated, _, info = env.step(np.random.default_rng(2).integers(0, 3, 4))
        score = np.where(terminated, 0, score + reward)
        assert info["score"][~terminated].tolist() == score[~terminated].tolist()


def test_check_plugin_finds_no_mistake(original):
    env = envpool_rs.make_vec(TASK, 5, check=True)
    env.reset(seed=1)
    random = np.random.default_rng(1)
    for _ in range(100):
        env.step(random.integers(0, 3, 5))
