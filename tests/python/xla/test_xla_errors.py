"""Tests errors in jax programs: wrong shapes and types raise Python exceptions, wrong values XLA errors."""

import gc
import os
import signal
import threading
import weakref

import envpool_rs
import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripts import run_script
from xla_pairs import ENVS, assert_matches, pair

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

XlaError = jax.errors.JaxRuntimeError
ZEROS = np.zeros(ENVS, np.int32)


def functions(*names, **options):
    env, _ = pair(*names, **options)
    handle, recv, send, step = env.xla()
    return env, handle, recv, send, step


def many_steps(step, count):
    """Returns a jax program that runs ``count`` steps."""
    return jax.jit(lambda handle: jax.lax.fori_loop(0, count, lambda _, handle: step(handle, ZEROS)[0], handle))


# Tests of wrong values.


@pytest.mark.parametrize(
    ("task", "action", "message"),
    [
        ("CartPole-v1", np.array([0, 1, 2, 1]), r"action\[2\] is 2: expected an integer from 0 to 1"),
        ("CartPole-v1", np.array([0, -1, 1, 1]), r"action\[1\] is -1"),
        ("CartPole-v1", np.array([0, 0.5, 1, 1], np.float32), r"action\[1\] is 0.5"),
        ("CartPole-v1", np.array([0, np.nan, 1, 1], np.float32), r"action\[1\] is NaN"),
        (
            "Pendulum-v1",
            np.array([[0], [np.nan], [1], [1]], np.float32),
            r"action\[1\] is NaN: expected a finite number",
        ),
    ],
)
def test_actions_outside_of_the_space_are_errors_without_a_step(task, action, message):
    mine, other = pair(task)
    handle, _, send, step = mine.xla()
    for call in (step, jax.jit(step), jax.jit(send)):
        with pytest.raises(XlaError, match=message):
            jax.block_until_ready(call(handle, action))
    good = np.zeros_like(action)
    assert_matches(step(handle, good)[1], other.step(good))


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ([0, 4], r"env_id\[1\]=4: expected 0 to 3"),
        ([-1, 0], r"env_id\[0\]=-1: expected 0 to 3"),
        ([2, 2], r"env_id\[1\]=2: expected each id once at most"),
    ],
)
def test_unknown_and_repeated_ids_are_refused(ids, message):
    _, handle, _, _, step = functions()
    with pytest.raises(XlaError, match=message):
        jax.jit(step)(handle, np.zeros(2, np.int32), np.array(ids))


def test_an_error_ends_a_loop_and_the_pool_stays_usable():
    mine, other = pair(max_episode_steps=500)
    handle, _, _, step = mine.xla()

    @jax.jit
    def until_a_mistake(handle):
        def body(index, handle):
            return step(handle, jnp.full(ENVS, jnp.where(index == 5, 7, 0)))[0]

        return jax.lax.fori_loop(0, 10, body, handle)

    with pytest.raises(XlaError, match=r"action\[0\] is 7"):
        jax.block_until_ready(until_a_mistake(handle))
    for _ in range(5):
        other.step(ZEROS)
    assert_matches(step(handle, ZEROS)[1], other.step(ZEROS))


def test_receiving_without_sending_is_an_immediate_error():
    _, handle, recv, _, _ = functions()
    with pytest.raises(XlaError, match="recv: nothing has been sent"):
        recv(handle)
    env = envpool_rs.make("CartPole-v1", num_envs=4, batch_size=2)
    handle, recv, _, step = env.xla()
    with pytest.raises(XlaError, match="0 environments are in flight, fewer than batch_size=2"):
        recv(handle)
    env.async_reset()
    with pytest.raises(XlaError, match="env_id 1 is in flight"):
        step(handle, np.zeros(2, np.int32), np.array([1, 2]))


def test_partial_results_are_left_to_the_pools_recv():
    env, handle, recv, send, _ = functions()
    env.send(np.zeros(2, np.int32), np.array([1, 3]))
    with pytest.raises(XlaError, match="of 2 environments, and there is room for 4"):
        recv(handle)
    assert env.recv()[4]["env_id"].tolist() == [1, 3]
    with pytest.raises(ValueError, match="env_id has 2 entries: recv has room for num_envs=4 rows"):
        send(handle, np.zeros(2, np.int32), np.array([1, 3]))


def test_a_finished_episode_is_not_stepped_without_autoreset():
    _, handle, _, _, step = functions(autoreset_mode="disabled", max_episode_steps=2)
    step = jax.jit(step)
    for _ in range(2):
        handle, _ = step(handle, ZEROS)
    with pytest.raises(XlaError, match="FAILED_PRECONDITION: environment 0 has finished its episode"):
        step(handle, ZEROS)


