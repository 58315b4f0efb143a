"""Tests environments written in Python behind RLlib's `BaseEnv`."""

import copy
import weakref

import envpool_rs
import gymnasium
import numpy as np
import pytest
from counters import Counter
from envpool_rs.rllib import convert_to_base_env
from rllib_cases import MODES, OVER, actions, counters


class Unusual(Counter):
    """Counter whose observations are strings and dicts instead of arrays."""

    observation_space = gymnasium.spaces.Dict(
        {"count": gymnasium.spaces.Discrete(100), "word": gymnasium.spaces.Text(9)}
    )
    action_space = gymnasium.spaces.Dict({"left": gymnasium.spaces.Discrete(5), "right": gymnasium.spaces.Box(-1, 1)})

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return {"count": 0, "word": "zero"}, {}

    def step(self, action):
        _, _, terminated, truncated, _ = super().step(0)
        return {"count": self.steps, "word": "w" * self.steps}, float(action["left"]), terminated, truncated, {}


@pytest.mark.parametrize("mode", MODES)
def test_a_pool_of_python_environments_equals_single_environments(mode):
    env = convert_to_base_env(envpool_rs.make_python([Counter] * 2, num_workers=1, autoreset_mode=mode))
    single = counters()
    try:
        for each in (env, single):
            each.try_reset(seed=2)
        assert env.poll()[0] == {k: {"agent0": np.float32(v["agent0"])} for k, v in single.poll()[0].items()}
        for value in range(7):
            for each in (env, single):
                each.send_actions(actions(value, value + 1))
            ours, theirs = env.poll(), single.poll()
            assert ours[:4] == theirs[:4]
            if ours[2][0]["__all__"]:
                started = [each.try_reset(index)[0] for index in (0, 1) for each in (env, single)]
                assert started[0][0]["agent0"] == np.float32(started[1][0]["agent0"])
        assert set(env.try_render()) == {0, 1}
    finally:
        env.stop()


def test_observations_of_unusual_spaces_are_polled_unchanged():
    env = convert_to_base_env(envpool_rs.make_python([Unusual] * 2, num_workers=1))
    try:
        assert env.poll()[0][1] == {"agent0": {"count": 0, "word": "zero"}}
        sent = env.action_space_sample()
        env.send_actions(sent)
        observations, rewards, *_ = env.poll()
        assert observations[1] == {"agent0": {"count": 1, "word": "w"}}
        assert rewards[1] == {"agent0": float(sent[1]["agent0"]["left"])}
        with pytest.raises(ValueError, match="action"):
            env.send_actions({0: {"agent0": {"left": 0}}})
    finally:
        env.stop()


@pytest.mark.parametrize("make", ["make_python", "SubprocVectorEnv", "DummyVectorEnv"])
def test_an_exception_of_a_python_environment_loses_no_other_step(make):
    from envpool_rs import vector

    if make == "make_python":
        env = convert_to_base_env(envpool_rs.make_python([Counter] * 2, num_workers=1))
    else:
        env = convert_to_base_env(getattr(vector, make)([Counter] * 2))
    try:
        env.poll()
        with pytest.raises(ZeroDivisionError, match="broken by 666"):
            env.send_actions(actions(666, 5))
        assert env.poll()[1] == {1: {"agent0": 5.0}}
        with pytest.raises(ValueError, match="environment 0 is already done"):
            env.send_actions({0: {"agent0": 1}})
        env.try_reset(0)
        env.send_actions(actions(1, 2))
        assert env.poll()[1] == actions(1.0, 2.0)
    finally:
        env.stop()


@pytest.mark.parametrize("make", ["make_python", "SubprocVectorEnv", "DummyVectorEnv"])
def test_an_exception_discards_the_observation_of_the_reset_before_it(make):
    from envpool_rs import vector

    if make == "make_python":
        env = convert_to_base_env(envpool_rs.make_python([Counter] * 2, num_workers=1))
    else:
        env = convert_to_base_env(getattr(vector, make)([Counter] * 2))
    try:
        env.try_reset()
        with pytest.raises(ZeroDivisionError, match="broken by 666"):
            env.send_actions(actions(666, 5))
        assert env.poll()[1] == {1: {"agent0": 5.0}}
        with pytest.raises(ValueError, match="environment 0 is already done"):
            env.send_actions({0: {"agent0": 1}})
    finally:
        env.stop()


