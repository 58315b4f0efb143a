"""Tests properties of every task in the interfaces of `make` and `make_vec`: spaces, types, autoreset, statistics.

Also compares pools with gymnasium's own vector environment over the reference environments.
"""

import warnings
from functools import reduce

import envpool_rs
import gymnasium
import numpy as np
import pytest
import references
from envpool_rs._nested import map_leaves
from envpool_rs._spec.spaces import field_name
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from policies import random_actions
from tasks import BOX2D, MUJOCO, ROBOTICS, TASKS

# Gymnasium-Robotics has tests of its own: gymnasium has its tasks only if another test imports that package, it omits
# infos after resets, and its mazes leave files behind.
SINGLE = [
    task for task in TASKS if references.exists(task) and not references.is_parallel(task) and task not in {*ROBOTICS}
]
MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED]
ENVS = 3


def assert_same(ours, theirs, where="result"):
    """Asserts equality with all types, dtypes and shapes, through dicts, tuples and arrays of objects."""
    if not isinstance(theirs, (int, float)):  # accepts Python's scalar types instead of numpy's
        assert type(ours) is type(theirs), where
    if isinstance(ours, dict):
        assert ours.keys() == theirs.keys(), where
        for key in ours:
            assert_same(ours[key], theirs[key], f"{where}[{key!r}]")
    elif isinstance(ours, tuple):
        assert len(ours) == len(theirs), where
        for index, (left, right) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(left, right, f"{where}[{index}]")
    elif isinstance(ours, np.ndarray) and ours.dtype == object:
        assert_same(tuple(ours), tuple(theirs), where)
    elif isinstance(ours, np.ndarray):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), where
        np.testing.assert_array_equal(ours, theirs, where)
    else:
        assert ours == theirs, where


class FloatInfos(gymnasium.Wrapper):
    """Wrapper that converts infos to floats.

    Without the wrapper, gymnasium would convert `prob` to integers in a task that reports 1 after a reset and `1 / 3`
    after a step.
    """

    def reset(self, **arguments):
        observation, info = super().reset(**arguments)
        return observation, floats(info)

    def step(self, action):
        *result, info = super().step(action)
        return *result, floats(info)


def floats(info):
    return {key: float(value) if key == "prob" else value for key, value in info.items()}


def reference_vector(task, mode=AutoresetMode.NEXT_STEP, **options):
    return SyncVectorEnv([lambda: FloatInfos(references.make(task, **options))] * ENVS, autoreset_mode=mode)


def actions_of(env, rng):
    """Returns random actions for all environments of a pool of `make` or `make_vec`."""
    space, players = env.single_action_space, env.spec.players
    return random_actions(space, ENVS if hasattr(space, "spaces") else ENVS * players, rng)


def parts(observation, name="obs"):
    """Returns the leaves of a batched observation by their paths, named as in EnvPool."""
    if isinstance(observation, dict):
        named = [parts(value, f"{name}:{key}") for key, value in observation.items()]
        return {path: leaf for each in named for path, leaf in each.items()}
    return {name: observation}


# Tests of spaces and arrays.


@pytest.mark.parametrize("task", TASKS)
def test_observations_are_members_of_their_spaces(task):
    rng = np.random.default_rng(1)
    vector, envpool = envpool_rs.make_vec(task, ENVS, seed=5), envpool_rs.make(task, num_envs=ENVS, seed=5)
    observations = [vector.reset()[0]], [envpool.reset()[0]]
    for _ in range(40):
        actions = actions_of(vector, rng)
        observations[0].append(vector.step(actions)[0])
        observations[1].append(envpool.step(actions)[0])
    assert all(vector.observation_space.contains(each) for each in observations[0])
    for each in observations[1]:
        for row in range(len(next(iter(parts(each).values())))):
            one = map_leaves(lambda value, row=row: value[row], each)
            assert envpool.observation_space.contains(np.asarray(one) if np.ndim(one) else one)


