"""WorkerGroup with environments that raise, die, hang or return unpicklable values, without leaks."""

import functools
import os
import signal
import threading
import time

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs._workers.overseer import Supervisor
from envpool_rs.workers import EnvFailure, RemoteTraceback, WorkerDied, WorkerGroup
from leftovers import children
from python_envs import ActionEnv, CountingEnv, MisbehavingEnv, OwnError

FORK_AND_SPAWN = pytest.mark.parametrize("context", ["fork", "spawn"])


def group_of(env_fns, **options):
    return WorkerGroup(env_fns, **{"context": "fork", "num_workers": 2, **options})


def reset(group, seeds=None, ids=None, **keywords):
    group.send_resets(ids, seeds, **keywords)
    group.wait()
    return group.take_steps(ids)


def step(group, actions=None, ids=None):
    count = group.num_envs if ids is None else len(ids)
    group.send_steps(ids, np.zeros(count, np.int64) if actions is None else actions)
    group.wait(ids)
    return group.take_steps(ids)


def pids_of(group):
    return [process.pid for process in group._processes]


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ended_within(pids, seconds):
    deadline = time.monotonic() + seconds
    while any(map(is_running, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not any(map(is_running, pids))


# Making environments


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


def test_an_interrupt_while_the_caller_makes_its_share_is_an_interrupt():
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
        ("raise own", RuntimeError, "environment 1: OwnError: 7: cannot be rebuilt"),
        ("raise unpicklable", RuntimeError, "environment 1: UnpicklableError: cannot travel"),
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
    import threading

    lock = threading.Lock()

    def unpicklable():
        return lock

    with pytest.raises(TypeError, match=r"env_fns\[1\]=.*cannot be pickled .*context='fork'"):
        WorkerGroup([CountingEnv, unpicklable], num_workers=1, context="spawn")
    group = group_of([CountingEnv, lambda: CountingEnv() if lock else None])
    group.close()


def test_a_factory_that_makes_no_environment_is_reported():
    with pytest.raises(TypeError, match=r"environment 0: .*expected an environment"):
        group_of([lambda: None])


# Environments that raise


@pytest.mark.parametrize("caller_share", [False, True], ids=["in a worker", "in the caller"])
def test_what_a_step_raises_is_reported_and_the_others_lose_nothing(caller_share):
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
        ("raise own", RuntimeError, "environment 0: OwnError: 7: cannot be rebuilt"),
        ("raise unpicklable", RuntimeError, "environment 0: UnpicklableError: cannot travel"),
        ("sys.exit", RuntimeError, r"environment 0 raised SystemExit\(3\) in step"),
        ("raise local", Exception, "environment 0: of a local class"),
    ],
)
@pytest.mark.parametrize("caller_share", [False, True], ids=["in a worker", "in the caller"])
def test_exceptions_that_travel_badly_are_reported_all_the_same(action, kind, text, caller_share):
    group = group_of([ActionEnv], caller_share=caller_share, num_workers=0 if caller_share else 1)
    reset(group)
    error = step(group, [action]).failures[0].raised()
    assert isinstance(error, kind) and OwnError not in type(error).__mro__
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


def test_what_a_reset_raises_is_reported():
    group = group_of([functools.partial(MisbehavingEnv, {"reset": "raise"}), CountingEnv])
    steps = reset(group, [1, 2])
    assert steps.failures[0].operation == "reset" and steps.observation(1).tolist() == [2, 1, 0]
    group.close()


@FORK_AND_SPAWN
def test_what_close_raises_is_raised_after_all_processes_ended(context):
    group = group_of([CountingEnv, functools.partial(MisbehavingEnv, {"close": "raise"})], context=context)
    pids = pids_of(group)
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        group.close()
    assert group.closed and not any(map(is_running, pids))
    group.close()


def test_what_render_raises_is_reported():
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


# Results that cannot be transferred


def test_an_info_that_cannot_be_pickled_names_its_key():
    import threading

    infos = {1: lambda: {"steps": 1, "lock": threading.Lock()}}
    group = group_of([functools.partial(MisbehavingEnv, infos=infos), CountingEnv])
    reset(group)
    failures = step(group).failures
    with pytest.raises(TypeError, match=r"environment 0: info\['lock'\] cannot be pickled"):
        raise failures[0].raised()
    assert not step(group).failures
    group.close()


