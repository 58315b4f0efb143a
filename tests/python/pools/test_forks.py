"""Tests forks while another thread makes, compiles or steps environments: the child makes the same things itself.

Also tests forks by a signal handler inside a call: the parent's threads and results are not the child's.
"""

import os
import subprocess
import sys

import pytest
from plugin_libraries import COMPILER, SOURCE, counting
from scripts import run_script

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")]

PROGRAM = """
import faulthandler, os, random, signal, sys, threading, time, warnings
warnings.simplefilter("ignore")  # Python warns about forks of processes with threads.
import envpool_rs
import numpy as np

# Imports the modules of pools: CPython's locks of imports stay locked in a child that is forked during an import.
envpool_rs.make_gymnasium("CartPole-v1", num_envs=1).close()

{setup}

is_over = False
error = []
started = threading.Semaphore(0)

def repeat():
    number = 0
    while not is_over:
        number += 1
        started.release()
        try:
            work(number)
        except BaseException as caught:
            error.append(caught)
            raise

thread = threading.Thread(target=repeat, daemon=True)
thread.start()
draws = random.Random(0)
for round in range({forks}):
    started.acquire()
    time.sleep(draws.random() * {longest})  # so that forks hit different parts of the work
    child = os.fork()
    if child == 0:
        # A child that waits for a lock of its parent ends here, with tracebacks.
        faulthandler.dump_traceback_later(60, exit=True, file=sys.__stderr__)
        in_child(1000 + round)
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 0, f"child {{round}} ended with {{status}}"
is_over = True
thread.join()
assert not error
os._exit(0)
"""


def check(setup, forks=8, longest=0.3, **variables):
    run_script(PROGRAM.format(setup=setup, forks=forks, longest=longest), **variables)


def test_a_child_makes_a_pool_while_the_parent_makes_its_first():
    for _ in range(3):
        run_script(
            """
import faulthandler, os, random, threading, time, warnings
warnings.simplefilter("ignore")
import envpool_rs
threading.Thread(target=envpool_rs.make_vec, args=("CartPole-v1", 2), daemon=True).start()
time.sleep(random.random() * 0.01)
child = os.fork()
if child == 0:
    faulthandler.dump_traceback_later(20, exit=True)
    envpool_rs.make_vec("CartPole-v1", 2).reset()
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
os._exit(0)
"""
        )


BOXES = """
import mujoco
import envpool_rs.batch  # CPython's locks of imports stay locked in a child that is forked during an import
box = '<body pos="{} 0 .2"><freejoint/><geom type="box" size=".1 .1 .1" mass="{}"/></body>'
def model(number):
    boxes = "".join(box.format(place, 1 + number / 1000) for place in range(6))
    return f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{boxes}</worldbody></mujoco>'
"""


def test_a_child_makes_a_batch_while_the_parent_compares_a_model():
    pytest.importorskip("mujoco")
    check(
        f"""
{BOXES}
models = {{number: mujoco.MjModel.from_xml_string(model(number)) for number in [*range(400), *range(1000, 1008)]}}
def work(number):
    batch = envpool_rs.Batch(models[number if number in models else number % 400], 2)
    batch.step()
in_child = work
"""
    )


def test_a_child_makes_a_mujoco_pool_while_the_parent_makes_one():
    pytest.importorskip("mujoco")
    check(
        """
# Imports MuJoCo's modules, too.
envpool_rs.make_gymnasium("Walker2d-v5", num_envs=1).close()
def work(number):
    pool = envpool_rs.make_gymnasium("Walker2d-v5", num_envs=2, frame_skip=1 + number % 9)
    pool.reset()
    pool.step(np.zeros((2, 6)))
in_child = work
""",
        forks=60,  # MuJoCo holds its lock for a small part of the time.
        longest=0.02,
    )


@pytest.mark.parametrize("task", ["Pong-v5", "Breakout-v5"])
def test_a_child_plays_a_game_while_the_parent_translates_it(task):
    pytest.importorskip("ale_py")
    check(
        f"""
import pathlib
def work(number):
    pool = envpool_rs.make_gymnasium("{task}", num_envs=2, seed=number)
    pool.reset()
    for _ in range(30):
        pool.step(np.full(2, number % 3))
in_child = work
""",
        longest=0.05,
    )


