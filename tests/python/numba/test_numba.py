"""Tests pools of tasks compiled by Numba: exact results, threads, snapshots, and failures of single environments."""

import math
import threading
import time

import envpool_rs
import gymnasium
import numpy as np
import pytest
from gymnasium import spaces

pytest.importorskip("numba")

from envpool_rs import numba
from numba_tasks import bits, cart_pole, own_tasks


@pytest.fixture(autouse=True, scope="module")
def _own_tasks():
    with own_tasks():
        cart_pole()
        yield


def lean(observations, draws):
    """Returns actions that balance the pole for a while; a tenth of them are random."""
    wise = (observations[:, 2] + observations[:, 3] > 0).astype(np.int64)
    return np.where(draws < 0.1, (draws * 20).astype(np.int64) % 2, wise)


@pytest.mark.parametrize("autoreset_mode", ["next_step", "same_step", "disabled"])
def test_a_gymnasium_pool_equals_the_built_in_task_bit_for_bit(autoreset_mode):
    ours, reference = (
        envpool_rs.make_vec(task, 64, seed=7, autoreset_mode=autoreset_mode)
        for task in ("NumbaCartPole-v1", "CartPole-v1")
    )
    observations, _ = ours.reset()
    expected, _ = reference.reset()
    assert np.array_equal(bits(observations), bits(expected))
    random, ended = np.random.default_rng(0), 0
    for _ in range(10_000):
        actions = lean(expected, random.random(64))
        got, wanted = ours.step(actions), reference.step(actions)
        for value, reference_value in zip(got[:4], wanted[:4], strict=True):
            assert value.dtype == reference_value.dtype
            assert np.array_equal(bits(value), bits(reference_value))
        assert got[4].keys() == wanted[4].keys()
        expected, done = wanted[0], wanted[2] | wanted[3]
        ended += int(done.sum())
        if autoreset_mode == "same_step" and done.any():
            assert np.array_equal(np.stack(got[4]["final_obs"][done]), np.stack(wanted[4]["final_obs"][done]))
        if autoreset_mode == "disabled" and done.any():
            expected = reference.reset(options={"reset_mask": done})[0]
            assert np.array_equal(ours.reset(options={"reset_mask": done})[0], expected)
    assert ended > 1000
    ours.close()
    reference.close()


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_envpools_interfaces_equal_the_built_in_task_bit_for_bit(env_type):
    ours, reference = (
        envpool_rs.make(task, env_type, num_envs=64, seed=7) for task in ("NumbaCartPole-v1", "CartPole-v1")
    )
    ours.reset()
    reference.reset()
    random = np.random.default_rng(0)
    for _ in range(10_000 if env_type == "gymnasium" else 500):
        actions = random.integers(0, 2, 64).astype(np.int32)
        got, wanted = ours.step(actions), reference.step(actions)
        if env_type == "dm":
            assert np.array_equal(bits(got.observation.obs), bits(wanted.observation.obs))
            assert np.array_equal(got.step_type, wanted.step_type)
        else:
            assert np.array_equal(bits(got[0]), bits(wanted[0]))
            assert all(np.array_equal(value, other) for value, other in zip(got[1:-1], wanted[1:-1], strict=True))
    ours.close()
    reference.close()


def test_asynchronous_batches_equal_the_built_in_task_bit_for_bit():
    found = []
    for task in ("NumbaCartPole-v1", "CartPole-v1"):
        pool = envpool_rs.make_gymnasium(task, num_envs=16, batch_size=4, num_threads=2, seed=3)
        pool.async_reset()
        rows = [[] for _ in range(16)]
        while min(map(len, rows)) < 200:
            observations, rewards, terminated, truncated, info = pool.recv()
            ids = info["env_id"]
            for env_id, *row in zip(ids, observations, rewards, terminated, truncated, strict=True):
                rows[env_id].append((row[0].tobytes(), *row[1:]))
            actions = np.array([(len(rows[env_id]) * 7 + env_id) % 3 == 0 for env_id in ids], np.int32)
            pool.send(actions, ids)
        pool.close()
        found.append([each[:200] for each in rows])
    assert found[0] == found[1]


