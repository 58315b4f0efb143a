"""WorkerGroup in regular use: Python environments in worker processes."""

import functools
import gc
import multiprocessing
import os

import gymnasium
import numpy as np
import pytest
from envpool_rs.workers import WorkerGroup
from gymnasium import spaces
from python_envs import (
    CountingEnv,
    LegacyEnv,
    MisbehavingEnv,
    SpaceEnv,
    make_dm_env,
    message_spaces,
    row_spaces,
)

PROCESSES = {
    "a process each": {"num_workers": 4},
    "two processes": {"num_workers": 2},
    "the caller helps": {"num_workers": 1, "caller_share": True},
    "the caller alone": {"num_workers": 0, "caller_share": True},
}


def group_of(env_fns, **options):
    return WorkerGroup(env_fns, **{"context": "fork", "num_workers": 2, **options})


def reset(group, seeds=None, ids=None, **keywords):
    group.send_resets(ids, seeds, **keywords)
    group.wait()
    return group.take_steps(ids)


def step(group, actions=None):
    group.send_steps(None, np.zeros(group.num_envs, np.int64) if actions is None else actions)
    group.wait()
    steps = group.take_steps()
    for failure in steps.failures.values():
        raise failure.raised()
    return steps


@pytest.mark.parametrize("options", PROCESSES.values(), ids=PROCESSES)
def test_steps_are_those_of_a_plain_loop(options):
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
def test_lambdas_and_closures_travel_to_processes_that_are_not_forks(context):
    length = 3
    group = WorkerGroup([lambda: CountingEnv(length)] * 2, num_workers=1, context=context, wrap=lambda env: env)
    reset(group, [1, 2])
    assert [step(group).terminated.tolist() for _ in range(3)][-1] == [True, True]
    assert group.call([1], "get_attr", ["seed_given"]) == [2]
    group.close()


def test_environments_are_stepped_on_where_no_caller_resets_them():
    group = group_of([functools.partial(CountingEnv, 2)] * 2)
    reset(group)
    assert [step(group).observations()[:, 1:].tolist() for _ in range(3)] == [[[1, k]] * 2 for k in (1, 2, 3)]
    group.close()


@pytest.mark.parametrize("lenient", [False, True], ids=["cast", "as they are"])
@pytest.mark.parametrize(
    "space", {**row_spaces(), **message_spaces()}.values(), ids={**row_spaces(), **message_spaces()}
)
def test_observations_of_every_space_arrive_as_they_were_returned(space, lenient):
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


def test_batches_follow_the_space():
    space = row_spaces()["nested"]
    group = group_of([lambda: SpaceEnv(space)] * 3)
    batch = reset(group, [1, 2, 3]).observations()
    assert list(batch) == ["in", "n"] and batch["n"].shape == (3,) and batch["in"][0].shape == (3, 2)
    assert batch["in"][1]["x"].shape == (3, 4) and batch["in"][1]["x"].dtype == np.int8
    group.close()


def test_batches_are_the_users_own():
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


def test_equal_rows_of_different_structure_are_not_mixed_up():
    box = spaces.Box(0.0, 1.0, (2,), np.float64)
    group = group_of([lambda: SpaceEnv(spaces.Dict(a=box)), lambda: SpaceEnv(spaces.Dict(b=box))])
    observations = reset(group, [1, 2]).observations()
    assert [list(each) for each in observations] == [["a"], ["b"]]
    group.close()


def test_observations_that_are_not_what_the_space_says_are_kept_where_asked():
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
def test_the_error_names_the_key(observation, text):
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


def test_infos_arrive_and_cost_nothing_where_they_are_empty():
    group = group_of([lambda: MisbehavingEnv(infos={2: {"a": np.arange(3)}}), CountingEnv])
    assert reset(group).infos is None and step(group).infos is None
    steps = step(group)
    assert steps.infos[0]["a"].tolist() == [0, 1, 2] and steps.infos[1] == {}
    group.close()


