"""Hostile arguments, environments, threads and interrupts, in every interface to Python environments."""

import copy
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import gymnasium
import numpy as np
import pytest
from envpool_rs import make_python, make_vec
from envpool_rs._python_pool.actions import DiscreteActions
from envpool_rs._python_pool.results import EnvPoolResults
from envpool_rs._workers.overseer import Supervisor
from envpool_rs._workers.worker_process import end_all
from envpool_rs.multi_env import MultiEnv, create_subprocess_envs
from envpool_rs.vector import DummyVectorEnv, SubprocVectorEnv
from envpool_rs.workers import WorkerDied, WorkerGroup
from gymnasium import spaces


class ShowingEnv(gymnasium.Env):
    """Environment with a constant observation, and the action in its infos."""

    def __init__(self, observation=0, space=None):
        self.observation_space = spaces.Discrete(2) if space is None else space
        self.action_space = spaces.Discrete(2)
        self.observation = observation

    def reset(self, *, seed=None, options=None):
        return self.observation, {}

    def step(self, action):
        return self.observation, 1.0, False, False, {"action": action}


class SlowEnv(ShowingEnv):
    def step(self, action):
        time.sleep(0.5)
        return super().step(action)


def subproc(count=2, **options):
    return SubprocVectorEnv([ShowingEnv] * count, num_workers=1, **options)


# Arguments


def shared_memory(**options):
    return make_vec("CartPole-v1", 2, "shared_memory", **options)


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (shared_memory, "vector_kwargs", 1),
        (shared_memory, "vector_kwargs", np.array([1, 2])),
        (shared_memory, "wrappers", 1),
        (shared_memory, "wrappers", "wrapper"),
        (shared_memory, "wrappers", [1]),
        (create_subprocess_envs, "env_fns", 1),
        (create_subprocess_envs, "env_fns", ShowingEnv),
        (MultiEnv, "envs", 1),
        (subproc, "no_warning", np.array([1, 2])),
        (subproc, "norm_obs", "no"),
        (subproc, "update_obs_rms", None),
        (subproc, "return_truncated", []),
        (subproc, "caller_steps", "yes"),
        (subproc, "restart", np.array([0, 1])),
    ],
)
def test_arguments_of_a_wrong_kind_are_named(make, name, value):
    with pytest.raises(TypeError, match=rf"^{name}(\[0\])?(=| is ).*: expected"):
        make(**{name: value})


@pytest.mark.parametrize("mode", ["native", "shared_memory"])
def test_options_that_are_no_dict_are_named(mode):
    with (
        make_vec("CartPole-v1", 2, mode) as env,
        pytest.raises(TypeError, match=r"options=\[1\]: expected a dict or None"),
    ):
        env.reset(options=[1])


def test_an_env_type_that_is_no_word_is_named():
    with pytest.raises(ValueError, match=r"env_type=array\(\[1, 2\]\): expected"):
        make_python([ShowingEnv], env_type=np.array([1, 2]))


# Observations


@pytest.mark.parametrize("make", [DummyVectorEnv, SubprocVectorEnv, make_python])
def test_observations_may_lie_at_odd_addresses(make):
    odd = np.frombuffer(b"x" + np.arange(4, dtype=np.float32).tobytes(), np.float32, 4, 1)
    assert not odd.flags.aligned
    envs = make([lambda: ShowingEnv(odd, spaces.Box(0, 9, (4,)))] * 2)
    shown = envs.reset()
    np.testing.assert_array_equal(shown[0] if make is make_python else shown, [[0, 1, 2, 3]] * 2)
    envs.close()


@pytest.mark.parametrize("make", [DummyVectorEnv, SubprocVectorEnv, make_python])
def test_spaces_may_be_of_another_byte_order(make):
    space = spaces.Box(0, 9, (2,), np.dtype(">f4"))
    envs = make([lambda: ShowingEnv(np.array([1, 2], ">f4"), space)] * 2)
    shown = envs.reset()
    np.testing.assert_array_equal(shown[0] if make is make_python else shown, [[1, 2]] * 2)
    envs.close()


