"""Tests that names, signatures, configurations, spaces, specs, results and errors equal those of EnvPool 1.2.5, which
`tools/golden/envpool_surface.py` recorded. Also tests typical uses by other programs.
"""

import fnmatch
import pickle

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_surface_cases import recorder
from repository import ROOT

pytest.importorskip("dm_env")

DOCUMENT = ROOT / "docs" / "consumers.md"


DIFFERENCES = [
    "envpool.preload_windows_gl_dlls",
    "envpool.python.data.dm_structure",
    "envpool.python.data.gym_structure",
    "envpool.python.data.gymnasium_structure",
    "minimum of float32 numbers without bounds",
]


LEAST_FLOAT32 = np.finfo(np.float32).tiny.item()


def takes(ours, theirs):
    """Returns whether a function accepts all arguments that another function accepts. Both arguments are lists of
    parameters.
    """
    names = [name for name, kind, _ in ours if kind == "POSITIONAL_OR_KEYWORD"]
    kinds = {kind for _, kind, _ in ours}
    defaults = {name: left_out for name, _, left_out in ours}
    for place, (name, kind, may_be_left_out) in enumerate(theirs):
        if kind.startswith("VAR"):
            fits = kind in kinds
        elif kind == "POSITIONAL_OR_KEYWORD":
            fits = names[place : place + 1] == [name]
        else:
            fits = name in [each for each, _, _ in ours]
        if not fits or (may_be_left_out and not kind.startswith("VAR") and not defaults[name]):
            return False
    required = {name for name, kind, left in ours if not left and not kind.startswith("VAR")}
    return required <= {name for name, _, _ in theirs}


def is_on_purpose(path):
    return any(fnmatch.fnmatch(path, pattern) for pattern in DIFFERENCES)


def test_every_module_has_envpools_names(golden, ours):
    wrong = {}
    for path, names in golden["modules"].items():
        for name, theirs in names.items():
            mine = ours["modules"][path][name]
            is_function = isinstance(theirs, list) and all(isinstance(each, list) for each in theirs)
            fits = mine is not None and (takes(mine, theirs) if is_function else mine == theirs)
            if not fits and not is_on_purpose(f"{path}.{name}"):
                wrong[f"{path}.{name}"] = (theirs, mine)
    assert not wrong


@pytest.mark.parametrize("interface", ["gymnasium", "gym", "dm"])
def test_pools_have_envpools_methods(golden, ours, interface):
    wrong = {}
    for name, theirs in golden["calls"][interface].items():
        mine = ours["calls"][interface].get(name)
        # A recorded signature of None means a C++ function, whose parameters are unknown.
        if mine is None if theirs in ("value", None) else not takes(mine, theirs):
            wrong[name] = (theirs, mine)
    assert not wrong


def test_specs_have_envpools_attributes(golden, ours):
    pythons = {"_abc_impl", "_pybind11_conduit_v1_"}
    assert set(golden["spec"]) - set(ours["spec"]) <= pythons


def test_errors_are_also_instances_of_envpools_exceptions(golden, ours):
    for case, kinds in golden["errors"].items():
        assert ours["errors"][case][:1] == kinds or (kinds and kinds[0] in ours["errors"][case]), case


def test_tasks_are_instances_of_envpools_classes(golden, ours):
    for path, theirs in golden["classes"].items():
        assert ours["classes"].get(path) == theirs or path.endswith("base_path"), path


def is_same(path, theirs, mine):
    if path.endswith("config_keys"):
        return mine[: len(theirs)] == theirs
    if path.endswith("state_tuples"):
        return len(mine) == len(theirs) and all(map(tuples_agree, theirs, mine))
    if path.endswith(".minimum") and theirs == LEAST_FLOAT32:
        return mine == np.finfo(np.float32).min.item()
    return mine == theirs


def tuples_agree(theirs, mine):
    dtype, shape, (low, high), *rest = theirs
    if low == LEAST_FLOAT32:
        low = np.finfo(np.float32).min.item()
    return mine == [dtype, shape, [low, high], *rest]


def test_specs_and_result_formats_equal_envpools(golden, ours):
    wrong = {
        (task_id, path): (theirs, ours["tasks"][task_id].get(path))
        for task_id, described in recorder().with_repetition(golden["tasks"]).items()
        for path, theirs in described.items()
        if not is_same(path, theirs, ours["tasks"][task_id].get(path, ...))
    }
    assert not wrong


@pytest.mark.skipif(not DOCUMENT.exists(), reason="needs the repository, not only the tests")
def test_intentional_differences_are_documented():
    text = DOCUMENT.read_text()
    assert [each for each in DIFFERENCES if each.rpartition(".")[2] not in text] == []