def test_rewards_that_are_no_number_are_kept():
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


def test_actions_arrive_as_they_would_from_a_loop():
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


def test_resets_take_seeds_options_and_other_keywords():
    class Keywords(CountingEnv):
        def reset(self, *, seed=None, options=None, **keywords):
            self.keywords = keywords
            return super().reset(seed=seed, options=options)

    group = group_of([Keywords] * 2)
    steps = reset(group, [5, None], options={"level": 3}, mode="hard")
    assert steps.observations()[:, 0].tolist() == [5, -1]
    assert group.call(None, "get_attr", ["keywords"] * 2) == [{"mode": "hard"}] * 2
    assert group.call(None, "get_attr", ["last_options"] * 2) == [{"level": 3}] * 2
    group.close()


def test_some_environments_can_be_asked_while_others_are_in_flight():
    group = group_of([functools.partial(CountingEnv, seconds=0.3), CountingEnv], num_workers=2)
    reset(group)
    group.send_steps([0], [0])
    assert group.in_flight.tolist() == [0] and not group.is_ready(0) and group.is_ready(1)
    for _ in range(3):
        group.send_steps([1], [0])
        assert group.wait([1], 1).tolist() == [1]
        group.take_steps([1])
    assert group.wait(timeout=0).tolist() == []
    with pytest.raises(RuntimeError, match="0"):
        group.send_steps([1, 0], [0, 0])
    assert group.is_ready(1)
    assert group.wait().tolist() == [0] and group.take_steps([0]).observations()[:, 2].tolist() == [1]
    group.close()


def test_requests_finish_in_the_order_of_completion():
    group = group_of([functools.partial(CountingEnv, seconds=s) for s in (0.2, 0.1, 0.0)], num_workers=3)
    reset(group)
    group.send_steps(None, [0] * 3)
    assert group.wait(count=1).tolist() == [2]
    assert group.wait().tolist() == [2, 1, 0]
    assert group.take_steps([1, 0, 2]).ids.tolist() == [1, 0, 2]
    group.close()


def test_a_timeout_returns_what_has_finished():
    go_on = multiprocessing.get_context("fork").Event()

    class Waiting(CountingEnv):
        def step(self, action):
            assert go_on.wait(60)
            return super().step(action)

    group = group_of([Waiting, CountingEnv], num_workers=2)
    reset(group)
    group.send_steps(None, [0] * 2)
    assert group.wait(timeout=0.8).tolist() == [1]
    go_on.set()
    assert sorted(group.wait().tolist()) == [0, 1]
    group.close()


def test_attributes_methods_and_pictures_are_to_be_had():
    group = group_of([CountingEnv] * 2)
    reset(group, [1, 2])
    assert group.call(None, "get_attr", ["seed_given"] * 2) == [1, 2]
    group.call([0], "set_attr", [("length", 9)])
    assert group.call(None, "get_attr", ["unwrapped.length"] * 2) == [9, 5]
    assert group.call([1], "call", [("add", (2,), {"b": 3})]) == [5]
    assert group.call([0], "render")[0].shape == (2, 3, 3)
    assert group.call(None, "seed", [11, 12]) == [[11], [12]]
    assert group.descriptions[0]["metadata"]["render_fps"] == 30 and group.descriptions[0]["render_mode"] == "rgb_array"
    with pytest.raises(AttributeError, match=r"environment 1: .*nothing"):
        group.call(None, "get_attr", ["length", "nothing"])
    assert group.call([0], "get_attr", ["length"]) == [9]
    group.close()


def test_attributes_of_wrapped_environments_are_found_inside():
    group = group_of([functools.partial(gymnasium.make, "CartPole-v1")])
    assert group.call(None, "get_attr", ["gravity"]) == [9.8]
    group.call(None, "set_attr", [("gravity", 1.5)])
    assert group.call(None, "get_attr", ["unwrapped.gravity"]) == [1.5]
    group.close()


