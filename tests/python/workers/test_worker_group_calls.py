"""Tests resets, methods, attributes and misuse of WorkerGroup."""

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
    GatedEnv,
    LegacyEnv,
    make_dm_env,
    signal_sender,
)
from worker_group_cases import group_of, reset, step


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


def gates(count):
    return [multiprocessing.get_context("fork").Event() for _ in range(count)]


def test_idle_environments_accept_requests_while_others_are_in_flight():
    (gate,) = gates(1)
    group = group_of([functools.partial(GatedEnv, gate), CountingEnv], num_workers=2)
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
    gate.set()
    assert group.wait().tolist() == [0] and group.take_steps([0]).observations()[:, 2].tolist() == [1]
    group.close()


def test_requests_are_returned_in_order_of_completion():
    last, second = gates(2)
    makers = [functools.partial(GatedEnv, last), functools.partial(GatedEnv, second), CountingEnv]
    group = group_of(makers, num_workers=3)
    reset(group)
    group.send_steps(None, [0] * 3)
    assert group.wait(count=1).tolist() == [2]
    second.set()
    assert group.wait(count=2).tolist() == [2, 1]
    last.set()
    assert group.wait().tolist() == [2, 1, 0]
    assert group.take_steps([1, 0, 2]).ids.tolist() == [1, 0, 2]
    group.close()


def test_a_timeout_returns_the_finished_requests():
    (gate,) = gates(1)
    group = group_of([functools.partial(GatedEnv, gate), CountingEnv], num_workers=2)
    reset(group)
    group.send_steps(None, [0] * 2)
    assert group.wait(count=1).tolist() == [1]
    assert group.wait(timeout=0.2).tolist() == [1]
    gate.set()
    assert sorted(group.wait().tolist()) == [0, 1]
    group.close()


def test_attributes_methods_and_pictures_are_available():
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


def test_attributes_of_inner_environments_are_found():
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


def test_legacy_environments_may_stay_unconverted():
    group = group_of([LegacyEnv], adapt=False)
    assert reset(group).observations().tolist() == [[-1, 0]]
    assert group.call(None, "seed", [4]) == [[4]]
    assert [step(group) for _ in range(4)][-1].terminated.tolist() == [True]
    group.close()


@pytest.mark.parametrize(
    ("discount", "terminated", "truncated", "infos"),
    [(0.0, True, False, None), (1.0, False, True, None), (0.5, False, True, [{"discount": 0.5}])],
)
def test_dm_environments_are_converted_to_gymnasium(discount, terminated, truncated, infos):
    pytest.importorskip("dm_env")
    group = group_of([functools.partial(make_dm_env, discount)])
    assert group.action_spaces == [spaces.Discrete(3)]
    assert group.observation_spaces[0]["half"] == spaces.Box(-np.inf, np.inf, (), np.float32)
    assert reset(group, [1]).observations()["steps"].tolist() == [[0]]
    steps = [step(group, [2]) for _ in range(4)][-1]
    assert (steps.terminated[0], steps.truncated[0], steps.infos) == (terminated, truncated, infos)
    assert steps.rewards.tolist() == [2.0] and steps.observations()["half"].tolist() == [2.0]
    group.close()


def test_environments_without_spaces_exchange_messages():
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


def test_there_is_one_worker_per_core_and_at_most_one_per_environment():
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


def test_initialize_starts_processes_once():
    group = group_of([CountingEnv] * 2, start=False)
    with pytest.raises(RuntimeError, match=r"not initialized: call initialize\(\) first"):
        group.send_resets(None)
    group.initialize()
    group.initialize()
    assert reset(group, [1, 2]).observations()[:, 0].tolist() == [1, 2]
    group.close()


def test_a_dropped_group_ends_its_processes():
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
    "context's type": (
        lambda: group_of([CountingEnv], context=3),
        TypeError,
        "context=3: expected a start method's name",
    ),
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


def test_interrupted_calls_can_be_discarded():
    gate, step_started = (multiprocessing.get_context("fork").Event() for _ in range(2))
    group = group_of([CountingEnv, functools.partial(GatedEnv, gate, step_started)], num_workers=2)
    reset(group)
    sender = signal_sender(step_started)
    with pytest.raises(KeyboardInterrupt):
        sender.start()
        group.call(None, "call", [("step", (0,), {})] * 2)
    sender.join()
    gate.set()
    group.discard()
    assert step(group).rewards.tolist() == [2, 2]
    group.close()


def test_misused_calls_send_nothing():
    group = group_of([CountingEnv] * 3)
    reset(group)
    for call, error, text in [
        (lambda: group.send_steps([3], [0]), IndexError, "3"),
        (lambda: group.send_steps([-1], [0]), IndexError, "-1"),
        (lambda: group.send_steps([1, 1], [0, 0]), ValueError, "1"),
        (lambda: group.send_steps([0.5], [0]), TypeError, r"ids=\[0.5\]: expected integers"),
        (lambda: group.send_steps([True], [0]), TypeError, r"ids=\[True\]: expected integers"),
        (lambda: group.call([0.0, 1.0, 2.0], "render"), TypeError, r"ids=\[0.0, 1.0, 2.0\]: expected integers"),
        (lambda: group.discard([1.5]), TypeError, r"ids=\[1.5\]: expected integers"),
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


def test_a_list_of_bools_does_not_mean_all_environments():
    group = group_of([CountingEnv] * 2)
    reset(group)
    with pytest.raises(TypeError, match="expected integers"):
        group.send_steps([False, True], [0, 0])
    group.close()


def test_ids_of_any_integer_type_are_discarded():
    group = group_of([CountingEnv] * 3)
    reset(group)
    group.send_steps(None, [0, 0, 0])
    group.discard(np.array([1], np.uint64))
    assert group.in_flight.tolist() == [0, 2]
    group.close()


def test_a_closed_group_refuses_all_calls():
    group = group_of([CountingEnv])
    group.close()
    group.close()
    assert group.closed
    for call in (lambda: group.send_steps(None, [0]), group.wait, group.take_steps, lambda: group.call(None, "render")):
        with pytest.raises(RuntimeError, match="the environments are closed"):
            call()