def test_an_info_that_cannot_be_rebuilt_is_the_environments_failure():
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


def test_a_step_of_the_wrong_form_is_reported():
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
def test_huge_infos_arrive(megabytes):
    size = megabytes << 17
    group = group_of([functools.partial(MisbehavingEnv, infos={1: lambda: {"map": np.arange(size)}}), CountingEnv])
    reset(group)
    steps = step(group)
    assert steps.infos[0]["map"].shape == (size,) and steps.infos[0]["map"][-1] == size - 1
    assert not step(group).infos
    group.close()


def test_huge_actions_and_attributes_arrive():
    group = group_of([CountingEnv] * 2)
    reset(group)
    step(group, [{"big": np.ones(1 << 20)}, 0])
    assert group.call([0], "get_attr", ["last_action"])[0]["big"].sum() == 1 << 20
    group.call([1], "set_attr", [("last_action", np.full(1 << 20, 2.0))])
    assert group.call([1], "get_attr", ["last_action"])[0].sum() == 2 << 20
    group.close()


# Processes that die


@pytest.mark.parametrize(
    ("action", "text"),
    [("os._exit", "exit code 3"), ("kill", r"killed by signal 9 \(SIGKILL\)")],
)
@FORK_AND_SPAWN
def test_a_worker_that_dies_names_its_environments_and_the_others_go_on(action, text, context):
    group = group_of([ActionEnv] * 4, context=context)
    reset(group, [1, 2, 3, 4])
    steps = step(group, [0, action, 0, 0])
    assert {0, 1} >= set(steps.failures) >= {1} and steps.observation(2).tolist() == [3, 1, 1]
    error = steps.failures[1].raised()
    assert isinstance(error, WorkerDied) and (error.worker, error.env_ids) == (0, [0, 1])
    with pytest.raises(WorkerDied, match=rf"worker 0 \(pid \d+\) died \({text}\): environments 0, 1 are lost"):
        raise error
    for call in (
        lambda: group.send_steps(None, [0] * 4),
        lambda: group.send_resets([0]),
        lambda: group.call([1], "render"),
    ):
        with pytest.raises(WorkerDied, match="worker 0"):
            call()
    assert not len(group.in_flight)
    assert step(group, ids=[2, 3]).observations()[:, 2].tolist() == [2, 2]
    group.close()


def test_a_worker_killed_while_it_is_idle_is_noticed_at_the_next_request():
    group = group_of([CountingEnv] * 2)
    reset(group)
    os.kill(pids_of(group)[1], signal.SIGKILL)
    steps = step(group)
    assert list(steps.failures) == [1] and steps.observation(0).tolist() == [-1, 1, 1]
    group.close()


def test_a_dead_worker_is_noticed_while_another_fills_every_batch():
    group = group_of([ActionEnv, ActionEnv])
    reset(group)
    group.send_steps(None, ["kill", 0])
    deadline = time.monotonic() + 60
    while (done := group.wait(None, 1).tolist()) == [1]:
        assert time.monotonic() < deadline, "the death of worker 0 goes unnoticed"
        group.take_steps(done)
        group.send_steps(done, [0])
    assert isinstance(group.take_steps([0]).failures[0].raised(), WorkerDied)
    group.close()


def test_a_call_that_kills_its_worker_is_reported():
    group = group_of([functools.partial(MisbehavingEnv, {"render": "kill"}), CountingEnv])
    with pytest.raises(WorkerDied, match="environment 0 is lost"):
        group.call(None, "render")
    assert group.call([1], "get_attr", ["length"]) == [5]
    group.close()


def test_a_worker_that_dies_while_closing_does_not_hold_up_the_others():
    group = group_of([functools.partial(MisbehavingEnv, {"close": "kill"}), CountingEnv])
    pids = pids_of(group)
    group.close()
    assert not any(map(is_running, pids))


@pytest.mark.parametrize("action", ["hang", "spin"])
def test_a_hanging_step_leaves_at_the_timeout_and_ends_with_close(action):
    group = group_of([ActionEnv] * 2)
    pids = pids_of(group)
    reset(group)
    group.send_steps(None, [action, 0])
    assert group.wait(timeout=1.0).tolist() == [1]
    with pytest.raises(RuntimeError, match="0"):
        group.take_steps()
    group.close(terminate=True)  # the environment would close only after a thousand seconds
    assert not any(map(is_running, pids))


