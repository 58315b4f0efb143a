"""Tests rollout buffers: arrays into which environments write the results of consecutive steps."""

import gc
import weakref

import envpool_rs
import gymnasium
import numpy as np
import pytest
from policies import random_actions
from tasks import TASKS
from test_contract import assert_same
from test_out import flat

ENVS = 3
CARTPOLE = "CartPole-v1"


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("make", [envpool_rs.make_vec, envpool_rs.make_gymnasium])
def test_a_buffer_contains_the_results_of_plain_steps(make, task):
    ours, plain = (make(task, num_envs=ENVS, seed=1) for _ in range(2))
    steps, rng = 4, np.random.default_rng(0)
    buffer = ours.rollout_buffer(steps)
    space, rows = envpool_rs.make_spec(task).action_space, ENVS * ours._spec.rows
    first = plain.reset()[0]
    assert_same(ours.reset(out=buffer)[0], first)
    for _ in range(3):
        observations, results = [dict(flat(first))], []
        for step in range(steps):
            assert buffer.cursor == step
            actions = random_actions(space, rows, rng)
            expected = plain.step(actions)
            assert_same(ours.step(actions, out=buffer), expected)
            observations.append({path: np.array(leaf) for path, leaf in flat(expected[0])})
            results.append({path: np.array(leaf) for path, leaf in flat(expected[1:])})
        stored = dict(flat(buffer.arrays["obs"]))
        for path, array in stored.items():
            assert_same(array, np.array([each[path] for each in observations]))
        arrays = (buffer.reward, buffer.terminated, buffer.truncated, buffer.info)
        for path, array in flat(arrays):
            assert_same(array, np.array([each[path] for each in results]))
        with pytest.raises(RuntimeError, match="whose 4 steps are filled: call restart"):
            ours.step(actions, out=buffer)
        buffer.restart()
        assert buffer.cursor == 0
        first = expected[0]
        for path, array in dict(flat(buffer.arrays["obs"])).items():
            assert_same(array[0], np.asarray(dict(flat(first))[path]))
    ours.close(), plain.close()


@pytest.mark.parametrize("num_threads", [1, 2])
@pytest.mark.parametrize("num_envs", [100, 600])
def test_a_buffer_of_many_rows_contains_the_results_of_plain_steps(num_envs, num_threads):
    ours, plain = (envpool_rs.make_vec(CARTPOLE, num_envs, num_threads=num_threads, seed=1) for _ in range(2))
    buffer, rng = ours.rollout_buffer(32), np.random.default_rng(0)
    ours.reset(out=buffer), plain.reset()
    for step in range(32):
        actions = rng.integers(0, 2, num_envs)
        expected = plain.step(actions)
        ours.step(actions, out=buffer)
        for array, part in zip((buffer.obs[1:], buffer.reward, buffer.terminated), expected, strict=False):
            assert_same(array[step], part)


@pytest.mark.parametrize("num_envs", [3, 600])
def test_arrays_of_a_buffer_start_at_cache_lines_and_share_no_memory(num_envs):
    env = envpool_rs.make(CARTPOLE, num_envs=num_envs)
    buffer = env.rollout_buffer(32)
    arrays = [array for _, array in flat(buffer.arrays)]
    assert all(not array.any() for array in arrays)
    for number, array in enumerate(arrays):
        array[:] = number + 1
    for number, array in enumerate(arrays):
        assert (array == array.dtype.type(number + 1)).all()
    assert buffer.obs.ctypes.data % 64 == 0


@pytest.mark.parametrize("make", [envpool_rs.make_vec, envpool_rs.make_gymnasium])
@pytest.mark.parametrize("task", [CARTPOLE, "Taxi-v4", "MiniGrid-DoorKey-5x5-v0"])
def test_a_buffer_without_infos_returns_the_pools_infos(make, task):
    ours, plain = (make(task, num_envs=ENVS, seed=1) for _ in range(2))
    buffer, space = ours.rollout_buffer(5, infos=False), envpool_rs.make_spec(task).action_space
    assert buffer.info == {}
    ours.reset(out=buffer), plain.reset()
    rng, kept = np.random.default_rng(0), []
    for update in range(3):
        for step in range(5):
            actions = random_actions(space, ENVS, rng)
            result, expected = ours.step(actions, out=buffer), plain.step(actions)
            assert_same(result, expected)
            if (update + step) % 2:
                kept.append((result[-1], expected[-1]))
        buffer.restart()
    for info, expected in kept:
        assert_same(info, expected)