@pytest.mark.parametrize("options", [{}, {"return_truncated": True}, {"wait_num": 1}])
def test_the_vector_env_family_equals_single_environments(options):
    from envpool_rs.vector import DummyVectorEnv

    env = convert_to_base_env(DummyVectorEnv([Counter] * 2, **options))
    single = counters()
    assert env.try_reset(seed=2) == single.try_reset(seed=2)
    for value in range(3):
        for each in (env, single):
            each.send_actions(actions(value, value + 1))
        theirs = single.poll()
        ours = ({}, {}, {}, {}, {}, {})
        while len(ours[0]) < 2:
            for part, values in zip(ours, env.poll(), strict=True):
                part.update(values)
        assert ours[:4] == theirs[:4]
        assert {k: v["agent0"]["action"] for k, v in ours[4].items()} == {0: value, 1: value + 1}
    assert ours[2] == {0: OVER, 1: OVER}
    assert env.try_reset(1, seed=9) == single.try_reset(1, seed=9)
    assert env.action_space == Counter.action_space
    env.stop()


def test_the_fast_path_reads_integer_actions_or_declines():
    from envpool_rs._core import only_actions

    taken = only_actions({0: {"agent0": 3}, 1: {"agent0": np.int64(4)}}, "agent0", [0, 1])
    assert taken.dtype == np.int64
    assert taken.tolist() == [3, 4]
    for odd in (
        {1: {"agent0": 3}, 0: {"agent0": 4}},
        {0: {"agent0": 3}},
        {0: {"agent0": 3}, True: {"agent0": 4}},
        {0: {"agent0": 3}, 1: {"agent0": 4.0}},
        {0: {"agent0": 3}, 1: {"agent0": 2**63}},
        {0: {"agent0": 3}, 1: {"agent1": 4}},
        {0: {"agent0": 3}, 1: {"agent0": 4, "agent1": 5}},
        {0: {"agent0": 3}, 1: 4},
        [{"agent0": 3}, {"agent0": 4}],
        None,
    ):
        assert only_actions(odd, "agent0", [0, 1]) is None


def test_the_fast_path_reads_array_actions_or_declines():
    from envpool_rs._core import only_action_arrays

    first, second = np.array([[1, 2], [3, 4]], np.float32), np.array([[5, 6], [7, 8]], np.float32)
    taken = only_action_arrays({0: {"agent0": first}, 1: {"agent0": second}}, "agent0", [0, 1], (2, 2))
    np.testing.assert_array_equal(taken, np.stack([first, second]), strict=True)
    bytes_ = np.frombuffer(b"x" + second.tobytes(), np.uint8)[1:]
    for odd in (
        second.T,
        second.astype(np.float64),
        second.astype(">f4"),
        second[0],
        second.reshape(4),
        bytes_.view(np.float32).reshape(2, 2),  # an array of float32 whose address is not a multiple of 4
        second.tolist(),
        5.0,
    ):
        assert only_action_arrays({0: {"agent0": first}, 1: {"agent0": odd}}, "agent0", [0, 1], (2, 2)) is None
    assert only_action_arrays({1: {"agent0": first}}, "agent0", [0], (2, 2)) is None


def test_referenced_observations_are_never_overwritten():
    pool, same = (envpool_rs.make_gymnasium("CartPole-v1", num_envs=20, seed=4) for _ in range(2))
    env = convert_to_base_env(pool)
    kept = []
    holds = [
        lambda polled: polled,
        lambda polled: polled[0],
        lambda polled: polled[0][3],
        lambda polled: polled[0][3]["agent0"],
        lambda polled: polled[0][3]["agent0"][1:3],
        lambda polled: polled[0][3]["agent0"].base,
        lambda polled: memoryview(polled[0][3]["agent0"]),
        lambda polled: polled[0][3].items(),
        lambda polled: weakref.ref(polled[0][3]["agent0"]),
        lambda polled: setattr(polled[0][3]["agent0"], "shape", (2, 2)),
        lambda polled: polled[0][3]["agent0"].setflags(write=False),
        lambda polled: polled[0][3].update(other=1),
        lambda polled: polled[0][3].clear(),
        lambda polled: polled[0].clear(),
        lambda polled: polled[0][3].update(agent0=np.zeros(4, np.float32)),
        lambda polled: polled[0][3]["agent0"].fill(7),
    ]
    actions = {index: {"agent0": index % 2} for index in range(20)}
    rng = np.random.default_rng(0)
    expected = same.reset()[0]
    for turn in range(400):
        polled = env.poll()
        observations = {index: {"agent0": row} for index, row in enumerate(expected)}
        assert list(polled[0]) == list(range(20))
        for index in range(20):
            assert list(polled[0][index]) == ["agent0"]
            row = polled[0][index]["agent0"]
            np.testing.assert_array_equal(row, observations[index]["agent0"], strict=True)
            assert row.flags.writeable
        if turn % 3 == 0:
            held = holds[rng.integers(len(holds))](polled)
            kept.append((held, copy.deepcopy(held) if isinstance(held, (tuple, dict, np.ndarray)) else None))
        if turn % 50 == 0:
            kept = kept[-5:]
        for held, as_it_was in kept:
            if as_it_was is not None:
                np.testing.assert_equal(held, as_it_was)
        over = [index for flags in polled[2:4] for index, flag in flags.items() if flag["__all__"]]
        del polled, observations, row
        for index in over:
            np.testing.assert_array_equal(env.try_reset(index)[0][index]["agent0"], same.reset(np.array([index]))[0][0])
        env.send_actions(actions)
        expected = same.step(np.arange(20) % 2)[0].copy()
    env.stop()
    same.close()