def test_a_wrapper_is_applied_in_the_worker():
    group = group_of([CountingEnv], wrap=lambda env: gymnasium.wrappers.TimeLimit(env, 2))
    reset(group)
    assert [step(group).truncated.tolist() for _ in range(2)] == [[False], [True]]
    group.close()


def test_legacy_environments_get_seeds_and_five_values():
    group = group_of([LegacyEnv, functools.partial(LegacyEnv, truncates=True)])
    assert reset(group, [5, 6]).observations()[:, 0].tolist() == [5, 6]
    steps = [step(group) for _ in range(4)][-1]
    assert steps.terminated.tolist() == [True, False] and steps.truncated.tolist() == [False, True]
    assert steps.infos == [{}, {"TimeLimit.truncated": True}]
    assert group.call([0], "render")[0].shape == (2, 2, 3)
    group.close()


def test_legacy_environments_can_be_left_as_they_are():
    group = group_of([LegacyEnv], adapt=False)
    assert reset(group).observations().tolist() == [[-1, 0]]
    assert group.call(None, "seed", [4]) == [[4]]
    assert [step(group) for _ in range(4)][-1].terminated.tolist() == [True]
    group.close()


@pytest.mark.parametrize(
    ("discount", "terminated", "truncated", "infos"),
    [(0.0, True, False, None), (1.0, False, True, None), (0.5, False, True, [{"discount": 0.5}])],
)
def test_dm_environments_speak_gymnasium(discount, terminated, truncated, infos):
    pytest.importorskip("dm_env")
    group = group_of([functools.partial(make_dm_env, discount)])
    assert group.action_spaces == [spaces.Discrete(3)]
    assert group.observation_spaces[0]["half"] == spaces.Box(-np.inf, np.inf, (), np.float32)
    assert reset(group, [1]).observations()["steps"].tolist() == [[0]]
    steps = [step(group, [2]) for _ in range(4)][-1]
    assert (steps.terminated[0], steps.truncated[0], steps.infos) == (terminated, truncated, infos)
    assert steps.rewards.tolist() == [2.0] and steps.observations()["half"].tolist() == [2.0]
    group.close()


def test_environments_without_spaces_are_played_by_message():
    class Bare:
        def __init__(self):
            self.steps = 0

        def reset(self, seed=None, options=None):
            return {"steps": 0}, {}

        def step(self, action):
            return [1, "two"], 1.0, False, False, {}

    group = group_of([Bare] * 2)
    assert group.observation_spaces == [None, None]
    assert reset(group).observations()["steps"].tolist() == [0, 0]
    assert step(group).observation(1) == [1, "two"]
    group.close()


def test_workers_are_as_many_as_cores_and_never_more_than_environments():
    cores = len(os.sched_getaffinity(0))
    group = WorkerGroup([CountingEnv] * 6, context="fork")
    assert group.num_workers == len(set(group.worker_of)) <= min(6, cores) and group.worker_of == sorted(
        group.worker_of
    )
    group.close()
    group = WorkerGroup([CountingEnv] * 2, num_workers=5, context="fork")
    assert group.num_workers == 2
    group.close()
    group = WorkerGroup([CountingEnv] * 5, num_workers=2, caller_share=True, context="fork")
    assert [group.worker_of.count(worker) for worker in (0, 1, -1)] == [2, 2, 1]
    group.close()


def test_workers_can_be_pinned_to_cores():
    class Where(CountingEnv):
        def cores(self):
            return os.sched_getaffinity(0)

    group = group_of([Where] * 2, pin_offset=1)
    found = group.call(None, "call", [("cores", (), {})] * 2)
    assert all(len(each) == 1 for each in found)
    if len(os.sched_getaffinity(0)) > 1:
        assert found[0] != found[1]
    group.close()


