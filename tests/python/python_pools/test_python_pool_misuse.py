"""Tests misuse of pools over Python environments."""

import multiprocessing
import os
import pickle
import threading

import envpool_rs
import numpy as np
import pytest
import test_abuse
from gymnasium import spaces
from instances import id_of
from python_envs import (
    CountingEnv,
    SpaceEnv,
)
from python_pool_cases import CARTPOLE, counting, zeros

SKIPPED = {
    "pool of nothing",
    "pool of a string",
    "spec of nonsense",
    "spec of an unknown dialect",
    "options with keys of another type",
    "unknown layout",
    "dm without types",
    "object made past the pool",
    "pool class without arguments",
    "spec of another type",
    "__init__ again with another spec",
    "render",
    "state of an id too large",
    "endless seeds",
    # Pools of Python environments convert the following arguments without errors, unlike native pools.
    "subclass that converts to no array",
    "ids that convert to no array",
}


OF_THE_ENVIRONMENT = {row.name for row in test_abuse.RESETS if "low" in row.name or "range" in row.name} | {
    "unknown reset option",
    "reset option with a key of another type",
    "x_init NaN",
    "render without a mode",
}


MISUSES = [
    row
    for row in [*test_abuse.ACTIONS, *test_abuse.IDS, *test_abuse.CALLS, *test_abuse.RESETS]
    if row.name not in SKIPPED | OF_THE_ENVIRONMENT and row.task in (CARTPOLE, "Pendulum-v1")
]


@pytest.fixture(scope="module")
def shared_pools():
    """Returns for each task a pool of Python environments and an equal native pool; misuses must
    leave both unchanged.
    """
    tasks = (CARTPOLE, "Pendulum-v1")
    pools = {task: (envpool_rs.make_python(task, num_envs=4), envpool_rs.make(task, num_envs=4)) for task in tasks}
    for pair in pools.values():
        for env in pair:
            env.reset()
    yield pools
    for env, _ in pools.values():
        env.close()


@pytest.mark.parametrize("row", MISUSES, ids=lambda row: row.name)
def test_a_misuse_has_the_native_pools_outcome_and_changes_nothing(row, shared_pools):
    env, twin = shared_pools[row.task]
    env.reset(), twin.reset()  # after which no result can be received again
    with pytest.raises(row.error, match=row.match or None):
        row.act(env)
    test_abuse.goes_on_alike(env, twin)