SLOW_FREE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
void free(void *block) {
    static void (*next)(void *);
    static char *start;
    if (!next) next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
    if (!start) start = (char *)dlsym(RTLD_NEXT, "pthread_create");
    next(block);
    unsigned long from = (char *)__builtin_return_address(0) - start;
    if (block && from < 4096) usleep(2000);
}
"""
"""Library whose `free` takes 2 ms in `pthread_create`, which frees thread-local memory of the stack that it reuses."""


@pytest.mark.skipif(COMPILER is None or sys.platform != "linux", reason="needs a C compiler and glibc")
def test_a_child_starts_threads_while_the_parent_starts_one(tmp_path):
    source, library = tmp_path / "free.c", tmp_path / "free.so"
    source.write_text(SLOW_FREE)
    subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", source, "-o", library, "-ldl"], check=True)
    check(
        """
def work(number):
    pool = envpool_rs.make_gymnasium("test/Scripted-v0", num_envs=4, num_threads=3)
    pool.reset()
    pool.step(np.full(4, 1, np.int32))
    pool.close()
in_child = work
""",
        forks=30,
        longest=0.01,
        LD_PRELOAD=str(library),
    )


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
def test_a_child_makes_a_pool_while_a_serial_library_steps():
    # A step takes 10 ms, in which the library is locked.
    source = "extern int usleep(unsigned int);\n" + SOURCE.replace("EPR_UNIFORM", "EPR_SERIAL")
    source = source.replace("const double *by = env->data;", "const double *by = env->data; usleep(10000);")
    path = counting("serial", source)
    check(
        f"""
envpool_rs.load_plugin({path!r})
pool = envpool_rs.make_gymnasium("Counter-v0", num_envs=2)
pool.reset()
def work(number):
    pool.step(np.zeros(2, np.int32))
def in_child(number):
    pool = envpool_rs.make_gymnasium("Counter-v0", num_envs=2)
    pool.reset()
    pool.step(np.zeros(2, np.int32))
""",
        longest=0.02,
    )


def test_a_child_plays_doom_while_the_parent_starts_and_plays_games():
    pytest.importorskip("vizdoom")
    check(
        """
def work(number):
    pool = envpool_rs.make_gymnasium("Basic-v1", num_envs=2, seed=number)
    pool.reset()
    for _ in range(3):
        pool.step(np.zeros((2, *pool.action_space.shape), pool.action_space.dtype))
    pool.close()
in_child = work
"""
    )


def test_a_child_compiles_a_task_while_the_parent_compiles_one():
    pytest.importorskip("numba")
    check(
        """
import numba_tasks
from envpool_rs import numba
numba_tasks.cart_pole()  # Python's locks of imports are not released in a child.
def work(number):
    arguments = {**numba_tasks.ARGUMENTS, "options": {"gravity": 9.8, f"option_{number}": 1.0}}
    numba.env(f"Fork{number}-v0", **arguments)(numba_tasks.CartPole)
    pool = envpool_rs.make_gymnasium(f"Fork{number}-v0", num_envs=2)
    pool.reset()
    pool.step(np.zeros(2, int))
in_child = work
""",
        forks=1,
        longest=1.0,
    )


@pytest.mark.parametrize("task", ["Ant-v5", "CartPole-v1"])
def test_a_child_drops_pools_and_batches_that_the_parent_steps(task):
    pytest.importorskip("mujoco")
    check(
        f"""
{BOXES}
objects = [
    envpool_rs.make_gymnasium("{task}", num_envs=64, num_threads=2),
    envpool_rs.Batch(mujoco.MjModel.from_xml_string(model(0)), 64, nthread=2),
]
action = np.zeros((64, *objects[0].action_space.shape), objects[0].action_space.dtype)
objects[0].reset()
def work(number):
    objects[0].step(action)
    objects[1].step()
