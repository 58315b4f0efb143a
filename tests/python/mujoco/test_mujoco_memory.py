"""Tests that memory does not grow: simulations of a pool with its episodes, and memory of batches that are dropped."""

import ctypes
import gc
import sys
import time
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from envpool_rs import _core
from tasks import HAS_DM_CONTROL

pytest.importorskip("mujoco")

pytestmark = pytest.mark.slow

THREADS = 2
ENVS = 4
STEPS = 3
#: Tested tasks with their options: robots with options drawn for each episode, and tasks of dm_control.
TASKS = {
    "Hopper-v5": {"reset_noise_scale": ("uniform", 0.0, 0.1), "healthy_reward": ("choice", 0.5, 1.0)},
    "Ant-v5": {"reset_noise_scale": [("uniform", 0.0, 0.1), 0.1, ("uniform", 0.1, 0.2), 0.2]},
    **({"dm_control/cheetah-run": {}, "dm_control/lqr-lqr_2_1": {}} if HAS_DM_CONTROL else {}),
}
PHYSICS = ["auto", "libmujoco"]


def simulations():
    """Returns the number of live simulations, after collecting garbage of earlier tests."""
    gc.collect()
    return _core.mujoco_simulations()


def await_simulations(count):
    """Waits until `count` simulations are live: the threads of a closed pool free theirs when they end."""
    end = time.monotonic() + 60
    while (live := simulations()) != count:
        assert time.monotonic() < end, f"{live} simulations: expected {count}"
        time.sleep(0.01)


def play(env, episodes):
    action = np.zeros((ENVS, *env.single_action_space.shape), env.single_action_space.dtype)
    for _ in range(episodes * (STEPS + 1)):
        env.step(action)


# This is one test for all cases, because by default only some instances of a parametrised test run.
def test_the_number_of_simulations_does_not_grow_with_episodes():
    for task, options in TASKS.items():
        for physics in PHYSICS:
            before = simulations()
            env = envpool_rs.make_vec(
                task, ENVS, num_threads=THREADS, seed=1, max_episode_steps=STEPS, physics=physics, **options
            )
            by = env.config["physics"]
            env.reset()
            play(env, 10)
            early = simulations() - before
            play(env, 50)
            late = simulations() - before
            env.close()
            del env
            # Tasks of dm_control that the library steps have one simulation per environment. All other tasks have one
            # per thread, including the calling thread.
            is_own = task.startswith("dm_control/") and by == "libmujoco"
            assert 0 < early <= late <= (ENVS if is_own else THREADS + 1), (task, physics)
            await_simulations(before)


def resident_bytes():
    """Returns the process's memory, after freed memory was returned to the system."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc, and calls malloc_trim of glibc")
def test_dropped_batches_with_expanded_fields_leave_no_memory():
    def cycle():
        batch = envpool_rs.Batch(xml, 16, 2)
        batch.expand("body_mass"), batch.expand("geom_friction")
        batch.step()

    bodies = "".join(f'<body pos="{x} 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for x in range(3))
    xml = f'<mujoco><worldbody><geom type="plane" size="9 9 1"/>{bodies}</worldbody></mujoco>'
    cycles = 200
    for _ in range(50):
        cycle()
    before = resident_bytes()
    for _ in range(cycles):
        cycle()
    # Threads of later batches may use other arenas of the allocator, which costs up to a megabyte once.
    assert resident_bytes() - before < (1 << 20) + 4096 * cycles
