"""Pools of Python environments: they equal native pools and gymnasium's own vector environment."""

import faulthandler
import multiprocessing
import os
import pickle
import queue
import re
import signal
import threading
import time

import envpool_rs
import gymnasium
import numpy as np
import pytest
import test_abuse
from envpool_rs._facades.envpool_mixin import EnvPoolMixin
from envpool_rs.workers import WorkerDied
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as vector_wrappers
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import id_of
from leftovers import children
from policies import random_actions
from python_envs import (
    ActionEnv,
    CountingEnv,
    LegacyEnv,
    MisbehavingEnv,
    SpaceEnv,
    make_dm_env,
    message_spaces,
    row_spaces,
)
from test_contract import assert_same
from test_transport import numbers

CARTPOLE = "CartPole-v1"
MODES = ["next_step", "same_step", "disabled"]
SPACES = {**row_spaces(), **message_spaces()}
infos_of_numbers = st.dictionaries(st.text("abc", min_size=1, max_size=2), numbers, min_size=1, max_size=4)


@pytest.fixture(autouse=True)
def watchdog():
    faulthandler.dump_traceback_later(40, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()


@pytest.fixture
def made():
    """Makes pools that are closed when the test ends."""
    pools = []

    def keep(pool):
        pools.append(pool)
        return pool

    yield keep
    for pool in pools:
        if not pool.closed:
            pool.close(terminate=True)


def counting(**options):
    return lambda: CountingEnv(**options)


def scripted(**options):
    return lambda: MisbehavingEnv(**options)


def zeros(count):
    return np.zeros(count, np.int64)


# The native pool's twin


def own_infos_dropped(info):
    """Drops the tasks' own infos, which EnvPool lacks; Python pools return those of gymnasium's environments."""
    return {key: value for key, value in info.items() if key != "prob"}


def assert_same_step(ours, native):
    *ours, info = ours
    *native, native_info = native
    assert_same(tuple(ours), tuple(native))
    info, native_info = own_infos_dropped(info), own_infos_dropped(native_info)
    if "final_info" in info:
        for each in (info, native_info):
            each["final_info"] = own_infos_dropped(each["final_info"])
    assert_same(info, native_info)


TWINS = [CARTPOLE, "Pendulum-v1", "FrozenLake-v1", "CliffWalking-v1", "MountainCarContinuous-v0"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task", TWINS)
def test_a_python_pool_plays_what_the_native_pool_plays(task, mode, made):
    options = {"num_envs": 3, "autoreset_mode": mode, "max_episode_steps": 11, "seed": [5, 1, 9]}
    ours = made(envpool_rs.make_python(task, num_workers=2, **options))
    native = envpool_rs.make(task, **options)
    assert ours.observation_space == native.observation_space and ours.action_space == native.action_space
    rng = np.random.default_rng(1)
    assert_same_step(ours.reset(), native.reset())
    ended = 0
    for step in range(40):
        actions = random_actions(native.action_space, 3, rng)
        result, expected = ours.step(actions), native.step(actions)
        assert_same_step(result, expected)
        done = expected[2] | expected[3]
        ended += done.sum()
        if mode == "disabled" and done.any():
            mask = {"reset_mask": done}
            assert_same_step(ours.reset(options=mask), native.reset(options=mask))
        if step == 20:
            ids = np.array([2, 0], np.int32)
            assert_same_step(ours.reset(ids, seed=[7, None]), native.reset(ids, seed=[7, None]))
            assert_same_step(ours.step(actions[::-1][:2], ids), native.step(actions[::-1][:2], ids))
            done = np.zeros(3, bool)
    assert ended >= 6


def test_the_first_step_of_next_step_autoreset_resets(made):
    ours, native = made(envpool_rs.make_python(CARTPOLE, num_envs=3)), envpool_rs.make(CARTPOLE, num_envs=3)
    for env in (ours, native):
        env.reset([1])
    for _ in range(3):
        assert_same_step(ours.step(zeros(3)), native.step(zeros(3)))


@pytest.mark.parametrize("mode", ["same_step", "disabled"])
def test_in_other_modes_the_first_step_needs_a_reset(mode, made):
    env = made(envpool_rs.make_python(CARTPOLE, num_envs=2, autoreset_mode=mode, max_episode_steps=2))
    with pytest.raises(RuntimeError, match="environment 0 has never been reset: reset it before the next step"):
        env.step(zeros(2))
    env.reset([0])
    with pytest.raises(RuntimeError, match="environment 1 has never been reset"):
        env.step(zeros(2))
    env.reset()
    env.step(zeros(2))
    env.step(zeros(2))
    if mode == "disabled":
        with pytest.raises(RuntimeError, match=r"environment 0 has finished its episode \(autoreset is disabled\)"):
            env.step(zeros(2))
        env.reset([0])
        assert env.step(zeros(1), [0])[4]["elapsed_step"].tolist() == [1]


def test_same_step_autoreset_gives_the_last_observation_and_info(made):
    env_fns = [counting(length=2, info=True)] * 2
    env = made(envpool_rs.make_python(env_fns, num_workers=1, autoreset_mode="same_step", seed=4))
    env.reset()
    assert "final_obs" not in env.step(zeros(2))[4]
    observation, reward, terminated, truncated, info = env.step(zeros(2))
    assert observation[:, 1:].tolist() == [[2, 0]] * 2 and terminated.all() and not truncated.any()
    assert info["_final_obs"].tolist() == [True, True] and info["final_obs"][1].tolist() == [5, 1, 2]
    assert info["final_info"]["steps"].tolist() == [2, 2] and info["steps"].tolist() == [0, 0]
    assert reward.tolist() == [2, 2] and info["elapsed_step"].tolist() == [2, 2]


@pytest.mark.parametrize("return_info", [None, True, False])
def test_the_gym_interface_is_the_native_ones(return_info, made):
    options = {"num_envs": 3, "max_episode_steps": 7, "gym_reset_return_info": return_info}
    if return_info is None:
        del options["gym_reset_return_info"]
    ours = made(envpool_rs.make_python(CARTPOLE, "gym", **options))
    native = envpool_rs.make_gym(CARTPOLE, **options)
    for env in (ours, native):
        env.seed(4)
    rng = np.random.default_rng(3)
    assert_same(ours.reset(), native.reset())
    for _ in range(20):
        actions = rng.integers(0, 2, 3)
        assert_same(ours.step(actions), native.step(actions))
    assert_same(ours.reset(return_info=True), native.reset(return_info=True))
    assert ours.observation_space == native.observation_space and ours.reward_range == native.reward_range


@pytest.mark.parametrize("mode", ["next_step", "disabled"])
@pytest.mark.parametrize("task", [CARTPOLE, "Pendulum-v1"])
def test_the_dm_interface_is_the_native_ones(task, mode, made):
    pytest.importorskip("dm_env")
    options = {"num_envs": 3, "max_episode_steps": 9, "autoreset_mode": mode}
    ours, native = made(envpool_rs.make_python(task, "dm", **options)), envpool_rs.make_dm(task, **options)
    assert repr(ours.action_spec()) == repr(native.action_spec())
    assert ours.observation_spec()._fields == native.observation_spec()._fields
    assert repr(ours.observation_spec()) == repr(native.observation_spec())
    assert_time_steps(ours.reset(), native.reset())
    rng = np.random.default_rng(3)
    for _ in range(20):
        actions = random_actions(ours._spec.action_space, 3, rng)
        result, expected = ours.step(actions), native.step(actions)
        assert_time_steps(result, expected)
        if mode == "disabled" and expected.last().any():
            ids = np.flatnonzero(expected.last())
            assert_time_steps(ours.reset(ids), native.reset(ids))


def assert_time_steps(ours, native):
    assert type(ours) is type(native)
    for name in ("step_type", "reward", "discount"):
        assert_same(getattr(ours, name), getattr(native, name), name)
    assert ours.observation._fields == native.observation._fields
    for name in ours.observation._fields:
        left, right = getattr(ours.observation, name), getattr(native.observation, name)
        assert_same(*((left[0], right[0]) if name == "players" else (left, right)), name)


def test_time_steps_refuse_what_they_have_no_place_for():
    pytest.importorskip("dm_env")
    with pytest.raises(ValueError, match="autoreset_mode='same_step'"):
        envpool_rs.make_python(CARTPOLE, "dm", autoreset_mode="same_step")
    with pytest.raises(ValueError, match="record_episode_statistics=True"):
        envpool_rs.make_python(CARTPOLE, "dm", record_episode_statistics=True)


def test_time_steps_carry_the_infos_that_came(made):
    pytest.importorskip("dm_env")
    env = made(envpool_rs.make_python(counting(info=True), "dm", num_envs=2))
    env.reset()
    assert env.step(zeros(2)).observation.steps.tolist() == [1, 1]


def test_the_surface_is_that_of_native_pools(made):
    for env_type in ("gymnasium", "gym", "dm"):
        ours = made(envpool_rs.make_python(CARTPOLE, env_type, num_envs=2))
        native = envpool_rs.make(CARTPOLE, env_type, num_envs=2)
        missing = {name for name in dir(native) if not name.startswith("_")} - set(dir(ours))
        assert not missing
        assert isinstance(ours, EnvPoolMixin) and isinstance(native, EnvPoolMixin)
        names = [name for name in dir(native.spec) if not name.startswith("_")]
        assert set(names) <= set(dir(ours.spec))
    ours, native = made(envpool_rs.make_python(CARTPOLE, num_envs=2)), envpool_rs.make(CARTPOLE, num_envs=2)
    assert isinstance(ours, gymnasium.vector.VectorEnv) and isinstance(ours, gymnasium.Env)
    assert len(ours) == 2 and not ours.is_async and ours.all_env_ids.tolist() == [0, 1]
    assert ours.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert ours.spec.action_array_spec == native.spec.action_array_spec
    described = ours.spec.state_array_spec
    assert described.keys() == native.spec.state_array_spec.keys()
    for name, array in native.spec.state_array_spec.items():
        assert (described[name].dtype, described[name].shape) == (array.dtype, array.shape), name
    for name in ("num_envs", "batch_size", "seed", "max_episode_steps", "reward_threshold", "autoreset_mode"):
        assert ours.config[name] == native.config[name] == getattr(ours.spec.config, name), name
    assert gymnasium.Wrapper(ours).spec.id == CARTPOLE
    with ours:
        pass
    assert ours.closed and len(ours) == 2


# Misuse


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
    # They convert without errors.
    "subclass that converts to no array",
    "ids that convert to no array",
}
"""Misuses of features that only native pools have."""

OF_THE_ENVIRONMENT = {row.name for row in test_abuse.RESETS if "low" in row.name or "range" in row.name} | {
    "unknown reset option",
    "reset option with a key of another type",
    "x_init NaN",
    "render without a mode",
}
"""Checks of the Python environment itself: reset options, and whether there is a frame to render."""

MISUSES = [
    row
    for row in [*test_abuse.ACTIONS, *test_abuse.IDS, *test_abuse.CALLS, *test_abuse.RESETS]
    if row.name not in SKIPPED | OF_THE_ENVIRONMENT and row.task in (CARTPOLE, "Pendulum-v1")
]


@pytest.fixture(scope="module")
def shared_pools():
    """A pool for each task, which misuses leave unchanged, with a native twin."""
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
    with pytest.raises(row.error, match=row.match or None):
        row.act(env)
    test_abuse.goes_on_alike(env, twin)


@pytest.mark.parametrize("row", test_abuse.ACCEPTED, ids=lambda row: row.name)
def test_other_spellings_of_an_action_mean_the_same(row, shared_pools):
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
def test_nothing_is_made_of_wrong_options(options, error, match):
    with pytest.raises(error, match=match):
        envpool_rs.make_python(CARTPOLE, **{"num_envs": 4, **options})


@pytest.mark.parametrize(
    ("env_fns", "options", "error", "match"),
    [
        ([], {}, ValueError, "env_fns is empty"),
        (None, {}, TypeError, "env_fns=None: expected a sequence of functions"),
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
def test_nothing_is_made_of_wrong_functions(env_fns, options, error, match):
    with pytest.raises(error, match=match):
        envpool_rs.make_python(env_fns, **options)


def test_environments_have_to_share_their_spaces():
    with pytest.raises(ValueError, match=r"environment 1 has observation_space=Box.*: expected that of environment 0"):
        envpool_rs.make_python([CountingEnv, lambda: SpaceEnv(spaces.Box(0, 1, (2,)))])
    with pytest.raises(ValueError, match="environment 0 has no action_space"):
        envpool_rs.make_python(without_action_space)


def without_action_space():
    env = CountingEnv()
    env.action_space = None
    return env


@pytest.mark.parametrize("options", [{}, {"batch_size": 2}], ids=["sync", "async"])
def test_a_closed_pool_refuses_everything_but_to_be_closed(options):
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


def test_what_is_in_flight_cannot_be_sent_reset_asked_or_copied(made):
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
    assert env.recv()[-1]["env_id"].tolist() == [0, 1]
    with pytest.raises(RuntimeError, match="recv: nothing has been sent"):
        env.recv()


def test_a_pool_is_of_no_use_in_a_forked_child(made):
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


def test_two_threads_cannot_send_at_once(made):
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


# Synchronous and asynchronous


def test_each_recv_answers_the_oldest_send(made):
    env = made(envpool_rs.make_python(counting(), num_envs=5))
    env.reset()
    env.send(zeros(2), [3, 1])
    env.send(zeros(1), [4])
    env.send(zeros(2), [0, 2])
    assert [env.recv()[4]["env_id"].tolist() for _ in range(3)] == [[3, 1], [4], [0, 2]]


def test_an_async_pool_returns_who_finished_first(made):
    go_on = multiprocessing.get_context("fork").Event()

    class Waiting(CountingEnv):
        def step(self, action):
            assert go_on.wait(60)
            return super().step(action)

    env_fns = [Waiting if index == 1 else counting() for index in range(4)]
    env = made(envpool_rs.make_python(env_fns, batch_size=2, context="fork"))
    assert env.is_async and env.config["num_workers"] == 4
    env.async_reset()
    seen = [env.recv()[4]["env_id"].tolist() for _ in range(2)]
    assert sorted([*seen[0], *seen[1]]) == [0, 1, 2, 3]
    env.send(zeros(4))
    steps = np.zeros(4, int)
    while steps[[0, 2, 3]].min() <= 10:
        *_, info = env.recv()
        assert info["env_id"].shape == (2,) and 1 not in info["env_id"]
        steps[info["env_id"]] += 1
        env.send(zeros(2), info["env_id"])
    go_on.set()
    while 1 not in info["env_id"]:
        *_, info = env.recv()
        env.send(zeros(2), info["env_id"])


def test_async_calls_that_cannot_make_a_batch_complete_are_refused_before_anything_is_sent(made):
    env = made(envpool_rs.make_python(counting(), num_envs=4, batch_size=3))
    env.async_reset()
    here = env.recv()[4]["env_id"]
    for act in (env.recv, lambda: env.step([0], here[:1]), lambda: env.reset(here[:1])):
        with pytest.raises(RuntimeError, match=r"recv: \d environments are in flight, fewer than batch_size=3"):
            act()
    env.send(zeros(2), here[1:])
    assert len(env.recv()[4]["env_id"]) == 3


def test_a_reset_throws_away_what_is_in_flight(made):
    env = made(envpool_rs.make_python(counting(), num_envs=4, batch_size=2))
    env.async_reset()
    env.recv()
    observation, info = env.reset()
    assert observation.shape == (2, 3) and info["elapsed_step"].tolist() == [0, 0]
    first = info["env_id"].tolist()
    assert sorted(first + env.recv(reset=True)[1]["env_id"].tolist()) == [0, 1, 2, 3]
    sync = made(envpool_rs.make_python(counting(), num_envs=2))
    sync.reset()
    sync.send(zeros(2))
    assert sync.reset()[0][:, 1].tolist() == [2, 2]


@pytest.mark.parametrize("options", [{}, {"batch_size": 2}], ids=["sync", "async"])
def test_a_send_of_nothing_is_nothing(options, made):
    env = made(envpool_rs.make_python(counting(), num_envs=4, **options))
    env.reset()
    if not options:
        observation, reward, *_, info = env.step([], [])
        assert observation.shape == (0, 3) and reward.shape == (0,) and info["env_id"].shape == (0,)
    env.send(zeros(0), zeros(0))
    env.reset()
    assert len(env.recv()[1] if options else env.step(zeros(4))[1]) == (2 if options else 4)


def test_one_thread_sends_while_another_receives(made):
    env = made(envpool_rs.make_python(counting(length=10**6), num_envs=4, batch_size=1))
    env.async_reset()
    received, todo = [], queue.SimpleQueue()

    def receive():
        while len(received) < 400:
            try:
                received.append(int(env.recv()[4]["env_id"][0]))
            except RuntimeError as error:  # the sender is slower
                assert "0 environments are in flight" in str(error)
            else:
                todo.put(received[-1])

    thread = threading.Thread(target=receive)
    thread.start()
    for _ in range(396):
        env.send(zeros(1), [todo.get(timeout=20)])
    thread.join()
    assert len(received) == 400 and set(received) == {0, 1, 2, 3}


# gymnasium's vector environment


def sync_twin(env_fns, mode):
    return SyncVectorEnv(env_fns, autoreset_mode=AutoresetMode[mode.upper()])


def assert_same_trajectories(ours, theirs, mode, steps=60, seed=7):
    for name in ("observation_space", "action_space", "single_observation_space", "single_action_space", "num_envs"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.metadata == theirs.metadata and ours.render_mode == theirs.render_mode
    theirs.action_space.seed(3)
    assert_same(ours.reset(seed=seed), theirs.reset(seed=seed))
    ended = 0
    for step in range(steps):
        actions = theirs.action_space.sample()
        result, expected = ours.step(actions), theirs.step(actions)
        assert_same(result, expected, f"step {step}")
        done = expected[2] | expected[3]
        ended += done.sum()
        if mode == "disabled" and done.any():
            assert_same(ours.reset(options={"reset_mask": done}), theirs.reset(options={"reset_mask": done.copy()}))
        if step == steps // 2:
            seeds = [None] + [seed] * (ours.num_envs - 1)
            assert_same(ours.reset(seed=seeds), theirs.reset(seed=seeds))
    assert ended > 0


IDS = [
    (CARTPOLE, {}),
    ("Pendulum-v1", {"max_episode_steps": 13, "g": 9.0}),
    ("FrozenLake-v1", {"is_slippery": False}),
    ("Blackjack-v1", {}),
    ("Taxi-v4" if "Taxi-v4" in gymnasium.registry else "Taxi-v3", {"max_episode_steps": 9}),
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("task", "options"), IDS, ids=[task for task, _ in IDS])
def test_any_id_of_gymnasium_plays_as_its_own_vector_environment(task, options, mode, made):
    wrappers = [gymnasium.wrappers.NormalizeReward] if task == "Pendulum-v1" else None
    ours = made(envpool_rs.make_vec(task, 3, "shared_memory", autoreset_mode=mode, wrappers=wrappers, **options))
    theirs = gymnasium.make_vec(
        task,
        3,
        "sync",
        vector_kwargs={"autoreset_mode": AutoresetMode[mode.upper()]},
        wrappers=wrappers,
        **options,
    )
    assert isinstance(ours, gymnasium.vector.VectorEnv) and not isinstance(ours, gymnasium.Env)
    assert_same_trajectories(ours, theirs, mode)


class InfoEnv(CountingEnv):
    """Environment with infos of every kind, some of them intermittent, and reset options."""

    def _info(self):
        info = {"steps": self.steps, "half": self.steps / 2, "even": self.steps % 2 == 0, "name": "x" * self.steps}
        info |= {"array": np.arange(3, dtype=np.int16) * self.steps, "number": np.float32(self.steps)}
        info |= {"nested": {"deep": {"steps": self.steps}, "flag": True}, "none": None, "list": [self.steps]}
        info["options"] = self.last_options
        return info if self.steps % 3 else {}


@pytest.mark.parametrize("mode", MODES)
def test_infos_are_batched_as_gymnasium_batches_them(mode, made):
    ours = made(envpool_rs.make_vec("test_python_pool/Infos-v0", 4, autoreset_mode=mode))
    assert_same_trajectories(ours, sync_twin([lambda: gymnasium.make("test_python_pool/Infos-v0")] * 4, mode), mode)


class NumbersEnv(CountingEnv):
    """Environment with numeric infos: mostly of constant keys and types, sometimes of others."""

    def _info(self):
        info = {"steps": self.steps, "half": self.steps / 2, "even": self.steps % 2 == 0}
        info |= {"single": np.float32(self.steps / 3), "small": np.uint8(self.steps), "double": np.float64(0.1)}
        other = self.np_random.integers(0, 12)
        if other < 6:
            kinds = {"steps": 1.5}, {"steps": np.int8(3)}, {"half": 2**62 + 1}, {"flag": np.bool_(True)}, {"_half": 3}
            info |= kinds[other] if other < 5 else {"final_obs": 4}
        return {} if other == 7 else info


@pytest.mark.parametrize("mode", MODES)
def test_infos_of_numbers_are_batched_as_gymnasium_batches_them(mode, made):
    ours = made(envpool_rs.make_vec("test_python_pool/Numbers-v0", 2, autoreset_mode=mode, num_workers=2))
    theirs = sync_twin([lambda: gymnasium.make("test_python_pool/Numbers-v0")] * 2, mode)
    assert_same_trajectories(ours, theirs, mode, steps=60)


def test_infos_of_numbers_are_envpools_too(made):
    infos = {1: {"small": 3, "half": 2.5, "flag": True, "large": 2**40, "env_id": 9, "single": np.float32(1)}}
    env = made(envpool_rs.make_python([scripted(infos=infos), scripted(infos=infos)], num_workers=1))
    env.reset()
    info = env.step(zeros(2))[4]
    assert list(info) == ["small", "half", "flag", "large", "env_id", "single", "players", "elapsed_step"]
    dtypes = {key: info[key].dtype for key in ("small", "half", "flag", "large", "env_id", "single")}
    expected = {"small": "i4", "half": "f4", "flag": "?", "large": "i8", "env_id": "i4", "single": "f4"}
    assert dtypes == expected
    assert info["large"].tolist() == [2**40] * 2 and info["env_id"].tolist() == [0, 1]


class GivenInfosEnv(CountingEnv):
    """Environment that returns a given info."""

    given: dict = {}  # noqa: RUF012

    def _info(self):
        return self.given


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_infos_of_numbers_of_every_kind_are_batched_as_gymnasium_batches_them(data, given_infos):
    ours, theirs = given_infos
    info = data.draw(infos_of_numbers)
    others = {key: type(value)(1) for key, value in info.items()}, dict(reversed(info.items())), {}
    given_infos = data.draw(st.lists(st.sampled_from([info, *others]), min_size=3, max_size=3))
    for env in (ours, theirs):
        env.set_attr("given", given_infos)
    expected = theirs.step(zeros(3))[4]
    found = ours.step(zeros(3))[4]
    assert_same(found, expected)
    assert list(found) == list(expected)


@pytest.fixture(scope="module")
def given_infos():
    """Returns this package's vector environment and gymnasium's own, of environments with settable infos."""
    task = "test_python_pool/GivenInfos-v0"
    ours, theirs = envpool_rs.make_vec(task, 3, num_workers=1), gymnasium.make_vec(task, 3, "sync")
    ours.reset(), theirs.reset()
    yield ours, theirs
    ours.close()


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 2, 0), (2, 1, 0)])
def test_a_dict_and_another_value_under_one_key_make_objects(order, given_infos):
    ours, _ = given_infos
    values = [{"kind": {"a": 1, "b": {"c": [2.0]}}}, {"kind": 5}, {}]
    ours.set_attr("given", [values[each] for each in order])
    info = ours.step(zeros(3))[4]
    assert info["kind"].tolist() == [values[each].get("kind") for each in order]
    assert info["_kind"].tolist() == [each != 2 for each in order]


def make_space_env(name):
    return SpaceEnv(SPACES[name])


for _id, _entry_point, _kwargs in [
    ("Infos", InfoEnv, {"length": 5}),
    ("Numbers", NumbersEnv, {"length": 5}),
    ("GivenInfos", GivenInfosEnv, {"length": 10**9}),
    *((re.sub(r"\W", "", name.title()), make_space_env, {"name": name}) for name in SPACES),
]:
    gymnasium.register(
        f"test_python_pool/{_id}-v0",
        _entry_point,
        kwargs=_kwargs,
        disable_env_checker=True,
        order_enforce=False,
    )


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", SPACES)
def test_observations_of_every_space_are_batched_as_gymnasium_batches_them(name, mode, made):
    task = f"test_python_pool/{re.sub(r'[^a-zA-Z]', '', name.title())}-v0"
    ours = made(envpool_rs.make_vec(task, 2, autoreset_mode=mode, num_workers=2))
    theirs = gymnasium.make_vec(task, 2, "sync", vector_kwargs={"autoreset_mode": AutoresetMode[mode.upper()]})
    assert_same_trajectories(ours, theirs, mode, steps=12)


class EchoEnv(CountingEnv):
    """Environment that reports its action in infos."""

    def __init__(self, space):
        super().__init__(length=1000)
        self.action_space = space

    def step(self, action):
        *result, _ = super().step(action)
        return *result, {"action": repr(action), "kind": type(action).__name__}


@pytest.mark.parametrize("name", SPACES)
def test_actions_of_every_space_arrive_as_gymnasium_hands_them_out(name, made):
    env_fns = [lambda: EchoEnv(SPACES[name])] * 3
    ours, theirs = made(envpool_rs.make_python(env_fns, num_workers=2)), SyncVectorEnv(env_fns)
    theirs.action_space.seed(1)
    ours.reset(), theirs.reset()
    for _ in range(3):
        actions = theirs.action_space.sample()
        info, expected = ours.step(actions)[4], theirs.step(actions)[4]
        assert info["action"].tolist() == expected["action"].tolist()
        assert info["kind"].tolist() == expected["kind"].tolist()


@pytest.mark.parametrize(
    ("name", "action", "error", "match"),
    [
        ("discrete", np.array([-3, 4]), ValueError, r"action\[1\] is 4: expected an integer from -3 to 3"),
        ("multi-discrete", np.array([[0, 0, 0], [1, 5, 0]]), ValueError, r"action\[1, 1\] is 5: .* from 0 to 4"),
        ("multi-discrete", np.array([[0, 0, 0], [1, 0.5, 0]]), ValueError, r"action\[1, 1\] is 0.5"),
        ("multi-binary", np.full((2, 2, 3), 2), ValueError, r"action\[0, 0, 0\] is 2: expected an integer from 0 to 1"),
        ("image", np.full((2, 4, 3, 2), 256), ValueError, r"action\[0, 0, 0, 0\] is 256: .* from 0 to 255"),
        ("box", np.array([[0, 0], [0, np.inf]]), ValueError, r"action\[1\] is \[ ?0. inf\]|action\[1\] is inf"),
        ("dict", {"a": zeros(2)}, ValueError, 'action lacks the key "b"'),
        ("dict", {"a": zeros(2), "c": 0, "b": 0}, ValueError, 'action has the unknown key "c"'),
        ("dict", {"a": np.full(2, 3), "b": np.zeros((2, 2))}, ValueError, r"a\[0\] is 3: expected .* from 0 to 2"),
        ("dict", zeros(2), TypeError, "action is a ndarray: expected a dict with the keys a, b"),
        ("tuple", zeros(2), TypeError, "action is a ndarray: expected a tuple of 2 batches"),
        ("tuple", (zeros(2),), ValueError, "action has 1 entries: expected 2"),
        ("tuple", (zeros(2), zeros(2)), ValueError, r"action\[1\] has shape \(2,\): expected \(2, 2\)"),
        ("text", ("a",), ValueError, "action has 1 entries: expected 2"),
        ("text", ("a", "?"), ValueError, r"action\[1\] is '\?': expected an element of Text"),
        ("text", "ab", TypeError, "action is a str: expected a sequence with an action for each environment"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_actions_outside_of_their_space_are_refused(name, action, error, match, made):
    env = made(envpool_rs.make_python([lambda: EchoEnv(SPACES[name])] * 2, num_workers=1))
    env.reset()
    with pytest.raises(error, match=match):
        env.step(action)
    assert env.step(SyncVectorEnv([lambda: EchoEnv(SPACES[name])] * 2).action_space.sample())[1].tolist() == [1, 1]


@pytest.mark.filterwarnings("ignore:.*precision lowered", "ignore:overflow encountered in cast")
@pytest.mark.parametrize(
    ("task", "wrapper"),
    [
        (CARTPOLE, vector_wrappers.DictInfoToList),
        (CARTPOLE, vector_wrappers.NormalizeObservation),
        (CARTPOLE, vector_wrappers.RecordEpisodeStatistics),
        ("Pendulum-v1", lambda env: vector_wrappers.RescaleAction(env, -1.0, 1.0)),
        ("FrozenLake-v1", vector_wrappers.DictInfoToList),
    ],
)
def test_gymnasiums_wrappers_make_of_ours_what_they_make_of_gymnasiums_environment(task, wrapper, made):
    ours = wrapper(made(envpool_rs.make_vec(task, 3, "shared_memory")))
    theirs = wrapper(gymnasium.make_vec(task, 3, vectorization_mode="sync"))
    np.testing.assert_array_equal(ours.reset(seed=1)[0], theirs.reset(seed=1)[0])
    ours.action_space.seed(0)
    for _ in range(40):
        action = ours.action_space.sample()
        for left, right in zip(ours.step(action)[:4], theirs.step(action)[:4], strict=True):
            np.testing.assert_array_equal(left, right)
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]


def test_a_native_task_stays_native_unless_asked_otherwise(made):
    assert type(envpool_rs.make_vec(CARTPOLE, 2)) is type(envpool_rs.make_vec(CARTPOLE, 2, "native"))
    shared = made(envpool_rs.make_vec(CARTPOLE, 2, vectorization_mode="shared_memory"))
    assert type(shared) is not type(envpool_rs.make_vec(CARTPOLE, 2))
    other = made(envpool_rs.make_vec("test_python_pool/Infos-v0", 2))
    assert type(other) is type(shared) and other.get_attr("length") == (5, 5)
    with pytest.raises(ValueError, match="unknown task 'test_python_pool/Infos-v0'"):
        envpool_rs.make_vec("test_python_pool/Infos-v0", 2, "native")
    with pytest.raises(ValueError, match="vectorization_mode='synchronous': expected None, 'native', "):
        envpool_rs.make_vec(CARTPOLE, 2, "synchronous")
    with pytest.raises(TypeError, match=r"wrappers argument .* give vectorization_mode='sync' or 'async'"):
        envpool_rs.make_vec(CARTPOLE, 2, wrappers=[gymnasium.wrappers.ClipReward])
    with pytest.raises(ValueError, match="did you mean 'CartPole-v1'"):
        envpool_rs.make_vec("CartPol-v1", 2, "shared_memory")


def test_vector_options_are_those_of_gymnasiums_environment(made):
    env = made(
        envpool_rs.make_vec(
            CARTPOLE,
            2,
            "shared_memory",
            vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP, "shared_memory": True, "context": "fork"},
        )
    )
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    with pytest.raises(TypeError, match="vector_kwargs has the unknown key 'workers'"):
        envpool_rs.make_vec(CARTPOLE, 2, "shared_memory", vector_kwargs={"workers": None})
    with pytest.raises(ValueError, match="autoreset_mode is given twice"):
        envpool_rs.make_vec(
            CARTPOLE, 2, "shared_memory", autoreset_mode="disabled", vector_kwargs={"autoreset_mode": "disabled"}
        )


def test_gymnasium_makes_the_vector_environment_again_from_its_specification(made):
    env = made(envpool_rs.make_vec("Pendulum-v1", 2, "shared_memory", g=4.0, seed=3))
    again = made(gymnasium.make_vec(env.spec, num_envs=2))
    assert type(again) is type(env) and again.get_attr("g") == (4.0, 4.0)
    np.testing.assert_array_equal(again.reset()[0], env.reset()[0])


def test_a_masked_reset_leaves_the_other_environments_alone(made):
    env = made(envpool_rs.make_vec(CARTPOLE, 3, "shared_memory"))
    first = env.reset(options={"reset_mask": np.array([False, True, False])})[0]
    assert not first[[0, 2]].any() and first[1].any()  # AsyncVectorEnv's rows for environments that were never reset
    env.reset(seed=1)
    before = env.step(zeros(3))[0].copy()
    mask = np.array([False, True, False])
    options = {"reset_mask": mask}
    after, info = env.reset(seed=50, options=options)
    np.testing.assert_array_equal(after[[0, 2]], before[[0, 2]])
    np.testing.assert_array_equal(after[1], gymnasium.make(CARTPOLE).reset(seed=51)[0])
    assert "reset_mask" in options and info == {} and env.np_random_seed == (1, 51, 3)


def test_reset_options_reach_the_environments(made):
    env = made(envpool_rs.make_vec(CARTPOLE, 1, "shared_memory"))
    options = {"low": -0.01, "high": 0.0}
    expected = gymnasium.make(CARTPOLE).reset(seed=3, options=options)[0]
    np.testing.assert_array_equal(env.reset(seed=3, options=options)[0][0], expected)


def test_without_a_seed_two_environments_differ(made):
    first, second = (made(envpool_rs.make_vec(CARTPOLE, 1, "shared_memory")) for _ in range(2))
    assert not np.array_equal(first.reset()[0], second.reset()[0])


def test_seeds_of_the_pool_are_those_of_the_first_reset_only(made):
    env = made(envpool_rs.make_python(counting(), num_envs=3, seed=10))
    assert env.reset([1])[0][:, 0].tolist() == [11]
    assert env.reset(seed=[1, None, None])[0][:, 0].tolist() == [1, 11, 12]
    assert env.reset()[0][:, 0].tolist() == [1, 11, 12]


def test_envpools_infos_are_small_arrays_without_masks(made):
    infos = {1: {1: 3, "_own": 2.5, "nested": {"deep": 1}, "large": 2**40, "env_id": 9, "text": "a"}}
    env = made(envpool_rs.make_python([scripted(infos=infos), scripted()], num_workers=1))
    env.reset()
    info = env.step(zeros(2))[4]
    assert list(info) == [1, "_own", "nested", "large", "env_id", "text", "players", "elapsed_step"]
    assert info[1].dtype == info["nested"]["deep"].dtype == np.int32 and info["_own"].dtype == np.float32
    assert info["large"].tolist() == [2**40, 0] and info["env_id"].tolist() == [0, 1]
    assert list(info["nested"]) == ["deep"] and info["text"].tolist() == ["a", None]


def test_integers_too_large_for_int32_stay_right(made):
    observation = np.array([2**40])
    env = made(envpool_rs.make_python(lambda: SpaceEnv(spaces.Box(observation, observation, (1,), np.int64))))
    assert env.observation_space.dtype == np.int32
    assert env.reset()[0].tolist() == [[2**40]]


# Attributes, pictures, statistics


def test_attributes_and_methods_of_the_environments(made):
    env = made(envpool_rs.make_vec("Pendulum-v1", 2, "shared_memory", render_mode="rgb_array"))
    assert env.get_attr("g") == env.call("g") == (10.0, 10.0)
    env.set_attr("g", [1.0, 2.0])
    assert env.get_attr("unwrapped.g") == (1.0, 2.0)
    env.set_attr("g", 3.0)
    assert env.get_attr("g") == (3.0, 3.0)
    with pytest.raises(ValueError, match="values has 3 entries: expected num_envs=2"):
        env.set_attr("g", [1.0, 2.0, 3.0])
    with pytest.raises(AttributeError, match="gravity"):
        env.get_attr("gravity")
    env.reset(seed=5)
    assert env.np_random_seed == (5, 6) and env.np_random[0].random() == env.np_random[0].random()
    counter = made(envpool_rs.make_python(counting(), num_envs=2))
    counter.reset()
    assert counter.call("add", 2, b=1) == (3, 3)
    assert [frame.shape for frame in counter.render([1])] == [(2, 3, 3)] and len(counter.render()) == 2


@pytest.mark.parametrize("make", [envpool_rs.make_gymnasium, envpool_rs.make_vec])
@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_episode_statistics_are_the_native_pools(make, mode, made):
    options = {"num_envs": 2, "seed": 1, "autoreset_mode": mode, "record_episode_statistics": True}
    native = make(CARTPOLE, **options)
    vector = make is envpool_rs.make_vec
    ours = made(make(CARTPOLE, vectorization_mode="shared_memory", **options)) if vector else None
    ours = ours or made(envpool_rs.make_python(CARTPOLE, **options))
    ours.reset(), native.reset()
    ended = 0
    for _ in range(40):
        info, expected = ours.step(np.ones(2, int))[4], native.step(np.ones(2, int))[4]
        assert info.keys() == expected.keys()
        if "episode" in expected:
            ended += 1
            info["episode"]["t"][:] = expected["episode"]["t"][:] = 0
        assert_same(info, expected)
    assert ended > 2


@pytest.mark.parametrize("make", [CountingEnv, LegacyEnv, make_dm_env], ids=["gymnasium", "legacy gym", "dm_env"])
def test_a_time_limit_truncates_environments_of_every_library(make, made):
    if make is make_dm_env:
        pytest.importorskip("dm_env")
    env = made(envpool_rs.make_python(make, num_envs=2, max_episode_steps=2, record_episode_statistics=True))
    env.reset()
    env.step(zeros(2))
    *_, terminated, truncated, info = env.step(zeros(2))
    assert not terminated.any() and truncated.all() and info["elapsed_step"].tolist() == [2, 2]
    assert info["episode"]["l"].tolist() == [2, 2]


def test_environments_of_legacy_gym_keep_their_seeds_and_truncation(made):
    env = made(envpool_rs.make_python(lambda: LegacyEnv(length=2, truncates=True), num_envs=2, seed=8))
    assert env.reset()[0][:, 0].tolist() == [8, 9]
    env.step(zeros(2))
    *_, terminated, truncated, _ = env.step(zeros(2))
    assert truncated.all() and not terminated.any()


# Copies


def test_observations_belong_to_the_caller(made):
    env = made(envpool_rs.make_python(counting(), num_envs=2))
    first = env.reset()[0]
    kept = first.copy()
    first[:] = -7
    second = env.step(zeros(2))[0]
    assert (first == -7).all() and not np.shares_memory(first, second) and (kept[:, 2] == 0).all()


def test_observations_are_shared_where_asked_for(made):
    env = made(envpool_rs.make_vec("test_python_pool/Image-v0", 2, copy=False))
    first = env.reset(seed=1)[0]
    before = first.copy()
    second = env.step(zeros(2))[0]
    assert np.shares_memory(first, second) and not np.array_equal(first, before)
    twin = made(envpool_rs.make_vec("test_python_pool/Image-v0", 2))
    np.testing.assert_array_equal(twin.reset(seed=1)[0], before)
    np.testing.assert_array_equal(twin.step(zeros(2))[0], second)


@pytest.mark.parametrize(
    "options", [{"caller_steps": True}, {"context": "spawn"}, {"num_workers": 1}, {"num_workers": 4}], ids=str
)
def test_who_steps_the_environments_changes_nothing(options, made):
    ours = made(envpool_rs.make_vec(CARTPOLE, 4, "shared_memory", **options))
    theirs = gymnasium.make_vec(CARTPOLE, 4, vectorization_mode="sync")
    assert_same_trajectories(ours, theirs, "next_step")


# Failures


def test_an_environment_that_raises_is_named_and_the_others_results_follow(made):
    env_fns = [scripted(script={2: "raise"} if index == 1 else {}) for index in range(3)]
    env = made(envpool_rs.make_python(env_fns))
    env.reset()
    env.step(zeros(3))
    with pytest.raises(ValueError, match="environment 1: out of fuel") as raised:
        env.step(zeros(3))
    assert raised.value.env_id == 1 and "misbehave" in str(raised.value.__cause__)
    with pytest.raises(RuntimeError, match="env_id 0 is in flight"):
        env.step(zeros(3))
    with pytest.raises(RuntimeError, match="environment 1 has failed: reset it before the next step"):
        env.step(zeros(1), [1])
    *_, info = env.recv()
    assert info["env_id"].tolist() == [0, 2] and info["elapsed_step"].tolist() == [2, 2]
    with pytest.raises(RuntimeError, match="environment 1 has failed"):
        env.step(zeros(3))
    env.reset([1])
    assert env.step(zeros(3))[4]["elapsed_step"].tolist() == [3, 1, 3]


def test_an_async_pool_keeps_the_rows_of_those_that_did_not_fail(made):
    env_fns = [scripted(script={1: "raise"} if index == 0 else {}) for index in range(4)]
    env = made(envpool_rs.make_python(env_fns, batch_size=2))
    env.async_reset()
    for _ in range(2):
        env.recv()
    env.send(zeros(2), [0, 1])
    with pytest.raises(ValueError, match="environment 0: out of fuel"):
        env.recv()
    assert env.recv()[4]["env_id"].tolist() == [1]
    with pytest.raises(RuntimeError, match="environment 0 has failed"):
        env.send(zeros(4))
    env.send(zeros(3), [3, 2, 1])
    assert len(env.recv()[4]["env_id"]) == 2
    assert len(env.reset()[1]["env_id"]) == 2


def test_an_environment_that_raises_in_reset_can_be_reset_again(made):
    env = made(envpool_rs.make_python([counting(), scripted()]))
    env.reset()
    env.set_attr("script", {"reset": "raise"})
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        env.reset()
    assert env.recv(reset=True)[1]["env_id"].tolist() == [0]
    env.set_attr("script", {})
    env.reset()
    env.step(zeros(2))


class Unreadable:
    """Object that cannot be unpickled in another process."""

    def __init__(self, pid):
        if pid != os.getpid():
            raise LookupError("not at home")
        self.pid = pid

    def __reduce__(self):
        return Unreadable, (self.pid,)


class UnreadableEnv(CountingEnv):
    """Environment whose second step has an info that no other process can unpickle."""

    def _info(self):
        return {"word": Unreadable(os.getpid()) if self.steps == 2 else "well"}


def test_an_info_that_cannot_be_read_is_a_failure_of_its_environment(made):
    env = made(envpool_rs.make_python([scripted(infos={2: {"word": "well"}}), UnreadableEnv]))
    env.reset()
    assert env.step(zeros(2))[4]["word"].tolist() == [None, "well"]
    with pytest.raises(LookupError, match="environment 1: not at home") as raised:
        env.step(zeros(2))
    assert raised.value.env_id == 1
    *_, info = env.recv()
    assert info["word"].tolist() == ["well"] and info["env_id"].tolist() == [0]
    with pytest.raises(RuntimeError, match="environment 1 has failed"):
        env.step(zeros(2))
    env.reset([1])
    assert env.step(zeros(2))[4]["elapsed_step"].tolist() == [3, 1]


@pytest.mark.parametrize(("mode", "steps_until"), [("next_step", 3), ("same_step", 2)])
def test_what_an_automatic_reset_raises_is_reported(mode, steps_until, made):
    class Once(CountingEnv):
        def reset(self, *, seed=None, options=None):
            if self.episode:
                raise OSError("no second episode")
            return super().reset(seed=seed)

    env = made(envpool_rs.make_python(lambda: Once(2), num_envs=1, autoreset_mode=mode))
    env.reset()
    for _ in range(steps_until - 1):
        env.step(zeros(1))
    with pytest.raises(OSError, match=r"environment 0.*no second episode"):
        env.step(zeros(1))
    with pytest.raises(RuntimeError, match="environment 0 has failed: reset it before the next step"):
        env.step(zeros(1))


def test_an_observation_that_does_not_fit_is_a_failure_of_its_environment(made):
    env = made(envpool_rs.make_python([counting(), scripted(observations={1: np.zeros(4)})]))
    env.reset()
    with pytest.raises(ValueError, match=r"environment 1: .*\(4,\).*\(3,\)"):
        env.step(zeros(2))
    assert env.recv()[4]["env_id"].tolist() == [0]


def test_a_reward_that_is_no_number_is_a_failure_of_its_environment(made):
    class Rewarding(CountingEnv):
        def step(self, action):
            observation, _, *rest = super().step(action)
            return observation, [np.array([2.5]), None, "much"][self.steps % 3], *rest

    env = made(envpool_rs.make_python([counting(), Rewarding]))
    env.reset()
    with pytest.raises(TypeError, match="environment 1: reward is None: expected a number"):
        env.step(zeros(2))
    env.reset()


def test_a_dead_worker_names_its_environments_and_the_others_go_on(made):
    env_fns = [scripted(script={2: "kill"} if index == 3 else {}) for index in range(4)]
    env = made(envpool_rs.make_python(env_fns, num_workers=2))
    env.reset()
    env.step(zeros(4))
    with pytest.raises(WorkerDied, match=r"environments 2, 3 are lost"):
        env.step(zeros(4))
    # Results that environment 2 had completed before its worker died are not lost.
    assert set(env.recv()[4]["env_id"].tolist()) | {2} == {0, 1, 2}
    assert env.step(zeros(2), [0, 1])[4]["elapsed_step"].tolist() == [3, 3]
    with pytest.raises((WorkerDied, RuntimeError), match=r"lost|failed"):
        env.step(zeros(1), [3])
    with pytest.raises(WorkerDied, match="worker 1"):
        env.reset()


@pytest.mark.parametrize("restart", [False, True])
def test_a_dead_worker_is_noticed_while_others_fill_all_batches(restart, made):
    env_fns = [lambda index=index: TellingEnv(seconds=100.0 if index == 2 else 0.0, length=10**6) for index in range(4)]
    env = made(envpool_rs.make_python(env_fns, batch_size=1, restart=restart))
    env.async_reset()
    for _ in range(4):
        env.recv()
    pid = env.call("pid")[2]
    env.send(zeros(4))
    os.kill(pid, signal.SIGKILL)
    end = time.monotonic() + 60
    try:
        while time.monotonic() < end:
            *_, info = env.recv()
            if "restarted" in info:
                break
            env.send(zeros(1), info["env_id"])
    except WorkerDied as error:
        assert not restart and error.env_ids == [2]
    else:
        assert restart and info["env_id"].tolist() == [2]
    assert time.monotonic() < end


@pytest.mark.parametrize("mode", ["next_step", "disabled"])
def test_a_restarted_worker_begins_new_episodes(mode, made):
    env = made(envpool_rs.make_python(TellingEnv, num_envs=4, num_workers=2, restart=True, autoreset_mode=mode))
    env.reset()
    env.step(zeros(4))
    os.kill(env.call("pid")[3], signal.SIGKILL)
    *_, reward, terminated, truncated, info = env.step(zeros(4))
    assert truncated.tolist() == [False, False, True, True] and not terminated.any()
    assert info["restarted"].tolist() == [False, False, True, True] and reward.tolist() == [2, 2, 0, 0]
    assert info["elapsed_step"].tolist() == [2, 2, 0, 0]
    if mode == "disabled":
        env.reset([2, 3])
    env.step(zeros(4))


def test_a_worker_that_died_before_the_first_reset_has_lost_no_episode(made):
    env = made(envpool_rs.make_python(TellingEnv, num_envs=2, num_workers=2, restart=True, seed=7))
    os.kill(env.call("pid")[1], signal.SIGKILL)
    observation, _, _, truncated, info = env.step(zeros(2))
    assert observation[:, 0].tolist() == [7, 8] and not truncated.any()
    assert info["restarted"].tolist() == [False, True]
    observation, *_, info = env.step(zeros(2))
    assert observation[:, 0].tolist() == [7, 8] and info["elapsed_step"].tolist() == [1, 1]


def test_next_step_autoreset_resets_after_a_restart_as_after_a_truncation(made):
    env = made(envpool_rs.make_python([TextActionEnv] * 2, num_workers=2, restart=True))
    env.reset()
    assert env.step(("kill", "stay"))[3].tolist() == [True, False]
    observation, reward, *_ = env.step(("stay", "stay"))
    assert observation[0][1:].tolist() == [2, 0] and reward.tolist() == [0, 2]
    assert env.step(("stay", "stay"))[4]["elapsed_step"].tolist() == [1, 3]


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_a_storm_of_kills_over_many_steps_ends_nothing(mode, made):
    options = {"num_envs": 8, "num_workers": 4, "restart": True, "autoreset_mode": mode}
    env = made(envpool_rs.make_python(lambda: TellingEnv(20), **options))
    env.reset()
    random = np.random.default_rng(0)
    pids = dict(enumerate(env.call("pid")))
    seen, reported, count, due = set(pids.values()), 0, np.zeros(8), np.zeros(8, bool)
    for _ in range(150):
        if random.random() < 0.1:
            pids = dict(enumerate(env.call("pid")))
            seen |= set(pids.values())
            os.kill(pids[int(random.integers(8))], signal.SIGKILL)
        observation, _, terminated, truncated, info = env.step(zeros(8))
        is_new = info.get("restarted", np.zeros(8, bool))
        # The step after an end resets, unless the last one has already done so.
        count = np.where(is_new | due, 0, count + 1)
        ended = ~is_new & (count >= 20)
        assert truncated.tolist() == is_new.tolist() and terminated.tolist() == ended.tolist()
        assert info["elapsed_step"].tolist() == count.tolist()
        if mode == "same_step":
            count = np.where(ended, 0, count)
        else:
            due = ended | is_new
        assert observation[:, 2].tolist() == count.tolist()
        reported += is_new.sum()
    assert len(seen) - 4 >= 8 and reported >= len(seen) - 4


class TellingEnv(CountingEnv):
    """Environment that reports its process."""

    def pid(self):
        return os.getpid()


def test_a_hung_step_is_given_up_after_the_timeout_and_waited_for_again(made):
    go_on = multiprocessing.get_context("fork").Event()

    class Waiting(CountingEnv):
        def step(self, action):
            assert go_on.wait(60)
            return super().step(action)

    env = made(envpool_rs.make_python([counting(), Waiting], num_workers=2, timeout=2.0, context="fork"))
    env.reset()
    with pytest.raises(TimeoutError, match=r"environment 1 has not finished within timeout=2.0 s"):
        env.step(zeros(2))
    go_on.set()
    assert env.recv()[4]["elapsed_step"].tolist() == [1, 1]


def test_a_pool_with_a_hung_environment_can_be_closed():
    before = children()
    env = envpool_rs.make_python(scripted(script={1: "hang"}), num_envs=2, timeout=2.0)
    env.reset()
    with pytest.raises(TimeoutError):
        env.step(zeros(2))
    env.close(terminate=True)  # the environment sleeps for a thousand seconds
    assert children().keys() <= before.keys()


def test_an_exception_in_close_is_raised_once_all_processes_have_ended():
    env = envpool_rs.make_python([counting(), scripted(script={"close": "raise"})])
    with pytest.raises(ValueError, match="environment 1: out of fuel"):
        env.close()
    assert env.closed
    env.close()


def test_actions_that_misbehave_are_named(made):
    env = made(envpool_rs.make_python([TextActionEnv] * 2))
    env.reset()
    with pytest.raises(ValueError, match="environment 0: out of fuel"):
        env.step(("raise", "stay"))


class TextActionEnv(ActionEnv):
    """Environment whose text actions select faults."""

    action_space = spaces.Text(20)

    def step(self, action):
        return super().step(None if action == "stay" else action)