def in_child(number):
    import gc
    objects.clear()
    gc.collect()
""",
        forks=20,
        longest=0.01,
    )


FORKING = """
import faulthandler, os, signal, sys, time, warnings
warnings.simplefilter("ignore")  # Python warns about forks of processes with threads.

child = None
def fork(*_):
    global child
    child = os.fork()
    if child == 0:
        # A child that waits for threads of its parent ends here, with tracebacks.
        faulthandler.dump_traceback_later(60, exit=True, file=sys.__stderr__)

signal.signal(signal.SIGALRM, fork)
"""
"""Beginning of programs that fork in a signal handler."""


@pytest.mark.parametrize("kind", ["synchronous", "asynchronous", "batch", "Python"])
def test_a_child_of_a_signal_handler_leaves_the_call_to_the_parent(kind):
    if kind == "batch":
        pytest.importorskip("mujoco")
    run_script(
        f"""
{FORKING}
import envpool_rs
import gymnasium
import numpy as np

kind = {kind!r}
{BOXES if kind == "batch" else ""}

class Slow:
    observation_space, action_space = gymnasium.spaces.Box(0, 1, (1,)), gymnasium.spaces.Discrete(2)
    def reset(self, **_):
        return np.zeros(1, np.float32), {{}}
    def step(self, action):
        time.sleep(1)
        return np.zeros(1, np.float32), 0.0, False, False, {{}}
    def close(self):
        pass

if kind == "batch":
    batch = envpool_rs.Batch(mujoco.MjModel.from_xml_string(model(0)), 64, nthread=3)
    started = time.monotonic()
    batch.step(nstep=100)
    steps = int(100 / (time.monotonic() - started)) + 1  # about a second
    call = lambda: batch.step(nstep=steps)
elif kind == "Python":
    pool = envpool_rs.make_vec([Slow] * 2, num_workers=2, context="spawn")
    pool.reset()
    call = lambda: pool.step(np.zeros(2, int))
elif kind == "synchronous":
    pool = envpool_rs.make_gymnasium("test/Scripted-v0", num_envs=4, num_threads=2)
    pool.reset()
    call = lambda: pool.step(np.full(4, 300, np.int32))
else:
    pool = envpool_rs.make_gymnasium("test/Scripted-v0", num_envs=4, batch_size=2, num_threads=2)
    pool.async_reset()
    pool.recv(), pool.recv()
    pool.send(np.full(4, 300, np.int32), np.arange(4))
    call = pool.recv

signal.setitimer(signal.ITIMER_REAL, 0.1)
try:
    call()
except RuntimeError as error:
    assert child == 0 and "fork" in str(error), error
    os._exit(7)
assert child != 0, "the child has a result of its parent"
while child is None:
    time.sleep(0.01)  # a fast machine
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
assert status == 7, f"the child ended with {{status}}"
call() if kind != "asynchronous" else pool.recv()
os._exit(0)
"""
    )


def test_a_child_of_a_signal_handler_leaves_the_creation_of_environments_to_the_parent():
    pytest.importorskip("mujoco")
    run_script(
        FORKING
        + """
import envpool_rs

def make(count=60_000):
    return envpool_rs.make_gymnasium("Humanoid-v5", num_envs=count, num_threads=3)

make(2).close()  # loads the model
start = time.perf_counter()
pool = make()
seconds = time.perf_counter() - start
pool.close()
for attempt in range(10):  # until a fork comes during the creation
    child = None
    signal.setitimer(signal.ITIMER_REAL, seconds * (attempt + 1) / 11)
    try:
        pool = make()
    except RuntimeError as error:
        assert child == 0 and "forked during this call" in str(error), error
        make(2).reset()
        os._exit(7)
    signal.setitimer(signal.ITIMER_REAL, 0)
    if child == 0:
        os._exit(8)
    pool.close()
    if child is None:
        continue
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == 7:
        os._exit(0)
    assert status == 8, f"the child ended with {status}"
raise AssertionError("no fork came during a creation")
"""
    )