def test_results_are_writable_views_of_the_buffer():
    env = envpool_rs.make(CARTPOLE, num_envs=ENVS, seed=1)
    buffer = env.rollout_buffer(2)
    env.reset(out=buffer)
    first = env.step(np.zeros(ENVS, int), out=buffer)
    assert np.shares_memory(first[0], buffer.obs) and np.shares_memory(first[1], buffer.reward)
    first[-1]["mine"] = 1
    del first[-1]["env_id"]
    first[0].shape = (4, ENVS)
    env.step(np.zeros(ENVS, int), out=buffer)
    buffer.restart()
    again = env.step(np.zeros(ENVS, int), out=buffer)
    assert set(again[-1]) == {"env_id", "players", "elapsed_step"} and again[0].shape == (ENVS, 4)
    assert np.array_equal(again[0], buffer.obs[1])


def test_allocated_arrays_that_share_memory_are_refused():
    env, memory = envpool_rs.make_vec("CartPole-v1", num_envs=3), np.zeros(100_000, np.uint8)

    def allocate(shape, dtype):
        return memory[: int(np.prod(shape)) * np.dtype(dtype).itemsize].view(dtype).reshape(shape)

    with pytest.raises(ValueError, match="share memory: expected an array for each"):
        env.rollout_buffer(2, allocate)


def test_arrays_are_allocated_by_the_callers_function():
    env = envpool_rs.make(CARTPOLE, num_envs=ENVS)
    made = []

    def allocate(shape, dtype):
        made.append(np.full(shape, 1, dtype))
        return made[-1]

    buffer = env.rollout_buffer(2, allocate)
    env.reset(out=buffer)
    assert any(array is buffer.obs.base or np.shares_memory(array, buffer.obs) for array in made)
    for wrong, error in (
        (lambda shape, dtype: np.zeros(shape[1:], dtype), ValueError),
        (lambda shape, dtype: np.zeros(shape, dtype, order="F") if len(shape) > 1 else np.zeros(9)[::3], ValueError),
        (lambda shape, dtype: [0.0], ValueError),
        (lambda shape: None, TypeError),
    ):
        with pytest.raises(error):
            env.rollout_buffer(2, wrong)


def test_wrong_buffers_are_refused():
    env, other = (envpool_rs.make(CARTPOLE, num_envs=ENVS) for _ in range(2))
    env.reset()
    for steps, error in ((0, ValueError), (-1, ValueError), (2**70, ValueError), (1.5, TypeError), ("3", TypeError)):
        with pytest.raises(error, match="steps"):
            env.rollout_buffer(steps)
    with pytest.raises((MemoryError, ValueError)):
        env.rollout_buffer(2**50)
    with pytest.raises(ValueError, match="RolloutBuffer of another pool"):
        env.step(np.zeros(ENVS, int), out=other.rollout_buffer(1))
    with pytest.raises(ValueError, match="env_id has 2 entries: expected all 3"):
        env.step(np.zeros(2, int), np.arange(2), out=env.rollout_buffer(1))
    with pytest.raises(AttributeError, match="no attribute 'rewards'"):
        _ = env.rollout_buffer(1).rewards
    assert {"obs", "reward", "cursor", "restart"} <= set(dir(env.rollout_buffer(1)))
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.rollout_buffer(1)


def test_a_buffer_outlives_its_pool_and_its_arrays_outlive_the_buffer():
    env = envpool_rs.make(CARTPOLE, num_envs=ENVS)
    buffer = env.rollout_buffer(2)
    env.reset(out=buffer)
    observation = env.step(np.zeros(ENVS, int), out=buffer)[0]
    before, died = observation.copy(), weakref.ref(env)
    env.close()
    del env
    gc.collect()
    assert died() is None
    rewards = buffer.reward
    buffer.restart()
    del buffer
    gc.collect()
    assert np.array_equal(observation, before) and rewards[0].all()


