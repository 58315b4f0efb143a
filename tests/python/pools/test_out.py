"""Tests ``out=``: results in arrays of the caller must equal returned results, and unsuitable arrays are rejected with
their name.
"""

import gc
import sys
import threading
import weakref

import envpool_rs
import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from policies import random_actions
from python_envs import CountingEnv
from tasks import TASKS
from test_contract import assert_same

ENVS = 5
CARTPOLE = "CartPole-v1"
FACADES = {
    "vector": lambda task, **options: envpool_rs.make_vec(task, ENVS, seed=1, **options),
    "gymnasium": lambda task, **options: envpool_rs.make_gymnasium(task, num_envs=ENVS, seed=1, **options),
    "gym": lambda task, **options: envpool_rs.make_gym(
        task, num_envs=ENVS, seed=1, gym_reset_return_info=False, **options
    ),
    "dm": lambda task, **options: envpool_rs.make_dm(task, num_envs=ENVS, seed=1, **options),
}


def twins(facade, task, **options):
    """Returns two equal pools and a space of actions for one environment."""
    if facade == "dm":
        pytest.importorskip("dm_env")
    pools = [FACADES[facade](task, **options) for _ in range(2)]
    return *pools, envpool_rs.make_spec(task).action_space


def flat(tree, path=()):
    """Yields the path and the value of each leaf of a nested dict or tuple."""
    if isinstance(tree, (dict, tuple)):
        for key, part in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield from flat(part, (*path, key))
    else:
        yield path, tree


def named(facade, result):
    """Returns the arrays of a step's result under the names of ``out``."""
    if facade == "dm":
        observation = result.observation
        players = observation.players
        info = {"env_id": observation.env_id, "players": {"env_id": players.env_id}}
        return {"step_type": result.step_type, "reward": result.reward, "discount": result.discount, "info": info}
    flags = ("reward", "done") if len(result) == 4 else ("reward", "terminated", "truncated")
    return dict(zip(("obs", *flags, "info"), result, strict=True))


def like(tree):
    """Returns arrays with the structure of a result, filled with garbage; strings are omitted."""
    if isinstance(tree, dict):
        return {key: made for key, part in tree.items() if (made := like(part)) is not None}
    if isinstance(tree, tuple):
        parts = tuple(like(part) for part in tree)
        return parts if any(part is not None for part in parts) else None
    if not isinstance(tree, np.ndarray):
        return None
    array = np.empty_like(tree)
    array.view(np.uint8)[...] = 1
    return array


def subset(draw, tree):
    """Returns a nested dict with a random selection of the leaves of ``tree``."""
    if isinstance(tree, dict):
        return {key: subset(draw, part) for key, part in tree.items() if draw()}
    if isinstance(tree, tuple):
        return tuple(subset(draw, part) if draw() else None for part in tree)
    return tree


def assert_shown(result, out):
    """Asserts that the arrays in ``out`` are the same objects as the arrays of the result."""
    shown = dict(flat(result))
    for path, array in flat(out):
        if array is not None:
            assert shown[path] is array, path


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("facade", FACADES)
def test_results_in_arrays_of_the_caller_equal_plain_results(facade, task):
    ours, plain, space = twins(facade, task)
    rng = np.random.default_rng(0)
    players = envpool_rs.make_spec(task).config_dict().get("players", 1)
    assert players
    ours.reset(), plain.reset()
    rows = ENVS * ours._spec.rows
    out = None
    for step in range(6):
        actions = random_actions(space, rows, rng)
        expected = plain.step(actions)
        if out is None:
            out = like(named(facade, expected))
        result = ours.step(actions, out=out)
        assert_same(result, expected)
        assert_shown(named(facade, result), out)
        if step == 3:
            assert_same(ours.step(actions), plain.step(actions))
            assert_same(ours.reset(out=out), plain.reset())
    ours.close(), plain.close()


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
@pytest.mark.parametrize("statistics", [False, True])
def test_autoreset_and_statistics_work_with_arrays_of_the_caller(mode, statistics):
    ours, plain, space = twins(
        "vector", CARTPOLE, autoreset_mode=mode, record_episode_statistics=statistics, max_episode_steps=12
    )
    buffer = ours.rollout_buffer(40)
    ours.reset(out=buffer), plain.reset()
    out, rng = None, np.random.default_rng(3)
    for step in range(40):
        actions = random_actions(space, ENVS, rng)
        expected = plain.step(actions)
        out = out or {key: like(part) for key, part in named("vector", expected).items() if key != "info"}
        result = ours.step(actions, out=out if step % 2 else buffer)
        for info in (result[-1], expected[-1]):
            info.get("episode", {}).pop("t", None)
        assert_same(result, expected)
        done = expected[2] | expected[3]
        if mode == "disabled" and done.any():
            mask = {"reset_mask": done}
            assert_same(ours.reset(options=mask), plain.reset(options=mask))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_any_subset_of_arrays_may_be_given(data):
    facade = data.draw(st.sampled_from(["vector", "gymnasium", "gym"]))
    task = data.draw(st.sampled_from([CARTPOLE, "MiniGrid-DoorKey-5x5-v0", "SimpleSpeakerListener-v4", "Blackjack-v1"]))
    ours, plain, space = twins(facade, task)
    ours.reset(), plain.reset()
    rng, kept = np.random.default_rng(0), []
    for _ in range(data.draw(st.integers(1, 4))):
        ids = data.draw(st.permutations(range(ENVS)))[: data.draw(st.integers(1, ENVS))]
        actions = random_actions(space, len(ids) * ours._spec.rows, rng)
        expected = plain.step(actions, np.array(ids))
        out = subset(lambda: data.draw(st.booleans()), like(named(facade, expected)))
        result = ours.step(actions, np.array(ids), out=out)
        assert_same(result, expected)
        assert_shown(named(facade, result), out)
        kept.append((result, expected))
    for result, expected in kept:
        assert_same(result, expected)


