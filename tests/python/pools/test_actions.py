"""Tests which forms of actions and ids are accepted, and which rows the results have."""

import envpool_rs
import numpy as np
import pytest
from references.batch import flat

INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FLOATS = [np.float16, np.float32, np.float64]


def make(task="CartPole-v1", num_envs=4, **options):
    env = envpool_rs.make(task, num_envs=num_envs, seed=5, **options)
    env.reset()
    return env


def assert_results_equal(left, right):
    for a, b in zip(left[:4], right[:4], strict=True):
        for x, y in zip(flat(a), flat(b), strict=True):
            np.testing.assert_array_equal(x, y)
    assert left[4]["env_id"].tolist() == right[4]["env_id"].tolist()


# Tests of the rows of results.


def test_rows_are_in_the_order_of_the_ids():
    env, whole = make(), make()
    actions = np.array([0, 1, 1, 0])
    expected = whole.step(actions)
    observation, reward, _, _, info = env.step(actions[[3, 1, 2, 0]], np.array([3, 1, 2, 0]))
    assert info["env_id"].tolist() == [3, 1, 2, 0] and info["players"]["env_id"].tolist() == [3, 1, 2, 0]
    np.testing.assert_array_equal(observation, expected[0][[3, 1, 2, 0]])
    assert reward.shape == (4,)


def test_a_subset_is_stepped_alone():
    env, whole = make(), make()
    for _ in range(3):
        result = env.step(np.ones(2, dtype=np.int64), np.array([2, 0]))
    expected = [whole.step(np.ones(4, dtype=np.int64)) for _ in range(3)][-1]
    np.testing.assert_array_equal(result[0], expected[0][[2, 0]])
    assert result[4]["elapsed_step"].tolist() == [3, 3]
    everyone = env.step(np.ones(4, dtype=np.int64))
    assert everyone[4]["elapsed_step"].tolist() == [4, 1, 4, 1]


def test_synchronous_requests_are_answered_one_by_one_in_order():
    env = make()
    env.send(np.ones(2, dtype=np.int64), np.array([3, 1]))
    env.send(np.ones(1, dtype=np.int64), np.array([0]))
    assert env.recv()[4]["env_id"].tolist() == [3, 1]
    env.send(np.ones(1, dtype=np.int64), np.array([1]))
    assert env.recv()[4]["env_id"].tolist() == [0]
    _, _, _, _, info = env.recv()
    assert info["env_id"].tolist() == [1] and info["elapsed_step"].tolist() == [2]


def test_an_asynchronous_batch_names_its_environments():
    env = envpool_rs.make("CartPole-v1", num_envs=6, batch_size=4, num_threads=2)
    env.async_reset()
    counts = np.zeros(6, dtype=int)
    for _ in range(60):
        observation, reward, terminated, truncated, info = env.recv()
        ids = info["env_id"]
        assert len(set(ids)) == 4 and len(observation) == len(reward) == len(terminated) == len(truncated) == 4
        counts[ids] += 1
        env.send(np.zeros(4, dtype=np.int32), ids)
    assert counts.sum() == 240 and counts.min() >= 30


def test_step_of_an_asynchronous_pool_sends_and_receives_a_batch():
    env = envpool_rs.make("CartPole-v1", num_envs=6, batch_size=2)
    env.async_reset()
    info = env.recv()[4]
    for _ in range(20):
        result = env.step(np.zeros(2, dtype=np.int64), info["env_id"])
        info = result[4]
        assert len(result[0]) == 2


# Tests of the accepted types of actions and ids.


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS, np.bool_], ids=lambda dtype: dtype.__name__)
def test_discrete_actions_may_have_any_number_type(dtype):
    actions = np.array([0, 1, 1, 0])
    assert_results_equal(make().step(actions.astype(dtype)), make().step(actions))


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS, np.bool_], ids=lambda dtype: dtype.__name__)
def test_continuous_actions_may_have_any_number_type(dtype):
    actions = np.array([[0], [1], [1], [0]], dtype=np.float32)
    assert_results_equal(make("Pendulum-v1").step(actions.astype(dtype)), make("Pendulum-v1").step(actions))


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda dtype: dtype.__name__)
def test_ids_may_have_any_integer_type(dtype):
    ids = np.array([2, 0])
    actions = np.array([1, 1])
    assert_results_equal(make().step(actions, ids.astype(dtype)), make().step(actions, ids))
    env = make()
    assert env.reset(ids.astype(dtype))[1]["env_id"].tolist() == [2, 0]
    env.send(actions, ids.astype(dtype))
    assert env.recv()[4]["env_id"].tolist() == [2, 0]


