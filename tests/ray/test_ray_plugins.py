"""Tests that the actors of pools on Ray load the libraries of the pools' tasks."""

import envpool_rs
import numpy as np
import plugin_libraries
import pytest
from envpool_rs.numba import env
from numba_tasks import ARGUMENTS, CartPole, own_tasks
from ray_pools import assert_same, make_both

pytestmark = pytest.mark.usefixtures("cluster")


@pytest.fixture(autouse=True)
def _own_tasks():
    with own_tasks():
        yield


@pytest.mark.skipif(plugin_libraries.COMPILER is None, reason="needs a C compiler")
def test_actors_load_the_file_of_a_library():
    envpool_rs.load_plugin(plugin_libraries.counting())
    on_ray, local = make_both("Counter-v0", num_envs=4, seed=3, by=2.0)
    assert_same(on_ray.reset(), local.reset())
    for _ in range(5):
        actions = np.array([0, 1, 1, 0], np.int32)
        assert_same(on_ray.step(actions), local.step(actions))
    on_ray.close()
    local.close()


def test_actors_compile_a_task_of_python_functions():
    env("RayCartPole-v1", **ARGUMENTS)(CartPole)
    on_ray, local = make_both("RayCartPole-v1", how="make_vec", num_envs=4, seed=3)
    assert_same(on_ray.reset(), local.reset())
    for step in range(20):
        actions = np.full(4, step % 2)
        assert_same(on_ray.step(actions), local.step(actions))
    on_ray.close()
    local.close()