@pytest.mark.slow
def test_draws_equal_numpys_generator_in_order():
    @numba.env(
        "Draws-v0",
        observation=spaces.Box(-np.inf, np.inf, (12,), np.float64),
        action=1,
        state=(np.float64, 12),
    )
    class Draws:
        def reset(state, random):
            draw(state, random)

        def step(state, random):
            draw(state, random)
            return 0.0, False

        def observe(state, out):
            out[:] = state

    pool = envpool_rs.make_vec("Draws-v0", 3, seed=11)
    rows = [pool.reset()[0].copy(), *(pool.step(np.zeros(3, np.int64))[0].copy() for _ in range(50))]
    for env_id in range(3):
        generator, expected = np.random.default_rng(11 + env_id), np.zeros(12)
        for row in rows:
            draw(expected, generator)
            assert row[env_id].tobytes() == expected.tobytes()
    pool.close()


def draw(state, random):
    """Draws random numbers with every method of the random stream; called as plain Python and compiled."""
    state[0] = random.random()
    state[1] = random.uniform()
    state[2] = random.uniform(-3.0, 5)
    state[3] = random.uniform(high=2.5)
    state[4] = random.normal()
    state[5] = random.normal(1.5, scale=0.1)
    state[6] = random.standard_normal()
    state[7] = random.integers(10)
    state[8] = random.integers(-5, 5)
    state[9] = random.integers(0, 2**40)
    state[10] = random.exponential()
    state[11] = random.exponential(scale=3.0) + random.standard_exponential()


def test_an_exception_fails_only_its_own_environment():
    @numba.env("Raises-v0", observation=spaces.Box(0, 100, (1,), np.float64), action=4, state={"n": np.int64})
    class Raises:
        def reset(state):
            state.n = 0

        def step(state, action):
            state.n += 1
            if action == 1:
                raise ValueError("this action is not allowed")
            if action == 2:
                return 1.0 / (action - 2), False
            return 1.0, False

        def observe(state, out):
            out[0] = state.n

    pool = envpool_rs.make_gymnasium("Raises-v0", num_envs=4, seed=0)
    pool.reset()
    pool.step(np.zeros(4, np.int32))
    text = r"ValueError: this action is not allowed \(in .*test_numba\.py, line \d+\)"
    with pytest.raises(RuntimeError, match=text) as caught:
        pool.step(np.array([0, 1, 0, 0], np.int32))
    assert caught.value.env_ids == [1] and caught.value.others == 3
    observations, *_, info = pool.recv()
    assert info["env_id"].tolist() == [0, 2, 3] and observations[:, 0].tolist() == [2, 2, 2]
    pool.reset(np.array([1], np.int32))
    observations = pool.step(np.zeros(4, np.int32))[0]
    assert observations[:, 0].tolist() == [3, 1, 3, 3]
    with pytest.raises(RuntimeError, match=r"ZeroDivisionError: division by zero"):
        pool.step(np.array([2, 0, 0, 0], np.int32))
    pool.close()


HIDDEN = "<a value that compiled code does not show>"


@pytest.mark.parametrize(
    ("raised", "shown"),
    [
        ('ValueError("hello", state.n)', f"ValueError: hello, {HIDDEN} "),
        ('ValueError(state.n, "hello", state.n)', f"ValueError: {HIDDEN}, hello, {HIDDEN} "),
        ("KeyError(-3, True, False, None, 2**40)", "KeyError: -3, True, False, None, 1099511627776 "),
        ("KeyError(-(2**62), 2.5, 255)", f"KeyError: {-(2**62)}, {HIDDEN}, 255 "),
        ('ValueError("step", "step", "step")', "ValueError: step, step, step "),
        ("ValueError()", "ValueError "),
    ],
)
def test_an_exceptions_message_shows_constant_arguments(raised, shown):
    """Checks exceptions with several arguments, and with arguments whose values are not constant."""

    class Raises:
        def reset(state):
            state.n = 0

        def observe(state, out):
            out[0] = state.n

    scope = {}
    exec(
        f"def step(state):\n    state.n += 1\n    if state.n > 1:\n        raise {raised}\n    return 0.0, False\n",
        scope,
    )
    Raises.step = scope["step"]
    task_id = f"Arguments{abs(hash(raised))}-v0"
    numba.env(task_id, observation=spaces.Box(0, 9, (1,)), action=2, state={"n": np.int64})(Raises)
    pool = envpool_rs.make_gymnasium(task_id, num_envs=1, seed=0)
    pool.reset()
    pool.step(np.zeros(1, np.int32))
    with pytest.raises(RuntimeError, match=shown + r"\(in step, <string>, line 4\)"):
        pool.step(np.zeros(1, np.int32))
    pool.close()