@pytest.mark.parametrize(
    ("task_id", "action", "limit"),
    [("CartPole-v1", 0, 4), ("CliffWalking-v1", 0, 3), ("Blackjack-v1", 1, 1), ("Catch-v0", 1, 5), ("Taxi-v3", 0, 200)],
)
def test_the_end_of_an_episode_is_reported_by_the_limit_of_the_configuration(task_id, action, limit):
    """Checks that `elapsed_step` equals `config.max_episode_steps` at a truncation: programs such as cleanba detect
    truncation by this comparison.
    """
    envs = envpool_rs.make(task_id, env_type="gymnasium", num_envs=3, seed=1, max_episode_steps=limit)
    assert envs.spec.config.max_episode_steps == limit
    envs.reset()
    truncations = 0
    for _ in range(2 * limit):
        _, _, _, truncated, info = envs.step(np.full(3, action))
        assert (info["elapsed_step"] >= envs.spec.config.max_episode_steps).tolist() == truncated.tolist()
        truncations += truncated.sum()
    assert truncations > 0


@pytest.mark.parametrize("task_id", ["CartPole-v1", "FrozenLake-v1", "Catch-v0", "Pendulum-v1", "Blackjack-v1"])
def test_all_options_of_a_config_recreate_equal_environments(task_id):
    keys = envpool_rs.make_spec(task_id)._config_keys
    values = envpool_rs.make_spec(task_id).config
    options = {key: getattr(values, key) for key in keys}
    again = envpool_rs.make_spec(task_id, **options)
    assert again.config == values and type(values)._fields == tuple(keys)
    assert again.gen_config(**options) == again.config == again.gen_config(*options.values())


def test_config_names_filter_the_options_of_a_program():
    arguments = {"num_envs": 4, "learning_rate": 3e-4, "max_episode_steps": 50, "seed": 3, "env_id": "CartPole-v1"}
    keys = envpool_rs.make_spec("CartPole-v1")._config_keys
    env = envpool_rs.make("CartPole-v1", "gymnasium", **{key: arguments[key] for key in keys if key in arguments})
    assert env.config == env.spec.config._asdict() and env.config["max_episode_steps"] == 50


# Configurations of EnvPool 1.2.5, recorded by `make_spec(task_id).config._asdict()`.
ENVPOOLS_OWN = {
    "num_envs": 1,
    "batch_size": 1,
    "num_threads": 0,
    "max_num_players": 1,
    "thread_affinity_offset": -1,
    "base_path": "/usr/lib/python3/envpool_assets",
    "seed": 42,
    "env_seed": [],
    "gym_reset_return_info": True,
}


@pytest.mark.parametrize(
    ("task_id", "own"),
    [
        ("FrozenLake8x8-v1", {"max_episode_steps": 200, "reward_threshold": 0.85, "size": 8}),
        ("Catch-v0", {"max_episode_steps": 2147483647, "height": 10, "width": 5}),
        ("Pendulum-v0", {"max_episode_steps": 200, "version": 0}),
        ("CliffWalking-v0", {"max_episode_steps": 2147483647, "is_slippery": False}),
        ("CartPole-v0", {"max_episode_steps": 200, "reward_threshold": 195.0}),
    ],
)
def test_a_complete_envpool_config_is_accepted(task_id, own):
    env = envpool_rs.make(task_id, "gymnasium", **ENVPOOLS_OWN, **own)
    reported = dict(list(env.config.items())[: len(ENVPOOLS_OWN) + len(own)])
    assert {**reported, "base_path": ENVPOOLS_OWN["base_path"]} == {**ENVPOOLS_OWN, **own}
    assert list(reported) == [*ENVPOOLS_OWN, *own]


@pytest.mark.parametrize("value", [1, 0, True, False, np.bool_(True)])
def test_flags_accept_0_and_1(value):
    env = envpool_rs.make_spec("Pong-v5", episodic_life=value, reward_clip=[value], gym_reset_return_info=1)
    assert env.config.episodic_life is bool(value) and env.config.reward_clip is bool(value)
    for wrong in (2, 0.5, "yes"):
        with pytest.raises(TypeError, match="episodic_life"):
            envpool_rs.make_spec("Pong-v5", episodic_life=wrong)