# Tests of wrong shapes, dtypes and structures.


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((np.zeros(3, int),), ValueError, r"action has shape \(3,\): expected \(4,\)"),
        ((np.zeros((4, 1), int),), ValueError, r"action has shape \(4, 1\): expected \(4,\)"),
        ((0,), ValueError, r"action has shape \(\): expected \(4,\)"),
        ((np.zeros(4, complex),), TypeError, "action has dtype complex64: expected integers, bools or floats"),
        ((None,), TypeError, "action is None"),
        (("left",), TypeError, "action is a str: expected an array"),
        (({"left": np.zeros(4)},), ValueError, "unknown key 'left'"),
        (({},), ValueError, "action lacks the key 'action'"),
        (({"action": np.zeros(4), "players.env_id": np.arange(4)},), ValueError, "players.env_id"),
        ((np.zeros(2, int), np.zeros((2, 1), int)), ValueError, r"env_id has shape \(2, 1\): expected one dimension"),
        ((np.zeros(2, int), np.zeros(2)), TypeError, "env_id has dtype float32: expected integers"),
        (({"action": np.zeros(1, int), "env_id": [1]}, [1]), ValueError, "env_id is given twice"),
        ((np.array([2**32, 1, 0, 1]),), ValueError, "action has the value 4294967296"),
        (([2**70, 1, 0, 1],), ValueError, "action has a value that is too large"),
        (([[0], [1, 0], 1, 1],), TypeError, "action is a list: expected an array"),
        ((np.zeros(1, int), np.array([2**32])), ValueError, "env_id has the value 4294967296"),
    ],
)
def test_wrong_arguments_are_refused_during_tracing(arguments, error, message):
    _, handle, _, send, step = functions()
    for call in (step, send):
        with pytest.raises(error, match=message):
            call(handle, *arguments)


def test_actions_of_several_keys_are_dicts():
    _, handle, _, _, step = functions("SimpleSpeakerListener-v4")
    with pytest.raises(TypeError, match="action is a ndarray: expected a dict with the keys "):
        step(handle, ZEROS)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "uint32", "float16", "bfloat16", "float32"])
def test_actions_of_every_dtype_are_accepted(dtype):
    mine, other = pair()
    handle, _, _, step = mine.xla()
    assert_matches(step(handle, jnp.array([1, 0, 1, 0], dtype))[1], other.step(np.array([1, 0, 1, 0])))


# Tests of invalid handles.


@pytest.mark.parametrize("handle", [np.zeros(16), np.zeros(15, np.uint8), 5, "handle", None])
def test_a_handle_of_another_kind_is_refused_while_tracing(handle):
    _, _, recv, _, step = functions()
    with pytest.raises((TypeError, ValueError), match="handle"):
        step(handle, ZEROS)
    with pytest.raises((TypeError, ValueError), match="handle"):
        recv(handle)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.binary(min_size=16, max_size=16), st.integers(0, 127)))
def test_a_forged_handle_is_an_error_that_shows_the_handle(forged):
    _, handle, step = shared()
    if isinstance(forged, int):
        bits = np.unpackbits(np.asarray(handle))
        bits[forged] ^= 1
        forged = np.packbits(bits).tobytes()
    with pytest.raises(XlaError, match=r"handle=\[\d+, "):
        step(np.frombuffer(forged, np.uint8), ZEROS)


SHARED = []


def shared():
    """Returns a pool that several tests share, its handle, and its compiled `step`."""
    if not SHARED:
        env, handle, _, _, step = functions()
        SHARED.extend([env, handle, jax.jit(step)])
    return SHARED


def test_a_handle_of_another_pool_is_refused():
    _env, handle, _, _, step = functions()
    other, _, _, _, other_step = functions()
    with pytest.raises(XlaError, match="it is another pool's"):
        other_step(handle, ZEROS)
    step(handle, ZEROS)
    other.close()


def test_a_closed_pool_is_an_error():
    env, handle, _, _, step = functions()
    step = jax.jit(step)
    handle, _ = step(handle, ZEROS)
    env.close()
    with pytest.raises(XlaError, match="closed"):
        step(handle, ZEROS)
    with pytest.raises(RuntimeError, match="closed"):
        env.xla()


def test_a_pool_lives_as_long_as_its_functions_and_no_longer():
    env, handle, _recv, _send, step = functions()
    gone = weakref.ref(env)
    del env
    gc.collect()
    stale, _ = step(handle, ZEROS)
    del step, _recv, _send
    gc.collect()
    assert gone() is None
    _, _, _, _, step = functions()
    with pytest.raises(XlaError, match="of a pool that still exists"):
        step(stale, ZEROS)


