"""Tests the examples of tasks for Numba: they run, and their functions in Python have the trajectories of compiled
ones.
"""

import runpy

import numba_tasks  # noqa: F401 - sets the cache's folder
import numpy as np
import pytest
from envpool_rs import make_vec
from envpool_rs.cli import main
from numba_tasks import own_tasks
from repository import ROOT

pytest.importorskip("numba")

FOLDER = ROOT / "examples"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FOLDER.exists(), reason="needs the repository, not only the tests"),
]


@pytest.fixture(autouse=True)
def _own_tasks():
    with own_tasks():
        yield


def example(name):
    return runpy.run_path(str(FOLDER / f"{name}.py"))


def assert_same_in_python(task, actions, **options):
    """Compares one environment of a pool with the functions in Python, until the first episode ends."""
    pool, env = make_vec(task.task_id, 1, seed=5, **options), task.python(**options)
    observation, _ = pool.reset()
    expected, _ = env.reset(seed=5)
    for action in actions:
        for one, other in zip(_leaves(observation), _leaves(expected), strict=True):
            # Results may differ in the last bits, because Python's `math.hypot` is not the C library's.
            assert np.allclose(np.squeeze(one), np.squeeze(other), rtol=1e-6)
        observation, reward, terminated, truncated, _ = pool.step(action[None] if task.players == 1 else action)
        expected, *result, _ = env.step(action)
        assert np.allclose(reward, result[0], rtol=1e-6)
        assert [terminated.all(), truncated.all()] == result[1:]
        if terminated.all() or truncated.all():
            break
    pool.close()


def _leaves(value):
    return list(value.values()) if isinstance(value, dict) else [value]


def test_the_grid_world_steps_and_renders(capsys):
    module = example("numba_grid_world")
    module["main"](num_envs=16, steps=50)
    task = module["GridWorld"]
    assert_same_in_python(task, np.random.default_rng(1).integers(4, size=100), coins=6, slippery=True)
    pool = make_vec(task.task_id, 2, seed=0, render_mode="rgb_array")
    pool.reset()
    pictures = pool.render()
    env = task.python()
    env.reset(seed=1)
    assert np.array_equal(pictures[1], env.render())
    pool.close()
    assert main(["play", "GridWorld-v0", "--steps", "2", "--fps", "1000"]) == 0
    assert "GridWorld-v0  step 2  return" in capsys.readouterr().out


def test_the_boats_dock():
    module = example("numba_docking")
    assert module["main"](num_envs=32, steps=300) > 0.9
    draws = np.random.default_rng(1).uniform(-1, 1, (300, 2)).astype(np.float32)
    assert_same_in_python(module["Docking"], draws, wind=0.5)


def test_the_runner_can_be_caught():
    module = example("numba_tag")
    assert module["main"](num_envs=32, steps=120) > 32
    assert_same_in_python(module["Tag"], np.random.default_rng(1).integers(5, size=(60, 2)))
    assert_agents_are_players(pytest.importorskip("envpool_rs.pettingzoo"))


def assert_agents_are_players(pettingzoo):
    """Compares an episode of Tag in PettingZoo's interface with the rows of a pool."""
    env = pettingzoo.parallel_env("Tag-v0", slow_runner=2)
    pool = make_vec("Tag-v0", 1, slow_runner=2, autoreset_mode="disabled")
    observations, _ = env.reset(seed=5)
    expected, _ = pool.reset(seed=5)
    rng = np.random.default_rng(2)
    while env.agents:
        np.testing.assert_array_equal([*observations.values()], expected)
        actions = rng.integers(5, size=2)
        observations, rewards, terminations, *_ = env.step({"agent_0": actions[0], "agent_1": actions[1]})
        expected, reward, terminated, *_ = pool.step(actions)
        assert [*rewards.values()] == reward.tolist() and terminations == dict.fromkeys(rewards, terminated[0])