def test_plain_results_do_not_share_memory_with_the_callers_arrays():
    ours, plain, _ = twins("gymnasium", CARTPOLE)
    held, wanted = [ours.reset()[0]], [plain.reset()[0].copy()]
    arrays = np.zeros((9, ENVS, 4), np.float32)
    for step in range(9):
        actions = np.full(ENVS, step % 2)
        result = ours.step(actions, out={"obs": arrays[step]}) if step % 3 else ours.step(actions)
        held.append(result[0])
        wanted.append(plain.step(actions)[0].copy())
    assert_same(tuple(held), tuple(wanted))
    assert np.array_equal(arrays[[1, 2, 4, 5, 7, 8]], np.array(wanted[1:])[[1, 2, 4, 5, 7, 8]])
    assert not arrays[[0, 3, 6]].any()


def test_no_reference_to_the_arrays_is_left_after_the_next_call():
    env = FACADES["vector"](CARTPOLE)
    env.reset()
    observation, reward = np.zeros((ENVS, 4), np.float32), np.zeros(ENVS)
    counts = sys.getrefcount(observation), sys.getrefcount(reward)
    env.step(np.zeros(ENVS, int), out={"obs": observation, "reward": reward})
    env.step(np.zeros(ENVS, int))
    gc.collect()
    assert (sys.getrefcount(observation), sys.getrefcount(reward)) == counts
    died = weakref.ref(observation)
    del observation
    assert died() is None


def test_recv_copies_the_rows_of_synchronous_and_asynchronous_pools():
    for options in ({}, {"batch_size": 2}):
        ours, plain = (envpool_rs.make(CARTPOLE, num_envs=4, num_threads=1, seed=1, **options) for _ in range(2))
        size = ours.config["batch_size"] or 4
        for env in (ours, plain):
            env.async_reset()
        for _ in range(20):
            out = {"obs": np.zeros((size, 4), np.float32), "info": {"env_id": np.zeros(size, np.int32)}}
            result, expected = ours.recv(out=out), plain.recv()
            order = [np.argsort(each[-1]["env_id"]) for each in (result, expected)]
            if not options:
                assert_same(result, expected)
            assert result[0] is out["obs"] and result[-1]["env_id"] is out["info"]["env_id"]
            assert len(order[0]) == size
            for env, each in ((ours, result), (plain, expected)):
                env.send(np.zeros(size, np.int32), each[-1]["env_id"].copy())


def test_wrong_rows_leave_the_results_to_the_next_recv():
    env = FACADES["gymnasium"](CARTPOLE)
    env.reset()
    env.send(np.zeros(ENVS, np.int32))
    with pytest.raises(ValueError, match=r'out\["reward"\] is float32 \(2,\)'):
        env.recv(out={"reward": np.zeros(2, np.float32)})
    assert env.recv()[0].shape == (ENVS, 4)
    with pytest.raises(RuntimeError, match="nothing has been sent"):
        env.recv(out={"reward": np.zeros(ENVS, np.float32)})


def read_only(array):
    array.flags.writeable = False
    return array


def unaligned(shape, dtype):
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    return np.zeros(size + 1, np.uint8)[1:].view(dtype).reshape(shape)