@pytest.mark.parametrize(("space", "observation"), [(spaces.Dict({}), {}), (spaces.Tuple(()), ())])
def test_observations_without_any_leaf_are_shown_without_a_copy(space, observation):
    pool = make_python([lambda: ShowingEnv(observation, space)] * 2, copy=False)
    assert pool.reset()[0] == observation
    assert pool.step(np.zeros(2, np.int64))[0] == observation
    pool.close()


# Actions


class FalseCopy(np.ndarray):
    """Array whose copies are too short."""

    def copy(self, order="C"):
        return np.zeros(1)


def test_arrays_that_lie_about_their_copies_are_copied_by_numpy():
    envs = subproc()
    envs.reset()
    actions = np.arange(6).reshape(3, 2).view(FalseCopy).T
    info = envs.step(actions)[3]
    np.testing.assert_array_equal([each["action"] for each in info], [[0, 2, 4], [1, 3, 5]])
    envs.close()


class CallsBack:
    """Object that runs a function when it is pickled."""

    def __init__(self, function):
        self.function = function

    def __reduce__(self):
        self.function()
        return int, (1,)


def test_an_action_that_steps_while_it_is_pickled_is_refused():
    envs = subproc()
    envs.reset()
    with pytest.raises(TypeError, match="another request is being sent: expected one sender at a time"):
        envs.step([0, CallsBack(lambda: envs.step([1, 1]))])
    assert [each["action"] for each in envs.step([0, 1])[3]] == [0, 1]
    envs.close()


def test_actions_that_vanish_while_they_are_pickled_are_refused():
    group = WorkerGroup([ShowingEnv] * 2, num_workers=1)
    actions = [0, 1]
    actions[0] = CallsBack(actions.clear)
    with pytest.raises(IndexError):
        group.send_steps(None, actions)
    assert not len(group.in_flight)
    group.close()


# Copies


@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy])
def test_environments_in_processes_say_that_they_cannot_be_copied(take):
    envs = subproc()
    with pytest.raises(TypeError, match="cannot copy or pickle SubprocVectorEnv: its environments live in worker"):
        take(envs)
    envs.close()
    with MultiEnv(create_subprocess_envs([ShowingEnv])) as env:
        if take is not copy.copy:
            with pytest.raises(TypeError, match="cannot copy or pickle environments that live in worker processes"):
                take(env)


# Threads


def in_thread(function):
    """Starts a thread; its ``outcome`` is the function's result or exception."""

    def call():
        try:
            thread.outcome = function()
        except Exception as error:
            thread.outcome = error

    thread = threading.Thread(target=call)
    thread.start()
    return thread


@pytest.mark.parametrize("make", [create_subprocess_envs, lambda functions: [each() for each in functions]])
def test_a_second_thread_is_refused_by_a_multi_env(make):
    with MultiEnv(make([SlowEnv] * 2)) as env:
        env.reset()
        thread = in_thread(lambda: env.step([0, 0]))
        deadline = time.monotonic() + 60
        while not env._use._users and time.monotonic() < deadline:
            time.sleep(0.001)
        for call in (env.reset, lambda: env.step([0, 0])):
            with pytest.raises(RuntimeError, match="this MultiEnv is in use by another thread"):
                call()
        thread.join()
        assert thread.outcome[1] == [1.0, 1.0]
        assert env.step([0, 0])[1] == [1.0, 1.0]


def test_an_environment_that_steps_the_multi_env_it_is_in_is_refused():
    class Nested(ShowingEnv):
        def step(self, action):
            return env.step([0, 0])

    env = MultiEnv([Nested(), Nested()])
    env.reset()
    with pytest.raises(RuntimeError, match="this MultiEnv is in use by another thread"):
        env.step([0, 0])
    env.close()