@pytest.mark.parametrize("task", TASKS)
def test_arrays_have_the_dtypes_and_shapes_of_the_spec(task):
    env = envpool_rs.make(task, num_envs=ENVS)
    env.reset()
    observation, reward, terminated, truncated, info = env.step(actions_of(env, np.random.default_rng(0)))
    players = info.pop("players")
    got = {**parts(observation), "reward": reward, "trunc": truncated, "info:players.env_id": players["env_id"]}
    got["elapsed_step"] = info.pop("elapsed_step")
    got |= {f"info:{key}": value for key, value in info.items()}
    described = {name: (dtype, shape) for name, dtype, shape in env.spec.pool.state_arrays}
    for name in (
        "done",
        "discount",
        "step_type",
    ):  # names of dm_env's arrays, and `done`, which is `terminated | truncated`
        del described[name]
    assert got.keys() == described.keys()
    for name, (dtype, shape) in described.items():
        rows = ENVS * env.spec.players if shape[:1] == (-1,) else ENVS
        assert (got[name].dtype, got[name].shape) == (np.dtype(dtype), (rows, *shape[shape[:1] == (-1,) :])), name
    assert terminated.shape == truncated.shape == (ENVS,) and terminated.dtype == np.bool_


# Comparisons with gymnasium's own vector environment.


@pytest.mark.parametrize("task", SINGLE)
def test_spaces_are_gymnasium_spaces(task):
    ours, theirs = envpool_rs.make_vec(task, ENVS), reference_vector(task)
    for name in ("observation_space", "action_space", "single_observation_space", "single_action_space", "num_envs"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.metadata["autoreset_mode"] is theirs.metadata["autoreset_mode"]


def reset_ended(env, ended):
    return env.reset(options={"reset_mask": ended.copy()})


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.name.lower())
# MuJoCo and Box2D are omitted, because gymnasium omits their infos after resets; test_mujoco_gymnasium.py and
# test_box2d.py compare them.
@pytest.mark.parametrize("task", [task for task in SINGLE if task not in {*BOX2D, *MUJOCO}])
def test_every_result_equals_gymnasiums_with_the_reference(task, mode):
    ours = envpool_rs.make_vec(task, ENVS, autoreset_mode=mode, max_episode_steps=13)
    theirs = reference_vector(task, mode, max_episode_steps=13)
    rng = np.random.default_rng(3)
    assert_same(ours.reset(seed=9), theirs.reset(seed=9))
    ended = 0
    for step in range(120):
        actions = actions_of(ours, rng)
        result, expected = ours.step(actions), theirs.step(actions)
        assert_same(result, expected)
        done = result[2] | result[3]
        ended += done.sum()
        if mode is AutoresetMode.DISABLED and done.any():
            assert_same(reset_ended(ours, done), reset_ended(theirs, done))
        if step == 50:
            assert_same(ours.reset(seed=[None, 4, 5]), theirs.reset(seed=[None, 4, 5]))
    assert ended >= ENVS * 8


@pytest.mark.parametrize("mode", MODES[:2], ids=lambda mode: mode.name.lower())
@pytest.mark.parametrize("task", SINGLE)
def test_episode_statistics_equal_those_of_gymnasiums_wrapper(task, mode):
    options = {"max_episode_steps": 11}
    ours = envpool_rs.make_vec(task, ENVS, autoreset_mode=mode, record_episode_statistics=True, **options)
    theirs = RecordEpisodeStatistics(reference_vector(task, mode, **options))
    rng = np.random.default_rng(4)
    ours.reset(seed=2), theirs.reset(seed=2)
    ended = 0
    for _ in range(60):
        actions = actions_of(ours, rng)
        info, expected = ours.step(actions)[4], theirs.step(actions)[4]
        assert ("episode" in info, "_episode" in info) == ("episode" in expected,) * 2
        if "episode" not in info:
            continue
        ended += 1
        for key in ("r", "l"):
            assert_same(info["episode"][key], expected["episode"][key])
        assert_same(info["_episode"], expected["_episode"])
        seconds = info["episode"]["t"]
        assert seconds.dtype == expected["episode"]["t"].dtype and (seconds[~info["_episode"]] == 0).all()
        assert (seconds >= 0).all() and (seconds < 60).all()
    assert ended >= 5