F4 = np.float32
REFUSED = {
    "another dtype": (
        {"obs": np.zeros((ENVS, 4))},
        ValueError,
        r'out\["obs"\] is float64 \(5, 4\): expected .*float32 \(5, 4\)',
    ),
    "another byte order": ({"obs": np.zeros((ENVS, 4), ">f4")}, ValueError, r"out\[\"obs\"\] is >f4"),
    "too few rows": ({"obs": np.zeros((ENVS - 1, 4), F4)}, ValueError, r"\(4, 4\): expected .*\(5, 4\)"),
    "too many rows": ({"obs": np.zeros((ENVS + 1, 4), F4)}, ValueError, r"np.zeros\(\(5, 4\)"),
    "another rank": ({"obs": np.zeros((ENVS, 4, 1), F4)}, ValueError, "expected"),
    "strided rows": (
        {"obs": np.zeros((2 * ENVS, 4), F4)[::2]},
        ValueError,
        "in another order: expected a writable, C-contig",
    ),
    "Fortran order": ({"obs": np.zeros((ENVS, 4), F4, order="F")}, ValueError, "in another order"),
    "a broadcast array": ({"reward": np.broadcast_to(np.zeros(1, F4), ENVS)}, ValueError, "in another order"),
    "a read-only array": ({"obs": read_only(np.zeros((ENVS, 4), F4))}, ValueError, "and read-only"),
    "an unaligned array": ({"obs": unaligned((ENVS, 4), F4)}, ValueError, "and not aligned"),
    "an unknown key": (
        {"observation": np.zeros((ENVS, 4), F4)},
        ValueError,
        "out has the key 'observation': expected \"obs\"",
    ),
    "a flag of another interface": ({"done": np.zeros(ENVS, bool)}, ValueError, '"terminated", "truncated", "info"'),
    "a key that is no text": ({0: np.zeros(ENVS, bool)}, ValueError, "out has the key 0"),
    "an unknown info": ({"info": {"lives": np.zeros(ENVS, np.int32)}}, ValueError, r'out\["info"\] has the key'),
    "infos that are no dict": ({"info": np.zeros(ENVS)}, TypeError, r'out\["info"\] is a ndarray: expected a dict'),
    "a list": ({"obs": [[0.0] * 4] * ENVS}, TypeError, r'out\["obs"\] is a list: expected a numpy array'),
    "bytes": ({"obs": bytearray(ENVS * 16)}, TypeError, r'out\["obs"\] is a bytearray'),
    "None": ({"obs": None}, TypeError, r'out\["obs"\] is a NoneType'),
    "a tuple": ((np.zeros((ENVS, 4), F4),), TypeError, "out is a tuple: expected a dict of arrays by key"),
    "an array": (np.zeros((ENVS, 4), F4), TypeError, "out is a ndarray"),
    "an object array": ({"obs": np.zeros((ENVS, 4), object)}, ValueError, "object"),
    "ints for flags": ({"terminated": np.zeros(ENVS, np.uint8)}, ValueError, r'out\["terminated"\] is uint8'),
}


@pytest.mark.parametrize("case", REFUSED)
def test_wrong_arrays_are_refused_by_name(case):
    out, error, text = REFUSED[case]
    env = FACADES["gymnasium"](CARTPOLE)
    before = env.reset()[0].copy()
    for call in (lambda: env.step(np.zeros(ENVS, int), out=out), lambda: env.reset(out=out)):
        with pytest.raises(error, match=text):
            call()
    env.step(np.zeros(ENVS, int), out={})
    assert not np.array_equal(env.reset()[0], before)


def test_arrays_that_share_memory_are_refused():
    env = FACADES["gymnasium"](CARTPOLE)
    env.reset()
    memory = np.zeros(ENVS * 5, F4)
    apart = {"obs": memory[: ENVS * 4].reshape(ENVS, 4), "reward": memory[ENVS * 4 :]}
    env.step(np.zeros(ENVS, int), out=apart)
    assert memory.all()
    shared = {"obs": memory[: ENVS * 4].reshape(ENVS, 4), "reward": memory[ENVS * 4 - 1 : -1]}
    with pytest.raises(ValueError, match=r'out\["obs"\] and out\["reward"\] share memory'):
        env.step(np.zeros(ENVS, int), out=shared)


def test_asynchronous_pools_refuse_out():
    env = envpool_rs.make(CARTPOLE, num_envs=4, batch_size=2)
    env.reset()
    for call in (
        lambda: env.step(np.zeros(2, int), np.arange(2), out={}),
        lambda: env.reset(out={}),
        lambda: env.rollout_buffer(3),
    ):
        with pytest.raises(RuntimeError, match="expected a synchronous pool"):
            call()