def test_an_exception_whose_class_cannot_be_imported_has_its_name_and_arguments():
    class OwnError(ValueError):
        pass

    class Raises:
        def reset(state):
            state.n = 0

        def step(state, action):
            if action == 1:
                raise OwnError("mine", 3)
            return 0.0, False

        def observe(state, out):
            out[0] = state.n

    numba.env("OwnError-v0", observation=spaces.Box(0, 9, (1,)), action=2, state={"n": np.int64})(Raises)
    pool = envpool_rs.make_gymnasium("OwnError-v0", num_envs=1, seed=0)
    pool.reset()
    with pytest.raises(RuntimeError, match=r"OwnError: mine, 3 \(in step, .*test_numba\.py, line \d+\)"):
        pool.step(np.ones(1, np.int32))
    pool.close()


def test_an_index_out_of_bounds_is_a_failure_with_boundscheck():
    @numba.env(
        "Bounds-v0",
        observation=spaces.Box(0, 1, (1,), np.float64),
        action=9,
        state=(np.float64, 3),
        boundscheck=True,
    )
    class Bounds:
        def reset(state):
            state[:] = 0

        def step(state, action):
            state[action] = 1
            return 0.0, False

        def observe(state, out):
            out[0] = state[0]

    pool = envpool_rs.make_vec("Bounds-v0", 2, seed=0)
    pool.reset()
    pool.step(np.array([0, 2]))
    with pytest.raises(RuntimeError, match=r"IndexError: index is out of bounds"):
        pool.step(np.array([0, 8]))
    pool.close()


def test_functions_run_without_the_gil():
    """Checks that steps run without the interpreter's lock.

    Two threads step a pool each, while a third counts: the third could not count if steps held the lock.
    """

    @numba.env(
        "Slow-v0", observation=spaces.Box(0, 1, (1,), np.float64), action=1, state=(np.float64, 1), uniform=False
    )
    class Slow:
        def reset(state):
            state[0] = 0.5

        def step(state):
            for _ in range(3_000_000):
                state[0] = math.sin(state[0]) + 0.1
            return 0.0, False

        def observe(state, out):
            out[0] = state[0] % 1

    pools_of_threads = [envpool_rs.make_gymnasium("Slow-v0", num_envs=1, seed=0) for _ in range(2)]
    for pool in pools_of_threads:
        pool.reset()
        pool.step(np.zeros(1, np.int32))  # after this step, the pool has measured that steps are long
    counts = []
    while max(counts, default=0) <= 50:  # on a busy machine, the counting thread may be stopped during both steps
        assert len(counts) < 30, counts
        steppers = [threading.Thread(target=pool.step, args=(np.zeros(1, np.int32),)) for pool in pools_of_threads]
        for stepper in steppers:
            stepper.start()
        counts.append(0)
        while any(stepper.is_alive() for stepper in steppers):
            counts[-1] += 1
            time.sleep(0)
    for pool in pools_of_threads:
        pool.close()