def test_close_waits_for_slow_steps_but_not_longer_than_asked():
    group = group_of([functools.partial(CountingEnv, seconds=0.3), ActionEnv])
    pids = pids_of(group)
    reset(group)
    group.send_steps(None, [0, "hang"])
    start = time.monotonic()
    group.close(timeout=0.6)
    assert time.monotonic() - start > 0.5 and not any(map(is_running, pids))


@pytest.mark.parametrize("terminate", [False, True])
def test_close_does_not_wait_for_the_callers_own_requests_that_are_not_executed(terminate):
    group = group_of([CountingEnv] * 4, num_workers=1, caller_share=True)
    reset(group)
    group.send_steps(None, [0] * 4)
    group.close(terminate=terminate, timeout=1000.0)


class ClosesLate(CountingEnv):
    """CountingEnv that reports its close, and waits until it may continue."""

    def __init__(self, folder):
        super().__init__()
        self.folder = folder

    def pid(self):
        return os.getpid()

    def close(self):
        (self.folder / "closing").touch()
        while not (self.folder / "go on").exists():
            time.sleep(0.01)


def group_to_close(folder):
    group = group_of([functools.partial(ClosesLate, folder)], num_workers=1)
    return functools.partial(group.close, timeout=1000.0), pids_of(group)


def pool_to_close(folder):
    pool = envpool_rs.make_python([functools.partial(ClosesLate, folder)], context="fork")
    return functools.partial(pool.close, timeout=1000.0), pool.call("pid")


@pytest.mark.parametrize("made", [group_to_close, pool_to_close])
def test_a_second_close_returns_when_the_first_has_ended_all_processes(made, tmp_path):
    close, pids = made(tmp_path)
    left = []

    def close_and_look():
        close()
        left.extend(filter(is_running, pids))

    first, second = threading.Thread(target=close), threading.Thread(target=close_and_look)
    first.start()
    while not (tmp_path / "closing").exists():
        time.sleep(0.01)
    second.start()
    second.join(0.5)  # it would return in this time if it did not wait
    (tmp_path / "go on").touch()
    first.join()
    second.join()
    assert not left


@pytest.mark.parametrize("made", [group_to_close, pool_to_close])
def test_a_close_within_a_close_does_not_wait_for_itself(made, tmp_path, monkeypatch):
    close, pids = made(tmp_path)
    again = []

    def close_and_go_on(supervisor):
        again.append(close())
        (tmp_path / "go on").touch()
        return close_request(supervisor)

    close_request = Supervisor.close_request
    monkeypatch.setattr(Supervisor, "close_request", close_and_go_on)
    close()
    assert again == [None] and not any(map(is_running, pids))


def test_a_hanging_close_is_ended():
    group = group_of([functools.partial(MisbehavingEnv, {"close": "hang"}), CountingEnv])
    pids = pids_of(group)
    group.close(timeout=0.3)
    assert not any(map(is_running, pids))


def test_printing_to_a_closed_stdout_is_an_ordinary_exception():
    group = group_of([ActionEnv] * 2)
    reset(group)
    error = step(group, ["print to a closed stdout", 0]).failures[0].raised()
    assert isinstance(error, ValueError) and "closed file" in str(error)
    assert not step(group).failures
    group.close()


def test_a_fork_of_a_worker_that_comes_back_ends_itself():
    group = group_of([ActionEnv] * 2)
    reset(group, [1, 2])
    for count in range(1, 6):
        steps = step(group, ["fork and return", 0])
        assert not steps.failures and steps.observations().tolist() == [[1, 1, count], [2, 1, count]]
    group.close()


def test_a_fork_of_a_worker_that_outlives_it_holds_nothing_up():
    before = children().keys()
    group = group_of([ActionEnv] * 2)
    pids = pids_of(group)
    reset(group)
    assert not step(group, ["fork and outlive", 0]).failures
    os.kill(pids[0], signal.SIGKILL)
    assert list(step(group).failures) == [0]
    group.close(timeout=1000.0)
    assert not any(map(is_running, pids)) and children().keys() - before, "the fork still sleeps"


