"""Tests that the number of MuJoCo simulations of a pool does not grow with the number of episodes."""

import gc

import envpool_rs
import numpy as np
import pytest
from envpool_rs import _core
from tasks import HAS_DM_CONTROL

pytest.importorskip("mujoco")

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
            assert simulations() == before, (task, physics)