def test_episode_statistics_without_autoreset_count_from_the_masked_reset():
    env = envpool_rs.make_vec(
        "CartPole-v1", 3, autoreset_mode="disabled", record_episode_statistics=True, max_episode_steps=6
    )
    env.reset()
    for _ in range(4):
        env.step(np.array([0, 1, 0]))
    env.reset(options={"reset_mask": np.array([False, True, False])})
    lengths = [env.step(np.array([1, 0, 1]))[4].get("episode", {}).get("l") for _ in range(2)]
    assert lengths[0] is None and lengths[1].tolist() == [6, 0, 6]


def test_envpools_interface_has_episode_statistics():
    env = envpool_rs.make("CartPole-v1", num_envs=2, record_episode_statistics=True, max_episode_steps=4)
    env.reset()
    infos = [env.step(np.array([0, 1]))[4] for _ in range(4)]
    assert all("episode" not in info for info in infos[:3])
    assert infos[3]["episode"]["l"].tolist() == [4, 4] and infos[3]["episode"]["r"].tolist() == [4.0, 4.0]


# Tests of autoreset.


# Blackjack is omitted, because its episodes rarely last three steps.
@pytest.mark.parametrize("task", [task for task in TASKS if task != "Blackjack-v1"])
def test_the_first_step_and_the_step_after_the_end_reset(task):
    env = envpool_rs.make(task, num_envs=ENVS, max_episode_steps=3, seed=8)
    fresh = envpool_rs.make(task, num_envs=ENVS, max_episode_steps=3, seed=8)
    actions = quiet_actions(env)
    results = [env.step(actions) for _ in range(5)]
    assert [result[4]["elapsed_step"].tolist() for result in results] == [[each] * ENVS for each in (0, 1, 2, 3, 0)]
    assert [result[3].tolist() for result in results] == [[step == 3] * ENVS for step in range(5)]
    assert not any(result[2].any() for result in results)
    for step in (0, 4):
        assert (results[step][1] == 0).all()
    # The first step of a pool that was never reset is a reset.
    assert_same(results[0][0], fresh.reset()[0])


def quiet_actions(env):
    """Returns actions that end no episode of seed 8 within three steps."""
    space, players = env.single_action_space, env.spec.players
    if hasattr(space, "spaces"):
        return {key: np.zeros(ENVS, dtype=np.int64) for key in space.spaces}
    return np.zeros((ENVS * players, *space.shape), dtype=space.dtype)


@pytest.mark.parametrize("mode", ["same_step", "disabled"])
def test_without_next_step_autoreset_the_first_step_needs_a_reset(mode):
    for env in (
        envpool_rs.make("CartPole-v1", autoreset_mode=mode),
        envpool_rs.make_vec("CartPole-v1", autoreset_mode=mode),
    ):
        with pytest.raises(RuntimeError, match="environment 0 has never been reset"):
            env.step(np.zeros(1, dtype=np.int64))
        env.reset()
        env.step(np.zeros(1, dtype=np.int64))


@pytest.mark.parametrize("task", SINGLE)
def test_with_autoreset_disabled_a_finished_environment_cannot_be_stepped(task):
    env = envpool_rs.make(task, num_envs=ENVS, autoreset_mode="disabled", max_episode_steps=1)
    env.reset()
    actions = actions_of(env, np.random.default_rng(0))
    assert (np.logical_or(*env.step(actions)[2:4])).all()
    with pytest.raises(RuntimeError, match="has finished its episode"):
        env.step(actions)
    env.reset(np.array([1]))
    with pytest.raises(RuntimeError, match="environment 0 has finished"):
        env.step(actions)
    assert env.step(actions[1:2], np.array([1]))[4]["elapsed_step"].tolist() == [1]


