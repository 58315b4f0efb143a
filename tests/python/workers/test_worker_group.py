"""Tests WorkerGroup, which runs Python environments in worker processes, in regular use."""

import functools

import gymnasium
import numpy as np
import pytest
from envpool_rs.workers import WorkerGroup
from gymnasium import spaces
from python_envs import (
    CountingEnv,
    MisbehavingEnv,
    SpaceEnv,
    message_spaces,
    row_spaces,
)
from worker_group_cases import group_of, reset, step

PROCESSES = {
    "one process per environment": {"num_workers": 4},
    "two processes": {"num_workers": 2},
    "caller and one worker": {"num_workers": 1, "caller_share": True},
    "caller only": {"num_workers": 0, "caller_share": True},
}


def test_a_with_statement_closes_the_group():
    with group_of([CountingEnv] * 2) as group:
        assert reset(group, [1, 2]).observations()[:, 0].tolist() == [1, 2]
    assert group.closed
    with group_of([CountingEnv]) as group:
        group.close()


@pytest.mark.parametrize("options", PROCESSES.values(), ids=PROCESSES)
def test_steps_equal_a_plain_loop(options):
    group = group_of([functools.partial(gymnasium.make, "CartPole-v1")] * 4, **options)
    plain = gymnasium.make_vec(
        "CartPole-v1",
        4,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": gymnasium.vector.AutoresetMode.DISABLED},
    )
    observations, _ = plain.reset(seed=3)
    assert np.array_equal(reset(group, [3, 4, 5, 6]).observations(), observations)
    actions = np.random.default_rng(0).integers(0, 2, (120, 4))
    episodes = 0
    for each in actions:
        steps, expected = step(group, each), plain.step(each)
        found = (steps.observations(), steps.rewards, steps.terminated, steps.truncated)
        assert all(np.array_equal(a, b) for a, b in zip(found, expected[:4], strict=True))
        assert steps.infos is None and not steps.restarted
        if (ended := steps.terminated | steps.truncated).any():
            episodes += ended.sum()
            expected, _ = plain.reset(options={"reset_mask": ended})
            ids = np.flatnonzero(ended)
            assert np.array_equal(reset(group, ids=ids).observations(), expected[ids])
    assert episodes > 8
    assert steps.terminated.dtype == bool and steps.rewards.dtype == np.float64
    group.close()


@pytest.mark.parametrize("context", ["spawn", "forkserver"])
def test_lambdas_and_closures_are_sent_to_spawned_processes(context):
    length = 3
    group = WorkerGroup([lambda: CountingEnv(length)] * 2, num_workers=1, context=context, wrap=lambda env: env)
    reset(group, [1, 2])
    assert [step(group).terminated.tolist() for _ in range(3)][-1] == [True, True]
    assert group.call([1], "get_attr", ["seed_given"]) == [2]
    group.close()


def test_environments_are_stepped_beyond_the_episode_end():
    group = group_of([functools.partial(CountingEnv, 2)] * 2)
    reset(group)
    assert [step(group).observations()[:, 1:].tolist() for _ in range(3)] == [[[1, k]] * 2 for k in (1, 2, 3)]
    group.close()


@pytest.mark.parametrize("lenient", [False, True], ids=["cast", "unchanged"])
@pytest.mark.parametrize(
    "space", {**row_spaces(), **message_spaces()}.values(), ids={**row_spaces(), **message_spaces()}
)
def test_observations_of_every_space_arrive_unchanged(space, lenient):
    group = group_of([lambda: SpaceEnv(space)] * 3, lenient=lenient)
    plain = [SpaceEnv(space) for _ in range(3)]
    steps = reset(group, [7, 8, 9])
    expected = [env.reset(seed=7 + i)[0] for i, env in enumerate(plain)]
    for _ in range(5):
        assert all(_equal(steps.observation(k), expected[k]) for k in range(3))
        steps = step(group)
        expected = [env.step(0)[0] for env in plain]
        if plain[0].steps == 4:
            assert steps.terminated.all()
            assert all(_equal(steps.observation(k), expected[k]) for k in range(3))
            steps = reset(group)
            expected = [env.reset()[0] for env in plain]
    group.close()


