"""Tests that jax programs that step pools get the same results as the pools' own `step` returns."""

import re
import resource
import subprocess
import sys

import envpool_rs
import numpy as np
import pytest
from envpool_rs import xla
from repository import ROOT
from tasks import HAS_MUJOCO, TASKS
from xla_pairs import ENVS, MAKERS, actions_for, assert_matches, pair

jax = pytest.importorskip("jax")
experimental = pytest.importorskip("jax.experimental")
import jax.numpy as jnp  # noqa: E402


def play_both(mine, other, steps=25, seed=0):
    handle, _, _, step = mine.xla()
    step, rng = jax.jit(step), np.random.default_rng(seed)
    for _ in range(steps):
        action = actions_for(other, rng)
        handle, result = step(handle, action)
        assert_matches(result, other.step(action))


@pytest.mark.parametrize("task", TASKS)
def test_every_task_equals_its_pool(task):
    play_both(*pair(task), steps=12)


@pytest.mark.parametrize("interface", MAKERS)
@pytest.mark.parametrize("task", ["CartPole-v1", "Blackjack-v1", "Taxi-v3", "SimpleSpeakerListener-v4"])
def test_every_interface_has_its_own_results(task, interface):
    play_both(*pair(task, interface))


@pytest.mark.skipif(not HAS_MUJOCO, reason="needs mujoco")
def test_step_only_infos_have_their_own_masks():
    mine, other = pair("HalfCheetah-v5", "vector")
    play_both(mine, other)
    assert {mask.all() for mask in other.reset()[1].values() if mask.dtype == bool} == {True, False}


@pytest.mark.parametrize("interface", ["gymnasium", "vector"])
def test_each_player_has_a_row(interface):
    play_both(*pair("SimpleSpread-v3", interface))


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("Pendulum-v1", {"g": [9.8, 1.6, 3.7, ("uniform", 9, 11)]}),
        (["CartPole-v0", "CartPole-v1"], {}),
    ],
)
def test_mixed_environments_equal_their_pool(task, options):
    play_both(*pair(task, **options))


def test_keys_have_the_order_of_the_pool():
    mine, other = pair("Taxi-v3", record_episode_statistics=True, max_episode_steps=1)
    handle, _, _, step = mine.xla()
    _, (*_, info) = step(handle, np.zeros(ENVS, np.int32))
    assert list(info) == list(other.step(np.zeros(ENVS, np.int32))[4])


@pytest.mark.parametrize("interface", ["gymnasium", "gym, four values", "vector"])
def test_same_step_mode_returns_final_observations_padded_with_zeros(interface):
    mine, other = pair("CartPole-v1", interface, autoreset_mode="same_step")
    handle, _, _, step = mine.xla()
    step, rng = jax.jit(step), np.random.default_rng(1)
    for _ in range(40):
        action = actions_for(other, rng)
        handle, (*values, info) = step(handle, action)
        *expected, own = other.step(action)
        ended = np.asarray(info["_final_obs"])
        rows = own.pop("final_obs", np.full(ENVS, None))
        np.testing.assert_array_equal(ended, own.pop("_final_obs", np.zeros(ENVS, bool)))
        for row, is_last in enumerate(ended):
            np.testing.assert_array_equal(info["final_obs"][row], rows[row] if is_last else np.zeros(4))
        if "final_info" in own:
            assert_matches(info["final_info"], own.pop("final_info"))
            own.pop("_final_info")
        for key in ("final_obs", "_final_obs", "final_info", "_final_info"):
            info.pop(key)
        assert_matches((tuple(values), info), (tuple(expected), own))


def test_episode_statistics_are_always_returned_with_a_mask():
    mine, other = pair("CartPole-v1", record_episode_statistics=True)
    handle, _, _, step = mine.xla()
    step, rng, ended = jax.jit(step), np.random.default_rng(1), 0
    for _ in range(30):
        action = actions_for(other, rng)
        handle, (*_, info) = step(handle, action)
        own = other.step(action)[4]
        assert info["episode"]["r"].dtype == np.float32 and info["episode"]["l"].dtype == np.int32
        mask = own.get("_episode", np.zeros(ENVS, bool))
        np.testing.assert_array_equal(info["_episode"], mask)
        for key in ("r", "l"):
            expected = own["episode"][key] if "episode" in own else np.zeros(ENVS)
            np.testing.assert_array_equal(np.asarray(info["episode"][key])[mask], expected[mask])
        ended += mask.sum()
    assert ended