@pytest.mark.parametrize(
    "arrange",
    [
        list,
        tuple,
        lambda actions: np.repeat(actions, 2)[::2],
        lambda actions: actions[::-1].copy()[::-1],
        lambda actions: actions.astype(">i8"),
        lambda actions: np.frombuffer(b"x" + actions.tobytes(), dtype=np.uint8)[1:].view(np.int64),
        memoryview,
    ],
    ids=["list", "tuple", "strided", "reversed", "big endian", "unaligned", "memoryview"],
)
def test_actions_may_have_any_memory_layout(arrange):
    actions = np.array([0, 1, 1, 0])
    assert_results_equal(make().step(arrange(actions)), make().step(actions))
    read_only = actions.copy()
    read_only.setflags(write=False)
    assert_results_equal(make().step(read_only), make().step(actions))


def test_continuous_actions_may_be_in_fortran_order():
    task, options = "SimpleSpread-v3", {"continuous_actions": True}
    actions = np.random.default_rng(0).random((12, 5)).astype(np.float32)
    expected = make(task, **options).step(actions)
    assert_results_equal(make(task, **options).step(np.asfortranarray(actions)), expected)


# Tests of dicts of actions.


def test_a_dict_of_action_and_ids_steps_those_ids():
    actions, ids = np.array([1, 0]), np.array([3, 1])
    expected = make().step(actions, ids)
    for dict_ in (
        {"action": actions, "env_id": ids},
        {"env_id": ids.astype(np.int32), "players.env_id": ids, "action": actions},
        {"env_id": ids, "players": {"env_id": ids}, "action": actions},
    ):
        assert_results_equal(make().step(dict_), expected)
        env = make()
        env.send(dict_)
        assert_results_equal(env.recv(), expected)
    assert_results_equal(make().step({"action": actions}, ids), expected)


def test_dicts_that_contradict_themselves_are_refused():
    env, actions, ids = make(), np.array([1, 0]), np.array([3, 1])
    with pytest.raises(ValueError, match="twice"):
        env.step({"action": actions, "env_id": ids}, ids)
    with pytest.raises(ValueError, match=r"players\.env_id"):
        env.step({"action": actions, "env_id": ids, "players.env_id": ids[::-1]})
    with pytest.raises(ValueError, match="lacks the key"):
        env.step({"env_id": ids})
    with pytest.raises(ValueError, match="unknown key"):
        env.step({"action": actions, "actoin": actions, "env_id": ids})
    env.step(actions, ids)


# Tests of tasks with several players.


def test_players_of_an_environment_have_consecutive_rows_in_id_order():
    env, whole = make("SimpleSpread-v3"), make("SimpleSpread-v3")
    actions = np.arange(12) % 5
    expected = whole.step(actions)
    rows = np.concatenate([np.arange(6, 9), np.arange(0, 3)])
    players = np.repeat([2, 0], 3)
    result = env.step({"action": actions[rows], "env_id": np.array([2, 0]), "players.env_id": players})
    np.testing.assert_array_equal(result[0], expected[0][rows])
    np.testing.assert_array_equal(result[1], expected[1][rows])
    assert result[2].shape == (2,)
    assert result[4]["env_id"].tolist() == [2, 0] and result[4]["players"]["env_id"].tolist() == players.tolist()
    with pytest.raises(ValueError, match=r"shape \(2,\): expected \(6,\)"):
        env.step(np.array([1, 1]), np.array([2, 0]))


def test_players_with_different_spaces_have_separate_keys():
    env, whole = make("SimpleSpeakerListener-v4"), make("SimpleSpeakerListener-v4")
    actions = {"speaker_0": np.array([0, 1, 2, 0]), "listener_0": np.array([4, 3, 2, 1])}
    expected = whole.step(actions)
    ids = np.array([3, 1])
    some = {key: value[ids] for key, value in actions.items()}
    result = env.step({**some, "env_id": ids})
    for key in ("speaker_0", "listener_0"):
        np.testing.assert_array_equal(result[0][key], expected[0][key][ids])
    np.testing.assert_array_equal(result[1], expected[1].reshape(4, 2)[ids].ravel())
    assert result[4]["players"]["env_id"].tolist() == [3, 3, 1, 1]
    with pytest.raises(TypeError, match="speaker_0, listener_0"):
        env.step(np.zeros(4, dtype=np.int64))
    with pytest.raises(ValueError, match="listener_0"):
        env.step({"speaker_0": np.zeros(4, dtype=np.int64)})