def _equal(a, b):
    if isinstance(b, dict):
        return isinstance(a, dict) and a.keys() == b.keys() and all(_equal(a[key], b[key]) for key in b)
    if isinstance(b, tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(_equal, a, b))
    if isinstance(b, (np.ndarray, np.generic)):
        return a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b)
    return type(a) is type(b) and a == b


def test_batches_have_the_structure_of_the_space():
    space = row_spaces()["nested"]
    group = group_of([lambda: SpaceEnv(space)] * 3)
    batch = reset(group, [1, 2, 3]).observations()
    assert list(batch) == ["in", "n"] and batch["n"].shape == (3,) and batch["in"][0].shape == (3, 2)
    assert batch["in"][1]["x"].shape == (3, 4) and batch["in"][1]["x"].dtype == np.int8
    group.close()


def test_batches_belong_to_the_caller():
    group = group_of([CountingEnv] * 2)
    first = reset(group, [1, 2]).observations()
    copy = first.copy()
    step(group)
    assert np.array_equal(first, copy) and first.flags.writeable
    group.close()


def test_environments_of_different_spaces_are_batched_as_objects():
    small, large = (spaces.Box(0.0, 1.0, (size,), np.float64) for size in (2, 5))
    group = group_of([lambda: SpaceEnv(small), lambda: SpaceEnv(large)])
    observations = reset(group, [1, 2]).observations()
    assert observations.dtype == object and [each.shape for each in observations] == [(2,), (5,)]
    steps = [step(group) for _ in range(4)][-1]
    assert steps.observation(1).shape == (5,) and steps.observation(0).shape == (2,)
    group.close()


def test_equal_rows_of_different_structure_are_kept_separate():
    box = spaces.Box(0.0, 1.0, (2,), np.float64)
    group = group_of([lambda: SpaceEnv(spaces.Dict(a=box)), lambda: SpaceEnv(spaces.Dict(b=box))])
    observations = reset(group, [1, 2]).observations()
    assert [list(each) for each in observations] == [["a"], ["b"]]
    group.close()


def test_lenient_groups_keep_observations_outside_the_space():
    odd = {1: [1, 2, 3], 2: np.array([1.0, 2.0, 3.0], np.float32), 3: {"a": 1}, 4: None}
    group = group_of([lambda: MisbehavingEnv(observations=odd), CountingEnv], lenient=True)
    reset(group)
    assert step(group).observation(0) == [1, 2, 3]
    single = step(group).observation(0)
    assert single.dtype == np.float32 and single.tolist() == [1, 2, 3]
    assert step(group).observation(0) == {"a": 1}
    last = step(group)
    assert last.observation(0) is None and last.observation(1).tolist() == [-1, 1, 4]
    group.close()


@pytest.mark.parametrize(
    ("observation", "text"),
    [
        (
            np.zeros(4),
            r"environment 0: observation has shape \(4,\) and dtype float64: expected shape \(3,\) and dtype float64",
        ),
        (
            np.zeros(3, complex),
            r"observation has shape \(3,\) and dtype complex128: expected shape \(3,\) and dtype float64",
        ),
        ("abc", r"observation has shape \(\) and dtype <U3: expected shape \(3,\)"),
        (None, r"observation has shape \(\) and dtype object"),
    ],
    ids=["shape", "dtype", "text", "None"],
)
def test_an_observation_that_does_not_fit_its_space_is_an_error(observation, text):
    group = group_of([lambda: MisbehavingEnv(observations={1: observation}), CountingEnv])
    reset(group)
    with pytest.raises(ValueError, match=text):
        step(group)
    assert step(group).observation(0).tolist() == [-1, 1, 2]
    group.close()