def test_a_program_completes_with_a_dropped_pool():
    env, handle, _, _, step = functions()
    compiled = many_steps(step, 20_000).lower(handle).compile()
    del step
    outcome = []

    def play():
        try:
            outcome.append(jax.block_until_ready(compiled(handle)))
        except XlaError as error:
            outcome.append(str(error))

    thread = threading.Thread(target=play)
    thread.start()
    del env
    gc.collect()
    thread.join(120)
    assert len(outcome) == 1
    assert not isinstance(outcome[0], str) or "does not exist any more" in outcome[0]


# Tests of jax's transformations.


def test_vmap_is_refused():
    _, handle, _, _, step = functions()
    with pytest.raises(NotImplementedError, match=r"step\(\): environments cannot be stepped inside jax.vmap"):
        jax.vmap(step, (None, 0))(handle, np.zeros((2, ENVS), np.int32))
    with pytest.raises(NotImplementedError, match="vmap"):
        jax.vmap(jax.jit(step), (None, 0))(handle, np.zeros((2, ENVS), np.int32))


def test_gradients_do_not_go_through_a_step():
    _, handle, _, _, step = functions("Pendulum-v1")
    push = np.zeros((ENVS, 1), np.float32)
    with pytest.raises(ValueError, match="cannot be differentiated"):
        jax.grad(lambda action: step(handle, action)[1][1].sum())(push)
    stopped = jax.grad(lambda action: step(handle, jax.lax.stop_gradient(action))[1][1].sum())(push)
    np.testing.assert_array_equal(stopped, 0)


# Tests of threads, signals and processes.


def test_threads_may_share_a_pool():
    env, handle, _, _, step = functions(max_episode_steps=10_000_000, num_envs=1, task="Pendulum-v1")
    push = np.zeros((1, 1), np.float32)

    @jax.jit
    def many(handle):
        return jax.lax.fori_loop(0, 500, lambda _, handle: step(handle, push)[0], handle)

    errors = []

    def play():
        try:
            jax.block_until_ready(many(handle))
        except XlaError as error:
            errors.append(error)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not errors
    assert env.step(push)[4]["elapsed_step"].tolist() == [2001]


def test_other_python_threads_run_during_a_program():
    _, handle, _, _, step = functions()
    run = many_steps(step, 30_000)
    thread = threading.Thread(target=lambda: jax.block_until_ready(run(handle)))
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
    thread.join()
    assert turns


def test_an_interrupt_is_raised_after_the_program():
    _, handle, _, _, step = functions(max_episode_steps=10_000)
    run = many_steps(step, 20_000)
    handle = jax.block_until_ready(run(handle))
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        while True:
            jax.block_until_ready(run(handle))
    timer.join()
    jax.block_until_ready(run(handle))


def test_without_jax_the_error_names_the_extra():
    script = """
        import sys
        sys.modules["jax"] = None
        import envpool_rs
        try:
            envpool_rs.make("CartPole-v1").xla()
        except ImportError as error:
            print(error)
    """
    assert run_script(script).endswith("pip install 'envpool_rs[jax]'")


def test_an_older_jax_is_an_error_that_names_the_oldest_supported_release(monkeypatch):
    env, _ = pair()
    for version, numbers in (("0.4.30", (0, 4, 30)), ("0.4.34", (0, 4, 34)), ("0.3.25.dev1", (0, 3, 25))):
        monkeypatch.setattr(jax, "__version__", version)
        monkeypatch.setattr(jax, "__version_info__", numbers)
        with pytest.raises(ImportError, match=rf"^jax=={version}: expected jax 0\.4\.35 or newer; pip install -U jax$"):
            env.xla()
    monkeypatch.undo()
    env.xla()


def test_a_process_can_exit_during_a_program():
    script = """
        import threading, jax, numpy as np, envpool_rs
        env = envpool_rs.make("CartPole-v1", num_envs=4)
        env.reset()
        handle, _, _, step = env.xla()
        zeros = np.zeros(4, np.int32)
        run = jax.jit(lambda handle: jax.lax.fori_loop(0, 200000, lambda _, handle: step(handle, zeros)[0], handle))
        run(handle)
        print("ends")
    """
    assert run_script(script) == "ends"


def test_pools_of_external_environments_refuse_xla_by_name():
    with (
        envpool_rs.make_python([lambda: gymnasium.make("CartPole-v1")]) as env,
        pytest.raises(NotImplementedError, match=r"has no functions for JAX, since .* native tasks"),
    ):
        env.xla()