def test_unreferenced_observations_reuse_their_arrays():
    env = convert_to_base_env(envpool_rs.make_gymnasium("MountainCar-v0", num_envs=20))
    env.poll()
    arrays = set()
    for _ in range(9):
        env.send_actions({index: {"agent0": 0} for index in range(20)})
        arrays.add(id(env.poll()[0][7]["agent0"]))
    assert len(arrays) == 1
    env.stop()


def test_rows_of_anything_but_numbers_are_refused():
    from envpool_rs._core import AgentRows

    for batch in (np.zeros((2, 3), object), np.zeros(2), np.zeros((3, 2))):
        with pytest.raises(ValueError, match="expected 2 rows of arrays of numbers"):
            AgentRows([0, 1], "agent0", batch)
    rows = AgentRows([0, 1], "agent0", np.zeros((2, 3)))
    for other in (np.zeros((2, 4)), np.zeros((2, 3), np.float32), np.zeros((3, 2)).T, np.zeros(2)):
        assert rows.shown(other) is None
    shown = rows.shown(np.ones((2, 3)))
    assert shown[1]["agent0"].tolist() == [1.0] * 3
    assert rows.shown(np.ones((2, 3))) is None
    del shown
    assert rows.shown(np.ones((2, 3))) is not None


@pytest.mark.parametrize("kind", ["array", "list", "float64"])
def test_actions_of_every_array_like_type_are_accepted(kind):
    forms = {"array": np.float32, "float64": np.float64}
    pool, same = (envpool_rs.make_gymnasium("Pendulum-v1", num_envs=3, seed=4) for _ in range(2))
    env = convert_to_base_env(pool)
    env.poll()
    same.reset()
    torques = [[0.5], [-1.0], [2.0]]
    values = torques if kind == "list" else [np.array(torque, forms[kind]) for torque in torques]
    env.send_actions({index: {"agent0": value} for index, value in enumerate(values)})
    observations, rewards, *_ = env.poll()
    expected = same.step(np.array(torques, np.float32))
    assert [rewards[index]["agent0"] for index in range(3)] == expected[1].tolist()
    np.testing.assert_array_equal([observations[index]["agent0"] for index in range(3)], expected[0])
    env.stop()
    same.close()


def test_rewards_that_differ_from_the_most_frequent_are_returned():
    from envpool_rs.rllib.pool_base_env import PoolValues

    ids = list(range(40))
    with envpool_rs.make_gymnasium("CartPole-v1", num_envs=1) as pool:
        values = PoolValues(pool.spec, ids, False, False)
    for odd in ([], [0], [1], [2], [0, 1], [39], [3, 7, 11], list(range(0, 40, 2))):
        reward = np.ones(40)
        reward[odd] = -2.5
        reported = values._rewards(ids, reward)
        assert reported == {index: {"agent0": -2.5 if index in odd else 1.0} for index in ids}
        some = values._rewards([30, 4, 8], reward[[30, 4, 8]])
        assert some == {index: {"agent0": float(reward[index])} for index in (30, 4, 8)}
    assert np.isnan(values._rewards(ids, np.full(40, np.nan))[3]["agent0"])
    assert str(values._rewards(ids, np.array([0.0] * 39 + [-0.0]))[39]["agent0"]) == "-0.0"
    assert values._rewards([5], np.array([3.0])) == {5: {"agent0": 3.0}}
    assert values._rewards([], np.empty(0)) == {}


def test_an_integer_that_modifies_the_actions_during_reading_is_safe():
    from envpool_rs._core import only_actions

    class Meddler:
        def __index__(self):
            sent.clear()
            return 1

    sent = {0: {"agent0": Meddler()}, 1: {"agent0": 1}}
    assert only_actions(sent, "agent0", [0, 1]).tolist() == [1, 1]
