"""Tests WorkerGroup with environments that raise exceptions, die, hang or return unpicklable values, and checks for
leaks.
"""

import functools
import threading

import numpy as np
import pytest
from envpool_rs.workers import EnvFailure, RemoteTraceback, WorkerDied, WorkerGroup
from python_envs import ActionEnv, CountingEnv, DescribedError, MisbehavingEnv, OwnError, UnpicklableError
from worker_fault_cases import FORK_AND_SPAWN, group_of, is_running, pids_of, reset, step

pytestmark = pytest.mark.slow


@FORK_AND_SPAWN
def test_a_factory_that_raises_is_reported_by_its_own_exception_and_number(context):
    def failing():
        raise LookupError("no such level")

    with pytest.raises(LookupError, match="environment 2: no such level") as raised:
        group_of([CountingEnv, CountingEnv, failing, CountingEnv], context=context)
    assert raised.value.env_id == 2
    assert isinstance(raised.value.__cause__, RemoteTraceback) and "in failing" in str(raised.value.__cause__)


def test_a_factory_that_raises_ends_the_other_processes():
    group = group_of([CountingEnv, functools.partial(MisbehavingEnv, {"make": "raise"})], start=False)
    pids = pids_of(group)
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        group.initialize()
    assert group.closed and not any(map(is_running, pids))


def test_a_factory_that_raises_in_the_callers_share_ends_the_processes():
    group = group_of(
        [CountingEnv, functools.partial(MisbehavingEnv, {"make": "raise"})],
        num_workers=1,
        caller_share=True,
        start=False,
    )
    pids = pids_of(group)
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        group.initialize()
    assert not any(map(is_running, pids))


def test_an_interrupt_during_local_construction_is_raised():
    def interrupted():
        raise KeyboardInterrupt

    group = group_of([CountingEnv, interrupted], num_workers=1, caller_share=True, start=False)
    pids = pids_of(group)
    with pytest.raises(KeyboardInterrupt):
        group.initialize()
    assert group.closed and not any(map(is_running, pids))


@pytest.mark.parametrize(
    ("what", "error", "text"),
    [
        ("sys.exit", RuntimeError, r"environment 1 raised SystemExit\(3\) in make"),
        ("raise own", OwnError, "environment 1: 7: cannot be rebuilt"),
        ("raise unpicklable", UnpicklableError, "environment 1: cannot travel"),
        (
            "os._exit",
            WorkerDied,
            r"worker 1 \(pid \d+\) died \(exit code 3\): environment 1 is lost before they were made",
        ),
        ("kill", WorkerDied, r"worker 1 .* died \(killed by signal 9 \(SIGKILL\)\)"),
    ],
)
def test_a_factory_that_ends_its_process_is_reported(what, error, text):
    with pytest.raises(error, match=text):
        group_of([CountingEnv, functools.partial(MisbehavingEnv, {"make": what})])


def test_a_factory_that_cannot_be_pickled_is_named():

    lock = threading.Lock()

    def unpicklable():
        return lock

    with pytest.raises(TypeError, match=r"env_fns\[1\]=.*cannot be pickled .*context='fork'"):
        WorkerGroup([CountingEnv, unpicklable], num_workers=1, context="spawn")
    group = group_of([CountingEnv, lambda: CountingEnv() if lock else None])
    group.close()


def test_a_factory_that_returns_no_environment_is_reported():
    with pytest.raises(TypeError, match=r"environment 0: .*expected an environment"):
        group_of([lambda: None])


@pytest.mark.parametrize("caller_share", [False, True], ids=["in a worker", "in the caller"])
def test_exceptions_of_step_are_reported_and_lose_no_other_result(caller_share):
    workers = {"num_workers": 0} if caller_share else {}
    group = group_of([CountingEnv, ActionEnv, CountingEnv], caller_share=caller_share, **workers)
    reset(group, [1, 2, 3])
    steps = step(group, [0, "raise", 0])
    assert list(steps.failures) == [1] and isinstance(steps.failures[1], EnvFailure)
    assert steps.observation(0).tolist() == [1, 1, 1] and steps.observation(2).tolist() == [3, 1, 1]
    failure = steps.failures[1]
    assert (failure.env_id, failure.operation, type(failure.exception)) == (1, "step", ValueError)
    error = failure.raised()
    assert str(error) == "environment 1: out of fuel" and error.env_id == 1
    assert "in misbehave" in str(error.__cause__) and "out of fuel" in failure.traceback
    assert step(group).observation(1).tolist() == [2, 1, 1]
    group.close()


@pytest.mark.parametrize(
    ("action", "kind", "text"),
    [
        ("raise own", OwnError, "environment 0: 7: cannot be rebuilt"),
        ("raise unpicklable", UnpicklableError, "environment 0: cannot travel"),
        ("raise described", DescribedError, "environment 0 raised DescribedError in step"),
        ("raise undescribed", RuntimeError, "environment 0: UndescribedError: of a lock"),
        ("sys.exit", RuntimeError, r"environment 0 raised SystemExit\(3\) in step"),
        ("raise local", Exception, "environment 0: of a local class"),
    ],
)
@pytest.mark.parametrize("caller_share", [False, True], ids=["in a worker", "in the caller"])
def test_exceptions_that_cannot_be_pickled_are_reported(action, kind, text, caller_share):
    group = group_of([ActionEnv], caller_share=caller_share, num_workers=0 if caller_share else 1)
    reset(group)
    error = step(group, [action]).failures[0].raised()
    assert isinstance(error, kind) and "in misbehave" in str(error.__cause__)
    with pytest.raises(kind, match=text):
        raise error
    assert not step(group).failures
    group.close()