def test_config_reports_threads_and_seeds_as_given():
    assert envpool_rs.make_spec("CartPole-v1").config.num_threads == 0
    assert envpool_rs.make_spec("CartPole-v1", num_envs=4, num_threads=2).config.num_threads == 2
    config = envpool_rs.make_spec("CartPole-v1", num_envs=2, seed=[7, 8]).config
    assert (config.seed, config.env_seed) == (0, [7, 8])
    config = envpool_rs.make_spec("CartPole-v1", num_envs=2, seed=5, env_seed=[7, 8]).config
    assert (config.seed, config.env_seed) == (0, [7, 8])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 8])
def test_frozen_lakes_have_every_size_of_envpool(size):
    """Checks EnvPool's values of `size`: 1 to 4 select that corner of the 4x4 map, and 8 selects the 8x8 map."""
    known = {4: ["SFFF", "FHFH", "FFFH", "HFFG"], 8: None}
    rows = known.get(size, [row[:size] for row in known[4][:size]])
    ours = envpool_rs.make("FrozenLake-v1", num_envs=16, size=size, seed=3)
    theirs = envpool_rs.make("FrozenLake-v1", num_envs=16, seed=3, **({"desc": rows} if rows else {"map_name": "8x8"}))
    assert ours.observation_space.n == size**2 and ours.config["size"] == size
    rng = np.random.default_rng(0)
    for each in (ours, theirs):
        each.reset()
    for _ in range(60):
        actions = rng.integers(0, 4, 16)
        for mine, other in zip(ours.step(actions)[:4], theirs.step(actions)[:4], strict=True):
            np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("size", [0, 5, 7, 9, -1])
def test_frozen_lake_sizes_without_a_map_are_refused(size):
    with pytest.raises(ValueError, match=rf"size={size}: expected 1, 2, 3, 4 or 8"):
        envpool_rs.make("FrozenLake-v1", size=size)


def test_the_changed_one_of_two_aliased_options_applies():
    config = envpool_rs.make_spec("FrozenLake-v1").config._asdict()
    assert envpool_rs.make_spec("FrozenLake-v1", **{**config, "size": 8}).observation_space.n == 64
    assert envpool_rs.make_spec("FrozenLake-v1", **{**config, "map_name": "8x8"}).observation_space.n == 64
    with pytest.raises(ValueError, match="size=3 and desc=None, map_name='8x8' contradict each other"):
        envpool_rs.make_spec("FrozenLake-v1", size=3, map_name="8x8")
    catch = envpool_rs.make_spec("Catch-v0").config._asdict()
    assert envpool_rs.make_spec("Catch-v0", **{**catch, "height": 6}).observation_space.shape == (6, 5)
    assert envpool_rs.make_spec("Catch-v0", **{**catch, "columns": 7}).observation_space.shape == (10, 7)
    with pytest.raises(ValueError, match="height=6 and rows=7 contradict each other"):
        envpool_rs.make_spec("Catch-v0", height=6, rows=7)


def test_catch_boards_have_the_requested_size():
    env = envpool_rs.make("Catch-v0", num_envs=2, height=6, width=7)
    observation, _ = env.reset()
    assert observation.shape == (2, 6, 7) and (observation[:, 5, 3] == 1).all()
    results = [env.step(np.ones(2, int)) for _ in range(5)]
    assert [result[2].tolist() for result in results] == [[False] * 2] * 4 + [[True] * 2]


def test_the_pendulum_version_is_fixed_by_the_task():
    rng = np.random.default_rng(0)
    env, other = envpool_rs.make("Pendulum-v1", version=0, seed=4), envpool_rs.make("Pendulum-v0", seed=4)
    np.testing.assert_array_equal(env.reset()[0], other.reset()[0])
    for _ in range(100):
        action = rng.uniform(1, 2, (1, 1)).astype(np.float32)
        np.testing.assert_array_equal(env.step(action)[0], other.step(action)[0])
    assert env.spec.config.version == 0 and envpool_rs.make_spec("Pendulum-v1").config.version == 1
    with pytest.raises(ValueError, match="version=2: expected 0 to 1"):
        envpool_rs.make("Pendulum-v1", version=2)