def test_processes_can_be_started_now_and_awaited_later():
    group = group_of([CountingEnv] * 2, start=False)
    with pytest.raises(RuntimeError, match=r"not initialized: call initialize\(\) first"):
        group.send_resets(None)
    group.initialize()
    group.initialize()
    assert reset(group, [1, 2]).observations()[:, 0].tolist() == [1, 2]
    group.close()


def test_a_group_that_is_let_go_ends_its_processes():
    group = group_of([CountingEnv] * 2)
    pids = [process.pid for process in group._processes]
    del group
    gc.collect()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


MISUSES = {
    "no environments": (lambda: WorkerGroup([]), ValueError, "env_fns is empty"),
    "one factory": (lambda: WorkerGroup(CountingEnv), TypeError, "env_fns=.*expected a list of functions"),
    "no sequence": (lambda: WorkerGroup(3), TypeError, "env_fns=3: expected a list of functions"),
    "no callable": (lambda: WorkerGroup([CountingEnv, 3]), TypeError, r"env_fns\[1\]=3: expected a function"),
    "an environment": (lambda: WorkerGroup([CountingEnv()]), TypeError, r"env_fns\[0\]=.*expected a function"),
    "wake_up": (
        lambda: group_of([CountingEnv], wake_up=1),
        ValueError,
        "wake_up=1: expected 'auto', 'futex' or 'poll'",
    ),
    "context": (lambda: group_of([CountingEnv], context="thread"), ValueError, "context='thread': expected 'fork'"),
    "context's type": (lambda: group_of([CountingEnv], context=3), TypeError, "context is of type int"),
    "no workers": (lambda: group_of([CountingEnv], num_workers=0), ValueError, "num_workers=0: expected 1 or more"),
    "workers' type": (
        lambda: group_of([CountingEnv], num_workers=1.5),
        TypeError,
        "num_workers=1.5: expected an int or None",
    ),
}


@pytest.mark.parametrize(("call", "error", "text"), MISUSES.values(), ids=MISUSES)
def test_misused_arguments_are_named(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_misused_calls_send_nothing():
    group = group_of([CountingEnv] * 3)
    reset(group)
    for call, error, text in [
        (lambda: group.send_steps([3], [0]), IndexError, "3"),
        (lambda: group.send_steps([-1], [0]), IndexError, "-1"),
        (lambda: group.send_steps([1, 1], [0, 0]), ValueError, "1"),
        (lambda: group.send_steps([0.5], [0]), TypeError, "ids"),
        (lambda: group.send_steps([True], [0]), TypeError, "ids"),
        (lambda: group.send_steps(None, [0, 0]), ValueError, "2"),
        (lambda: group.send_steps([0, 1], [0, 0, 0]), ValueError, "3"),
        (
            lambda: group.send_resets(None, [1, 2]),
            ValueError,
            "seeds has 2 entries: expected one for each of 3 environments",
        ),
        (lambda: group.send_resets(None, [1, "a", 2]), TypeError, r"seeds\[1\]='a'"),
        (lambda: group.send_resets([5]), IndexError, "5"),
        (lambda: group.send_calls([0, 0], "render"), ValueError, "0"),
        (lambda: group.send_calls([9], "render"), IndexError, "9"),
        (lambda: group.send_calls(None, "get_attr", ["a"]), ValueError, "1 payloads for 3"),
        (lambda: group.take_steps([0]), RuntimeError, "0"),
    ]:
        with pytest.raises(error, match=text):
            call()
        assert not len(group.in_flight)
    assert group.wait().tolist() == []
    assert step(group).observations()[:, 2].tolist() == [1, 1, 1]
    group.close()


def test_a_closed_group_refuses_everything():
    group = group_of([CountingEnv])
    group.close()
    group.close()
    assert group.closed
    for call in (lambda: group.send_steps(None, [0]), group.wait, group.take_steps, lambda: group.call(None, "render")):
        with pytest.raises(RuntimeError, match="the environments are closed"):
            call()
