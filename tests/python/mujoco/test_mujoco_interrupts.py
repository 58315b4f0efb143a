"""Tests that Ctrl-C ends a call that waits for MuJoCo's compiler.

The compiler itself cannot be stopped, and finishes in its own thread.
"""

import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("mujoco")
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="forks and signals of Linux")]

# A short model that takes MuJoCo seconds to compile: the time grows with the square of `count`.
SLOW = """
<mujoco><worldbody><replicate count="{count}" offset="0 0 1"><site size=".1"/></replicate>
<body><joint name="j" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/>
<body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 1" size=".05" mass="1"/></body></body></worldbody>
<actuator><motor joint="j" ctrlrange="-3 3" ctrllimited="true"/></actuator></mujoco>
"""

PREAMBLE = """
    import os, pathlib, signal, sys, threading, time
    import numpy as np
    import envpool_rs
    from envpool_rs import _core

    model = pathlib.Path(sys.argv[1])
    TASK = "InvertedPendulum-v5"

    def model_of(count):
        path = model.with_name(f"{count}.xml")
        path.write_text(model.read_text().replace("{count}", str(count)))
        return str(path)

    def interrupted_after(seconds, call):
        start = time.perf_counter()
        try:
            threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
            call()
        except KeyboardInterrupt:
            assert seconds <= time.perf_counter() - start < seconds + 1.5, time.perf_counter() - start
        else:
            raise AssertionError("not interrupted")

    def play():
        with envpool_rs.make_vec(TASK, 2) as env:
            env.reset(seed=1)
            assert np.isfinite(env.step(np.zeros((2, 1), np.float32))[0]).all()

    play()  # Opens the library before, so that the signal interrupts the compiler.
"""


def run(tmp_path, code, within):
    (tmp_path / "slow.xml").write_text(SLOW)
    command = [sys.executable, "-c", textwrap.dedent(PREAMBLE) + textwrap.dedent(code), str(tmp_path / "slow.xml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=within, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.parametrize("make", ["make", "make_vec", "make_spec"])
def test_ctrl_c_interrupts_pool_creation_with_a_slow_model(tmp_path, make):
    run(
        tmp_path,
        f"""
        slow = model_of(20_000)
        interrupted_after(0.5, lambda: envpool_rs.{make}(TASK, xml_file=slow))
        play()
        """,
        within=60,
    )


def test_ctrl_c_interrupts_pool_creation_with_a_cached_spec(tmp_path):
    run(
        tmp_path,
        """
        spec = envpool_rs.make_spec(TASK, xml_file=model_of(8_000)).pool
        pathlib.Path(spec.config["xml_file"]).write_text(model.read_text().replace("{count}", "20000"))
        interrupted_after(0.5, lambda: _core.Pool(spec, "gymnasium"))
        play()
        """,
        within=60,
    )


def test_a_process_forks_and_exits_while_an_unneeded_model_is_compiled(tmp_path):
    run(
        tmp_path,
        """
        slow = model_of(20_000)
        interrupted_after(0.5, lambda: envpool_rs.make(TASK, xml_file=slow))
        for _ in range(5):
            child = os.fork()
            if child == 0:
                play()
                sys.exit(7)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        """,
        within=60,
    )


def test_a_forking_signal_handler_leaves_compilation_to_the_parent(tmp_path):
    run(
        tmp_path,
        """
        def fork(*_):
            global child
            child = os.fork()

        slow = model_of(8_000)
        signal.signal(signal.SIGALRM, fork)
        signal.setitimer(signal.ITIMER_REAL, 0.6)
        try:
            envpool_rs.make_spec(TASK, xml_file=slow)
        except RuntimeError as error:
            assert child == 0 and "forked during this call" in str(error), error
            play()
            os._exit(7)
        assert child and os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        """,
        within=60,
    )
