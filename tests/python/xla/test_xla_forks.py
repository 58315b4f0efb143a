"""Tests pools in forked processes, and jax programs that refer to them."""

import os

import pytest
from scripts import run_script

pytest.importorskip("jax")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")]


def test_a_pool_in_a_forked_child_returns_an_error():
    script = """
        import os, envpool_rs
        env = envpool_rs.make("CartPole-v1")
        env.xla()
        if os.fork() == 0:
            try:
                env.xla()
            except RuntimeError as error:
                print(error, flush=True)
            os._exit(0)
        os.wait()
    """
    assert "fork" in run_script(script)


def test_forked_children_and_their_parent_have_different_handles():
    script = """
        import os, sys, warnings
        warnings.simplefilter("ignore")  # jax warns about forks.
        import envpool_rs, jax, numpy as np
        handle = lambda: np.asarray(envpool_rs.make("CartPole-v1").xla()[0]).tobytes().hex()
        jax.devices()
        handle()  # a handle that was created before the forks
        for _ in range(2):
            if os.fork() == 0:
                print(handle(), flush=True)
                os._exit(0)
            os.wait()
        print(handle())
    """
    handles = run_script(script).split()
    assert len(handles) == len(set(handles)) == 3, handles


def test_a_child_forked_during_a_call_can_create_pools():
    script = """
        import os, signal, threading, warnings
        warnings.simplefilter("ignore")  # jax warns about forks.
        import envpool_rs, jax, numpy as np
        env = envpool_rs.make("CartPole-v1")
        env.reset()
        handle, _, _, step = env.xla()
        zeros = np.zeros(1, np.int32)
        run = jax.jit(lambda handle: jax.lax.fori_loop(0, 50000, lambda _, handle: step(handle, zeros)[0], handle))
        run = run.lower(handle).compile()
        running = True
        def play():
            while running:
                jax.block_until_ready(run(handle))
        thread = threading.Thread(target=play)
        thread.start()
        for _ in range(80):
            child = os.fork()
            if child == 0:
                signal.alarm(30)
                envpool_rs.make("CartPole-v1").xla()
                os._exit(0)
            _, status = os.waitpid(child, 0)
            if status:
                break
        running = False
        thread.join()
        print(status)
    """
    assert run_script(script) == "0"