def test_two_threads_that_step_one_environment_never_wait_for_ever():
    (env,) = create_subprocess_envs([SlowEnv])
    env.reset()
    threads = [in_thread(lambda: [env.step(0) for _ in range(3)]) for _ in range(3)]
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    refused = [thread.outcome for thread in threads if isinstance(thread.outcome, Exception)]
    assert all("in use by another thread" in str(error) or "in flight" in str(error) for error in refused)
    assert env.step(0)[1] == 1.0
    env.close()


def test_closing_a_multi_env_in_a_forked_child_does_nothing():
    env = MultiEnv(create_subprocess_envs([ShowingEnv] * 2))
    env.reset()
    child = os.fork()
    if not child:
        try:
            env.close()
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert env.step([0, 0])[1] == [1.0, 1.0]
    env.close()


# Interrupts


def interrupted_after(function):
    """Wraps the function: Ctrl-C follows its first call."""
    calls = []

    def call(*args, **kwargs):
        result = function(*args, **kwargs)
        calls.append(result)
        if len(calls) == 1:
            raise KeyboardInterrupt
        return result

    return call


ACTIONS = np.zeros(2, np.int64)


class TalkativeEnv(ShowingEnv):
    """Environment with a non-numeric value in every info, so that Python code makes the results."""

    def step(self, action):
        *result, _ = super().step(action)
        return *result, {"said": "something"}


@pytest.mark.parametrize("method", ["rows", "augment"])
def test_a_pool_goes_on_after_an_interrupt_in_pythons_part_of_a_step(method, monkeypatch):
    owner = {"rows": DiscreteActions, "augment": EnvPoolResults}[method]
    monkeypatch.setattr(owner, method, interrupted_after(getattr(owner, method)))
    pool = make_python([TalkativeEnv] * 2, num_workers=1)
    pool.reset()
    with pytest.raises(KeyboardInterrupt):
        pool.step(ACTIONS)
    assert pool.reset()[0].tolist() == [0, 0]
    *_, info = pool.step(ACTIONS)
    assert info["said"].tolist() == ["something"] * 2 and info["elapsed_step"].tolist() == [1, 1]
    pool.close()


@pytest.mark.parametrize("batch_size", [0, 1])
def test_a_result_whose_making_was_interrupted_comes_with_the_next_recv(batch_size, monkeypatch):
    monkeypatch.setattr(EnvPoolResults, "_info", interrupted_after(EnvPoolResults._info))
    pool = make_python([TalkativeEnv] * 2, num_workers=1, batch_size=batch_size)
    pool.async_reset()
    for _ in range(2 if batch_size else 1):
        pool.recv()
    pool.send(ACTIONS)
    with pytest.raises(KeyboardInterrupt):
        pool.recv()
    if not batch_size:
        with pytest.raises(RuntimeError, match="results of an earlier send are waiting: recv them first"):
            pool.step(ACTIONS)
    rows = [pool.recv() for _ in range(2 if batch_size else 1)]
    assert [word for row in rows for word in row[-1]["said"]] == ["something"] * 2
    assert [count for row in rows for count in row[-1]["elapsed_step"]] == [1, 1]
    pool.step(ACTIONS)
    pool.close()


class AlarmingEnv(ShowingEnv):
    """Environment that signals the calling process right before its reply."""

    def step(self, action):
        os.kill(os.getppid(), signal.SIGALRM)
        time.sleep(0.001)  # it has arrived by then
        return super().step(action)


def test_a_signal_that_comes_with_the_answer_costs_no_result():
    def handler(*_):
        raise KeyError("the handler's")

    pool = make_python([AlarmingEnv] * 2, num_workers=1, context="fork")
    pool.reset()
    before = signal.signal(signal.SIGALRM, handler)
    kept = 0
    try:
        for step in range(1, 51):
            try:
                info = pool.step(ACTIONS)[-1]
            except KeyError:
                kept += 1
                info = received_in_spite_of(KeyError, pool)
            assert info["elapsed_step"].tolist() == [step, step]
    finally:
        signal.signal(signal.SIGALRM, before)
    assert kept > 25
    pool.close()


def received_in_spite_of(error, pool):
    """Returns the info of the next result, retrying after each such error."""
    while True:
        try:
            return pool.recv()[-1]
        except error:
            pass