@pytest.mark.parametrize("row", test_abuse.ACCEPTED, ids=lambda row: row.name)
def test_equivalent_forms_of_an_action_give_equal_results(row, shared_pools):
    env, twin = shared_pools[CARTPOLE]
    assert test_abuse.flat(row.act(env)) == test_abuse.flat(twin.step(np.array([0, 1, 0, 1])))


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"num_envs": 0}, ValueError, "num_envs=0: expected 1 to"),
        ({"num_envs": 1.5}, TypeError, "num_envs=1.5: expected an int"),
        ({"num_envs": 10**12}, ValueError, "num_envs=1000000000000"),
        ({"batch_size": 5}, ValueError, "batch_size=5: expected 0 to num_envs=4"),
        ({"batch_size": "x"}, TypeError, "batch_size='x': expected an int"),
        ({"num_workers": 0}, ValueError, "num_workers=0: expected None or 1 to num_envs=4"),
        ({"num_workers": 5}, ValueError, "num_workers=5"),
        ({"num_workers": "2"}, TypeError, "num_workers='2'"),
        ({"num_threads": -1}, ValueError, "num_threads=-1: expected 0"),
        ({"num_threads": 1, "num_workers": 1}, ValueError, "num_threads=1 and num_workers=1 are both given"),
        ({"seed": -(2**31) - 1}, ValueError, r"seed=-2147483649: expected -2\*\*31 or more"),
        ({"seed": {5, 3, 2, 1}}, TypeError, r"seed=\{.*\}: expected an int, or a sequence of ints"),
        ({"seed": 2**63 - 2}, ValueError, "2\\*\\*63"),
        ({"seed": [1]}, ValueError, "seed has 1 entries: expected num_envs=4"),
        ({"seed": 1.0}, TypeError, "seed=1.0: expected an int"),
        ({"max_episode_steps": 0}, ValueError, "max_episode_steps=0: expected 1 to"),
        ({"max_num_players": 2}, ValueError, "max_num_players=2: expected 1"),
        ({"reward_threshold": "x"}, TypeError, "reward_threshold='x'"),
        ({"autoreset_mode": "bogus"}, ValueError, "next_step, same_step or disabled"),
        ({"autoreset_mode": 3}, TypeError, "autoreset_mode=3"),
        ({"record_episode_statistics": "yes"}, TypeError, "record_episode_statistics='yes': expected a bool"),
        ({"caller_steps": 1}, TypeError, "caller_steps=1: expected a bool"),
        ({"restart": None}, TypeError, "restart=None: expected a bool"),
        ({"copy": "no"}, TypeError, "copy='no': expected a bool"),
        ({"context": "thread"}, ValueError, "context='thread': expected 'fork', 'spawn' or 'forkserver'"),
        ({"context": 3}, TypeError, "context=3"),
        ({"timeout": 0}, ValueError, "timeout=0: expected None or a number of seconds above 0"),
        ({"timeout": "1"}, TypeError, "timeout='1'"),
        ({"thread_affinity_offset": -2}, ValueError, "thread_affinity_offset=-2: expected -1"),
        ({"env_type": "bogus"}, ValueError, "env_type='bogus'"),
        ({"gym_reset_return_info": False}, ValueError, "only env_type='gym'"),
        ({"num_env": 4}, TypeError, "num_env"),
    ],
    ids=str,
)
def test_wrong_options_are_refused(options, error, match):
    with pytest.raises(error, match=match):
        envpool_rs.make_python(CARTPOLE, **{"num_envs": 4, **options})


@pytest.mark.parametrize(
    ("env_fns", "options", "error", "match"),
    [
        ([], {}, ValueError, "env_fns is empty"),
        (None, {}, TypeError, "env_fns=None: expected a list of functions"),
        (3, {}, TypeError, "env_fns=3"),
        ([CountingEnv, "x"], {}, TypeError, r"env_fns\[1\]='x': expected a function"),
        ([CountingEnv], {"num_envs": 2}, ValueError, "num_envs=2: expected None or the number of env_fns, 1"),
        (CountingEnv, {"nun_workers": 2}, TypeError, 'no option "nun_workers"; did you mean "num_workers"'),
        ("Nothing-v7", {}, ValueError, "env_fns='Nothing-v7': expected functions, or an id that gymnasium knows"),
        ([lambda: None], {}, TypeError, "environment 0: its factory made None"),
        ([CountingEnv, counting(length="x"), lambda: 1 / 0], {}, ZeroDivisionError, "environment 2"),
    ],
    ids=id_of,
)
def test_wrong_env_functions_are_refused(env_fns, options, error, match):
    with pytest.raises(error, match=match):
        envpool_rs.make_python(env_fns, **options)


def test_environments_must_have_equal_spaces():
    with pytest.raises(ValueError, match=r"environment 1 has observation_space=Box.*: expected that of environment 0"):
        envpool_rs.make_python([CountingEnv, lambda: SpaceEnv(spaces.Box(0, 1, (2,)))])
    with pytest.raises(ValueError, match="environment 0 has no action_space"):
        envpool_rs.make_python(without_action_space)


def without_action_space():
    env = CountingEnv()
    env.action_space = None
    return env


@pytest.mark.parametrize("options", [{}, {"batch_size": 2}], ids=["sync", "async"])
def test_a_closed_pool_accepts_only_close(options):
    env = envpool_rs.make_python(CARTPOLE, num_envs=4, **options)
    env.reset()
    env.close()
    env.close(timeout=1, terminate=True)
    for act in (
        lambda: env.step(zeros(4)),
        lambda: env.send(zeros(4)),
        env.recv,
        env.async_reset,
        env.reset,
        lambda: env.reset([0]),
        env.render,
        lambda: env.get_attr("gravity"),
        lambda: env.set_attr("gravity", 1.0),
    ):
        with pytest.raises(RuntimeError, match="this pool is closed"):
            act()
    assert env.closed and len(env) == 4
    with pytest.raises(TypeError, match="later"):
        env.close(later=True)