@pytest.mark.parametrize("task", TASKS)
def test_a_partial_reset_cancels_only_its_own_autoresets(task):
    env = envpool_rs.make(task, num_envs=ENVS, max_episode_steps=1)
    env.reset()
    actions = actions_of(env, np.random.default_rng(0))
    env.step(actions)
    assert env.reset(np.array([2, 0]))[1]["elapsed_step"].tolist() == [0, 0]
    assert env.step(actions)[4]["elapsed_step"].tolist() == [1, 0, 1]


# Tests of dm_env's interface.


@pytest.mark.parametrize("task", TASKS)
def test_time_steps_mark_first_last_and_discounts(task):
    pytest.importorskip("dm_env")
    options = {"num_envs": ENVS, "seed": 6, "max_episode_steps": 9}
    ours, other = envpool_rs.make_dm(task, **options), envpool_rs.make(task, **options)
    players = other.spec.players
    step = ours.reset()
    other.reset()
    assert step.first().all() and (step.discount == 1).all()
    rng, finished = np.random.default_rng(2), np.zeros(ENVS, dtype=bool)
    for _ in range(30):
        actions = actions_of(other, rng)
        step = ours.step(actions)
        observation, reward, terminated, truncated, info = other.step(actions)
        done = terminated | truncated
        assert step.first().tolist() == finished.tolist()
        assert step.last().tolist() == done.tolist() and step.mid().tolist() == (~done & ~finished).tolist()
        assert_same(step.discount, np.repeat(1 - done, players).astype(np.float32))
        assert_same(step.reward, reward)
        assert_same(step.observation.env_id, info["env_id"])
        for name, expected in parts(observation).items():
            path = [field_name(key) for key in name.split(":")]
            assert_same(reduce(getattr, path[1:] or path, step.observation), expected)
        finished = done
    assert step.step_type.dtype == np.int32


# Tests of legacy gym's interface.


@pytest.mark.parametrize("task", TASKS)
def test_legacy_gym_merges_both_flags_and_reports_truncation_in_info(task):
    options = {"num_envs": ENVS, "seed": 6, "max_episode_steps": 5}
    ours = envpool_rs.make_gym(task, gym_reset_return_info=False, **options)
    other = envpool_rs.make(task, **options)
    assert_same(ours.reset(), other.reset()[0])
    rng = np.random.default_rng(2)
    for _ in range(20):
        actions = actions_of(other, rng)
        observation, reward, done, info = ours.step(actions)
        *expected, terminated, truncated, expected_info = other.step(actions)
        assert_same((observation, reward), tuple(expected))
        assert_same(done, terminated | truncated)
        assert_same(info.pop("TimeLimit.truncated"), truncated)
        assert_same(info, expected_info)


def test_gymnasium_makes_vector_environments_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make_vec("envpool_rs/FrozenLake-v1", num_envs=2, is_slippery=False)
    assert env.spec.config.is_slippery is False


def test_asynchronous_vector_environments_return_env_ids():
    env = envpool_rs.make_vec("FrozenLake-v1", num_envs=6, batch_size=2, seed=1)
    together = envpool_rs.make_vec("FrozenLake-v1", num_envs=6, seed=1)
    rewards, lengths = {index: [] for index in range(6)}, np.zeros(6, int)
    env.async_reset()
    for _ in range(60):
        obs, reward, *_, info = env.recv()
        for index, (each, player) in enumerate(zip(reward, info["env_id"], strict=True)):
            rewards[int(player)].append((int(obs[index]), float(each)))
            lengths[player] += 1
        env.send(np.full(2, 2), info["env_id"])
    history = [together.reset()[0]] + [together.step(np.full(6, 2))[0] for _ in range(lengths.max())]
    for player, rows in rewards.items():
        assert [obs for obs, _ in rows] == [int(each[player]) for each in history[: len(rows)]]