@pytest.mark.parametrize("batch_size", [0, 1])
def test_nothing_is_sent_where_actions_are_interrupted(batch_size, monkeypatch):
    pool = make_python([TextEnv] * 2, num_workers=1, batch_size=batch_size)
    pool.async_reset()
    for _ in range(2 if batch_size else 1):
        pool.recv()
    monkeypatch.setattr(spaces.Text, "contains", interrupted_after(spaces.Text.contains))
    with pytest.raises(KeyboardInterrupt):
        pool.send(("a", "b"))
    with pytest.raises(RuntimeError, match=r"nothing has been sent|0 environments are in flight"):
        pool.recv()
    pool.send(("a", "b"))
    assert len(pool.recv()[1]) == (batch_size or 2)
    pool.close()


class TextEnv(ShowingEnv):
    """Environment with text actions."""

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Text(5)


def test_what_is_waited_for_can_be_received_after_an_interrupt():
    go_on = multiprocessing.get_context("fork").Event()

    class Waiting(ShowingEnv):
        def step(self, action):
            assert go_on.wait(60)
            return super().step(action)

    pool = make_python([ShowingEnv, Waiting], num_workers=2, context="fork")
    pool.reset()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, signal.raise_signal, (signal.SIGINT,))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            pool.step(ACTIONS)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    go_on.set()
    assert pool.recv()[-1]["elapsed_step"].tolist() == [1, 1]
    pool.close()


class TellingEnv(ShowingEnv):
    """Environment that reports its process."""

    def pid(self):
        return os.getpid()


def outcome_beyond_interrupts(pool, interrupts):
    """Returns the outcome of a step that continues after Ctrl-C: its info, or the loss of a worker."""
    try:
        return pool.step(ACTIONS)[-1]
    except KeyboardInterrupt as interrupt:
        interrupts.append(interrupt)
    try:
        return pool.recv()[-1]
    except WorkerDied:
        raise
    except RuntimeError as error:
        assert "nothing has been sent" in str(error)
        return outcome_beyond_interrupts(pool, interrupts)


@pytest.mark.parametrize(("method", "restart"), [("lost", False), ("lost", True), ("renew", True)])
def test_an_interrupt_while_processes_are_looked_after_loses_none_of_them(method, restart, monkeypatch):
    monkeypatch.setattr(Supervisor, method, interrupted_after(getattr(Supervisor, method)))
    pool = make_python([TellingEnv] * 2, num_workers=2, restart=restart)
    pids, interrupts = {}, []
    while not pids:
        try:
            pool.reset()
            pids = dict(enumerate(pool.call("pid")))
        except KeyboardInterrupt as interrupt:
            interrupts.append(interrupt)
    os.kill(pids[1], signal.SIGKILL)
    if restart:
        assert outcome_beyond_interrupts(pool, interrupts)["restarted"].tolist() == [False, True]
        assert pool.step(ACTIONS)[-1]["elapsed_step"].tolist() == [2, 0]
    else:
        with pytest.raises(WorkerDied) as raised:
            outcome_beyond_interrupts(pool, interrupts)
        assert raised.value.env_ids == [1]
        assert pool.recv()[-1]["env_id"].tolist() == [0]
    assert len(interrupts) == 1
    assert pool.call_some([0], "pid") == (pids[0],)
    pool.close()


# Code that calls the pool during a call


class WaitingEnv(ShowingEnv):
    """Environment whose step waits for the event, if there is one."""

    def __init__(self, go_on=None):
        super().__init__()
        self.go_on = go_on

    def step(self, action):
        assert self.go_on is None or self.go_on.wait(60)
        return super().step(action)


@pytest.fixture
def waiting_pool():
    """Returns an asynchronous pool whose last two environments wait, and their events."""
    go_on = multiprocessing.get_context("fork").Event()
    env_fns = [lambda index=index: WaitingEnv(go_on if index > 1 else None) for index in range(4)]
    pool = make_python(env_fns, batch_size=2, num_workers=4, context="fork")
    pool.async_reset()
    pool.recv()
    pool.recv()
    yield pool, go_on
    go_on.set()
    pool.close()