def test_a_child_that_another_caller_waited_for_is_known_to_be_dead():
    group = group_of([CountingEnv] * 2)
    reset(group)
    pid = pids_of(group)[0]
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert list(step(group).failures) == [0]
    group.close()


# The restart policy


@FORK_AND_SPAWN
def test_a_dead_worker_is_recreated_where_asked(context):
    group = group_of([ActionEnv] * 4, context=context, restart=True)
    reset(group, [1, 2, 3, 4])
    steps = step(group, [0, "kill", 0, 0])
    assert steps.restarted in ([0, 1], [1]) and not steps.failures
    assert steps.rewards.tolist()[1:] == [0, 1, 1] and steps.truncated.tolist()[1:] == [True, False, False]
    assert steps.infos[1] == {"restarted": True} and steps.infos[2] == {} and not steps.terminated.any()
    assert steps.observation(1)[1:].tolist() == [1, 0] and steps.observation(1)[0] not in (-1, 2)
    steps = step(group)
    assert steps.observations()[1:, 2].tolist() == [1, 2, 2] and group.restarts == [1, 0]
    group.close()


def test_seeds_after_a_restart_are_new_and_follow_from_the_last_ones():
    def seeds():
        group = group_of([ActionEnv] * 2, num_workers=1, restart=True)
        reset(group, [7, None])
        found = []
        for _ in range(2):
            steps = step(group, [0, "kill"])
            steps = step(group) if 0 not in steps.restarted else steps
            found.append(steps.observations()[:, 0].tolist())
        group.close()
        return found

    first, second = seeds(), seeds()
    assert first == second and first[0][0] != first[1][0] != 7 and [each[1] for each in first] == [-1, -1]


def test_environments_that_were_idle_are_reported_at_their_next_step():
    group = group_of([ActionEnv] * 4, restart=True, num_workers=2)
    reset(group, [1, 2, 3, 4])
    assert step(group, ["kill"], [0]).restarted == [0]
    steps = step(group, [0, 0, 0], [0, 1, 2])
    assert steps.restarted == [1] and steps.observations()[:, 2].tolist() == [1, 0, 1]
    assert steps.truncated.tolist() == [False, True, False]
    assert step(group).observations()[:, 2].tolist() == [2, 1, 2, 1]
    group.close()


def test_a_reset_after_a_restart_is_an_ordinary_reset():
    group = group_of([ActionEnv] * 2, num_workers=1, restart=True)
    reset(group, [1, 2])
    step(group, ["kill"], [0])
    steps = reset(group, [5, 6])
    assert steps.observations()[:, 0].tolist() == [5, 6] and not steps.truncated.any()
    assert steps.infos == [{}, {"restarted": True}]
    assert step(group).infos is None
    group.close()


def test_a_reset_lost_with_its_worker_is_made_again(tmp_path):
    class DiesOnce(CountingEnv):
        def reset(self, *, seed=None, options=None):
            if not (tmp_path / "died").exists():
                (tmp_path / "died").touch()
                os._exit(1)
            return super().reset(seed=seed, options=options)

    group = group_of([DiesOnce], num_workers=1, restart=True)
    steps = reset(group, options={"level": 2})
    assert steps.restarted == [0] and steps.infos == [{"restarted": True}] and not steps.truncated.any()
    assert group.call(None, "get_attr", ["last_options"]) == [{"level": 2}]
    group.close()


class DiesAtReset(CountingEnv):
    """CountingEnv that ends its process in the first reset after a file is written, and removes the file."""

    def __init__(self, path):
        super().__init__()
        self.path = path

    def reset(self, *, seed=None, options=None):
        if self.path.exists():
            self.path.unlink()
            os._exit(1)
        return super().reset(seed=seed, options=options)


class TextActionEnv(ActionEnv):
    """Environment whose text actions select faults."""

    action_space = gymnasium.spaces.Text(20)


def second_seed(seed, losses):
    return int(np.random.SeedSequence([seed, losses]).generate_state(1)[0]) >> 1


def test_a_lost_reset_keeps_its_seed_and_gets_the_next_one_where_it_had_none(tmp_path):
    group = group_of([functools.partial(DiesAtReset, tmp_path / "die")], num_workers=1, restart=True)
    reset(group, [7])
    for losses, (given, expected) in enumerate([([8], 8), (None, second_seed(8, 2))], 1):
        (tmp_path / "die").touch()
        steps = reset(group, given)
        assert steps.restarted == [0] and steps.observation(0)[0] == expected and group.restarts == [losses]
    group.close()