def test_out_refuses_text():
    env = envpool_rs.make_vec("MiniGrid-DoorKey-5x5-v0", ENVS)
    env.reset()
    with pytest.raises(ValueError, match=r"out\[\"obs\"\]\['mission'\]: expected no array"):
        env.step(np.zeros(ENVS, int), out={"obs": {"mission": np.zeros((ENVS, 9), np.uint8)}})
    buffer = env.rollout_buffer(2)
    assert set(buffer.obs) == {"direction", "image"}
    env.reset(out=buffer)
    observation = env.step(np.zeros(ENVS, int), out=buffer)[0]
    assert isinstance(observation["mission"], tuple)
    assert np.array_equal(buffer.obs["image"][1], observation["image"])


def test_out_works_with_mixed_pools_and_shared_memory():
    shared_memory = pytest.importorskip("multiprocessing.shared_memory")
    tasks = ["CartPole-v0", "CartPole-v1"]
    ours, plain = (envpool_rs.make(tasks, num_envs=6, seed=1) for _ in range(2))
    ours.reset(), plain.reset()
    block = shared_memory.SharedMemory(create=True, size=6 * 16)
    try:
        observation = np.ndarray((6, 4), F4, buffer=block.buf)
        for _ in range(5):
            assert_same(ours.step(np.ones(6, int), out={"obs": observation}), plain.step(np.ones(6, int)))
        del observation
    finally:
        block.close()
        block.unlink()


def counting():
    return CountingEnv(length=3, info=True)


@pytest.mark.parametrize("facade", ["make_python", "make_vec"])
def test_python_environments_write_into_arrays_of_the_caller(facade):
    make = getattr(envpool_rs, facade)
    ours, plain = (make([counting] * ENVS) for _ in range(2))
    with ours, plain:
        assert_same(ours.reset(seed=1), plain.reset(seed=1))
        buffer = ours.rollout_buffer(8)
        assert_same(ours.reset(seed=2, out=buffer), plain.reset(seed=2))
        out = None
        for step in range(8):
            expected = plain.step(np.zeros(ENVS, int))
            out = out or {key: like(part) for key, part in named("gymnasium", expected).items() if key != "info"}
            result = ours.step(np.zeros(ENVS, int), out=out if step % 2 else buffer)
            assert_same(result, expected)
            if step % 2:
                assert_shown(named("gymnasium", result), out)
            else:
                assert np.array_equal(buffer.obs[step // 2 + 1], result[0])


def test_single_agent_gymnasium_wrappers_return_plain_results():
    env = gymnasium.make_vec("envpool_rs/CartPole-v1", num_envs=ENVS)
    env.reset(seed=1)
    buffer = env.unwrapped.rollout_buffer(1)
    env.unwrapped.reset(out=buffer)
    assert buffer.obs[0].any()


def test_arrays_keep_their_memory_while_the_engine_writes_into_them():
    env = envpool_rs.make("test/Scripted-v0", num_envs=1)
    obs = np.zeros_like(env.step([0])[0])
    stepping = threading.Thread(target=env.step, args=([1000],), kwargs={"out": {"obs": obs}})
    stepping.start()
    while stepping.is_alive() and not weakref.getweakrefcount(obs):
        pass
    with pytest.raises(ValueError, match="cannot resize"):
        obs.resize(10**6, refcheck=False)
    stepping.join()
    obs.resize(obs.size + 1, refcheck=False)


def test_arrays_of_a_rollout_buffer_keep_their_memory():
    made = []

    def allocate(shape, dtype):
        made.append(np.zeros(shape, dtype))
        return made[-1]

    env = envpool_rs.make_vec(CARTPOLE, 2)
    buffer = env.rollout_buffer(2, allocate)
    for array in made:
        with pytest.raises(ValueError, match="cannot resize"):
            array.resize(1, refcheck=False)
    env.reset(out=buffer)
    env.step(np.zeros(2, np.int64), out=buffer)


def test_recv_fills_arrays_after_steps_without_them():
    env = FACADES["gymnasium"](CARTPOLE)
    env.reset()
    for _ in range(5):
        env.step(np.zeros(ENVS, int))
    env.send(np.ones(ENVS, int))
    out = {"obs": np.full((ENVS, 4), 9, np.float32)}
    result = env.recv(out=out)
    assert result[0] is out["obs"] and (out["obs"] != 9).all()