USES = {
    "send": lambda pool: pool.send(ACTIONS[:1], [0]),
    "step": lambda pool: pool.step(ACTIONS[:1], [0]),
    "call": lambda pool: pool.call_some([0], "reset"),
    "reset": lambda pool: pool.reset(),
    "recv": lambda pool: pool.recv(),
}


@pytest.mark.parametrize("use", USES)
def test_a_handler_that_uses_the_pool_that_it_interrupts_is_no_deadlock(use, waiting_pool):
    pool, go_on = waiting_pool
    outcomes = []

    def handler(*_):
        try:
            outcomes.append(USES[use](pool))
        except RuntimeError as error:
            outcomes.append(error)
        go_on.set()

    before = signal.signal(signal.SIGALRM, handler)
    try:
        pool.send(ACTIONS, [2, 3])
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        assert len(pool.recv()[1]) == 2
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    if use == "send":
        assert outcomes == [None]
        pool.send(ACTIONS[:1], [1])
        assert len(pool.recv()[1]) == 2
    else:
        assert "in use by another thread" in str(outcomes[0])


def test_a_finalizer_that_uses_the_pool_is_no_deadlock(waiting_pool):
    pool, go_on = waiting_pool
    outcomes = []

    class Garbage:
        def __init__(self):
            self.itself = self

        def __del__(self):
            try:
                outcomes.append(pool.send(ACTIONS[:1], [0]))
            except RuntimeError as error:
                outcomes.append(str(error))
            go_on.set()

    before = gc.get_threshold()
    gc.collect()
    gc.disable()
    Garbage()
    try:
        pool.send(ACTIONS, [2, 3])
        gc.set_threshold(1, 1, 1)
        gc.enable()
        threading.Timer(5, go_on.set).start()  # any thread may have collected it
        assert len(pool.recv()[1]) == 2
    finally:
        gc.set_threshold(*before)
        gc.enable()
    assert outcomes == [None] or "in use" in outcomes[0]


class Caller:
    """Object that uses a pool while it is unpickled."""

    pool = None

    def __reduce__(self):
        return Caller.called, ()

    @staticmethod
    def called():
        return Caller.pool.send(ACTIONS, [0, 1])


def test_an_info_that_uses_the_pool_while_it_is_read_is_refused(monkeypatch):
    pool = make_python([lambda: InfoEnv({}), lambda: InfoEnv({"it": Caller()})], num_workers=2)
    monkeypatch.setattr(Caller, "pool", pool)
    pool.reset()
    with pytest.raises(RuntimeError, match="in use by another thread"):
        pool.step(ACTIONS)
    assert pool.recv()[-1]["env_id"].tolist() == [0]
    pool.close()


class InfoEnv(ShowingEnv):
    """Environment with the given info in every step."""

    def __init__(self, info):
        super().__init__()
        self.info = info

    def step(self, action):
        return *super().step(action)[:4], self.info


def test_a_pool_with_a_hanging_environment_can_be_dropped():
    pool = make_python([lambda: WaitingEnv(multiprocessing.get_context("fork").Event())] * 2, context="fork")
    pool.reset()
    pool.send(ACTIONS)
    del pool
    gc.collect()


def test_a_row_that_tells_of_a_loss_has_no_statistics():
    pool = make_python([TellingEnv] * 2, num_workers=2, restart=True, record_episode_statistics=True)
    pool.reset()
    os.kill(pool.call("pid")[1], signal.SIGKILL)
    info = pool.step(ACTIONS)[-1]
    assert info["restarted"].tolist() == [False, True] and "episode" not in info
    pool.close()


@pytest.mark.parametrize("caller_steps", [False, True])
def test_a_reset_waits_for_what_is_in_flight_whichever_thread_executes_it(caller_steps):
    pool = make_python([TellingEnv] * 2, num_workers=1, caller_steps=caller_steps)
    pool.reset()
    pool.send(ACTIONS)
    time.sleep(0.2)  # the worker has finished by then; otherwise the test covers less
    assert pool.reset()[0].tolist() == [0, 0]
    assert pool.step(ACTIONS)[-1]["elapsed_step"].tolist() == [1, 1]
    pool.close()