def test_a_reset_of_who_was_idle_is_seeded_as_the_engines_pools_seed_it():
    group = group_of([ActionEnv] * 2, num_workers=1, restart=True)
    reset(group, [7, 9])
    assert step(group, ["kill"], [0]).restarted == [0]
    found = reset(group).observations()[:, 0].tolist()
    group.close()
    assert found == [second_seed(7, 1), second_seed(9, 1)]
    pool = envpool_rs.make_python([TextActionEnv] * 2, num_workers=1, restart=True)
    pool.reset(seed=[7, 9])
    pool.send(("kill",), env_id=[0])
    pool.recv()
    theirs = pool.reset()[0][:, 0]
    pool.close()
    assert theirs.tolist() == np.array(found, theirs.dtype).tolist()


def test_calls_lost_with_a_worker_are_reported_and_the_environment_goes_on():
    group = group_of([functools.partial(MisbehavingEnv, {"render": "kill"}), CountingEnv], restart=True)
    reset(group, [1, 2])
    with pytest.raises(WorkerDied, match="environment 0 is lost"):
        group.call([0], "render")
    assert step(group).restarted == [0]
    group.close()


def test_a_worker_that_dies_twice_in_a_row_is_given_up():
    group = group_of([functools.partial(MisbehavingEnv, {"reset": "kill"}), CountingEnv], restart=True)
    steps = reset(group)
    assert list(steps.failures) == [0] and group.restarts == [1, 0]
    with pytest.raises(WorkerDied, match=r"worker 0 .*a second time in a row"):
        raise steps.failures[0].raised()
    assert not step(group, ids=[1]).failures
    group.close()


def test_a_factory_that_fails_after_a_restart_is_the_cause(tmp_path):
    def once():
        if (tmp_path / "made").exists():
            raise OSError("the simulator is gone")
        (tmp_path / "made").touch()
        return ActionEnv()

    group = group_of([once], num_workers=1, restart=True)
    reset(group)
    error = step(group, ["kill"]).failures[0].raised()
    assert isinstance(error, WorkerDied) and "the simulator is gone" in str(error.__cause__)
    group.close()


def test_a_worker_that_cannot_be_recreated_is_given_up(monkeypatch):
    group = group_of([ActionEnv] * 2, restart=True)
    reset(group)

    def started(*args):
        raise OSError("no more processes")

    monkeypatch.setattr(group._processes, "_start", started)
    failure = step(group, ["kill", 0]).failures[0].raised()
    assert isinstance(failure, WorkerDied) and "no more processes" in str(failure.__cause__)
    assert not step(group, ids=[1]).failures
    group.close()


def test_a_storm_of_kills_over_a_thousand_steps_ends_nothing():
    group = group_of([functools.partial(CountingEnv, 20)] * 8, num_workers=4, restart=True)
    reset(group, range(8))
    random = np.random.default_rng(0)
    reported, count = 0, np.zeros(8)
    for _ in range(1000):
        if random.random() < 0.05:
            os.kill(pids_of(group)[random.integers(4)], signal.SIGKILL)
        steps = step(group)
        assert not steps.failures
        for k in range(8):
            count[k] = 0 if k in steps.restarted else count[k] + 1
            assert steps.observation(k)[2] == count[k]
            assert steps.truncated[k] == (k in steps.restarted)
            assert steps.terminated[k] == (count[k] >= 20)
        reported += len(steps.restarted)
        if len(ended := np.flatnonzero(count >= 20)):
            # A worker may have died meanwhile: its reset reports it like any other.
            steps = reset(group, ids=ended)
            assert not steps.failures and not steps.observations()[:, 2].any()
            count[ended] = 0
            reported += len(steps.restarted)
    assert sum(group.restarts) >= 30 and reported >= sum(group.restarts)
    group.close()