def test_environments_in_flight_refuse_send_reset_calls_and_copy(made):
    env = made(envpool_rs.make_python(CARTPOLE, num_envs=4))
    env.reset()
    env.send([0, 0], [0, 1])
    for act in (
        lambda: env.send([0, 0], [0, 1]),
        lambda: env.send([0, 0], [1, 2]),
        lambda: env.step([0], [1]),
        lambda: env.reset([0]),
        lambda: env.get_attr("gravity"),
        lambda: env.render([1]),
        env.async_reset,
    ):
        with pytest.raises(RuntimeError, match=r"env_id \d is in flight: its result has to be received first"):
            act()
    with pytest.raises(RuntimeError, match="results of an earlier send are waiting: recv them first"):
        env.step([0], [3])
    with pytest.raises(TypeError, match="cannot copy or pickle PythonGymnasiumEnvPool"):
        pickle.dumps(env)
    held = env.recv()
    assert held[-1]["env_id"].tolist() == [0, 1]
    with pytest.raises(RuntimeError, match="recv: nothing has been sent"):
        env.recv()


def test_a_pool_is_unusable_in_a_forked_child(made):
    env = made(envpool_rs.make_python(CARTPOLE, num_envs=2))
    env.reset()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            env.step(zeros(2))
        except RuntimeError as error:
            code = 0 if "this pool belongs to the parent process" in str(error) else 2
        env.close()
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    env.step(zeros(2))


def test_two_threads_cannot_send_concurrently(made):
    entered, go_on = [multiprocessing.get_context("fork").Event() for _ in range(2)]

    class Waiting(CountingEnv):
        def step(self, action):
            entered.set()
            assert go_on.wait(60)
            return super().step(action)

    env = made(envpool_rs.make_python(Waiting, num_envs=2, context="fork"))
    env.reset()
    thread = threading.Thread(target=env.step, args=(zeros(2),))
    thread.start()
    assert entered.wait(60)
    for act in (lambda: env.step(zeros(2)), env.recv, env.reset, lambda: env.send(zeros(2))):
        with pytest.raises(RuntimeError, match="this pool is in use by another thread"):
            act()
    go_on.set()
    thread.join()
    assert env.step(zeros(2))[4]["elapsed_step"].tolist() == [2, 2]


def test_parts_of_actions_without_an_entry_for_each_environment_are_named(made):
    class Saying(SpaceEnv):
        action_space = spaces.Dict({"first": spaces.Discrete(2), "text": spaces.Text(4)})

    env = made(envpool_rs.make_vec([lambda: Saying(spaces.Discrete(3))] * 3))
    env.reset()
    for action, message in (
        ({"first": np.zeros(3, int)}, "^action lacks the key 'text'"),
        ({"first": np.zeros(3, int), "text": ["a"] * 2}, "^action has parts of different lengths: expected 3 entries"),
    ):
        with pytest.raises(ValueError, match=message):
            env.step(action)
    env.step({"first": np.zeros(3, int), "text": ["a"] * 3})


@pytest.mark.parametrize(
    ("ids", "error", "message"),
    [
        ({"players.env_id": [0.0, 1.0]}, TypeError, "players.env_id has dtype float64: expected integers"),
        ({"players.env_id": [0, 1], "env_id": [0, 5]}, ValueError, r"players.env_id=\[0, 1\]: expected each env_id"),
        ({"players.env_id": [0, 0], "env_id": [0, 0]}, ValueError, r"env_id\[1\]=0: expected each id once at most"),
        ({"players.env_id": [[0, 1]]}, ValueError, r"players.env_id=\[\[0, 1\]\]: expected each env_id"),
    ],
)
def test_ids_of_players_are_checked_as_those_of_environments(made, ids, error, message):
    env = made(envpool_rs.make_python("CartPole-v1", num_envs=2))
    env.reset()
    with pytest.raises(error, match=message):
        env.step({"action": [0, 1], **ids})
