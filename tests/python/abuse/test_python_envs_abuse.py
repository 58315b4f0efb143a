"""Tests hostile arguments, environments, threads and interrupts in every interface to Python environments."""

import copy
import os
import pickle
import threading
import time

import numpy as np
import pytest
from envpool_rs import make_python, make_vec
from envpool_rs.multi_env import MultiEnv, create_subprocess_envs
from envpool_rs.vector import DummyVectorEnv, SubprocVectorEnv
from envpool_rs.workers import WorkerGroup
from gymnasium import spaces
from python_abuse_cases import ShowingEnv


class SlowEnv(ShowingEnv):
    def step(self, action):
        time.sleep(0.5)
        return super().step(action)


def subproc(count=2, **options):
    return SubprocVectorEnv([ShowingEnv] * count, num_workers=1, **options)


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
def test_arguments_of_a_wrong_type_are_named(make, name, value):
    with pytest.raises(TypeError, match=rf"^{name}(\[0\])?(=| is ).*: expected"):
        make(**{name: value})


@pytest.mark.parametrize("mode", ["native", "shared_memory"])
def test_options_other_than_a_dict_are_named(mode):
    with (
        make_vec("CartPole-v1", 2, mode) as env,
        pytest.raises(TypeError, match=r"options=\[1\]: expected a dict or None"),
    ):
        env.reset(options=[1])


def test_an_env_type_other_than_a_string_is_named():
    with pytest.raises(ValueError, match=r"env_type=array\(\[1, 2\]\): expected"):
        make_python([ShowingEnv], env_type=np.array([1, 2]))


@pytest.mark.parametrize("make", [DummyVectorEnv, SubprocVectorEnv, make_python])
def test_observations_may_be_unaligned(make):
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
def test_empty_observations_work_without_a_copy(space, observation):
    pool = make_python([lambda: ShowingEnv(observation, space)] * 2, copy=False)
    assert pool.reset()[0] == observation
    assert pool.step(np.zeros(2, np.int64))[0] == observation
    pool.close()


class FalseCopy(np.ndarray):
    """Subclass of numpy's array whose `copy` returns a wrong array, which is too short."""

    def copy(self, order="C"):
        return np.zeros(1)


def test_array_subclasses_with_a_wrong_copy_method_are_copied_by_numpy():
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


def test_actions_removed_during_pickling_are_refused():
    group = WorkerGroup([ShowingEnv] * 2, num_workers=1)
    actions = [0, 1]
    actions[0] = CallsBack(actions.clear)
    with pytest.raises(IndexError):
        group.send_steps(None, actions)
    assert not len(group.in_flight)
    group.close()


@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy])
def test_pools_with_worker_processes_refuse_copies(take):
    envs = subproc()
    with pytest.raises(TypeError, match="cannot copy or pickle SubprocVectorEnv: its environments live in worker"):
        take(envs)
    envs.close()
    with MultiEnv(create_subprocess_envs([ShowingEnv])) as env:
        if take is not copy.copy:
            with pytest.raises(TypeError, match="cannot copy or pickle environments that live in worker processes"):
                take(env)


def in_thread(function):
    """Starts a thread that runs a function; the thread's ``outcome`` is the function's result or exception."""

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


def test_an_environment_cannot_step_its_own_multi_env():
    class Nested(ShowingEnv):
        def step(self, action):
            return env.step([0, 0])

    env = MultiEnv([Nested(), Nested()])
    env.reset()
    with pytest.raises(RuntimeError, match="this MultiEnv is in use by another thread"):
        env.step([0, 0])
    env.close()


def test_two_threads_that_step_one_environment_do_not_deadlock():
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