def test_64_bit_types_are_kept_if_jax_enables_them():
    mine, other = pair("FrozenLake-v1", "vector")
    handle, _, _, step = mine.xla()
    enable_x64 = jax.enable_x64 if hasattr(jax, "enable_x64") else experimental.enable_x64
    with enable_x64(True):
        _, result = jax.jit(step)(handle, np.array([2, 1, 2, 1]))
        assert (result[0].dtype, result[1].dtype) == (np.int64, np.float64)
        np.testing.assert_array_equal(result[0], other.step(np.array([2, 1, 2, 1]))[0])


# Tests of jax programs that step pools.


def balance(observation):
    return (observation[:, 2] + observation[:, 3] > 0).astype(jnp.int32)


def own_rollout(env, observation, steps):
    seen = []
    for _ in range(steps):
        action = (observation[:, 2] + observation[:, 3] > 0).astype(np.int32)
        result = env.step(action)
        seen.append(result)
        observation = result[0]
    return seen


def test_a_whole_rollout_is_one_scan():
    mine, other = pair(max_episode_steps=500)
    first, _ = mine.reset()
    handle, _, _, step = mine.xla()

    @jax.jit
    def rollout(handle, observation):
        def body(carry, _):
            handle, result = step(carry[0], balance(carry[1]))
            return (handle, result[0]), result

        return jax.lax.scan(body, (handle, observation), None, length=200)

    other.reset()
    for _ in range(2):
        (handle, last), results = rollout(handle, first)
        for index, expected in enumerate(own_rollout(other, first, 200)):
            assert_matches(jax.tree_util.tree_map(lambda values, index=index: values[index], results), expected)
        first = np.asarray(last)


def test_a_loop_carries_whole_results():
    mine, other = pair("Blackjack-v1", "dm")
    handle, _, _, step = mine.xla()
    stick = np.zeros(ENVS, np.int32)
    handle, first = jax.jit(step)(handle, stick)

    def body(_, carry):
        return step(carry[0], stick)

    handle, last = jax.jit(lambda *carry: jax.lax.fori_loop(0, 7, body, carry))(handle, first)
    for _ in range(8):
        expected = other.step(stick)
    assert_matches(last, expected)


def test_conditions_and_while_loops_control_steps():
    mine, other = pair(max_episode_steps=500)
    handle, _, _, step = mine.xla()
    zeros = np.zeros(ENVS, np.int32)

    @jax.jit
    def until_one_ends(handle):
        def body(carry):
            handle, (_, _, terminated, *_) = step(carry[0], zeros)
            return handle, terminated.any(), carry[2] + 1

        return jax.lax.while_loop(lambda carry: ~carry[1], body, (handle, False, 0))

    handle, _, count = until_one_ends(handle)
    own = 0
    while True:
        own += 1
        if other.step(zeros)[2].any():
            break
    assert count == own
    maybe = jax.jit(lambda handle, go: jax.lax.cond(go, lambda h: step(h, zeros)[0], lambda h: h, handle))
    for go in (False, True, False):
        handle = maybe(handle, go)
    other.step(zeros)
    np.testing.assert_array_equal(step(handle, zeros)[1][0], other.step(zeros)[0])


def test_steps_with_unused_results_are_neither_removed_nor_merged():
    mine, other = pair()
    handle, _, _, step = mine.xla()
    ones = np.ones(ENVS, np.int32)

    @jax.jit
    def twice_the_same(handle):
        step(handle, ones)
        step(handle, ones)
        return handle

    handle = twice_the_same(handle)
    for _ in range(2):
        other.step(ones)
    np.testing.assert_array_equal(step(handle, ones)[1][0], other.step(ones)[0])


