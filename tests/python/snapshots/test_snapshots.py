"""Tests that a restored environment continues exactly like the saved one."""

import copy
import pickle

import envpool_rs
import numpy as np
import pytest
from policies import random_actions
from references.batch import flat
from tasks import TASKS, VIZDOOM

ENVS = 9

#: Tasks and numbers of steps before the snapshot; fewer steps for ViZDoom's, whose games are replayed.
PLAYED = [(task, steps) for task in TASKS for steps in ((0, 9, 31) if task in VIZDOOM else (0, 5, 17, 18, 31))]


def actions_for(env, steps, seed=0):
    rng = np.random.default_rng(seed)
    rows = ENVS if hasattr(env.single_action_space, "spaces") else ENVS * env.spec.players
    return [random_actions(env.single_action_space, rows, rng) for _ in range(steps)]


def make(task, seed=0, **options):
    return envpool_rs.make(task, num_envs=ENVS, seed=seed, max_episode_steps=17, **options)


def trajectory(env, actions):
    """Steps a pool with the given actions, and returns all numbers of the results, by environment."""
    results = [env.step(each) for each in actions]
    return [
        [array.reshape(ENVS, -1).copy() for array in [*flat(result[0]), *result[1:4], result[4]["elapsed_step"]]]
        for result in results
    ]


def assert_equal(left, right, ids=slice(None)):
    for a, b in zip(left, right, strict=True):
        for x, y in zip(a, b, strict=True):
            np.testing.assert_array_equal(x[ids], y[ids])


@pytest.mark.parametrize(("task", "played"), PLAYED)
def test_a_restored_pool_continues_like_the_saved_one(task, played):
    env, other = make(task), make(task, seed=99)
    actions = actions_for(env, played + 30)  # episodes end after 17 steps
    for each in actions[:played]:
        env.step(each)
        other.step(each)
    saved = env.get_state()
    expected = trajectory(env, actions[played:])
    env.set_state(saved)
    other.set_state(saved)
    assert_equal(trajectory(env, actions[played:]), expected)
    assert_equal(trajectory(other, actions[played:]), expected)


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
def test_single_states_are_restored_without_affecting_other_environments(task):
    env, other = make(task), make(task, seed=99)
    actions = actions_for(env, 60)
    for each in actions[:20]:
        env.step(each)
        other.step(each)
    untouched = make(task, seed=99)
    for each in actions[:20]:
        untouched.step(each)
    other.set_state(env.get_state([4, 2]), np.array([4, 2]))
    got = trajectory(other, actions[20:])
    assert_equal(got, trajectory(env, actions[20:]), [4, 2])
    rest = [0, 1, 3, 5, 6, 7, 8]
    assert_equal(got, trajectory(untouched, actions[20:]), rest)


def test_a_state_may_be_restored_to_many_environments():
    env = make("CartPole-v1")
    env.reset()
    (state,) = env.get_state([3])
    env.set_state([state] * ENVS)
    observation = env.step(np.ones(ENVS, dtype=np.int64))[0]
    assert (observation == observation[0]).all()


@pytest.mark.parametrize("mode", ["same_step", "disabled"])
def test_a_pending_reset_is_restored(mode):
    env = make("CartPole-v1", autoreset_mode=mode)
    fresh = env.get_state()
    env.reset()
    env.step(np.ones(ENVS, dtype=np.int64))
    env.set_state(fresh)
    with pytest.raises(RuntimeError, match="has never been reset"):
        env.step(np.ones(ENVS, dtype=np.int64))


def test_episode_statistics_are_restored():
    env = make("CartPole-v1", record_episode_statistics=True)
    actions = [np.arange(ENVS) % 2] * 40
    for each in actions[:7]:
        env.step(each)
    saved = env.get_state()
    expected = [env.step(each)[4].get("episode") for each in actions]
    env.set_state(saved)
    for each, wanted in zip(actions, expected, strict=True):
        got = env.step(each)[4].get("episode")
        assert (got is None) == (wanted is None)
        if got:
            assert got["l"].tolist() == wanted["l"].tolist() and got["r"].tolist() == wanted["r"].tolist()


def test_states_of_other_tasks_and_options_are_refused():
    env = make("FrozenLake-v1")
    for other in (make("FrozenLake8x8-v1"), make("FrozenLake-v1", is_slippery=False), make("CliffWalking-v1")):
        with pytest.raises(ValueError, match="state"):
            env.set_state(other.get_state())


def test_damaged_states_are_refused_and_change_nothing():
    env = make("Taxi-v4")
    env.reset()
    saved, expected = env.get_state(), make("Taxi-v4")
    expected.set_state(env.get_state())
    rng = np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(saved[1])
        damaged[rng.integers(len(damaged))] ^= 1 << rng.integers(8)
        with pytest.raises(ValueError, match="state"):
            env.set_state([saved[2], bytes(damaged)], [0, 1])
    for damaged in (b"", saved[0][:-1], saved[0] + b"x", b"EPR1"):
        with pytest.raises(ValueError, match="state"):
            env.set_state([damaged], [0])
    for each in actions_for(env, 5):
        np.testing.assert_array_equal(env.step(each)[0], expected.step(each)[0])


def test_states_of_the_wrong_number_or_kind_are_refused():
    env = make("Taxi-v4")
    state = env.get_state()
    with pytest.raises(ValueError, match="state"):
        env.set_state(state[:2])
    with pytest.raises(ValueError, match="state"):
        env.set_state(state[:2], [1])
    with pytest.raises(TypeError, match="bytes"):
        env.set_state(state[0])
    with pytest.raises(TypeError, match="bytes"):
        env.set_state([1] * ENVS)
    with pytest.raises(IndexError, match="99"):
        env.get_state([99])


@pytest.mark.slow
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    "duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"]
)
def test_copies_continue_like_the_original(task, duplicate):
    env = make(task)
    actions = actions_for(env, 40)
    for each in actions[:9]:
        env.step(each)
    other = duplicate(env)
    assert_equal(trajectory(other, actions[9:]), trajectory(env, actions[9:]))


@pytest.mark.parametrize("kind", [bytearray, memoryview, lambda state: np.frombuffer(state, np.uint8)])
def test_buffer_protocol_objects_are_accepted_as_snapshots(kind):
    env, other = make("CartPole-v1"), make("CartPole-v1", seed=99)
    other.set_state([kind(state) for state in env.get_state()])
    assert other.get_state() == env.get_state()
    # The snapshot is a row of a uint8 array, as in programs that store all snapshots in a single array.
    table = np.frombuffer(env.get_state()[0], np.uint8)[np.newaxis]
    another = make("CartPole-v1", seed=99)
    another.set_state(table, [0])
    assert another.get_state()[0] == env.get_state()[0]
