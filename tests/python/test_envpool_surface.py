"""Names, signatures, configurations, spaces, specs, results and errors equal those of EnvPool 1.2.5.

`tests/golden/envpool_surface.py` recorded them. Also tests typical uses by other programs.
"""

import copy
import fnmatch
import importlib
import importlib.util
import json
import pickle
import warnings
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.envpool_alias import install_as_envpool
from envpool_rs.pools import EnvSpec

pytest.importorskip("dm_env")

TESTS = Path(__file__).parents[1]
GOLDEN = TESTS / "data" / "envpool_surface.json"
RECORDER = TESTS / "golden" / "envpool_surface.py"
DOCUMENT = TESTS.parent / "docs" / "consumers.md"

DIFFERENCES = [
    "envpool.preload_windows_gl_dlls",
    "envpool.python.data.dm_structure",
    "envpool.python.data.gym_structure",
    "envpool.python.data.gymnasium_structure",
    "minimum of float32 numbers without bounds",
]
"""Intended differences; docs/consumers.md explains them."""

LEAST_FLOAT32 = np.finfo(np.float32).tiny.item()


def recorder():
    spec = importlib.util.spec_from_file_location("envpool_surface", RECORDER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def golden():
    return json.loads(GOLDEN.read_text())


@pytest.fixture(scope="module")
def ours(golden):
    """Returns this package's values in the recorder's format."""
    surface = recorder()
    one_of_each = {path.partition(".")[0] for path in golden["classes"]}
    with install_as_envpool(force=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package = importlib.import_module("envpool")
        found = surface.surface(package, list(golden["tasks"]), sorted(one_of_each))
        found["modules"] = {
            path: {name: surface.described(getattr(importlib.import_module(path), name, None)) for name in names}
            for path, names in golden["modules"].items()
        }
    return json.loads(json.dumps(found))


def takes(ours, theirs):
    """Whether a function accepts all arguments that another accepts."""
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


def test_every_module_has_the_names_that_envpools_has(golden, ours):
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
def test_pools_have_the_methods_that_envpools_have(golden, ours, interface):
    wrong = {}
    for name, theirs in golden["calls"][interface].items():
        mine = ours["calls"][interface].get(name)
        # None: C++ functions do not expose their parameters.
        if mine is None if theirs in ("value", None) else not takes(mine, theirs):
            wrong[name] = (theirs, mine)
    assert not wrong


def test_specifications_have_the_names_that_envpools_have(golden, ours):
    pythons = {"_abc_impl", "_pybind11_conduit_v1_"}
    assert set(golden["spec"]) - set(ours["spec"]) <= pythons


def test_errors_are_of_envpools_kinds_too(golden, ours):
    for case, kinds in golden["errors"].items():
        assert ours["errors"][case][:1] == kinds or (kinds and kinds[0] in ours["errors"][case]), case


def test_tasks_are_instances_of_the_classes_that_they_have_in_envpool(golden, ours):
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


def test_what_is_specified_and_what_results_look_like_is_envpools(golden, ours):
    wrong = {
        (task_id, path): (theirs, ours["tasks"][task_id].get(path))
        for task_id, described in recorder().with_repetition(golden["tasks"]).items()
        for path, theirs in described.items()
        if not is_same(path, theirs, ours["tasks"][task_id].get(path, ...))
    }
    assert not wrong


@pytest.mark.skipif(not DOCUMENT.exists(), reason="needs the repository, not only the tests")
def test_what_differs_on_purpose_is_written_down():
    text = DOCUMENT.read_text()
    assert [each for each in DIFFERENCES if each.rpartition(".")[2] not in text] == []


# --- what programs do ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task_id", ["CartPole-v1", "CliffWalking-v1", "Blackjack-v1", "Catch-v0", "Taxi-v3"])
def test_the_end_of_an_episode_is_reported_by_the_limit_of_the_configuration(task_id):
    """cleanba: detects truncation by the limit."""
    envs = envpool_rs.make(task_id, env_type="gymnasium", num_envs=3, seed=1)
    envs.reset()
    info = envs.step(np.zeros(3, int))[4]
    truncated = info["elapsed_step"] >= envs.spec.config.max_episode_steps
    assert truncated.tolist() == [False] * 3


@pytest.mark.parametrize("task_id", ["CartPole-v1", "FrozenLake-v1", "Catch-v0", "Pendulum-v1", "Blackjack-v1"])
def test_a_loop_over_all_options_makes_the_same_environments_again(task_id):
    keys = envpool_rs.make_spec(task_id)._config_keys
    values = envpool_rs.make_spec(task_id).config
    options = {key: getattr(values, key) for key in keys}
    again = envpool_rs.make_spec(task_id, **options)
    assert again.config == values and type(values)._fields == tuple(keys)
    assert again.gen_config(**options) == again.config == again.gen_config(*options.values())


def test_options_that_a_program_has_are_picked_by_the_names_of_the_configuration():
    arguments = {"num_envs": 4, "learning_rate": 3e-4, "max_episode_steps": 50, "seed": 3, "env_id": "CartPole-v1"}
    keys = envpool_rs.make_spec("CartPole-v1")._config_keys
    env = envpool_rs.make("CartPole-v1", "gymnasium", **{key: arguments[key] for key in keys if key in arguments})
    assert env.config == env.spec.config._asdict() and env.config["max_episode_steps"] == 50


# Recorded from EnvPool 1.2.5: `make_spec(task_id).config._asdict()`.
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
def test_a_configuration_of_envpools_is_accepted_whole(task_id, own):
    env = envpool_rs.make(task_id, "gymnasium", **ENVPOOLS_OWN, **own)
    reported = dict(list(env.config.items())[: len(ENVPOOLS_OWN) + len(own)])
    assert {**reported, "base_path": ENVPOOLS_OWN["base_path"]} == {**ENVPOOLS_OWN, **own}
    assert list(reported) == [*ENVPOOLS_OWN, *own]


@pytest.mark.parametrize("value", [1, 0, True, False, np.bool_(True)])
def test_numbers_stand_for_yes_and_no(value):
    env = envpool_rs.make_spec("Pong-v5", episodic_life=value, reward_clip=[value], gym_reset_return_info=1)
    assert env.config.episodic_life is bool(value) and env.config.reward_clip is bool(value)
    for wrong in (2, 0.5, "yes"):
        with pytest.raises(TypeError, match="episodic_life"):
            envpool_rs.make_spec("Pong-v5", episodic_life=wrong)


def test_threads_and_seeds_are_reported_as_they_were_given():
    assert envpool_rs.make_spec("CartPole-v1").config.num_threads == 0
    assert envpool_rs.make_spec("CartPole-v1", num_envs=4, num_threads=2).config.num_threads == 2
    config = envpool_rs.make_spec("CartPole-v1", num_envs=2, seed=[7, 8]).config
    assert (config.seed, config.env_seed) == (0, [7, 8])
    config = envpool_rs.make_spec("CartPole-v1", num_envs=2, seed=5, env_seed=[7, 8]).config
    assert (config.seed, config.env_seed) == (0, [7, 8])


@pytest.mark.parametrize("size", [1, 2, 3, 4, 8])
def test_lakes_of_every_size_that_envpool_has(size):
    """EnvPool's maps are the upper left corner of the smaller map, or the larger one."""
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
def test_lakes_that_envpool_reads_beyond_its_map_for_are_refused(size):
    with pytest.raises(ValueError, match=rf"size={size}: expected 1, 2, 3, 4 or 8"):
        envpool_rs.make("FrozenLake-v1", size=size)


def test_of_two_names_for_an_option_the_one_that_was_changed_counts():
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


def test_boards_of_other_sizes():
    env = envpool_rs.make("Catch-v0", num_envs=2, height=6, width=7)
    observation, _ = env.reset()
    assert observation.shape == (2, 6, 7) and (observation[:, 5, 3] == 1).all()
    results = [env.step(np.ones(2, int)) for _ in range(5)]
    assert [result[2].tolist() for result in results] == [[False] * 2] * 4 + [[True] * 2]


def test_the_version_of_the_pendulum_is_the_tasks():
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
def test_a_pool_that_is_closed_and_then_reset_goes_on(make, batch_size):
    """TorchRL: closed, and then reset again."""
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


def test_what_is_recreated_is_what_was_made():
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


def test_a_vector_environment_of_gymnasiums_stays_closed():
    env = envpool_rs.make_vec("CartPole-v1", 2)
    env.reset()
    env.close()
    for call in (env.reset, lambda: env.step(np.zeros(2, int)), env.get_state):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError, match="this pool is closed"):
            call()


@pytest.mark.parametrize("interface", ["gymnasium", "gym", "dm"])
@pytest.mark.parametrize("task_id", ["CartPole-v1", "Acrobot-v1", "CliffWalking-v1"])
def test_lists_of_arrays_are_what_results_are_made_of(interface, task_id):
    pool = envpool_rs.make(task_id, interface, num_envs=3, seed=2, max_episode_steps=4)
    other = envpool_rs.make(task_id, "gymnasium", num_envs=3, seed=2, max_episode_steps=4)
    ids = np.arange(3, dtype=np.int32)
    pool._reset(ids)
    state = dict(zip(pool._state_keys, pool._recv(), strict=True))
    np.testing.assert_array_equal(state["obs"], other.reset()[0])
    assert state["step_type"].tolist() == [0] * 3 and state["elapsed_step"].tolist() == [0] * 3
    for step in range(12):
        pool._send([ids, ids, np.zeros(3, np.int32)])
        state = dict(zip(pool._state_keys, pool._recv(), strict=True))
        observation, reward, terminated, truncated, info = other.step(np.zeros(3, int))
        first = info["elapsed_step"] == 0
        expected = {
            "obs": observation,
            "reward": reward,
            "done": terminated | truncated,
            "trunc": truncated,
            "discount": np.where(terminated | truncated, 0, 1).astype(np.float32),
            "step_type": np.where(first, 0, np.where(terminated | truncated, 2, 1)).astype(np.int32),
            "elapsed_step": info["elapsed_step"],
            "info:env_id": ids,
            "info:players.env_id": ids,
        }
        expected |= {f"info:{key}": info[key] for key in ("state", "prob") if key in info}
        assert set(expected) == set(state), step
        for name, array in expected.items():
            np.testing.assert_array_equal(state[name], array, err_msg=f"{name} at {step}")
            assert state[name].dtype == array.dtype, name


def test_only_some_environments_are_reset_by_lists_of_ids():
    env = envpool_rs.make("CartPole-v1", num_envs=4, batch_size=2)
    env.async_reset()
    for _ in range(2):
        env.recv()
    env._reset(np.array([3, 1]))
    state = dict(zip(env._state_keys, env._recv(), strict=True))
    assert sorted(state["info:env_id"].tolist()) == [1, 3]


@pytest.mark.parametrize("make", [envpool_rs.make_gymnasium, envpool_rs.make_dm])
def test_seed_changes_nothing_and_says_so(make):
    env, other = make("CartPole-v1", seed=3), make("CartPole-v1", seed=3)
    with pytest.warns(UserWarning, match=r"seed\(9\) changes nothing"):
        assert env.seed(9) is None
    first, second = (each.reset() for each in (env, other))
    np.testing.assert_array_equal(
        *(getattr(each, "observation", each)[-1 if make is envpool_rs.make_dm else 0] for each in (first, second))
    )


def test_negative_seeds_are_their_32_bits():
    negative = envpool_rs.make("CartPole-v1", num_envs=4, seed=-2)
    listed = envpool_rs.make("CartPole-v1", num_envs=4, seed=[2**32 - 2, 2**32 - 1, 0, 1])
    also = envpool_rs.make("CartPole-v1", num_envs=4, env_seed=[-2, -1, 0, 1])
    first = negative.reset()[0]
    np.testing.assert_array_equal(first, listed.reset()[0])
    np.testing.assert_array_equal(first, also.reset()[0])
    vector = envpool_rs.make_vec("CartPole-v1", 4, seed=-2)
    np.testing.assert_array_equal(first, vector.reset()[0])
    assert vector.np_random_seed == (2**32 - 2, 2**32 - 1, 0, 1)


@pytest.mark.parametrize("task_id", ["Nope-v0", 3])
def test_a_task_that_does_not_exist_raises_what_programs_catch(task_id):
    for kind in (ValueError, KeyError, AssertionError):
        for make in (envpool_rs.make, envpool_rs.make_spec, envpool_rs.make_gym, envpool_rs.make_vec):
            with pytest.raises(kind) as refused:
                make(task_id)
            assert str(refused.value).startswith(("unknown task 'Nope-v0'", "task_id=3: expected a str"))


def test_pools_for_old_programs_are_vector_environments_where_there_is_no_gym():
    if importlib.util.find_spec("gym") is not None:
        pytest.skip("gym is installed: it is gym's")
    env = envpool_rs.make_gym("CartPole-v1", num_envs=2)
    assert isinstance(env, gymnasium.vector.VectorEnv) and isinstance(env, gymnasium.Env)
    assert gymnasium.wrappers.vector.RecordEpisodeStatistics(env).reset()[0].shape == (2, 4)


def test_a_time_step_is_unpacked_by_position():
    pytest.importorskip("ale_py")
    env = envpool_rs.make_dm("Pong-v5", num_envs=2)
    step_type, reward, discount, (env_id, players, obs, lives, info_reward, terminated, ram) = env.reset()
    assert step_type.tolist() == [0, 0] and reward.shape == discount.shape == (2,)
    assert env_id.tolist() == players.env_id.tolist() == [0, 1] and obs.shape == (2, 4, 84, 84)
    assert lives.dtype == terminated.dtype == np.int32 and info_reward.dtype == np.float32 and ram.shape == (2, 128)
    spec = env.observation_spec()
    assert spec._fields == ("env_id", "players", "obs", "lives", "reward", "terminated", "ram")
    assert spec.terminated.num_values == 2


def test_aliases_are_envpools_tasks_and_gymnasiums_names_stay_gymnasiums():
    with install_as_envpool(force=True):
        envpool = importlib.import_module("envpool")
        for alias, task_id in {
            "phys2d/CartPole-v0": "CartPole-v0",
            "phys2d/CartPole-v1": "CartPole-v1",
            "phys2d/Pendulum-v0": "Pendulum-v0",
            "tabular/Blackjack-v0": "Blackjack-v1",
            "tabular/CliffWalking-v0": "CliffWalking-v1",
        }.items():
            assert alias in envpool.list_all_envs() and alias not in envpool_rs.list_all_envs()
            assert envpool.make_spec(alias).config == envpool.make_spec(task_id).config
            mine, other = (envpool.make(each, "gymnasium", num_envs=2, seed=5) for each in (alias, task_id))
            np.testing.assert_array_equal(mine.reset()[0], other.reset()[0])
            native = envpool_rs.make_vec(alias, 2, vectorization_mode="native", seed=5)
            assert native.spec.id == f"envpool_rs/{task_id}"


def test_an_action_that_a_game_has_no_use_for_is_refused_with_the_option_that_takes_it():
    pytest.importorskip("ale_py")
    env = envpool_rs.make("Pong-v5", num_envs=2)
    env.reset()
    with pytest.raises(
        ValueError, match=r"action\[1\] is 17: expected an integer from 0 to 5 \(full_action_space=True"
    ):
        env.step(np.array([0, 17]))
    whole = envpool_rs.make("Pong-v5", full_action_space=True)
    whole.reset()
    whole.step(np.array([17]))
    with pytest.raises(ValueError, match=r"is 18: expected an integer from 0 to 17$"):
        whole.step(np.array([18]))


@pytest.mark.parametrize("game", ["Pong", "Adventure", "Carnival", "Pooyan"])
def test_pictures_have_the_rows_that_envpools_have(game):
    pytest.importorskip("ale_py")
    env = envpool_rs.make(f"{game}-v5", num_envs=2, render_mode="rgb_array", noop_max=1, use_fire_reset=False)
    env.reset()
    assert env.render([0, 1]).shape == (2, 210, 160, 3)
    assert env.spec.pool.picture_size == (160, 210)


@pytest.mark.parametrize("mode", ["rgb_array_list", "rgb_arrays"])
def test_lists_of_pictures_are_refused_as_envpool_does(mode):
    for make in (envpool_rs.make_gymnasium, envpool_rs.make_gym, envpool_rs.make_dm, envpool_rs.make_spec):
        with pytest.raises(ValueError, match="render_mode"):
            make("CartPole-v1", render_mode=mode)


def test_classes_by_envpools_names_make_specifications_and_pools():
    with install_as_envpool(force=True):
        module = importlib.import_module("envpool.classic_control")
        keys, values = module.CartPoleEnvSpec._config_keys, module.CartPoleEnvSpec._default_config_values
        config = {**dict(zip(keys, values, strict=True)), "num_envs": 3, "max_episode_steps": 20}
        spec = module.CartPoleEnvSpec(tuple(config.values()))
        env = module.CartPoleGymnasiumEnvPool(spec)
        assert isinstance(env, module.CartPoleGymnasiumEnvPool) and not isinstance(env, module.CartPoleDMEnvPool)
        assert not isinstance(env, module.PendulumGymnasiumEnvPool) and isinstance(spec, module.CartPoleEnvSpec)
        assert env.reset()[0].shape == (3, 4) and env.config["max_episode_steps"] == 20
        assert isinstance(module.CartPoleDMEnvPool(spec), module.CartPoleDMEnvPool)
        with pytest.raises(ValueError):
            module.CartPoleEnvSpec((1, 2))
        assert not isinstance(3, module.CartPoleEnvSpec)


def test_games_are_chosen_by_name_in_envpools_class():
    with install_as_envpool(force=True):
        atari = importlib.import_module("envpool.atari")
        spec = atari.AtariEnvSpec(atari.AtariEnvSpec.gen_config(task="space_invaders", num_envs=2, stack_num=2))
        assert spec.task_id == "SpaceInvaders-v5" and spec.observation_space.shape == (2, 84, 84)
        with pytest.raises(KeyError, match="NoGame-v5"):
            atari.AtariEnvSpec(atari.AtariEnvSpec.gen_config(task="no_game"))


def test_a_raw_pool_of_atari_is_played_as_envpools_own_test_plays_it():
    with install_as_envpool(force=True):
        module = importlib.import_module("envpool.atari.atari_envpool")
    keys, values = module._AtariEnvSpec._config_keys, module._AtariEnvSpec._default_config_values
    config = dict(zip(keys, values, strict=False)) | {"task": b"pong", "num_envs": 3, "batch_size": 3}
    pool = module._AtariEnvPool(module._AtariEnvSpec(tuple(config.values())))
    pool._reset(np.arange(3, dtype=np.int32))
    for action in ([5, 0, 1], [2, 3, 4]):
        state = dict(zip(pool._state_keys, pool._recv(), strict=False))
        assert state["obs"].shape == (3, 4, 84, 84) and state["info:env_id"].tolist() == [0, 1, 2]
        pool._send((state["info:env_id"], state["info:players.env_id"], np.array(action)))
    assert dict(zip(pool._state_keys, pool._recv(), strict=False))["elapsed_step"].tolist() == [2, 2, 2]


def test_the_registry_tells_what_envpools_tells(golden):
    with install_as_envpool(force=True):
        registry = importlib.import_module("envpool.registration").registry
        specs, pools = registry.specs, registry.envpools
    assert specs.keys() == pools.keys() >= golden["tasks"].keys()
    assert specs["FrozenLake8x8-v1"][:2] == ("envpool.toy_text", "FrozenLakeEnvSpec")
    assert specs["FrozenLake8x8-v1"][2]["size"] == 8 and specs["Pong-v5"][2]["max_episode_steps"] == 27000
    assert pools["Pong-v5"] == {
        "dm": ("envpool.atari", "AtariDMEnvPool"),
        "gymnasium": ("envpool.atari", "AtariGymnasiumEnvPool"),
    }


def test_names_with_dots_are_taken_apart_as_envpool_does():
    with install_as_envpool(force=True):
        data = importlib.import_module("envpool.python.data")
        utils = importlib.import_module("envpool.python.utils")
        template = importlib.import_module("envpool.python.xla_template")
    assert data.to_nested_dict({"a.b": 1, "a.c": 2, "d": 3}) == {"a": {"b": 1, "c": 2}, "d": 3}
    nested = data.to_namedtuple("State", {"a": {"b": 1}, "d": 3})
    assert nested.a.b == 1 and nested.d == 3 and type(nested).__name__ == "State"
    arrays = envpool_rs.make_spec("FrozenLake-v1").state_array_spec
    assert data.gym_spec_transform("obs", arrays["obs"], "obs") == gymnasium.spaces.Discrete(16)
    assert data.dm_spec_transform("obs", arrays["obs"], "obs").num_values == 16
    assert data.gym_spec_transform("done", arrays["done"], "obs") == gymnasium.spaces.MultiBinary([])
    utils.check_key_duplication("Spec", "state", ["a", "b"])
    with pytest.raises(SystemError, match=r"state keys of Spec: \['a'\]"):
        utils.check_key_duplication("Spec", "state", ["a", "b", "a"])
    with pytest.raises(NotImplementedError, match=r"xla\(\)"):
        template.make_xla(envpool_rs.make("CartPole-v1"))


def test_raw_sends_and_seeds_say_what_they_expect():
    pool = envpool_rs.make("CartPole-v1", num_envs=3)
    pool.reset()
    with pytest.raises(ValueError, match=r"_send takes 3 arrays, env_id, players\.env_id, action: 1 were given"):
        pool._send([np.arange(3)])
    with pytest.raises(ValueError, match=r"seed=-2147483649: expected -2\*\*31 or more, and below 2\*\*63"):
        envpool_rs.make("CartPole-v1", num_envs=3, seed=-(2**31) - 1)


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
@pytest.mark.parametrize("task_id", ["CartPole-v1", "FrozenLake8x8-v1", "MiniGrid-Empty-8x8-v0", "Catch-v0"])
def test_the_class_of_a_specification_has_the_options_of_envpools_class(task_id, env_type):
    with envpool_rs.make(task_id, env_type, num_envs=2) as env:
        spec = env.spec
    kind = type(spec)
    config = kind.gen_config(num_envs=3)
    assert config.num_envs == 3 and kind.gen_config().num_envs == 1
    assert config._fields == tuple(kind._config_keys) and kind.gen_config() == kind._default_config_values
    assert set(spec._config_keys) <= set(kind._config_keys)
    with pytest.raises(TypeError, match="no_such"):
        kind.gen_config(no_such=1)


@pytest.mark.parametrize("name", ["gen_config", "_config_keys", "_default_config_values"])
def test_options_of_a_class_are_those_of_the_class_by_envpools_name(name):
    with install_as_envpool(force=True):
        module = importlib.import_module("envpool.classic_control")
        by_name, kind = module.CartPoleEnvSpec, type(envpool_rs.make_spec("CartPole-v1"))
    ours, envpools = getattr(kind, name), getattr(by_name, name)
    assert (ours(), ours._fields) == (envpools(), envpools._fields) if name == "gen_config" else ours == envpools
    with pytest.raises(AttributeError):
        setattr(envpool_rs.make_spec("CartPole-v1"), name, 3)


def test_specifications_of_one_task_are_of_one_class_that_pickles():
    spec = envpool_rs.make_spec("CartPole-v1", num_envs=2)
    again = [pickle.loads(pickle.dumps(spec)), copy.copy(spec), copy.deepcopy(spec), spec.with_options(num_envs=2)]
    assert {type(each) for each in again} == {type(spec)} and all(each == spec for each in again)
    assert isinstance(spec, EnvSpec) and type(spec).__name__ == "EnvSpec"
    assert type(envpool_rs.make_spec("Pendulum-v1")) is not type(spec)
    assert envpool_rs.make_spec(["CartPole-v1", "CartPole-v0"], num_envs=2)._config_keys