def test_recv_copies_into_a_buffer():
    ours, plain = (envpool_rs.make(CARTPOLE, num_envs=ENVS, seed=1) for _ in range(2))
    buffer = ours.rollout_buffer(3)
    ours.reset(out=buffer), plain.reset()
    for step in range(3):
        ours.send(np.zeros(ENVS, int))
        assert_same(ours.recv(out=buffer), plain.step(np.zeros(ENVS, int)))
        assert buffer.cursor == step + 1


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
@pytest.mark.parametrize("make", [envpool_rs.make_vec, envpool_rs.make_gym, envpool_rs.make_dm])
def test_a_buffer_has_actions_and_a_mask_of_steps_that_did_not_only_reset(make, mode):
    if make is envpool_rs.make_dm:
        pytest.importorskip("dm_env")
        if mode == "same_step":
            pytest.skip("dm_env has no such mode")
    env = make("Pendulum-v1", num_envs=ENVS, seed=1, max_episode_steps=[2, 3, 1000], autoreset_mode=mode)
    buffer, rng = env.rollout_buffer(4), np.random.default_rng(0)
    env.reset(out=buffer)
    assert not buffer.valid.any()
    period = {"next_step": 1, "same_step": 0}[mode]
    for update in range(3):
        given = rng.uniform(-2, 2, (4, ENVS, 1)).astype(np.float32)
        for step in range(4):
            env.step(given[step], out=buffer)
        assert buffer.action.dtype == np.float32 and np.array_equal(buffer.action, given)
        steps = np.arange(4 * update, 4 * update + 4)
        expected = [(steps + 1) % (length + 1) != 0 if period else steps >= 0 for length in (2, 3, 1000)]
        assert buffer.valid.dtype == np.bool_ and np.array_equal(buffer.valid, np.transpose(expected))
        buffer.restart()
        assert not buffer.valid.any()


LIMITS = {"max_episode_steps": [2, 3, 4], "seed": 1}


@pytest.mark.parametrize("receives", [False, True])
def test_valid_steps_follow_environments_in_any_order(receives):
    env = envpool_rs.make("Pendulum-v1", num_envs=ENVS, **LIMITS)
    buffer, rng, actions = env.rollout_buffer(20), np.random.default_rng(0), np.zeros((ENVS, 1), np.float32)
    env.reset(out=buffer)
    for step in range(20):
        ids = rng.permutation(ENVS)
        if receives:
            env.send(actions, ids)
        info = (env.recv(out=buffer) if receives else env.step(actions, ids, out=buffer))[-1]
        assert np.array_equal(buffer.valid[step], info["elapsed_step"] > 0)
    assert buffer.valid[:, 0].any() and not buffer.valid.all()


def test_valid_steps_do_not_depend_on_what_a_buffer_has_seen():
    env = envpool_rs.make("Pendulum-v1", num_envs=ENVS, **LIMITS)
    buffers, actions = [env.rollout_buffer(1) for _ in range(2)], np.zeros((ENVS, 1), np.float32)
    for step in range(12):  # the first step resets
        buffer = buffers[step % 2]
        info = env.step(actions, out=buffer)[-1]
        assert np.array_equal(buffer.valid[0], info["elapsed_step"] > 0)
        buffer.restart()
    states = env.get_state()
    between = (env.reset, lambda: env.reset(np.array([1])), lambda: env.step(actions), lambda: env.set_state(states))
    for act in (*between, *between):
        act()
        info = env.step(actions, out=buffer)[-1]
        assert np.array_equal(buffer.valid[0], info["elapsed_step"] > 0)
        buffer.restart()


def test_a_buffer_has_the_actions_of_received_steps_and_of_environments_in_python():
    native = envpool_rs.make_vec("Pendulum-v1", ENVS, seed=1)
    python = envpool_rs.make_vec([lambda: gymnasium.make("Pendulum-v1")] * ENVS, num_workers=1)
    for env in (native, python):
        buffer, rng = env.rollout_buffer(4), np.random.default_rng(0)
        env.reset(out=buffer)
        given = rng.uniform(-2, 2, (4, ENVS, 1)).astype(np.float32)
        env.step(given[0], out=buffer)
        for actions in given[1:]:
            env.send(actions)
            env.recv(out=buffer)
        assert buffer.action.dtype == np.float32 and np.array_equal(buffer.action, given)
        buffer.restart()
        env.step(given[0].tolist(), out=buffer)
        if env is python:
            with pytest.raises(RuntimeError, match="expected arrays of the action space's dtype"):
                _ = buffer.action
            buffer.restart()
            env.step(given[1], out=buffer)
            assert np.array_equal(buffer.action[0], given[1])
        env.close()


def test_a_buffer_has_the_actions_of_dicts_and_of_several_players():
    for task, options in (("SimpleSpread-v3", {}), ("CartPole-v1", {})):
        env = envpool_rs.make_vec(task, ENVS, seed=1, **options)
        buffer, rng = env.rollout_buffer(2), np.random.default_rng(0)
        env.reset(out=buffer)
        rows = ENVS * env.spec.rows
        given = [random_actions(env.spec.gymnasium_action_space, rows, rng) for _ in range(2)]
        for actions in given:
            env.step(actions, out=buffer)
        assert np.array_equal(buffer.action, given)