def test_an_interrupt_raised_in_a_worker_does_not_interrupt_the_caller():
    group = group_of([ActionEnv])
    reset(group)
    with pytest.raises(RuntimeError, match=r"environment 0 raised KeyboardInterrupt\(\) in step"):
        raise step(group, ["raise KeyboardInterrupt"]).failures[0].raised()
    group.close()


def test_messages_of_exceptions_name_the_environment_in_every_form():
    def raising(error):
        class Raising(CountingEnv):
            def step(self, action):
                raise error

        return Raising

    errors = [KeyError("speed"), FileNotFoundError(2, "No such file", "map.txt"), AssertionError(), RuntimeError(1, 2)]
    group = group_of([raising(error) for error in errors])
    reset(group)
    failures = step(group).failures
    for env_id, error in enumerate(errors):
        raised = failures[env_id].raised()
        assert type(raised) is type(error) and raised.env_id == env_id
        notes = "".join(getattr(raised, "__notes__", []))
        assert f"environment {env_id}" in str(raised) + notes or not hasattr(raised, "add_note")
    assert failures[1].raised().filename == "map.txt"
    group.close()


def test_exceptions_of_reset_are_reported():
    group = group_of([functools.partial(MisbehavingEnv, {"reset": "raise"}), CountingEnv])
    steps = reset(group, [1, 2])
    assert steps.failures[0].operation == "reset" and steps.observation(1).tolist() == [2, 1, 0]
    group.close()


@FORK_AND_SPAWN
def test_exceptions_of_close_are_raised_after_all_processes_ended(context):
    group = group_of([CountingEnv, functools.partial(MisbehavingEnv, {"close": "raise"})], context=context)
    pids = pids_of(group)
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        group.close()
    assert group.closed and not any(map(is_running, pids))
    group.close()


def test_exceptions_of_render_are_reported():
    group = group_of([functools.partial(MisbehavingEnv, {"render": "raise"}), CountingEnv])
    with pytest.raises(ValueError, match="environment 0: out of fuel"):
        group.call(None, "render")
    assert group.call([1], "render")[0].shape == (2, 3, 3)
    group.close()


def test_environments_are_closed_in_their_processes(tmp_path):
    class Telling(CountingEnv):
        def close(self):
            (tmp_path / f"{self.seed_given}").write_text("closed")

    group = group_of([Telling] * 3, caller_share=True, num_workers=2)
    reset(group, [1, 2, 3])
    group.close()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["1", "2", "3"]


def test_an_info_that_cannot_be_pickled_names_its_key():

    infos = {1: lambda: {"steps": 1, "lock": threading.Lock()}}
    group = group_of([functools.partial(MisbehavingEnv, infos=infos), CountingEnv])
    reset(group)
    failures = step(group).failures
    with pytest.raises(TypeError, match=r"environment 0: info\['lock'\] cannot be pickled"):
        raise failures[0].raised()
    assert not step(group).failures
    group.close()


def test_an_info_that_cannot_be_unpickled_fails_its_environment():
    infos = {1: lambda: {"error": OwnError(1, "x")}}
    group = group_of([functools.partial(MisbehavingEnv, infos=infos), CountingEnv])
    reset(group)
    steps = step(group)
    assert list(steps.failures) == [0] and steps.observation(1).tolist() == [-1, 1, 1]
    assert not step(group).failures
    group.close()


def test_a_result_that_cannot_be_pickled_is_reported():
    class Generating(CountingEnv):
        def generate(self):
            return (each for each in "ab")

    group = group_of([Generating])
    with pytest.raises(TypeError, match="environment 0: the result, of type generator, cannot be pickled"):
        group.call(None, "call", [("generate", (), {})])
    group.close()


def test_a_step_with_a_wrong_return_value_is_reported():
    class Odd(CountingEnv):
        def step(self, action):
            return [3, (1, 2, 3), (np.zeros(3), 0.0, False, False, {}, 6), (np.zeros(3), 0.0, False, False, [])][action]

    group = group_of([Odd])
    reset(group)
    for action in range(4):
        failures = step(group, [action]).failures
        assert failures and "environment 0" in str(failures[0].raised())
    group.close()


@pytest.mark.parametrize("megabytes", [10, 100])
def test_huge_infos_are_returned(megabytes):
    size = megabytes << 17
    group = group_of([functools.partial(MisbehavingEnv, infos={1: lambda: {"map": np.arange(size)}}), CountingEnv])
    reset(group)
    steps = step(group)
    assert steps.infos[0]["map"].shape == (size,) and steps.infos[0]["map"][-1] == size - 1
    assert not step(group).infos
    group.close()


def test_huge_actions_and_attributes_are_sent():
    group = group_of([CountingEnv] * 2)
    reset(group)
    step(group, [{"big": np.ones(1 << 20)}, 0])
    assert group.call([0], "get_attr", ["last_action"])[0]["big"].sum() == 1 << 20
    group.call([1], "set_attr", [("last_action", np.full(1 << 20, 2.0))])
    assert group.call([1], "get_attr", ["last_action"])[0].sum() == 2 << 20
    group.close()