def test_one_program_may_use_two_pools():
    (one, own_one), (two, own_two) = pair("CartPole-v1"), pair("Pendulum-v1", num_envs=2)
    first, _, _, step_one = one.xla()
    second, _, _, step_two = two.xla()
    left, right = np.ones(ENVS, np.int32), np.full((2, 1), 0.5, np.float32)

    @jax.jit
    def both(first, second):
        first, cart_poles = step_one(first, left)
        second, pendulums = step_two(second, right + cart_poles[0][:2, :1])
        return first, second, cart_poles, pendulums

    for _ in range(12):
        first, second, cart_poles, pendulums = both(first, second)
        expected = own_one.step(left)
        assert_matches(cart_poles, expected)
        assert_matches(pendulums, own_two.step(right + expected[0][:2, :1]))


def test_only_the_requested_environments_are_stepped():
    mine, other = pair()
    handle, _, _, step = mine.xla()
    step = jax.jit(step)
    for chosen in ([2, 0], [3], [1, 2, 3, 0], []):
        ids = np.array(chosen, np.int32)
        action = np.ones(len(ids), np.int32)
        handle, result = step(handle, action, ids)
        assert_matches(result, other.step(action, ids))
    handle, result = step(handle, {"action": action_of(2), "env_id": np.array([1, 3])})
    assert_matches(result, other.step(action_of(2), np.array([1, 3])))


def action_of(count):
    return np.ones(count, np.int32)


def test_a_list_of_traced_actions_is_an_action():
    mine, other = pair()
    handle, _, _, step = mine.xla()
    _, result = jax.jit(lambda handle, left, right: step(handle, [left, right, 0, 1]))(handle, 0, 1)
    assert_matches(result, other.step(np.array([0, 1, 0, 1])))


def test_send_and_recv_are_separate_functions():
    mine, other = pair("Taxi-v3")
    handle, recv, send, _ = mine.xla()
    action = np.array([0, 1, 2, 3])

    @jax.jit
    def both(handle):
        handle = send(handle, action)
        return recv(handle)

    for _ in range(5):
        handle, result = both(handle)
        assert_matches(result, other.step(action))


def test_a_result_from_before_steps_of_a_program_is_not_received():
    env = envpool_rs.make_gymnasium("CartPole-v1", num_envs=2, seed=1)
    env.reset()
    handle, _, _, step = env.xla()
    actions = np.zeros(2, env.action_space.dtype)
    env.step(actions)
    step(handle, actions)[1][0].block_until_ready()
    with pytest.raises(RuntimeError, match="nothing has been sent"):
        env.recv()


def test_asynchronous_batches_contain_each_environments_trajectory():
    mine, other = pair(num_envs=6, batch_size=2, num_threads=2)
    other = envpool_rs.make("CartPole-v1", num_envs=6, seed=3, max_episode_steps=9)
    observations, _ = other.reset()
    mine.async_reset()
    handle, recv, _, step = mine.xla()

    @jax.jit
    def rollout(handle):
        handle, (*_, info) = recv(handle)

        def body(carry, _):
            handle, ids = carry
            handle, result = step(handle, jnp.ones(2, jnp.int32), ids)
            return (handle, result[4]["env_id"]), (result[0], result[4]["env_id"])

        return jax.lax.scan(body, (handle, info["env_id"]), None, length=90)[1]

    trajectories = {each: [row] for each, row in enumerate(observations)}
    for _ in range(60):
        observations = other.step(np.ones(6, np.int32))[0]
        for each, row in enumerate(observations):
            trajectories[each].append(row)
    seen, ids = map(np.asarray, rollout(handle))
    steps = dict.fromkeys(range(6), -1)
    for row, each in zip(seen.reshape(-1, 4), ids.reshape(-1), strict=True):
        own = [i for i, known in enumerate(trajectories[each]) if np.array_equal(known, row)]
        assert any(i > steps[each] for i in own), (each, steps[each])
        steps[each] = min(i for i in own if i > steps[each])
    assert sum(step + 1 for step in steps.values()) >= 2 * 90


def test_the_examples_of_the_documentation_run():
    page = ROOT / "docs/jax.md"
    if not page.exists():
        pytest.skip("needs the repository, not only the tests")
    blocks = re.findall(r"^```py\n(.*?)^```", page.read_text(), re.M | re.S)
    assert blocks
    for block in blocks:
        names = {}
        exec(compile(block, page.name, "exec"), names)
        jax.block_until_ready(names["rewards"])  # waits before the last references to the pool are dropped


