"""Tests that options of Numba's tasks and of libraries in C change from episode to episode."""

import math
import pickle

import envpool_rs
import envpool_rs.numba
import numpy as np
import pytest
from gymnasium import spaces
from hypothesis import given, settings
from numba_tasks import own_tasks
from pendulum_model import LIMIT, MODES, PLANS, follow
from plugin_cases import compiled
from repository import ROOT

HIGH = np.array([1, 1, 8], np.float32)
OPTIONS = {"g": 10.0, "x_init": np.pi, "count": 3, "flip": False}


class Pendulum:
    """Pendulum whose observation is that of Pendulum-v1 after a reset, and whose rewards show the options."""

    def reset(state, random, options):
        state[0] = random.uniform(-options.x_init, options.x_init)
        state[1] = random.uniform(-1, 1)

    def step(state, options):
        return options.g + 100 * options.count + (1000 if options.flip else 0), False

    def observe(state, out):
        out[0], out[1], out[2] = math.cos(state[0]), math.sin(state[0]), state[1]

    def is_valid(state):
        return abs(state[0]) < 100


def numba_task():
    drawn = {name: envpool_rs.numba.Option(default, drawn=True) for name, default in OPTIONS.items()}
    envpool_rs.numba.env(
        "OptionsPendulum-v0",
        observation=spaces.Box(-HIGH, HIGH),
        action=spaces.Box(-2, 2, (1,)),
        state=(np.float64, 2),
        options={"fixed": 7, **drawn},
    )(Pendulum)
    return "OptionsPendulum-v0"


def c_task():
    source = ROOT / "src" / "plugin" / "tests" / "fixtures" / "pendulum_options.c"
    return envpool_rs.load_plugin(compiled("pendulum_options", source=source))[0]


@pytest.fixture(params=[numba_task, c_task], ids=["numba", "c"], scope="module")
def task(request):
    with own_tasks():
        yield request.param()


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=25, deadline=None)
@given(plan=PLANS)
def test_pools_follow_a_plain_model(task, mode, plan):
    follow(task, mode, plan)


def rewards(env):
    return env.step(np.zeros((env.num_envs, 1), np.float32))[1].tolist()


def test_values_of_every_type_reach_the_steps(task):
    env = envpool_rs.make_vec(task, 4, max_episode_steps=1, g=[1.0, 2.0, 3.0, ("uniform", 4, 5)], count=[1, 1, 2, 2])
    info = env.reset(seed=3)[1]
    assert info["g"][:3].tolist() == [1, 2, 3]
    assert info["g"][3] == np.random.default_rng(6).uniform(4, 5)
    assert rewards(env) == [101, 102, 203, 200 + info["g"][3]]
    env.set_options(flip=[True, False, True, False], g=0.5, count=-(2**53))
    env.step(np.zeros((4, 1), np.float32))
    assert env.get_options()["flip"].tolist() == [True, False, True, False]
    assert rewards(env) == [0.5 - 100 * 2**53 + 1000 * flip for flip in (1, 0, 1, 0)]
    env.queue_resets([2, 2], seeds=[5, 6], options={"count": [7, ("integers", 8, 9)]})
    for count in (7, 8):
        info = env.step(np.zeros((4, 1), np.float32))[4]
        assert info["g"].tolist() == [0.5] * 4
        assert rewards(env)[2] == 1000.5 + 100 * count


def test_one_reset_with_options(task):
    env = envpool_rs.make_vec(task, 3, max_episode_steps=1)
    env.reset(seed=1, options={"g": 4.0})
    assert rewards(env) == [304] * 3
    env.reset(options={"g": 5.0, "reset_mask": np.array([True, False, True])})
    assert env.get_options()["g"].tolist() == [5, 4, 5]
    with pytest.raises(ValueError, match="one value for all environments of a reset; queue_resets"):
        env.reset(options={"g": [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match="fixed=8: expected no change"):
        env.reset(options={"fixed": 8})


def test_snapshots_restore_lanes_made_with_values_of_their_own(task):
    options = {"max_episode_steps": LIMIT, "g": [1.0, 2.0, 3.0]}
    env = envpool_rs.make_vec(task, 3, **options)
    env.reset(seed=1)
    env.set_options(g=9.0, env_ids=[1])
    saved, copied = env.get_state(), pickle.loads(pickle.dumps(env))
    expected = [rewards(env) for _ in range(3 * LIMIT)]
    assert expected[0] == [301, 302, 303]
    assert expected[-1] == [301, 309, 303]
    assert [rewards(copied) for _ in range(3 * LIMIT)] == expected
    env.set_state(saved)
    assert [rewards(env) for _ in range(3 * LIMIT)] == expected
    other = envpool_rs.make_vec(task, 1, max_episode_steps=LIMIT, g=2.0)
    other.set_state(saved[1:2])
    assert [rewards(other)[0] for _ in range(3 * LIMIT)] == [each[1] for each in expected]
    with pytest.raises(ValueError, match="g="):
        other.set_state(saved[:1])


def test_wrong_values_are_refused(task):
    env = envpool_rs.make_vec(task, 2)
    env.reset()
    for options, error, text in (
        ({"fixed": 8}, ValueError, "fixed=8: expected no change"),
        ({"gg": 8}, TypeError, "there are: g, x_init"),
        ({"count": 0.5}, TypeError, "expected int"),
        ({"count": 2**53 + 1}, ValueError, "expected an integer"),
        ({"seed": 3}, ValueError, r"seed is fixed when the pool is made: queue_resets"),
    ):
        with pytest.raises(error, match=text):
            env.set_options(**options)
    with pytest.raises(ValueError, match="fixed"):
        envpool_rs.make_vec(task, 2, fixed=("integers", 1, 3))
    assert env.get_options()["g"].tolist() == [10, 10]


def test_a_library_may_refuse_values():
    with own_tasks():
        env = envpool_rs.make_vec(c_task(), 2)
        env.reset()
        for value in (91.0, ("uniform", 1, 91)):
            with pytest.raises(ValueError, match="g above 90"):
                env.set_options(g=value)


def test_checks_find_no_mistake(task):
    assert envpool_rs.check_plugin([task], {"g": 3.0}, 50) == []
