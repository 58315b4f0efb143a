"""Tests seeds and options with EnvPool's names: errors have the given name and value, seeds are reported as ints."""

import re

import envpool_rs
import gymnasium
import numpy as np
import pytest
from tasks import HAS_ATARI, HAS_VIZDOOM

MAKERS = ["make", "make_gym", "make_vec"]
cartridges = pytest.mark.skipif(not HAS_ATARI, reason="needs ale-py")
vizdoom = pytest.mark.skipif(not HAS_VIZDOOM, reason="needs vizdoom")


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    ("task", "options", "message"),
    [
        ("Catch-v0", {"height": -1}, "height=-1: expected"),
        ("Catch-v0", {"width": "x"}, 'width="x": expected'),
        ("Catch-v0", {"height": [3, -1]}, "height=-1: expected"),
        ("Catch-v0", {"height": 10, "rows": -1}, "rows=-1: expected"),
        ("CartPole-v1", {"env_seed": [1, 2, 3]}, "env_seed has 3 entries: expected num_envs=2"),
        ("CartPole-v1", {"env_seed": [1, -(2**40)]}, "env_seed=-1099511627776: expected -2**31 or more"),
        ("CartPole-v1", {"env_seed": [], "seed": [1, -(2**40)]}, "seed=-1099511627776: expected -2**31 or more"),
        pytest.param("Pong-v5", {"base_path": "/x"}, 'base_path="/x": expected the file', marks=cartridges),
        pytest.param("Pong-v5", {"base_path": ["/x"]}, "base_path has 1 entries: expected", marks=cartridges),
        pytest.param("Pong-v5", {"base_path": np.array([None, 1])}, "base_path=array(", marks=cartridges),
        pytest.param("Pong-v5", {"base_path": [None, 1]}, "base_path[1]=1: expected a path or None", marks=cartridges),
        pytest.param("Basic-v1", {"base_path": np.array([None, 1])}, "base_path=array(", marks=vizdoom),
        pytest.param("Basic-v1", {"base_path": 1}, "base_path=1: expected a path or None", marks=vizdoom),
    ],
)
def test_an_error_names_the_option_as_given(task, options, message, make):
    with pytest.raises((ValueError, TypeError, OSError)) as refused:
        getattr(envpool_rs, make)(task, num_envs=2, **options)
    assert str(refused.value).startswith(message)


def test_one_environment_has_one_seed():
    with pytest.raises(ValueError, match=r"^env_seed has 2 entries: expected num_envs=1"):
        envpool_rs.make("CartPole-v1", env_seed=[1, 2])


@pytest.mark.parametrize(
    "task",
    [
        "CartPole-v1",
        pytest.param("Pong-v5", marks=cartridges),
        pytest.param("Basic-v1", marks=vizdoom),
    ],
)
@pytest.mark.parametrize("base_path", [0, False, 0.0, [], (), {}, b""], ids=repr)
def test_a_falsy_base_path_is_refused(task, base_path):
    with pytest.raises(TypeError, match=r"^base_path="):
        envpool_rs.make(task, base_path=base_path)


def test_tasks_without_files_accept_base_path_only_from_a_config():
    with pytest.raises(ValueError, match=r"^base_path='/x': expected None"):
        envpool_rs.make("CartPole-v1", base_path="/x")
    config = envpool_rs.make_spec("CartPole-v1").config._asdict()
    for base_path in (None, "", "envpool", "/usr/lib/envpool_assets/", config["base_path"]):
        assert envpool_rs.make("CartPole-v1", base_path=base_path).config["base_path"] == config["base_path"]


@pytest.mark.parametrize("seed", [{5, 3}, frozenset([5, 3]), {5: 1, 3: 2}, {5: 1, 3: 2}.keys(), b"ab", "ab"], ids=repr)
@pytest.mark.parametrize("make", [*MAKERS, "make_python"])
def test_unordered_seeds_are_refused(make, seed):
    task = [lambda: gymnasium.make("CartPole-v1")] * 2 if make == "make_python" else "CartPole-v1"
    counted = {} if make == "make_python" else {"num_envs": 2}
    with pytest.raises(TypeError, match=r"^seed=" + re.escape(repr(seed)) + ": expected an int, or a sequence of ints"):
        getattr(envpool_rs, make)(task, seed=seed, **counted)


@pytest.mark.parametrize("make", [*MAKERS, "make_python"])
@pytest.mark.parametrize(
    ("seed", "generators"),
    [
        (-1, [2**32 - 1, 0]),
        ([-1, 2], [2**32 - 1, 2]),
        (-(2**31), [2**31, 2**31 + 1]),
        (2**63 - 2, [2**63 - 2, 2**63 - 1]),
        (-(2**31) - 1, None),
        (2**63 - 1, None),
        ([2**63, 0], None),
    ],
)
def test_every_make_function_validates_seeds_equally(make, seed, generators):
    def made(seed):
        if make == "make_python":
            return envpool_rs.make_python([lambda: gymnasium.make("CartPole-v1")] * 2, seed=seed)
        return getattr(envpool_rs, make)("CartPole-v1", num_envs=2, seed=seed)

    if generators is None:
        with pytest.raises(ValueError, match=r"^seed="):
            made(seed)
        return
    env = made(seed)
    first = env.reset()[0]
    expected = [gymnasium.make("CartPole-v1").reset(seed=each)[0] for each in generators]
    np.testing.assert_array_equal(first, expected)
    env.close()


@pytest.mark.parametrize("seed", [np.int64(3), np.array([3, 4]), [np.int64(3), 4], iter], ids=str)
@pytest.mark.parametrize("make", MAKERS)
def test_a_configuration_has_plain_integers(make, seed):
    seed = iter([3, 4]) if seed is iter else seed
    spec = getattr(envpool_rs, make)("CartPole-v1", num_envs=2, seed=seed, num_threads=np.int64(1)).spec
    config = spec.config_dict()
    seeds = (
        [*(config["env_seed"] or [config["seed"]])] if "env_seed" in config else np.atleast_1d(config["seed"]).tolist()
    )
    assert seeds in ([3], [3, 4]) and all(type(each) is int for each in seeds)
    assert "env_seed" in config or type(config["seed"]) in (int, list)
    assert type(config["num_threads"]) is int
    assert type(spec.kwargs["seed"]) in (int, list)