@pytest.mark.slow
def test_the_example_measures_programs_and_loops():
    example = ROOT / "examples/jax_rollout.py"
    if not example.exists():
        pytest.skip("needs the repository, not only the tests")
    command = [sys.executable, "-W", "ignore", example, "--num-envs", "4", "--steps", "5", "--runs", "1"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, timeout=300).stdout
    assert "one lax.scan" in printed and "loop in Python, jax policy" in printed


# Tests that alternate jax programs and calls of the pool's own methods.


@pytest.mark.parametrize("batch_size", [4, 2])
def test_programs_and_the_pools_methods_may_alternate(batch_size):
    env = envpool_rs.make("CartPole-v1", num_envs=4, batch_size=batch_size, max_episode_steps=5, seed=1)
    env.async_reset()
    handle, recv, send, step = env.xla()
    send, recv, step = jax.jit(send), jax.jit(recv), jax.jit(step)
    ids, kept = env.recv()[4]["env_id"], []
    rng = np.random.default_rng(0)
    for _ in range(200):
        action = np.ones(batch_size, np.int32)
        way = rng.integers(4)
        if way == 0:
            handle, result = step(handle, action, ids)
        elif way == 1:
            result = env.step(action, np.asarray(ids))
        elif way == 2:
            handle = send(handle, action, ids)
            result = env.recv()
        else:
            env.send(action, np.asarray(ids))
            handle, result = recv(handle)
        ids = result[4]["env_id"]
        kept.append((result[0], np.array(result[0])))
        assert sorted(set(np.asarray(ids).tolist())) == sorted(np.asarray(ids).tolist())
        assert np.asarray(result[4]["elapsed_step"]).max() <= 5
    for shown, copied in kept:
        np.testing.assert_array_equal(shown, copied)


def test_sending_in_programs_and_receiving_by_the_pool_leaks_no_memory():
    envs = 20_000
    env, _ = pair(num_envs=envs)
    handle, _, send, _ = env.xla()
    send, action = jax.jit(send), np.ones(envs, np.int32)

    def turns(count):
        nonlocal handle
        for _ in range(count):
            handle = send(handle, action)
            env.recv()

    turns(20)
    before = peak_megabytes()
    turns(200)  # a leak would add 800 kB per turn
    assert peak_megabytes() - before < 40


def test_sending_by_the_pool_and_receiving_in_programs_leaks_no_memory():
    envs = 20_000
    env, _ = pair(num_envs=envs)
    handle, recv, _, _ = env.xla()
    recv, action = jax.jit(recv), np.ones(envs, np.int32)

    def turns(count):
        nonlocal handle
        for _ in range(count):
            env.send(action)
            handle, _ = recv(handle)

    turns(20)
    before = peak_megabytes()
    turns(200)  # a leak would add 800 kB per turn
    assert peak_megabytes() - before < 40


def peak_megabytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def test_programs_keep_denormals_like_the_pool():
    """Checks that denormal numbers are the same in jax programs: XLA's threads flush them to zero, which must not
    affect environments.
    """
    mine, other = pair("Pendulum-v1", max_episode_steps=200)
    handle, _, _, step = mine.xla()
    tiny = np.full((ENVS, 1), 1e-40, np.float32)
    play_both(*pair("SimpleSpread-v3", seed=3))
    assert_matches(jax.jit(step)(handle, tiny)[1], other.step(tiny))


def test_callbacks_of_programs_keep_denormals_like_the_pool():
    mine, other = pair("SimpleSpread-v3", seed=3)
    rng, seen = np.random.default_rng(0), []
    actions = [actions_for(other, rng) for _ in range(12)]

    def step(index):
        seen.append(jax.tree_util.tree_map(np.array, mine.step(actions[int(index)])))
        return np.int32(0)

    @jax.jit
    def program(total):
        def body(index, total):
            return total + experimental.io_callback(step, jax.ShapeDtypeStruct((), jnp.int32), index)

        return jax.lax.fori_loop(0, 12, body, total)

    jax.block_until_ready(program(0))
    assert len(seen) == 12
    for action, result in zip(actions, seen, strict=True):
        assert_matches(result, other.step(action))