def test_with_a_process_each_a_kill_costs_only_its_own_environment_one_step():
    class Walk(CountingEnv):
        def step(self, action):
            observation, *rest = super().step(action)
            observation[0] = self.np_random.random() + action
            return observation, *rest

    def play(killed):
        group = group_of([functools.partial(Walk, 10**6)] * 4, num_workers=4, restart=True)
        rows = [reset(group, range(4)).observations()]
        random, lost = np.random.default_rng(1), {}
        for t in range(200):
            if killed and t % 20 == 10:
                os.kill(pids_of(group)[victim := t // 20 % 3], signal.SIGKILL)
            steps = step(group, random.integers(0, 5, 4))
            if killed and t % 20 == 10:
                assert steps.restarted == [victim]
                lost[victim] = lost.get(victim, 0) + 1
            else:
                assert not steps.restarted
            rows.append(steps.observations())
        group.close()
        return np.array(rows), lost

    (undisturbed, _), (stormy, lost) = play(False), play(True)
    assert set(lost) == {0, 1, 2} and np.array_equal(undisturbed[:, 3], stormy[:, 3])
    first_kills = {0: 10, 1: 30, 2: 50}
    for victim, t in first_kills.items():
        assert np.array_equal(undisturbed[: t + 1, victim], stormy[: t + 1, victim])


class _Program:
    """Random requests to a group, including faults; invariants are asserted after each."""

    MISBEHAVIOURS = ("raise", "raise own", "raise local", "sys.exit", "os._exit", "kill", "fork and return")

    def __init__(self, seed):
        self.random = random = np.random.default_rng(seed)
        share = bool(random.integers(2))
        self.restart = bool(random.integers(2))
        self.group = WorkerGroup(
            [functools.partial(ActionEnv, 3)] * int(random.integers(1, 7)),
            num_workers=int(random.integers(0 if share else 1, 5)),
            caller_share=share,
            context="fork",
            restart=self.restart,
            wake_up=str(random.choice(["auto", "poll"])),
        )
        # Operations in flight, by environment, and lost environments.
        self.busy, self.dead = {}, set()

    def idle(self):
        """Returns some idle environments."""
        idle = [i for i in range(self.group.num_envs) if i not in self.busy and i not in self.dead]
        return [i for i in idle if self.random.integers(2)]

    def send(self, kind):
        ids = self.idle()
        if kind == "step":
            mine = [self.group.worker_of[i] < 0 for i in ids]
            bad = [not own and self.random.random() < 0.1 for own in mine]
            self.group.send_steps(ids, [str(self.random.choice(self.MISBEHAVIOURS)) if each else 0 for each in bad])
        elif kind == "reset":
            self.group.send_resets(ids, [int(self.random.integers(100)) for _ in ids])
        else:
            self.group.send_calls(ids, "get_attr", ["length"] * len(ids))
        self.busy.update((i, kind) for i in ids)

    def take(self):
        count = [None, 1, 3][self.random.integers(3)]
        done = self.group.wait(None, count, [None, 0.0, 0.01][self.random.integers(3)]).tolist()
        calls = [i for i in done if self.busy.pop(i) == "call"]
        assert all(value == 3 or isinstance(value, EnvFailure) for value in self.group.take_values(calls))
        steps = self.group.take_steps(rest := [i for i in done if i not in calls])
        for k, env_id in enumerate(rest):
            if env_id in steps.failures:
                error = steps.failures[env_id].raised()
                assert (
                    env_id in error.env_ids if isinstance(error, WorkerDied) else f"environment {env_id}" in str(error)
                )
            else:
                assert steps.observation(k).shape == (3,)

    def kill(self):
        pids = [process.pid for process in self.group._processes if process.alive]
        if pids and self.random.integers(2):
            os.kill(self.random.choice(pids), signal.SIGKILL)

    def play(self, count):
        for _ in range(count):
            action = self.random.choice(["step", "step", "step", "reset", "call", "take", "take", "take", "kill"])
            try:
                getattr(self, action, functools.partial(self.send, action))()
            except WorkerDied as died:
                assert not self.restart or "a second time" in str(died)
                self.dead.update(died.env_ids)
            assert self.group.in_flight.tolist() == sorted(self.busy)
        pids = pids_of(self.group)
        self.group.close(terminate=bool(self.random.integers(2)))
        assert not any(map(is_running, pids))


@pytest.mark.parametrize("seed", range(12))
def test_random_requests_and_faults_corrupt_no_result(seed):
    _Program(seed).play(40)