STORM = """
import os, subprocess, sys, threading, time
import gymnasium, numpy as np
from envpool_rs import make_python, make_vec
from envpool_rs.vector import SubprocVectorEnv

class Env(gymnasium.Env):
    observation_space = gymnasium.spaces.Discrete(2)
    action_space = gymnasium.spaces.Discrete(2)
    def reset(self, **keywords):
        return 0, {}
    def step(self, action):
        time.sleep(0.003)
        return 0, 1.0, False, False, {}

def use(pool, end):
    while time.monotonic() < end:
        try:
            try:
                pool.step(np.zeros(2, np.int64))
            except RuntimeError:
                pool.reset()
        except KeyboardInterrupt:
            pass

def make_and_drop(end):
    while time.monotonic() < end:
        try:
            SubprocVectorEnv([Env] * 2, num_workers=2).close()
        except KeyboardInterrupt:
            pass

def stormy(function):
    while True:
        try:
            return function()
        except KeyboardInterrupt:
            pass

pool = make_python([Env] * 2, num_workers=2)
pool.reset()
storm = subprocess.Popen([sys.executable, "-c", f'''
import os, random, signal, time
for _ in range(150):
    time.sleep(random.random() * 0.02)
    os.kill({os.getpid()}, signal.SIGINT)
'''])
end = time.monotonic() + 1
stormy(lambda: use(pool, end))
stormy(lambda: make_and_drop(end + 1))
stormy(storm.wait)
pool.reset()
assert pool.step(np.zeros(2, np.int64))[1].tolist() == [1.0, 1.0]
pool.close()
deadline = time.monotonic() + 60
def workers():
    command = ["ps", "--ppid", str(os.getpid()), "-o", "stat=,args="]
    children = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return [line for line in children if "ps --ppid" not in line and not line.startswith("Z")]
while workers() and time.monotonic() < deadline:
    time.sleep(0.05)
assert not workers(), workers()
"""


def test_a_storm_of_interrupts_neither_breaks_a_pool_nor_leaves_processes(tmp_path):
    path = tmp_path / "storm.py"
    path.write_text(STORM)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


class FakeProcess:
    """Process that ends only when it is killed."""

    def __init__(self, log, interrupted=False):
        self.alive = True
        self.log = log
        self.interrupted = interrupted

    def terminate(self):
        self.log.append("terminate")
        if self.interrupted:
            raise KeyboardInterrupt

    def kill(self):
        self.log.append("kill")
        self.alive = False

    def release(self):
        self.log.append("release")


def test_processes_that_hang_are_terminated_together_before_any_is_killed():
    log = []
    end_all([FakeProcess(log) for _ in range(3)], 0.0)
    assert log == ["terminate"] * 3 + ["kill"] * 3 + ["release"] * 3


def test_processes_are_killed_where_their_ending_is_interrupted():
    log = []
    with pytest.raises(KeyboardInterrupt):
        end_all([FakeProcess(log, interrupted=True) for _ in range(3)], 0.0)
    assert log == ["terminate"] + ["kill"] * 3 + ["release"] * 3


def test_interrupts_that_come_while_a_process_is_started_come_right_after():
    from envpool_rs._workers.worker_process import block_interrupts

    order = []
    with pytest.raises(KeyboardInterrupt), block_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        order.append("noted")
    assert order == ["noted"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


# Main modules


def test_a_main_module_that_cannot_be_imported_is_named_as_the_reason():
    program = textwrap.dedent("""
        import gymnasium
        from envpool_rs import make_python, make_vec
        make_python([lambda: gymnasium.make("CartPole-v1")], context="spawn")
    """)
    done = subprocess.run([sys.executable, "-"], input=program, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "imports the main module again: it has to be a file" in done.stderr