@pytest.mark.parametrize("make", [envpool_rs.make_gymnasium, envpool_rs.make_gym, envpool_rs.make_dm])
@pytest.mark.parametrize("batch_size", [0, 2])
def test_reset_reopens_a_closed_pool(make, batch_size):
    """Checks that a reset after `close` makes the environments again, because TorchRL closes a pool
    and then resets it.
    """
    env = make("CartPole-v1", num_envs=4, batch_size=batch_size, seed=7)
    env.reset()
    rows = batch_size or 4
    for begin in (env.async_reset, lambda: env._reset(env.all_env_ids), lambda: env._reset([0, 1, 2, 3])):
        env.close(timeout=3, terminate=True)
        assert env.closed
        with pytest.raises(gymnasium.error.ClosedEnvironmentError, match="this pool is closed"):
            env.step(np.zeros(rows, int), np.arange(rows))
        begin()
        assert not env.closed and len(env) == 4
        for _ in range(4 // rows):
            state = dict(zip(env._state_keys, env._recv(), strict=True))
            assert state["obs"].shape == (rows, 4) and not state["elapsed_step"].any()
    env.close()
    env.reset()
    env.close()
    with pytest.raises(TypeError, match="force"):
        env.close(force=True)


def test_a_reopened_pool_has_the_original_options_and_seed():
    env = envpool_rs.make("FrozenLake-v1", num_envs=2, seed=3, render_mode="rgb_array", size=8)
    first = [env.reset()[0], *(env.step(np.ones(2, int))[0] for _ in range(20))]
    env.close()
    again = [env.reset()[0], *(env.step(np.ones(2, int))[0] for _ in range(20))]
    np.testing.assert_array_equal(first, again)
    assert env.render().shape == (1, 512, 512, 3) and type(env).step is envpool_rs._core.Pool.step
    copy = pickle.loads(pickle.dumps(env))
    np.testing.assert_array_equal(copy.step(np.ones(2, int))[0], env.step(np.ones(2, int))[0])
    env.close()
    env.close()
    assert env.closed and not copy.closed


def test_a_gymnasium_vector_environment_stays_closed():
    env = envpool_rs.make_vec("CartPole-v1", 2)
    env.reset()
    env.close()
    for call in (env.reset, lambda: env.step(np.zeros(2, int)), env.get_state):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError, match="this pool is closed"):
            call()


ORDERS = {
    "Ant-v5": "reward_forward reward_ctrl reward_contact reward_survive x_position y_position distance_from_origin",
    "HalfCheetah-v4": "reward_run reward_ctrl x_position x_velocity",
    "Humanoid-v4": "reward_linvel reward_quadctrl reward_alive reward_impact x_position y_position",
    "HumanoidStandup-v5": "reward_linup reward_quadctrl reward_alive reward_impact",
    "Swimmer-v3": "reward_fwd reward_ctrl x_position y_position distance_from_origin x_velocity y_velocity",
}
"""First infos of EnvPool 1.2.5, in its order."""


@pytest.mark.parametrize("task_id", ORDERS)
def test_infos_of_robots_are_in_envpools_order(task_id):
    pytest.importorskip("mujoco")
    names = ORDERS[task_id].split()
    arrays = envpool_rs.make_spec(task_id).state_array_spec
    assert [name for name in arrays if name.startswith("info:")][2:][: len(names)] == [f"info:{name}" for name in names]
    dm, pool = envpool_rs.make_dm(task_id, seed=1), envpool_rs.make(task_id, seed=1)
    vector = envpool_rs.make_vec(task_id, seed=1)
    assert list(dm.observation_spec()._fields[3:][: len(names)]) == names
    for env in (dm, pool, vector):
        env.reset()
    action = np.full((1, *pool.action_space.shape), 0.3, pool.action_space.dtype)
    fields, info, other = dm.step(action).observation, pool.step(action)[-1], vector.step(action)[-1]
    assert [name for name in info if name not in ("env_id", "players")][: len(names)] == names
    assert list(fields._fields[3:][: len(names)]) == names
    for name in names:
        np.testing.assert_array_equal(getattr(fields, name), info[name])
        if name in other:
            np.testing.assert_allclose(other[name], info[name], rtol=1e-6)


def test_observations_of_the_swimming_fish_are_in_envpools_order():
    pytest.importorskip("mujoco")
    names = ["joint_angles", "upright", "velocity", "target"]
    pool, vector = envpool_rs.make("FishSwim-v1", seed=1), envpool_rs.make_vec("FishSwim-v1", seed=1)
    assert list(pool.observation_space.spaces) == list(pool.reset()[0]) == names
    assert list(envpool_rs.make_dm("FishSwim-v1").reset().observation._fields[2:]) == names
    assert list(vector.single_observation_space.spaces) == ["joint_angles", "upright", "target", "velocity"]
    vector.reset()
    action = np.full((1, 5), 0.3)
    ours, theirs = pool.step(action)[0], vector.step(action)[0]
    for name in names:
        np.testing.assert_array_equal(ours[name], theirs[name])


def test_specs_of_nested_observations_have_envpools_names():
    fields = envpool_rs.make_spec("FrankaKitchen-v1").observation_spec()._fields
    assert fields[2:5] == ("observation", "desired_goal_bottom_burner", "desired_goal_top_burner")
    assert "achieved_goal_kettle" in fields
