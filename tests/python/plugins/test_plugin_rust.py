"""Tests libraries in Rust in pools: the template crate, and a crate with CartPole and tasks that fail."""

import os
import subprocess
import sys

import envpool_rs
import numpy as np
import pytest
from envpool_bench.plugins import builds
from plugin_cases import LANES, assert_snapshots_continue, compare, continued, crate_library

pytestmark = pytest.mark.slow

CART_POLES = ("RustEnvCartPole-v1", "RustKernelCartPole-v1")
STEPS = 10_000


@pytest.fixture(scope="session")
def library():
    """Builds the crate of the tests, and loads it."""
    path = str(crate_library(builds.FIXTURES / "rust_tasks"))
    envpool_rs.load_plugin(path)
    return path


def without_angle(env):
    """Removes from results the info that the built-in CartPole does not have."""

    class Pool:
        num_envs = env.num_envs

        @staticmethod
        def reset(**options):
            return _without(env.reset(**options))

        @staticmethod
        def step(action):
            return _without(env.step(action))

    def _without(result):
        names = ("angle", "_angle")
        return (*result[:-1], {key: value for key, value in result[-1].items() if key not in names})

    return Pool


@pytest.mark.parametrize("task", CART_POLES)
@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_plugins_equal_the_built_in_cart_pole_bit_for_bit(library, task, mode):
    pools = [envpool_rs.make_vec(one, LANES, autoreset_mode=mode, num_threads=2) for one in ("CartPole-v1", task)]
    if mode == "same_step" and task == "RustEnvCartPole-v1":
        pytest.skip("the info of the ended episode has the angle, which the built-in one lacks")
    compare(pools[0], without_angle(pools[1]), STEPS)


@pytest.mark.parametrize("task", CART_POLES)
def test_snapshots_continue_in_another_process(library, task):
    assert_snapshots_continue([library], task)


def test_reset_options_and_infos(library):
    env = envpool_rs.make_vec("RustEnvCartPole-v1", 4)
    observation, info = env.reset(seed=1, options={"low": 0.1, "high": 0.2})
    assert ((observation >= 0.1) & (observation <= 0.2)).all()
    assert info["angle"].astype(np.float32).tolist() == observation[:, 2].tolist()
    with pytest.raises(ValueError, match="low must not exceed high"):
        env.reset(options={"low": 1.0, "high": 0.5})


def test_a_panic_fails_only_its_own_lane(library, capfd):
    env = envpool_rs.make_vec("RustFailures-v0", 4)
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match=r"environment 2 failed: .*RustFailures-v0: the pole broke"):
        env.step(np.array([0, 0, 1, 0]))
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match=r"environment 0 failed: .*RustFailures-v0: the track ended"):
        env.step(np.array([2, 0, 0, 0]))
    env.reset(seed=1)
    first = env.step(np.zeros(4, np.int64))
    assert first[1].tolist() == first[0][:, 0].tolist()
    assert "the track ended" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("at", "error", "message"),
    [("new", ValueError, "at=new: expected another function"), ("create", RuntimeError, "lane 0 has no licence")],
)
def test_an_error_in_new_is_reported(library, at, error, message):
    with pytest.raises(error, match=message):
        envpool_rs.make_vec("RustFailures-v0", 4, at=at)


def test_a_custom_random_stream_is_seeded_like_numpys(library):
    env = envpool_rs.make_vec("RustFailures-v0", 3)
    observation, _ = env.reset(seed=[5, 6, 7])
    expected = [np.random.RandomState(seed) for seed in (5, 6, 7)]
    assert observation[:, 0].tolist() == [random.uniform() for random in expected]
    states = env.get_state()
    first = env.step(np.zeros(3, np.int64))[0].copy()
    assert first[:, 0].tolist() == [random.uniform() for random in expected]
    env.set_state(states)
    assert env.step(np.zeros(3, np.int64))[0].tolist() == first.tolist()


@pytest.mark.parametrize("task", CART_POLES)
def test_check_plugin_finds_no_mistake(library, task):
    env = envpool_rs.make_vec(task, 20, check=True)
    env.reset(seed=1)
    continued(env, 50)


def test_the_template_passes_its_own_tests():
    template = builds.ROOT / "examples/plugin_template"
    env = {**os.environ, "MY_ENVS_LIBRARY": str(crate_library(template))}
    program = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(template),
        str(template),
    ]
    done = subprocess.run(program, check=False, capture_output=True, text=True, timeout=300, env=env, cwd=template)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "5 passed" in done.stdout
