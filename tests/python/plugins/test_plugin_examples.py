"""Tests that the environments in C and C++ of examples/plugins equal the built-in ones in every interface."""

import envpool_rs
import numpy as np
import pytest
from plugin_cases import LANES, assert_snapshots_continue, compare, compiled, continued, policy, same

pytestmark = pytest.mark.slow

CART_POLES = ("CCartPole-v1", "CColumnsCartPole-v1")
STEPS = 10_000


@pytest.fixture(scope="session")
def paths():
    """Loads all examples, and returns their paths."""
    found = [str(compiled(name)) for name in ("cart_pole", "cart_pole_columns", "maze")]
    for path in found:
        envpool_rs.load_plugin(path)
    return found


@pytest.mark.parametrize("task", CART_POLES)
@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_plugins_equal_the_built_in_cart_pole_bit_for_bit(paths, task, mode):
    pools = [envpool_rs.make_vec(one, LANES, autoreset_mode=mode, num_threads=2) for one in ("CartPole-v1", task)]
    ended = np.zeros(2, np.int64)

    def count(result, *_):
        ended[:] += result[2].sum(), result[3].sum()

    compare(*pools, STEPS, count)
    assert ended[0] > 1000
    assert ended[1] > 100, "episodes that reach the time limit"


@pytest.mark.parametrize("task", CART_POLES)
def test_plugins_equal_the_built_in_without_autoreset(paths, task):
    pools = [envpool_rs.make_vec(one, LANES, autoreset_mode="disabled") for one in ("CartPole-v1", task)]

    def reset_ended(result, *envs):
        ended = result[2] | result[3]
        if ended.any():
            assert same(*(env.reset(options={"reset_mask": ended}) for env in envs))

    compare(*pools, STEPS // 10, reset_ended)


@pytest.mark.parametrize("task", CART_POLES)
def test_plugins_equal_the_built_in_with_envpools_interface(paths, task):
    pools = [envpool_rs.make_gymnasium(one, num_envs=LANES, seed=3) for one in ("CartPole-v1", task)]
    assert same(*(env.reset() for env in pools))
    observation = pools[0].reset()[0]
    assert same((observation,), (pools[1].reset()[0],))
    for number in range(STEPS // 4):
        action = policy(observation, number)
        first, second = (env.step(action) for env in pools)
        assert same(first, second), number
        observation = first[0].copy()


@pytest.mark.parametrize("task", CART_POLES)
def test_asynchronous_batches_have_equal_episodes(paths, task):
    def trajectories(name):
        env = envpool_rs.make_gymnasium(name, num_envs=16, batch_size=4, seed=5, num_threads=2)
        env.async_reset()
        seen = {lane: [] for lane in range(16)}
        while min(map(len, seen.values())) < 300:
            observation, reward, terminated, truncated, info = env.recv()
            lanes = info["env_id"]
            for row, lane in enumerate(lanes):
                seen[lane].append((observation[row].tobytes(), float(reward[row]), terminated[row], truncated[row]))
            # An environment's actions depend only on its own number of steps, because the order of batches varies.
            env.send(np.array([len(seen[lane]) // (1 + lane % 3) % 2 for lane in lanes]), lanes)
        return {lane: rows[:300] for lane, rows in seen.items()}

    assert trajectories("CartPole-v1") == trajectories(task)


@pytest.mark.parametrize("task", CART_POLES)
def test_snapshots_continue_in_another_process(paths, task):
    assert_snapshots_continue(paths, task)


def test_options_have_their_ranges_and_descriptions(paths):
    moon, earth = (envpool_rs.make_vec("CCartPole-v1", 4, gravity=gravity) for gravity in (1.6, 9.8))
    assert same(moon.reset(seed=1), earth.reset(seed=1))
    assert not same(continued(moon, 5), continued(earth, 5))
    with pytest.raises(ValueError, match=r"gravity=200"):
        envpool_rs.make_vec("CCartPole-v1", 4, gravity=200)
    with pytest.raises(TypeError, match="gravty"):
        envpool_rs.make_vec("CCartPole-v1", 4, gravty=3.0)


def test_cpp_exceptions_are_errors(paths):
    for level, message in [("S.#", "one S and one E"), ("S./E", "rows of the same length"), ("SXE", "not X")]:
        with pytest.raises(ValueError, match=message):
            envpool_rs.make_vec("CppMaze-v0", 1, map=level)


def test_cpp_states_are_saved_and_loaded(paths):
    env = envpool_rs.make_vec("CppMaze-v0", 2)
    observation, info = env.reset()
    assert observation.dtype == np.uint8
    assert observation[0].tolist() == [[3, 0, 1], [0, 0, 0], [1, 0, 2]]
    assert info["visited"].tolist() == [1, 1]
    env.step(np.array([1, 2]))
    states = env.get_state()
    expected = [env.step(np.array([2, 1])) for _ in range(3)]
    assert expected[-1][4]["visited"].tolist() == [4, 4]
    other = envpool_rs.make_vec("CppMaze-v0", 2)
    other.set_state(states)
    again = [other.step(np.array([2, 1])) for _ in range(3)]
    assert same(expected[-1], again[-1])
    with pytest.raises(ValueError, match="map"):
        envpool_rs.make_vec("CppMaze-v0", 2, map="S.E").set_state(states)


def test_a_maze_ends_at_its_exit(paths):
    env = envpool_rs.make_vec("CppMaze-v0", 1)
    env.reset()
    rewards = [env.step(np.array([action]))[1:3] for action in (1, 2, 2, 1)]
    assert [(float(reward[0]), bool(end[0])) for reward, end in rewards] == [
        (0.0, False),
        (0.0, False),
        (0.0, False),
        (1.0, True),
    ]


@pytest.mark.parametrize("name", ["cart_pole", "cart_pole_columns", "maze"])
def test_check_plugin_finds_no_mistake(paths, name):
    assert envpool_rs.check_plugin(next(path for path in paths if path.endswith(f"lib{name}.so"))) == []
