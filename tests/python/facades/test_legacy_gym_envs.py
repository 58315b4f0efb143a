"""Tests WorkerGroup over environments of legacy gym, in any installed version."""

import functools
import warnings

import numpy as np
import pytest
from envpool_rs.workers import WorkerGroup
from gymnasium import spaces

gym = pytest.importorskip("gym")

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def _numpy_has_bool8():
    """Skips the tests with numpy 2, which lacks `bool8`; gym up to 0.26 uses this name, which numpy 1.24 warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not hasattr(np, "bool8"):
            pytest.skip("this numpy is too new for gym")
        yield


def make(**options):
    return gym.make("CartPole-v1", **options)


def play(group, seeds, count=60):
    group.send_resets(None, seeds)
    group.wait()
    rows = [group.take_steps().observations()]
    for t in range(count):
        group.send_steps(None, np.full(group.num_envs, t % 2))
        group.wait()
        steps = group.take_steps()
        assert not steps.failures, steps.failures
        rows.append(steps.observations())
    return np.array(rows), steps


def reset(env, seed):
    try:
        result = env.reset(seed=seed)
    except TypeError:
        env.seed(seed)
        result = env.reset()
    return result[0] if isinstance(result, tuple) else result


def test_trajectories_equal_those_of_the_plain_environments():
    group = WorkerGroup([make] * 2, num_workers=1, context="fork")
    rows, _ = play(group, [3, 4], 8)
    for k, seed in enumerate((3, 4)):
        env = make()
        expected = [reset(env, seed), *(env.step(t % 2)[0] for t in range(8))]
        assert np.array_equal(rows[:, k], expected)
    assert group.observation_spaces[0] == spaces.Box(
        group.observation_spaces[0].low, group.observation_spaces[0].high, (4,), np.float32
    )
    assert group.action_spaces == [spaces.Discrete(2)] * 2
    group.close()


def test_time_limits_truncate_and_other_ends_terminate():
    limited = functools.partial(gym.wrappers.TimeLimit, make(), max_episode_steps=3)
    group = WorkerGroup([limited, make], num_workers=1, context="fork")
    group.send_resets(None, [0, 0])
    group.wait()
    group.take_steps()
    ends = []
    for _ in range(40):
        group.send_steps(None, [1, 1])
        group.wait()
        steps = group.take_steps()
        ends.append((steps.terminated.tolist(), steps.truncated.tolist()))
        if (ended := steps.terminated | steps.truncated).any():
            group.send_resets(np.flatnonzero(ended))
            group.wait()
            group.take_steps(np.flatnonzero(ended))
    assert ([False, False], [True, False]) in ends[:3] and any(terminated[1] for terminated, _ in ends)
    assert not any(truncated[1] for _, truncated in ends)
    group.close()


def test_attributes_of_wrapped_environments_are_found():
    group = WorkerGroup([make], num_workers=1, context="fork")
    assert group.call(None, "get_attr", ["gravity"]) == [9.8]
    group.call(None, "set_attr", [("unwrapped.gravity", 5.0)])
    assert group.call(None, "get_attr", ["unwrapped.gravity"]) == [5.0]
    group.close()