@pytest.mark.slow
def test_a_policy_is_trained_inside_one_program():
    """Trains a policy as CleanRL's scripts for `xla()` do: steps return four values, and programs carry episode
    statistics.
    """
    envs = envpool_rs.make("CartPole-v1", env_type="gym", num_envs=16, seed=2, gym_reset_return_info=False)
    first = envs.reset()
    handle, _, _, step_env = envs.xla()

    def logits(weights, observation):
        return jnp.tanh(observation @ weights[0]) @ weights[1]

    def rollout(weights, handle, observation, key):
        def body(carry, _):
            handle, observation, key = carry
            key, draw = jax.random.split(key)
            action = jax.random.categorical(draw, logits(weights, observation))
            handle, (following, reward, done, info) = step_env(handle, action)
            return (handle, following, key), (observation, action, reward, done, info["elapsed_step"])

        return jax.lax.scan(body, (handle, observation, key), None, length=32)

    def loss(weights, observations, actions, returns):
        taken = jax.nn.log_softmax(logits(weights, observations))
        return -(jnp.take_along_axis(taken, actions[..., None], -1)[..., 0] * returns).mean()

    @jax.jit
    def update(weights, handle, observation, key):
        carry, (observations, actions, rewards, dones, _) = rollout(weights, handle, observation, key)

        def discounted(following, now):
            reward, done = now
            value = reward + 0.98 * following * (1 - done)
            return value, value

        _, returns = jax.lax.scan(discounted, jnp.zeros(16), (rewards, dones.astype(jnp.float32)), reverse=True)
        returns = (returns - returns.mean()) / (returns.std() + 1e-6)
        gradient = jax.grad(loss)(weights, observations, actions, returns)
        weights = jax.tree_util.tree_map(lambda value, slope: value - 0.5 * slope, weights, gradient)
        return weights, *carry, dones.sum()

    key = jax.random.key(1)
    weights = [jax.random.normal(key, (4, 32)) * 0.3, jax.random.normal(key, (32, 2)) * 0.1]
    observation, ends = first, []
    for _ in range(60):
        weights, handle, observation, key, ended = update(weights, handle, observation, key)
        ends.append(int(ended))
    assert sum(ends[-10:]) < 0.7 * sum(ends[:10])  # episodes have become longer


@pytest.mark.skipif(not xla.has_complete_ffi(jax), reason="an old jax runs programs on the CPU only")
def test_barriers_separate_calls_from_the_program():
    """XLA's GPU compiler fuses a call with slices of arguments and results, and then executes the call twice."""
    env = envpool_rs.make("CartPole-v1", env_type="gymnasium", num_envs=64, seed=1)
    handle, _, _, step = env.xla()
    program = jax.jit(lambda handle, actions: jax.lax.scan(step, handle, actions))
    text = program.lower(handle, jnp.zeros((3, 64), jnp.int32)).as_text()
    result, arguments = re.search(r"(%\w+):\d+ = stablehlo.custom_call @envpool_rs.step\((.*?)\)", text).groups()
    barriers = [part.strip().split("#")[0] for part in arguments.split(",")]
    assert all(f"{name}:{len(barriers)} = stablehlo.optimization_barrier" in text for name in barriers)
    uses = [line for line in text.splitlines() if f"{result}#" in line]
    assert len(uses) == 1
    assert "stablehlo.optimization_barrier" in uses[0]


def test_a_rollout_buffer_has_the_valid_rows_of_steps_that_a_program_sent():
    env = envpool_rs.make("CartPole-v1", env_type="gymnasium", num_envs=3, seed=1, max_episode_steps=[2, 3, 4])
    buffer, actions = env.rollout_buffer(6), np.array([0, 1, 0], np.int32)
    env.reset(out=buffer)
    handle, _, send, _ = env.xla()
    for step in range(6):
        handle = jax.block_until_ready(jax.jit(send)(handle, actions))
        info = env.recv(out=buffer)[-1]
        np.testing.assert_array_equal(buffer.valid[step], info["elapsed_step"] > 0)
    assert buffer.valid[0].all() and not buffer.valid.all()
    np.testing.assert_array_equal(buffer.action, np.tile(actions, (6, 1)))