@pytest.mark.slow
def test_players_dicts_and_infos_have_the_shapes_of_built_in_tasks():
    @numba.env(
        "Parts-v0",
        observation=spaces.Dict(
            board=spaces.Box(0, 9, (2, 3), np.uint8),
            turn=spaces.Discrete(5),
            inner=spaces.Dict(speed=spaces.Box(-9, 9, (), np.float64), on=spaces.MultiBinary(2)),
        ),
        action=spaces.Dict(
            move=spaces.MultiDiscrete([3, 4]), force=spaces.Box(-1, 1, (2,), np.float32), pick=spaces.Discrete(3)
        ),
        state={"board": (np.uint8, (2, 3)), "turn": np.int32, "speed": np.float32, "on": bool},
        options={"gain": 2.0, "fast": False, "size": numba.Option(3, low=1, high=6)},
        infos={"speed": np.float64, "pair": (np.int32, 2), "end": numba.Info(np.bool_, when="terminations")},
        max_episode_steps=5,
    )
    class Parts:
        def reset(state, options):
            state.board[:] = options.size
            state.turn = 0
            state.speed = 0.0
            state.on = options.fast

        def step(state, action, options):
            state.turn = (state.turn + 1) % 5
            state.board[0, action.move[0] % 3] = action.move[1]
            state.speed += action.force[1] * options.gain
            return action.pick, action.pick == 2

        def observe(state, out):
            out.board[:] = state.board
            out.turn[...] = state.turn
            out.inner.speed[...] = state.speed
            out.inner.on[:] = state.on

        def inform(state, out):
            out.speed[...] = state.speed
            out.pair[0], out.pair[1] = state.turn, state.turn + 1
            out.end[...] = True

    pool = envpool_rs.make_vec("Parts-v0", 2, seed=0, gain=0.5, fast=[True, False], size=2)
    observations, info = pool.reset()
    assert observations["board"].shape == (2, 2, 3) and (observations["board"] == 2).all()
    assert observations["inner"]["on"].tolist() == [[1, 1], [0, 0]]
    assert info["speed"].tolist() == [0.0, 0.0]
    action = {
        "move": np.array([[1, 3], [2, 0]]),
        "force": np.array([[0.0, 0.5], [0.0, -1.0]], np.float32),
        "pick": np.array([1, 2]),
    }
    observations, rewards, terminated, _, info = pool.step(action)
    assert rewards.tolist() == [1.0, 2.0] and terminated.tolist() == [False, True]
    assert observations["board"][0, 0].tolist() == [2, 3, 2] and observations["turn"].tolist() == [1, 1]
    assert observations["inner"]["speed"].tolist() == [0.25, -0.5]
    assert info["pair"].tolist() == [[1, 2], [1, 2]]
    assert pool.single_observation_space.contains(
        {"board": observations["board"][0], "turn": 1, "inner": {"speed": np.array(0.25), "on": np.ones(2, np.int8)}}
    )
    with pytest.raises(ValueError, match=r"size=7: expected"):
        envpool_rs.make_vec("Parts-v0", 1, size=7)
    with pytest.raises(TypeError, match=r"gian"):
        envpool_rs.make_vec("Parts-v0", 1, gian=7.0)
    same = Parts.python(gain=0.5, fast=True, size=2)
    same.reset(seed=0)
    row = same.step({"move": [1, 3], "force": [0.0, 0.5], "pick": 1})[0]
    assert row["inner"]["speed"] == 0.25 and np.array_equal(row["board"], observations["board"][0])
    pool.close()


def test_tasks_work_with_all_functions_of_the_package():
    spec = envpool_rs.make_spec("NumbaCartPole-v1", num_envs=3)
    assert spec.config.max_episode_steps == 500 and spec.observation_space.shape == (4,)
    assert "NumbaCartPole-v1" in envpool_rs.list_all_envs()
    env = gymnasium.make("envpool_rs/NumbaCartPole-v1")
    assert env.reset(seed=1)[0].shape == (4,)
    env.close()
    vector = gymnasium.make_vec("envpool_rs/NumbaCartPole-v1", num_envs=2)
    assert vector.reset(seed=1)[0].shape == (2, 4)
    vector.close()
    envpool_rs.register("NumbaMoon-v1", base="NumbaCartPole-v1", gravity=1.6)
    assert envpool_rs.make_spec("NumbaMoon-v1").config.gravity == 1.6
    mixed = envpool_rs.make_vec(["NumbaCartPole-v1", "NumbaMoon-v1"], 4, seed=1)
    alone = envpool_rs.make_vec("CartPole-v1", 4, seed=1)
    assert np.array_equal(mixed.reset()[0], alone.reset()[0])
    for step in range(20):
        observations, expected = (pool.step(np.full(4, step % 2))[0] for pool in (mixed, alone))
        assert np.array_equal(observations[:2], expected[:2])
    assert not np.array_equal(observations[2:], expected[2:])
    mixed.close()
    alone.close()