@pytest.mark.parametrize(
    ("observation", "text"),
    [
        ({"a": 1}, r"observation lacks 'b': expected a dict with the keys 'b', 'a'"),
        ({"a": 1, "b": np.zeros(2), "c": 0}, r"observation has the extra key 'c'"),
        (
            {"a": 1, "b": (np.zeros(2), np.zeros(2))},
            r'observation\["b"\]\[1\] has shape \(2,\) and dtype float64: expected shape \(3,\)',
        ),
        ({"a": 1, "b": (np.zeros(2),)}, r'observation\["b"\] is of length 1: expected a tuple of length 2'),
        ([1], r"observation is of type list: expected a dict"),
        (
            {"a": 1.5, "b": (np.zeros(2), np.zeros(3))},
            r'observation\["a"\] has shape \(\) and dtype float64: .* dtype int64',
        ),
    ],
    ids=["missing key", "extra key", "shape inside", "short tuple", "no dict", "float for an integer"],
)
def test_the_error_for_a_mismatched_observation_names_the_key(observation, text):
    box = functools.partial(spaces.Box, -1.0, 1.0, dtype=np.float32)
    declared = spaces.Dict([("b", spaces.Tuple((box((2,)), box((3,))))), ("a", spaces.Discrete(3))])

    class DictEnv(SpaceEnv):
        def step(self, action):
            return observation, 0.0, False, False, {}

    group = group_of([lambda: DictEnv(declared)])
    reset(group)
    with pytest.raises(ValueError, match=text):
        step(group)
    group.close()


def test_observations_need_not_be_contiguous_or_arrays_of_numpy():
    odd = {1: np.arange(6.0)[::-2], 2: [1, 2, 3], 3: (np.float32(1), 2, 3.5)}
    group = group_of([lambda: MisbehavingEnv(observations=odd)])
    reset(group)
    assert [step(group).observation(0).tolist() for _ in range(3)] == [[5, 3, 1], [1, 2, 3], [1, 2, 3.5]]
    group.close()


def test_infos_arrive_and_empty_infos_are_not_sent():
    group = group_of([lambda: MisbehavingEnv(infos={2: {"a": np.arange(3)}}), CountingEnv])
    assert reset(group).infos is None and step(group).infos is None
    steps = step(group)
    assert steps.infos[0]["a"].tolist() == [0, 1, 2] and steps.infos[1] == {}
    group.close()


def test_non_numeric_rewards_are_kept():
    class Rewarded(CountingEnv):
        def step(self, action):
            observation, _, *rest = super().step(action)
            return observation, {0: np.float32(0.5), 1: np.array([1.0, 2.0]), 2: np.array(3), 3: 4}[int(action)], *rest

    group = group_of([Rewarded], lenient=True)
    reset(group)
    assert step(group, [0]).rewards.tolist() == [0.5] and step(group, [3]).rewards.tolist() == [4.0]
    steps = step(group, [1])
    assert steps.reward(0).tolist() == [1.0, 2.0] and np.isnan(steps.rewards[0])
    assert float(step(group, [2]).reward(0)) == 3.0
    group.close()


def test_actions_arrive_as_in_a_plain_loop():
    class Telling(CountingEnv):
        def reported(self):
            return type(self.last_action).__name__, self.last_action

    group = group_of([Telling] * 2)
    reset(group)
    for actions, name in [
        (np.array([1, 2]), "int64"),
        (np.array([0.5, 1.5], np.float32), "float32"),
        (np.array([[1, 2], [3, 4]], np.int8), "ndarray"),
        ([1, 2], "int"),
        ([0.5, 1.5], "float"),
        ([np.int32(1), np.int32(2)], "int32"),
        ([np.ones((2, 2)), np.zeros(2)], "ndarray"),
        ([{"a": 1}, {"a": np.ones(2)}], "dict"),
        (["left", "right"], "str"),
        ([None, None], "NoneType"),
        ([True, False], "bool"),
        ([2**80, -5], "int"),
    ]:
        step(group, actions)
        for k, (found, action) in enumerate(group.call(None, "call", [("reported", (), {})] * 2)):
            assert found == name and _equal(action, actions[k]), (found, action)
    group.close()
