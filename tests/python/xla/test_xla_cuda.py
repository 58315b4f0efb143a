"""Tests the handlers for CUDA devices in processes without a GPU: with and without a driver, called by jax's CPU
runtime, which has no stream.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repository import TESTS

pytest.importorskip("jax.ffi")

pytestmark = pytest.mark.slow

DRIVER = TESTS / "data/fake_cuda_driver.c"
COMPILER = shutil.which("cc")
HAS_DRIVER = any(Path(folder, "libcuda.so.1").exists() for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib64"))

PROGRAM = """
import envpool_rs
import jax
import numpy as np
from repository import TESTS
from envpool_rs import _core
from envpool_rs import xla

def register_handlers():
    for name, platform, capsule in _core.xla_handlers():
        if platform == "CUDA":
            jax.ffi.register_ffi_target(name, capsule, platform="cpu", api_version=1)

xla.register_handlers = register_handlers
env = envpool_rs.make_gymnasium("CartPole-v1", num_envs=2, seed=1)
env.reset()
handle, recv, send, step = env.xla()
actions = np.zeros(2, np.int32)
for call in (lambda: step(handle, actions), lambda: send(handle, actions), lambda: recv(handle)):
    try:
        jax.block_until_ready(call())
    except jax.errors.JaxRuntimeError as error:
        print(str(error).splitlines()[0])
print(env.step(actions)[0].shape)
"""


def run(folder):
    """Runs the program with the libraries of a folder, and returns the lines that it prints."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    *errors, shape = done.stdout.splitlines()
    assert shape == "(2, 4)"  # the pool is usable afterwards
    assert len(errors) == 3
    return errors


@pytest.mark.skipif(HAS_DRIVER, reason="tests a system without NVIDIA's driver")
def test_a_missing_driver_is_an_error_that_names_it(tmp_path):
    for error in run(tmp_path):
        assert "FAILED_PRECONDITION: libcuda.so.1: " in error
        assert "expected NVIDIA's CUDA driver; install it, or run the program on the CPU" in error


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
def test_the_error_of_a_runtime_without_a_stream_is_reported(tmp_path):
    subprocess.run([COMPILER, "-shared", "-fPIC", DRIVER, "-o", tmp_path / "libcuda.so.1"], check=True, timeout=120)
    for error in run(tmp_path):
        assert "INTERNAL: XLA has no stream for the call: " in error
        assert not error.endswith(("call: ", "no message"))