def test_a_task_runs_inside_a_jax_program():
    pytest.importorskip("jax")
    pools_of_tasks = [
        envpool_rs.make_gymnasium(task, num_envs=4, seed=1) for task in ("NumbaCartPole-v1", "CartPole-v1")
    ]
    found = []
    for pool in pools_of_tasks:
        handle, _, _, step = pool.xla()
        pool.reset()
        handle, result = step(handle, np.ones(4, np.int32))
        found.append(np.asarray(result[0]))
        pool.close()
    assert np.array_equal(*found)


def test_check_plugin_accepts_a_correct_task():
    assert cart_pole().check(steps=50) == []
    checked = envpool_rs.make_gymnasium("NumbaCartPole-v1", num_envs=4, seed=1, check=True)
    plain = envpool_rs.make_gymnasium("CartPole-v1", num_envs=4, seed=1)
    assert np.array_equal(checked.reset()[0], plain.reset()[0])
    for _ in range(20):
        assert np.array_equal(checked.step(np.ones(4, np.int32))[0], plain.step(np.ones(4, np.int32))[0])
    checked.close()
    plain.close()


def test_check_reports_values_outside_of_the_space():
    with pytest.raises(ValueError, match=r"check=True: \d+ findings: Outside-v0: "):

        @numba.env(
            "Outside-v0", observation=spaces.Box(0, 1, (1,), np.float64), action=2, state=(np.float64, 1), check=True
        )
        class Outside:
            def reset(state):
                state[0] = 0

            def step(state, action):
                state[0] += action
                return 0.0, False

            def observe(state, out):
                out[0] = state[0]


class Counter:
    """Three steps, with the number of steps as infos."""

    def reset(state):
        state[0] = 0

    def step(state):
        state[0] += 1
        return 1.0, state[0] >= 3

    def observe(state, out):
        out[0] = state[0]

    def inform(state, out):
        out.won[...] = 10 * state[0]
        out.later[...] = 10 * state[0] + 5
        out.always[...] = 10 * state[0] + 7

    def is_valid(state):
        return state[0] <= 3


def test_infos_are_reported_only_when_they_are_declared_to_be():
    infos = {"won": numba.Info(np.int64, when="terminations"), "later": numba.Info(np.int64, when="steps")}
    made = {"observation": spaces.Box(0, 9, (1,), np.float64), "action": 1, "state": (np.float64, 1)}
    numba.env("CountedInfos-v0", infos={**infos, "always": np.int64}, **made)(Counter)
    single = gymnasium.make("envpool_rs/CountedInfos-v0", max_episode_steps=9)
    rows = [single.reset(seed=1)[1], *(single.step(0)[-1] for _ in range(3))]
    expected = [{"always": 7}, {"always": 17, "later": 15}, {"always": 27, "later": 25}]
    assert rows == [*expected, {"always": 37, "later": 35, "won": 30}]

    action = np.zeros(2, np.int64)
    pool = envpool_rs.make("CountedInfos-v0", num_envs=2)
    won = [pool.reset()[1]["won"], *(pool.step(action)[-1]["won"] for _ in range(4))]
    assert [each.tolist() for each in won] == [[0, 0], [0, 0], [0, 0], [30, 30], [0, 0]]
    steps = envpool_rs.make_dm("CountedInfos-v0", num_envs=2)
    steps.reset()
    assert [steps.step(action).observation.won.tolist() for _ in range(3)] == [[0, 0], [0, 0], [30, 30]]

    env = envpool_rs.make_vec("CountedInfos-v0", 2)
    info = env.reset()[1]
    assert not info["won"].any() and not info["later"].any() and not info["_later"].any()
    assert [env.step(action)[-1]["won"].tolist() for _ in range(3)] == [[0, 0], [0, 0], [30, 30]]

    env = envpool_rs.make_vec("CountedInfos-v0", 2, autoreset_mode="same_step", max_episode_steps=[2, 9])
    env.reset()
    env.step(action)
    truncated = env.step(action)[-1]  # environment 0 reaches its time limit
    assert truncated["final_info"]["won"].tolist() == [0, 0] and truncated["final_info"]["always"].tolist() == [27, 0]
    terminated = env.step(action)[-1]
    assert terminated["final_info"]["won"].tolist() == [0, 30] and terminated["won"].tolist() == [0, 0]
    assert terminated["later"].tolist() == [15, 0] and terminated["_later"].tolist() == [True, False]
